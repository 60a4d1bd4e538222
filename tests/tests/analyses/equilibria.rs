//! Equilibria of small systems in closed form, and why some are not found.

use lie_runtime::analysis::{Equilibrium, EquilibriumError};
use lie_runtime::prelude::*;

/// A body on a string.
#[mechanical_system]
pub mod pendulum {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[parameters]
    pub struct Body {
        pub mass: f64,
        /// The vector from the centre of mass to the hook, in the body frame.
        pub joint: Vector3<f64>,
        /// A spring that pulls the centre of mass.
        pub pull: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(body: &Body, v: &Velocity) -> f64 {
        0.5 * body.mass * v.position.norm_squared() + 0.5 * v.attitude.norm_squared()
    }

    #[potential]
    fn loads(body: &Body, q: &Pose) -> f64 {
        9.81 * body.mass * q.position.z - body.pull.dot(&q.position)
    }

    #[constraint]
    fn hinge(body: &Body, q: &Pose) -> Vector3<f64> {
        q.attitude * body.joint + q.position
    }
}

/// A body that nothing holds against turning about the vertical.
#[test]
fn what_turns_freely_is_named() {
    let body = pendulum::Body { mass: 2.0, joint: Vector3::new(0.0, 0.0, 0.5), pull: Vector3::zeros() };
    let system = pendulum::System::new(body).expect("a body");
    let turned = SO3::exp(&Vector3::new(0.3, 0.1, 0.0));
    let start = pendulum::Pose { attitude: turned, position: -(turned * Vector3::new(0.0, 0.0, 0.5)) };
    let error = Equilibrium::of(&system).guess(start).solve().expect_err("turns about the vertical");
    let EquilibriumError::Loose { directions, .. } = &error else { panic!("{error}") };
    assert_eq!((directions.len(), &directions[0].members[..]), (1, &["attitude", "position"][..]));
    assert!(error.to_string().contains("`attitude`"), "{error}");
}
