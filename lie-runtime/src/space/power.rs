//! Powers of spaces: arrays and `Vec`s, moved member by member.

use super::{AlgebraOf, HomogeneousSpace};
use crate::scalar::larger;

/// Implements the trait for slices; `$group` is the power of the group, and `$build` makes a value from a function of the index and the
/// length.
macro_rules! power {
    ([$($parameters:tt)*] $type:ty, $group:ty, $build:path) => {
        impl<P: HomogeneousSpace, $($parameters)*> HomogeneousSpace for $type {
            type Scalar = P::Scalar;
            type Group = $group;

            #[inline]
            fn moved_by(&self, g: &Self::Group) -> Self {
                $build(self.len(), |i| self[i].moved_by(&g[i]))
            }
            fn distance(&self, other: &Self) -> f64 {
                self.iter().zip(other).fold(0.0_f64, |distance, (a, b)| distance.hypot(a.distance(b)))
            }
            fn is_finite(&self) -> bool {
                self.iter().all(P::is_finite)
            }
            fn membership_defect(&self) -> f64 {
                self.iter().fold(0.0, |defect, member| larger(defect, member.membership_defect()))
            }
            fn renormalize(&mut self) {
                self.iter_mut().for_each(P::renormalize);
            }
            #[inline]
            fn moved_along(&self, xi: &AlgebraOf<Self>, out: &mut Self) {
                for ((member, xi), out) in self.iter().zip(xi).zip(out) {
                    member.moved_along(xi, out);
                }
            }
            #[inline]
            fn dexp_inverse(sigma: &AlgebraOf<Self>, v: &AlgebraOf<Self>, out: &mut AlgebraOf<Self>) {
                for ((sigma, v), out) in sigma.iter().zip(v).zip(out) {
                    P::dexp_inverse(sigma, v, out);
                }
            }
            #[inline]
            fn bracket(v: &AlgebraOf<Self>, w: &AlgebraOf<Self>, out: &mut AlgebraOf<Self>) {
                for ((v, w), out) in v.iter().zip(w).zip(out) {
                    P::bracket(v, w, out);
                }
            }
        }
    };
}

#[inline]
fn array<T, const N: usize>(_: usize, member: impl FnMut(usize) -> T) -> [T; N] {
    core::array::from_fn(member)
}

fn vector<T>(length: usize, member: impl FnMut(usize) -> T) -> Vec<T> {
    (0..length).map(member).collect()
}

power!([const N: usize] [P; N], [P::Group; N], array);
power!([] Vec<P>, Vec<P::Group>, vector);
