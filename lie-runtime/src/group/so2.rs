//! SO(2): rotations of the plane.

use nalgebra::{Matrix2, Vector1, Vector2};

use super::operators::{action, composition};
use super::{GroupError, LieGroup, R1, direction, to_unit_length};
use crate::scalar::Scalar;

/// A rotation of the plane, body to space, stored as the cosine and sine of its angle.
///
/// [`exp`](crate::group::LieGroup::exp), [`log`](crate::group::LieGroup::log) and [`inverse`](crate::group::LieGroup::inverse) are methods
/// of [`LieGroup`](crate::group::LieGroup). `a * b` is the product, `a * vector` the rotated vector`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "revolute joint")]
#[doc(alias = "hinge")]
#[doc(alias = "planar rotation")]
pub struct SO2<S: Scalar = f64> {
    cosine: S,
    sine: S,
}

impl<S: Scalar> SO2<S> {
    /// The identity.
    #[inline]
    pub fn identity() -> Self {
        Self { cosine: S::one(), sine: S::zero() }
    }
    /// The rotation by an angle, anticlockwise.
    #[inline]
    pub fn from_angle(angle: S) -> Self {
        let (sine, cosine) = angle.sin_cos();
        Self { cosine, sine }
    }
    /// The rotation by the angle of the point (x, y), its cosine and sine in the direction of [x, y].
    ///
    /// # Errors
    /// [`GroupError::NoDirection`] if both are zero or one is not finite.
    pub fn from_coordinates(coordinates: [S; 2]) -> Result<Self, GroupError> {
        let [cosine, sine] = direction(coordinates)?;
        Ok(Self { cosine, sine })
    }
    /// Returns the rotation with this cosine and sine, which must belong to one angle.
    #[inline]
    #[doc(hidden)]
    pub fn from_coordinates_unchecked([cosine, sine]: [S; 2]) -> Self {
        Self { cosine, sine }
    }
    /// [cosine, sine].
    #[inline]
    pub fn coordinates(&self) -> [S; 2] {
        [self.cosine, self.sine]
    }
    /// The angle, in (−π, π].
    #[inline]
    pub fn angle(&self) -> S {
        self.sine.atan2(self.cosine)
    }
    /// The matrix, body to space.
    #[inline]
    pub fn matrix(&self) -> Matrix2<S> {
        Matrix2::new(self.cosine, -self.sine, self.sine, self.cosine)
    }
    /// The matrix; the same name as for the rotations of space.
    #[inline]
    #[doc(hidden)]
    pub fn rotation_matrix(&self) -> Matrix2<S> {
        self.matrix()
    }
    /// The inverse.
    #[inline]
    #[doc(hidden)]
    pub fn inverse(&self) -> Self {
        Self { cosine: self.cosine, sine: -self.sine }
    }
    /// The rotation by the angle `theta`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    pub fn exp(theta: &R1<S>) -> Self {
        Self::from_angle(theta.x)
    }
    /// The angle, in (−π, π].
    #[inline]
    #[doc(hidden)]
    pub fn log(&self) -> R1<S> {
        Vector1::new(self.angle())
    }
    /// R x.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    pub fn rotate(&self, vector: &Vector2<S>) -> Vector2<S> {
        Vector2::new(self.cosine * vector.x - self.sine * vector.y, self.sine * vector.x + self.cosine * vector.y)
    }
}

composition!(SO2);
action!(SO2 on Vector2 by rotate);

/// A commutative group: T, Ad are the identity, ad vanishes.
impl<S: Scalar> LieGroup for SO2<S> {
    type Scalar = S;
    type Tangent = R1<S>;

    #[inline]
    fn dimension(&self) -> usize {
        1
    }
    #[inline]
    fn identity_like(&self) -> Self {
        Self::identity()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn compose(&self, other: &Self) -> Self {
        Self {
            cosine: self.cosine * other.cosine - self.sine * other.sine,
            sine: self.sine * other.cosine + self.cosine * other.sine,
        }
    }
    #[inline]
    fn inverse(&self) -> Self {
        SO2::inverse(self)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn exp(theta: &R1<S>) -> Self {
        SO2::exp(theta)
    }
    #[inline]
    fn log(&self) -> R1<S> {
        SO2::log(self)
    }
    super::rn::commutative_algebra!(R1<S>, S);
    #[inline]
    fn is_finite(&self) -> bool {
        self.cosine.is_finite() && self.sine.is_finite()
    }
    fn membership_defect(&self) -> f64 {
        (self.cosine.hypot(self.sine).value() - 1.0).abs()
    }
    #[inline]
    fn renormalize(&mut self) {
        let factor = to_unit_length(self.cosine * self.cosine + self.sine * self.sine);
        (self.cosine, self.sine) = (self.cosine * factor, self.sine * factor);
    }
}
