//! M v' + B₁ᵀ λ = f, B₂ v' = c along a tree, in O(N + m) where loops close near to where they open.
//!
//! Eliminating a joint takes its acceleration out of the rows of constraints as it does out of the equations of motion (`articulated`). With
//! −w and −v what a row asks of a frame as a force, from B₁, and as an equation in its acceleration u', from B₂,
//!
//! ```text
//! b₁ = B₁ − Jᵀ w,   w ← Aᵀ w + H D⁻¹ b₁,      b₂ = B₂ − Jᵀ v,   v ← Aᵀ v + Hᵣ D⁻ᵀ b₂,
//! S ← S + b₂ᵀ D⁻¹ b₁,   ρ ← ρ + b₂ᵀ D⁻¹ (f − Jᵀ p),
//! ```
//!
//! and at every frame the rows that have passed the joints behind it read S λ = ρ − vᵀ u'. Where a row acts on joints further inwards through
//! that frame alone (`beyond`), where the ways of all that it sees meet, that can be solved for λ: the frame gets the rest of the loop as
//! inertia, and others that share joints with it what is left of them,
//!
//! ```text
//! I ← I + w S⁻¹ vᵀ,   p ← p − w S⁻¹ ρ,   and of another row    w₂ ← w₂ − w S⁻¹ S₁₂,  v₂ᵀ ← v₂ᵀ − S₂₁ S⁻¹ vᵀ,  S₂₂ ← S₂₂ − S₂₁ S⁻¹ S₁₂.
//! ```
//!
//! Joints from there to the base are eliminated with that inertia, and once (`bent`). S has a definite symmetric part there, up to the difference of
//! B₁ and B₂, so that it needs no interchanges. Rows that are left at the base, where u' is known, have a band of their own; if S is not well
//! determined before, all rows are taken there and interchanged.

mod bent;
mod beyond;
mod factors;
mod inwards;
mod plan;
mod rows;
mod solution;

use core::ops::Range;
use std::sync::Arc;

use super::articulated::ArticulatedMass;
use super::factor::Joint;
use super::{Frames, Link, MotionOf, ROOT};
use crate::scalar::Scalar;
use crate::solve::{BandedLu, PivotError};
use crate::system::Block;
use crate::system::SaddleError;
use crate::system::chain::redundant::is_redundant;
use crate::system::chain::{ElementSystem, Structure};
use bent::Bent;
use beyond::Rest;
use factors::Outcome;
use inwards::Kept;
use plan::Plan;

/// The number of rows of a loop: a constant where they are few, which most loops have, so that what is done with them is unrolled; `R` is
/// 0 of others.
#[cfg_attr(not(debug_assertions), inline(always))]
fn count<const R: usize>(rows: &Range<usize>) -> usize {
    if R == 0 { rows.len() } else { R }
}

/// Calls what is written for so many rows.
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
use by_rows;

/// A loop without a safe pivot whose rows ask of the frame where it closes this part of what they ask of its joints is not one that its own
/// joints close.
const FAR: f64 = 1e-3;

/// What a system with constraints needs besides its eliminated mass.
pub(super) struct Loops<M: ElementSystem, F: Frames<M>> {
    plan: Arc<Plan>,
    /// Loops that are left at the base: what they ask of the frame where they close is not settled in a few turns.
    is_open: Vec<bool>,
    /// True if the rows are eliminated where they close, as far as they do.
    is_near: bool,
    /// What is kept of rows.
    kept: Kept<M::Scalar, F::Vector>,
    /// S⁻¹ vᵀ of what is eliminated where it closes.
    solved: Vec<F::Vector>,
    /// S⁻¹ S₁₂, a column after the other.
    beside: Vec<M::Scalar>,
    /// The inertia that loops have added to a frame, and that of its joint in what is eliminated.
    bent: Vec<Bent<M, F>>,
    base: BandedLu<M::Scalar>,
    /// ρ and then λ of the rows at the base.
    at_base: Vec<M::Scalar>,
    /// The same with all rows at the base, once that has been needed.
    interchanged: Option<Box<Loops<M, F>>>,
    /// True if the last solution is of it.
    is_interchanged: bool,
    /// True if rows of the last matrices ask something of the frames where their loops close.
    reaches: bool,
    /// How many loops close at frames.
    closable: usize,
    /// What a solution has left out.
    rest_of_turn: Option<Box<Rest<M::Scalar>>>,
}

