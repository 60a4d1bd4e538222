//! Errors of derivatives.

use core::fmt;

mod direction;

pub use direction::DirectionError;
use direction::listed;

use crate::gradient::cotangent::Cotangent;
use crate::inputs::InputError;
use crate::integrator::{Problem, State, StepError};
use crate::simulate::{Failure, SimulationError, Telling};
use crate::system::{ModelError, Reverse};

/// The error of a run with sensitivities.
#[non_exhaustive]
pub enum SensitivityError<P: Problem> {
    /// The variable of differentiation is invalid.
    Direction(DirectionError),
    /// The inputs depend on the state.
    Inputs(InputError),
    /// The simulation has a controller, whose output has no derivatives.
    Controlled,
    /// The simulation has events without derivatives.
    Events,
    /// The system on dual numbers cannot be created.
    Model(ModelError),
    /// The initial state is a state of another run, and the data of its method have no derivatives.
    Remembers {
        /// The time of the state.
        time: f64,
    },
    /// A run for one of the names did not reach its end.
    Run {
        /// The name.
        by: String,
        /// The error, with the recorded states.
        error: Box<SimulationError<P>>,
    },
    /// The run for one of the names has other recorded times than the first run.
    Times {
        /// The name.
        by: String,
    },
}

impl<P: Problem> fmt::Display for SensitivityError<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SensitivityError::Direction(error) => error.fmt(f),
            SensitivityError::Inputs(error) => error.fmt(f),
            SensitivityError::Controlled => f.write_str(
                "the output of a controller has no derivatives. Remove `.controller`, and set inputs over time with \
                 `system.with_inputs_over_time(|t| …)` from `trajectory.sampled_inputs()`, or declare the control law as a `#[force]` \
                 with parameters",
            ),
            SensitivityError::Events => f.write_str(
                "the functions of these events do not use dual numbers; call `.when(…)` after `.with_sensitivities([…])`",
            ),
            SensitivityError::Model(error) => error.fmt(f),
            SensitivityError::Remembers { time } => write!(
                f,
                "the state at t = {time:?} belongs to another run, and the stored data of its method have no derivatives; start with \
                 `.initial`, or call `state.memory.forget()` to restart the method"
            ),
            SensitivityError::Run { by, error } => write!(f, "derivatives with respect to `{by}`: {error}"),
            SensitivityError::Times { by } => write!(
                f,
                "the run for `{by}` and the run before it have different recorded times: an observer or a limit \
                 has ended a run earlier"
            ),
        }
    }
}

/// `fn main() -> Result<…>` prints the debug format: it equals the message.
impl<P: Problem> fmt::Debug for SensitivityError<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<P: Problem> std::error::Error for SensitivityError<P> {}

/// The result of a gradient, or its error.
pub(super) type Attempted<M, T> = Result<T, Box<GradientError<M>>>;

/// The error of a gradient.
#[non_exhaustive]
pub enum GradientError<M: Reverse> {
    /// The inputs depend on the state.
    Inputs(InputError),
    /// The simulation has a controller, whose output has no derivatives.
    Controlled,
    /// The simulation has events without derivatives.
    Events,
    /// An event failed during the reverse pass.
    AtEvent(Box<Failure>),
    /// The objective depends on an event that has not occurred, or has changed nothing.
    NoEvent {
        /// The name.
        name: String,
        /// The events that have ended a step.
        known: Vec<String>,
    },
    /// A system on dual numbers cannot be created.
    Model(ModelError),
    /// A direction is invalid.
    Direction(DirectionError),
    /// The initial state is a state of another run, and the data of its method have no second derivatives.
    Remembers {
        /// The time of the state.
        time: f64,
    },
    /// A setting of the simulation does not support gradients.
    Refused {
        /// The method of the builder.
        said: &'static str,
    },
    /// The method has no reverse pass.
    Method {
        /// Its identifier.
        method: &'static str,
        /// The unsupported property of the method.
        why: &'static str,
        /// The methods with a reverse pass.
        instead: &'static str,
    },
    /// The initial values were corrected: the correction has no derivative.
    Inconsistent {
        /// The size of the correction.
        moved: f64,
    },
    /// The objective depends on a time that is not the time of a step.
    Time {
        /// The time.
        time: f64,
        /// The adjacent times of steps; both are equal if the time is before or after the run.
        near: [f64; 2],
    },
    /// The objective is not finite in a state, or has no derivative there.
    Objective {
        /// The time of the state.
        time: f64,
        /// The sum of its terms.
        value: f64,
    },
    /// The objective depends on the individual multipliers of redundant rows, which have no reverse pass.
    Shares {
        /// The time of the state.
        time: f64,
        /// The constraint of a redundant row.
        constraint: &'static str,
    },
    /// The run did not reach its end.
    Run(Box<SimulationError<M>>),
    /// The constraints were close to a loss of rank, and the method did not compute the steps there.
    Crossed {
        /// The number of these steps.
        steps: usize,
    },
    /// The reverse pass does not fit into the memory limit.
    Room {
        /// The number of steps.
        steps: usize,
        /// The limit in bytes.
        bytes: u64,
    },
    /// The states of a run with events do not fit into the memory limit.
    RoomForEvents {
        /// The number of steps.
        steps: usize,
        /// The limit in bytes.
        bytes: u64,
    },
    /// A step between two checkpoints could not be repeated.
    Again {
        /// The time at its start.
        time: f64,
        /// The error.
        error: StepError,
    },
    /// A step has no reverse pass.
    Back {
        /// The time at the end of the step.
        time: f64,
        /// The error.
        error: StepError,
        /// The cotangent so far.
        cotangent: Box<Cotangent<M>>,
    },
    /// One of several objectives has no gradient.
    Among {
        /// Its index, from 0.
        number: usize,
        /// The error.
        error: Box<Self>,
    },
    /// The gradient is infinite or NaN.
    NotFinite {
        /// The time of the state before which this was found.
        time: f64,
    },
}

