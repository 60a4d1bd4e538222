//! What is not sound in a description of a simulation.

use core::fmt;

use crate::inputs::InputError;
use crate::integrator::{ControllerError, StepFailure};
use crate::messages::{listed, nearest};
use crate::system::{DeclarationError, Description, ModelError};

/// A simulation that was not set up soundly: found before the first step.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum SetupError {
    /// No step size is set, and the method has no error estimate.
    NoStep {
        /// The method.
        method: &'static str,
    },
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
    /// More steps than the limit, or than can be counted exactly.
    TooManySteps {
        /// The number of steps asked for.
        steps: f64,
        /// The limit.
        limit: f64,
    },
    /// More states than there is to be memory for.
    TooManyStates {
        /// The number of states that would be recorded.
        states: f64,
        /// The bytes that they would take.
        bytes: f64,
        /// The limit.
        limit: f64,
    },
    /// A tolerance or a setting of the step-size control.
    Controller(ControllerError),
    /// Tolerances that are both below the round-off of the numbers.
    BelowRoundOff {
        /// The relative tolerance.
        relative: f64,
        /// The absolute tolerance.
        absolute: f64,
        /// The smallest relative one that is sensible.
        smallest: f64,
        /// The size of the initial velocity, 1 if the motion starts at rest: times `smallest` it is the smallest absolute
        /// tolerance that is sensible.
        size: f64,
    },
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
    /// The inputs that the system takes are not given, or not as they have to be.
    Inputs(InputError),
    /// `output_every(0)`.
    RecordEvery,
    /// An initial value that is NaN or infinite.
    NotFinite {
        /// Which one.
        value: &'static str,
    },
    /// A step that times of this size do not resolve.
    BelowResolution {
        /// The step size.
        step: f64,
        /// The time.
        time: f64,
        /// The distance of two times that are told apart.
        resolution: f64,
    },
    /// A limit that is negative or NaN.
    Limit {
        /// What says it.
        option: &'static str,
        /// Its value.
        value: f64,
    },
    /// A longest step that is not positive, or that is shorter than the steps of fixed size.
    MaximumStep {
        /// The longest step.
        maximum: f64,
        /// The size of the steps, if they are longer.
        step: Option<f64>,
    },
    /// There is no member of that name to be held.
    UnknownMember {
        /// The name.
        name: String,
        /// The members there are.
        known: Vec<&'static str>,
    },
    /// Initial values to be held, of a state that is taken as it is.
    NothingToHold,
    /// A direction of S² that turns about itself, in a state that is taken as it is.
    Spin {
        /// The member.
        member: &'static str,
        /// The largest component of what turns about the direction.
        spin: f64,
    },
    /// The declaration has no event of that name.
    UnknownEvent {
        /// The name.
        name: String,
        /// The event that may have been meant.
        nearest: Option<&'static str>,
        /// The events there are.
        known: &'static [&'static str],
    },
    /// A symmetry that is none: its ξ has not a finite number for each degree of freedom.
    Symmetry {
        /// Its name.
        name: &'static str,
        /// Degrees of freedom.
        expected: usize,
        /// The components of ξ.
        given: usize,
    },
}

impl SetupError {
    /// There is no member of that name in a system with this description.
    pub(in crate::simulate) fn unknown_member(name: &str, description: &Description) -> Self {
        let known = description.members.iter().map(|member| member.name).collect();
        SetupError::UnknownMember { name: name.to_owned(), known }
    }