impl<M: ElementSystem, F: Frames<M>> Clone for Loops<M, F> {
    fn clone(&self) -> Self {
        Loops {
            plan: self.plan.clone(),
            is_open: self.is_open.clone(),
            is_near: self.is_near,
            kept: self.kept.clone(),
            solved: self.solved.clone(),
            beside: self.beside.clone(),
            bent: self.bent.clone(),
            base: self.base.clone(),
            at_base: self.at_base.clone(),
            interchanged: self.interchanged.clone(),
            is_interchanged: self.is_interchanged,
            reaches: self.reaches,
            closable: self.closable,
            rest_of_turn: self.rest_of_turn.clone(),
        }
    }
}

/// What is known of a tree without its loops; joints on which loops depend are not eliminated yet.
pub(super) struct Eliminated<'a, M: ElementSystem, F: Frames<M>> {
    pub system: &'a M,
    pub structure: &'a Structure<M::Scalar>,
    pub t: M::Scalar,
    pub q: &'a M::Configuration,
    pub motions: &'a [MotionOf<M, F>],
    pub inertias: &'a [F::Matrix],
    pub joints: &'a mut [Joint<M, F>],
    pub blocks: &'a [M::Scalar],
}

/// f and c, of no force where there is none, what they give, and u' of the frames.
pub(super) struct Unknowns<'a, M: ElementSystem, F: Frames<M>> {
    pub force: Option<&'a [M::Scalar]>,
    pub constraint: &'a [M::Scalar],
    pub acceleration: &'a mut [M::Scalar],
    pub multipliers: &'a mut [M::Scalar],
    pub vectors: &'a mut [F::Vector],
}

/// How many loops are eliminated where they close, as a rule, and the bandwidth of the rows that are left at the base.
pub(in crate::system::chain) fn closing<S: Scalar>(structure: &Structure<S>) -> (usize, usize) {
    let plan = Plan::new(structure, 0, |_| false);
    (plan.closed(), BandedLu::<S>::new(&plan.reach).bandwidth())
}

impl<M: ElementSystem, F: Frames<M>> Loops<M, F> {
    /// Redundant rows have to stand beside one another: they are all left at the base.
    pub(super) fn new(structure: &Structure<M::Scalar>) -> Self {
        let plan = Plan::new(structure, F::MEMBER, |_| is_redundant::<M>());
        let is_open = vec![is_redundant::<M>(); plan.loops.len()];
        Self::of(structure, plan, is_open, !is_redundant::<M>())
    }

    fn of(structure: &Structure<M::Scalar>, plan: Plan, is_open: Vec<bool>, is_near: bool) -> Self {
        let zeros = |length: usize| vec![M::Scalar::from_f64(0.0); length];
        let vectors = |length: usize| vec![F::Vector::zeros(); length];
        let [sums, entries, blocks, solved, beside] = plan.lengths;
        let (tree, layout) = (structure.tree(), structure.layout());
        let has_bent = plan.stops.iter().any(|stop| stop.is_bent);
        Loops {
            is_open,
            is_near,
            kept: Kept {
                sums: vectors(sums),
                entries: zeros(entries),
                blocks: zeros(blocks),
                scales: vec![0.0; plan.rows.len()],
                rest: zeros(plan.rows.len()),
            },
            solved: vectors(solved),
            beside: zeros(beside),
            bent: vec![Bent::zeros(); if has_bent { tree.links().len() } else { 0 }],
            base: BandedLu::new(&plan.reach),
            at_base: zeros(plan.reach.len()),
            interchanged: None,
            is_interchanged: false,
            reaches: false,
            closable: plan.closed(),
            rest_of_turn: (is_near && plan.closed() > 0).then(|| Box::new(Rest::zeros(layout.dof, layout.rows))),
            plan: Arc::new(plan),
        }
    }

    /// Loops that act on what is beyond the frame where they close at least a tenth as much as that which does so most are left at the base
    /// from now on; or this one.
    fn open(&mut self, structure: &Structure<M::Scalar>, jacobians: [&[M::Scalar]; 2], index: Option<usize>) {
        let reaches: Vec<f64> = self.plan.loops.iter().map(|one| self.reach(one, jacobians)).collect();
        let most = index.map_or_else(|| reaches.iter().copied().fold(0.0, f64::max), |index| reaches[index]);
        for ((at, one), is_open) in self.plan.loops.iter().enumerate().zip(&mut self.is_open) {
            *is_open |= one.site != ROOT && reaches[at] >= 0.1 * most && index.is_none_or(|index| index == at);
        }
        let (is_open, closable) = (core::mem::take(&mut self.is_open), self.closable);
        let plan = Plan::new(structure, F::MEMBER, |index| is_open[index]);
        *self = Loops { closable, ..Self::of(structure, plan, is_open, true) };
    }

