//! Products of spaces: tuples, moved member by member.

use super::HomogeneousSpace;
use crate::group::LieGroup;
use crate::scalar::{Scalar, larger};

/// Implements the trait for a tuple of type parameters.
macro_rules! product {
    ($($member:ident $i:tt),*) => {
        impl<S: Scalar, $($member: HomogeneousSpace<Scalar = S>),*> HomogeneousSpace for ($($member,)*) {
            type Scalar = S;
            type Group = ($($member::Group,)*);

            #[inline]
            fn moved_by(&self, g: &Self::Group) -> Self {
                ($(self.$i.moved_by(&g.$i),)*)
            }
            fn distance(&self, other: &Self) -> f64 {
                let mut distance = 0.0_f64;
                $(distance = distance.hypot(self.$i.distance(&other.$i));)*
                distance
            }
            fn is_finite(&self) -> bool {
                true $(&& self.$i.is_finite())*
            }
            fn membership_defect(&self) -> f64 {
                let mut defect = 0.0;
                $(defect = larger(defect, self.$i.membership_defect());)*
                defect
            }
            fn renormalize(&mut self) {
                $(self.$i.renormalize();)*
            }
            #[inline]
            fn moved_along(&self, xi: &<Self::Group as LieGroup>::Tangent, out: &mut Self) {
                $(self.$i.moved_along(&xi.$i, &mut out.$i);)*
            }
            #[inline]
            fn dexp_inverse(
                sigma: &<Self::Group as LieGroup>::Tangent,
                v: &<Self::Group as LieGroup>::Tangent,
                out: &mut <Self::Group as LieGroup>::Tangent,
            ) {
                $($member::dexp_inverse(&sigma.$i, &v.$i, &mut out.$i);)*
            }
            #[inline]
            fn bracket(
                v: &<Self::Group as LieGroup>::Tangent,
                w: &<Self::Group as LieGroup>::Tangent,
                out: &mut <Self::Group as LieGroup>::Tangent,
            ) {
                $($member::bracket(&v.$i, &w.$i, &mut out.$i);)*
            }
        }
    };
}

product!(A 0, B 1);
product!(A 0, B 1, C 2);
