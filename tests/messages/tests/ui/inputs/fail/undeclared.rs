//! A struct without the role.

use lie_runtime::prelude::*;

#[mechanical_system]
mod arm {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub angle: f64,
    }

    pub struct Inputs {
        pub torque: f64,
    }

    #[parameters]
    pub struct Arm {
        pub mass: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.angle * v.angle
    }

    #[force(on = angle)]
    fn motor(p: &Arm, u: &Inputs) -> f64 {
        u.torque / p.mass
    }
}

fn main() {}
