//! There is no such input.

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
    fn motor(u: &Inputs) -> f64 {
        u.torqe
    }

    #[force(on = angle)]
    fn spring(u: &Inputs, q: &Pose) -> f64 {
        u.torque - u.angle * q.angle
    }
}

fn main() {}
