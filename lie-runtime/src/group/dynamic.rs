//! Vectors with a length that is known at run time: the tangent vectors of chains.

use nalgebra::DVector;

use super::TangentVector;
use crate::scalar::{Mask, Scalar};

/// Number of components per block in sums of many vectors; a block stays in the L1 cache.
const CHUNK: usize = 256;

impl<S: Scalar> TangentVector for DVector<S> {
    type Scalar = S;

    #[inline]
    fn component_count(&self) -> usize {
        self.len()
    }
    #[inline]
    fn component(&self, index: usize) -> S {
        self[index]
    }
    #[inline]
    fn set_component(&mut self, index: usize, value: S) {
        self[index] = value;
    }
    #[inline]
    fn fill(&mut self, value: S) {
        self.as_mut_slice().fill(value);
    }
    #[inline]
    fn assign(&mut self, other: &Self) {
        self.as_mut_slice().copy_from_slice(other.as_slice());
    }
    #[inline]
    fn scale(&mut self, factor: S) {
        for component in self.as_mut_slice() {
            *component *= factor;
        }
    }
    #[inline]
    fn axpy(&mut self, factor: S, other: &Self) {
        debug_assert_eq!(self.len(), other.len(), "vectors of different length");
        for (component, &term) in self.as_mut_slice().iter_mut().zip(other.as_slice()) {
            *component = S::mul_add(factor, term, *component);
        }
    }
    #[inline]
    fn assign_sum(&mut self, base: &Self, factor: S, other: &Self) {
        let terms = base.as_slice().iter().zip(other.as_slice());
        for (component, (&base, &term)) in self.as_mut_slice().iter_mut().zip(terms) {
            *component = S::mul_add(factor, term, base);
        }
    }
    #[inline]
    fn set_combination<'a>(&mut self, terms: impl Iterator<Item = (S, &'a Self)> + Clone) {
        for (number, sum) in self.as_mut_slice().chunks_mut(CHUNK).enumerate() {
            let terms = terms.clone().map(|(factor, term)| (factor, &term.as_slice()[number * CHUNK..]));
            combine(sum, false, terms);
        }
    }
    #[inline]
    fn add_combination(&mut self, factor: f64, coefficients: &[f64], others: &[Self]) {
        let terms = coefficients.iter().zip(others).filter(|(coefficient, _)| **coefficient != 0.0);
        add_terms(self, &terms.map(|(coefficient, other)| (S::from_f64(factor * coefficient), other)));
    }
    #[inline]
    fn dot(&self, other: &Self) -> S {
        debug_assert_eq!(self.len(), other.len(), "vectors of different length");
        self.as_slice().iter().zip(other.as_slice()).fold(S::zero(), |sum, (&a, &b)| sum + a * b)
    }
    #[inline]
    fn lane_norm(&self) -> S {
        // Four maxima at a time. NaN needs a check of its own, because every comparison with NaN is false.
        let mut largest = [S::zero(); 4];
        let mut are_numbers = S::Mask::splat(true);
        for chunk in self.as_slice().chunks(4) {
            for (largest, component) in largest.iter_mut().zip(chunk) {
                let size = component.abs();
                are_numbers = are_numbers & size.le(size);
                *largest = Scalar::max(*largest, size);
            }
        }
        S::select(are_numbers, largest.into_iter().fold(S::zero(), super::larger), S::from_f64(f64::NAN))
    }
    #[inline]
    fn all_finite(&self) -> bool {
        S::all_finite(self.as_slice().iter().copied())
    }
}

/// `sum = sum + Σ factor * term`.
#[inline]
pub(crate) fn add_terms<'a, S: Scalar>(
    sum: &mut DVector<S>,
    terms: &(impl Iterator<Item = (S, &'a DVector<S>)> + Clone),
) {
    for (number, sum) in sum.as_mut_slice().chunks_mut(CHUNK).enumerate() {
        combine(sum, true, terms.clone().map(|(factor, term)| (factor, &term.as_slice()[number * CHUNK..])));
    }
}

/// Sets a sum, or adds to an existing one (`is_there`), four terms per pass: loads overlap and partial sums stay in registers.
#[inline]
fn combine<'a, S: Scalar>(sum: &mut [S], mut is_there: bool, terms: impl Iterator<Item = (S, &'a [S])>) {
    let mut terms = terms.fuse();
    while let Some(first) = terms.next() {
        match (terms.next(), terms.next(), terms.next()) {
            (Some(second), Some(third), Some(fourth)) => add_to_each(sum, is_there, [first, second, third, fourth]),
            (Some(second), Some(third), None) => add_to_each(sum, is_there, [first, second, third]),
            (Some(second), _, _) => add_to_each(sum, is_there, [first, second]),
            (None, _, _) => add_to_each(sum, is_there, [first]),
        }
        is_there = true;
    }
    if !is_there {
        sum.fill(S::zero());
    }
}

/// One pass over a fixed number of terms.
fn add_to_each<S: Scalar, const N: usize>(sum: &mut [S], is_there: bool, terms: [(S, &[S]); N]) {
    let length = terms.iter().map(|(_, term)| term.len()).fold(sum.len(), usize::min);
    let (sum, terms) = (&mut sum[..length], terms.map(|(factor, term)| (factor, &term[..length])));
    if is_there {
        for (at, sum) in sum.iter_mut().enumerate() {
            *sum = terms.iter().fold(*sum, |sum, (factor, term)| S::mul_add(*factor, term[at], sum));
        }
    } else if let [(factor, term), rest @ ..] = &terms[..] {
        for (at, sum) in sum.iter_mut().enumerate() {
            *sum = rest.iter().fold(*factor * term[at], |sum, (factor, term)| S::mul_add(*factor, term[at], sum));
        }
    }
}