impl<M: Reverse> GradientError<M> {
    /// Converts the error to another system; the functions convert states and cotangents.
    pub(super) fn told<N: Reverse>(
        self,
        states: &mut dyn FnMut(State<M>) -> State<N>,
        cotangent: &dyn Fn(&Cotangent<M>) -> Cotangent<N>,
    ) -> GradientError<N> {
        match self {
            GradientError::Among { number, error } => {
                GradientError::Among { number, error: Box::new(error.told(states, cotangent)) }
            }
            GradientError::Run(error) => {
                GradientError::Run(Box::new(error.told(&mut Telling { states, systems: &|_| None })))
            }
            GradientError::Back { time, error, cotangent: own } => {
                GradientError::Back { time, error, cotangent: Box::new(cotangent(&own)) }
            }
            GradientError::Inputs(error) => GradientError::Inputs(error),
            GradientError::Controlled => GradientError::Controlled,
            GradientError::Events => GradientError::Events,
            GradientError::AtEvent(failure) => GradientError::AtEvent(failure),
            GradientError::NoEvent { name, known } => GradientError::NoEvent { name, known },
            GradientError::Crossed { steps } => GradientError::Crossed { steps },
            GradientError::RoomForEvents { steps, bytes } => GradientError::RoomForEvents { steps, bytes },
            GradientError::Model(error) => GradientError::Model(error),
            GradientError::Direction(error) => GradientError::Direction(error),
            GradientError::Remembers { time } => GradientError::Remembers { time },
            GradientError::Refused { said } => GradientError::Refused { said },
            GradientError::Method { method, why, instead } => GradientError::Method { method, why, instead },
            GradientError::Inconsistent { moved } => GradientError::Inconsistent { moved },
            GradientError::Room { steps, bytes } => GradientError::Room { steps, bytes },
            GradientError::Again { time, error } => GradientError::Again { time, error },
            GradientError::Time { time, near } => GradientError::Time { time, near },
            GradientError::Objective { time, value } => GradientError::Objective { time, value },
            GradientError::Shares { time, constraint } => GradientError::Shares { time, constraint },
            GradientError::NotFinite { time } => GradientError::NotFinite { time },
        }
    }
}

