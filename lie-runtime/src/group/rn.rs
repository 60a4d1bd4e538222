//! R^n: vectors under addition, and fixed vectors as tangent vectors.

use nalgebra::SVector;

use super::{LieGroup, TangentVector};
use crate::scalar::{Scalar, larger, zeros};

/// R^n as a group under addition.
pub type Rn<const N: usize, S = f64> = SVector<S, N>;
/// The real line as a group.
#[doc(alias = "prismatic joint")]
#[doc(alias = "slider")]
pub type R1<S = f64> = SVector<S, 1>;
/// R² as a group.
pub type R2<S = f64> = SVector<S, 2>;
/// R³ as a group.
pub type R3<S = f64> = SVector<S, 3>;
/// R⁴ as a group.
pub type R4<S = f64> = SVector<S, 4>;
/// R⁵ as a group.
pub type R5<S = f64> = SVector<S, 5>;
/// R⁶ as a group.
pub type R6<S = f64> = SVector<S, 6>;

impl<S: Scalar, const N: usize> TangentVector for SVector<S, N> {
    type Scalar = S;

    const COMPONENTS: Option<usize> = Some(N);

    #[inline]
    fn component_count(&self) -> usize {
        N
    }
    #[inline]
    fn component(&self, index: usize) -> S {
        self[index]
    }
    #[inline]
    fn set_component(&mut self, index: usize, value: S) {
        self[index] = value;
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fill(&mut self, value: S) {
        for k in 0..N {
            self[k] = value;
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn assign(&mut self, other: &Self) {
        if N == 3 {
            // LLVM would copy a block in pieces of 16 and 8 bytes. A later load of other pieces would wait for the store.
            (self[0], self[1], self[2]) = (other[0], other[1], other[2]);
        } else {
            *self = *other;
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn assign_scaled(&mut self, factor: S, other: &Self) {
        *self = *other * factor;
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn assign_sum(&mut self, base: &Self, factor: S, other: &Self) {
        for k in 0..N {
            self[k] = S::mul_add(factor, other[k], base[k]);
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scale(&mut self, factor: S) {
        for k in 0..N {
            self[k] *= factor;
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn axpy(&mut self, factor: S, other: &Self) {
        for k in 0..N {
            self[k] = S::mul_add(factor, other[k], self[k]);
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn set_combination<'a>(&mut self, mut terms: impl Iterator<Item = (S, &'a Self)> + Clone) {
        // Not 0 + …, which costs an addition.
        let mut sum = terms.next().map_or_else(|| zeros(), |(factor, term)| *term * factor);
        for (factor, term) in terms {
            TangentVector::axpy(&mut sum, factor, term);
        }
        *self = sum;
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn dot(&self, other: &Self) -> S {
        let mut sum = S::zero();
        for k in 0..N {
            sum += self[k] * other[k];
        }
        sum
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lane_norm(&self) -> S {
        let (mut norm, mut probe) = (S::zero(), S::zero());
        for k in 0..N {
            let size = self[k].abs();
            norm = Scalar::max(norm, size);
            // NaN if a component is not finite.
            probe += size * S::zero();
        }
        if !probe.is_finite() {
            norm = S::zero();
            for k in 0..N {
                norm = larger(norm, self[k].abs());
            }
        }
        norm
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn all_finite(&self) -> bool {
        S::all_finite(self.as_slice().iter().copied())
    }
}

/// The items of `LieGroup` that depend on the algebra only, for a commutative group: T and Ad are the identity.
macro_rules! commutative_algebra {
    ($tangent:ty, $scalar:ty) => {
        $crate::group::rn::commutative_algebra!(@identity $tangent:
            tangent tangent_transpose tangent_inverse tangent_inverse_transpose);

        #[inline]
        fn adjoint(&self, v: &$tangent) -> $tangent {
            *v
        }
        #[inline]
        fn adjoint_transpose(&self, p: &$tangent) -> $tangent {
            *p
        }
        #[inline]
        fn bracket(_: &$tangent, _: &$tangent) -> $tangent {
            <$tangent>::from_element(<$scalar as num_traits::Zero>::zero())
        }
        #[inline]
        fn coadjoint(_: &$tangent, _: &$tangent) -> $tangent {
            <$tangent>::from_element(<$scalar as num_traits::Zero>::zero())
        }
    };
    (@identity $tangent:ty: $($name:ident)*) => {
        $(
            #[inline]
            fn $name(_: &$tangent, vector: &$tangent) -> $tangent {
                *vector
            }
        )*
    };
}

pub(super) use commutative_algebra;

impl<S: Scalar, const N: usize> LieGroup for SVector<S, N> {
    type Scalar = S;
    type Tangent = Self;

    #[inline]
    fn dimension(&self) -> usize {
        N
    }
    #[inline]
    fn identity_like(&self) -> Self {
        zeros()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn compose(&self, other: &Self) -> Self {
        self + other
    }
    #[inline]
    fn inverse(&self) -> Self {
        -self
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn exp(theta: &Self) -> Self {
        *theta
    }
    #[inline]
    fn log(&self) -> Self {
        *self
    }
    commutative_algebra!(Self, S);
    #[inline]
    fn is_finite(&self) -> bool {
        TangentVector::all_finite(self)
    }
}
