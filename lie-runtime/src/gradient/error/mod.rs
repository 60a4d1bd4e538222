//! Errors of derivatives.

mod direction;

pub use direction::DirectionError;
use direction::listed;

use crate::gradient::adjoint_state::AdjointState;
use crate::inputs::InputError;
use crate::integrator::{Problem, State, StepError};
use crate::messages::{Remedy, see, setting};
use crate::simulate::{DualToPlain, Failure, SimulationError};
use crate::system::{ModelError, Reverse};

/// The error of a run with sensitivities.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum SensitivityError<P: Problem> {
    /// The variable of differentiation is invalid.
    #[error(transparent)]
    Direction(DirectionError),
    /// The inputs depend on the state.
    #[error(transparent)]
    Inputs(InputError),
    /// The simulation has a controller or an input with dead time, which have no derivatives.
    #[error(
        "the output of a controller and an input with dead time have no derivatives. Remove `.controller` and `.delayed`, and set inputs over time with \
         `system.with_inputs_over_time(|t| …)` from `trajectory.sampled_inputs()`, or declare the control law as a `#[force]` with parameters {}",
        see("sensitivities-and-gradients")
    )]
    Controlled,
    /// The simulation has events without derivatives.
    #[error(
        "the functions of these events do not use dual numbers; call `.event(…)` after `.with_sensitivities([…])`. A contact has no \
         derivatives, replace `.contact` by its events {}",
        see("derivatives-at-events")
    )]
    Events,
    /// The system on dual numbers cannot be created.
    #[error(transparent)]
    Model(ModelError),
    /// The initial state is a state of another run, and the data of its method have no derivatives.
    #[error(
        "the state at t = {time:?} belongs to another run, and the stored data of its method have no derivatives. Start with `.initial`, or call \
         `state.memory.forget()` to restart the method {}",
        see("sensitivities-and-gradients")
    )]
    Remembers {
        /// The time of the state.
        time: f64,
    },
    /// A run for one of the names did not reach its end.
    #[error("derivatives with respect to `{by}`: {error}")]
    Run {
        /// The name.
        by: String,
        /// The error, with the recorded states.
        error: Box<SimulationError<P>>,
    },
    /// The run for one of the names has other recorded times than the first run.
    #[error(
        "the run for `{by}` and the previous run have different recorded times: an observer or a limit has stopped a run earlier. Remove the \
         observer or the limit {}",
        see("sensitivities-and-gradients")
    )]
    Times {
        /// The name.
        by: String,
    },
}

crate::messages::debug_is_the_message!([P: Problem] SensitivityError<P>);

/// The result of a gradient, or its error.
pub(super) type Attempted<M, T> = Result<T, Box<GradientError<M>>>;

