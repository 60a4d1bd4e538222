//! The memory of the elimination of constraint rows along a tree.

use core::ops::Range;
use std::sync::Arc;

use super::super::joint_factorisation::EliminatedJoint;
use super::super::{FrameMotionOf, Frames};
use super::elimination_plan::EliminationPlan;
use crate::scalar::Scalar;
use crate::solve::BandedLu;
use crate::system::Block;
use crate::system::chain::regularisation::is_redundant;
use crate::system::chain::{ElementSystem, ROOT, Structure};

/// Returns the number of rows of a loop: the constant `R` for a small number, so that loops are unrolled; `R` = 0 for
/// other loops.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn count<const R: usize>(rows: &Range<usize>) -> usize {
    if R == 0 { rows.len() } else { R }
}

/// Calls the instance for a number of rows.
macro_rules! by_rows {
    ($one:expr, $own:ident.$function:ident($($argument:expr),*)) => {
        match $one.rows.len() {
            1 => $own.$function::<1>($($argument),*),
            2 => $own.$function::<2>($($argument),*),
            3 => $own.$function::<3>($($argument),*),
            _ => $own.$function::<0>($($argument),*),
        }
    };
}
pub(super) use by_rows;

/// The elimination of the constraint rows of a system with frames.
pub(in super::super) struct LoopElimination<M: ElementSystem, F: Frames<M>> {
    pub(in super::super) plan: Arc<EliminationPlan>,
    /// Loops that are eliminated at the base, because the refinement of their remainder does not converge.
    pub(in super::super) is_open: Vec<bool>,
    /// True if rows are eliminated at the frame where their loop closes.
    pub(in super::super) eliminates_at_loops: bool,
    /// The storage of the rows.
    pub(in super::super) rows_storage: RowStorage<M::Scalar, F::Vector>,
    /// S⁻¹ vᵀ of the rows that are eliminated at a frame.
    pub(in super::super) solved: Vec<F::Vector>,
    /// S⁻¹ S₁₂, column by column.
    pub(in super::super) off_diagonal: Vec<M::Scalar>,
    /// The augmented inertia of frames and the factors of their joints.
    pub(in super::super) augmented: Vec<LoopAugmentedInertia<M, F>>,
    pub(in super::super) base: BandedLu<M::Scalar>,
    /// ρ and then λ of the rows at the base.
    pub(in super::super) at_base: Vec<M::Scalar>,
    /// The elimination of all rows at the base, if it has been needed.
    pub(in super::super) pivoted: Option<Box<LoopElimination<M, F>>>,
    /// True if the last solution used it.
    pub(in super::super) is_pivoted: bool,
    /// True if the covectors of some rows do not vanish at the frame where their loop closes.
    pub(in super::super) reaches: bool,
    /// The number of loops that close at frames.
    pub(in super::super) closable: usize,
    /// The remainder of a solution.
    pub(in super::super) remainder: Option<Box<LoopRemainder<M::Scalar>>>,
}

impl<M: ElementSystem, F: Frames<M>> Clone for LoopElimination<M, F> {
    fn clone(&self) -> Self {
        LoopElimination {
            plan: self.plan.clone(),
            is_open: self.is_open.clone(),
            eliminates_at_loops: self.eliminates_at_loops,
            rows_storage: self.rows_storage.clone(),
            solved: self.solved.clone(),
            off_diagonal: self.off_diagonal.clone(),
            augmented: self.augmented.clone(),
            base: self.base.clone(),
            at_base: self.at_base.clone(),
            pivoted: self.pivoted.clone(),
            is_pivoted: self.is_pivoted,
            reaches: self.reaches,
            closable: self.closable,
            remainder: self.remainder.clone(),
        }
    }
}

/// The elimination of a tree without its loops; joints that loops defer are not eliminated yet.
pub(in super::super) struct TreeElimination<'a, M: ElementSystem, F: Frames<M>> {
    pub system: &'a M,
    pub structure: &'a Structure<M::Scalar>,
    pub t: M::Scalar,
    pub q: &'a M::Configuration,
    pub motions: &'a [FrameMotionOf<M, F>],
    pub inertias: &'a [F::Matrix],
    pub joints: &'a mut [EliminatedJoint<M, F>],
    pub blocks: &'a [M::Scalar],
}

/// The right-hand side f (optional) and c, the solution, and u' of the frames.
pub(in super::super) struct KktUnknowns<'a, M: ElementSystem, F: Frames<M>> {
    pub force: Option<&'a [M::Scalar]>,
    pub constraint: &'a [M::Scalar],
    pub acceleration: &'a mut [M::Scalar],
    pub multipliers: &'a mut [M::Scalar],
    pub vectors: &'a mut [F::Vector],
}

impl<M: ElementSystem, F: Frames<M>> LoopElimination<M, F> {
    /// Creates the elimination. The rows of systems with redundant constraints are all eliminated at the base, because
    /// the proximal-point method needs them together.
    pub(in super::super) fn new(structure: &Structure<M::Scalar>) -> Self {
        let plan = EliminationPlan::new(structure, F::MEMBER, &|_| is_redundant::<M>());
        let is_open = vec![is_redundant::<M>(); plan.loops.len()];
        Self::of(structure, plan, is_open, !is_redundant::<M>())
    }

