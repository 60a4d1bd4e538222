//! Accelerations and multipliers, once everything is eliminated.
//!
//! Loops run over sizes known at compile time, in indices, so that they are unrolled.

#![allow(clippy::needless_range_loop)]

use super::super::add;
use super::super::factor::{inwards, outwards};
use super::super::own::others;
use super::factors::solve_numbers;
use super::plan::{Incidence, Loop, Plan};
use super::{Eliminated, Frames, Loops, by_rows, count};
use crate::scalar::Scalar;
use crate::system::Block;
use crate::system::chain::ElementSystem;

impl<M: ElementSystem, F: Frames<M>> Loops<M, F> {
    /// ρ += b₂ᵀ s of every row of a loop at a joint.
    #[inline(always)]
    fn gather_rest<const R: usize>(&mut self, incidence: &Incidence, solved: &[M::Scalar]) {
        let (rows, size) = (count::<R>(&incidence.rows), solved.len());
        let entries = &self.entries[1][incidence.entries..][..rows * size];
        let rest = &mut self.rest[incidence.rows.start..][..rows];
        for row in 0..rows {
            for k in 0..size {
                rest[row] += entries[row * size + k] * solved[k];
            }
        }
    }

    /// s −= D⁻¹ b₁ λ.
    #[inline(always)]
    fn take_reactions<const R: usize>(&self, incidence: &Incidence, out: &mut [M::Scalar]) {
        let (rows, size) = (count::<R>(&incidence.rows), out.len());
        let entries = &self.entries[0][incidence.entries..][..rows * size];
        let multipliers = &self.rest[incidence.rows.start..][..rows];
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
        let (at_frames, elsewhere) = plan.stops.split_at(links.len());
        for (stop, other) in elsewhere.iter().zip(others(tree.structure)) {
            let n = other.dimension;
            let own = &mut acceleration[other.offset..other.offset + n];
            if let Some(force) = force {
                let force = &force[other.offset..other.offset + n];
                for (out, row) in own.iter_mut().zip(tree.blocks[other.block..][..n * n].chunks_exact(n)) {
                    *out = row.iter().zip(force).fold(zero, |sum, (&a, &b)| sum + a * b);
                }
            }
            for incidence in &stop.incidences {
                self.gather_rest::<0>(incidence, own);
            }
        }
        vectors.fill(F::Vector::zeros());
        for (place, ((link, stop), joint)) in links.iter().zip(at_frames).zip(&*tree.joints).enumerate().rev() {
            for &index in &stop.closing {
                let one = &plan.loops[index];
                by_rows!(one, self.take_out(&plan, one, &mut vectors[place]));
            }
            let (mut needed, pulled) = F::pull_along(tree.system, link, &joint.jacobian, &vectors[place]);
            if link.components().is_some() {
                let (factors, gains) = match self.bent.get(place).filter(|_| stop.is_bent) {
                    Some(bent) => (&bent.factors, &bent.gains[0]),
                    None => (&joint.factors, &joint.gains),
                };
                let mut rest: F::Member = link.of(acceleration);
                rest.as_mut_slice().iter_mut().zip(pulled.as_slice()).for_each(|(rest, &pulled)| *rest -= pulled);
                let solved = inwards::<M, F>(factors, gains, &rest, &mut needed);
                link.set(acceleration, &solved);
                for incidence in &stop.incidences {
                    by_rows!(incidence, self.gather_rest(incidence, &solved.as_slice()[..F::MEMBER]));
                }
            }
            if let Some(above) = vectors.get_mut(link.parent) {
                add(above, &needed);
            }
        }
        self.solve_base();
        for (place, ((link, stop), joint)) in links.iter().zip(at_frames).zip(&*tree.joints).enumerate() {
            let u = vectors.get(link.parent).copied().unwrap_or_else(F::Vector::zeros);
            let mut own = link.of::<M::Scalar, F::Member>(acceleration);
            if link.components().is_some() {
                for incidence in &stop.incidences {
                    by_rows!(incidence, self.take_reactions(incidence, &mut own.as_mut_slice()[..F::MEMBER]));
                }
                let bent = self.bent.get(place).filter(|_| stop.is_bent);
                outwards::<M, F>(bent.map_or(&joint.gains, |bent| &bent.gains[1]), &u, &mut own);
                link.set(acceleration, &own);
            }
            let moved = F::push_along(tree.system, link, &joint.jacobian, &u, &own);
            vectors[place] = moved;
            for &index in stop.closing.iter().rev() {
                let one = &plan.loops[index];
                by_rows!(one, self.put_in(&plan, one, &moved));
            }
        }
        for (stop, other) in elsewhere.iter().zip(others(tree.structure)) {
            for incidence in &stop.incidences {
                let own = &mut acceleration[other.offset..other.offset + other.dimension];
                self.take_reactions::<0>(incidence, own);
            }
        }
        for (&rest, &row) in self.rest.iter().zip(&plan.rows) {
            multipliers[row] = rest;
        }
    }

    /// S⁻¹ ρ of a loop at the frame where it closes, and what that leaves: p − w S⁻¹ ρ and ρ₂ − S₂₁ S⁻¹ ρ.
    #[inline(never)]
    fn take_out<const R: usize>(&mut self, plan: &Plan, one: &Loop, needed: &mut F::Vector) {
        let rows = count::<R>(&one.rows);
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
    #[inline(never)]
    fn put_in<const R: usize>(&mut self, plan: &Plan, one: &Loop, u: &F::Vector) {
        let rows = count::<R>(&one.rows);
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
