//! The rate of a quantity would need that of the input.

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

    #[quantity]
    fn away(u: &Inputs, q: &Pose) -> f64 {
        q.angle - u.torque
    }
}

fn main() {}