/// The error of a gradient.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum GradientError<M: Reverse> {
    /// The inputs depend on the state.
    #[error(transparent)]
    Inputs(InputError),
    /// The simulation has a controller or an input with dead time, which have no derivatives.
    #[error(
        "the output of a controller and an input with dead time have no derivatives. Remove `.controller` and `.delayed`, and set inputs over time with \
         `system.with_inputs_over_time(|t| …)` from `trajectory.sampled_inputs()`, or declare the control law as a `#[force]` with parameters {}",
        see("sensitivities-and-gradients")
    )]
    Controlled,
    /// The simulation has events without derivatives.
    #[error(
        "the functions of these events do not use dual numbers; call `.event(…)` after `.with_gradients()`. A contact has no \
         derivatives, replace `.contact` by its events. Second derivatives are not \
         available for runs with events; use differences of gradients {}",
        see("derivatives-at-events")
    )]
    Events,
    /// An event failed during the reverse pass.
    #[error(transparent)]
    AtEvent(Box<Failure>),
    /// The objective depends on an event that has not occurred, or has changed nothing.
    #[error("{} {}", no_event(.name, .known), see("derivatives-at-events"))]
    NoEvent {
        /// The name.
        name: String,
        /// The events that have ended a step.
        known: Vec<String>,
    },
    /// A system on dual numbers cannot be created.
    #[error(transparent)]
    Model(ModelError),
    /// A direction is invalid.
    #[error(transparent)]
    Direction(DirectionError),
    /// The initial state is a state of another run, and the data of its method have no second derivatives.
    #[error(
        "the state at t = {time:?} belongs to another run, and the stored data of its method have no derivatives. Start with `.initial`, or call \
         `state.memory.forget()` to restart the method {}",
        see("sensitivities-and-gradients")
    )]
    Remembers {
        /// The time of the state.
        time: f64,
    },
    /// A setting of the simulation does not support gradients.
    #[error("{} {}", unsupported(.setting), see("sensitivities-and-gradients"))]
    Refused {
        /// The method of the builder.
        setting: &'static str,
    },
    /// The method has no reverse pass.
    #[error(
        "the method `{method}` has no reverse pass, because it {why}. Use {instead}, or the forward sensitivities {FORWARD}, \
         which support all methods {}",
        see("sensitivities-and-gradients")
    )]
    Method {
        /// Its identifier.
        method: &'static str,
        /// The unsupported property of the method.
        why: &'static str,
        /// The methods with a reverse pass.
        instead: &'static str,
    },
    /// The initial values were corrected: the correction has no derivative.
    #[error(
        "the initial values were corrected by {moved:.1e} to satisfy the constraints, and the correction has no gradient. Start from the first \
         state of the corrected run, {} {}",
        Remedy::FirstState,
        see("sensitivities-and-gradients")
    )]
    Inconsistent {
        /// The size of the correction.
        moved: f64,
    },
    /// The objective depends on a time that is not the time of a step.
    #[error("{} {}", no_step_at(*.time, *.near), see("objectives"))]
    Time {
        /// The time.
        time: f64,
        /// The adjacent times of steps; both are equal if the time is before or after the run.
        near: [f64; 2],
    },
    /// The objective is not finite in a state, or has no derivative there.
    #[error("{} {}", undefined_objective(*.time, *.value), see("objectives"))]
    Objective {
        /// The time of the state.
        time: f64,
        /// The sum of its terms.
        value: f64,
    },
    /// The objective depends on the individual multipliers of redundant rows, which have no reverse pass.
    #[error(
        "at t = {time:?} the objective depends on individual multipliers of `{constraint}`, whose rows depend on others; they have no reverse \
         pass. Use the sum of the reactions of dependent rows, or {FORWARD} {}",
        see("objectives")
    )]
    Shares {
        /// The time of the state.
        time: f64,
        /// The constraint of a redundant row.
        constraint: &'static str,
    },
    /// The run did not reach its end.
    #[error("{0}")]
    Run(Box<SimulationError<M>>),
    /// The constraints were close to a loss of rank, and the method did not compute the steps there.
    #[error(
        "the constraints were close to a loss of rank in {steps} steps, which were computed with the equations of index 1 and have no reverse \
         pass. Use `OnMechanical(MuntheKaas::rkmk4())`, which uses these equations in all steps, or {FORWARD} {}",
        see("loss-of-rank")
    )]
    Crossed {
        /// The number of these steps.
        steps: usize,
    },
    /// The reverse pass does not fit into the memory limit.
    #[error(
        "the checkpoints of {steps} steps exceed the limit of {bytes} bytes for the reverse pass. Set {}, or use \
         larger steps {}",
        Remedy::Limit("bytes"),
        see("limits")
    )]
    Room {
        /// The number of steps.
        steps: usize,
        /// The limit in bytes.
        bytes: u64,
    },
    /// The states of a run with events do not fit into the memory limit.
    #[error(
        "the states of {steps} steps exceed the limit of {bytes} bytes, and a reverse pass through events needs all of them. Set \
         {}, or use larger steps {}",
        Remedy::Limit("bytes"),
        see("limits")
    )]
    RoomForEvents {
        /// The number of steps.
        steps: usize,
        /// The limit in bytes.
        bytes: u64,
    },
    /// A step between two checkpoints could not be repeated.
    #[error("the step from t = {time:?} could not be repeated in the reverse pass: {error}")]
    Again {
        /// The time at its start.
        time: f64,
        /// The error.
        error: StepError,
    },
    /// A step has no reverse pass.
    #[error("the reverse pass failed at t = {time:?}: {error}")]
    Back {
        /// The time at the end of the step.
        time: f64,
        /// The error.
        error: StepError,
        /// The cotangent so far.
        cotangent: Box<AdjointState<M>>,
    },
    /// One of several objectives has no gradient.
    #[error("objective {number}: {error}")]
    Among {
        /// Its index, from 0.
        number: usize,
        /// The error.
        error: Box<Self>,
    },
    /// The gradient is infinite or NaN.
    #[error(
        "the gradient is not finite before t = {time:?}. The sensitivities of a chaotic motion grow without bound, or a function has no \
         derivative there, for example a root at 0. Set an earlier end time, or smooth the function {}",
        see("sensitivities-and-gradients")
    )]
    NotFinite {
        /// The time of the state before which this was found.
        time: f64,
    },
}

