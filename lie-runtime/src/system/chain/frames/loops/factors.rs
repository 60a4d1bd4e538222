//! S, and what rows ask of the frames that they pass.

use super::super::articulated::{others, pull};
use super::super::factor::{SAFE_PIVOT, factor_any, inwards, row_inwards};
use super::plan::{Incidence, Loop, Plan};
use super::{Bent, Eliminated, Frames, Loops};
use crate::scalar::Scalar;
use crate::solve::PivotError;
use crate::system::Block;
use crate::system::chain::ElementSystem;
use crate::system::chain::redundant::relax;

/// A row at a joint, by the columns that stand for it there.
#[inline]
fn gather<S: Scalar>(row: &[S], incidence: &Incidence, out: &mut [S]) {
    for &column in &incidence.columns {
        for (sum, &entry) in out.iter_mut().zip(&row[column..]) {
            *sum += entry;
        }
    }
}

/// `out -= a b`, of so many rows, columns of a, and columns.
#[inline]
fn subtract_product<S: Scalar>(
    out: &mut [S],
    (rows, inner, columns): (usize, usize, usize),
    a: impl Fn(usize, usize) -> S,
    b: &[S],
) {
    for (row, out) in out[..rows * columns].chunks_exact_mut(columns).enumerate() {
        for (k, b) in b[..inner * columns].chunks_exact(columns).enumerate() {
            let factor = a(row, k);
            for (out, &b) in out.iter_mut().zip(b) {
                *out -= factor * b;
            }
        }
    }
}

