//! The left action of groups on themselves: q' = ξ~ q with ξ in spatial components.

use nalgebra::SVector;

use super::{HomogeneousSpace, length};
use crate::group::{self, LieGroup, TangentVector, placements};
use crate::scalar::Scalar;

/// The left action of a group on itself; the distance is the length of log(g⁻¹ h).
macro_rules! acts_on_itself {
    ($($group:ident)*) => {
        $(
            impl<S: Scalar> HomogeneousSpace for group::$group<S> {
                type Scalar = S;
                type Group = Self;

                #[inline]
                fn moved_by(&self, g: &Self) -> Self {
                    g.compose(self)
                }
                fn distance(&self, other: &Self) -> f64 {
                    length(&LieGroup::log(&LieGroup::inverse(self).compose(other)))
                }
                fn is_finite(&self) -> bool {
                    LieGroup::is_finite(self)
                }
                fn membership_defect(&self) -> f64 {
                    LieGroup::membership_defect(self)
                }
                fn renormalize(&mut self) {
                    LieGroup::renormalize(self);
                }
            }
        )*
    };
}

acts_on_itself!(SO2 SO3 S3);
placements!(acts_on_itself);

/// The real line.
impl<S: Scalar> HomogeneousSpace for S {
    type Scalar = S;
    type Group = Self;

    #[inline]
    fn moved_by(&self, g: &Self) -> Self {
        *self + *g
    }
    fn distance(&self, other: &Self) -> f64 {
        (*self - *other).value().abs()
    }
    fn is_finite(&self) -> bool {
        Scalar::is_finite(*self)
    }
}

impl<S: Scalar, const N: usize> HomogeneousSpace for SVector<S, N> {
    type Scalar = S;
    type Group = Self;

    #[inline]
    fn moved_by(&self, g: &Self) -> Self {
        self + g
    }
    fn distance(&self, other: &Self) -> f64 {
        length(&(self - other))
    }
    fn is_finite(&self) -> bool {
        self.all_finite()
    }
}
