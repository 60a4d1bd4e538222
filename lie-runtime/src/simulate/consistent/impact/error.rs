//! Impacts that have no result.

use super::super::consistency::ConsistencyError;
use crate::messages::see;
use crate::system::ConstraintRow;

/// An impact that has no result.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ImpactError {
    /// The linear system of the impact has no solution.
    #[error("the impulses cannot be computed: {0}")]
    Failed(ConsistencyError),
    /// The impact names a constraint that is not active: the gradients of all its rows are zero.
    #[error(
        "constraint `{constraint}` is not active at this instant: the gradients of all its rows are zero. Set the parameters that activate it before the \
         impact, `at.set(|p| …)`, or remove it from the impact {}",
        see("impacts")
    )]
    NotActing {
        /// The constraint.
        constraint: &'static str,
    },
    /// A constraint acts, the impact does not name it, and its rate is not zero.
    #[error(
        "constraint {row} is active, its rate before the impact is {rate:.6e}, and no impact at this instant names it. Add `{}` to the names of \
         the impact, or activate the constraint only where an impact names it {}",
        .row.constraint,
        see("impacts")
    )]
    NotNamed {
        /// The row of the constraint.
        row: ConstraintRow,
        /// Its rate B v + b.
        rate: f64,
    },
    /// Rows that depend on one another cannot all rebound as their coefficients of restitution require.
    #[error(
        "the rate of constraint {row} after the impact is {rate:.6e}, and its coefficient of restitution requires {required:.6e}: the rows of the \
         impact are linearly dependent. Set equal coefficients, or name fewer rows {}",
        see("impacts")
    )]
    NotMet {
        /// The row with the largest deviation.
        row: ConstraintRow,
        /// The rate that the law of impact requires.
        required: f64,
        /// The rate after the impact.
        rate: f64,
    },
    /// A constraint is struck twice at one instant, with different coefficients.
    #[error(
        "constraint `{constraint}` has two impacts at one instant with different coefficients: name it once, or set equal coefficients {}",
        see("impacts")
    )]
    Conflict {
        /// The constraint.
        constraint: &'static str,
    },
    /// The impact would increase the kinetic energy.
    #[error(
        "the impact would increase the kinetic energy by {gained:.6e}, and the impulses exchange {exchanged:.6e}: different coefficients of \
         restitution, or friction, contradict Newton's law for these coupled rows. Set one coefficient of restitution for all rows, or a \
         smaller one {}",
        see("impacts")
    )]
    EnergyGain {
        /// By how much.
        gained: f64,
        /// The kinetic energy that the impulses exchange.
        exchanged: f64,
    },
    /// The iteration for the rows that push, stick and slip has not converged.
    #[error(
        "the iteration for contact, stick and slip did not converge in {iterations} iterations: the rows contradict one another, or their \
         solution is not unique. Reduce the coefficient of friction, or name fewer rows {}",
        see("impacts")
    )]
    NotConverged {
        /// The iterations that were made.
        iterations: usize,
    },
}

crate::messages::debug_is_the_message!(ImpactError);
