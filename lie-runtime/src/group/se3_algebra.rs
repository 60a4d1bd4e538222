//! se(3), shared by SE(3) and S³ ⋉ R³. Twists are (Ω, U), the angular part first.
//!
//! se(3) is so(3) over the dual numbers, Ω + ε U: an operator f(Ω) on so(3) becomes f(Ω + ε U), whose ε part is the
//! derivative of f along U. This is the origin of C₁(Ω, U) in eq. 20 of paper 1.

use nalgebra::{Vector3, Vector6};

use super::so3_algebra::{HatPolynomial, cross};
use crate::scalar::Scalar;
use crate::scalar::fused::{dot, plus_scaled};
use crate::scalar::singular::{gamma, stumpff};

/// (Ω, U) of a twist.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn split<S: Scalar>(twist: &Vector6<S>) -> (Vector3<S>, Vector3<S>) {
    (Vector3::new(twist[0], twist[1], twist[2]), Vector3::new(twist[3], twist[4], twist[5]))
}

/// The twist (Ω, U).
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn join<S: Scalar>(angular: &Vector3<S>, linear: &Vector3<S>) -> Vector6<S> {
    Vector6::new(angular.x, angular.y, angular.z, linear.x, linear.y, linear.z)
}

/// I + a Ω~ + b Ω~² and the derivatives of a and b with respect to z = |Ω|²; `None` for a constant a.
#[derive(Clone, Copy)]
pub(super) struct TwistOperator<S> {
    value: HatPolynomial<S>,
    slope: (Option<S>, S),
}

impl<S: Scalar> TwistOperator<S> {
    /// T: a = −c₂, b = c₃.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tangent(omega: &Vector3<S>) -> Self {
        let z = dot(omega, omega);
        Self {
            value: HatPolynomial { first: -stumpff(2, 0, z), second: stumpff(3, 0, z) },
            slope: (Some(-stumpff(2, 1, z)), stumpff(3, 1, z)),
        }
    }

    /// T⁻¹: a = ½, b = γ.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tangent_inverse(omega: &Vector3<S>) -> Self {
        let z = dot(omega, omega);
        Self { value: HatPolynomial { first: S::from_f64(0.5), second: gamma(0, z) }, slope: (None, gamma(1, z)) }
    }

    /// The operator at the twist (Ω, U), applied to the twist (w, u).
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn apply_parts(
        self,
        (omega, u_theta): (&Vector3<S>, &Vector3<S>),
        (w, u): (&Vector3<S>, &Vector3<S>),
    ) -> (Vector3<S>, Vector3<S>) {
        let Self { value, slope: (first_slope, second_slope) } = self;
        // The ε part of z.
        let product = dot(omega, u_theta);
        let z_rate = product + product;
        // b Ω and its ε part: Θ is known before the operand, so that stages wait for the operand only.
        let along = omega * value.second;
        let along_rate = plus_scaled(&(u_theta * value.second), second_slope * z_rate, omega);
        // Ω~ w with its ε part; b Ω and the rate of b Ω give the ε part of b Ω~² w.
        let once = cross(omega, w);
        let once_rate = cross(omega, u) + cross(u_theta, w);
        let angular = plus_scaled(w, value.first, &once) + cross(&along, &once);
        let mut linear = u + cross(&along_rate, &once);
        if let Some(first_slope) = first_slope {
            linear = plus_scaled(&linear, first_slope * z_rate, &once);
        }
        // The operand that is known last is added last.
        linear = plus_scaled(&linear, value.first, &once_rate) + cross(&along, &once_rate);
        (angular, linear)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn apply(self, theta: &Vector6<S>, v: &Vector6<S>) -> Vector6<S> {
        let (omega, u_theta) = split(theta);
        let (w, u) = split(v);
        let (angular, linear) = self.apply_parts((&omega, &u_theta), (&w, &u));
        join(&angular, &linear)
    }

    /// The transpose: Ω~ and U~ are skew, and the block below the diagonal moves above it.
    #[inline]
    pub(super) fn apply_transpose(self, theta: &Vector6<S>, p: &Vector6<S>) -> Vector6<S> {
        let (first, second) = self.slope;
        let transposed = Self { value: self.value.transpose(), slope: (first.map(|first| -first), second) };
        let (omega, u_theta) = split(theta);
        let (p_angular, p_linear) = split(p);
        let (linear, angular) = transposed.apply_parts((&omega, &u_theta), (&p_linear, &p_angular));
        join(&angular, &linear)
    }
}

/// [v, w] = (Ω × w, Ω × u + U × w).
#[inline]
pub(super) fn bracket<S: Scalar>(v: &Vector6<S>, w: &Vector6<S>) -> Vector6<S> {
    let ((omega, u_v), (angular, linear)) = (split(v), split(w));
    join(&cross(&omega, &angular), &(cross(&omega, &linear) + cross(&u_v, &angular)))
}

