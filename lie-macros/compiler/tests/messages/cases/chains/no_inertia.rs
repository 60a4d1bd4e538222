use lie_runtime::prelude::*;

#[mechanical_system]
mod rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        pub nodes: Vec<S3R3>,
        pub ends: Vec<R3>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.linear().dot(&v.linear())
    }

    #[kinetic_energy(over = ends.first())]
    fn first(v: &Vector3<f64>) -> f64 {
        0.5 * v.dot(v)
    }
}

fn main() {}
