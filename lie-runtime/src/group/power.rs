//! Powers: arrays and `Vec`s of groups are groups; arrays and `Vec`s of tangent vectors are tangent vectors.

use num_traits::Zero;

use super::{LieGroup, TangentVector};

/// The member and the index within it of component `index`; the members may differ in dimension.
fn locate<V: TangentVector>(members: &[V], index: usize) -> (usize, usize) {
    let mut index = index;
    for (position, member) in members.iter().enumerate() {
        if index < member.component_count() {
            return (position, index);
        }
        index -= member.component_count();
    }
    panic!("component {index} past the end of a power")
}

/// Implements `TangentVector` for slices.
macro_rules! tangent_power {
    ([$($parameters:tt)*] $type:ty) => {
        impl<V: TangentVector, $($parameters)*> TangentVector for $type {
            type Scalar = V::Scalar;

            #[inline]
            fn component_count(&self) -> usize {
                self.iter().map(V::component_count).sum()
            }
            #[inline]
            fn component(&self, index: usize) -> V::Scalar {
                let (member, index) = locate(self, index);
                self[member].component(index)
            }
            #[inline]
            fn set_component(&mut self, index: usize, value: V::Scalar) {
                let (member, index) = locate(self, index);
                self[member].set_component(index, value);
            }
            #[inline]
            fn fill(&mut self, value: V::Scalar) {
                for member in self.iter_mut() {
                    member.fill(value);
                }
            }
            #[inline]
            fn assign(&mut self, other: &Self) {
                debug_assert_eq!(self.len(), other.len(), "chains of different length");
                for (member, other) in self.iter_mut().zip(other) {
                    member.assign(other);
                }
            }
            #[inline]
            fn scale(&mut self, factor: V::Scalar) {
                for member in self.iter_mut() {
                    member.scale(factor);
                }
            }
            #[inline]
            fn axpy(&mut self, factor: V::Scalar, other: &Self) {
                debug_assert_eq!(self.len(), other.len(), "chains of different length");
                for (member, other) in self.iter_mut().zip(other) {
                    member.axpy(factor, other);
                }
            }
            #[inline]
            fn assign_sum(&mut self, base: &Self, factor: V::Scalar, other: &Self) {
                for (member, (base, other)) in self.iter_mut().zip(base.iter().zip(other)) {
                    member.assign_sum(base, factor, other);
                }
            }
            #[inline]
            fn set_combination<'a>(&mut self, terms: impl Iterator<Item = (V::Scalar, &'a Self)> + Clone)
            where
                Self: 'a,
            {
                for (index, member) in self.iter_mut().enumerate() {
                    member.set_combination(terms.clone().map(|(factor, term)| (factor, &term[index])));
                }
            }
            #[inline]
            fn dot(&self, other: &Self) -> V::Scalar {
                debug_assert_eq!(self.len(), other.len(), "chains of different length");
                self.iter().zip(other).fold(V::Scalar::zero(), |sum, (a, b)| sum + a.dot(b))
            }
            #[inline]
            fn lane_norm(&self) -> V::Scalar {
                self.iter().fold(V::Scalar::zero(), |norm, member| crate::scalar::larger(norm, member.lane_norm()))
            }
            #[inline]
            fn all_finite(&self) -> bool {
                self.iter().all(V::all_finite)
            }
        }
    };
}

tangent_power!([const N: usize] [V; N]);
tangent_power!([] Vec<V>);

/// Implements `LieGroup` for slices, member by member; `$build` makes the value from a function of the index and the length.
macro_rules! group_power {
    ([$($parameters:tt)*] $type:ty, $tangent:ty, $build:path) => {
        impl<G: LieGroup, $($parameters)*> LieGroup for $type {
            type Scalar = G::Scalar;
            type Tangent = $tangent;

            #[inline]
            fn dimension(&self) -> usize {
                self.iter().map(G::dimension).sum()
            }
            #[inline]
            fn identity_like(&self) -> Self {
                $build(self.len(), |i| self[i].identity_like())
            }
            #[inline]
            fn compose(&self, other: &Self) -> Self {
                $build(self.len(), |i| self[i].compose(&other[i]))
            }
            #[inline]
            fn inverse(&self) -> Self {
                $build(self.len(), |i| self[i].inverse())
            }
            #[inline]
            fn exp(theta: &Self::Tangent) -> Self {
                $build(theta.len(), |i| G::exp(&theta[i]))
            }
            #[inline]
            fn log(&self) -> Self::Tangent {
                $build(self.len(), |i| self[i].log())
            }
            #[inline]
            fn compose_exp_into(&self, theta: &Self::Tangent, out: &mut Self) {
                for ((member, theta), out) in self.iter().zip(theta).zip(out) {
                    member.compose_exp_into(theta, out);
                }
            }
            #[inline]
            fn tangent(theta: &Self::Tangent, v: &Self::Tangent) -> Self::Tangent {
                $build(v.len(), |i| G::tangent(&theta[i], &v[i]))
            }
            #[inline]
            fn tangent_transpose(theta: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent {
                $build(p.len(), |i| G::tangent_transpose(&theta[i], &p[i]))
            }
            #[inline]
            fn tangent_inverse(theta: &Self::Tangent, v: &Self::Tangent) -> Self::Tangent {
                $build(v.len(), |i| G::tangent_inverse(&theta[i], &v[i]))
            }
            #[inline]
            fn tangent_inverse_transpose(theta: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent {
                $build(p.len(), |i| G::tangent_inverse_transpose(&theta[i], &p[i]))
            }
            #[inline]
            fn adjoint(&self, v: &Self::Tangent) -> Self::Tangent {
                $build(v.len(), |i| self[i].adjoint(&v[i]))
            }
            #[inline]
            fn adjoint_transpose(&self, p: &Self::Tangent) -> Self::Tangent {
                $build(p.len(), |i| self[i].adjoint_transpose(&p[i]))
            }
            #[inline]
            fn bracket(v: &Self::Tangent, w: &Self::Tangent) -> Self::Tangent {
                $build(v.len(), |i| G::bracket(&v[i], &w[i]))
            }
            #[inline]
            fn coadjoint(v: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent {
                $build(v.len(), |i| G::coadjoint(&v[i], &p[i]))
            }
            #[inline]
            fn is_finite(&self) -> bool {
                self.iter().all(G::is_finite)
            }
            fn membership_defect(&self) -> f64 {
                self.iter().fold(0.0, |defect, member| crate::scalar::larger(defect, member.membership_defect()))
            }
            fn renormalize(&mut self) {
                self.iter_mut().for_each(G::renormalize);
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

group_power!([const N: usize] [G; N], [G::Tangent; N], array);
group_power!([] Vec<G>, Vec<G::Tangent>, vector);