impl<M: Reverse> GradientError<M> {
    /// Converts the error to another system; the functions convert states and cotangents.
    pub(super) fn into_plain<N: Reverse>(
        self,
        states: &mut dyn FnMut(State<M>) -> State<N>,
        cotangent: &dyn Fn(&AdjointState<M>) -> AdjointState<N>,
    ) -> GradientError<N> {
        match self {
            GradientError::Among { number, error } => {
                GradientError::Among { number, error: Box::new(error.into_plain(states, cotangent)) }
            }
            GradientError::Run(error) => {
                GradientError::Run(Box::new(error.into_plain(&mut DualToPlain { states, systems: &|_| None })))
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
            GradientError::Refused { setting } => GradientError::Refused { setting },
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

/// The forward sensitivities of a run.
const FORWARD: Remedy<'static> = Remedy::Setting { name: "with_sensitivities", value: "[…]" };

/// The message of an objective at an event that has not occurred.
fn no_event(name: &str, known: &[String]) -> String {
    let known = match known {
        [] => {
            ": no event has stopped or changed the run; it must be registered with `.event(…)` after `.with_gradients()`"
                .to_owned()
        }
        known => format!("; the events that have are {}", listed(known)),
    };
    format!(
        "the objective depends on the event `{name}`, which has not ended a step{known}. An event without an action does not end a step; add \
         `.apply(|_| ())`"
    )
}

/// The message of a setting that does not support gradients.
fn unsupported(setting: &str) -> String {
    match setting {
        "output_times" => {
            "gradients need the states of all steps; remove `.output_times`, and call `.at_times` of the objective with times of steps".to_owned()
        }
        "dry friction" => format!("dry friction has no adjoint gradients; use {FORWARD}"),
        "full_order_multipliers" => {
            "gradients use the multipliers of the method; remove `.full_order_multipliers`".to_owned()
        }
        _ => format!("gradients need a run from consistent initial values, set with `.initial`; remove `.{setting}`"),
    }
}

/// The message of an objective at a time that is not the time of a step.
fn no_step_at(time: f64, [before, after]: [f64; 2]) -> String {
    if before < after {
        return format!(
            "the objective depends on the state at t = {time:?}, and steps end at {before:?} and {after:?}; choose a step that divides the times, \
             with {}",
            setting("step")
        );
    }
    let end = if time < before { "begins" } else { "ends" };
    format!(
        "the objective depends on the state at t = {time:?}, and the run {end} at {before:?}: choose times within the run, or another \
         end time, {}",
        setting("end_time")
    )
}

/// The message of an objective without a finite value or derivative.
fn undefined_objective(time: f64, value: f64) -> String {
    if value.is_finite() {
        format!(
            "at t = {time:?} the objective is {value:?} and has no finite derivative, for example at a root or a norm of zero; use squares, or add \
             a positive constant to the argument"
        )
    } else {
        format!(
            "at t = {time:?} the objective is {value:?}; check it for NaN in the data, and for a logarithm, a root or a quotient outside its domain"
        )
    }
}

crate::messages::debug_is_the_message!([M: Reverse] GradientError<M>);
