//! Accelerations and multipliers, once everything is eliminated.
//!
//! Loops run over sizes known at compile time, in indices, so that they are unrolled.

#![allow(clippy::needless_range_loop)]

use super::super::add;
use super::super::factor::{inwards, outwards};
use super::super::own::others;
use super::factors::solve_numbers;
use super::plan::{Loop, Plan};
use super::{Eliminated, Frames, Loops, by_rows, count};
use crate::scalar::Scalar;
use crate::system::Block;
use crate::system::chain::ElementSystem;

impl<M: ElementSystem, F: Frames<M>> Loops<M, F> {
    /// ρ += b₂ᵀ s of every row of a loop at a joint.
    #[inline(always)]
    fn gather_rest<const R: usize>(&mut self, one: &Loop, at: usize, solved: &[M::Scalar]) {
        let (rows, size) = (count::<R>(one), solved.len());
        let entries = &self.entries[1][at..][..rows * size];
        let rest = &mut self.rest[one.rows.start..][..rows];
        for row in 0..rows {
            for k in 0..size {
                rest[row] += entries[row * size + k] * solved[k];
            }
        }
    }

    /// s −= D⁻¹ b₁ λ.
    #[inline(always)]
    fn take_reactions<const R: usize>(&self, one: &Loop, at: usize, out: &mut [M::Scalar]) {
        let (rows, size) = (count::<R>(one), out.len());
        let entries = &self.entries[0][at..][..rows * size];
        let multipliers = &self.rest[one.rows.start..][..rows];
        for row in 0..rows {
            for k in 0..size {
                out[k] -= entries[row * size + k] * multipliers[row];
            }
        }
    }

    /// Solves for a force, or for none.
    pub(super) fn solve(
        &mut self,
        tree: &Eliminated<'_, M, F>,
        vectors: &mut [F::Vector],
        force: Option<&[M::Scalar]>,
        constraint: &[M::Scalar],
        acceleration: &mut [M::Scalar],
        multipliers: &mut [M::Scalar],
    ) {
        let (plan, zero) = (self.plan.clone(), M::Scalar::from_f64(0.0));
        let links = tree.structure.tree().links();
        for (rest, &row) in self.rest.iter_mut().zip(&plan.rows) {
            *rest = -constraint[row];
        }
        match force {
            Some(force) => acceleration.copy_from_slice(force),
            None => acceleration.fill(zero),
        }
        for (place, other) in (links.len()..).zip(others(tree.structure)) {
            let n = other.dimension;
            let own = &mut acceleration[other.offset..other.offset + n];
            if let Some(force) = force {
                let force = &force[other.offset..other.offset + n];
                for (out, row) in own.iter_mut().zip(tree.blocks[other.block..][..n * n].chunks_exact(n)) {
                    *out = row.iter().zip(force).fold(zero, |sum, (&a, &b)| sum + a * b);
                }
            }
            for incidence in &plan.incidences[place] {
                self.gather_rest::<0>(&plan.loops[incidence.index], incidence.entries, own);
            }
        }
        vectors.fill(F::Vector::zeros());
        for (place, link) in links.iter().enumerate().rev() {
            for &index in &plan.closing[place] {
                let one = &plan.loops[index];
                by_rows!(one, self.take_out(&plan, one, &mut vectors[place]));
            }
            let (mut needed, pulled) = F::pull_along(tree.system, link, &tree.joints[place].jacobian, &vectors[place]);
            if let Some(range) = link.components() {
                let bent = plan.is_bent[place].then(|| &self.bent[place]);
                let factors = bent.map_or(&tree.joints[place].factors, |bent| &bent.factors);
                let gains = bent.map_or(&tree.joints[place].gains, |bent| &bent.gains[0]);
                let mut rest = F::Member::zeros();
                let known = acceleration[range].iter().zip(pulled.as_slice());
                for (rest, (&force, &pulled)) in rest.as_mut_slice().iter_mut().zip(known) {
                    *rest = force - pulled;
                }
                let solved = inwards::<M, F>(factors, gains, &rest, &mut needed);
                link.set(acceleration, &solved);
                for incidence in &plan.incidences[place] {
                    let (one, at) = (&plan.loops[incidence.index], incidence.entries);
                    by_rows!(one, self.gather_rest(one, at, &solved.as_slice()[..F::MEMBER]));
                }
            }
            if let Some(above) = vectors.get_mut(link.parent) {
                add(above, &needed);
            }
        }
        self.solve_base();
        for (place, link) in links.iter().enumerate() {
            let u = vectors.get(link.parent).copied().unwrap_or_else(F::Vector::zeros);
            let mut own = link.of::<M::Scalar, F::Member>(acceleration);
            if link.components().is_some() {
                for incidence in &plan.incidences[place] {
                    let (one, at) = (&plan.loops[incidence.index], incidence.entries);
                    by_rows!(one, self.take_reactions(one, at, &mut own.as_mut_slice()[..F::MEMBER]));
                }
                let bent = plan.is_bent[place].then(|| &self.bent[place]);
                let gains = bent.map_or(&tree.joints[place].gains, |bent| &bent.gains[1]);
                outwards::<M, F>(gains, &u, &mut own);
                link.set(acceleration, &own);
            }
            vectors[place] = F::push_along(tree.system, link, &tree.joints[place].jacobian, &u, &own);
            for &index in plan.closing[place].iter().rev() {
                let one = &plan.loops[index];
                by_rows!(one, self.put_in(&plan, one, &vectors[place]));
            }
        }
        for (place, other) in (links.len()..).zip(others(tree.structure)) {
            for incidence in &plan.incidences[place] {
                let own = &mut acceleration[other.offset..other.offset + other.dimension];
                self.take_reactions::<0>(&plan.loops[incidence.index], incidence.entries, own);
            }
        }
        for (&rest, &row) in self.rest.iter().zip(&plan.rows) {
            multipliers[row] = rest;
        }
    }

    /// S⁻¹ ρ of a loop at the frame where it closes, and what that leaves: p − w S⁻¹ ρ and ρ₂ − S₂₁ S⁻¹ ρ.
    #[inline]
    fn take_out<const R: usize>(&mut self, plan: &Plan, one: &Loop, needed: &mut F::Vector) {
        let rows = count::<R>(one);
        let Loops { blocks, sums, rest, .. } = self;
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
    #[inline]
    fn put_in<const R: usize>(&mut self, plan: &Plan, one: &Loop, u: &F::Vector) {
        let rows = count::<R>(one);
        let Loops { solved, beside, rest, .. } = self;
        for (own, v) in rest[one.rows.start..][..rows].iter_mut().zip(&solved[one.solved..]) {
            *own = v.as_slice().iter().zip(u.as_slice()).fold(*own, |sum, (&v, &u)| sum - v * u);
        }
        let mut start = one.beside;
        for neighbour in &one.neighbours {
            for other in plan.loops[neighbour.index].rows.clone() {
                let known = rest[other];
                for (k, &factor) in beside[start..start + rows].iter().enumerate() {
                    rest[one.rows.start + k] -= factor * known;
                }
                start += rows;
            }
        }
    }

    /// λ of the rows at the base.
    #[inline]
    fn solve_base(&mut self) {
        let Loops { plan, base, rest, at_base, .. } = self;
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
