//! The four heavy tops seen alike: attitude, position and velocities in one convention.

use lie_runtime::prelude::*;

use super::heavy_tops::{s3r3, s3xr3, se3, so3xr3};

/// A formulation of the heavy top of paper 1.
pub trait HeavyTop:
    MechanicalSystem<Scalar = f64, Velocity = Vector6<f64>, Multipliers = Vector3<f64>, Configuration: Copy> + Sized
{
    /// The group, as users write it.
    const GROUP: &'static str;

    /// m = 15, J = diag(0.234375, 0.46875, 0.234375), X = e₂, gravity 9.81 downwards.
    fn of_the_paper() -> Self;
    /// R = I, Ω = (0, 150, −4.61538), x = e₂, x' = Ω × X.
    fn initial() -> (Self::Configuration, Vector6<f64>);
    /// Body to space.
    fn attitude(q: &Self::Configuration) -> Matrix3<f64>;
    /// The centre of mass in space.
    fn position(q: &Self::Configuration) -> Vector3<f64>;
    /// x' in space.
    fn linear_velocity(q: &Self::Configuration, v: &Vector6<f64>) -> Vector3<f64>;
}

/// Ω(0); space and body velocity coincide because R(0) = I.
fn initial_velocity() -> Vector6<f64> {
    Vector6::new(0.0, 150.0, -4.61538, 4.61538, 0.0, 0.0)
}

/// The paper's data.
macro_rules! data {
    ($module:ident) => {
        $module::System::new($module::HeavyTop {
            mass: 15.0,
            inertia: Matrix3::from_diagonal(&Vector3::new(0.234_375, 0.468_75, 0.234_375)),
            center_of_mass: Vector3::new(0.0, 1.0, 0.0),
            gravity: Vector3::new(0.0, 0.0, -9.81),
        })
        .expect("the paper's data are good")
    };
}

/// A formulation with separate rotation and position.
macro_rules! direct {
    ($module:ident, $rotation:ident, $group:literal, $matrix:ident) => {
        impl HeavyTop for $module::System {
            const GROUP: &'static str = $group;

            fn of_the_paper() -> Self {
                data!($module)
            }
            fn initial() -> ($module::Pose, Vector6<f64>) {
                let pose = $module::Pose { attitude: $rotation::identity(), position: Vector3::new(0.0, 1.0, 0.0) };
                (pose, initial_velocity())
            }
            fn attitude(q: &$module::Pose) -> Matrix3<f64> {
                q.attitude.$matrix()
            }
            fn position(q: &$module::Pose) -> Vector3<f64> {
                q.position
            }
            fn linear_velocity(_: &$module::Pose, v: &Vector6<f64>) -> Vector3<f64> {
                v.linear()
            }
        }
    };
}

/// A formulation with a pose.
macro_rules! semidirect {
    ($module:ident, $pose:ident, $rotation:ident, $group:literal, $matrix:ident) => {
        impl HeavyTop for $module::System {
            const GROUP: &'static str = $group;

            fn of_the_paper() -> Self {
                data!($module)
            }
            fn initial() -> ($module::Body, Vector6<f64>) {
                let pose = $pose::new($rotation::identity(), Vector3::new(0.0, 1.0, 0.0));
                ($module::Body { pose }, initial_velocity())
            }
            fn attitude(q: &$module::Body) -> Matrix3<f64> {
                q.pose.rotation.$matrix()
            }
            fn position(q: &$module::Body) -> Vector3<f64> {
                q.pose.translation
            }
            fn linear_velocity(q: &$module::Body, v: &Vector6<f64>) -> Vector3<f64> {
                q.pose.rotation.rotate(&v.linear())
            }
        }
    };
}

direct!(so3xr3, SO3, "SO(3) × R³", matrix);
direct!(s3xr3, S3, "S³ × R³", rotation_matrix);
semidirect!(se3, SE3, SO3, "SE(3)", matrix);
semidirect!(s3r3, S3R3, S3, "S³ ⋉ R³", rotation_matrix);
