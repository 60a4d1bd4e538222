//! Warnings of a run: conditions that are not errors, and costs that are announced before they arise.

use core::fmt;
use std::sync::Arc;

use crate::messages::{listed, see};

/// A warning of a run, see [`Trajectory::notices`](crate::simulate::Trajectory::notices).
///
/// Warnings of cost are written to standard error as soon as they arise, unless
/// [`Simulation::on_notice`](crate::simulate::Simulation::on_notice) sets another destination.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Notice {
    /// The method preserves energy, and the energy of the system changes. The advantage of the method over other methods of its order does not
    /// apply.
    NothingToKeep {
        /// The identifier of the method.
        method: &'static str,
        /// The declared forces and dissipations; empty if energies or constraints depend on time.
        by: Vec<&'static str>,
    },
    /// The method dissipates the energy of fast motions, and the system conserves energy.
    TakesEnergy {
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
    ForceFlips {
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
}

impl Notice {
    /// Returns the name of the variant, such as `ForceFlips`.
    pub fn kind(&self) -> &'static str {
        match self {
            Notice::NothingToKeep { .. } => "NothingToKeep",
            Notice::TakesEnergy { .. } => "TakesEnergy",
            Notice::InputsBetweenSteps { .. } => "InputsBetweenSteps",
            Notice::ForceFlips { .. } => "ForceFlips",
            Notice::Costly { .. } => "Costly",
            Notice::SlowStep { .. } => "SlowStep",
            Notice::EventAtRoundOff { .. } => "EventAtRoundOff",
        }
    }

    /// Returns true for warnings of cost, which are written to standard error by default.
    pub fn is_of_cost(&self) -> bool {
        matches!(self, Notice::Costly { .. } | Notice::SlowStep { .. })
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::NothingToKeep { method, by } => {
                let by = if by.is_empty() { "with time".to_owned() } else { format!("by {}", listed(by)) };
                write!(
                    f,
                    "`{method}` preserves the energy of conservative systems, and the energy of this system changes {by}; use a method of \
                     higher order {}",
                    see("energy-behaviour-of-methods")
                )
            }
            Notice::TakesEnergy { method } => write!(
                f,
                "`{method}` dissipates the energy of fast motions, and this system conserves energy; use `rattlie`, `gauss6` or a method of \
                 high order with error control for a long run {}",
                see("energy-behaviour-of-methods")
            ),
            Notice::InputsBetweenSteps { time, distance, step } => write!(
                f,
                "rows of the table of inputs are {distance:.3e} apart at t = {time:?}, and steps of {step:?} omit inputs between their ends. Use \
                 steps of {distance:.1e}, or error control with `.rtol(…)`, which ends steps at the rows {}",
                see("input-tables")
            ),
            Notice::ForceFlips { time, step, member, by, jump, error } => {
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
            Notice::Costly { method, unknowns, seconds, steps, instead } => {
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
            Notice::SlowStep { time, seconds, left } => {
                let total =
                    |left: &f64| format!("; the remaining {left:.0} steps would take {}", Duration(seconds * left));
                write!(
                    f,
                    "the step to t = {time:?} took {}{}; limit the time of a run with `.limits(Limits {{ seconds: …, ..Limits::default() }})` {}",
                    Duration(*seconds),
                    left.as_ref().map_or_else(String::new, total),
                    see("cost-of-steps")
                )
            }
            Notice::EventAtRoundOff { event, after, time, value } => write!(
                f,
                "the function of the event `{event}` is {value:.1e} at t = {time} after {}, which is round-off. No event was reported, and the \
                 sign is taken from the end of the next step. Check that the function is not zero after the other event {}",
                listed(after),
                see("simultaneous-events")
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
type Show = dyn Fn(&Notice) + Send + Sync;

/// The destination of warnings.
#[derive(Clone, Default)]
pub(crate) struct Announcer(Option<Arc<Show>>);

impl Announcer {
    pub fn of(show: impl Fn(&Notice) + Send + Sync + 'static) -> Self {
        Announcer(Some(Arc::new(show)))
    }

    /// Displays a warning; by default, only warnings of cost, on standard error.
    pub fn announce(&self, notice: &Notice) {
        match &self.0 {
            Some(show) => show(notice),
            None if notice.is_of_cost() => eprintln!("warning: {notice}"),
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
