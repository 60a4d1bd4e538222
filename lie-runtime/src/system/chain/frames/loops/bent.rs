//! Joints that carry what loops have added to a frame as inertia.

use super::super::factor::factor_any;
use super::{Eliminated, Frames, Loops};
use crate::scalar::Scalar;
use crate::system::Block;
use crate::system::chain::ElementSystem;

/// A frame on the way from a loop to the root.
pub(super) struct Bent<M: ElementSystem, F: Frames<M>> {
    /// Of I.
    pub inertia: F::Matrix,
    /// L, Δ⁻¹ and U of D.
    pub factors: F::MemberMatrix,
    /// Z of the forces and of the rows.
    pub gains: [F::Mixed; 2],
}

impl<M: ElementSystem, F: Frames<M>> Bent<M, F> {
    pub(super) fn zeros() -> Self {
        let gains = [F::Mixed::zeros(), F::Mixed::zeros()];
        Bent { inertia: F::Matrix::zeros(), factors: F::MemberMatrix::zeros(), gains }
    }
}

impl<M: ElementSystem, F: Frames<M>> Clone for Bent<M, F> {
    fn clone(&self) -> Self {
        Bent { inertia: self.inertia, factors: self.factors, gains: self.gains }
    }
}

impl<M: ElementSystem, F: Frames<M>> Loops<M, F> {
    /// D of a joint that carries what loops have added, and its inertia as seen by the frame before it. With Δ and Z of the tree alone, and E
    /// what loops have added to I, these are L Δ Lᵀ + Jᵀ E J and Aᵀ E A − (H D⁻¹ Hᵣᵀ − Z Δ Zᵀ).
    #[inline]
    pub(super) fn bend(&mut self, tree: &Eliminated<'_, M, F>, place: usize, parent: usize) -> bool {
        let (n, m, zero) = (F::FRAME, F::MEMBER, M::Scalar::from_f64(0.0));
        let width = n + m;
        let link = &tree.structure.tree().links()[place];
        let (jacobian, excess) = (tree.jacobians[place].as_slice(), self.bent[place].inertia);
        // E [A J], and what [A J]ᵀ makes of it.
        let mut moved = F::Jacobian::zeros();
        for (out, row) in moved.as_mut_slice().chunks_exact_mut(width).zip(excess.as_slice().chunks_exact(n)) {
            for (&factor, line) in row.iter().zip(jacobian.chunks_exact(width)) {
                for (out, &entry) in out.iter_mut().zip(line) {
                    *out += factor * entry;
                }
            }
        }
        let moved = &moved.as_slice()[..n * width];
        let seen = |row: usize, column: usize| {
            (0..n).fold(zero, |sum, k| sum + jacobian[k * width + row] * moved[k * width + column])
        };
        let mut rest = F::Matrix::zeros();
        for row in 0..n {
            for column in 0..n {
                rest.as_mut_slice()[row * n + column] = seen(row, column);
            }
        }
        if link.components().is_some() {
            let (factors, gains) = (&tree.factors[place].as_slice()[..m * m], &tree.gains[place].as_slice()[..n * m]);
            let one = M::Scalar::from_f64(1.0);
            let mut pivots = F::Member::zeros();
            (0..m).for_each(|k| pivots.as_mut_slice()[k] = one / factors[k * m + k]);
            let pivots = &pivots.as_slice()[..m];
            let lower = |row: usize, k: usize| if row == k { one } else { factors[row * m + k] };
            let Bent { factors: own, gains: [left, right], .. } = &mut self.bent[place];
            for row in 0..m {
                for column in 0..m {
                    let known = (0..=row.min(column)).map(|k| lower(row, k) * pivots[k] * lower(column, k));
                    own.as_mut_slice()[row * m + column] =
                        known.fold(seen(n + row, n + column), |sum, term| sum + term);
                }
            }
            if !factor_any::<M, F>(own) {
                return false;
            }
            let own = &own.as_slice()[..m * m];
            // H = Z Δ Lᵀ + Aᵀ E J, and its like on the right.
            for row in 0..n {
                for k in 0..m {
                    let known = (0..=k).fold(zero, |sum, j| sum + gains[row * m + j] * pivots[j] * lower(k, j));
                    let (mut of_force, mut of_row) = (known + seen(row, n + k), known + seen(n + k, row));
                    for j in 0..k {
                        let (force, row) = (left.as_slice()[row * m + j], right.as_slice()[row * m + j]);
                        of_force -= force * own[j * m + k];
                        of_row -= row * own[k * m + j];
                    }
                    left.as_mut_slice()[row * m + k] = of_force;
                    right.as_mut_slice()[row * m + k] = of_row;
                }
            }
            let (left, right) = (&mut left.as_mut_slice()[..n * m], &mut right.as_mut_slice()[..n * m]);
            for row in 0..n {
                for column in 0..n {
                    let entry = &mut rest.as_mut_slice()[row * n + column];
                    for k in 0..m {
                        *entry += gains[row * m + k] * pivots[k] * gains[column * m + k];
                        *entry -= left[row * m + k] * own[k * m + k] * right[column * m + k];
                    }
                }
            }
            for gains in [left, right] {
                for row in gains.chunks_exact_mut(m) {
                    (0..m).for_each(|k| row[k] *= own[k * m + k]);
                }
            }
        }
        if let Some(above) = self.bent.get_mut(parent) {
            for (sum, &rest) in above.inertia.as_mut_slice().iter_mut().zip(rest.as_slice()) {
                *sum += rest;
            }
        }
        true
    }
}