    /// S, eliminated where rows close, or with interchanges, and the way inwards of what is solved for.
    fn factorised(
        &mut self,
        system: &M,
        mass: &mut ArticulatedMass<M, F>,
        jacobians: [&[M::Scalar]; 2],
        epsilon: Option<f64>,
        unknowns: &mut Unknowns<'_, M, F>,
    ) -> Result<&mut Self, SaddleError> {
        let structure = system.structure();
        self.is_interchanged = false;
        while self.is_near && self.plan.closed() > 0 {
            match self.factorise(&mut mass.tree(system), jacobians, None, unknowns) {
                Ok(Outcome::Done) => return Ok(self),
                // What its own joints do not determine.
                Ok(Outcome::UnsafeRows(index)) if self.reach(&self.plan.loops[index], jacobians) > FAR => {
                    self.open(structure, jacobians, Some(index));
                    mass.eliminate(system, Some(self))?;
                }
                _ => {
                    self.is_interchanged = true;
                    break;
                }
            }
        }
        mass.complete(system, self)?;
        let used = if self.is_interchanged {
            self.interchanged.get_or_insert_with(|| {
                let plan = Plan::new(structure, F::MEMBER, |_| true);
                let is_open = vec![true; plan.loops.len()];
                Box::new(Self::of(structure, plan, is_open, false))
            })
        } else {
            self
        };
        match used.factorise(&mut mass.tree(system), jacobians, epsilon, unknowns) {
            Ok(_) => Ok(used),
            Err(PivotError::NotFinite) => Err(SaddleError::NotFinite),
            Err(PivotError::Singular { row }) => {
                Err(SaddleError::SingularConstraints { row: used.plan.row_at_base(row) })
            }
        }
    }

    /// How many loops that close at frames have been left at the base.
    pub(super) fn left_at_base(&self) -> usize {
        self.closable - if self.is_interchanged { 0 } else { self.plan.closed() }
    }
}

/// Solves M v' + B₁ᵀ λ = f, B₂ v' = c.
#[allow(clippy::too_many_arguments)] // The six blocks of one linear system.
pub(super) fn solve_saddle<M: ElementSystem, F: Frames<M>>(
    system: &M,
    mass: &mut ArticulatedMass<M, F>,
    epsilon: Option<f64>,
    jacobians: [&[M::Scalar]; 2],
    force: &[M::Scalar],
    constraint: &[M::Scalar],
    acceleration: &mut [M::Scalar],
    multipliers: &mut [M::Scalar],
) -> Result<(), SaddleError> {
    let Some(mut loops) = mass.loops.take() else {
        super::articulated::solve(system, mass, force, acceleration);
        return Ok(());
    };
    let mut vectors = core::mem::take(&mut mass.vectors);
    let mut unknowns = Unknowns { force: Some(force), constraint, acceleration, multipliers, vectors: &mut vectors };
    let outcome = loop {
        let used = match loops.factorised(system, mass, jacobians, epsilon, &mut unknowns) {
            Ok(used) => used,
            Err(error) => break Err(error),
        };
        let mut tree = mass.tree(system);
        used.outwards(&tree, &mut unknowns);
        if used.go_round(&mut tree, jacobians, &mut unknowns) {
            break Ok(());
        }
        loops.open(system.structure(), jacobians, None);
        if let Err(error) = mass.eliminate(system, Some(&loops)) {
            break Err(error);
        }
    };
    (mass.loops, mass.vectors) = (Some(loops), vectors);
    outcome
}

/// The same without a force, with the factors of the last solution.
pub(super) fn solve_saddle_again<M: ElementSystem, F: Frames<M>>(
    system: &M,
    mass: &mut ArticulatedMass<M, F>,
    constraint: &[M::Scalar],
    acceleration: &mut [M::Scalar],
    multipliers: &mut [M::Scalar],
) {
    let Some(mut loops) = mass.loops.take() else { return };
    let mut vectors = core::mem::take(&mut mass.vectors);
    let is_interchanged = loops.is_interchanged;
    let used = loops.interchanged.as_deref_mut().filter(|_| is_interchanged);
    let mut tree = mass.tree(system);
    let mut unknowns = Unknowns { force: None, constraint, acceleration, multipliers, vectors: &mut vectors };
    match used {
        Some(used) => used.solve(&mut tree, &mut unknowns),
        None => loops.solve(&mut tree, &mut unknowns),
    }
    (mass.loops, mass.vectors) = (Some(loops), vectors);
}
