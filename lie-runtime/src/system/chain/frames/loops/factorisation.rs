//! The factorisation of S, and the elimination of the rows of a loop where it closes.

use super::super::Frames;
use super::super::joint_factorisation::SAFE_PIVOT;
use super::elimination_plan::{EliminationPlan, Loop};
use super::workspace::{KktUnknowns, LoopElimination, RowStorage, TreeElimination, count};
use crate::scalar::Scalar;
use crate::solve::PivotError;
use crate::system::Block;
use crate::system::chain::ElementSystem;
use crate::system::chain::regularisation::relax;

/// The outcome of an elimination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum EliminationOutcome {
    /// All rows are eliminated.
    Done,
    /// A loop, by its number, has no safe pivot.
    UnsafeRows(usize),
    /// A joint with augmented inertia has no safe pivot.
    UnsafeJoint,
}

/// aᵀ b.
#[inline]
pub(super) fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    // Without an initial 0, which would cost an addition.
    a.iter().zip(b).map(|(&a, &b)| a * b).reduce(|sum, term| sum + term).unwrap_or_else(S::zero)
}

/// Replaces a matrix by its L U factors, L with a unit diagonal and U with inverse pivots. Returns false without a safe
/// pivot.
#[cfg_attr(not(debug_assertions), inline(always))]
fn factor_block<S: Scalar>(matrix: &mut [S], scales: &[f64], n: usize) -> bool {
    let (matrix, scales) = (&mut matrix[..n * n], &scales[..n]);
    for k in 0..n {
        let pivot = matrix[k * n + k];
        // A comparison with NaN is false.
        if !(pivot.is_finite() && pivot.value() > SAFE_PIVOT * scales[k]) {
            return false;
        }
        let inverse = S::one() / pivot;
        matrix[k * n + k] = inverse;
        for i in k + 1..n {
            let factor = matrix[i * n + k] * inverse;
            matrix[i * n + k] = factor;
            for j in k + 1..n {
                let update = factor * matrix[k * n + j];
                matrix[i * n + j] -= update;
            }
        }
    }
    true
}

/// Replaces n scalars or vectors x by S⁻¹ x; `take` subtracts a multiple, `scale` multiplies.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn solve_block<S: Scalar, X: Copy>(
    factors: &[S],
    x: &mut [X],
    n: usize,
    take: impl Fn(&mut X, S, &X),
    scale: impl Fn(&mut X, S),
) {
    let (factors, x) = (&factors[..n * n], &mut x[..n]);
    for i in 1..n {
        for j in 0..i {
            let other = x[j];
            take(&mut x[i], factors[i * n + j], &other);
        }
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            let other = x[j];
            take(&mut x[i], factors[i * n + j], &other);
        }
        scale(&mut x[i], factors[i * n + i]);
    }
}

/// Replaces n scalars x by S⁻¹ x.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn solve_numbers<S: Scalar>(factors: &[S], x: &mut [S], n: usize) {
    solve_block(factors, x, n, |own, factor, &other| *own -= factor * other, |own, factor| *own *= factor);
}

/// `own -= factor other`.
#[inline(always)]
fn take<S: Scalar, V: Block<S>>(own: &mut V, factor: S, other: &V) {
    for (own, &other) in own.as_mut_slice().iter_mut().zip(other.as_slice()) {
        *own -= factor * other;
    }
}

impl<M: ElementSystem, F: Frames<M>> LoopElimination<M, F> {
    /// Eliminates all rows, and solves for a force in the same backward pass, except for the terms with the
    /// accelerations of frames. It stops at a loop that needs pivoting.
    pub(in super::super) fn factorise(
        &mut self,
        tree: &mut TreeElimination<'_, M, F>,
        jacobians: [&[M::Scalar]; 2],
        epsilon: Option<f64>,
        unknowns: &mut KktUnknowns<'_, M, F>,
    ) -> Result<EliminationOutcome, PivotError> {
        self.detect_reach(tree.structure, jacobians);
        self.rows_storage.blocks.fill(M::Scalar::from_f64(0.0));
        self.rows_storage.scales.fill(0.0);
        self.reset_augmented(tree.inertias);
        let outcome = self.backward_pass::<true>(tree, jacobians, unknowns);
        if outcome == EliminationOutcome::Done {
            let plan = self.plan.clone();
            self.factorise_base(&plan, epsilon)?;
        }
        Ok(outcome)
    }

