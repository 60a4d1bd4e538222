//! The laws that the rows of struck constraints follow.

use core::ops::Range;

use super::super::consistency::ConsistencyError;
use super::error::ImpactError;
use crate::integrator::StepFailure;
use crate::scalar::Scalar;
use crate::system::{KktError, MechanicalSystem};

/// A rate under this part of the largest one of the struck rows is zero: the direction in which the row pushes is not known. So is one under
/// this part of its own terms.
pub(super) const RESTING: f64 = 1e-9;
/// A row that is left with less than this part of its diagonal of G depends on others.
pub(super) const DEPENDENT: f64 = 1e-10;
/// Impulses that pull by less than this part of the largest power are round-off.
pub(super) const ROUND_OFF: f64 = 1e-12;
/// Laws of impact are met to this part of the rates, and energy is kept to this part of what the impulses move.
pub(super) const MET: f64 = 1e-8;
/// The law that a struck row follows.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) enum Law<S> {
    /// Newton's law with this coefficient of restitution.
    Restitution {
        coefficient: S,
        /// True of a row that friction refers to: it only pushes, whatever its coefficient is.
        is_contact: bool,
    },
    /// Coulomb's law with this coefficient, bounded by the impulse of this row.
    Friction { coefficient: S, normal: usize },
}

/// The rows of a constraint that is struck.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Struck<S> {
    pub constraint: &'static str,
    pub rows: Range<usize>,
    pub law: Law<S>,
}

impl<S: Scalar> Struck<S> {
    /// True if the rows can only push where they are approached: there is a rebound, or friction.
    pub fn only_pushes(&self) -> bool {
        match self.law {
            Law::Restitution { coefficient, is_contact } => {
                self.rows.len() == 1 && (is_contact || coefficient.value() > 0.0)
            }
            Law::Friction { .. } => false,
        }
    }

    /// True of tangential rows.
    pub fn is_friction(&self) -> bool {
        matches!(self.law, Law::Friction { .. })
    }
}

/// Constraints that are struck together, with the system and the configuration in which they act.
pub(in crate::simulate) struct Collision<'c, M: MechanicalSystem> {
    pub system: &'c M,
    pub configuration: &'c M::Configuration,
    pub struck: &'c [Struck<M::Scalar>],
}

impl<M: MechanicalSystem> Clone for Collision<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: MechanicalSystem> Copy for Collision<'_, M> {}

impl<M: MechanicalSystem> Collision<'_, M> {
    /// True if the row of B is among those of the struck constraints.
    pub fn strikes(&self, row: usize) -> bool {
        self.struck.iter().any(|one| one.rows.contains(&row))
    }

    /// What goes wrong in its linear system.
    pub fn failed(&self, t: M::Scalar, error: KktError) -> ImpactError {
        let failure = StepFailure::of_saddle_at(error, self.system, t, self.configuration);
        ImpactError::Failed(ConsistencyError::Failed(failure))
    }
}
