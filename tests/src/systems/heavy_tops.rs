//! The heavy top of paper 1, section 2.4, in its four formulations.

use lie_runtime::prelude::*;

/// Declares the heavy top on a direct product: position and velocity in space.
macro_rules! heavy_top_on_product {
    ($(#[$doc:meta])* $name:ident, $rotation:ident) => {
        $(#[$doc])*
        #[mechanical_system(derivative_check)]
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
                q.attitude.inverse() * q.position - top.center_of_mass
            }
        }
    };
}

/// Declares the heavy top on a semidirect product: velocities in the body.
macro_rules! heavy_top_on_semidirect_product {
    ($(#[$doc:meta])* $name:ident, $group:ident) => {
        $(#[$doc])*
        #[mechanical_system(derivative_check)]
        pub mod $name {
            use lie_runtime::prelude::*;

            /// Pose of the body frame at the centre of mass.
            #[configuration]
            pub struct Body {
                /// Body to space.
                pub pose: $group,
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
                let (angular, linear) = (v.pose.angular(), v.pose.linear());
                0.5 * top.mass * linear.dot(&linear) + 0.5 * angular.dot(&(top.inertia * angular))
            }

            #[potential]
            fn gravity(top: &HeavyTop, q: &Body) -> f64 {
                -top.mass * top.gravity.dot(&q.pose.translation)
            }

            #[constraint]
            fn fixed_point(top: &HeavyTop, q: &Body) -> Vector3<f64> {
                q.pose.rotation.inverse() * q.pose.translation - top.center_of_mass
            }
        }
    };
}

heavy_top_on_product!(
    /// On SO(3) × R³.
    so3xr3, SO3
);
heavy_top_on_product!(
    /// On S³ × R³.
    s3xr3, S3
);
heavy_top_on_semidirect_product!(
    /// On SE(3).
    se3, SE3
);
heavy_top_on_semidirect_product!(
    /// On S³ ⋉ R³.
    s3r3, S3R3
);
