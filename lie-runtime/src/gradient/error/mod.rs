//! Why a motion has no derivatives.

use core::fmt;

mod direction;

pub use direction::DirectionError;
use direction::listed;

use crate::gradient::cotangent::Cotangent;
use crate::inputs::InputError;
use crate::integrator::{Problem, State, StepError};
use crate::simulate::{Failure, SimulationError, Telling};
use crate::system::{ModelError, Reverse};

/// Why a run has no sensitivities.
#[non_exhaustive]
pub enum SensitivityError<P: Problem> {
    /// A name that means nothing.
    Direction(DirectionError),
    /// Inputs that follow the state.
    Inputs(InputError),
    /// A controller, whose answers have no derivatives.
    Controlled,
    /// Events whose functions have no derivatives.
    Events,
    /// A system of these parameters cannot be made.
    Model(ModelError),
    /// A start from a state in the midst of a run, whose method remembers more than has derivatives.
    Remembers {
        /// The time of the state.
        time: f64,
    },
    /// The run by one of the names did not come to its end.
    Run {
        /// By what the derivatives were taken.
        by: String,
        /// Why, with what was recorded.
        error: Box<SimulationError<P>>,
    },
    /// The run by one of the names has recorded other times than the first one.
    Times {
        /// By what the derivatives were taken.
        by: String,
    },
}

impl<P: Problem> fmt::Display for SensitivityError<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SensitivityError::Direction(error) => error.fmt(f),
            SensitivityError::Inputs(error) => error.fmt(f),
            SensitivityError::Controlled => f.write_str(
                "the answers of a controller have no derivatives: run without `.controller`, on inputs over time, \
                 `system.with_inputs_over_time(|t| …)` of what `trajectory.sampled_inputs()` has for t, or declare the law as a `#[force]` \
                 with parameters",
            ),
            SensitivityError::Events => f.write_str(
                "the functions of these events are on plain numbers, which have no derivatives: say `.when(…)` after \
                 `.with_sensitivities([…])`, where they are on dual numbers",
            ),
            SensitivityError::Model(error) => error.fmt(f),
            SensitivityError::Remembers { time } => write!(
                f,
                "the state at t = {time:?} is in the midst of a run, and what its method remembers has no derivatives: start \
                 with `.initial`, or `state.memory.forget()`, from where the method begins anew"
            ),
            SensitivityError::Run { by, error } => write!(f, "derivatives by `{by}`: {error}"),
            SensitivityError::Times { by } => write!(
                f,
                "the run for derivatives by `{by}` has recorded other times than the one before it: an observer or a limit \
                 has ended it elsewhere"
            ),
        }
    }
}

/// As short as the message: it is what `fn main() -> Result<…>` shows.
impl<P: Problem> fmt::Debug for SensitivityError<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<P: Problem> std::error::Error for SensitivityError<P> {}

/// What there is of a run unless it has no gradient.
pub(super) type Attempted<M, T> = Result<T, Box<GradientError<M>>>;

/// Why a run has no gradient.
#[non_exhaustive]
pub enum GradientError<M: Reverse> {
    /// Inputs that follow the state.
    Inputs(InputError),
    /// A controller, whose answers have no derivatives.
    Controlled,
    /// Events whose functions have no derivatives.
    Events,
    /// What goes wrong at an event on the way back.
    AtEvent(Box<Failure>),
    /// The objective asks for an event that has not taken place, or has changed nothing.
    NoEvent {
        /// The name.
        name: String,
        /// The events that have ended a step.
        known: Vec<String>,
    },
    /// A system on dual numbers cannot be made.
    Model(ModelError),
    /// Derivatives along a direction that there is not.
    Direction(DirectionError),
    /// A start from a state in the midst of a run, whose method remembers more than has second derivatives.
    Remembers {
        /// The time of the state.
        time: f64,
    },
    /// Something was said of the run that gradients are not known of.
    Refused {
        /// The method of the builder.
        said: &'static str,
    },
    /// A method that there is no way back through.
    Method {
        /// Its identifier.
        method: &'static str,
        /// What it does that is not known of.
        why: &'static str,
        /// What goes back there.
        instead: &'static str,
    },
    /// Initial values that were corrected: the derivative of the correction is not known.
    Inconsistent {
        /// How far they were moved.
        moved: f64,
    },
    /// The objective asks for a time that is not that of a step.
    Time {
        /// The time.
        time: f64,
        /// The ends of the steps next to it; twice the same, the run is over there or has not begun.
        near: [f64; 2],
    },
    /// The objective is no number in a state, or has no derivative there.
    Objective {
        /// The time of the state.
        time: f64,
        /// The sum of its terms there.
        value: f64,
    },
    /// The objective reads how redundant rows share a reaction, of which there is no way back.
    Shares {
        /// The time of the state.
        time: f64,
        /// The constraint of one of the rows.
        constraint: &'static str,
    },
    /// The run did not come to its end.
    Run(Box<SimulationError<M>>),
    /// Constraints came near to losing rank, and steps there were not made by the method.
    Crossed {
        /// How many.
        steps: usize,
    },
    /// The way back of the run has no room.
    Room {
        /// The steps that were made.
        steps: usize,
        /// The bytes that there were.
        bytes: u64,
    },
    /// The states of a run with events have no room.
    RoomForEvents {
        /// The steps that were made.
        steps: usize,
        /// The bytes that there were.
        bytes: u64,
    },
    /// A step between two checkpoints could not be made once more.
    Again {
        /// The time before it.
        time: f64,
        /// Why.
        error: StepError,
    },
    /// A step had no way back.
    Back {
        /// The time of the state behind the step.
        time: f64,
        /// Why.
        error: StepError,
        /// What had been found of the gradient.
        cotangent: Box<Cotangent<M>>,
    },
    /// One of several objectives has no gradient.
    Among {
        /// Its number, the first of which is 0.
        number: usize,
        /// Why.
        error: Box<Self>,
    },
    /// The gradient has grown beyond all numbers, or a derivative is none.
    NotFinite {
        /// The time of the state before which that was seen.
        time: f64,
    },
}

