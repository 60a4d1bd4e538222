//! The backward pass of constraint rows and forces: across each joint, up to the frame where the loop closes.
//!
//! Loops have sizes known at compile time and use indices, so that they are unrolled.

#![allow(clippy::needless_range_loop)]

use super::super::Frames;
use super::super::add;
use super::super::joint_factorisation::{backward_pass, row_backward_pass};
use super::super::joint_terms::{members_without_frames, solve_members_without_frames};
use super::elimination_plan::{RowIncidence, Stop};
use super::factorisation::{EliminationOutcome, dot};
use super::workspace::{
    KktUnknowns, LoopAugmentedInertia, LoopElimination, RowStorage, TreeElimination, by_rows, count,
};
use crate::scalar::Scalar;
use crate::system::Block;
use crate::system::chain::{ElementSystem, Link};

/// Copies a row of an element at a joint or at another member from the list of Jacobians; a member may have several
/// columns.
#[inline(always)]
fn gather<S: Scalar>(jacobian: &[S], incidence: &RowIncidence, row: usize, out: &mut [S]) {
    let row = row * incidence.stride;
    if let Some(first) = incidence.column {
        out.copy_from_slice(&jacobian[first + row..][..out.len()]);
    }
    for &column in &incidence.others {
        out.iter_mut().zip(&jacobian[column + row..]).for_each(|(out, &entry)| *out += entry);
    }
}

/// Copies several rows of a joint with `size` components. Not inlined, because few joints need it.
#[inline(never)]
fn gather_rows<S: Scalar, B: Block<S>>(
    jacobian: &[S],
    incidence: &RowIncidence,
    first: usize,
    size: usize,
    out: &mut [B],
) {
    for (row, out) in out.iter_mut().enumerate().filter(|_| size > 0) {
        gather(jacobian, incidence, first + row, &mut out.as_mut_slice()[..size]);
    }
}

/// A joint of `size` components that rows cross; with `ELIMINATES` for the first time, otherwise for another right-hand
/// side.
struct PassedJoint<'a, M: ElementSystem, F: Frames<M>, const ELIMINATES: bool> {
    system: &'a M,
    q: &'a M::Configuration,
    link: &'a Link,
    jacobian: &'a F::Jacobian,
    factors: &'a F::MemberMatrix,
    /// The gains of forces, and of rows.
    gains: [&'a F::Mixed; 2],
    size: usize,
    /// D⁻¹ (f − Jᵀ p).
    solved: F::Member,
}

