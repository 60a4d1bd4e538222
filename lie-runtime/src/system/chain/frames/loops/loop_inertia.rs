//! The covectors of loops at the frame where they close, and the refinement of the terms that the elimination neglects.
//!
//! The covectors of a pin joint that has drifted by Φ do not cancel where its paths meet: Φ × f remains. A row may also
//! depend on the absolute position of two frames. Let β be this remaining covector on the frame. Then the row acts on
//! the ancestors as βᵀ u' only,
//!
//! ```text
//! w ← w − β₁,   v ← v − β₂   where the loop closes,
//! ```
//!
//! which is exact if B₁ and B₂ are evaluated at the frames of M. Half-explicit methods use B₂ of the next stage: its
//! entries b₂ of ancestors are β₂ᵀ ∂u'/∂v' of other frames. The neglected terms are small in β and in the step size.
//! Iterative refinement solves for them,
//!
//! ```text
//! M v' + B₁ᵀ λ = (Σ β₁ λ on the frames, pulled back) − b₁ᵀ λ,      B₂ v' = β₂ᵀ u' − b₂ v'.
//! ```

use super::super::Frames;
use super::super::add;
use super::elimination_plan::{EliminationPlan, Loop};
use super::workspace::{KktUnknowns, LoopElimination, LoopRemainder, TreeElimination};
use crate::scalar::Scalar;
use crate::system::Block;
use crate::system::chain::{ElementSystem, Structure};

/// The largest number of refinements; each must reduce the remainder by a factor of ten.
const REFINEMENTS: usize = 4;
const CONTRACTION: f64 = 0.1;

/// The remainder of forces and rows is round-off below this multiple of the machine epsilon of their terms.
const UNITS: f64 = 8.0;

/// The largest value and derivative of several scalars.
#[derive(Clone, Copy, Debug, Default)]
struct LargestTerms([f64; 2]);

impl LargestTerms {
    fn with<S: Scalar>(self, number: S) -> Self {
        LargestTerms([self.0[0].max(number.magnitude()), self.0[1].max(number.variation())])
    }

    fn of<S: Scalar>(numbers: &[S]) -> Self {
        numbers.iter().fold(LargestTerms::default(), |size, &number| size.with(number))
    }

    fn is_less(self, factor: f64, other: LargestTerms) -> bool {
        self.0.iter().zip(other.0).all(|(&own, other)| own <= factor * other)
    }
}

/// Iterates over the rows of a loop: the number, the entries, and the covector at the closing frame.
fn rows_of<'a, S: Scalar>(
    plan: &'a EliminationPlan,
    one: &'a Loop,
    jacobian: &'a [S],
    size: usize,
) -> impl Iterator<Item = (usize, &'a [S], &'a [S])> {
    let rows = jacobian[one.jacobian..].chunks_exact(one.stride.max(1)).zip(&one.reaches);
    let numbered = rows.zip(&plan.rows[one.rows.clone()]);
    numbered.map(move |((row, &reach), &number)| (number, row, &jacobian[reach..reach + size]))
}

fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    a.iter().zip(b).fold(S::zero(), |sum, (&a, &b)| sum + a * b)
}

impl<M: ElementSystem, F: Frames<M>> LoopElimination<M, F> {
    /// Tests whether covectors of rows are nonzero at the frames where their loops close.
    pub(super) fn detect_reach(&mut self, structure: &Structure<M::Scalar>, jacobians: [&[M::Scalar]; 2]) {
        let zero = M::Scalar::from_f64(0.0);
        // No early exit, because usually all entries are zero.
        let is_there = |jacobian: &[M::Scalar]| {
            let reaches = &jacobian[structure.reach_of(0)..];
            reaches.iter().fold(0, |count, &entry| count + usize::from(entry != zero)) > 0
        };
        self.reaches = jacobians.into_iter().any(is_there);
    }

    /// Subtracts β₁ from w and β₂ from v of a loop.
    #[inline]
    pub(super) fn subtract_closing_covectors(&mut self, one: &Loop, jacobians: [&[M::Scalar]; 2]) {
        let rows = one.reaches.len();
        for (side, jacobian) in jacobians.into_iter().enumerate() {
            for (sum, &reach) in self.rows_storage.sums[one.sums + side * rows..].iter_mut().zip(&one.reaches) {
                for (sum, &entry) in sum.as_mut_slice()[..F::FRAME].iter_mut().zip(&jacobian[reach..]) {
                    *sum -= entry;
                }
            }
        }
    }

    /// Returns the size of the covectors of a loop at its closing frame, relative to the entries of its joints.
    pub(in super::super) fn closing_ratio(&self, one: &Loop, jacobians: [&[M::Scalar]; 2]) -> f64 {
        let ratio = |(_, row, reach): (usize, &[M::Scalar], &[M::Scalar])| {
            let [near, far] = [&row[..one.ancestor_columns.start], reach].map(|numbers| LargestTerms::of(numbers).0[0]);
            if far > 0.0 { far / near } else { 0.0 }
        };
        let of = |jacobian| rows_of(&self.plan, one, jacobian, F::FRAME).map(ratio).fold(0.0, f64::max);
        jacobians.map(of).into_iter().fold(0.0, f64::max)
    }

