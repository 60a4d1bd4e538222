//! The left action of groups on themselves: q' = ξ~ q with ξ in spatial components.

use nalgebra::SVector;

use super::HomogeneousSpace;
use crate::group::placements;
use crate::scalar::Scalar;

/// Implements the left action of a group, generic over `S`, on itself; the distance is the length of log(g⁻¹ h).
#[doc(hidden)]
#[macro_export]
macro_rules! __left_multiplication {
    ($group:ty $(, $($parameters:tt)*)?) => {
        impl<S: $crate::scalar::Scalar $(, $($parameters)*)?> $crate::space::HomogeneousSpace for $group {
            type Scalar = S;
            type Group = Self;

            #[inline]
            fn moved_by(&self, g: &Self) -> Self {
                $crate::group::LieGroup::compose(g, self)
            }
            fn distance(&self, other: &Self) -> f64 {
                let back = $crate::group::LieGroup::inverse(self);
                let difference = $crate::group::LieGroup::compose(&back, other);
                let difference = $crate::group::LieGroup::log(&difference);
                let square = $crate::group::TangentVector::dot(&difference, &difference);
                $crate::scalar::Scalar::value(square).sqrt()
            }
            fn is_finite(&self) -> bool {
                $crate::group::LieGroup::is_finite(self)
            }
            fn membership_defect(&self) -> f64 {
                $crate::group::LieGroup::membership_defect(self)
            }
            fn renormalize(&mut self) {
                $crate::group::LieGroup::renormalize(self);
            }
        }
    };
}

/// The groups of the library.
macro_rules! act_on_themselves {
    ($($group:ident)*) => {
        $(__left_multiplication!(crate::group::$group<S>);)*
    };
}

act_on_themselves!(SO2 SO3 S3);
placements!(act_on_themselves);
__left_multiplication!(SVector<S, N>, const N: usize);

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