/// L U in the place of a matrix, L with a diagonal of ones and the inverse pivots on that of U; false if one is not safe.
#[inline]
fn factor_block<S: Scalar>(matrix: &mut [S], scales: &[f64]) -> bool {
    let n = scales.len();
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

/// `own -= Σ factor x` over rows x of that length.
#[inline]
fn take<S: Scalar>(own: &mut [S], factors: &[S], rows: &[S]) {
    for (row, &factor) in rows.chunks_exact(own.len()).zip(factors) {
        for (own, &x) in own.iter_mut().zip(row) {
            *own -= factor * x;
        }
    }
}

/// S⁻¹ x in the place of rows of so many columns.
#[inline]
pub(super) fn solve_block<S: Scalar>(factors: &[S], n: usize, columns: usize, x: &mut [S]) {
    let x = &mut x[..n * columns];
    for (k, factors) in factors.chunks_exact(n).enumerate() {
        let (before, own) = x.split_at_mut(k * columns);
        take(&mut own[..columns], factors, before);
    }
    for (k, factors) in factors.chunks_exact(n).enumerate().rev() {
        let (own, behind) = x[k * columns..].split_at_mut(columns);
        take(own, &factors[k + 1..], behind);
        for own in own {
            *own *= factors[k];
        }
    }
}

impl<M: ElementSystem, F: Frames<M>> Loops<M, F> {
    /// Eliminates all rows; false if some that are eliminated where they close need interchanges.
    pub(super) fn factorise(
        &mut self,
        tree: &Eliminated<'_, M, F>,
        jacobians: [&[M::Scalar]; 2],
        epsilon: Option<f64>,
    ) -> Result<bool, PivotError> {
        let zero = M::Scalar::from_f64(0.0);
        let plan = self.plan.clone();
        self.sums.fill(zero);
        self.blocks.fill(zero);
        self.scales.fill(0.0);
        self.bent.iter_mut().for_each(|bent| bent.inertia = F::Matrix::zeros());
        for (place, link) in tree.structure.tree().links().iter().enumerate().rev() {
            for &index in &plan.closing[place] {
                if !self.close(&plan, place, &plan.loops[index]) {
                    return Ok(false);
                }
            }
            if plan.is_bent[place] && !self.bend(tree, place, link.parent) {
                return Ok(false);
            }
            let size = link.components().map_or(0, |own| own.len());
            for incidence in &plan.incidences[place] {
                let one = &plan.loops[incidence.index];
                for (side, jacobian) in jacobians.into_iter().enumerate() {
                    self.pass(tree, (place, size), incidence, one, (side, jacobian));
                }
            }
            self.add_blocks(&plan, place, size);
        }
        let first = tree.structure.tree().links().len();
        for (place, other) in (first..).zip(others(tree.structure)) {
            let size = other.dimension;
            let inverse = &tree.blocks[other.block..other.block + size * size];
            for incidence in &plan.incidences[place] {
                let one = &plan.loops[incidence.index];
                for row in 0..one.rows.len() {
                    let at = one.jacobian + row * one.stride;
                    let own = incidence.entries + row * size..incidence.entries + (row + 1) * size;
                    let [weighted, plain] = &mut self.entries;
                    // M⁻¹ is symmetric; the entries of B₂ are not needed yet.
                    let (weighted, plain) = (&mut weighted[own.clone()], &mut plain[own]);
                    plain.fill(zero);
                    weighted.fill(zero);
                    gather(&jacobians[0][at..at + one.stride], incidence, plain);
                    for (out, line) in weighted.iter_mut().zip(inverse.chunks_exact(size)) {
                        *out = line.iter().zip(&*plain).fold(zero, |sum, (&a, &b)| sum + a * b);
                    }
                    plain.fill(zero);
                    gather(&jacobians[1][at..at + one.stride], incidence, plain);
                }
            }
            self.add_blocks(&plan, place, size);
        }
        self.factorise_base(&plan, epsilon)?;
        Ok(true)
    }

    /// Takes the rows of a loop past a joint: those of the forces, or those of the equations.
    #[inline]
    fn pass(
        &mut self,
        tree: &Eliminated<'_, M, F>,
        (place, size): (usize, usize),
        incidence: &Incidence,
        one: &Loop,
        (side, jacobian): (usize, &[M::Scalar]),
    ) {
        let (n, rows) = (F::FRAME, one.rows.len());
        let bent = self.plan.is_bent[place].then(|| &self.bent[place]);
        let factors = bent.map_or(&tree.factors[place], |bent| &bent.factors);
        let gains = bent.map_or(&tree.gains[place], |bent| &bent.gains[side]);
        for row in 0..rows {
            let own = (side * rows + row) * n;
            let (mut needed, pulled) = if incidence.is_end {
                (F::Vector::zeros(), F::Member::zeros())
            } else {
                let mut w = F::Vector::zeros();
                w.as_mut_slice().copy_from_slice(&self.sums[incidence.sums + own..][..n]);
                pull::<M, F>(&tree.jacobians[place], &w)
            };
            if size > 0 {
                let (mut rest, mut solved) = (F::Member::zeros(), F::Member::zeros());
                let from = one.jacobian + row * one.stride;
                gather(&jacobian[from..from + one.stride], incidence, &mut rest.as_mut_slice()[..size]);
                for (rest, &pulled) in rest.as_mut_slice().iter_mut().zip(pulled.as_slice()) {
                    *rest -= pulled;
                }
                let out = &mut self.entries[side][incidence.entries + row * size..][..size];
                if side == 0 {
                    inwards::<M, F>(factors, gains, &mut rest, &mut needed, solved.as_mut_slice());
                    out.copy_from_slice(&solved.as_slice()[..size]);
                } else {
                    row_inwards::<M, F>(factors, gains, &mut rest, &mut needed, solved.as_mut_slice());
                    out.copy_from_slice(&rest.as_slice()[..size]);
                }
            }
            if let Some(target) = incidence.target {
                for (sum, &needed) in self.sums[target + own..][..n].iter_mut().zip(needed.as_slice()) {
                    *sum += needed;
                }
            }
        }
    }

    /// Adds what a joint contributes to S.
    #[inline]
    fn add_blocks(&mut self, plan: &Plan, place: usize, size: usize) {
        let zero = M::Scalar::from_f64(0.0);
        let incidences = &plan.incidences[place];
        if size == 0 || incidences.is_empty() {
            return;
        }
        let [first, second] = &self.entries;
        let count = |incidence: &Incidence| plan.loops[incidence.index].rows.len();
        for (one, blocks) in incidences.iter().zip(plan.pairs[place].chunks_exact(incidences.len())) {
            let rows = &second[one.entries..][..count(one) * size];
            for (other, &block) in incidences.iter().zip(blocks) {
                let columns = count(other);
                let weighted = &first[other.entries..][..columns * size];
                let scales = &mut self.scales[plan.loops[one.index].rows.clone()];
                let out = self.blocks[block..][..count(one) * columns].chunks_exact_mut(columns);
                for (((own, row), out), scale) in rows.chunks_exact(size).enumerate().zip(out).zip(scales) {
                    for (at, (out, column)) in out.iter_mut().zip(weighted.chunks_exact(size)).enumerate() {
                        let term = row.iter().zip(column).fold(zero, |sum, (&a, &b)| sum + a * b);
                        *out += term;
                        if at == own && one.index == other.index {
                            *scale += term.value().abs();
                        }
                    }
                }
            }
        }
    }

    /// Eliminates the rows of a loop at the frame where it closes.
    #[inline]
    fn close(&mut self, plan: &Plan, place: usize, one: &Loop) -> bool {
        let (n, rows) = (F::FRAME, one.rows.len());
        let Loops { sums, blocks, scales, solved, bent, .. } = self;
        if !factor_block(&mut blocks[one.block..][..rows * rows], &scales[one.rows.clone()]) {
            return false;
        }
        // S⁻¹ of vᵀ and of the blocks beside it.
        let (of_frame, of_others) = solved[one.solved..].split_at_mut(rows * n);
        of_frame.copy_from_slice(&sums[one.sums + rows * n..][..rows * n]);
        let factors = &blocks[one.block..][..rows * rows];
        solve_block(factors, rows, n, of_frame);
        let mut start = 0;
        for neighbour in &one.neighbours {
            let columns = plan.loops[neighbour.index].rows.len();
            let own = &mut of_others[start..start + rows * columns];
            own.copy_from_slice(&blocks[neighbour.blocks[0]..][..rows * columns]);
            solve_block(factors, rows, columns, own);
            start += rows * columns;
        }
        // I + w S⁻¹ vᵀ.
        let needed = &sums[one.sums..][..rows * n];
        let inertia = bent[place].inertia.as_mut_slice();
        subtract_product(&mut inertia[..n * n], (n, rows, n), |row, k| -needed[k * n + row], of_frame);
        let mut first = 0;
        for neighbour in &one.neighbours {
            let others = plan.loops[neighbour.index].rows.len();
            let beside = &of_others[first..first + rows * others];
            first += rows * others;
            let (below, own) = (neighbour.blocks[1], one.sums);
            // w₂ and v₂, a row each.
            for other in 0..others {
                for k in 0..rows {
                    let (factor, from_rows) = (beside[k * others + other], blocks[below + other * rows + k]);
                    for at in 0..n {
                        let (force, row) = (factor * sums[own + k * n + at], from_rows * of_frame[k * n + at]);
                        sums[neighbour.sums + other * n + at] -= force;
                        sums[neighbour.sums + (others + other) * n + at] -= row;
                    }
                }
            }
            let mut start = 0;
            for (third, &update) in one.neighbours.iter().zip(&neighbour.updates) {
                let columns = plan.loops[third.index].rows.len();
                let beside = &of_others[start..start + rows * columns];
                for other in 0..others {
                    for k in 0..rows {
                        let factor = blocks[below + other * rows + k];
                        for column in 0..columns {
                            let term = factor * beside[k * columns + column];
                            blocks[update + other * columns + column] -= term;
                        }
                    }
                }
                start += rows * columns;
            }
        }
        true
    }

    /// D of a joint that carries what loops have added, and its inertia as seen by the frame before it. With Δ and Z of the tree alone, and E
    /// what loops have added to I, these are L Δ Lᵀ + Jᵀ E J and Aᵀ E A − (H D⁻¹ Hᵣᵀ − Z Δ Zᵀ).
    #[inline]
    fn bend(&mut self, tree: &Eliminated<'_, M, F>, place: usize, parent: usize) -> bool {
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
