//! The parts of a twist by name.

use nalgebra::{Vector2, Vector3, Vector6};

use crate::scalar::Scalar;

/// The angular and the linear part of a twist, an element of se(3) or se(2).
pub trait TwistParts {
    /// A vector in space, a scalar in the plane.
    type Angular;
    /// A vector.
    type Linear;

    /// The angular part, which comes first.
    fn angular(&self) -> Self::Angular;
    /// The linear part.
    fn linear(&self) -> Self::Linear;
}

impl<S: Scalar> TwistParts for Vector6<S> {
    type Angular = Vector3<S>;
    type Linear = Vector3<S>;

    #[inline]
    fn angular(&self) -> Vector3<S> {
        Vector3::new(self[0], self[1], self[2])
    }
    #[inline]
    fn linear(&self) -> Vector3<S> {
        Vector3::new(self[3], self[4], self[5])
    }
}

impl<S: Scalar> TwistParts for Vector3<S> {
    type Angular = S;
    type Linear = Vector2<S>;

    #[inline]
    fn angular(&self) -> S {
        self.x
    }
    #[inline]
    fn linear(&self) -> Vector2<S> {
        Vector2::new(self.y, self.z)
    }
}
