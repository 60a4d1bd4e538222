//! What events see.

use lie_runtime::prelude::*;

#[mechanical_system]
mod pendulum {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub x: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    /// There are no constraints.
    #[event]
    fn slack(q: &Pose, lambda: &Multipliers) -> f64 {
        q.x.z
    }

    #[event]
    fn near(q: &Pose, point: &Vector3<f64>) -> f64 {
        (q.x - point).norm()
    }

    #[event]
    fn below(q: &Pose) -> bool {
        q.x.z < 0.0
    }
}

fn main() {}