impl<M: ElementSystem, F: Frames<M>, const ELIMINATES: bool> PassedJoint<'_, M, F, ELIMINATES> {
    /// Carries the rows of a loop across the joint, and adds the joint's contribution to their block of S and to ρ.
    #[inline(never)]
    fn cross_joint<const R: usize>(
        &self,
        incidence: &RowIncidence,
        jacobians: [&[M::Scalar]; 2],
        rows_storage: &mut RowStorage<M::Scalar, F::Vector>,
    ) {
        let (m, solved) = (F::MEMBER, &self.solved.as_slice()[..F::MEMBER]);
        if ELIMINATES && R > 0 {
            // Local variables instead of a store and a load.
            let rest = self.cross_rows::<R>(incidence, (0, R), jacobians, rows_storage);
            if self.size > 0 {
                let RowStorage { blocks, scales, rest: sums, .. } = rows_storage;
                let entries = |side: usize, row: usize| &rest[side][row].as_slice()[..m];
                add_contributions::<_, R, true>(incidence, entries, solved, (blocks, scales, sums));
            }
            return;
        }
        let rows = count::<R>(&incidence.rows);
        if ELIMINATES {
            (0..rows).for_each(|row| {
                self.cross_rows::<1>(incidence, (row, rows), jacobians, rows_storage);
            });
        }
        if self.size > 0 {
            rows_storage.add_contributions::<R, ELIMINATES>(incidence, solved);
        }
    }

    /// Carries `R` rows from one on across the joint: D⁻¹ b₁ of the forces and b₂ of the equations, which are stored
    /// and returned.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cross_rows<const R: usize>(
        &self,
        incidence: &RowIncidence,
        (first, rows): (usize, usize),
        [of_forces, of_rows]: [&[M::Scalar]; 2],
        rows_storage: &mut RowStorage<M::Scalar, F::Vector>,
    ) -> [[F::Member; R]; 2] {
        let m = F::MEMBER;
        let (mut asked, mut rest) = ([[F::Vector::zeros(); R]; 2], [[F::Member::zeros(); R]; 2]);
        self.gather(of_forces, incidence, first, &mut rest[0]);
        self.gather(of_rows, incidence, first, &mut rest[1]);
        if !incidence.is_end {
            let behind = &rows_storage.sums[incidence.sums..][..2 * rows];
            for (side, (asked, rest)) in asked.iter_mut().zip(&mut rest).enumerate() {
                for row in 0..R {
                    let own = &behind[side * rows + first + row];
                    let (above, pulled) = F::pull_along(self.system, self.link, self.jacobian, own);
                    asked[row] = above;
                    let known = rest[row].as_mut_slice()[..m].iter_mut();
                    known.zip(pulled.as_slice()).for_each(|(rest, &pulled)| *rest -= pulled);
                }
            }
        }
        if self.size > 0 {
            let entries = &mut rows_storage.entries[incidence.entries..][..2 * rows * m];
            let size = [F::MEMBER; 2];
            for row in 0..R {
                let [of_force, of_row] = &mut rest;
                of_force[row] =
                    backward_pass::<M, F>(self.factors, self.gains[0], &of_force[row], &mut asked[0][row], size);
                row_backward_pass::<M, F, 0>(self.gains[1], &of_row[row], &mut asked[1][row]);
                for (side, rest) in rest.iter().enumerate() {
                    entries[(side * rows + first + row) * m..][..m].copy_from_slice(&rest[row].as_slice()[..m]);
                }
            }
        }
        if let Some(target) = incidence.target {
            let target = &mut rows_storage.sums[target..][..2 * rows];
            for (side, asked) in asked.iter().enumerate() {
                for row in 0..R {
                    let sum = &mut target[side * rows + first + row];
                    if incidence.is_first { *sum = asked[row] } else { add(sum, &asked[row]) }
                }
            }
        }
        rest
    }

    /// Returns rows of the list of Jacobians at the joint, in the basis of J's columns.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn gather(&self, jacobian: &[M::Scalar], incidence: &RowIncidence, first: usize, out: &mut [F::Member]) {
        match incidence.column {
            // Most joints have the largest number of components.
            Some(column) if self.size == F::MEMBER && incidence.others.is_empty() => {
                let jacobian = &jacobian[column + first * incidence.stride..];
                for (row, out) in out.iter_mut().enumerate() {
                    let own = &jacobian[row * incidence.stride..][..F::MEMBER];
                    out.as_mut_slice()[..F::MEMBER].copy_from_slice(own);
                }
            }
            _ => gather_rows(jacobian, incidence, first, self.size, out),
        }
        if F::has_tangent_basis(self.link) {
            for out in out {
                *out = F::to_tangent_basis(self.link, self.q, self.jacobian, out);
            }
        }
    }
}

impl<S: Scalar, V> RowStorage<S, V> {
    /// Calls [`add_contributions`] with the stored entries of the rows.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_contributions<const R: usize, const ELIMINATES: bool>(&mut self, incidence: &RowIncidence, solved: &[S]) {
        let (rows, size) = (count::<R>(&incidence.rows), solved.len());
        let RowStorage { entries, blocks, scales, rest, .. } = self;
        let entries = &entries[incidence.entries..][..2 * rows * size];
        let entries = |side: usize, row: usize| &entries[(side * rows + row) * size..][..size];
        add_contributions::<_, R, ELIMINATES>(incidence, entries, solved, (blocks, scales, rest));
    }
}

