//! The heavy top of paper 1, section 2.4: one declaration, on every group of placements.

use lie_runtime::prelude::*;

/// Declares the heavy top on a group of placements.
macro_rules! heavy_top {
    ($(#[$doc:meta])* $name:ident, $group:ident) => {
        $(#[$doc])*
        #[mechanical_system(derivative_check, gradients)]
        pub mod $name {
            use lie_runtime::prelude::*;

            /// The body.
            #[configuration]
            pub struct Body {
                /// Of the body frame at the centre of mass.
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
            fn kinetic(top: &HeavyTop, q: &Body, v: &Velocity) -> f64 {
                let velocity = q.pose.point_velocity(&v.pose, &Vector3::zeros());
                let angular = v.pose.angular();
                0.5 * top.mass * velocity.dot(&velocity) + 0.5 * angular.dot(&(top.inertia * angular))
            }

            #[potential]
            fn gravity(top: &HeavyTop, q: &Body) -> f64 {
                -top.mass * top.gravity.dot(&q.pose.position())
            }

            #[constraint]
            fn fixed_point(top: &HeavyTop, q: &Body) -> Vector3<f64> {
                q.pose.rotation().inverse() * q.pose.position() - top.center_of_mass
            }
        }
    };
}

heavy_top!(
    /// On SO(3) × R³.
    so3xr3, SO3xR3
);
heavy_top!(
    /// On S³ × R³.
    s3xr3, S3xR3
);
heavy_top!(
    /// On SE(3).
    se3, SE3
);
heavy_top!(
    /// On S³ ⋉ R³.
    s3r3, S3R3
);
heavy_top!(
    /// On unit dual quaternions.
    dq, DQ
);
