//! Why a simulation ended before its time, with all that it had computed.

use core::fmt;

use super::event::EventError;
use super::{ConsistencyError, LimitReached, Trajectory};
use crate::inputs::InputError;
use crate::integrator::{ControllerError, Problem, StepError, StepFailure};
use crate::system::{ConstraintRow, DeclarationError, ModelError};

/// A simulation that did not reach its end; nothing computed is lost.
pub struct SimulationError<P: Problem> {
    /// What went wrong.
    pub failure: Failure,
    /// What has been recorded so far, with statistics; empty if the first step was never made.
    pub trajectory: Trajectory<P>,
    /// The last state that is good, recorded or not; `None` if the first step was never made.
    pub last: Option<P::State>,
}

/// What went wrong in a simulation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// The simulation was not set up soundly.
    Setup(SetupError),
    /// The initial values cannot be made consistent.
    InitialValues(ConsistencyError),
    /// A system's inputs are no numbers.
    Inputs(InputError),
    /// A step has no result.
    Step(StepError),
    /// An event cannot take place.
    Event {
        /// Its name.
        event: String,
        /// When.
        time: f64,
        /// Why.
        error: Box<EventError>,
    },
    /// The run has come to one of its limits.
    Limit {
        /// The time of the last state.
        time: f64,
        /// The limit.
        limit: LimitReached,
    },
    /// The motion has blown up.
    Diverged {
        /// The time of the last good state.
        time: f64,
        /// What is known of it.
        divergence: Box<Divergence>,
    },
    /// A motion that conserves energy has gained some.
    EnergyGained {
        /// The time at which that was seen; the last good state is an earlier one.
        time: f64,
        /// The part of its energy, above the lowest potential that it has come by, that has come from nowhere.
        part: f64,
        /// What is tolerated.
        limit: f64,
    },
    /// The motion has left a constraint.
    OffConstraints {
        /// The time at which that was seen; the last good state is an earlier one.
        time: f64,
        /// The row of the constraint with the largest residual.
        row: ConstraintRow,
        /// The residual, in the units of the constraint.
        residual: f64,
        /// How much the terms of the constraint have changed since the start, in the same units.
        scale: f64,
        /// The part of that which is tolerated.
        tolerance: f64,
    },
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

/// A motion that has blown up.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// The time of the last state that was looked at and had not begun to.
    pub since: f64,
    /// The size of the last step.
    pub step: f64,
    /// How many times speeds have grown since the start.
    pub growth: f64,
    /// The rate of the fastest motion that the equations allow at `since`, the reciprocal of a time; of the state last seen if
    /// steps resolve that of `since`. `None` if they have no value.
    pub rate: Option<f64>,
    /// True of methods without a Newton iteration.
    pub is_explicit: bool,
    /// True of equations of first order, for which there are no methods for stiff systems.
    pub is_first_order: bool,
    /// What failed in the end, if something did.
    pub failure: Option<StepFailure>,
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
    /// `record_every(0)`.
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
}

impl<P: Problem> SimulationError<P> {
    /// The same, its states told as those of another problem.
    pub(crate) fn told<Q: Problem>(self, mut states: impl FnMut(P::State) -> Q::State) -> SimulationError<Q> {
        let last = self.last.map(&mut states);
        SimulationError { failure: self.failure, trajectory: self.trajectory.told(states), last }
    }

    /// A simulation that did not make its first step.
    pub(super) fn before_the_first_step(failure: Failure, method: &'static str) -> Box<Self> {
        Box::new(SimulationError { failure, trajectory: Trajectory::new(method), last: None })
    }
}

/// As short as the message: it is what `fn main() -> Result<…>` shows.
impl<P: Problem> fmt::Debug for SimulationError<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<P: Problem> fmt::Display for SimulationError<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.failure.fmt(f)?;
        if self.last.is_some() {
            let recorded = self.trajectory.states.len();
            write!(f, "; {} steps were made, {recorded} states are recorded", self.trajectory.statistics.accepted)?;
        }
        Ok(())
    }
}

