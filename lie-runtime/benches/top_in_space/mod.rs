//! The heavy top of paper 1 on SO(3) × R³. The bench `from_text` compiles this file as a module and reads it as text.

use lie_runtime::prelude::*;

/// The top.
#[mechanical_system]
pub mod top {
    use lie_runtime::prelude::*;

    /// Pose of the body frame at the centre of mass.
    #[configuration]
    pub struct Pose {
        /// Body to space.
        pub attitude: SO3,
        /// The centre of mass in space.
        pub position: R3,
    }

    /// Data of the top.
    #[parameters]
    pub struct HeavyTop {
        /// The mass.
        pub mass: f64,
        /// Principal moments about the centre of mass.
        pub moments: Vector3<f64>,
        /// The centre of mass in the body, from the fixed point.
        pub center_of_mass: Vector3<f64>,
        /// Gravity in space.
        pub gravity: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(top: &HeavyTop, v: &Velocity) -> f64 {
        0.5 * top.mass * v.position.dot(&v.position) + 0.5 * v.attitude.dot(&top.moments.component_mul(&v.attitude))
    }

    #[potential]
    fn gravity(top: &HeavyTop, q: &Pose) -> f64 {
        -top.mass * top.gravity.dot(&q.position)
    }

    #[constraint]
    fn fixed_point(top: &HeavyTop, q: &Pose) -> Vector3<f64> {
        q.attitude.inverse() * q.position - top.center_of_mass
    }
}
