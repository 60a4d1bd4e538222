use lie_runtime::prelude::*;

#[mechanical_system]
mod rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        pub nodes: Vec<S3R3>,
        pub hub: SE3,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.dot(v)
    }

    #[kinetic_energy(over = hub)]
    fn hub(v: &Vector6<f64>) -> f64 {
        0.5 * v.dot(v)
    }

    #[potential(over = hub.windows(2))]
    fn strain([a, b]: [&SE3; 2]) -> f64 {
        (a.inverse() * b).log().norm_squared()
    }
}

fn main() {}