impl<P: Problem> std::error::Error for SimulationError<P> {}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let because = |f: &mut fmt::Formatter<'_>, cause: &Option<StepFailure>| match cause {
            Some(cause) => write!(f, "; the last attempt failed: {cause}"),
            None => Ok(()),
        };
        match self {
            Failure::Setup(error) => error.fmt(f),
            Failure::InitialValues(error) => error.fmt(f),
            Failure::Inputs(error) => error.fmt(f),
            Failure::Step(error) => error.fmt(f),
            Failure::Event { event, time, error } => write!(f, "event `{event}` at t = {time:?}: {error}"),
            Failure::Limit { time, limit } => write!(f, "at t = {time:?} the run has come to its limit of {limit}"),
            Failure::Diverged { time, divergence } => write!(f, "at t = {time:?} {divergence}"),
            Failure::EnergyGained { time, part, limit } => write!(
                f,
                "at t = {time:?} {:.0} % of the energy of the motion have come from nowhere, more than the {:.0} % that are \
                 tolerated: the declaration has no force, no input and nothing that depends on time. Take smaller steps, \
                 another method or a tolerance, look for a potential that jumps, or say `.allowing_growth(…)`",
                100.0 * part,
                100.0 * limit
            ),
            Failure::OffConstraints { time, row, residual, scale, tolerance } => {
                write!(
                    f,
                    "the motion has left constraint {row} at t = {time:?}: a residual of \
                     {residual:.2e}, where its terms have changed by {scale:.2e} since the start; look whether the \
                     constraints can be met from there on, take smaller steps or a method that keeps positions (`lie_alpha`, \
                     `rattlie`), or say `.constraint_tolerance(…)`, now {tolerance:?}"
                )?;
                let turns = residual / core::f64::consts::TAU;
                if turns > 0.5 && (turns - turns.round()).abs() < 1e-3 {
                    f.write_str("; whole turns are left: an angle has wrapped, let a member of R1 count it")?;
                }
                Ok(())
            }
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

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Divergence { since, step, growth, rate, is_explicit, is_first_order, failure } = self;
        f.write_str("the motion has blown up")?;
        if *growth > 2.0 {
            write!(f, ": speeds are {growth:.0e} times those until t = {since:?}")?;
        }
        match rate {
            Some(rate) if *is_explicit && rate * step > 1.0 => {
                write!(
                    f,
                    "; the fastest motion there has a rate of {rate:.1e}, for which steps of {step:?} are too large: an \
                     explicit method needs about {:.1e}",
                    rate.recip()
                )?;
                if *is_first_order {
                    Ok(())
                } else {
                    f.write_str(", or take one for stiff systems (`lie_alpha`, `tr_bdf2`)")
                }
            }
            Some(rate) => write!(
                f,
                "; the fastest motion there has a rate of {rate:.1e} and steps are {step:?}: take smaller ones, and look \
                 whether a force feeds energy to the motion; blows that are meant are let through by `.allowing_growth(…)`"
            ),
            None => f.write_str("; take smaller steps"),
        }?;
        match failure {
            Some(failure) => write!(f, " (what failed in the end: {failure})"),
            None => Ok(()),
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
            SetupError::TooManySteps { steps, limit } => write!(
                f,
                "{steps:.1e} steps are more than the limit of {limit:.1e}; take a larger step or an earlier end, or say \
                 `.limits(Limits {{ steps: …, ..Limits::default() }})`"
            ),
            SetupError::TooManyStates { states, bytes, limit } => write!(
                f,
                "{states:.1e} states would take {bytes:.1e} bytes, more than the limit of {limit:.1e}; record fewer by \
                 `.record_every(n)` or `.sample_at(&times)`, or say `.limits(Limits {{ bytes: …, ..Limits::default() }})`"
            ),
            SetupError::Controller(error) => error.fmt(f),
            SetupError::BelowRoundOff { relative, absolute, smallest, size } => write!(
                f,
                "the tolerances, relative {relative:?} and absolute {absolute:?}, are below the round-off of numbers of the \
                 size {size:.1e}; say `.tolerance({smallest:.1e}, {absolute:?})`, or an absolute one of {:.1e}, the smallest \
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
            SetupError::RecordEvery => f.write_str("`record_every(0)` records nothing; the least is 1, every step"),
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
            SetupError::UnknownMember { name, known } => {
                write!(f, "`holding`: there is no member `{name}`; there is {}", listed(known))
            }
            SetupError::NothingToHold => f.write_str(
                "`holding` says what to keep of initial values, and `continuing_from` takes a state as it is; begin with \
                 `starting_at`, or leave `holding` out",
            ),
            SetupError::Spin { member, spin } => write!(
                f,
                "the velocity of `{member}` turns its direction about itself, by {spin:.2e}: that moves nothing, and directions \
                 have no such velocity; begin with `starting_at`, which leaves it out, or take SO3 for a body that spins"
            ),
        }
    }
}

/// `` `a`, `b` and `c` ``.
pub(super) fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "nothing".into(),
    }
}

impl std::error::Error for Failure {}
impl std::error::Error for SetupError {}
