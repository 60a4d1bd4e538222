//! Why a simulation ended before its time, with all that it had computed.

use core::fmt;

use super::{ConsistencyError, Trajectory};
use crate::integrator::{ControllerError, State, StepError, StepFailure};
use crate::system::{DeclarationError, MechanicalSystem, ModelError};

/// A simulation that did not reach its end; nothing computed is lost.
pub struct SimulationError<M: MechanicalSystem> {
    /// What went wrong.
    pub failure: Failure,
    /// What has been recorded so far, with statistics; empty if the first step was never made.
    pub trajectory: Trajectory<M>,
    /// The last state that is good, recorded or not; `None` if the first step was never made.
    pub last: Option<State<M>>,
}

/// What went wrong in a simulation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// The simulation was not set up soundly.
    Setup(SetupError),
    /// The initial values cannot be made consistent.
    InitialValues(ConsistencyError),
    /// A step has no result.
    Step(StepError),
    /// The error control asks for a step under the minimum.
    StepTooSmall {
        /// The time of the last good state.
        time: f64,
        /// The step size that was asked for.
        step: f64,
        /// The minimum.
        minimum: f64,
        /// The error indicator (paper 1, eq. 21) of the last attempt; at most 1 would have been accepted.
        error: f64,
        /// Why the last attempt had no result, if it had none.
        cause: Option<StepFailure>,
    },
    /// Too many steps in a row were rejected.
    TooManyRejections {
        /// The time of the last good state.
        time: f64,
        /// The size of the last attempt.
        step: f64,
        /// How many steps in a row.
        rejections: usize,
        /// The error indicator of the last attempt.
        error: f64,
        /// Why the last attempt had no result, if it had none.
        cause: Option<StepFailure>,
    },
}

/// A simulation that was not set up soundly: found before the first step.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SetupError {
    /// Neither a step size nor a tolerance.
    NoStep,
    /// No end time.
    NoEnd,
    /// A step size that is zero, negative or not finite.
    Step {
        /// The step size.
        step: f64,
    },
    /// An end time that is before the start or not finite.
    End {
        /// The start time.
        start: f64,
        /// The end time.
        end: f64,
    },
    /// More steps than can be counted exactly.
    TooManySteps {
        /// The number of steps asked for.
        steps: f64,
    },
    /// A tolerance or a setting of the step-size control.
    Controller(ControllerError),
    /// The method has no embedded error estimate.
    NoEstimate {
        /// The method's identifier.
        method: &'static str,
    },
    /// A sample time outside of the simulated interval, or NaN.
    SampleTime {
        /// The sample time.
        time: f64,
        /// The start time.
        start: f64,
        /// The end time.
        end: f64,
    },
    /// The initial state belongs to another system: a chain or a vector of another length.
    ForeignState(ModelError),
    /// A declared function and the code that was generated from it disagree.
    Declaration(DeclarationError),
    /// `record_every(0)`.
    RecordEvery,
    /// An initial value that is NaN or infinite.
    NotFinite {
        /// Which one.
        value: &'static str,
    },
}

impl<M: MechanicalSystem> fmt::Debug for SimulationError<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimulationError")
            .field("failure", &self.failure)
            .field("last", &self.last)
            .field("statistics", &self.trajectory.statistics)
            .finish_non_exhaustive()
    }
}

impl<M: MechanicalSystem> fmt::Display for SimulationError<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.failure.fmt(f)?;
        if self.last.is_some() {
            let recorded = self.trajectory.states.len();
            write!(f, "; {} steps were made, {recorded} states are recorded", self.trajectory.statistics.accepted)?;
        }
        Ok(())
    }
}

impl<M: MechanicalSystem> std::error::Error for SimulationError<M> {}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let because = |f: &mut fmt::Formatter<'_>, cause: &Option<StepFailure>| match cause {
            Some(cause) => write!(f, "; the last attempt failed: {cause}"),
            None => Ok(()),
        };
        match self {
            Failure::Setup(error) => error.fmt(f),
            Failure::InitialValues(error) => error.fmt(f),
            Failure::Step(error) => error.fmt(f),
            Failure::StepTooSmall { time, step, minimum, error, cause } => {
                write!(
                    f,
                    "the error control asks for a step of {step:?} at t = {time:?}, under the minimum of {minimum:?} \
                     (error indicator {error:.2e}); loosen the tolerances, or look for a force or a constraint that is \
                     not smooth there"
                )?;
                because(f, cause)
            }
            Failure::TooManyRejections { time, step, rejections, error, cause } => {
                write!(
                    f,
                    "{rejections} steps in a row were rejected at t = {time:?}, the last of size {step:?} with error \
                     indicator {error:.2e}; loosen the tolerances, or look for a force or a constraint that is not \
                     smooth there"
                )?;
                because(f, cause)
            }
        }
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::NoStep => f.write_str("no step size: say `.step(h)` or `.tolerance(relative, absolute)`"),
            SetupError::NoEnd => f.write_str("no end time: say `.until(end)`"),
            SetupError::Step { step } => write!(f, "the step size is {step}; it has to be finite and positive"),
            SetupError::End { start, end } => {
                write!(f, "the end time is {end}; it has to be finite and not before the start at {start}")
            }
            SetupError::TooManySteps { steps } => {
                write!(f, "{steps:.1e} steps are more than can be counted; take a larger step or an earlier end")
            }
            SetupError::Controller(error) => error.fmt(f),
            SetupError::NoEstimate { method } => StepFailure::NoEstimate { method }.fmt(f),
            SetupError::SampleTime { time, start, end } => {
                write!(f, "the sample time {time} is not between the start at {start} and the end at {end}")
            }
            SetupError::ForeignState(error) => error.fmt(f),
            SetupError::Declaration(error) => {
                write!(f, "{error}; `.without_declaration_check()` runs all the same")
            }
            SetupError::RecordEvery => f.write_str("`record_every(0)` records nothing; the least is 1, every step"),
            SetupError::NotFinite { value } => {
                write!(f, "the initial {value} is not finite; every component has to be a finite number")
            }
        }
    }
}

impl std::error::Error for Failure {}
impl std::error::Error for SetupError {}
