//! All inputs are one struct.

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

    #[inputs]
    pub struct Wind {
        pub speed: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.angle * v.angle
    }

}

fn main() {}
