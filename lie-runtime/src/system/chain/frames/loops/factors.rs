//! S, and what rows ask of the frames that they pass.

use super::super::add;
use super::super::factor::{SAFE_PIVOT, inwards, row_inwards};
use super::super::own::others;
use super::bent::Bent;
use super::plan::{Incidence, Loop, Plan};
use super::{Eliminated, Frames, Link, Loops, by_rows, count};
use crate::scalar::Scalar;
use crate::solve::PivotError;
use crate::system::Block;
use crate::system::chain::ElementSystem;
use crate::system::chain::redundant::relax;

/// How an elimination ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// With all rows eliminated.
    Done,
    /// Without a safe pivot of a loop, by its number.
    UnsafeRows(usize),
    /// Without one of a joint that carries what loops have added.
    UnsafeJoint,
}

/// A row of an element at a joint or at another member, by the columns that stand for it in the list of Jacobians: of a frame one.
#[inline(always)]
fn gather<S: Scalar>(jacobian: &[S], incidence: &Incidence, row: usize, out: &mut [S]) {
    if let Some(first) = incidence.column {
        out.copy_from_slice(&jacobian[first + row..][..out.len()]);
    }
    for &column in &incidence.others {
        out.iter_mut().zip(&jacobian[column + row..]).for_each(|(out, &entry)| *out += entry);
    }
}

/// aᵀ b.
#[inline]
fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    a.iter().zip(b).fold(S::zero(), |sum, (&a, &b)| sum + a * b)
}

