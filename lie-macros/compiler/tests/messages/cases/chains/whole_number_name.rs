use lie_runtime::prelude::*;

#[mechanical_system]
mod rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        pub nodes: Vec<S3R3>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.dot(v)
    }

    #[potential(over = nodes)]
    fn weight(i: usize, node: &S3R3) -> f64 {
        node.translation[2] * i as f64
    }
}

fn main() {}
