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

    #[force(on = nodes)]
    fn load() -> Vector6<f64> {
        Vector6::zeros()
    }
}

fn main() {}