/// ad_vᵀ p: Kirchhoff's equations.
#[inline]
pub(super) fn coadjoint<S: Scalar>(v: &Vector6<S>, p: &Vector6<S>) -> Vector6<S> {
    let ((omega, u_v), (moment, force)) = (split(v), split(p));
    join(&(cross(&moment, &omega) + cross(&force, &u_v)), &cross(&force, &omega))
}

/// The items of `LieGroup` that follow from rotation, position and algebra.
macro_rules! se3_algebra {
    () => {
        type Tangent = Vector6<S>;

        #[inline]
        fn dimension(&self) -> usize {
            6
        }
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn tangent(theta: &Vector6<S>, v: &Vector6<S>) -> Vector6<S> {
            TwistOperator::tangent(&split(theta).0).apply(theta, v)
        }
        #[inline]
        fn tangent_transpose(theta: &Vector6<S>, p: &Vector6<S>) -> Vector6<S> {
            TwistOperator::tangent(&split(theta).0).apply_transpose(theta, p)
        }
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn tangent_inverse(theta: &Vector6<S>, v: &Vector6<S>) -> Vector6<S> {
            TwistOperator::tangent_inverse(&split(theta).0).apply(theta, v)
        }
        #[inline]
        fn tangent_inverse_transpose(theta: &Vector6<S>, p: &Vector6<S>) -> Vector6<S> {
            TwistOperator::tangent_inverse(&split(theta).0).apply_transpose(theta, p)
        }
        /// (R Ω, R U + t × R Ω).
        #[inline]
        fn adjoint(&self, v: &Vector6<S>) -> Vector6<S> {
            let (omega, u) = split(v);
            let angular = self.rotation().rotate(&omega);
            join(&angular, &(self.rotation().rotate(&u) + cross(&self.position(), &angular)))
        }
        #[inline]
        fn adjoint_transpose(&self, p: &Vector6<S>) -> Vector6<S> {
            let (moment, force) = split(p);
            let back = self.rotation().inverse();
            let about_origin = moment - cross(&self.position(), &force);
            join(&back.rotate(&about_origin), &back.rotate(&force))
        }
        #[inline]
        fn bracket(v: &Vector6<S>, w: &Vector6<S>) -> Vector6<S> {
            bracket(v, w)
        }
        #[inline]
        fn coadjoint(v: &Vector6<S>, p: &Vector6<S>) -> Vector6<S> {
            coadjoint(v, p)
        }
    };
}

/// A group of rigid motions over a group of rotations: type, inherent functions, `LieGroup`.
macro_rules! rigid_motions {
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
            /// The motion x ↦ R x + t.
            #[cfg_attr(not(debug_assertions), inline(always))]
            pub fn new(rotation: $rotation<S>, translation: Vector3<S>) -> Self {
                Self { rotation, translation }
            }
            /// The identity.
            #[inline]
            pub fn identity() -> Self {
                Self { rotation: $rotation::identity(), translation: $crate::scalar::zeros() }
            }
            /// R, body to space.
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[doc(hidden)]
            pub fn rotation(&self) -> $rotation<S> {
                self.rotation
            }
            /// The position of the body's origin in space.
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[doc(hidden)]
            pub fn position(&self) -> Vector3<S> {
                self.translation
            }
            /// The inverse (Rᵀ, −Rᵀ t).
            #[inline]
            #[doc(hidden)]
            pub fn inverse(&self) -> Self {
                let rotation = self.rotation.inverse();
                Self { rotation, translation: -rotation.rotate(&self.translation) }
            }
            /// (exp Ω, T(Ω)ᵀ U) (paper 1, eq. 18).
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[doc(hidden)]
            pub fn exp(theta: &Vector6<S>) -> Self {
                let (omega, u) = split(theta);
                let (rotation, tangent) = $rotation::exp_and_tangent(&omega);
                Self { rotation, translation: tangent.transpose().apply(&omega, &u) }
            }
            /// The inverse of `exp`: (Ω, T(Ω)⁻ᵀ t), rotation angles in [0, π].
            #[inline]
            #[doc(hidden)]
            pub fn log(&self) -> Vector6<S> {
                let omega = self.rotation.log();
                join(&omega, &HatPolynomial::tangent_inverse(&omega).transpose().apply(&omega, &self.translation))
            }
            /// The point R x + t.
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[doc(hidden)]
            pub fn transform(&self, point: &Vector3<S>) -> Vector3<S> {
                self.rotation.rotate(point) + self.translation
            }
        }

        composition!($group);
        action!($group on Vector3 by transform);
        placement_seen_from_body!($group over $rotation);

        impl<S: Scalar> LieGroup for $group<S> {
            type Scalar = S;
            se3_algebra!();

            #[inline]
            fn identity_like(&self) -> Self {
                Self::identity()
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn compose(&self, other: &Self) -> Self {
                Self {
                    rotation: self.rotation.compose(&other.rotation),
                    translation: self.transform(&other.translation),
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
    };
}

pub(super) use {rigid_motions, se3_algebra};
