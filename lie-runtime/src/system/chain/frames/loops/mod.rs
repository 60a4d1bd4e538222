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
//! and at every frame the rows that have passed the joints behind it read S λ = ρ − vᵀ u'. Where a row acts on no joint further inwards, at
//! the frame that all its joints hang on, that can be solved for λ: the frame gets the rest of the loop as inertia, and others that share joints
//! with it what is left of them,
//!
//! ```text
//! I ← I + w S⁻¹ vᵀ,   p ← p − w S⁻¹ ρ,   and of another row    w₂ ← w₂ − w S⁻¹ S₁₂,  v₂ᵀ ← v₂ᵀ − S₂₁ S⁻¹ vᵀ,  S₂₂ ← S₂₂ − S₂₁ S⁻¹ S₁₂.
//! ```
//!
//! S has a definite symmetric part there, up to the difference of B₁ and B₂, so that it needs no interchanges. Rows that are left at the base,
//! where u' is known, have a band of their own; if S is not well determined before, all rows are taken there and interchanged.

mod bent;
mod factors;
mod plan;
mod solution;

use std::sync::Arc;

use super::articulated::ArticulatedMass;
use super::ways::width;
use super::{Frames, Tree};
use crate::scalar::Scalar;
use crate::solve::{BandedLu, PivotError};
use crate::system::Block;
use crate::system::SaddleError;
use crate::system::chain::redundant::is_redundant;
use crate::system::chain::{ElementSystem, Structure};
use bent::Bent;
use plan::{Loop, Plan};