    /// Eliminates the rows of a loop at the frame where it closes.
    #[inline(never)]
    pub(super) fn eliminate_loop<const R: usize>(&mut self, plan: &EliminationPlan, place: usize, one: &Loop) -> bool {
        let (n, rows) = (F::FRAME, count::<R>(&one.rows));
        let LoopElimination { rows_storage: RowStorage { sums, blocks, scales, .. }, solved, augmented, .. } =
            &mut *self;
        if !factor_block(&mut blocks[one.block..], &scales[one.rows.start..], rows) {
            return false;
        }
        let factors = &blocks[one.block..][..rows * rows];
        let (needed, asked) = sums[one.sums..][..2 * rows].split_at(rows);
        let solved = &mut solved[one.solved..][..rows];
        solved.copy_from_slice(asked);
        solve_block(factors, solved, rows, take, |own, factor| {
            own.as_mut_slice().iter_mut().for_each(|own| *own *= factor);
        });
        // I + w S⁻¹ vᵀ.
        let inertia = &mut augmented[place].inertia.as_mut_slice()[..n * n];
        for (w, v) in needed.iter().zip(&*solved) {
            for (line, &w) in inertia.chunks_exact_mut(n).zip(w.as_slice()) {
                line.iter_mut().zip(v.as_slice()).for_each(|(entry, &v)| *entry += w * v);
            }
        }
        if !one.neighbours.is_empty() {
            self.update_neighbours(plan, one);
        }
        true
    }

    /// Updates the other rows that share joints with the loop.
    fn update_neighbours(&mut self, plan: &EliminationPlan, one: &Loop) {
        let LoopElimination { rows_storage: RowStorage { sums, blocks, .. }, solved, off_diagonal, .. } = self;
        let solved = &solved[one.solved..];
        let rows = one.rows.len();
        let mut start = one.off_diagonal;
        for neighbour in &one.neighbours {
            // S⁻¹ S₁₂, column by column.
            for column in plan.columns(neighbour) {
                let own = &mut off_diagonal[start..start + rows];
                for (k, own) in own.iter_mut().enumerate() {
                    *own = blocks[neighbour.blocks[0] + k * plan.columns(neighbour).len() + column];
                }
                solve_numbers(&blocks[one.block..], own, rows);
                start += rows;
            }
        }
        let mut first = one.off_diagonal;
        for neighbour in &one.neighbours {
            let (below, members_without_frames) = (neighbour.blocks[1], plan.columns(neighbour).len());
            for other in 0..members_without_frames {
                for k in 0..rows {
                    // w₂ and v₂.
                    let (of_force, of_row) = (off_diagonal[first + other * rows + k], blocks[below + other * rows + k]);
                    let force = sums[one.sums + k];
                    take(&mut sums[neighbour.sums + other], of_force, &force);
                    take(&mut sums[neighbour.sums + members_without_frames + other], of_row, &solved[k]);
                }
            }
            first += rows * members_without_frames;
            let mut start = one.off_diagonal;
            for (third, &update) in one.neighbours.iter().zip(&neighbour.updates) {
                let columns = plan.columns(third).len();
                for other in 0..members_without_frames {
                    for column in 0..columns {
                        let known = &off_diagonal[start + column * rows..][..rows];
                        let term = dot(&blocks[below + other * rows..][..rows], known);
                        blocks[update + other * columns + column] -= term;
                    }
                }
                start += rows * columns;
            }
        }
    }

    /// Eliminates the rows at the base.
    fn factorise_base(&mut self, plan: &EliminationPlan, epsilon: Option<f64>) -> Result<(), PivotError> {
        let LoopElimination { base, rows_storage: RowStorage { blocks, .. }, .. } = self;
        base.factorise(|band| {
            for &([one, other], [row, column], block) in &plan.base_blocks {
                let (rows, columns) = (plan.loops[one].rows.len(), plan.loops[other].rows.len());
                for i in 0..rows {
                    for j in 0..columns {
                        band.add(row + i, column + j, blocks[block + i * columns + j]);
                    }
                }
            }
            if let Some(epsilon) = epsilon {
                relax(band, epsilon);
            }
        })
    }
}
