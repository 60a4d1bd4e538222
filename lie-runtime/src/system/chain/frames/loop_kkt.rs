//! The KKT system of a tree of joints: constraint rows are eliminated where loops close, with partial pivoting at the
//! base as fallback.

use super::Frames;
use super::articulated_body::ArticulatedMass;
use super::loops::{EliminationOutcome, EliminationPlan, KktUnknowns, LoopElimination};
use crate::solve::PivotError;
use crate::system::KktError;
use crate::system::chain::ElementSystem;

/// A loop without a safe pivot is moved to the base if the ratio of its covectors at the closing frame to the entries
/// of its joints exceeds this value: its own joints do not determine it.
const FAR: f64 = 1e-3;

impl<M: ElementSystem, F: Frames<M>> LoopElimination<M, F> {
    /// Factorises S, where loops close or at the base with pivoting, and runs the backward pass of the right-hand side.
    fn factorised(
        &mut self,
        system: &M,
        mass: &mut ArticulatedMass<M, F>,
        jacobians: [&[M::Scalar]; 2],
        epsilon: Option<f64>,
        unknowns: &mut KktUnknowns<'_, M, F>,
    ) -> Result<&mut Self, KktError> {
        let structure = system.structure();
        self.is_pivoted = false;
        while self.eliminates_at_loops && self.plan.closed() > 0 {
            match self.factorise(&mut mass.tree(system), jacobians, None, unknowns) {
                Ok(EliminationOutcome::Done) => return Ok(self),
                // Its own joints do not determine the loop.
                Ok(EliminationOutcome::UnsafeRows(index))
                    if self.closing_ratio(&self.plan.loops[index], jacobians) > FAR =>
                {
                    self.move_to_base(structure, jacobians, Some(index));
                    mass.eliminate(system, Some(self))?;
                }
                _ => {
                    self.is_pivoted = true;
                    break;
                }
            }
        }
        mass.complete(system, self)?;
        let used = if self.is_pivoted {
            self.pivoted.get_or_insert_with(|| {
                let plan = EliminationPlan::new(structure, F::MEMBER, &|_| true);
                let is_open = vec![true; plan.loops.len()];
                Box::new(Self::of(structure, plan, is_open, false))
            })
        } else {
            self
        };
        match used.factorise(&mut mass.tree(system), jacobians, epsilon, unknowns) {
            Ok(_) => Ok(used),
            Err(PivotError::NotFinite) => Err(KktError::NotFinite),
            Err(PivotError::Singular { row }) => Err(KktError::SingularConstraints { row: used.plan.row_at_base(row) }),
        }
    }
}

/// Solves the KKT system M v' + B₁ᵀ λ = f, B₂ v' = c.
#[allow(clippy::too_many_arguments)] // The six blocks of one linear system.
pub(super) fn solve_kkt<M: ElementSystem, F: Frames<M>>(
    system: &M,
    mass: &mut ArticulatedMass<M, F>,
    epsilon: Option<f64>,
    jacobians: [&[M::Scalar]; 2],
    force: &[M::Scalar],
    constraint: &[M::Scalar],
    acceleration: &mut [M::Scalar],
    multipliers: &mut [M::Scalar],
) -> Result<(), KktError> {
    let Some(mut loops) = mass.loops.take() else {
        super::articulated_body::solve(system, mass, force, acceleration);
        return Ok(());
    };
    let mut vectors = core::mem::take(&mut mass.vectors);
    let mut unknowns = KktUnknowns { force: Some(force), constraint, acceleration, multipliers, vectors: &mut vectors };
    let outcome = loop {
        let used = match loops.factorised(system, mass, jacobians, epsilon, &mut unknowns) {
            Ok(used) => used,
            Err(error) => break Err(error),
        };
        let mut tree = mass.tree(system);
        used.forward_pass(&tree, &mut unknowns);
        if used.refine(&mut tree, jacobians, &mut unknowns) {
            break Ok(());
        }
        loops.move_to_base(system.structure(), jacobians, None);
        if let Err(error) = mass.eliminate(system, Some(&loops)) {
            break Err(error);
        }
    };
    (mass.loops, mass.vectors) = (Some(loops), vectors);
    outcome
}

/// Solves the KKT system without a force, with the factors of the last solution.
pub(super) fn solve_kkt_again<M: ElementSystem, F: Frames<M>>(
    system: &M,
    mass: &mut ArticulatedMass<M, F>,
    constraint: &[M::Scalar],
    acceleration: &mut [M::Scalar],
    multipliers: &mut [M::Scalar],
) {
    let Some(mut loops) = mass.loops.take() else { return };
    let mut vectors = core::mem::take(&mut mass.vectors);
    let is_pivoted = loops.is_pivoted;
    let used = loops.pivoted.as_deref_mut().filter(|_| is_pivoted);
    let mut tree = mass.tree(system);
    let mut unknowns = KktUnknowns { force: None, constraint, acceleration, multipliers, vectors: &mut vectors };
    match used {
        Some(used) => used.solve(&mut tree, &mut unknowns),
        None => loops.solve(&mut tree, &mut unknowns),
    }
    (mass.loops, mass.vectors) = (Some(loops), vectors);
}
