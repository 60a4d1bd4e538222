//! The declarations.

use lie_runtime::nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use lie_runtime::prelude::*;
use lie_runtime::system::Linearised;

use super::{CENTER, GRAVITY, MASS, MOMENTS, Top};

/// The version with principal moments, like the handwritten versions.
#[mechanical_system]
pub mod principal {
    use lie_runtime::prelude::*;

    /// Pose of the body frame at the centre of mass.
    #[configuration]
    pub struct Body {
        /// Body to space.
        pub pose: SE3,
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
        let (angular, linear) = (v.pose.angular(), v.pose.linear());
        0.5 * top.mass * linear.dot(&linear) + 0.5 * angular.dot(&top.moments.component_mul(&angular))
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

/// The version with an inertia tensor.
#[mechanical_system]
pub mod full {
    use lie_runtime::prelude::*;

    /// Pose of the body frame at the centre of mass.
    #[configuration]
    pub struct Body {
        /// Body to space.
        pub pose: SE3,
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

/// The common implementation of both versions.
macro_rules! top {
    ($module:ident, $name:literal, $inertia:ident: $value:expr) => {
        impl Top for $module::System {
            const NAME: &'static str = $name;

            fn of_the_paper() -> Self {
                let top = $module::HeavyTop { mass: MASS, $inertia: $value, center_of_mass: CENTER, gravity: GRAVITY };
                Self::new(top).expect("the data of the paper are sound")
            }
            fn configuration(attitude: Matrix3<f64>, position: Vector3<f64>) -> $module::Body {
                $module::Body { pose: SE3::new(SO3::from_matrix_unchecked(attitude), position) }
            }
            #[inline]
            fn stiffness(
                &self,
                q: &$module::Body,
                v: &Vector6<f64>,
                acceleration: &Vector6<f64>,
                multipliers: &Vector3<f64>,
                out: &mut Matrix6<f64>,
            ) {
                self.tangent_stiffness(0.0, q, v, acceleration, multipliers, out);
            }
            #[inline]
            fn damping(&self, q: &$module::Body, v: &Vector6<f64>, out: &mut Matrix6<f64>) {
                self.tangent_damping(0.0, q, v, out);
            }
        }
    };
}

top!(principal, "generated", moments: MOMENTS);
top!(full, "generated_full", inertia: Matrix3::from_diagonal(&MOMENTS));