    pub(in super::super) fn of(
        structure: &Structure<M::Scalar>,
        plan: EliminationPlan,
        is_open: Vec<bool>,
        eliminates_at_loops: bool,
    ) -> Self {
        let zeros = |length: usize| vec![M::Scalar::from_f64(0.0); length];
        let vectors = |length: usize| vec![F::Vector::zeros(); length];
        let [sums, entries, blocks, solved, off_diagonal] = plan.lengths;
        let (tree, layout) = (structure.tree(), structure.layout());
        let has_bent = plan.stops.iter().any(|stop| stop.is_augmented);
        LoopElimination {
            is_open,
            eliminates_at_loops,
            rows_storage: RowStorage {
                sums: vectors(sums),
                entries: zeros(entries),
                blocks: zeros(blocks),
                scales: vec![0.0; plan.rows.len()],
                rest: zeros(plan.rows.len()),
            },
            solved: vectors(solved),
            off_diagonal: zeros(off_diagonal),
            augmented: vec![LoopAugmentedInertia::zeros(); if has_bent { tree.links().len() } else { 0 }],
            base: BandedLu::new(&plan.reach),
            at_base: zeros(plan.reach.len()),
            pivoted: None,
            is_pivoted: false,
            reaches: false,
            closable: plan.closed(),
            remainder: (eliminates_at_loops && plan.closed() > 0)
                .then(|| Box::new(LoopRemainder::zeros(layout.dof, layout.rows))),
            plan: Arc::new(plan),
        }
    }

    /// Moves loops to the base: loop `index`, or all loops whose covectors at their closing frame have at least a tenth
    /// of the largest size.
    pub(in super::super) fn move_to_base(
        &mut self,
        structure: &Structure<M::Scalar>,
        jacobians: [&[M::Scalar]; 2],
        index: Option<usize>,
    ) {
        let reaches: Vec<f64> = self.plan.loops.iter().map(|one| self.closing_ratio(one, jacobians)).collect();
        let most = index.map_or_else(|| reaches.iter().copied().fold(0.0, f64::max), |index| reaches[index]);
        for ((at, one), is_open) in self.plan.loops.iter().enumerate().zip(&mut self.is_open) {
            *is_open |= one.closing_frame != ROOT && reaches[at] >= 0.1 * most && index.is_none_or(|index| index == at);
        }
        let (is_open, closable) = (core::mem::take(&mut self.is_open), self.closable);
        let plan = EliminationPlan::new(structure, F::MEMBER, &|index| is_open[index]);
        *self = LoopElimination { closable, ..Self::of(structure, plan, is_open, true) };
    }

    /// Returns the number of loops that close at frames and have been eliminated at the base.
    pub(in super::super) fn left_at_base(&self) -> usize {
        self.closable - if self.is_pivoted { 0 } else { self.plan.closed() }
    }
}

/// A frame on the path from a loop to the root.
pub(in super::super) struct LoopAugmentedInertia<M: ElementSystem, F: Frames<M>> {
    /// The articulated inertia, augmented by loops.
    pub inertia: F::Matrix,
    /// L, Δ⁻¹ and U of D.
    pub factors: F::MemberMatrix,
    /// The gains G of forces and of rows, H D⁻¹ and Hᵣ D⁻ᵀ.
    pub gains: [F::Mixed; 2],
}

impl<M: ElementSystem, F: Frames<M>> LoopAugmentedInertia<M, F> {
    pub(super) fn zeros() -> Self {
        let gains = [F::Mixed::zeros(), F::Mixed::zeros()];
        LoopAugmentedInertia { inertia: F::Matrix::zeros(), factors: F::MemberMatrix::zeros(), gains }
    }
}

impl<M: ElementSystem, F: Frames<M>> Clone for LoopAugmentedInertia<M, F> {
    fn clone(&self) -> Self {
        LoopAugmentedInertia { inertia: self.inertia, factors: self.factors, gains: self.gains }
    }
}

/// The storage of rows in the backward pass.
#[derive(Clone)]
pub(in super::super) struct RowStorage<S, V> {
    /// w and v of every row, those of the forces first.
    pub sums: Vec<V>,
    /// D⁻¹ b₁ of all rows of a loop at a joint, followed by their b₂.
    pub entries: Vec<S>,
    /// S, block by block.
    pub blocks: Vec<S>,
    /// The sums of the absolute terms of the diagonal entries.
    pub scales: Vec<f64>,
    /// ρ and then λ, in the order of the plan.
    pub rest: Vec<S>,
}

/// The remainder of forces and rows, and its correction.
#[derive(Clone, Debug)]
pub(in super::super) struct LoopRemainder<S> {
    pub(super) force: Vec<S>,
    pub(super) constraint: Vec<S>,
    pub(super) acceleration: Vec<S>,
    pub(super) multipliers: Vec<S>,
}

impl<S: Scalar> LoopRemainder<S> {
    pub(super) fn zeros(components: usize, rows: usize) -> Self {
        let zeros = |length| vec![S::zero(); length];
        let (force, acceleration) = (zeros(components), zeros(components));
        LoopRemainder { force, acceleration, constraint: zeros(rows), multipliers: zeros(rows) }
    }
}
