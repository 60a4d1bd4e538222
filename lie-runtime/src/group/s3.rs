//! S³: unit quaternions, body to space.

use nalgebra::{Matrix3, Vector3};

use super::operators::{action, composition};
use super::so3_algebra::{HatPolynomial, cross, so3_algebra};
use super::{GroupError, LieGroup, SO3, direction, to_unit_length};
use crate::scalar::Scalar;
use crate::scalar::fused::{dot, plus_scaled};
use crate::scalar::singular::{arctangent, stumpff};

/// A unit quaternion p = w + x i + y j + z k (Hamilton's product), body to space: p' = ½ p Ω.
///
/// p and −p are two elements with the same rotation.
///
/// [`exp`](crate::group::LieGroup::exp), [`log`](crate::group::LieGroup::log) and [`inverse`](crate::group::LieGroup::inverse) are methods
/// of [`LieGroup`](crate::group::LieGroup). `a * b` is the product, `a * vector` the rotated vector`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "quaternion")]
#[doc(alias = "unit quaternion")]
pub struct S3<S: Scalar = f64> {
    w: S,
    vector: Vector3<S>,
}

impl<S: Scalar> S3<S> {
    /// The identity.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn identity() -> Self {
        Self { w: S::one(), vector: Vector3::from_element(S::zero()) }
    }

    /// The unit quaternion in the direction of [w, x, y, z].
    ///
    /// # Errors
    /// [`GroupError::NoDirection`] if all are zero or one is not finite.
    pub fn from_coordinates(coordinates: [S; 4]) -> Result<Self, GroupError> {
        direction(coordinates).map(Self::from_coordinates_unchecked)
    }

    /// Returns the quaternion [w, x, y, z], which must have length 1.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    pub fn from_coordinates_unchecked([w, x, y, z]: [S; 4]) -> Self {
        Self { w, vector: Vector3::new(x, y, z) }
    }

    /// Returns the unit quaternion with w ≥ 0 of a rotation matrix.
    ///
    /// # Errors
    /// [`GroupError::NotOrthogonal`] and [`GroupError::Reflection`], as [`SO3::from_matrix`].
    pub fn from_rotation_matrix(matrix: &Matrix3<S>) -> Result<Self, GroupError> {
        SO3::from_matrix(*matrix).map(|rotation| Self::of_rotation(&rotation))
    }

    /// Returns the unit quaternion with w ≥ 0 of a rotation.
    ///
    /// The products 4 p_i p_j are sums of entries of R. The column with the largest diagonal entry is used, so that no cancellation occurs
    /// at any angle.
    #[inline]
    #[doc(hidden)]
    pub fn of_rotation(rotation: &SO3<S>) -> Self {
        let m = rotation.matrix();
        let one = S::one();
        let (wx, wy, wz) = (m.m32 - m.m23, m.m13 - m.m31, m.m21 - m.m12);
        let (xy, xz, yz) = (m.m21 + m.m12, m.m13 + m.m31, m.m32 + m.m23);
        let by_w = [one + m.m11 + m.m22 + m.m33, wx, wy, wz];
        let by_x = [wx, one + m.m11 - m.m22 - m.m33, xy, xz];
        let by_y = [wy, xy, one - m.m11 + m.m22 - m.m33, yz];
        let by_z = [wz, xz, yz, one - m.m11 - m.m22 + m.m33];
        let larger = |(a, size_a): ([S; 4], S), (b, size_b): ([S; 4], S)| {
            let mask = size_a.lt(size_b);
            let pick = |i: usize| S::select(mask, b[i], a[i]);
            ([pick(0), pick(1), pick(2), pick(3)], S::select(mask, size_b, size_a))
        };
        let (column, _) = larger(larger((by_w, by_w[0]), (by_x, by_x[1])), larger((by_y, by_y[2]), (by_z, by_z[3])));
        Self::from_coordinates_unchecked(column).normalized().upper()
    }

    /// [w, x, y, z].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn coordinates(&self) -> [S; 4] {
        [self.w, self.vector.x, self.vector.y, self.vector.z]
    }

    /// The rotation matrix.
    #[inline]
    pub fn rotation_matrix(&self) -> Matrix3<S> {
        let [w, x, y, z] = self.coordinates();
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, xz, yz) = (x * y2, x * z2, y * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        let one = S::one();
        Matrix3::new(
            one - (yy + zz),
            xy - wz,
            xz + wy,
            xy + wz,
            one - (xx + zz),
            yz - wx,
            xz - wy,
            yz + wx,
            one - (xx + yy),
        )
    }

    /// The quaternion scaled to length 1; round-off accumulates in long products.
    #[inline]
    #[doc(hidden)]
    pub fn normalized(&self) -> Self {
        let factor = self.norm().recip();
        Self { w: self.w * factor, vector: self.vector * factor }
    }

    /// The conjugate.
    #[inline]
    #[doc(hidden)]
    pub fn inverse(&self) -> Self {
        Self { w: self.w, vector: -self.vector }
    }

    /// (cos(|Ω|/2), Ω/|Ω| sin(|Ω|/2)) (paper 1, eq. 17).
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    pub fn exp(theta: &Vector3<S>) -> Self {
        let quarter = S::from_f64(0.25) * dot(theta, theta);
        Self { w: stumpff(0, 0, quarter), vector: theta * (S::from_f64(0.5) * stumpff(1, 0, quarter)) }
    }

    /// Returns exp and T; in terms of the half angle, c₂ = 2 (sin(|Ω|/2) / |Ω|)².
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn exp_and_tangent(theta: &Vector3<S>) -> (Self, HatPolynomial<S>) {
        let z = dot(theta, theta);
        let quarter = S::from_f64(0.25) * z;
        let half_sine = S::from_f64(0.5) * stumpff(1, 0, quarter);
        let rotation = Self { w: stumpff(0, 0, quarter), vector: theta * half_sine };
        let second = half_sine * half_sine;
        (rotation, HatPolynomial { first: -(second + second), second: stumpff(3, 0, z) })
    }

    /// The rotation vector, of length in [0, π]; p and −p have the same rotation vector.
    ///
    /// The formula tan(|θ|/4) = |v| / (|p| + w) in [0, 1] has no singularity, neither at 0 nor at π.
    #[inline]
    #[doc(hidden)]
    pub fn log(&self) -> Vector3<S> {
        let Self { w, vector } = self.upper();
        let denominator = (self.norm() + w).recip();
        let square = vector.dot(&vector) * denominator * denominator;
        vector * (S::from_f64(4.0) * arctangent(0, square) * denominator)
    }

    /// p x p⁻¹.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    pub fn rotate(&self, vector: &Vector3<S>) -> Vector3<S> {
        let half = cross(&self.vector, vector);
        let once = half + half;
        plus_scaled(vector, self.w, &once) + cross(&self.vector, &once)
    }

    #[inline]
    fn norm(&self) -> S {
        (self.w * self.w + self.vector.dot(&self.vector)).sqrt()
    }

    /// Returns p or −p, whichever has w ≥ 0.
    #[inline]
    fn upper(&self) -> Self {
        let sign = self.w.signum();
        Self { w: self.w * sign, vector: self.vector * sign }
    }
}

