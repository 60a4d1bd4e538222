//! Why a simulation ended before its time.

mod divergence;
mod event;

use core::fmt;

pub use divergence::Divergence;
pub use event::EventError;

use crate::inputs::InputError;
use crate::integrator::{StepError, StepFailure};
use crate::simulate::consistent::ConsistencyError;
use crate::simulate::setup::{LimitReached, SetupError};
use crate::system::ConstraintRow;

/// What went wrong in a simulation.
#[derive(Clone, PartialEq)]
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
    /// A motion has gained energy, although nothing in its declaration supplies energy.
    EnergyGained {
        /// The time of the check that found it; the last good state is an earlier one.
        time: f64,
        /// The numerically gained part of the energy, above the lowest potential energy of the motion.
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
    /// A step has led across a jump of a constraint, where no motion goes.
    ConstraintJumps {
        /// The time at which the step ends; the last good state is the one before.
        time: f64,
        /// The row that jumps.
        row: ConstraintRow,
        /// By how much, in the units of the constraint.
        jump: f64,
    },
    /// The potential energy jumps within a step: the forces that are its slopes do not know of it, and energy comes from nowhere or is lost.
    PotentialJumps {
        /// The time at which the step ends; the last good state is the one before.
        time: f64,
        /// By how much.
        jump: f64,
        /// The largest kinetic energy that the motion has had.
        kinetic: f64,
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
    /// The error control creeps along a jump of the forces that the motion is driven to from both sides: the run does not end.
    Stalled {
        /// The time of the last good state.
        time: f64,
        /// The size of the last step.
        step: f64,
        /// How many more there would be to the end.
        steps: f64,
        /// The member on which the force acts; `None` of vector fields and Hamiltonians.
        member: Option<&'static str>,
        /// By how much it jumps, in the units of the force.
        jump: f64,
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
                "at t = {time:?} {:.0} % of the energy of the motion is a numerical gain, more than the limit of {:.0} %: the declaration has \
                 no force, no input and nothing that depends on time, and dissipation removes energy. Use smaller steps or `.rtol(…)`, \
                 `tr_bdf2` for stiff springs and dampers, check the potential for discontinuities, or raise the limit with `.max_velocity_growth(…)`",
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
            Failure::ConstraintJumps { time, row, jump } => {
                write!(
                    f,
                    "the step to t = {time:?} leads across a jump of constraint {row} by {jump:.3}, where no motion goes; declare it without \
                     the jump: an angle jumps after half a turn unless a member of R1 counts it"
                )
            }
            Failure::PotentialJumps { time, jump, kinetic } => write!(
                f,
                "the potential energy jumps by {jump:.2e} within the step to t = {time:?}, where the kinetic energy was at most {kinetic:.2e}: \
                 no force goes with that. An angle jumps after half a turn: take that of the relative rotation, `(a.inverse() * b).angle()`, \
                 or let a member of R1 count turns; sides of a choice have to meet, by a constant that is added to one of them"
            ),
            Failure::StepTooSmall { time, step, minimum, error, cause } => {
                write!(
                    f,
                    "the error control asks for a step of {step:?} at t = {time:?}, under the minimum of {minimum:?} \
                     (error indicator {error:.2e}); loosen the tolerances, or look for a force or a constraint that is \
                     not smooth there"
                )?;
                because(f, cause)
            }
            Failure::Stalled { time, step, steps, member, jump } => {
                let force = member.map_or("the field".into(), |member| format!("the force on `{member}`"));
                write!(
                    f,
                    "at t = {time:?} the error control creeps on in steps of {step:.1e}, with {steps:.0e} more to the end: {force} \
                     jumps by {jump:.3} there and drives the motion back from both sides, as dry friction does at rest; let it \
                     change over a small width instead (`(v / width).tanh()` for `v.signum()`), let an event make it stick, take \
                     steps of one size by `.step(h)`, or loosen the tolerances"
                )
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

crate::messages::debug_is_the_message!(Failure);
impl std::error::Error for Failure {}
