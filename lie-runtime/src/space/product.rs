//! Products and powers of spaces: tuples, arrays and `Vec`s of points.

use core::ops::BitAnd;

use super::{AlgebraOf, CayleyMap, HomogeneousSpace};
use crate::group::by_members;
use crate::scalar::larger;

by_members! { HomogeneousSpace [Scalar; Group] {
    fn moved_by(&self, g: &Self::Group) -> Self = product(&self, &g);
    fn distance(&self, other: &Self) -> f64 = fold(&self, &other)[0.0, f64::hypot];
    fn is_finite(&self) -> bool = fold(&self)[true, BitAnd::bitand];
    fn membership_defect(&self) -> f64 = fold(&self)[0.0, larger];
    fn renormalize(&mut self) = each(&mut self);
    fn moved_along(&self, xi: &AlgebraOf<Self>, out: &mut Self) = each(&self, &xi, &mut out);
    fn dexp_inverse(sigma: &AlgebraOf<Self>, v: &AlgebraOf<Self>, out: &mut AlgebraOf<Self>) = each(&sigma, &v, &mut out);
    fn bracket(v: &AlgebraOf<Self>, w: &AlgebraOf<Self>, out: &mut AlgebraOf<Self>) = each(&v, &w, &mut out);
} }

by_members! { CayleyMap [;] {
    fn cayley(xi: &Self::Tangent) -> Self = product(&xi);
    fn cayley_rate(sigma: &Self::Tangent, v: &Self::Tangent) -> Self::Tangent = product(&sigma, &v);
} }
