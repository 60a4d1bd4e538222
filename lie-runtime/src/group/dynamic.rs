//! Vectors whose length is known at run time only: the tangent vectors of chains.

use nalgebra::DVector;

use super::TangentVector;
use crate::scalar::{Mask, Scalar};

/// Sums of many vectors are formed that many components at a time, which stay in the cache next to the processor.
const CHUNK: usize = 512;

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
            *component += factor * term;
        }
    }
    #[inline]
    fn assign_sum(&mut self, base: &Self, factor: S, other: &Self) {
        let terms = base.as_slice().iter().zip(other.as_slice());
        for (component, (&base, &term)) in self.as_mut_slice().iter_mut().zip(terms) {
            *component = base + factor * term;
        }
    }
    #[inline]
    fn set_combination<'a>(&mut self, terms: impl Iterator<Item = (S, &'a Self)> + Clone) {
        for (number, sum) in self.as_mut_slice().chunks_mut(CHUNK).enumerate() {
            let mut terms = terms.clone().map(|(factor, term)| (factor, &term.as_slice()[number * CHUNK..]));
            match terms.next() {
                Some((factor, term)) => sum.iter_mut().zip(term).for_each(|(sum, &term)| *sum = factor * term),
                None => sum.fill(S::zero()),
            }
            for (factor, term) in terms {
                sum.iter_mut().zip(term).for_each(|(sum, &term)| *sum += factor * term);
            }
        }
    }
    #[inline]
    fn add_combination(&mut self, factor: f64, coefficients: &[f64], others: &[Self]) {
        for (number, sum) in self.as_mut_slice().chunks_mut(CHUNK).enumerate() {
            for (&coefficient, other) in coefficients.iter().zip(others).filter(|(coefficient, _)| **coefficient != 0.0)
            {
                let coefficient = S::from_f64(factor * coefficient);
                for (component, &term) in sum.iter_mut().zip(&other.as_slice()[number * CHUNK..]) {
                    *component += coefficient * term;
                }
            }
        }
    }
    #[inline]
    fn dot(&self, other: &Self) -> S {
        debug_assert_eq!(self.len(), other.len(), "vectors of different length");
        self.as_slice().iter().zip(other.as_slice()).fold(S::zero(), |sum, (&a, &b)| sum + a * b)
    }
    #[inline]
    fn lane_norm(&self) -> S {
        // Four maxima at a time; NaN is looked for apart, for no comparison holds of it.
        let mut largest = [S::zero(); 4];
        let mut are_numbers = S::Mask::splat(true);
        for chunk in self.as_slice().chunks(4) {
            for (largest, component) in largest.iter_mut().zip(chunk) {
                let size = component.abs();
                are_numbers = are_numbers & size.le(size);
                *largest = S::select(largest.lt(size), size, *largest);
            }
        }
        S::select(are_numbers, largest.into_iter().fold(S::zero(), super::larger), S::from_f64(f64::NAN))
    }
    #[inline]
    fn all_finite(&self) -> bool {
        S::all_finite(self.as_slice().iter().copied())
    }
}
