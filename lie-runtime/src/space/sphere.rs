//! The unit sphere and its tangent bundle.

use nalgebra::Vector3;

use super::{HomogeneousSpace, length};
use crate::group::{SE3, SO3, TangentVector, cross, direction, to_unit_length};
use crate::scalar::fused::{dot, plus_scaled};
use crate::scalar::{Scalar, larger};

/// A direction q in space, |q| = 1, with the rotations SO(3) acting on it. Its velocity is q' = ω × q.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "unit vector")]
#[doc(alias = "director")]
pub struct S2<S: Scalar = f64> {
    direction: Vector3<S>,
}

impl<S: Scalar> S2<S> {
    /// Returns the direction of `vector`; `None` if all components are zero or one is not finite.
    pub fn new(vector: Vector3<S>) -> Option<Self> {
        let [x, y, z] = direction([vector.x, vector.y, vector.z]).ok()?;
        Some(S2 { direction: Vector3::new(x, y, z) })
    }

    /// Returns the point with this vector, which must have length 1.
    #[inline]
    pub fn new_unchecked(direction: Vector3<S>) -> Self {
        S2 { direction }
    }

    /// The unit vector q.
    #[inline]
    pub fn direction(&self) -> Vector3<S> {
        self.direction
    }
}

impl<S: Scalar> HomogeneousSpace for S2<S> {
    type Scalar = S;
    type Group = SO3<S>;

    #[inline]
    fn moved_by(&self, g: &SO3<S>) -> Self {
        S2 { direction: g.rotate(&self.direction) }
    }
    fn distance(&self, other: &Self) -> f64 {
        length(&(self.direction - other.direction))
    }
    fn is_finite(&self) -> bool {
        self.direction.all_finite()
    }
    fn membership_defect(&self) -> f64 {
        (length(&self.direction) - 1.0).abs()
    }
    fn renormalize(&mut self) {
        self.direction *= to_unit_length(self.direction.dot(&self.direction));
    }
}

/// A direction q with its angular velocity ω in space, ω · q = 0 and q' = ω × q.
///
/// SE(3) acts by (A, a)·(q, ω) = (A q, A ω + a × A q), with the generator (u, v) ↦ (u × q, u × ω + v × q) (paper 3,
/// section 5.1): f = (ω, q × ω') moves (q, ω) along (ω × q, ω'). The action keeps ω · q = 0, to the round-off of
/// one move for any number of moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TS2<S: Scalar = f64> {
    direction: Vector3<S>,
    angular_velocity: Vector3<S>,
}

impl<S: Scalar> TS2<S> {
    /// Returns the direction of `vector` with the component of `angular_velocity` orthogonal to it; `None` if `vector` has no
    /// direction.
    pub fn new(vector: Vector3<S>, angular_velocity: Vector3<S>) -> Option<Self> {
        let direction = S2::new(vector)?.direction();
        let along = direction.dot(&angular_velocity);
        Some(TS2 { direction, angular_velocity: angular_velocity - direction * along })
    }

    /// Returns the point with these components, which must be orthogonal.
    #[inline]
    pub fn new_unchecked(direction: Vector3<S>, angular_velocity: Vector3<S>) -> Self {
        TS2 { direction, angular_velocity }
    }

    /// The unit vector q.
    #[inline]
    pub fn direction(&self) -> Vector3<S> {
        self.direction
    }

    /// ω, in space.
    #[inline]
    pub fn angular_velocity(&self) -> Vector3<S> {
        self.angular_velocity
    }
}

impl<S: Scalar> HomogeneousSpace for TS2<S> {
    type Scalar = S;
    type Group = SE3<S>;

    #[inline]
    fn moved_by(&self, g: &SE3<S>) -> Self {
        let direction = g.rotation.rotate(&self.direction);
        // The component along the direction is round-off, which would accumulate over many steps.
        let turned = g.rotation.rotate(&self.angular_velocity) + cross(&g.translation, &direction);
        let along = dot(&direction, &turned);
        TS2 { direction, angular_velocity: plus_scaled(&turned, -along, &direction) }
    }
    fn distance(&self, other: &Self) -> f64 {
        length(&(self.direction - other.direction)).hypot(length(&(self.angular_velocity - other.angular_velocity)))
    }
    fn is_finite(&self) -> bool {
        self.direction.all_finite() && self.angular_velocity.all_finite()
    }
    /// The defect of the direction, and the component of ω along it relative to |ω|.
    fn membership_defect(&self) -> f64 {
        let along = self.direction.dot(&self.angular_velocity).value().abs();
        let size = length(&self.angular_velocity);
        let tilt = if size > 0.0 { along / size } else { along };
        larger((length(&self.direction) - 1.0).abs(), tilt)
    }
    fn renormalize(&mut self) {
        self.direction *= to_unit_length(self.direction.dot(&self.direction));
        self.angular_velocity -= self.direction * self.direction.dot(&self.angular_velocity);
    }
}
