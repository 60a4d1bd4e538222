//! Errors of the search for a plan.

use core::fmt;

/// The reason for a missing plan.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// An invalid guess, bound or grid, with a description of the error.
    #[error("invalid task: {0}")]
    Task(String),
    /// A motion could not be computed.
    #[error("{0}")]
    Run(String),
    /// A quadratic problem has no solution; contains the status of its solver.
    #[error("no step was found ({0}); {HELP}")]
    Quadratic(String),
    /// No inputs within the bounds close all defects: the end time of the worst piece, and its defect.
    #[error(
        "no inputs within the bounds were found: the defect of the piece that ends at t = {time:.3} s is {defect:.1e}; {HELP}"
    )]
    Infeasible {
        /// [s].
        time: f64,
        /// The length of the defect.
        defect: f64,
    },
    /// The search did not converge.
    #[error(
        "the search did not converge in {steps} steps: the defect is {defect:.1e}, and the change of an input is {change:.1e}; {HELP}, or start \
         from a closer guess"
    )]
    Unfinished {
        /// The number of steps.
        steps: usize,
        /// The largest remaining defect.
        defect: f64,
        /// The largest remaining change of an input.
        change: f64,
    },
}

/// The advice for motions that exceed the bounds.
const HELP: &str = "increase the duration of the motion or the bounds of the inputs";

impl PlanError {
    /// A run that failed, by its message.
    pub(super) fn run(error: impl fmt::Display) -> Self {
        PlanError::Run(error.to_string())
    }
}
