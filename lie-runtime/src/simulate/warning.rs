//! Warnings of a run: conditions that are not errors, and costs that are announced before they arise.

use core::fmt;
use std::sync::Arc;

use crate::messages::{Remedy, alternatives, always, enumerated, listed, see, setting};

/// A warning of a run, see [`Trajectory::warnings`](crate::simulate::Trajectory::warnings).
///
/// Warnings of cost are written to standard error as soon as they arise, unless
/// [`Simulation::on_warning`](crate::simulate::Simulation::on_warning) sets another destination.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// The method preserves energy, and the energy of the system changes. The advantage of the method over other methods of its order does not
    /// apply.
    NotConservative {
        /// The identifier of the method.
        method: &'static str,
        /// The declared forces and dissipations; empty if energies or constraints depend on time.
        by: Vec<&'static str>,
    },
    /// The method dissipates the energy of fast motions, and the system conserves energy.
    NumericalDissipation {
        /// The identifier of the method.
        method: &'static str,
    },
    /// The inputs of a table change within less than a step of fixed size.
    InputsBetweenSteps {
        /// The first such time.
        time: f64,
        /// The distance of adjacent rows, in units of time.
        distance: f64,
        /// The size of the steps.
        step: f64,
    },
    /// A force jumps and drives the motion back to the discontinuity from both sides, as dry friction does at rest: its direction changes
    /// within every step of fixed size. Runs of mechanical systems are checked, runs of vector fields and Hamiltonians are not.
    Chattering {
        /// The first such time.
        time: f64,
        /// The size of the steps.
        step: f64,
        /// The member on which the force acts, if it has a name.
        member: Option<&'static str>,
        /// The declared force or dissipation that jumps. Several names if the jump belongs to more than one of them; empty if it belongs to
        /// a potential, or to a force of a hand-written system.
        by: Vec<&'static str>,
        /// The size of the jump, in the units of the force.
        jump: f64,
        /// The resulting error of a velocity.
        error: f64,
    },
    /// The steps of the method are expensive for a system of this size. It is announced before the first step.
    Costly {
        /// The identifier of the method.
        method: &'static str,
        /// The number of unknowns of the dense system of equations of a step.
        unknowns: usize,
        /// The estimated time of one step, s.
        seconds: f64,
        /// The number of steps of the run; `None` under error control.
        steps: Option<f64>,
        /// The identifier of a method with cheaper steps.
        instead: &'static str,
    },
    /// A step has taken more than two seconds. It is announced once, after the first such step.
    SlowStep {
        /// The time after the step.
        time: f64,
        /// Wall-clock time of the step, s.
        seconds: f64,
        /// The number of steps that remain; `None` under error control.
        left: Option<f64>,
    },
    /// An event function is zero up to round-off after another event, and its derivative does not determine its sign. No event is reported
    /// there. The sign is taken from the end of the next step.
    EventAtRoundOff {
        /// The event.
        event: String,
        /// The events at this instant.
        after: Vec<String>,
        /// The first such time.
        time: f64,
        /// The value of the function.
        value: f64,
    },
    /// A part of the energy of a system that cannot gain energy is a numerical gain. The limit is 1 %.
    EnergyGain {
        /// The largest part of the energy, above the lowest potential energy of the motion, that is a numerical gain.
        part: f64,
    },
    /// A holonomic constraint was violated by a part of the displacement of its members. The limit is 0.1 %.
    ConstraintViolation {
        /// The constraint.
        constraint: &'static str,
        /// The largest residual of the constraint, in its units, above the residual of the initial values.
        residual: f64,
        /// The change of the terms of the constraint since the start of the run, in its units.
        scale: f64,
    },
    /// The steps of an explicit method under error control are limited by the stability of the method, not by the tolerance.
    Stiff {
        /// The identifier of the method.
        method: &'static str,
        /// The time at which the warning arose.
        time: f64,
        /// The size of the steps.
        step: f64,
        /// The rate of the fastest motion of the system, a reciprocal time.
        rate: f64,
        /// The rate of the present motion, |v'| / |v|.
        motion: f64,
    },
    /// Constraint rows are redundant at the initial values. The motion and the total reaction are unique, the multipliers of the rows are the
    /// solution of minimum norm.
    RedundantRows {
        /// The rows that depend on the rows before them.
        rows: Vec<String>,
        /// The number of all rows with a gradient that is not zero.
        of: usize,
    },
    /// An active contact has no events, and acts as a constraint that can also pull.
    BilateralContact {
        /// The constraint, with `lower` or `upper` for a stop.
        contact: &'static str,
    },
    /// An open contact has no events: the bodies can penetrate.
    ContactWithoutEvents {
        /// The constraint, with `lower` or `upper` for a stop.
        contact: &'static str,
    },
    /// The dry friction of a joint has no events: it sticks without a bound, or slides in one direction forever.
    FrictionWithoutEvents {
        /// The velocity constraint.
        friction: &'static str,
    },
}

