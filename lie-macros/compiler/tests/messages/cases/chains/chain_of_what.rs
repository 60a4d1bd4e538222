use lie_runtime::prelude::*;

#[mechanical_system]
mod rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        pub nodes: Vec<f32>,
        pub pairs: Vec<[SO3; 2]>,
        pub many: Vec<Vec<SO3>>,
        pub nothing: Vec,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.dot(v)
    }

}

fn main() {}
