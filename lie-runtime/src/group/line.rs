//! The real line: scalars under addition, so that a joint coordinate is an `f64`.

use nalgebra::SVector;

use super::LieGroup;
use super::rn::commutative_algebra;
use crate::scalar::Scalar;

impl<S: Scalar> LieGroup for S {
    type Scalar = S;
    type Tangent = SVector<S, 1>;

    #[inline]
    fn dimension(&self) -> usize {
        1
    }
    #[inline]
    fn identity_like(&self) -> S {
        S::zero()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn compose(&self, other: &S) -> S {
        *self + *other
    }
    #[inline]
    fn inverse(&self) -> S {
        -*self
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn exp(theta: &SVector<S, 1>) -> S {
        theta[0]
    }
    #[inline]
    fn log(&self) -> SVector<S, 1> {
        SVector::from_element(*self)
    }
    commutative_algebra!(SVector<S, 1>, S);
    #[inline]
    fn is_finite(&self) -> bool {
        Scalar::is_finite(*self)
    }
}