impl Warning {
    /// Returns the name of the variant, such as `Chattering`.
    pub fn kind(&self) -> &'static str {
        match self {
            Warning::NotConservative { .. } => "NotConservative",
            Warning::NumericalDissipation { .. } => "NumericalDissipation",
            Warning::InputsBetweenSteps { .. } => "InputsBetweenSteps",
            Warning::Chattering { .. } => "Chattering",
            Warning::Costly { .. } => "Costly",
            Warning::SlowStep { .. } => "SlowStep",
            Warning::EventAtRoundOff { .. } => "EventAtRoundOff",
            Warning::EnergyGain { .. } => "EnergyGain",
            Warning::ConstraintViolation { .. } => "ConstraintViolation",
            Warning::Stiff { .. } => "Stiff",
            Warning::RedundantRows { .. } => "RedundantRows",
            Warning::BilateralContact { .. } => "BilateralContact",
            Warning::ContactWithoutEvents { .. } => "ContactWithoutEvents",
            Warning::FrictionWithoutEvents { .. } => "FrictionWithoutEvents",
        }
    }

    /// Returns true for warnings that result from the motion, and not from the choice of a method for a system.
    #[cfg(all(feature = "ensemble", feature = "lanes"))]
    pub(crate) fn has_values_of_the_motion(&self) -> bool {
        matches!(
            self,
            Warning::Chattering { .. }
                | Warning::EnergyGain { .. }
                | Warning::ConstraintViolation { .. }
                | Warning::Stiff { .. }
        )
    }

    /// Returns true for warnings of cost, which are written to standard error by default.
    pub(crate) fn is_of_cost(&self) -> bool {
        matches!(self, Warning::Costly { .. } | Warning::SlowStep { .. })
    }
}

