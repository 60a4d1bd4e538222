//! Joints between a loop and the base, which carry what it has added to a frame as inertia.
//!
//! With other forces than rows, w S⁻¹ vᵀ is not symmetric: I = E + K with K = −Kᵀ, which is small. E goes inwards as any inertia does, and of
//! K as much is computed as it has entries.

use super::super::articulated::add_own;
use super::super::factor::factor_any;
use super::{Eliminated, Frames, Loops};
use crate::scalar::Scalar;
use crate::system::Block;
use crate::system::SaddleError;
use crate::system::chain::ElementSystem;

/// A frame on the way from a loop to the root.
pub(super) struct Bent<M: ElementSystem, F: Frames<M>> {
    /// I, with what loops have added.
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

/// A symmetric matrix of which the upper triangle is known.
#[inline]
fn symmetric<S: Scalar, B: Block<S>>(upper: &B, n: usize) -> B {
    let mut whole = *upper;
    let entries = whole.as_mut_slice();
    for row in 0..n {
        for column in 0..row {
            entries[row * n + column] = entries[column * n + row];
        }
    }
    whole
}

/// E above the diagonal, K below it.
#[inline]
fn parted<S: Scalar, B: Block<S>>(whole: &B, n: usize) -> B {
    let (mut parts, half) = (*whole, S::from_f64(0.5));
    let entries = &mut parts.as_mut_slice()[..n * n];
    for row in 0..n {
        for column in row + 1..n {
            let (upper, lower) = (entries[row * n + column], entries[column * n + row]);
            entries[row * n + column] = half * (upper + lower);
            entries[column * n + row] = half * (upper - lower);
        }
    }
    parts
}

impl<M: ElementSystem, F: Frames<M>> Loops<M, F> {
    /// True of a joint that carries what loops add.
    #[inline]
    pub(in super::super) fn waits(&self, place: usize) -> bool {
        self.plan.is_bent[place]
    }

    /// Shows these joints with I of the tree alone, from the ends inwards; `eliminate` gives the frame before each and what it adds there.
    pub(in super::super) fn each_waiting(
        &mut self,
        mut eliminate: impl FnMut(&F::Matrix, usize) -> Result<(usize, F::Matrix), SaddleError>,
    ) -> Result<(), SaddleError> {
        for place in (0..self.bent.len()).rev().filter(|&place| self.plan.is_bent[place]) {
            let (parent, moved) = eliminate(&self.bent[place].inertia, place)?;
            if let Some(parent) = self.bent.get_mut(parent) {
                super::super::add(&mut parent.inertia, &moved);
            }
        }
        Ok(())
    }

    /// I of the frames that carry what loops add, without that.
    #[inline]
    pub(in super::super) fn straighten(&mut self, inertias: &[F::Matrix]) {
        for ((bent, inertia), _) in
            self.bent.iter_mut().zip(inertias).zip(&self.plan.is_bent).filter(|(_, is_bent)| **is_bent)
        {
            bent.inertia = symmetric::<M::Scalar, _>(inertia, F::FRAME);
        }
    }

    /// Eliminates a joint that carries what loops have added: D, H on its left and right, and what is left for the frame before it.
    #[inline]
    pub(super) fn bend(&mut self, tree: &mut Eliminated<'_, M, F>, place: usize) -> bool {
        let (n, m, zero) = (F::FRAME, F::MEMBER, M::Scalar::from_f64(0.0));
        let width = n + m;
        let link = &tree.structure.tree().links()[place];
        let inertia = parted(&self.bent[place].inertia, n);
        let origin;
        let above = match tree.frames.get(link.parent) {
            Some(above) => above,
            None => {
                origin = F::origin(tree.system, tree.t).frame;
                &origin
            }
        };
        let (moved, mixed, block, jacobian) = F::transport(tree.system, link, tree.t, tree.q, above, &inertia);
        tree.jacobians[place] = jacobian;
        // K [A J], and what [A J]ᵀ makes of it.
        let (entries, jacobian) = (&inertia.as_slice()[..n * n], &jacobian.as_slice()[..n * width]);
        let mut turned = F::Jacobian::zeros();
        let turned = &mut turned.as_mut_slice()[..n * width];
        for row in 0..n {
            for column in row + 1..n {
                let factor = entries[column * n + row];
                for at in 0..width {
                    turned[row * width + at] += factor * jacobian[column * width + at];
                    turned[column * width + at] -= factor * jacobian[row * width + at];
                }
            }
        }
        let turned = &*turned;
        let seen = |row: usize, column: usize| {
            (0..n).fold(zero, |sum, k| sum + jacobian[k * width + row] * turned[k * width + column])
        };
        let mut rest = symmetric::<M::Scalar, _>(&moved, n);
        let rest_entries = &mut rest.as_mut_slice()[..n * n];
        for row in 0..n {
            for column in row + 1..n {
                let odd = seen(row, column);
                rest_entries[row * n + column] += odd;
                rest_entries[column * n + row] -= odd;
            }
        }
        if link.components().is_some() {
            let Bent { factors, gains: [left, right], .. } = &mut self.bent[place];
            *factors = block;
            add_own::<M, F>(tree.structure, tree.q, place, tree.blocks, factors);
            let own = &mut factors.as_mut_slice()[..m * m];
            for row in 0..m {
                for column in row + 1..m {
                    let (even, odd) = (own[column * m + row], seen(n + row, n + column));
                    own[row * m + column] = even + odd;
                    own[column * m + row] = even - odd;
                }
            }
            if !factor_any::<M, F>(factors) {
                return false;
            }
            let own = &factors.as_slice()[..m * m];
            let (left, right) = (&mut left.as_mut_slice()[..n * m], &mut right.as_mut_slice()[..n * m]);
            // H = Aᵀ I J and its like on the right, through L and U.
            for row in 0..n {
                for k in 0..m {
                    let (even, odd) = (mixed.as_slice()[row * m + k], seen(row, n + k));
                    let (mut of_force, mut of_row) = (even + odd, even - odd);
                    for j in 0..k {
                        of_force -= left[row * m + j] * own[j * m + k];
                        of_row -= right[row * m + j] * own[k * m + j];
                    }
                    left[row * m + k] = of_force;
                    right[row * m + k] = of_row;
                }
            }
            for row in 0..n {
                for k in 0..m {
                    left[row * m + k] *= own[k * m + k];
                }
            }
            for row in 0..n {
                for column in 0..n {
                    let entry = &mut rest_entries[row * n + column];
                    for k in 0..m {
                        *entry -= left[row * m + k] * right[column * m + k];
                    }
                }
            }
            for row in 0..n {
                for k in 0..m {
                    right[row * m + k] *= own[k * m + k];
                }
            }
        }
        if let Some(above) = self.bent.get_mut(link.parent) {
            for (sum, &rest) in above.inertia.as_mut_slice().iter_mut().zip(rest.as_slice()) {
                *sum += rest;
            }
        }
        true
    }
}
