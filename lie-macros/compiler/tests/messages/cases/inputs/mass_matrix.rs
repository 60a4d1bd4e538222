//! Nor is a mass matrix.

use lie_runtime::prelude::*;

#[mechanical_system]
mod arm {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub angle: f64,
    }

    #[inputs]
    pub struct Inputs {
        pub torque: f64,
    }

    #[mass_matrix]
    fn mass(u: &Inputs, q: &Pose) -> Matrix1<f64> {
        Matrix1::new(u.torque + q.angle * q.angle)
    }
}

fn main() {}
