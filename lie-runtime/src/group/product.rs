//! Direct products: tuples of groups are groups, tuples of tangent vectors are tangent vectors.

use super::{LieGroup, TangentVector};
use crate::scalar::Scalar;

/// Implements both traits for a tuple of type parameters; components are numbered through all members.
macro_rules! product {
    ($($member:ident $i:tt),*) => {
        impl<S: Scalar, $($member: TangentVector<Scalar = S>),*> TangentVector for ($($member,)*) {
            type Scalar = S;

            #[inline]
            fn component_count(&self) -> usize {
                0 $(+ self.$i.component_count())*
            }
            #[inline]
            fn component(&self, index: usize) -> S {
                let mut index = index;
                $(
                    if index < self.$i.component_count() {
                        return self.$i.component(index);
                    }
                    index -= self.$i.component_count();
                )*
                panic!("component {} past the end of a product", index)
            }
            #[inline]
            fn set_component(&mut self, index: usize, value: S) {
                let mut index = index;
                $(
                    if index < self.$i.component_count() {
                        return self.$i.set_component(index, value);
                    }
                    index -= self.$i.component_count();
                )*
                panic!("component {} past the end of a product", index)
            }
            #[inline]
            fn fill(&mut self, value: S) {
                $(self.$i.fill(value);)*
            }
            #[inline]
            fn assign(&mut self, other: &Self) {
                $(self.$i.assign(&other.$i);)*
            }
            #[inline]
            fn scale(&mut self, factor: S) {
                $(self.$i.scale(factor);)*
            }
            #[inline]
            fn assign_scaled(&mut self, factor: S, other: &Self) {
                $(self.$i.assign_scaled(factor, &other.$i);)*
            }
            #[inline]
            fn assign_sum(&mut self, base: &Self, factor: S, other: &Self) {
                $(self.$i.assign_sum(&base.$i, factor, &other.$i);)*
            }
            #[inline]
            fn axpy(&mut self, factor: S, other: &Self) {
                $(self.$i.axpy(factor, &other.$i);)*
            }
            #[inline]
            fn dot(&self, other: &Self) -> S {
                let mut sum = S::zero();
                $(sum += self.$i.dot(&other.$i);)*
                sum
            }
            #[inline]
            fn lane_norm(&self) -> S {
                let mut norm = S::zero();
                $(norm = crate::scalar::larger(norm, self.$i.lane_norm());)*
                norm
            }
            #[inline]
            fn all_finite(&self) -> bool {
                true $(&& self.$i.all_finite())*
            }
        }

        impl<S: Scalar, $($member: LieGroup<Scalar = S>),*> LieGroup for ($($member,)*) {
            type Scalar = S;
            type Tangent = ($($member::Tangent,)*);

            #[inline]
            fn dimension(&self) -> usize {
                0 $(+ self.$i.dimension())*
            }
            #[inline]
            fn identity_like(&self) -> Self {
                ($(self.$i.identity_like(),)*)
            }
            #[inline]
            fn compose(&self, other: &Self) -> Self {
                ($(self.$i.compose(&other.$i),)*)
            }
            #[inline]
            fn inverse(&self) -> Self {
                ($(self.$i.inverse(),)*)
            }
            #[inline]
            fn exp(theta: &Self::Tangent) -> Self {
                ($($member::exp(&theta.$i),)*)
            }
            #[inline]
            fn log(&self) -> Self::Tangent {
                ($(self.$i.log(),)*)
            }
            #[inline]
            fn compose_exp_into(&self, theta: &Self::Tangent, out: &mut Self) {
                $(self.$i.compose_exp_into(&theta.$i, &mut out.$i);)*
            }
            #[inline]
            fn tangent(theta: &Self::Tangent, v: &Self::Tangent) -> Self::Tangent {
                ($($member::tangent(&theta.$i, &v.$i),)*)
            }
            #[inline]
            fn tangent_transpose(theta: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent {
                ($($member::tangent_transpose(&theta.$i, &p.$i),)*)
            }
            #[inline]
            fn tangent_inverse(theta: &Self::Tangent, v: &Self::Tangent) -> Self::Tangent {
                ($($member::tangent_inverse(&theta.$i, &v.$i),)*)
            }
            #[inline]
            fn tangent_inverse_transpose(theta: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent {
                ($($member::tangent_inverse_transpose(&theta.$i, &p.$i),)*)
            }
            #[inline]
            fn adjoint(&self, v: &Self::Tangent) -> Self::Tangent {
                ($(self.$i.adjoint(&v.$i),)*)
            }
            #[inline]
            fn adjoint_transpose(&self, p: &Self::Tangent) -> Self::Tangent {
                ($(self.$i.adjoint_transpose(&p.$i),)*)
            }
            #[inline]
            fn bracket(v: &Self::Tangent, w: &Self::Tangent) -> Self::Tangent {
                ($($member::bracket(&v.$i, &w.$i),)*)
            }
            #[inline]
            fn coadjoint(v: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent {
                ($($member::coadjoint(&v.$i, &p.$i),)*)
            }
            #[inline]
            fn is_finite(&self) -> bool {
                true $(&& self.$i.is_finite())*
            }
            fn membership_defect(&self) -> f64 {
                let mut defect = 0.0;
                $(defect = crate::scalar::larger(defect, self.$i.membership_defect());)*
                defect
            }
            fn renormalize(&mut self) {
                $(self.$i.renormalize();)*
            }
        }
    };
}

product!(A 0, B 1);
product!(A 0, B 1, C 2);
