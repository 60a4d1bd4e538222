//! The heavy tops seen alike: attitude, position and velocities in one convention.

use lie_runtime::prelude::*;

use super::heavy_tops::{dq, s3r3, s3xr3, se3, so3xr3};

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

/// A formulation: where R = I, what space and body see is the same.
macro_rules! formulation {
    ($module:ident, $group:ident, $notation:literal) => {
        impl HeavyTop for $module::System {
            const GROUP: &'static str = $notation;

            fn of_the_paper() -> Self {
                $module::System::new($module::HeavyTop {
                    mass: 15.0,
                    inertia: Matrix3::from_diagonal(&Vector3::new(0.234_375, 0.468_75, 0.234_375)),
                    center_of_mass: Vector3::new(0.0, 1.0, 0.0),
                    gravity: Vector3::new(0.0, 0.0, -9.81),
                })
                .expect("the paper's data are good")
            }
            fn initial() -> ($module::Body, Vector6<f64>) {
                let pose = $group::new($group::identity().rotation(), Vector3::new(0.0, 1.0, 0.0));
                ($module::Body { pose }, Vector6::new(0.0, 150.0, -4.61538, 4.61538, 0.0, 0.0))
            }
            fn attitude(q: &$module::Body) -> Matrix3<f64> {
                q.pose.rotation().rotation_matrix()
            }
            fn position(q: &$module::Body) -> Vector3<f64> {
                q.pose.position()
            }
            fn linear_velocity(q: &$module::Body, v: &Vector6<f64>) -> Vector3<f64> {
                q.pose.point_velocity(v, &Vector3::zeros())
            }
        }
    };
}

formulation!(so3xr3, SO3xR3, "SO(3) × R³");
formulation!(s3xr3, S3xR3, "S³ × R³");
formulation!(se3, SE3, "SE(3)");
formulation!(s3r3, S3R3, "S³ ⋉ R³");
formulation!(dq, DQ, "DQ");
