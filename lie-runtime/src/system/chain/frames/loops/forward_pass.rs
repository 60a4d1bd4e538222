//! The forward pass: multipliers and accelerations from the eliminated rows and joints.
//!
//! Loops have sizes known at compile time and use indices, so that they are unrolled.

#![allow(clippy::needless_range_loop)]

use super::super::Frames;
use super::super::joint_factorisation::forward_pass;
use super::super::joint_terms::members_without_frames;
use super::elimination_plan::{EliminationPlan, Loop, RowIncidence};
use super::factorisation::solve_numbers;
use super::workspace::{KktUnknowns, LoopElimination, RowStorage, TreeElimination, by_rows, count};
use crate::system::Block;
use crate::system::chain::ElementSystem;

impl<M: ElementSystem, F: Frames<M>> LoopElimination<M, F> {
    /// s −= D⁻¹ b₁ λ.
    #[inline(always)]
    fn take_reactions<const R: usize>(&self, incidence: &RowIncidence, out: &mut [M::Scalar]) {
        let (rows, size) = (count::<R>(&incidence.rows), out.len());
        let entries = &self.rows_storage.entries[incidence.entries..][..rows * size];
        let multipliers = &self.rows_storage.rest[incidence.rows.start..][..rows];
        for row in 0..rows {
            for k in 0..size {
                out[k] -= entries[row * size + k] * multipliers[row];
            }
        }
    }

    /// Solves for another right-hand side with the stored factors.
    pub(in super::super) fn solve(
        &mut self,
        tree: &mut TreeElimination<'_, M, F>,
        unknowns: &mut KktUnknowns<'_, M, F>,
    ) {
        self.backward_pass::<false>(tree, [&[]; 2], unknowns);
        self.forward_pass(tree, unknowns);
    }

    /// Runs the forward pass from the base after a backward pass.
    pub(in super::super) fn forward_pass(
        &mut self,
        tree: &TreeElimination<'_, M, F>,
        unknowns: &mut KktUnknowns<'_, M, F>,
    ) {
        let KktUnknowns { vectors, acceleration, multipliers, .. } = unknowns;
        let plan = self.plan.clone();
        let links = tree.structure.tree().links();
        let (at_frames, elsewhere) = plan.stops.split_at(links.len());
        self.solve_base();
        for (place, ((link, stop), joint)) in links.iter().zip(at_frames).zip(&*tree.joints).enumerate() {
            let u = vectors.get(link.parent).copied().unwrap_or_else(F::Vector::zeros);
            let mut own = link.of::<M::Scalar, F::Member>(acceleration);
            if link.components().is_some() {
                for incidence in &stop.incidences {
                    by_rows!(incidence, self.take_reactions(incidence, &mut own.as_mut_slice()[..F::MEMBER]));
                }
                let augmented = self.augmented.get(place).filter(|_| stop.is_augmented);
                forward_pass::<M, F>(
                    augmented.map_or(&joint.gains, |augmented| &augmented.gains[1]),
                    &u,
                    &mut own,
                    F::MEMBER,
                );
                link.set(acceleration, &F::from_tangent_basis(link, tree.q, &joint.jacobian, &own));
            }
            let moved = F::push_along(tree.system, link, &joint.jacobian, &u, &own);
            vectors[place] = moved;
            for &index in stop.closing.iter().rev() {
                let one = &plan.loops[index];
                by_rows!(one, self.back_substitute(&plan, one, &moved));
            }
        }
        for (stop, other) in elsewhere.iter().zip(members_without_frames(tree.structure)) {
            for incidence in &stop.incidences {
                let own = &mut acceleration[other.offset..other.offset + other.dimension];
                self.take_reactions::<0>(incidence, own);
            }
        }
        for (&rest, &row) in self.rows_storage.rest.iter().zip(&plan.rows) {
            multipliers[row] = rest;
        }
    }

    /// Computes S⁻¹ ρ of a loop at its closing frame, and updates p − w S⁻¹ ρ and ρ₂ − S₂₁ S⁻¹ ρ.
    #[inline(never)]
    pub(super) fn eliminate_right_hand_side<const R: usize>(
        &mut self,
        plan: &EliminationPlan,
        one: &Loop,
        needed: &mut F::Vector,
    ) {
        let rows = count::<R>(&one.rows);
        let RowStorage { blocks, sums, rest, .. } = &mut self.rows_storage;
        solve_numbers(&blocks[one.block..], &mut rest[one.rows.start..][..rows], rows);
        for (k, w) in sums[one.sums..][..rows].iter().enumerate() {
            let factor = rest[one.rows.start + k];
            for (needed, &w) in needed.as_mut_slice().iter_mut().zip(w.as_slice()) {
                *needed -= factor * w;
            }
            for neighbour in &one.neighbours {
                for (row, other) in plan.loops[neighbour.index].rows.clone().enumerate() {
                    let term = blocks[neighbour.blocks[1] + row * rows + k] * factor;
                    rest[other] -= term;
                }
            }
        }
    }

    /// λ = S⁻¹ (ρ − vᵀ u' − S₁₂ λ₂).
    #[inline(never)]
    fn back_substitute<const R: usize>(&mut self, plan: &EliminationPlan, one: &Loop, u: &F::Vector) {
        let rows = count::<R>(&one.rows);
        let LoopElimination { solved, off_diagonal, rows_storage: RowStorage { rest, .. }, .. } = self;
        for (own, v) in rest[one.rows.start..][..rows].iter_mut().zip(&solved[one.solved..]) {
            *own = v.as_slice().iter().zip(u.as_slice()).fold(*own, |sum, (&v, &u)| sum - v * u);
        }
        let mut start = one.off_diagonal;
        for neighbour in &one.neighbours {
            for other in plan.loops[neighbour.index].rows.clone() {
                let known = rest[other];
                for (k, &factor) in off_diagonal[start..start + rows].iter().enumerate() {
                    rest[one.rows.start + k] -= factor * known;
                }
                start += rows;
            }
        }
    }

    /// Solves for λ of the rows at the base.
    #[inline]
    fn solve_base(&mut self) {
        let LoopElimination { plan, base, rows_storage: RowStorage { rest, .. }, at_base, .. } = self;
        for &(index, first) in &plan.base {
            let own = plan.loops[index].rows.clone();
            at_base[first..first + own.len()].copy_from_slice(&rest[own]);
        }
        base.solve(at_base);
        for &(index, first) in &plan.base {
            let own = plan.loops[index].rows.clone();
            let length = own.len();
            rest[own].copy_from_slice(&at_base[first..first + length]);
        }
    }
}
