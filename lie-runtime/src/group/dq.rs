//! Rigid motions of space as unit dual quaternions (eight components, bilinear product).

use nalgebra::{Vector3, Vector6};

use super::operators::{action, composition};
use super::placement::placement_seen_from_body;
use super::se3_algebra::{TwistOperator, bracket, coadjoint, join, se3_algebra, split};
use super::so3_algebra::{HatPolynomial, cross};
use super::{GroupError, LieGroup, S3, to_unit_length};
use crate::scalar::Scalar;
use crate::scalar::singular::stumpff;

/// A unit dual quaternion r + ε d, ε² = 0, |r| = 1 and r · d = 0: the rigid motion x ↦ r x r⁻¹ + t with t = 2 d r⁻¹.
///
/// Body velocities are (Ω, U) with (r + ε d)' = ½ (r + ε d) (Ω + ε U), so that r' = ½ r Ω and t' = R(r) U. The group is
/// isomorphic to [`S3R3`](super::S3R3); r + ε d and −r − ε d are two elements with the same action.
///
/// [`exp`](crate::group::LieGroup::exp), [`log`](crate::group::LieGroup::log) and [`inverse`](crate::group::LieGroup::inverse) are methods
/// of [`LieGroup`](crate::group::LieGroup). `a * b` is the product, `a * point` the moved point`.
/// [`Placement`](crate::group::Placement) has the rotation and the position.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "dual quaternion")]
pub struct DQ<S: Scalar = f64> {
    real: S3<S>,
    dual: [S; 4],
}

/// The scalar and the vector part of a quaternion.
#[inline]
fn parts<S: Scalar>([w, x, y, z]: [S; 4]) -> (S, Vector3<S>) {
    (w, Vector3::new(x, y, z))
}

/// Hamilton's product.
#[inline]
fn product<S: Scalar>(a: [S; 4], b: [S; 4]) -> [S; 4] {
    let ((v, a), (w, b)) = (parts(a), parts(b));
    let vector = b * v + a * w + cross(&a, &b);
    [v * w - a.dot(&b), vector.x, vector.y, vector.z]
}