impl<M: Reverse> GradientError<M> {
    /// The same, told of another system: its states and cotangents are what these functions make of them.
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
            GradientError::Among { number, error } => write!(f, "of objective {number}: {error}"),
            GradientError::Inputs(error) => error.fmt(f),
            GradientError::Controlled => SensitivityError::<M>::Controlled.fmt(f),
            GradientError::Events => f.write_str(
                "the functions of these events are on plain numbers, which have no derivatives: say `.when(…)` after \
                 `.with_gradients()`, where they are on dual numbers; second derivatives are known of runs without events, of others take \
                 differences of gradients",
            ),
            GradientError::AtEvent(failure) => failure.fmt(f),
            GradientError::NoEvent { name, known } => {
                write!(f, "the objective asks for the event `{name}`, which has ended no step")?;
                match &**known {
                    [] => f.write_str(
                        ": none has taken place that stops the run or changes something, said by `.when(…)` after `.with_gradients()`",
                    )?,
                    known => write!(f, "; those that have are {}", listed(known))?,
                }
                f.write_str(". What is only noted ends none: say `.then(|_| ())`")
            }
            GradientError::RoomForEvents { steps, bytes } => write!(
                f,
                "after {steps} steps {bytes} bytes have no room for the states, all of which a way back through events takes: say \
                 `.limits(Limits {{ bytes: …, ..Limits::default() }})`, or take larger steps"
            ),
            GradientError::Model(error) => error.fmt(f),
            GradientError::Direction(error) => error.fmt(f),
            GradientError::Remembers { time } => SensitivityError::<M>::Remembers { time: *time }.fmt(f),
            GradientError::Refused { said: "output_times" } => f.write_str(
                "gradients are taken of steps: leave `.output_times` out, and say `.at_times` of the objective, at times of steps",
            ),
            GradientError::Refused { said: "full_order_multipliers" } => f.write_str(
                "gradients are those of the multipliers that the method itself has: leave `.full_order_multipliers` out",
            ),
            GradientError::Refused { said } => write!(
                f,
                "gradients are known of runs that begin with `.initial` at consistent values: leave `.{said}` out"
            ),
            GradientError::Method { method, why, instead } => write!(
                f,
                "there is no way back through `{method}`, which {why}: take {instead}; \
                 `.with_sensitivities([…])` goes forwards, by other methods as well"
            ),
            GradientError::Inconsistent { moved } => write!(
                f,
                "the initial values were moved by {moved:.1e} to meet the constraints, which has no gradient: start at the \
                 first state of such a run, `trajectory.first()`"
            ),
            GradientError::Time { time, near: [before, after] } if before < after => write!(
                f,
                "the objective asks for the state at t = {time:?}, and steps end at {before:?} and {after:?}: choose a step \
                 that divides the times, `.step(…)`"
            ),
            GradientError::Time { time, near: [end, _] } => {
                let what = if time < end { "begins" } else { "ends" };
                write!(
                    f,
                    "the objective asks for the state at t = {time:?}, and the run {what} at {end:?}: choose times within the run, or \
                     another end, `.end_time(…)`"
                )
            }
            GradientError::Objective { time, value } if value.is_finite() => write!(
                f,
                "at t = {time:?} the objective is {value:?} and has no finite derivative: a root at 0, or the norm of what is zero; \
                 take squares, or add what keeps it away from there"
            ),
            GradientError::Objective { time, value } => write!(
                f,
                "at t = {time:?} the objective is {value:?}: look for data that are no numbers, or for a logarithm, a root or a \
                 quotient out of its range"
            ),
            GradientError::Shares { time, constraint } => write!(
                f,
                "at t = {time:?} the objective reads multipliers of `{constraint}`, whose rows depend on others: there is no way back through \
                 how these share a reaction; let it read the reaction, a sum like those of the rows, or take `.with_sensitivities([…])`"
            ),
            GradientError::Run(error) => error.fmt(f),
            GradientError::Crossed { steps } => write!(
                f,
                "in {steps} steps the constraints came near to losing rank, and the equations of index 1 took the place of the method: \
                 there is no way back through these; take `OnMechanical(MuntheKaas::rkmk4())`, which makes all its steps by them, or \
                 `.with_sensitivities([…])`"
            ),
            GradientError::Room { steps, bytes } => write!(
                f,
                "after {steps} steps {bytes} bytes have no room for the way back, not even by checkpoints: say \
                 `.limits(Limits {{ bytes: …, ..Limits::default() }})`, or take larger steps"
            ),
            GradientError::Again { time, error } => {
                write!(f, "the step from t = {time:?} was made, and could not be made once more on the way back: {error}")
            }
            GradientError::Back { time, error, .. } => {
                write!(f, "the gradient came back to t = {time:?} and no further: {error}")
            }
            GradientError::NotFinite { time } => write!(
                f,
                "before t = {time:?} the gradient is not a finite number: sensitivities of a chaotic motion grow without \
                 bounds, or a function has no derivative there (a root at 0)"
            ),
        }
    }
}

/// As short as the message: it is what `fn main() -> Result<…>` shows.
impl<M: Reverse> fmt::Debug for GradientError<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<M: Reverse> std::error::Error for GradientError<M> {}
