//! Joints between a loop and the base, whose inertia is augmented by the loop.
//!
//! For B₁ ≠ B₂, w S⁻¹ vᵀ is not symmetric: I = E + K with a small K = −Kᵀ. E is transported like any inertia, and K
//! with as many operations as it has entries.

use super::super::Frames;
use super::super::joint_factorisation::{factor_any, times_lower_inverse};
use super::super::joint_terms::add_joint_inertia;
use super::workspace::{LoopAugmentedInertia, LoopElimination, TreeElimination};
use crate::scalar::Scalar;
use crate::system::Block;
use crate::system::KktError;
use crate::system::chain::ElementSystem;

/// Returns a symmetric matrix with a given upper triangle.
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

/// Returns E and K above the diagonal, E with the diagonal.
#[inline]
fn even_and_odd<S: Scalar, B: Block<S>>(whole: &B, n: usize) -> [B; 2] {
    let ([mut even, mut odd], half) = ([*whole, B::zeros()], S::from_f64(0.5));
    for row in 0..n {
        for column in row + 1..n {
            let (upper, lower) = (whole.as_slice()[row * n + column], whole.as_slice()[column * n + row]);
            even.as_mut_slice()[row * n + column] = half * (upper + lower);
            odd.as_mut_slice()[row * n + column] = half * (upper - lower);
        }
    }
    [even, odd]
}

/// E + K.
#[inline]
fn combined<S: Scalar, B: Block<S>>(even: &B, odd: &B, n: usize) -> B {
    let mut whole = *even;
    for row in 0..n {
        for column in row + 1..n {
            let (even, odd) = (even.as_slice()[row * n + column], odd.as_slice()[row * n + column]);
            whole.as_mut_slice()[row * n + column] = even + odd;
            whole.as_mut_slice()[column * n + row] = even - odd;
        }
    }
    whole
}

impl<M: ElementSystem, F: Frames<M>> LoopElimination<M, F> {
    /// Returns true if the elimination of a joint is deferred because loops augment its inertia.
    #[inline]
    pub(in super::super) fn is_deferred(&self, place: usize) -> bool {
        self.plan.stops[place].is_augmented
    }

    /// Eliminates the deferred joints without loops, leaves first; `eliminate` returns the parent of each and its
    /// contribution.
    pub(in super::super) fn eliminate_deferred(
        &mut self,
        mut eliminate: impl FnMut(&F::Matrix, usize) -> Result<(usize, F::Matrix), KktError>,
    ) -> Result<(), KktError> {
        for &place in &self.plan.augmented {
            let (parent, moved) = eliminate(&self.augmented[place].inertia, place)?;
            if let Some(parent) = self.augmented.get_mut(parent) {
                super::super::add_upper(&mut parent.inertia, &moved, F::FRAME);
            }
        }
        Ok(())
    }

    /// Resets the augmented inertias to those without loops.
    #[inline]
    pub(in super::super) fn reset_augmented(&mut self, inertias: &[F::Matrix]) {
        for &place in &self.plan.augmented {
            self.augmented[place].inertia = symmetric::<M::Scalar, _>(&inertias[place], F::FRAME);
        }
    }

    /// Eliminates a joint with augmented inertia: D, H on its left and right, and the contribution to the parent.
    #[inline(never)]
    pub(super) fn eliminate_augmented(&mut self, tree: &mut TreeElimination<'_, M, F>, place: usize) -> bool {
        let (n, m) = (F::FRAME, F::MEMBER);
        let link = &tree.structure.tree().links()[place];
        let [even, odd] = even_and_odd(&self.augmented[place].inertia, n);
        let origin;
        let above = match tree.motions.get(link.parent) {
            Some(above) => &above.frame,
            None => {
                origin = F::origin(tree.system, tree.t).frame;
                &origin
            }
        };
        let (moved, mixed, mut block, jacobian) = F::transport(tree.system, link, tree.t, tree.q, above, &even);
        let (turned, mixed_odd, block_odd) = F::transport_skew(tree.system, link, &jacobian, &odd);
        tree.joints[place].jacobian = jacobian;
        let mut rest = combined(&moved, &turned, n);
        let rest_entries = &mut rest.as_mut_slice()[..n * n];
        if link.components().is_some() {
            let LoopAugmentedInertia { factors, gains: [left, right], .. } = &mut self.augmented[place];
            add_joint_inertia::<M, F>(tree.structure, tree.q, (place, link), tree.blocks, &jacobian, &mut block);
            *factors = combined(&block, &block_odd, m);
            if !factor_any::<M, F>(factors) {
                return false;
            }
            let own = &factors.as_slice()[..m * m];
            let (left, right) = (&mut left.as_mut_slice()[..n * m], &mut right.as_mut_slice()[..n * m]);
            // H = Aᵀ I J and its counterpart on the right, multiplied by L⁻¹ and U⁻¹.
            for row in 0..n {
                for k in 0..m {
                    let (even, odd) = (mixed.as_slice()[row * m + k], mixed_odd.as_slice()[row * m + k]);
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
            times_lower_inverse(left, (n, m), m, |j, k| own[j * m + k]);
            times_lower_inverse(right, (n, m), m, |j, k| own[k * m + j]);
        }
        if let Some(above) = self.augmented.get_mut(link.parent) {
            for (sum, &rest) in above.inertia.as_mut_slice().iter_mut().zip(rest.as_slice()) {
                *sum += rest;
            }
        }
        true
    }
}