/// L U in the place of a matrix, L with a diagonal of ones and the inverse pivots on that of U; false if one is not safe.
#[cfg_attr(not(debug_assertions), inline(always))]
fn factor_block<S: Scalar>(matrix: &mut [S], scales: &[f64], n: usize) -> bool {
    let (matrix, scales) = (&mut matrix[..n * n], &scales[..n]);
    for k in 0..n {
        let pivot = matrix[k * n + k];
        // NaN is not above anything.
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

/// S⁻¹ x in the place of n numbers or vectors; `take` subtracts a multiple, `scale` multiplies.
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

/// S⁻¹ x in the place of n numbers.
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

/// Takes rows past a joint, those of the forces, with D⁻¹ in its `factors`, or those of the equations; `first` are those before them where
/// both are summed up.
#[inline(always)]
fn pass_rows<M: ElementSystem, F: Frames<M>>(
    (system, link, moved): (&M, &Link, Option<&F::Jacobian>),
    gains: &F::Mixed,
    factors: Option<&F::MemberMatrix>,
    (incidence, stride, size): (&Incidence, usize, usize),
    first: usize,
    (jacobian, entries): (&[M::Scalar], &mut [M::Scalar]),
    sums: &mut [F::Vector],
) {
    let m = F::MEMBER;
    for (row, entries) in entries.chunks_exact_mut(m).enumerate() {
        let (mut needed, mut rest) = (F::Vector::zeros(), F::Member::zeros());
        let known = &mut rest.as_mut_slice()[..m];
        // Most joints are as large as the largest.
        match size {
            0 => {}
            size if size == m => gather(jacobian, incidence, row * stride, known),
            size => gather(jacobian, incidence, row * stride, &mut known[..size]),
        }
        if let Some(moved) = moved {
            let (above, pulled) = F::pull_along(system, link, moved, &sums[incidence.sums + first + row]);
            needed = above;
            known.iter_mut().zip(pulled.as_slice()).for_each(|(rest, &pulled)| *rest -= pulled);
        }
        if size > 0 {
            match factors {
                Some(factors) => rest = inwards::<M, F>(factors, gains, &rest, &mut needed),
                None => row_inwards::<M, F>(gains, &rest, &mut needed),
            }
            entries.copy_from_slice(&rest.as_slice()[..m]);
        }
        if let Some(target) = incidence.target {
            add(&mut sums[target + first + row], &needed);
        }
    }
}

impl<M: ElementSystem, F: Frames<M>> Loops<M, F> {
    /// Eliminates all rows, unless some that are eliminated where they close need interchanges.
    pub(super) fn factorise(
        &mut self,
        tree: &mut Eliminated<'_, M, F>,
        jacobians: [&[M::Scalar]; 2],
        epsilon: Option<f64>,
    ) -> Result<Outcome, PivotError> {
        let zero = M::Scalar::from_f64(0.0);
        let plan = self.plan.clone();
        self.see_reach(tree.structure, jacobians);
        self.sums.fill(F::Vector::zeros());
        self.blocks.fill(zero);
        self.scales.fill(0.0);
        self.straighten(tree.inertias);
        for (place, link) in tree.structure.tree().links().iter().enumerate().rev() {
            for &index in &plan.closing[place] {
                let one = &plan.loops[index];
                if self.reaches {
                    self.reach_on(one, jacobians);
                }
                if !by_rows!(one, self.close(&plan, place, one)) {
                    return Ok(Outcome::UnsafeRows(index));
                }
            }
            if plan.is_bent[place] && !self.bend(tree, place) {
                return Ok(Outcome::UnsafeJoint);
            }
            let size = link.components().map_or(0, |own| own.len());
            for incidence in &plan.incidences[place] {
                let one = &plan.loops[incidence.index];
                by_rows!(one, self.pass(tree, (place, size), incidence, one, jacobians));
            }
            if size > 0 && plan.incidences[place].len() > 1 {
                self.couple(&plan, place, F::MEMBER);
            }
        }
        let first = tree.structure.tree().links().len();
        for (place, other) in (first..).zip(others(tree.structure)) {
            let size = other.dimension;
            let inverse = &tree.blocks[other.block..other.block + size * size];
            for incidence in &plan.incidences[place] {
                let one = &plan.loops[incidence.index];
                for row in 0..one.rows.len() {
                    let own = incidence.entries + row * size..incidence.entries + (row + 1) * size;
                    let [weighted, plain] = &mut self.entries;
                    // M⁻¹ is symmetric; the entries of B₂ are not needed yet.
                    let (weighted, plain) = (&mut weighted[own.clone()], &mut plain[own]);
                    plain.fill(zero);
                    gather(jacobians[0], incidence, row * one.stride, plain);
                    for (out, line) in weighted.iter_mut().zip(inverse.chunks_exact(size)) {
                        *out = dot(line, plain);
                    }
                    plain.fill(zero);
                    gather(jacobians[1], incidence, row * one.stride, plain);
                }
                self.add_own_block::<0>(one, incidence.entries, size);
            }
            if plan.incidences[place].len() > 1 {
                self.couple(&plan, place, size);
            }
        }
        self.factorise_base(&plan, epsilon)?;
        Ok(Outcome::Done)
    }

    /// Takes the rows of a loop past a joint, those of the forces and those of the equations.
    #[inline]
    fn pass<const R: usize>(
        &mut self,
        tree: &Eliminated<'_, M, F>,
        (place, size): (usize, usize),
        incidence: &Incidence,
        one: &Loop,
        jacobians: [&[M::Scalar]; 2],
    ) {
        let Loops { plan, sums, entries, bent, .. } = &mut *self;
        let (m, rows) = (F::MEMBER, count::<R>(one));
        let (factors, gains) = if plan.is_bent[place] {
            let Bent { factors, gains: [of_forces, of_rows], .. } = &bent[place];
            (factors, [of_forces, of_rows])
        } else {
            (&tree.joints[place].factors, [&tree.joints[place].gains; 2])
        };
        let (joint, link) = (&tree.joints[place], &tree.structure.tree().links()[place]);
        let [of_forces, of_rows] = entries;
        let joints = (tree.system, link, (!incidence.is_end).then_some(&joint.jacobian));
        let sums = &mut sums[..];
        let of_forces = (jacobians[0], &mut of_forces[incidence.entries..][..rows * m]);
        pass_rows::<M, F>(joints, gains[0], Some(factors), (incidence, one.stride, size), 0, of_forces, sums);
        let of_rows = (jacobians[1], &mut of_rows[incidence.entries..][..rows * m]);
        pass_rows::<M, F>(joints, gains[1], None, (incidence, one.stride, size), rows, of_rows, sums);
        if size > 0 {
            self.add_own_block::<R>(one, incidence.entries, m);
        }
    }

    /// Adds what a joint contributes to the block of one loop in S, from where its entries stand.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_own_block<const R: usize>(&mut self, one: &Loop, at: usize, stride: usize) {
        let rows = count::<R>(one);
        let [first, second] = &self.entries;
        let (first, second) = (&first[at..][..rows * stride], &second[at..][..rows * stride]);
        let blocks = &mut self.blocks[one.block..][..rows * rows];
        let scales = &mut self.scales[one.rows.start..][..rows];
        for i in 0..rows {
            for j in 0..rows {
                let term = dot(&second[i * stride..][..stride], &first[j * stride..][..stride]);
                blocks[i * rows + j] += term;
                if i == j {
                    scales[i] += term.value().abs();
                }
            }
        }
    }

    /// Adds what a joint contributes to the blocks of any two loops.
    #[inline]
    fn couple(&mut self, plan: &Plan, place: usize, stride: usize) {
        let incidences = &plan.incidences[place];
        let [first, second] = &self.entries;
        let rows_of = |incidence: &Incidence| plan.loops[incidence.index].rows.len();
        for (one, blocks) in incidences.iter().zip(plan.pairs[place].chunks_exact(incidences.len())) {
            let rows = &second[one.entries..][..rows_of(one) * stride];
            for (other, &block) in incidences.iter().zip(blocks).filter(|(other, _)| other.index != one.index) {
                let columns = rows_of(other);
                let weighted = &first[other.entries..][..columns * stride];
                let out = self.blocks[block..][..rows_of(one) * columns].chunks_exact_mut(columns);
                for (row, out) in rows.chunks_exact(stride).zip(out) {
                    for (out, column) in out.iter_mut().zip(weighted.chunks_exact(stride)) {
                        *out += dot(row, column);
                    }
                }
            }
        }
    }

    /// Eliminates the rows of a loop at the frame where it closes.
    #[inline]
    fn close<const R: usize>(&mut self, plan: &Plan, place: usize, one: &Loop) -> bool {
        let (n, rows) = (F::FRAME, count::<R>(one));
        let Loops { sums, blocks, scales, solved, bent, .. } = &mut *self;
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
        let inertia = &mut bent[place].inertia.as_mut_slice()[..n * n];
        for (w, v) in needed.iter().zip(&*solved) {
            for (line, &w) in inertia.chunks_exact_mut(n).zip(w.as_slice()) {
                line.iter_mut().zip(v.as_slice()).for_each(|(entry, &v)| *entry += w * v);
            }
        }
        if !one.neighbours.is_empty() {
            self.close_beside(plan, one);
        }
        true
    }

    /// What that leaves of others that share joints with the loop.
    fn close_beside(&mut self, plan: &Plan, one: &Loop) {
        let Loops { sums, blocks, solved, beside, .. } = self;
        let solved = &solved[one.solved..];
        let rows = one.rows.len();
        let mut start = one.beside;
        for neighbour in &one.neighbours {
            // S⁻¹ S₁₂, column by column.
            for column in plan.columns(neighbour) {
                let own = &mut beside[start..start + rows];
                for (k, own) in own.iter_mut().enumerate() {
                    *own = blocks[neighbour.blocks[0] + k * plan.columns(neighbour).len() + column];
                }
                solve_numbers(&blocks[one.block..], own, rows);
                start += rows;
            }
        }
        let mut first = one.beside;
        for neighbour in &one.neighbours {
            let (below, others) = (neighbour.blocks[1], plan.columns(neighbour).len());
            for other in 0..others {
                for k in 0..rows {
                    // w₂ and v₂.
                    let (of_force, of_row) = (beside[first + other * rows + k], blocks[below + other * rows + k]);
                    let force = sums[one.sums + k];
                    take(&mut sums[neighbour.sums + other], of_force, &force);
                    take(&mut sums[neighbour.sums + others + other], of_row, &solved[k]);
                }
            }
            first += rows * others;
            let mut start = one.beside;
            for (third, &update) in one.neighbours.iter().zip(&neighbour.updates) {
                let columns = plan.columns(third).len();
                for other in 0..others {
                    for column in 0..columns {
                        let known = &beside[start + column * rows..][..rows];
                        let term = dot(&blocks[below + other * rows..][..rows], known);
                        blocks[update + other * columns + column] -= term;
                    }
                }
                start += rows * columns;
            }
        }
    }

    /// Eliminates the rows that are left at the base.
    fn factorise_base(&mut self, plan: &Plan, epsilon: Option<f64>) -> Result<(), PivotError> {
        let Loops { base, blocks, .. } = self;
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
