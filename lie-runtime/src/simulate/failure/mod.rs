//! Reasons why a simulation ended before its end time.

mod divergence;
mod event;

pub use divergence::Divergence;
pub use event::EventError;

use crate::inputs::InputError;
use crate::integrator::{StepError, StepFailure};
use crate::messages::{alternatives, always, see, setting};
use crate::simulate::consistent::ConsistencyError;
use crate::simulate::setup::{LimitReached, SetupError};
use crate::system::ConstraintRow;

/// The reason why a simulation ended before its end time.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The setup of the simulation is invalid.
    #[error(transparent)]
    Setup(SetupError),
    /// The initial values cannot be made consistent.
    #[error(transparent)]
    InitialValues(ConsistencyError),
    /// The inputs of a system are invalid.
    #[error(transparent)]
    Inputs(InputError),
    /// A step has no result.
    #[error(transparent)]
    Step(StepError),
    /// An event has no result.
    #[error("event `{event}` at t = {time:?}: {error}")]
    Event {
        /// The name of the event.
        event: String,
        /// The time of the event.
        time: f64,
        /// The reason.
        error: Box<EventError>,
    },
    /// The run reached a limit.
    #[error("at t = {time:?} the run reached the limit of {limit}")]
    Limit {
        /// The time of the last state.
        time: f64,
        /// The limit.
        limit: LimitReached,
    },
    /// The motion diverges.
    #[error("at t = {time:?} {divergence}")]
    Diverged {
        /// The time of the last good state.
        time: f64,
        /// The growth of the velocities and its probable cause.
        divergence: Box<Divergence>,
    },
    /// The numerical energy gain of a conservative or dissipative system exceeds its limit.
    #[error(
        "at t = {time:?} {:.0} % of the energy of the motion is a numerical gain, more than the limit of {:.0} %. The declaration has no force, \
         no input and no explicit time dependence, and dissipation removes energy. Use smaller steps or {}, use `tr_bdf2` for \
         stiff springs and dampers, {} {}",
        100.0 * .part,
        100.0 * .limit,
        setting("rtol"),
        alternatives([
            always("remove discontinuities of the potential"),
            setting("max_velocity_growth").after("raise the limit with")
        ]),
        see("energy-gain")
    )]
    EnergyGained {
        /// The time of the failed check; the last good state is an earlier one.
        time: f64,
        /// The numerically gained part of the energy, above the lowest potential energy of the motion.
        part: f64,
        /// The limit of this part.
        limit: f64,
    },
    /// The residual of a constraint exceeds its limit.
    #[error("{}", off_constraints(*.time, .row, *.residual, *.scale, *.tolerance))]
    OffConstraints {
        /// The time of the failed check; the last good state is an earlier one.
        time: f64,
        /// The row of the constraint with the largest residual.
        row: ConstraintRow,
        /// The residual, in the units of the constraint.
        residual: f64,
        /// The change of the terms of the constraint since the start, in the same units.
        scale: f64,
        /// The limit of the residual relative to this change.
        tolerance: f64,
    },
    /// A constraint is discontinuous within a step.
    #[error(
        "constraint {row} jumps by {jump:.3} within the step to t = {time:?}. Declare it without a discontinuity: an angle jumps after half a \
         revolution, and a member of type `f64` counts revolutions {}",
        see("discontinuities")
    )]
    ConstraintJumps {
        /// The time at the end of the step; the last good state is the state at its start.
        time: f64,
        /// The discontinuous row.
        row: ConstraintRow,
        /// The jump, in the units of the constraint.
        jump: f64,
    },
    /// The potential energy is discontinuous within a step. The forces are its derivatives and do not contain the jump: the motion gains or
    /// loses energy.
    #[error(
        "the potential energy jumps by {jump:.2e} within the step to t = {time:?}, and the kinetic energy was at most {kinetic:.2e}: no force \
         corresponds to this jump. Use the angle of the relative rotation, `(a.inverse() * b).angle()`, count revolutions with a member of \
         type `f64`, or add a constant to one branch of a choice {}",
        see("discontinuities")
    )]
    PotentialJumps {
        /// The time at the end of the step; the last good state is the state at its start.
        time: f64,
        /// The jump of the potential energy.
        jump: f64,
        /// The largest kinetic energy of the motion so far.
        kinetic: f64,
    },
    /// The step-size control requires a step below the minimum.
    #[error(
        "at t = {time:?} the step-size control requires a step of {step:?}, below the minimum of {minimum:?} (error indicator {error:.2e}). \
         Increase the tolerances, or smooth the force or constraint that is not smooth there {}{}",
        see("step-size-control"),
        last_attempt(.cause.as_ref())
    )]
    StepTooSmall {
        /// The time of the last good state.
        time: f64,
        /// The required step size.
        step: f64,
        /// The minimum.
        minimum: f64,
        /// The error indicator (paper 1, eq. 21) of the last attempt; a step is accepted up to 1.
        error: f64,
        /// The failure of the last attempt, if it had no result.
        cause: Option<StepFailure>,
    },
    /// The step size has collapsed at a discontinuity of a force, which drives the motion back from both sides: the run does not end.
    #[error(
        "at t = {time:?} the step size collapsed to {step:.1e}, and {steps:.0e} steps remain to the end. The {} jumps by {jump:.3} and drives \
         the motion back from both sides, as dry friction does at rest. Steps of any size cross this jump with an error of first order. Let \
         the force change over a small width (`(v / width).tanh()` for `v.signum()`), or change from slip to stick with an event {}",
        force(*.member),
        see("dry-friction")
    )]
    Stalled {
        /// The time of the last good state.
        time: f64,
        /// The size of the last step.
        step: f64,
        /// The number of remaining steps of this size.
        steps: f64,
        /// The member on which the force acts; `None` for vector fields and Hamiltonians.
        member: Option<&'static str>,
        /// The jump, in the units of the force.
        jump: f64,
    },
    /// Too many consecutive steps were rejected.
    #[error(
        "at t = {time:?} the step-size control rejected {rejections} steps in a row, the last of size {step:?} with error indicator \
         {error:.2e}. Increase the tolerances, or smooth the force or constraint that is not smooth there {}{}",
        see("step-size-control"),
        last_attempt(.cause.as_ref())
    )]
    TooManyRejections {
        /// The time of the last good state.
        time: f64,
        /// The size of the last attempt.
        step: f64,
        /// The number of consecutive rejections.
        rejections: usize,
        /// The error indicator of the last attempt.
        error: f64,
        /// The failure of the last attempt, if it had no result.
        cause: Option<StepFailure>,
    },
}

