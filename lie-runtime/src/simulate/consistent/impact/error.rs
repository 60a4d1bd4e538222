//! Impacts that have no result.

use core::fmt;

use super::super::consistency::ConsistencyError;
use crate::system::ConstraintRow;

/// An impact that has no result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ImpactError {
    /// The linear system of the impact has no solution.
    Failed(ConsistencyError),
    /// A constraint acts, the impact does not name it, and its rate is not zero.
    NotNamed {
        /// The row of the constraint.
        row: ConstraintRow,
        /// Its rate B v + b.
        rate: f64,
    },
    /// Rows that depend on one another cannot all rebound as their coefficients of restitution require.
    NotMet {
        /// The row with the largest deviation.
        row: ConstraintRow,
        /// The rate that the law of impact requires.
        required: f64,
        /// The rate after the impact.
        rate: f64,
    },
    /// A constraint is struck twice at one instant, with different coefficients.
    Conflict {
        /// The constraint.
        constraint: &'static str,
    },
    /// The impact would increase the kinetic energy.
    EnergyGain {
        /// By how much.
        gained: f64,
        /// The kinetic energy that the impulses exchange.
        exchanged: f64,
    },
    /// The iteration for the rows that push, stick and slip has not converged.
    NotConverged {
        /// The iterations that were made.
        iterations: usize,
    },
}

impl fmt::Display for ImpactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImpactError::Failed(error) => write!(f, "the impulses cannot be computed: {error}"),
            ImpactError::NotNamed { row, rate } => write!(
                f,
                "{row} acts, its rate before the impact is {rate:.6e}, and no impact at this instant names it: add `{}` to the names of \
                 the impact, or let the constraint act only where it is struck",
                row.constraint
            ),
            ImpactError::NotMet { row, required, rate } => write!(
                f,
                "the rate of {row} is {rate:.6e} after the impact, and its coefficient of restitution requires {required:.6e}: the rows \
                 that are struck depend on one another. Give them equal coefficients, or strike fewer of them"
            ),
            ImpactError::Conflict { constraint } => write!(
                f,
                "`{constraint}` is struck twice at one instant with different coefficients: strike it once, or with equal coefficients"
            ),
            ImpactError::EnergyGain { gained, exchanged } => write!(
                f,
                "the impact would increase the kinetic energy by {gained:.6e} J, where the impulses exchange {exchanged:.6e} J: different \
                 coefficients of restitution, or friction, do not go together with Newton's law for these coupled rows. Use one coefficient \
                 of restitution for all of them, or a smaller one"
            ),
            ImpactError::NotConverged { iterations } => write!(
                f,
                "the iteration for the rows that push, stick and slip has not converged in {iterations} iterations: the rows contradict \
                 one another, or the coefficient of friction is too large for a unique solution"
            ),
        }
    }
}

impl core::error::Error for ImpactError {}
