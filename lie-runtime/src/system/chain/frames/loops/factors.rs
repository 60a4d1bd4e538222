//! S, and what rows ask of the frames that they pass.

use super::super::add;
use super::super::factor::{SAFE_PIVOT, inwards, row_inwards};
use super::super::own::others;
use super::bent::Bent;
use super::plan::{Incidence, Loop, Plan, Stop};
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
    let row = row * incidence.stride;
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
    // Not 0 + …, which costs an addition where it adds nothing.
    a.iter().zip(b).map(|(&a, &b)| a * b).reduce(|sum, term| sum + term).unwrap_or_else(S::zero)
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

/// A joint that rows pass, of `size` components.
struct Passed<'a, M: ElementSystem, F: Frames<M>> {
    system: &'a M,
    link: &'a Link,
    jacobian: &'a F::Jacobian,
    factors: &'a F::MemberMatrix,
    /// Those of the forces, and those of the equations.
    gains: [&'a F::Mixed; 2],
    size: usize,
}

/// What is kept of rows.
struct Kept<'a, S, V> {
    sums: &'a mut [V],
    entries: [&'a mut [S]; 2],
    blocks: &'a mut [S],
    scales: &'a mut [f64],
}

impl<M: ElementSystem, F: Frames<M>> Passed<'_, M, F> {
    /// Takes the rows of a loop past the joint, and adds what it contributes to their block of S.
    #[inline(never)]
    fn pass<const R: usize>(
        &self,
        incidence: &Incidence,
        jacobians: [&[M::Scalar]; 2],
        kept: &mut Kept<'_, M::Scalar, F::Vector>,
    ) {
        let Kept { sums, entries: [of_forces, of_rows], blocks, scales } = kept;
        let ([first, second], rows) = (jacobians, incidence.rows.len());
        if R == 0 {
            for row in 0..rows {
                self.pass_side::<1, true>(incidence, [row, row], first, of_forces, sums);
                self.pass_side::<1, false>(incidence, [row, rows + row], second, of_rows, sums);
            }
        } else {
            self.pass_side::<R, true>(incidence, [0, 0], first, of_forces, sums);
            self.pass_side::<R, false>(incidence, [0, R], second, of_rows, sums);
        }
        if self.size > 0 {
            add_own_block::<_, R>(incidence, [of_forces, of_rows], F::MEMBER, blocks, scales);
        }
    }

    /// Takes `R` rows past it, side by side: those of the forces, D⁻¹ b₁, or those of the equations, b₂. They start at a row of the loop, and at
    /// a covector of all that are summed up for it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pass_side<const R: usize, const OF_FORCES: bool>(
        &self,
        incidence: &Incidence,
        [first, at]: [usize; 2],
        jacobian: &[M::Scalar],
        entries: &mut [M::Scalar],
        sums: &mut [F::Vector],
    ) {
        let m = F::MEMBER;
        let (mut asked, mut rest) = ([F::Vector::zeros(); R], [F::Member::zeros(); R]);
        for (row, rest) in rest.iter_mut().enumerate() {
            let known = &mut rest.as_mut_slice()[..m];
            // Most joints are as large as the largest.
            match self.size {
                0 => {}
                size if size == m => gather(jacobian, incidence, first + row, known),
                size => gather(jacobian, incidence, first + row, &mut known[..size]),
            }
        }
        if !incidence.is_end {
            let behind = &sums[incidence.sums + at..][..R];
            for row in 0..R {
                let (above, pulled) = F::pull_along(self.system, self.link, self.jacobian, &behind[row]);
                asked[row] = above;
                let known = rest[row].as_mut_slice()[..m].iter_mut();
                known.zip(pulled.as_slice()).for_each(|(rest, &pulled)| *rest -= pulled);
            }
        }
        if self.size > 0 {
            let entries = &mut entries[incidence.entries + first * m..][..R * m];
            for row in 0..R {
                if OF_FORCES {
                    rest[row] = inwards::<M, F>(self.factors, self.gains[0], &rest[row], &mut asked[row]);
                } else {
                    row_inwards::<M, F>(self.gains[1], &rest[row], &mut asked[row]);
                }
                entries[row * m..][..m].copy_from_slice(&rest[row].as_slice()[..m]);
            }
        }
        if let Some(target) = incidence.target {
            let target = &mut sums[target + at..][..R];
            for row in 0..R {
                add(&mut target[row], &asked[row]);
            }
        }
    }
}