#[inline]
fn inner<S: Scalar>(a: [S; 4], b: [S; 4]) -> S {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

impl<S: Scalar> DQ<S> {
    /// The motion x ↦ R x + t: d = ½ t r.
    #[inline]
    pub fn new(rotation: S3<S>, translation: Vector3<S>) -> Self {
        let half = translation * S::from_f64(0.5);
        let dual = product([S::zero(), half.x, half.y, half.z], rotation.coordinates());
        Self { real: rotation, dual }
    }

    /// The identity.
    #[inline]
    pub fn identity() -> Self {
        Self { real: S3::identity(), dual: [S::zero(); 4] }
    }

    /// Returns the unit dual quaternion closest to r + ε d, given as [r, d].
    ///
    /// r and d are divided by |r|, and the component of d along r is removed.
    ///
    /// # Errors
    /// [`GroupError::NoDirection`] if r is zero or a number is not finite.
    pub fn from_coordinates(coordinates: [S; 8]) -> Result<Self, GroupError> {
        let [w, x, y, z, dual @ ..] = coordinates;
        let given = [w, x, y, z];
        let real = S3::from_coordinates(given)?;
        // |r| by the unit quaternion in its direction: no square of a large or small value is formed.
        let inverse_length = inner(given, real.coordinates()).recip();
        let scaled = Self { real, dual: dual.map(|entry| entry * inverse_length) }.orthogonal();
        if scaled.is_finite() { Ok(scaled) } else { Err(GroupError::NoDirection) }
    }

    /// Returns the dual quaternion [r, d], which must have unit length.
    #[inline]
    #[doc(hidden)]
    pub fn from_coordinates_unchecked([w, x, y, z, dual @ ..]: [S; 8]) -> Self {
        Self { real: S3::from_coordinates_unchecked([w, x, y, z]), dual }
    }

    /// [r, d], each as [w, x, y, z].
    #[inline]
    pub fn coordinates(&self) -> [S; 8] {
        let ([a, b, c, d], [e, f, g, h]) = (self.real.coordinates(), self.dual);
        [a, b, c, d, e, f, g, h]
    }

    /// r, body to space.
    #[inline]
    #[doc(hidden)]
    pub fn rotation(&self) -> S3<S> {
        self.real
    }

    /// t = 2 d r⁻¹, the position of the body's origin in space.
    #[inline]
    #[doc(hidden)]
    pub fn position(&self) -> Vector3<S> {
        let ((w, r), (dual, d)) = (parts(self.real.coordinates()), parts(self.dual));
        let half = d * w - r * dual + cross(&r, &d);
        half + half
    }

    /// The conjugate r* + ε d*.
    #[inline]
    #[doc(hidden)]
    pub fn inverse(&self) -> Self {
        let [w, x, y, z] = self.dual;
        Self { real: self.real.inverse(), dual: [w, -x, -y, -z] }
    }

    /// Returns exp(½ (Ω + ε U)): the exponential map of the quaternions over the dual numbers.
    ///
    /// It equals c₀(z) + ½ c₁(z) Ω with z = |Ω|²/4; the ε part of z is ½ Ω · U.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    pub fn exp(theta: &Vector6<S>) -> Self {
        let (omega, u) = split(theta);
        let half = S::from_f64(0.5);
        let z = S::from_f64(0.25) * omega.dot(&omega);
        let rate = half * omega.dot(&u);
        let (sine, slope) = (half * stumpff(1, 0, z), half * stumpff(1, 1, z) * rate);
        let (vector, dual) = (omega * sine, u * sine + omega * slope);
        Self {
            real: S3::from_coordinates_unchecked([stumpff(0, 0, z), vector.x, vector.y, vector.z]),
            dual: [stumpff(0, 1, z) * rate, dual.x, dual.y, dual.z],
        }
    }

    /// The inverse of `exp`: (Ω, T(Ω)⁻ᵀ t), rotation angles in [0, π].
    #[inline]
    #[doc(hidden)]
    pub fn log(&self) -> Vector6<S> {
        let omega = self.real.log();
        join(&omega, &HatPolynomial::tangent_inverse(&omega).transpose().apply(&omega, &self.position()))
    }

    /// The point R x + t.
    #[inline]
    #[doc(hidden)]
    pub fn transform(&self, point: &Vector3<S>) -> Vector3<S> {
        self.real.rotate(point) + self.position()
    }

    /// Removes the component of d along r, for |r| = 1.
    #[inline]
    fn orthogonal(self) -> Self {
        let real = self.real.coordinates();
        let along = inner(real, self.dual);
        Self { dual: core::array::from_fn(|i| self.dual[i] - real[i] * along), ..self }
    }
}

composition!(DQ);
action!(DQ on Vector3 by transform);
placement_seen_from_body!(DQ over S3);

impl<S: Scalar> LieGroup for DQ<S> {
    type Scalar = S;
    se3_algebra!();

    #[inline]
    fn identity_like(&self) -> Self {
        Self::identity()
    }
    /// The product, normalised to first order as for [`S3`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn compose(&self, other: &Self) -> Self {
        let (a, b) = (self.real.coordinates(), other.real.coordinates());
        let (first, second) = (product(a, other.dual), product(self.dual, b));
        let real = product(a, b);
        let mut result =
            Self { real: S3::from_coordinates_unchecked(real), dual: core::array::from_fn(|i| first[i] + second[i]) };
        result.renormalize();
        result
    }
    #[inline]
    fn inverse(&self) -> Self {
        DQ::inverse(self)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn exp(theta: &Vector6<S>) -> Self {
        DQ::exp(theta)
    }
    #[inline]
    fn log(&self) -> Vector6<S> {
        DQ::log(self)
    }
    #[inline]
    fn is_finite(&self) -> bool {
        S::all_finite(self.coordinates())
    }
    fn membership_defect(&self) -> f64 {
        crate::scalar::larger(self.real.membership_defect(), inner(self.real.coordinates(), self.dual).value().abs())
    }
    #[inline]
    fn renormalize(&mut self) {
        let real = self.real.coordinates();
        let factor = to_unit_length(inner(real, real));
        let scaled = Self {
            real: S3::from_coordinates_unchecked(real.map(|entry| entry * factor)),
            dual: self.dual.map(|entry| entry * factor),
        };
        *self = scaled.orthogonal();
    }
}
