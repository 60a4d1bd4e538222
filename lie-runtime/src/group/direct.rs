//! SO(3) × R³ and S³ × R³: poses of a body as direct products.

use nalgebra::{Vector3, Vector6};

use super::operators::{composition, moves};
use super::se3_algebra::{join, split};
use super::so3_algebra::{HatPolynomial, cross};
use super::{LieGroup, Placement, S3, SO3, TangentVector};
use crate::scalar::{Scalar, zeros};

/// A direct product of rotations and positions: type, inherent functions, `LieGroup`, `Placement`.
macro_rules! direct_product {
    ($(#[$doc:meta])* $group:ident over $rotation:ident) => {
        $(#[$doc])*
        ///
        /// [`exp`](crate::group::LieGroup::exp), [`log`](crate::group::LieGroup::log) and [`inverse`](crate::group::LieGroup::inverse) are methods
        /// of [`LieGroup`](crate::group::LieGroup). `a * b` is the product, `a * point` the moved point`.
        /// [`Placement`](crate::group::Placement) has the rotation and the position.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $group<S: Scalar = f64> {
            /// The rotation R, body to space.
            pub rotation: $rotation<S>,
            /// The position x of the body's origin in space.
            pub translation: Vector3<S>,
        }

        impl<S: Scalar> $group<S> {
            /// Returns the pose with this rotation and position.
            #[cfg_attr(not(debug_assertions), inline(always))]
            pub fn new(rotation: $rotation<S>, translation: Vector3<S>) -> Self {
                Self { rotation, translation }
            }
            /// The identity.
            #[inline]
            pub fn identity() -> Self {
                Self { rotation: $rotation::identity(), translation: zeros() }
            }
            /// The inverse (R⁻¹, −x).
            #[inline]
            #[doc(hidden)]
            pub fn inverse(&self) -> Self {
                Self { rotation: self.rotation.inverse(), translation: -self.translation }
            }
            /// (exp Ω, U).
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[doc(hidden)]
            pub fn exp(theta: &Vector6<S>) -> Self {
                let (omega, translation) = split(theta);
                Self { rotation: $rotation::exp(&omega), translation }
            }
            /// (log R, x), rotation angles in [0, π].
            #[inline]
            #[doc(hidden)]
            pub fn log(&self) -> Vector6<S> {
                join(&self.rotation.log(), &self.translation)
            }
            /// Returns the position R p + x of the body-fixed point p. This is not a group action: (g h) p differs from g (h p).
            #[inline]
            #[doc(hidden)]
            pub fn transform(&self, point: &Vector3<S>) -> Vector3<S> {
                self.rotation.rotate(point) + self.translation
            }
        }

        composition!($group);
        moves!($group on Vector3 by transform);

        impl<S: Scalar> LieGroup for $group<S> {
            type Scalar = S;
            type Tangent = Vector6<S>;

            #[inline]
            fn dimension(&self) -> usize {
                6
            }
            #[inline]
            fn identity_like(&self) -> Self {
                Self::identity()
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn compose(&self, other: &Self) -> Self {
                Self {
                    rotation: self.rotation.compose(&other.rotation),
                    translation: self.translation + other.translation,
                }
            }
            #[inline]
            fn inverse(&self) -> Self {
                $group::inverse(self)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn exp(theta: &Vector6<S>) -> Self {
                $group::exp(theta)
            }
            #[inline]
            fn log(&self) -> Vector6<S> {
                $group::log(self)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn tangent(theta: &Vector6<S>, v: &Vector6<S>) -> Vector6<S> {
                on_rotations(HatPolynomial::tangent, theta, v)
            }
            #[inline]
            fn tangent_transpose(theta: &Vector6<S>, p: &Vector6<S>) -> Vector6<S> {
                on_rotations(|omega| HatPolynomial::tangent(omega).transpose(), theta, p)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn tangent_inverse(theta: &Vector6<S>, v: &Vector6<S>) -> Vector6<S> {
                on_rotations(HatPolynomial::tangent_inverse, theta, v)
            }
            #[inline]
            fn tangent_inverse_transpose(theta: &Vector6<S>, p: &Vector6<S>) -> Vector6<S> {
                on_rotations(|omega| HatPolynomial::tangent_inverse(omega).transpose(), theta, p)
            }
            /// (R Ω, U).
            #[inline]
            fn adjoint(&self, v: &Vector6<S>) -> Vector6<S> {
                let (omega, u) = split(v);
                join(&self.rotation.rotate(&omega), &u)
            }
            #[inline]
            fn adjoint_transpose(&self, p: &Vector6<S>) -> Vector6<S> {
                let (moment, force) = split(p);
                join(&self.rotation.inverse().rotate(&moment), &force)
            }
            #[inline]
            fn bracket(v: &Vector6<S>, w: &Vector6<S>) -> Vector6<S> {
                join(&cross(&split(v).0, &split(w).0), &zeros())
            }
            #[inline]
            fn coadjoint(v: &Vector6<S>, p: &Vector6<S>) -> Vector6<S> {
                join(&cross(&split(p).0, &split(v).0), &zeros())
            }
            #[inline]
            fn is_finite(&self) -> bool {
                LieGroup::is_finite(&self.rotation) && TangentVector::all_finite(&self.translation)
            }
            fn membership_defect(&self) -> f64 {
                self.rotation.membership_defect()
            }
            #[inline]
            fn renormalize(&mut self) {
                self.rotation.renormalize();
            }
        }

        impl<S: Scalar> Placement for $group<S> {
            type Rotation = $rotation<S>;
            type Point = Vector3<S>;
            type Angular = Vector3<S>;

            #[inline]
            fn rotation(&self) -> $rotation<S> {
                self.rotation
            }
            #[inline]
            fn position(&self) -> Vector3<S> {
                self.translation
            }
            /// x' + R (Ω × p).
            #[inline]
            fn point_velocity(&self, velocity: &Vector6<S>, point: &Vector3<S>) -> Vector3<S> {
                let (angular, linear) = split(velocity);
                linear + self.rotation.rotate(&cross(&angular, point))
            }
            #[inline]
            fn body_point_velocity(&self, velocity: &Vector6<S>, point: &Vector3<S>) -> Vector3<S> {
                let (angular, linear) = split(velocity);
                self.rotation.inverse().rotate(&linear) + cross(&angular, point)
            }
            #[inline]
            fn twist(&self, angular: &Vector3<S>, linear: &Vector3<S>) -> Vector6<S> {
                join(angular, linear)
            }
        }
    };
}

/// An operator of so(3) on the angular part.
#[inline]
fn on_rotations<S: Scalar>(
    operator: impl Fn(&Vector3<S>) -> HatPolynomial<S>,
    theta: &Vector6<S>,
    v: &Vector6<S>,
) -> Vector6<S> {
    let ((omega, _), (angular, linear)) = (split(theta), split(v));
    join(&operator(&omega).apply(&omega, &angular), &linear)
}

direct_product! {
    /// A rotation matrix R and a position x; velocities (Ω, x') with body-fixed Ω and spatial x'.
    SO3xR3 over SO3
}

direct_product! {
    /// A unit quaternion and a position x; velocities (Ω, x') with body-fixed Ω and spatial x'.
    S3xR3 over S3
}