composition!(S3);
action!(S3 on Vector3 by rotate);

impl<S: Scalar> LieGroup for S3<S> {
    type Scalar = S;
    so3_algebra!();

    #[inline]
    fn identity_like(&self) -> Self {
        Self::identity()
    }
    /// The product, normalised to first order.
    ///
    /// Otherwise the round-off of equal steps of a steady rotation would accumulate: |p| would grow linearly, and a position constraint
    /// would drift quadratically.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn compose(&self, other: &Self) -> Self {
        let w = self.w * other.w - dot(&self.vector, &other.vector);
        let linear = plus_scaled(&(other.vector * self.w), other.w, &self.vector);
        let vector = linear + cross(&self.vector, &other.vector);
        let correction = to_unit_length(S::mul_add(w, w, dot(&vector, &vector)));
        Self { w: w * correction, vector: vector * correction }
    }
    #[inline]
    fn inverse(&self) -> Self {
        S3::inverse(self)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn exp(theta: &Vector3<S>) -> Self {
        S3::exp(theta)
    }
    #[inline]
    fn log(&self) -> Vector3<S> {
        S3::log(self)
    }
    #[inline]
    fn adjoint(&self, v: &Vector3<S>) -> Vector3<S> {
        self.rotate(v)
    }
    #[inline]
    fn adjoint_transpose(&self, p: &Vector3<S>) -> Vector3<S> {
        S3::inverse(self).rotate(p)
    }
    #[inline]
    fn is_finite(&self) -> bool {
        S::all_finite(self.coordinates())
    }
    fn membership_defect(&self) -> f64 {
        (self.norm().value() - 1.0).abs()
    }
    #[inline]
    fn renormalize(&mut self) {
        let factor = to_unit_length(self.w * self.w + self.vector.dot(&self.vector));
        *self = Self { w: self.w * factor, vector: self.vector * factor };
    }
}