/// The number of rows of a loop: a constant where they are few, which most loops have, so that what is done with them is unrolled; `R` is
/// 0 of others.
#[cfg_attr(not(debug_assertions), inline(always))]
fn count<const R: usize>(one: &Loop) -> usize {
    if R == 0 { one.rows.len() } else { R }
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

/// What a system with constraints needs besides its eliminated mass.
pub(super) struct Loops<M: ElementSystem, F: Frames<M>> {
    plan: Arc<Plan>,
    /// Loops whose rows act on joints beyond the frame where they should close.
    is_open: Vec<bool>,
    /// True if the rows are eliminated where they close, as far as they do.
    is_near: bool,
    /// w and v of every row, those of the forces first.
    sums: Vec<F::Vector>,
    /// Δ⁻¹ L⁻¹ b₁ and U⁻ᵀ b₂.
    entries: [Vec<M::Scalar>; 2],
    /// S, block by block.
    blocks: Vec<M::Scalar>,
    /// Σ of the absolute values that a diagonal entry is the sum of.
    scales: Vec<f64>,
    /// S⁻¹ vᵀ of what is eliminated where it closes.
    solved: Vec<F::Vector>,
    /// S⁻¹ S₁₂, a column after the other.
    beside: Vec<M::Scalar>,
    /// The inertia that loops have added to a frame, and that of its joint in what is eliminated.
    bent: Vec<Bent<M, F>>,
    base: BandedLu<M::Scalar>,
    /// ρ and then λ, in the order of the plan.
    rest: Vec<M::Scalar>,
    /// Those at the base.
    at_base: Vec<M::Scalar>,
    /// The same with all rows at the base, once that has been needed.
    interchanged: Option<Box<Loops<M, F>>>,
    /// True if the last solution is of it.
    is_interchanged: bool,
}

impl<M: ElementSystem, F: Frames<M>> Clone for Loops<M, F> {
    fn clone(&self) -> Self {
        Loops {
            plan: self.plan.clone(),
            is_open: self.is_open.clone(),
            is_near: self.is_near,
            sums: self.sums.clone(),
            entries: self.entries.clone(),
            blocks: self.blocks.clone(),
            scales: self.scales.clone(),
            solved: self.solved.clone(),
            beside: self.beside.clone(),
            bent: self.bent.clone(),
            base: self.base.clone(),
            rest: self.rest.clone(),
            at_base: self.at_base.clone(),
            interchanged: self.interchanged.clone(),
            is_interchanged: self.is_interchanged,
        }
    }
}

/// What is known of a tree without its loops.
struct Eliminated<'a, M: ElementSystem, F: Frames<M>> {
    structure: &'a Structure<M::Scalar>,
    jacobians: &'a [F::Jacobian],
    gains: &'a [F::Mixed],
    factors: &'a [F::MemberMatrix],
    blocks: &'a [M::Scalar],
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
        Self::of(structure.tree(), plan, is_open, !is_redundant::<M>())
    }

    fn of(tree: &Tree, plan: Plan, is_open: Vec<bool>, is_near: bool) -> Self {
        let zeros = |length: usize| vec![M::Scalar::from_f64(0.0); length];
        let vectors = |length: usize| vec![F::Vector::zeros(); length];
        let [sums, entries, blocks, solved, beside] = plan.lengths;
        let has_bent = plan.is_bent.iter().any(|&is_bent| is_bent);
        Loops {
            is_open,
            is_near,
            sums: vectors(sums),
            entries: [zeros(entries), zeros(entries)],
            blocks: zeros(blocks),
            scales: vec![0.0; plan.rows.len()],
            solved: vectors(solved),
            beside: zeros(beside),
            bent: vec![Bent::zeros(); if has_bent { tree.links().len() } else { 0 }],
            base: BandedLu::new(&plan.reach),
            rest: zeros(plan.rows.len()),
            at_base: zeros(plan.reach.len()),
            interchanged: None,
            is_interchanged: false,
            plan: Arc::new(plan),
        }
    }

    /// Rows that act on joints beyond the frame where they should close are left at the base from now on.
    fn open(&mut self, structure: &Structure<M::Scalar>, jacobians: [&[M::Scalar]; 2]) {
        let mut has_opened = false;
        for (one, is_open) in self.plan.loops.iter().zip(&mut self.is_open).filter(|(one, _)| !one.beyond.is_empty()) {
            let acts = |jacobian: &[M::Scalar]| {
                let rows = jacobian[one.jacobian..][..one.rows.len() * one.stride].chunks_exact(one.stride);
                rows.into_iter().any(|row| width(&row[one.beyond.clone()]) > 0)
            };
            if jacobians.into_iter().any(acts) {
                (*is_open, has_opened) = (true, true);
            }
        }
        if has_opened {
            let is_open = core::mem::take(&mut self.is_open);
            let plan = Plan::new(structure, F::MEMBER, |index| is_open[index]);
            *self = Self::of(structure.tree(), plan, is_open, true);
        }
    }

    /// S, eliminated where rows close, or with interchanges.
    fn factorised(
        &mut self,
        tree: &Eliminated<'_, M, F>,
        jacobians: [&[M::Scalar]; 2],
        epsilon: Option<f64>,
    ) -> Result<&mut Self, SaddleError> {
        let structure = tree.structure;
        self.open(structure, jacobians);
        self.is_interchanged = self.is_near && self.plan.closed() > 0 && !self.try_near(tree, jacobians);
        if self.is_near && !self.is_interchanged && self.plan.closed() > 0 {
            return Ok(self);
        }
        let used = if self.is_interchanged {
            self.interchanged.get_or_insert_with(|| {
                let plan = Plan::new(structure, F::MEMBER, |_| true);
                let is_open = vec![true; plan.loops.len()];
                Box::new(Self::of(structure.tree(), plan, is_open, false))
            })
        } else {
            self
        };
        match used.factorise(tree, jacobians, epsilon) {
            Ok(_) => Ok(used),
            Err(PivotError::NotFinite) => Err(SaddleError::NotFinite),
            Err(PivotError::Singular { row }) => {
                Err(SaddleError::SingularConstraints { row: used.plan.row_at_base(row) })
            }
        }
    }

    /// False if interchanges are needed.
    fn try_near(&mut self, tree: &Eliminated<'_, M, F>, jacobians: [&[M::Scalar]; 2]) -> bool {
        matches!(self.factorise(tree, jacobians, None), Ok(true))
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
    let structure = system.structure();
    if mass.loops.is_none() {
        super::articulated::solve(system, mass, force, acceleration);
        return Ok(());
    }
    let ArticulatedMass { jacobians: moved, gains, factors, vectors, blocks, loops: Some(loops), .. } = mass else {
        return Ok(());
    };
    let tree = Eliminated { structure, jacobians: moved, gains, factors, blocks };
    let used = loops.factorised(&tree, jacobians, epsilon)?;
    used.solve(&tree, vectors, Some(force), constraint, acceleration, multipliers);
    Ok(())
}

/// The same without a force, with the factors of the last solution.
pub(super) fn solve_saddle_again<M: ElementSystem, F: Frames<M>>(
    system: &M,
    mass: &mut ArticulatedMass<M, F>,
    constraint: &[M::Scalar],
    acceleration: &mut [M::Scalar],
    multipliers: &mut [M::Scalar],
) {
    let structure = system.structure();
    let ArticulatedMass { jacobians, gains, factors, vectors, blocks, loops: Some(loops), .. } = mass else { return };
    let tree = Eliminated { structure, jacobians, gains, factors, blocks };
    let used = match &mut loops.interchanged {
        Some(interchanged) if loops.is_interchanged => interchanged,
        _ => loops,
    };
    used.solve(&tree, vectors, None, constraint, acceleration, multipliers);
}
