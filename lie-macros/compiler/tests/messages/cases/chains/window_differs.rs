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

    #[potential(over = nodes.windows(3))]
    fn strain([a, b]: [&S3R3; 2]) -> f64 {
        (a.inverse() * b).log().norm_squared()
    }

    #[potential(over = nodes.windows(2))]
    fn alone(a: &S3R3) -> f64 {
        a.translation[2]
    }
}

fn main() {}
