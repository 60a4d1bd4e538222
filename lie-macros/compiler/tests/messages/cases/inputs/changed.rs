//! Inputs are given, and taken by reference.

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
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.angle * v.angle
    }

    #[force(on = angle)]
    fn motor(u: &mut Inputs) -> f64 {
        u.torque
    }

    #[force(on = angle)]
    fn brake(u: Inputs) -> f64 {
        u.torque
    }
}

fn main() {}
