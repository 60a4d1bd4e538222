//! A block row of the Schur complement, and its elimination.

use super::blocks::{dot, product};
use crate::scalar::Scalar;
use crate::solve::lost_pivot;

/// The least ratio of a pivot to the largest entry below it.
const SAFE_PIVOT: f64 = 1e-2;

/// The number of scalars that are stored for a row: inverse pivot, right-hand side, the row of the diagonal block and
/// of the block to its right.
pub(super) const fn stored(rows: usize) -> usize {
    2 + 2 * rows
}

/// The rows of the Schur complement that belong to one element.
pub(super) struct BlockRow<S, const R: usize> {
    diagonal: [[S; R]; R],
    /// The block to the right.
    pub(super) upper: [[S; R]; R],
    inverse_pivots: [S; R],
    pub(super) right_hand_side: [S; R],
    /// The sum of the absolute values of the terms of each diagonal entry.
    scales: [f64; R],
}

impl<S: Scalar, const R: usize> BlockRow<S, R> {
    #[inline]
    pub(super) fn new(right_hand_side: [S; R]) -> Self {
        let (zeros, inverse_pivots) = ([[S::zero(); R]; R], [S::zero(); R]);
        BlockRow { diagonal: zeros, upper: zeros, inverse_pivots, right_hand_side, scales: [0.0; R] }
    }

    /// Adds the contributions of a member: B₂ (M⁻¹ B₁ᵀ) and B₂ a.
    #[inline]
    #[allow(clippy::needless_range_loop)] // As the matrices are written.
    pub(super) fn add<const D: usize>(&mut self, rows: &[&[S; D]; R], weighted: &[[S; D]; R], acceleration: [S; D]) {
        let block = product(rows, weighted);
        for i in 0..R {
            for j in 0..R {
                self.diagonal[i][j] += block[i][j];
            }
            self.scales[i] += block[i][i].value().abs();
            self.right_hand_side[i] += dot(rows[i], &acceleration);
        }
    }

    /// Eliminates the unknowns of this element from its own rows and from the rows of the next element, with `lower`
    /// the block below the diagonal. Returns false if a pivot is not safe.
    #[inline]
    #[allow(clippy::needless_range_loop)] // As the matrices are written.
    pub(super) fn eliminate(&mut self, lower: &mut [[S; R]; R], next: &mut Self) -> bool {
        let lost = lost_pivot::<S>();
        let mut is_safe = true;
        for k in 0..R {
            let pivot = self.diagonal[k][k];
            let size = pivot.value().abs();
            let bound = size / SAFE_PIVOT;
            // A comparison with NaN is false.
            is_safe &= size > lost * self.scales[k];
            let inverse = S::one() / pivot;
            self.inverse_pivots[k] = inverse;
            for i in k + 1..R {
                is_safe &= self.diagonal[i][k].value().abs() <= bound;
                let factor = self.diagonal[i][k] * inverse;
                self.scales[i] += (factor * self.diagonal[k][i]).value().abs();
                for j in k + 1..R {
                    let update = factor * self.diagonal[k][j];
                    self.diagonal[i][j] -= update;
                }
                for j in 0..R {
                    let update = factor * self.upper[k][j];
                    self.upper[i][j] -= update;
                }
                let update = factor * self.right_hand_side[k];
                self.right_hand_side[i] -= update;
            }
            for i in 0..R {
                is_safe &= lower[i][k].value().abs() <= bound;
                let factor = lower[i][k] * inverse;
                next.scales[i] += (factor * self.upper[k][i]).value().abs();
                for j in k + 1..R {
                    lower[i][j] -= factor * self.diagonal[k][j];
                }
                for j in 0..R {
                    next.diagonal[i][j] -= factor * self.upper[k][j];
                }
                next.right_hand_side[i] -= factor * self.right_hand_side[k];
            }
        }
        is_safe
    }

    #[inline]
    pub(super) fn store(&self, out: &mut [S]) {
        for (i, out) in out.chunks_exact_mut(stored(R)).enumerate() {
            out[0] = self.inverse_pivots[i];
            out[1] = self.right_hand_side[i];
            out[2..2 + R].copy_from_slice(&self.diagonal[i]);
            out[2 + R..].copy_from_slice(&self.upper[i]);
        }
    }
}
