//! Errors of inverse kinematics.

use crate::messages::{listed, see};
use crate::simulate::setup::SetupError;
use crate::system::{ConstraintRow, KktError};

/// The error of a search without a result.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InverseKinematicsError {
    /// No initial guess is set.
    #[error("missing initial guess; set `.guess(&q)` {}", see("inverse-kinematics"))]
    NoGuess,
    /// A fixed member has an unknown name.
    #[error(transparent)]
    Setup(SetupError),
    /// The limits of a member are not an interval, or the member has no scalar coordinates.
    #[error("the limits [{lower:?}, {upper:?}] of `{name}` cannot be applied: {reason} {}", see("inverse-kinematics"))]
    Limits {
        /// The member.
        name: String,
        /// The lower limit.
        lower: f64,
        /// The upper limit.
        upper: f64,
        /// The reason.
        reason: &'static str,
    },
    /// A target is not reached close to the guess.
    #[error(
        "target {target} is not reached: the smallest residual is {missed:.2e} with {} fixed{}. Set a closer target, fix fewer members, or \
         start from another guess {}",
        listed(.held),
        at_limits(.limited),
        see("inverse-kinematics")
    )]
    OutOfReach {
        /// The index of the target, from 0.
        target: usize,
        /// The norm of its residual at the end of the search.
        missed: f64,
        /// The fixed members.
        held: Vec<String>,
        /// The members at a limit.
        limited: Vec<String>,
    },
    /// A weight is not positive and finite.
    #[error("the weight {weight:?} of target {target} is not positive and finite {}", see("inverse-kinematics"))]
    Weight {
        /// The index of the target, from 0.
        target: usize,
        /// The weight.
        weight: f64,
    },
    /// The search of a minimum has not ended.
    #[error(
        "the weighted targets have no minimum close to the guess: the last step has the size {step:.2e}. Start from another guess, or fix \
         members that the targets do not determine {}",
        see("inverse-kinematics")
    )]
    NotStationary {
        /// The largest component of the last step.
        step: f64,
    },
    /// A constraint is not satisfied close to the guess.
    #[error(
        "constraint {row} is violated by {residual:.2e} with {} fixed{}. Set closer targets, fix fewer members, or start from another guess {}",
        listed(.held),
        at_limits(.limited),
        see("inverse-kinematics")
    )]
    NoClosure {
        /// The row.
        row: ConstraintRow,
        /// Its residual.
        residual: f64,
        /// The fixed members.
        held: Vec<String>,
        /// The members at a limit.
        limited: Vec<String>,
    },
    /// A matrix is singular, or a value is not finite.
    #[error("the configuration close to the guess cannot be computed: {0}")]
    Failed(KktError),
}

crate::messages::debug_is_the_message!(InverseKinematicsError);

/// Returns the part of a message that lists the members at their limits.
fn at_limits(limited: &[String]) -> String {
    if limited.is_empty() { String::new() } else { format!(" and {} at the limits", listed(limited)) }
}
