//! The heavy top of paper 2, section 7.1: the constraint −x + R X = 0, λ the force of the joint in space.

use lie_runtime::prelude::*;

/// Declares the top on SO(3) × R³.
#[mechanical_system(derivative_check)]
pub mod top_in_space {
    use lie_runtime::prelude::*;

    /// Pose of the body frame at the centre of mass.
    #[configuration]
    pub struct Pose {
        /// The centre of mass in space.
        pub position: R3,
        /// Body to space.
        pub attitude: SO3,
    }

    /// Data of the top.
    #[parameters]
    pub struct HeavyTop {
        /// The mass.
        pub mass: f64,
        /// Inertia about the centre of mass.
        pub inertia: Matrix3<f64>,
        /// The centre of mass in the body, from the fixed point.
        pub center_of_mass: Vector3<f64>,
        /// Gravity in space.
        pub gravity: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(top: &HeavyTop, v: &Velocity) -> f64 {
        0.5 * top.mass * v.position.dot(&v.position) + 0.5 * v.attitude.dot(&(top.inertia * v.attitude))
    }

    #[potential]
    fn gravity(top: &HeavyTop, q: &Pose) -> f64 {
        -top.mass * top.gravity.dot(&q.position)
    }

    #[constraint]
    fn fixed_point(top: &HeavyTop, q: &Pose) -> Vector3<f64> {
        q.attitude * top.center_of_mass - q.position
    }
}

/// The top of the paper with its initial values.
///
/// # Panics
/// Never: the paper's data are good.
pub fn of_the_paper() -> (top_in_space::System, top_in_space::Pose, Vector6<f64>) {
    let system = top_in_space::System::new(top_in_space::HeavyTop {
        mass: 15.0,
        inertia: Matrix3::from_diagonal(&Vector3::new(0.234_375, 0.468_75, 0.234_375)),
        center_of_mass: Vector3::new(0.0, 1.0, 0.0),
        gravity: Vector3::new(0.0, 0.0, -9.81),
    })
    .expect("the paper's data are good");
    let pose = top_in_space::Pose { position: Vector3::new(0.0, 1.0, 0.0), attitude: SO3::identity() };
    (system, pose, Vector6::new(4.61538, 0.0, 0.0, 0.0, 150.0, -4.61538))
}
