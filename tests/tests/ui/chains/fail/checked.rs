use lie_runtime::prelude::*;

#[mechanical_system(derivative_check)]
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
}

fn main() {}