/// Adds a joint's contribution to the block of one loop in S, with `ELIMINATES`, and b₂ᵀ s to ρ of every row.
#[cfg_attr(not(debug_assertions), inline(always))]
fn add_contributions<'a, S: Scalar, const R: usize, const ELIMINATES: bool>(
    incidence: &RowIncidence,
    entries: impl Fn(usize, usize) -> &'a [S],
    solved: &[S],
    (blocks, scales, rest): (&mut [S], &mut [f64], &mut [S]),
) {
    let rows = count::<R>(&incidence.rows);
    if ELIMINATES {
        let block = &mut blocks[incidence.block..][..rows * rows];
        let scales = &mut scales[incidence.rows.start..][..rows];
        for i in 0..rows {
            for j in 0..rows {
                let term = dot(entries(1, i), entries(0, j));
                block[i * rows + j] += term;
                if i == j {
                    scales[i] += term.value().abs();
                }
            }
        }
    }
    let rest = &mut rest[incidence.rows.start..][..rows];
    for row in 0..rows {
        rest[row] += dot(entries(1, row), solved);
    }
}

impl<M: ElementSystem, F: Frames<M>> LoopElimination<M, F> {
    /// Runs the backward pass of a force and, with `ELIMINATES`, of all rows.
    #[inline]
    pub(super) fn backward_pass<const ELIMINATES: bool>(
        &mut self,
        tree: &mut TreeElimination<'_, M, F>,
        jacobians: [&[M::Scalar]; 2],
        unknowns: &mut KktUnknowns<'_, M, F>,
    ) -> EliminationOutcome {
        let plan = self.plan.clone();
        for (rest, &row) in self.rows_storage.rest.iter_mut().zip(&plan.rows) {
            *rest = -unknowns.constraint[row];
        }
        match unknowns.force {
            Some(force) => unknowns.acceleration.copy_from_slice(force),
            None => unknowns.acceleration.fill(M::Scalar::from_f64(0.0)),
        }
        unknowns.vectors.fill(F::Vector::zeros());
        let links = tree.structure.tree().links();
        let (at_frames, elsewhere) = plan.stops.split_at(links.len());
        if !elsewhere.is_empty() {
            self.cross_members::<ELIMINATES>(tree, elsewhere, jacobians, unknowns);
        }
        for (place, (link, stop)) in links.iter().zip(at_frames).enumerate().rev() {
            for &index in &stop.closing {
                let one = &plan.loops[index];
                if ELIMINATES {
                    if self.reaches {
                        self.subtract_closing_covectors(one, jacobians);
                    }
                    if !by_rows!(one, self.eliminate_loop(&plan, place, one)) {
                        return EliminationOutcome::UnsafeRows(index);
                    }
                }
                by_rows!(one, self.eliminate_right_hand_side(&plan, one, &mut unknowns.vectors[place]));
            }
            if ELIMINATES && stop.is_augmented && !self.eliminate_augmented(tree, place) {
                return EliminationOutcome::UnsafeJoint;
            }
            self.cross_joint::<ELIMINATES>(tree, (place, link), stop, jacobians, unknowns);
        }
        EliminationOutcome::Done
    }

