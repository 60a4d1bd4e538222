//! Why there is no plan.

use core::fmt;

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanError {
    /// An invalid guess, bound or grid, with a description of the error.
    Task(String),
    /// A motion could not be computed.
    Run(String),
    /// A quadratic problem has no solution; contains the status of its solver.
    Quadratic(String),
    /// No inputs within the bounds close all defects: the end time of the worst piece, and its defect.
    Infeasible {
        /// [s].
        time: f64,
        /// The length of the defect.
        defect: f64,
    },
    /// The search has not ended.
    Unfinished {
        /// The steps that it has made.
        steps: usize,
        /// The largest length of a defect that is left.
        defect: f64,
        /// The largest change of an input that is left.
        change: f64,
    },
}

/// The advice for motions that exceed the bounds.
const HELP: &str = "give the motion more time, or the inputs wider bounds";

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Task(what) => write!(f, "the task cannot be searched for: {what}"),
            PlanError::Run(error) => f.write_str(error),
            PlanError::Quadratic(status) => write!(f, "no step was found ({status}): {HELP}"),
            PlanError::Infeasible { time, defect } => write!(
                f,
                "no inputs within the bounds were found for this motion: the piece that ends at \
                 t = {time:.3} s has the defect {defect:.1e}; {HELP}"
            ),
            PlanError::Unfinished { steps, defect, change } => write!(
                f,
                "the search has not ended after {steps} steps: a defect of {defect:.1e} and a change of an input of {change:.1e} are left; \
                 {HELP}, or begin with a guess that is nearer"
            ),
        }
    }
}

impl core::error::Error for PlanError {}

impl PlanError {
    /// A run that failed, by its message.
    pub(super) fn run(error: impl fmt::Display) -> Self {
        PlanError::Run(error.to_string())
    }
}