/// The message of a constraint with this residual.
fn off_constraints(time: f64, row: &ConstraintRow, residual: f64, scale: f64, tolerance: f64) -> String {
    let revolutions = residual / core::f64::consts::TAU;
    let is_wrapped = revolutions > 0.5 && (revolutions - revolutions.round()).abs() < 1e-3;
    let wrapped =
        "The residual is a multiple of 2 π: an angle has wrapped. Count revolutions with a member of type `f64`";
    format!(
        "at t = {time:?} the residual of constraint {row} is {residual:.2e}, more than {tolerance:?} of the change {scale:.2e} of its terms since \
         the start. {} {}",
        if is_wrapped {
            wrapped.to_owned()
        } else {
            alternatives([
                always("Check that the constraints have a common solution there"),
                always("use smaller steps or a method that solves for positions (`lie_alpha`, `rattlie`)"),
                setting("constraint_tolerance").after("set"),
            ])
        },
        see("constraint-drift")
    )
}

/// The force on a member, or the vector field.
fn force(member: Option<&str>) -> String {
    member.map_or_else(|| "vector field".to_owned(), |member| format!("force on `{member}`"))
}

/// The failure of the last attempt of a step.
fn last_attempt(cause: Option<&StepFailure>) -> String {
    cause.map_or_else(String::new, |cause| format!("; the last attempt failed: {cause}"))
}

crate::messages::debug_is_the_message!(Failure);
