//! An inertia is not given at run time.

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

    #[kinetic_energy]
    fn kinetic(v: &Velocity, u: &Inputs) -> f64 {
        0.5 * u.torque * v.angle * v.angle
    }
}

fn main() {}
