use lie_runtime::prelude::*;

#[mechanical_system]
mod rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        pub nodes: Vec<R3>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.dot(v)
    }

    #[quantity(over = nodes.windows(2))]
    fn stretch([a, b]: [&R3; 2]) -> f64 {
        (a - b).norm_squared()
    }

    #[dissipation(over = nodes.windows(2))]
    fn crossed([a, b]: [&R3; 2], [va, vb]: [&Vector3<f64>; 2]) -> f64 {
        stretch_rate([a, b], [vb, va]).powi(2)
    }

    #[dissipation(over = nodes.windows(2))]
    fn short([a, b]: [&R3; 2], velocities: [&Vector3<f64>; 2]) -> f64 {
        stretch_rate([a, b]).powi(2)
    }
}

fn main() {}
