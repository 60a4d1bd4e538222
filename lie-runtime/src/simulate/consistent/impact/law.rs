//! Impact laws of struck constraints.

use core::ops::Range;

use super::super::consistency::ConsistencyError;
use super::error::ImpactError;
use crate::integrator::StepFailure;
use crate::scalar::Scalar;
use crate::system::{KktError, MechanicalSystem};

/// Relative limit of a zero rate, compared with the largest rate of the struck rows and with the terms of the row. The sign of the impulse
/// is unknown for a zero rate.
pub(super) const RESTING: f64 = 1e-9;
/// A row is dependent if elimination leaves less than this part of its diagonal of G.
pub(super) const DEPENDENT: f64 = 1e-10;
/// Negative impulses below this part of the largest power are round-off.
pub(super) const ROUND_OFF: f64 = 1e-12;
/// Tolerance of impact laws, relative to the rates, and of the energy, relative to the exchanged energy.
pub(super) const MET: f64 = 1e-8;
/// The law of a struck row.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) enum Law<S> {
    /// Newton's law with a coefficient of restitution.
    Restitution {
        coefficient: S,
        /// True for a normal row of friction: it can only push, for any coefficient.
        is_contact: bool,
    },
    /// Coulomb's law with a coefficient; the impulse of the normal row is the bound.
    Friction { coefficient: S, normal: usize },
}

/// The rows of a struck constraint.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Struck<S> {
    pub constraint: &'static str,
    pub rows: Range<usize>,
    pub law: Law<S>,
}

impl<S: Scalar> Struck<S> {
    /// Returns true if the rows can only push, because of restitution or friction.
    pub(crate) fn only_pushes(&self) -> bool {
        match self.law {
            Law::Restitution { coefficient, is_contact } => {
                self.rows.len() == 1 && (is_contact || coefficient.value() > 0.0)
            }
            Law::Friction { .. } => false,
        }
    }

    /// Returns true for tangential rows.
    pub(crate) fn is_friction(&self) -> bool {
        matches!(self.law, Law::Friction { .. })
    }
}

/// Constraints that are struck together, with their system and configuration.
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
    /// Returns true if the row of B belongs to a struck constraint.
    pub fn strikes(&self, row: usize) -> bool {
        self.struck.iter().any(|one| one.rows.contains(&row))
    }

    /// Creates the error of its linear system.
    pub fn failed(&self, t: M::Scalar, error: KktError) -> ImpactError {
        let failure = StepFailure::of_kkt_at(error, self.system, t, self.configuration);
        ImpactError::Failed(ConsistencyError::Failed(failure))
    }
}