    /// The declaration has these events, and none of that name.
    pub(in crate::simulate) fn unknown_event(name: &str, known: &'static [&'static str]) -> Self {
        SetupError::UnknownEvent { name: name.to_owned(), nearest: nearest(name, known).copied(), known }
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::NoStep { method } => {
                write!(f, "missing step size: `{method}` has no error estimate; set `.step(h)`, or choose another method")
            }
            SetupError::NoEnd => f.write_str("no end time: say `.end_time(end)`"),
            SetupError::Step { step } => write!(f, "the step size is {step}; it has to be finite and positive"),
            SetupError::End { start, end } => {
                write!(f, "the end time is {end}; it has to be finite and not before the start at {start}")
            }
            SetupError::TooManySteps { steps, limit } => write!(
                f,
                "{steps:.1e} steps are more than the limit of {limit:.1e}; take a larger step or an earlier end, or say \
                 `.limits(Limits {{ steps: …, ..Limits::default() }})`"
            ),
            SetupError::TooManyStates { states, bytes, limit } => write!(
                f,
                "{states:.1e} states would take {bytes:.1e} bytes, more than the limit of {limit:.1e}; record fewer by \
                 `.output_every(n)` or `.output_times(&times)`, or say `.limits(Limits {{ bytes: …, ..Limits::default() }})`"
            ),
            SetupError::Controller(error) => error.fmt(f),
            SetupError::BelowRoundOff { relative, absolute, smallest, size } => write!(
                f,
                "the tolerances, relative {relative:?} and absolute {absolute:?}, are below the round-off of numbers of the \
                 size {size:.1e}; say `.rtol({smallest:.1e}).atol({absolute:?})`, or an absolute one of {:.1e}, the smallest \
                 that are sensible",
                smallest * size
            ),
            SetupError::NoEstimate { method } => StepFailure::NoEstimate { method }.fmt(f),
            SetupError::SampleTime { time, start, end } => {
                write!(f, "the sample time {time} is not between the start at {start} and the end at {end}")
            }
            SetupError::ForeignState(error) => error.fmt(f),
            SetupError::Inputs(error) => error.fmt(f),
            SetupError::Declaration(error) => {
                write!(f, "{error}; `.without_declaration_check()` runs all the same")
            }
            SetupError::RecordEvery => f.write_str("`output_every(0)` records nothing; the least is 1, every step"),
            SetupError::NotFinite { value } => {
                write!(f, "the initial {value} is not finite; every component has to be a finite number")
            }
            SetupError::BelowResolution { step, time, resolution } => write!(
                f,
                "a step of {step:?} is lost at t = {time:?}, where times are told apart from {resolution:.1e} on; take \
                 a larger step, or let time begin nearer to zero"
            ),
            SetupError::Limit { option, value } => {
                write!(f, "`{option}({value:?})`: the limit has to be a number that is not negative, infinity included")
            }
            SetupError::MaximumStep { maximum, step: None } => {
                write!(f, "`max_step({maximum:?})`: the longest step must be positive")
            }
            SetupError::MaximumStep { maximum, step: Some(step) } => {
                write!(f, "the step size {step:?} exceeds `max_step({maximum:?})`; call `.step({maximum:?})`")
            }
            SetupError::UnknownMember { name, known } => {
                write!(f, "`fix_initial`: there is no member `{name}`; there is {}", listed(known))
            }
            SetupError::NothingToHold => f.write_str(
                "`fix_initial` says what to keep of initial values, and `restart_from` takes a state as it is; begin with \
                 `initial`, or leave `fix_initial` out",
            ),
            SetupError::Spin { member, spin } => write!(
                f,
                "the velocity of `{member}` turns its direction about itself, by {spin:.2e}: that moves nothing, and directions \
                 have no such velocity; begin with `initial`, which leaves it out, or take SO3 for a body that spins"
            ),
            SetupError::UnknownEvent { name, known: [], .. } => write!(
                f,
                "`on({name:?})`: the declaration has no `#[event]`; declare `#[event] fn {name}(…) -> f64`, or say what changes its \
                 sign by `.when({name:?}, |system, state| …)`"
            ),
            SetupError::UnknownEvent { name, nearest, known } => {
                write!(f, "`on({name:?})`: the declaration has no event `{name}`; there is {}", listed(known))?;
                nearest.map_or(Ok(()), |nearest| write!(f, "; did you mean `{nearest}`?"))
            }
            SetupError::Symmetry { name, expected, given } if expected == given => {
                write!(f, "`monitor_momentum({name:?}, …)`: where the motion starts a component of ξ is not finite")
            }
            SetupError::Symmetry { name, expected, given } => write!(
                f,
                "`monitor_momentum({name:?}, …)`: ξ has {given} components where the system has {expected} degrees of freedom; begin \
                 with `system.zero_velocity()`"
            ),
        }
    }
}

crate::messages::debug_is_the_message!(SetupError);
impl std::error::Error for SetupError {}
