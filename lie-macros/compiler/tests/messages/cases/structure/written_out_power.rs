use lie_runtime::prelude::*;

#[mechanical_system]
mod net {
    use lie_runtime::prelude::*;

    const N: usize = 100;

    #[configuration]
    pub struct Net {
        pub nodes: [R3; N],
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        v.nodes.iter().map(|v| 0.5 * v.norm_squared()).sum::<f64>()
    }

    #[potential]
    fn strain(q: &Net) -> f64 {
        let mut energy = 0.0;
        for i in 0..N {
            for j in 0..i {
                energy += ((q.nodes[i] - q.nodes[j]).norm() - 1.0).powi(2);
            }
        }
        energy
    }
}

fn main() {}