/// Adds what a joint contributes to the block of one loop in S, from where its entries stand, as many numbers a row as it has components.
#[cfg_attr(not(debug_assertions), inline(always))]
fn add_own_block<S: Scalar, const R: usize>(
    incidence: &Incidence,
    entries: [&[S]; 2],
    stride: usize,
    blocks: &mut [S],
    scales: &mut [f64],
) {
    let rows = count::<R>(&incidence.rows);
    let [first, second] = entries.map(|entries| &entries[incidence.entries..][..rows * stride]);
    let block = &mut blocks[incidence.block..][..rows * rows];
    let scales = &mut scales[incidence.rows.start..][..rows];
    for i in 0..rows {
        for j in 0..rows {
            let term = dot(&second[i * stride..][..stride], &first[j * stride..][..stride]);
            block[i * rows + j] += term;
            if i == j {
                scales[i] += term.value().abs();
            }
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
        let links = tree.structure.tree().links();
        for (place, (link, stop)) in links.iter().zip(&plan.stops).enumerate().rev() {
            for &index in &stop.closing {
                let one = &plan.loops[index];
                if self.reaches {
                    self.reach_on(one, jacobians);
                }
                if !by_rows!(one, self.close(&plan, place, one)) {
                    return Ok(Outcome::UnsafeRows(index));
                }
            }
            if stop.is_bent && !self.bend(tree, place) {
                return Ok(Outcome::UnsafeJoint);
            }
            if !stop.incidences.is_empty() {
                self.pass(tree, (place, link), stop, jacobians);
            }
        }
        for (stop, other) in plan.stops[links.len()..].iter().zip(others(tree.structure)) {
            let size = other.dimension;
            let inverse = &tree.blocks[other.block..other.block + size * size];
            for incidence in &stop.incidences {
                for row in 0..incidence.rows.len() {
                    let own = incidence.entries + row * size..incidence.entries + (row + 1) * size;
                    let [weighted, plain] = &mut self.entries;
                    // M⁻¹ is symmetric; the entries of B₂ are not needed yet.
                    let (weighted, plain) = (&mut weighted[own.clone()], &mut plain[own]);
                    plain.fill(zero);
                    gather(jacobians[0], incidence, row, plain);
                    for (out, line) in weighted.iter_mut().zip(inverse.chunks_exact(size)) {
                        *out = dot(line, plain);
                    }
                    plain.fill(zero);
                    gather(jacobians[1], incidence, row, plain);
                }
                let [first, second] = &self.entries;
                add_own_block::<_, 0>(incidence, [first, second], size, &mut self.blocks, &mut self.scales);
            }
            if stop.incidences.len() > 1 {
                self.couple(stop, size);
            }
        }
        self.factorise_base(&plan, epsilon)?;
        Ok(Outcome::Done)
    }

    /// Takes all rows past a joint.
    #[inline]
    fn pass(
        &mut self,
        tree: &Eliminated<'_, M, F>,
        (place, link): (usize, &Link),
        stop: &Stop,
        jacobians: [&[M::Scalar]; 2],
    ) {
        let Loops { sums, entries: [of_forces, of_rows], blocks, scales, bent, .. } = &mut *self;
        let (system, joint) = (tree.system, &tree.joints[place]);
        let (factors, gains) = if stop.is_bent {
            let Bent { factors, gains: [of_forces, of_rows], .. } = &bent[place];
            (factors, [of_forces, of_rows])
        } else {
            (&joint.factors, [&joint.gains; 2])
        };
        let size = link.components().map_or(0, |own| own.len());
        let joint = Passed::<M, F> { system, link, jacobian: &joint.jacobian, factors, gains, size };
        let mut kept = Kept { sums, entries: [of_forces, of_rows], blocks, scales };
        for incidence in &stop.incidences {
            by_rows!(incidence, joint.pass(incidence, jacobians, &mut kept));
        }
        if size > 0 && stop.incidences.len() > 1 {
            self.couple(stop, F::MEMBER);
        }
    }

    /// Adds what a joint contributes to the blocks of any two loops.
    #[inline(never)]
    fn couple(&mut self, Stop { incidences, pairs, .. }: &Stop, stride: usize) {
        let [first, second] = &self.entries;
        for (one, blocks) in incidences.iter().zip(pairs.chunks_exact(incidences.len())) {
            let rows = &second[one.entries..][..one.rows.len() * stride];
            for (other, &block) in incidences.iter().zip(blocks).filter(|(other, _)| other.index != one.index) {
                let columns = other.rows.len();
                let weighted = &first[other.entries..][..columns * stride];
                let out = self.blocks[block..][..one.rows.len() * columns].chunks_exact_mut(columns);
                for (row, out) in rows.chunks_exact(stride).zip(out) {
                    for (out, column) in out.iter_mut().zip(weighted.chunks_exact(stride)) {
                        *out += dot(row, column);
                    }
                }
            }
        }
    }

    /// Eliminates the rows of a loop at the frame where it closes.
    #[inline(never)]
    fn close<const R: usize>(&mut self, plan: &Plan, place: usize, one: &Loop) -> bool {
        let (n, rows) = (F::FRAME, count::<R>(&one.rows));
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
