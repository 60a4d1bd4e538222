use lie_runtime::prelude::*;

#[mechanical_system]
mod rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        pub nodes: Vec<S3R3>,
        pub angle: SO2,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.dot(v)
    }

    #[kinetic_energy]
    fn wheel(v: &Velocity) -> f64 {
        0.5 * v.angle * v.angle
    }

    #[potential]
    fn weight(q: &Rod) -> f64 {
        q.nodes[0].translation[2]
    }
}

fn main() {}