    /// Refines a solution until it satisfies the equations with B₁ and B₂; its frame accelerations are scratch
    /// afterwards. Returns false if the iteration does not converge.
    pub(in super::super) fn refine(
        &mut self,
        tree: &mut TreeElimination<'_, M, F>,
        jacobians: [&[M::Scalar]; 2],
        KktUnknowns { acceleration, multipliers, vectors, .. }: &mut KktUnknowns<'_, M, F>,
    ) -> bool {
        if !self.reaches {
            return true;
        }
        let Some(mut rest) = self.remainder.take() else { return true };
        let whole = self.term_sizes(jacobians, acceleration, multipliers);
        let mut left = self.neglected_terms(tree, vectors, jacobians, [acceleration, multipliers], &mut rest);
        let is_round_off = |left: [LargestTerms; 2]| {
            let units = UNITS * M::Scalar::epsilon();
            left.iter().zip(whole).all(|(left, whole)| left.is_less(units, whole))
        };
        let (mut turns, mut settles) = (0, true);
        while !is_round_off(left) && settles {
            let LoopRemainder { force, constraint, acceleration: change, multipliers: added } = &mut *rest;
            let mut unknowns =
                KktUnknowns { force: Some(force), constraint, acceleration: change, multipliers: added, vectors };
            self.solve(tree, &mut unknowns);
            acceleration.iter_mut().zip(&*change).for_each(|(sum, &term)| *sum += term);
            multipliers.iter_mut().zip(&*added).for_each(|(sum, &term)| *sum += term);
            let (change, added) = (core::mem::take(change), core::mem::take(added));
            let now = self.neglected_terms(tree, vectors, jacobians, [&change, &added], &mut rest);
            (rest.acceleration, rest.multipliers) = (change, added);
            turns += 1;
            settles = is_round_off(now)
                || (turns < REFINEMENTS && now.iter().zip(left).all(|(now, left)| now.is_less(CONTRACTION, left)));
            left = now;
        }
        self.remainder = Some(rest);
        settles
    }

    /// Returns the largest terms of B₂ v' and B₁ᵀ λ, at the joints of loops.
    fn term_sizes(
        &self,
        jacobians: [&[M::Scalar]; 2],
        acceleration: &[M::Scalar],
        multipliers: &[M::Scalar],
    ) -> [LargestTerms; 2] {
        let [mut rows, mut forces] = [LargestTerms::default(); 2];
        let [first, second] = jacobians;
        for one in &self.plan.loops {
            let near = 0..one.ancestor_columns.start;
            for (_, row, _) in rows_of(&self.plan, one, second, F::FRAME) {
                let entries = one.components[near.clone()].iter().zip(&row[near.clone()]);
                rows = entries.fold(rows, |size, (&at, &entry)| size.with(entry * acceleration[at]));
            }
            for (number, row, _) in rows_of(&self.plan, one, first, F::FRAME) {
                forces = row[near.clone()].iter().fold(forces, |size, &entry| size.with(entry * multipliers[number]));
            }
        }
        [rows, forces]
    }

    /// Computes the remainder of rows and forces at a solution, and their sizes.
    fn neglected_terms(
        &self,
        tree: &TreeElimination<'_, M, F>,
        vectors: &mut [F::Vector],
        [first, second]: [&[M::Scalar]; 2],
        [acceleration, multipliers]: [&[M::Scalar]; 2],
        rest: &mut LoopRemainder<M::Scalar>,
    ) -> [LargestTerms; 2] {
        let zero = M::Scalar::from_f64(0.0);
        let plan = &self.plan;
        rest.constraint.fill(zero);
        rest.force.fill(zero);
        for one in &plan.loops {
            for (number, row, reach) in rows_of(plan, one, second, F::FRAME) {
                let entries =
                    one.components[one.ancestor_columns.clone()].iter().zip(&row[one.ancestor_columns.clone()]);
                let of_joints = entries.fold(zero, |sum, (&at, &entry)| sum + entry * acceleration[at]);
                rest.constraint[number] = dot(reach, vectors[one.closing_frame].as_slice()) - of_joints;
            }
            for (number, row, _) in rows_of(plan, one, first, F::FRAME) {
                for (&at, &entry) in
                    one.components[one.ancestor_columns.clone()].iter().zip(&row[one.ancestor_columns.clone()])
                {
                    rest.force[at] -= entry * multipliers[number];
                }
            }
        }
        vectors.fill(F::Vector::zeros());
        for one in &plan.loops {
            for (number, _, reach) in rows_of(plan, one, first, F::FRAME) {
                for (sum, &entry) in vectors[one.closing_frame].as_mut_slice().iter_mut().zip(reach) {
                    *sum += entry * multipliers[number];
                }
            }
        }
        for (place, link) in tree.structure.tree().links().iter().enumerate().rev() {
            let (above, own) = F::pull_along(tree.system, link, &tree.joints[place].jacobian, &vectors[place]);
            if link.components().is_some() {
                link.add(&mut rest.force, &F::from_tangent_basis(link, tree.q, &tree.joints[place].jacobian, &own));
            }
            if let Some(parent) = vectors.get_mut(link.parent) {
                add(parent, &above);
            }
        }
        [LargestTerms::of(&rest.constraint), LargestTerms::of(&rest.force)]
    }
}