    /// Carries a force and all rows across a joint.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cross_joint<const ELIMINATES: bool>(
        &mut self,
        tree: &TreeElimination<'_, M, F>,
        (place, link): (usize, &Link),
        stop: &Stop,
        jacobians: [&[M::Scalar]; 2],
        KktUnknowns { vectors, acceleration, .. }: &mut KktUnknowns<'_, M, F>,
    ) {
        let LoopElimination { rows_storage, augmented, .. } = &mut *self;
        let (system, joint) = (tree.system, &tree.joints[place]);
        let (factors, gains) = match augmented.get(place).filter(|_| stop.is_augmented) {
            Some(LoopAugmentedInertia { factors, gains: [of_forces, of_rows], .. }) => (factors, [of_forces, of_rows]),
            None => (&joint.factors, [&joint.gains; 2]),
        };
        let (mut needed, pulled) = F::pull_along(system, link, &joint.jacobian, &vectors[place]);
        let mut solved = F::Member::zeros();
        if link.components().is_some() {
            let mut own = F::to_tangent_basis(link, tree.q, &joint.jacobian, &link.of(acceleration));
            own.as_mut_slice().iter_mut().zip(pulled.as_slice()).for_each(|(own, &pulled)| *own -= pulled);
            solved = backward_pass::<M, F>(factors, gains[0], &own, &mut needed, [F::MEMBER; 2]);
            link.set(acceleration, &solved);
        }
        if let Some(above) = vectors.get_mut(link.parent) {
            add(above, &needed);
        }
        if stop.incidences.is_empty() {
            return;
        }
        let size = link.components().map_or(0, |own| own.len());
        let (q, jacobian) = (tree.q, &joint.jacobian);
        let joint = PassedJoint::<M, F, ELIMINATES> { system, q, link, jacobian, factors, gains, size, solved };
        for incidence in &stop.incidences {
            by_rows!(incidence, joint.cross_joint(incidence, jacobians, rows_storage));
        }
        if ELIMINATES && size > 0 && stop.incidences.len() > 1 {
            self.couple(stop, F::MEMBER);
        }
    }

    /// Solves and eliminates the members without frames.
    #[inline(never)]
    fn cross_members<const ELIMINATES: bool>(
        &mut self,
        tree: &TreeElimination<'_, M, F>,
        stops: &[Stop],
        jacobians: [&[M::Scalar]; 2],
        unknowns: &mut KktUnknowns<'_, M, F>,
    ) {
        let KktUnknowns { force, acceleration, .. } = unknowns;
        let zero = M::Scalar::from_f64(0.0);
        if let Some(force) = force {
            solve_members_without_frames(tree.structure, tree.blocks, force, acceleration);
        }
        for (stop, other) in stops.iter().zip(members_without_frames(tree.structure)) {
            let size = other.dimension;
            let inverse = &tree.blocks[other.block..other.block + size * size];
            for incidence in &stop.incidences {
                let rows = incidence.rows.len();
                let entries = &mut self.rows_storage.entries[incidence.entries..][..2 * rows * size];
                let (first, second) = entries.split_at_mut(rows * size);
                for row in (0..rows).filter(|_| ELIMINATES) {
                    let own = row * size..(row + 1) * size;
                    // M⁻¹ is symmetric; the entries of B₂ are not needed yet.
                    let (weighted, plain) = (&mut first[own.clone()], &mut second[own]);
                    plain.fill(zero);
                    gather(jacobians[0], incidence, row, plain);
                    for (out, line) in weighted.iter_mut().zip(inverse.chunks_exact(size)) {
                        *out = dot(line, plain);
                    }
                    plain.fill(zero);
                    gather(jacobians[1], incidence, row, plain);
                }
                self.rows_storage.add_contributions::<0, ELIMINATES>(incidence, &acceleration[other.offset..][..size]);
            }
            if ELIMINATES && stop.incidences.len() > 1 {
                self.couple(stop, size);
            }
        }
    }

    /// Adds a joint's contribution to the blocks of pairs of loops.
    #[inline(never)]
    fn couple(&mut self, Stop { incidences, pairs, .. }: &Stop, stride: usize) {
        let RowStorage { entries, blocks: all, .. } = &mut self.rows_storage;
        for (one, blocks) in incidences.iter().zip(pairs.chunks_exact(incidences.len())) {
            let size = one.rows.len() * stride;
            let rows = &entries[one.entries + size..][..size];
            for (other, &block) in incidences.iter().zip(blocks).filter(|(other, _)| other.index != one.index) {
                let columns = other.rows.len();
                let weighted = &entries[other.entries..][..columns * stride];
                let out = all[block..][..one.rows.len() * columns].chunks_exact_mut(columns);
                for (row, out) in rows.chunks_exact(stride).zip(out) {
                    for (out, column) in out.iter_mut().zip(weighted.chunks_exact(stride)) {
                        *out += dot(row, column);
                    }
                }
            }
        }
    }
}