impl<M: Reverse> fmt::Display for GradientError<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GradientError::Among { number, error } => write!(f, "objective {number}: {error}"),
            GradientError::Inputs(error) => error.fmt(f),
            GradientError::Controlled => SensitivityError::<M>::Controlled.fmt(f),
            GradientError::Events => f.write_str(
                "the functions of these events do not use dual numbers; call `.when(…)` after `.with_gradients()`. Second derivatives \
                 are not available for runs with events; use differences of gradients",
            ),
            GradientError::AtEvent(failure) => failure.fmt(f),
            GradientError::NoEvent { name, known } => {
                write!(f, "the objective depends on the event `{name}`, which has not ended a step")?;
                match &**known {
                    [] => f.write_str(
                        ": no event has stopped or changed the run; it must be registered with `.when(…)` after `.with_gradients()`",
                    )?,
                    known => write!(f, "; the events that have are {}", listed(known))?,
                }
                f.write_str(". An event without an action does not end a step; add `.then(|_| ())`")
            }
            GradientError::RoomForEvents { steps, bytes } => write!(
                f,
                "the states of {steps} steps exceed the limit of {bytes} bytes, and a reverse pass through events needs all of them; set \
                 `.limits(Limits {{ bytes: …, ..Limits::default() }})`, or use larger steps"
            ),
            GradientError::Model(error) => error.fmt(f),
            GradientError::Direction(error) => error.fmt(f),
            GradientError::Remembers { time } => SensitivityError::<M>::Remembers { time: *time }.fmt(f),
            GradientError::Refused { said: "output_times" } => f.write_str(
                "gradients need the states of all steps; remove `.output_times`, and call `.at_times` of the objective with times of steps",
            ),
            GradientError::Refused { said: "full_order_multipliers" } => f.write_str(
                "gradients use the multipliers of the method; remove `.full_order_multipliers`",
            ),
            GradientError::Refused { said } => write!(
                f,
                "gradients need a run from consistent initial values, set with `.initial`; remove `.{said}`"
            ),
            GradientError::Method { method, why, instead } => write!(
                f,
                "the method `{method}` has no reverse pass, because it {why}; use {instead}, or \
                 the forward sensitivities `.with_sensitivities([…])`, which support all methods"
            ),
            GradientError::Inconsistent { moved } => write!(
                f,
                "the initial values were corrected by {moved:.1e} to satisfy the constraints, and the correction has no gradient; start \
                 at the first state of the corrected run, `trajectory.first()`"
            ),
            GradientError::Time { time, near: [before, after] } if before < after => write!(
                f,
                "the objective depends on the state at t = {time:?}, and steps end at {before:?} and {after:?}; choose a step that \
                 divides the times, with `.step(…)`"
            ),
            GradientError::Time { time, near: [end, _] } => {
                let what = if time < end { "begins" } else { "ends" };
                write!(
                    f,
                    "the objective depends on the state at t = {time:?}, and the run {what} at {end:?}: choose times within the run, or \
                     another `.end_time(…)`"
                )
            }
            GradientError::Objective { time, value } if value.is_finite() => write!(
                f,
                "at t = {time:?} the objective is {value:?} and has no finite derivative, for example at a root or a norm of zero; use \
                 squares, or add a positive constant to the argument"
            ),
            GradientError::Objective { time, value } => write!(
                f,
                "at t = {time:?} the objective is {value:?}; check it for NaN in the data, and for a logarithm, a root or a quotient \
                 outside its domain"
            ),
            GradientError::Shares { time, constraint } => write!(
                f,
                "at t = {time:?} the objective depends on individual multipliers of `{constraint}`, whose rows depend on others; they \
                 have no reverse pass. Use the sum of the reactions of dependent rows, or `.with_sensitivities([…])`"
            ),
            GradientError::Run(error) => error.fmt(f),
            GradientError::Crossed { steps } => write!(
                f,
                "the constraints were close to a loss of rank in {steps} steps, which were computed with the equations of index 1 and \
                 have no reverse pass. Use `OnMechanical(MuntheKaas::rkmk4())`, which uses these equations in all steps, or \
                 `.with_sensitivities([…])`"
            ),
            GradientError::Room { steps, bytes } => write!(
                f,
                "the checkpoints of {steps} steps exceed the limit of {bytes} bytes for the reverse pass; set \
                 `.limits(Limits {{ bytes: …, ..Limits::default() }})`, or use larger steps"
            ),
            GradientError::Again { time, error } => {
                write!(f, "the step from t = {time:?} could not be repeated in the reverse pass: {error}")
            }
            GradientError::Back { time, error, .. } => {
                write!(f, "the reverse pass failed at t = {time:?}: {error}")
            }
            GradientError::NotFinite { time } => write!(
                f,
                "the gradient is not finite before t = {time:?}: the sensitivities of a chaotic motion grow without \
                 bound, or a function has no derivative there (for example, a root at 0)"
            ),
        }
    }
}

/// `fn main() -> Result<…>` prints the debug format: it equals the message.
impl<M: Reverse> fmt::Debug for GradientError<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<M: Reverse> std::error::Error for GradientError<M> {}
