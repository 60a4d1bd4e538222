//! The heavy top of paper 1 in four formulations: one declaration of energies and of a constraint for each kind of
//! group product.
//!
//! ```text
//! cargo run --release --example heavy_top                                     # the study: tables and figures
//! cargo run --release --example heavy_top -- --group se3 --rtol 1e-8 --atol 1e-10 --samples 0.5,1 --format json
//! ```

use std::process::ExitCode;

use examples::{Example, Problem, Settings, UsageError, Variant};
use lie_runtime::prelude::*;

/// The top on a direct product: position and velocity of the centre of mass in space.
macro_rules! heavy_top_on_direct_product {
    ($name:ident, $rotation:ident, $matrix:ident) => {
        /// The heavy top.
        #[mechanical_system]
        pub mod $name {
            use lie_runtime::prelude::*;

            /// Pose of the body frame at the centre of mass.
            #[configuration]
            pub struct Pose {
                /// Body to space.
                pub attitude: $rotation,
                /// The centre of mass in space.
                pub position: R3,
            }

            /// Data of the top.
            #[parameters]
            pub struct HeavyTop {
                /// The mass.
                pub mass: f64,
                /// Principal moments of inertia about the centre of mass.
                pub inertia: Vector3<f64>,
                /// The centre of mass in the body, seen from the fixed point.
                pub center_of_mass: Vector3<f64>,
                /// Gravity in space.
                pub gravity: Vector3<f64>,
            }

            #[kinetic_energy]
            fn kinetic(top: &HeavyTop, v: &Velocity) -> f64 {
                0.5 * top.mass * v.position.norm_squared()
                    + 0.5 * v.attitude.dot(&top.inertia.component_mul(&v.attitude))
            }

            #[potential]
            fn weight(top: &HeavyTop, q: &Pose) -> f64 {
                -top.mass * top.gravity.dot(&q.position)
            }

            #[constraint]
            fn fixed_point(top: &HeavyTop, q: &Pose) -> Vector3<f64> {
                q.attitude.inverse() * q.position - top.center_of_mass
            }

            #[observable]
            fn position(q: &Pose) -> Vector3<f64> {
                q.position
            }

            #[observable]
            fn attitude(q: &Pose) -> Matrix3<f64> {
                q.attitude.$matrix()
            }

            #[observable]
            fn angular_velocity(v: &Velocity) -> Vector3<f64> {
                v.attitude
            }
        }
    };
}

/// The top on a semidirect product: both velocities in the body.
macro_rules! heavy_top_on_semidirect_product {
    ($name:ident, $group:ident, $matrix:ident) => {
        /// The heavy top.
        #[mechanical_system]
        pub mod $name {
            use lie_runtime::prelude::*;

            /// The body.
            #[configuration]
            pub struct Body {
                /// Body to space, at the centre of mass.
                pub pose: $group,
            }

            /// Data of the top.
            #[parameters]
            pub struct HeavyTop {
                /// The mass.
                pub mass: f64,
                /// Principal moments of inertia about the centre of mass.
                pub inertia: Vector3<f64>,
                /// The centre of mass in the body, seen from the fixed point.
                pub center_of_mass: Vector3<f64>,
                /// Gravity in space.
                pub gravity: Vector3<f64>,
            }

            #[kinetic_energy]
            fn kinetic(top: &HeavyTop, v: &Velocity) -> f64 {
                let (angular, linear) = (v.pose.angular(), v.pose.linear());
                0.5 * top.mass * linear.norm_squared()
                    + 0.5 * angular.dot(&top.inertia.component_mul(&angular))
            }

            #[potential]
            fn weight(top: &HeavyTop, q: &Body) -> f64 {
                -top.mass * top.gravity.dot(&q.pose.translation)
            }

            #[constraint]
            fn fixed_point(top: &HeavyTop, q: &Body) -> Vector3<f64> {
                q.pose.rotation.inverse() * q.pose.translation - top.center_of_mass
            }

            #[observable]
            fn position(q: &Body) -> Vector3<f64> {
                q.pose.translation
            }

            #[observable]
            fn attitude(q: &Body) -> Matrix3<f64> {
                q.pose.rotation.$matrix()
            }

            #[observable]
            fn angular_velocity(v: &Velocity) -> Vector3<f64> {
                v.pose.angular()
            }
        }
    };
}

heavy_top_on_direct_product!(so3xr3, SO3, matrix);
heavy_top_on_direct_product!(s3xr3, S3, rotation_matrix);
heavy_top_on_semidirect_product!(se3, SE3, matrix);
heavy_top_on_semidirect_product!(s3r3, S3R3, rotation_matrix);

/// The data of paper 1, section 2.4, with what the user has set; they have the same names in every formulation.
macro_rules! parameters {
    ($module:ident, $settings:expr) => {
        $settings.apply($module::HeavyTop {
            mass: 15.0,
            inertia: Vector3::new(0.234_375, 0.468_75, 0.234_375),
            center_of_mass: Vector3::new(0.0, 1.0, 0.0),
            gravity: Vector3::new(0.0, 0.0, -9.81),
        })?
    };
}

/// The top starts unrotated, R = I, with this angular velocity; x = X and x' = Ω × X follow.
const ANGULAR_VELOCITY: Vector3<f64> = Vector3::new(0.0, 150.0, -4.615_38);

/// A formulation on a direct product.
macro_rules! direct {
    ($module:ident, $rotation:ident) => {
        Variant::new(
            stringify!($module),
            |settings: &mut Settings| -> Result<_, UsageError> {
                let top = parameters!($module, settings);
                let (attitude, position) = ($rotation::identity(), top.center_of_mass);
                let velocity = $module::Velocity {
                    attitude: ANGULAR_VELOCITY,
                    position: ANGULAR_VELOCITY.cross(&position),
                };
                Ok(Problem {
                    system: $module::System::new(top)?,
                    configuration: $module::Pose { attitude, position },
                    velocity: velocity.into(),
                })
            },
        )
    };
}

/// A formulation on a semidirect product.
macro_rules! semidirect {
    ($module:ident, $group:ident, $rotation:ident) => {
        Variant::new(
            stringify!($module),
            |settings: &mut Settings| -> Result<_, UsageError> {
                let top = parameters!($module, settings);
                let (rotation, translation) = ($rotation::identity(), top.center_of_mass);
                let (angular, linear) = (ANGULAR_VELOCITY, ANGULAR_VELOCITY.cross(&translation));
                let velocity = $module::Velocity {
                    pose: Vector6::new(
                        angular.x, angular.y, angular.z, linear.x, linear.y, linear.z,
                    ),
                };
                Ok(Problem {
                    system: $module::System::new(top)?,
                    configuration: $module::Body {
                        pose: $group {
                            rotation,
                            translation,
                        },
                    },
                    velocity: velocity.into(),
                })
            },
        )
    };
}

/// The heavy top as an example.
pub fn example() -> Example {
    Example {
        name: "heavy_top",
        about: "A heavy top with a fixed point (paper 1, section 2.4) in four formulations.",
        variants: vec![
            direct!(so3xr3, SO3),
            semidirect!(se3, SE3, SO3),
            direct!(s3xr3, S3),
            semidirect!(s3r3, S3R3, S3),
        ],
        method: "hedop5",
        step: 1e-3,
        end: 1.0,
        options: &[],
        study: None,
    }
}

/// The program.
#[allow(dead_code)] // Where the tests include this file.
fn main() -> ExitCode {
    examples::main(&example())
}