impl fmt::Display for Warning {
    #[allow(clippy::too_many_lines)] // One arm for each warning.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::NotConservative { method, by } => {
                let by = if by.is_empty() { "with time".to_owned() } else { format!("by {}", listed(by)) };
                write!(
                    f,
                    "`{method}` preserves the energy of conservative systems, and the energy of this system changes {by}; use a method of \
                     higher order {}",
                    see("energy-behaviour-of-methods")
                )
            }
            Warning::NumericalDissipation { method } => write!(
                f,
                "`{method}` dissipates the energy of fast motions, and this system conserves energy; use `rattlie`, `gauss6` or a method of \
                 high order with error control for a long run {}",
                see("energy-behaviour-of-methods")
            ),
            Warning::InputsBetweenSteps { time, distance, step } => write!(
                f,
                "rows of the table of inputs are {distance:.3e} apart at t = {time:?}, and steps of {step:?} omit inputs between their ends. Use \
                 steps of {distance:.1e}, or error control with {}, which ends steps at the rows {}",
                setting("rtol"),
                see("input-tables")
            ),
            Warning::Chattering { time, step, member, by, jump, error } => {
                let member = member.map_or_else(|| "the system".to_owned(), |member| format!("`{member}`"));
                let force = match by.as_slice() {
                    [] => "the force".to_owned(),
                    [only] => format!("the force `{only}`"),
                    several => format!("the sum of the forces {}", listed(several)),
                };
                write!(
                    f,
                    "{force} on {member} jumps by {jump:.3} at t = {time:?} and drives the motion back from both sides, as dry friction \
                     does at rest. Its direction changes within every step of {step:?}, and the error of the velocity is {error:.1e}. Change \
                     from slip to stick with an event, use smaller steps, or let the force change over a small width, `(v / width).tanh()` for \
                     `v.signum()` {}",
                    see("dry-friction")
                )
            }
            Warning::Costly { method, unknowns, seconds, steps, instead } => {
                let total = |steps: &f64| format!(", {} for {steps:.0} steps", Duration(seconds * steps));
                write!(
                    f,
                    "`{method}` solves dense equations in {unknowns} unknowns: about {} a step{}; use `{instead}`, whose cost of a step grows \
                     linearly with the length of a chain {}",
                    Duration(*seconds),
                    steps.as_ref().map_or_else(String::new, total),
                    see("cost-of-steps")
                )
            }
            Warning::SlowStep { time, seconds, left } => {
                let total =
                    |left: &f64| format!("; the remaining {left:.0} steps would take {}", Duration(seconds * left));
                write!(
                    f,
                    "the step to t = {time:?} took {}{}; {} {}",
                    Duration(*seconds),
                    left.as_ref().map_or_else(String::new, total),
                    alternatives([
                        always("use an earlier end time"),
                        Remedy::Limit("seconds").after("limit the time of a run with")
                    ]),
                    see("cost-of-steps")
                )
            }
            Warning::EventAtRoundOff { event, after, time, value } => write!(
                f,
                "the function of the event `{event}` is {value:.1e} at t = {time} after {}, which is round-off. No event was reported, and the \
                 sign is taken from the end of the next step. Check that the function is not zero after the other event {}",
                listed(after),
                see("simultaneous-events")
            ),
            Warning::EnergyGain { part } => write!(
                f,
                "numerical energy gain: {:.1} % of the energy of the motion is a numerical gain, although the system cannot gain energy; use \
                 smaller steps, or a smaller tolerance {}",
                100.0 * part,
                see("energy-gain")
            ),
            Warning::ConstraintViolation { constraint, residual, scale } => write!(
                f,
                "constraint violation: the residual of `{constraint}` reached {residual:.2e}, {:.2} % of the displacement of its members; use \
                 smaller steps, a smaller tolerance, or a method that enforces position constraints, such as `lie_alpha` or `tr_bdf2` {}",
                100.0 * residual / scale,
                see("constraint-drift")
            ),
            Warning::Stiff { method, time, step, rate, motion } => write!(
                f,
                "the system is stiff for `{method}`: at t = {time:.3} the steps of {step:.1e} are limited by stability, not by the tolerance. \
                 The fastest motion has the rate {rate:.1e}, the present motion {motion:.1e}. Use an implicit method, such as `tr_bdf2` or \
                 `lie_alpha` {}",
                see("stiffness")
            ),
            Warning::RedundantRows { rows, of } => write!(
                f,
                "{} of {of} constraint rows are redundant at the initial values: {}. The motion is unique. The multipliers are the solution of \
                 minimum norm, and the reactions of single rows are not determined by rigid bodies {}",
                rows.len(),
                enumerated(rows),
                see("redundant-constraints")
            ),
            Warning::BilateralContact { contact } => write!(
                f,
                "the contact `{contact}` is active and can also pull, because the run has no events for it. Set {} with the \
                 coefficient of restitution e {}",
                Remedy::Contact(contact),
                see("contacts")
            ),
            Warning::ContactWithoutEvents { contact } => write!(
                f,
                "the contact `{contact}` is open and has no effect, because the run has no events for it. Set {} with the \
                 coefficient of restitution e {}",
                Remedy::Contact(contact),
                see("contacts")
            ),
            Warning::FrictionWithoutEvents { friction } => write!(
                f,
                "the dry friction `{friction}` neither starts nor stops to slide, because the run has no events for it. Set {} {}",
                Remedy::DryFriction,
                see("friction-of-joints")
            ),
        }
    }
}

/// A time in seconds, printed in a suitable unit.
struct Duration(f64);

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            seconds if seconds < 100.0 => write!(f, "{seconds:.2} s"),
            seconds if seconds < 6000.0 => write!(f, "{:.0} min", seconds / 60.0),
            seconds => write!(f, "{:.0} h", seconds / 3600.0),
        }
    }
}

/// A function that displays a warning.
type Show = dyn Fn(&Warning) + Send + Sync;

/// The destination of warnings.
#[derive(Clone, Default)]
pub(crate) struct Announcer(Option<Arc<Show>>);

impl Announcer {
    pub fn of(show: impl Fn(&Warning) + Send + Sync + 'static) -> Self {
        Announcer(Some(Arc::new(show)))
    }

    /// Displays a warning; by default, only warnings of cost, on standard error.
    pub(crate) fn announce(&self, warning: &Warning) {
        match &self.0 {
            Some(show) => show(warning),
            None if warning.is_of_cost() => eprintln!("warning: {warning}"),
            None => {}
        }
    }
}

/// Equal if the destination is the same.
impl PartialEq for Announcer {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        }
    }
}
