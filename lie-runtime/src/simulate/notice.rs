//! Warnings of a run: conditions that are not errors, and costs that are announced before they arise.

use core::fmt;
use std::sync::Arc;

use crate::messages::listed;

/// A warning of a run, see [`Trajectory::notices`](crate::simulate::Trajectory::notices).
///
/// Warnings of cost are written to standard error as soon as they arise, unless
/// [`Simulation::on_notice`](crate::simulate::Simulation::on_notice) sets another destination.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Notice {
    /// A method that is taken because it keeps the energy near its value, for a system whose energy changes by itself: what the
    /// method is better at than others of its order is nothing that this system has.
    NothingToKeep {
        /// The identifier of the method.
        method: &'static str,
        /// The declared forces and dissipations; none where energies or constraints depend on time.
        by: Vec<&'static str>,
    },
    /// A method that takes energy out of fast motions, for a system that conserves energy.
    TakesEnergy {
        /// The identifier of the method.
        method: &'static str,
    },
    /// The inputs of a table change within less than a step of fixed size.
    InputsBetweenSteps {
        /// The time at which that is the case first.
        time: f64,
        /// The distance from one bend of the table to the next, in units of time.
        distance: f64,
        /// The size of the steps.
        step: f64,
    },
    /// A force jumps where the motion is driven to from both sides, as dry friction does at rest: its direction changes within every step of
    /// fixed size.
    ForceFlips {
        /// The time at which that was seen first.
        time: f64,
        /// The size of the steps.
        step: f64,
        /// The member on which the force acts, if it has a name.
        member: Option<&'static str>,
        /// The declared forces and dissipations, of which one jumps; none for a force by a closure of inputs.
        by: Vec<&'static str>,
        /// The size of the jump, in the units of the force.
        jump: f64,
        /// The error of a velocity that is due to it.
        error: f64,
    },
    /// The steps of the method are expensive for a system of this size. It is announced before the first step.
    Costly {
        /// The identifier of the method.
        method: &'static str,
        /// Unknowns of the dense system of equations of a step.
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
    /// The function of an event is zero up to round-off after another event, and its derivative does not determine its sign: no event is
    /// reported there, and the sign is that at the end of the next step.
    EventAtRoundOff {
        /// The event.
        event: String,
        /// The events that were at the instant.
        after: Vec<String>,
        /// The first time at which this was so.
        time: f64,
        /// The value of the function.
        value: f64,
    },
}

impl Notice {
    /// True for warnings of cost, which are written to standard error by default.
    pub fn is_of_cost(&self) -> bool {
        matches!(self, Notice::Costly { .. } | Notice::SlowStep { .. })
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::NothingToKeep { method, by } => {
                let by = match by.as_slice() {
                    [] => "with time".to_owned(),
                    names => format!("by `{}`", names.join("`, `")),
                };
                write!(
                    f,
                    "`{method}` keeps the energy of conservative systems near its value, and that of this one changes {by}: another \
                     method of its order does as well, and one of higher order better"
                )
            }
            Notice::TakesEnergy { method } => write!(
                f,
                "`{method}` takes energy out of fast motions, and this system conserves energy: over a long run take `rattlie` or \
                 `gauss6`, or one of high order with error control"
            ),
            Notice::InputsBetweenSteps { time, distance, step } => write!(
                f,
                "rows of the table of inputs are {distance:.3e} apart at t = {time:?}, and steps of {step:?} do not see what lies between:                  take steps of {distance:.1e}, or error control by `.rtol(…)`, which ends steps at the rows"
            ),
            Notice::ForceFlips { time, step, member, by, jump, error } => {
                write!(f, "the force on `{}`", member.unwrap_or("the system"))?;
                if !by.is_empty() {
                    write!(f, " (one of {})", listed(by))?;
                }
                write!(
                    f,
                    " jumps by {jump:.3} at t = {time:?} and drives the motion back from both sides, as dry friction does at rest: its direction \
                     changes within every step of {step:?}, and velocities are off by {error:.1e}. Let an event change the phase, from slip to \
                     stick; take smaller steps; or let the force change over a small width, `(v / width).tanh()` for `v.signum()`"
                )
            }
            Notice::Costly { method, unknowns, seconds, steps, instead } => {
                write!(
                    f,
                    "`{method}` solves dense equations in {unknowns} unknowns: about {} a step",
                    Duration(*seconds)
                )?;
                if let Some(steps) = steps {
                    write!(f, ", {} for {steps:.0} steps", Duration(seconds * steps))?;
                }
                write!(f, "; the cost of a step of `{instead}` grows linearly with the length of a chain")
            }
            Notice::SlowStep { time, seconds, left } => {
                write!(f, "the step to t = {time:?} took {}", Duration(*seconds))?;
                if let Some(left) = left {
                    write!(f, "; the remaining {left:.0} steps would take {}", Duration(seconds * left))?;
                }
                f.write_str("; `.limits(Limits { seconds: …, ..Limits::default() })` bounds the time of a run")
            }
            Notice::EventAtRoundOff { event, after, time, value } => write!(
                f,
                "the function of the event `{event}` is {value:.1e} after `{}` at t = {time}, which is round-off: no event was reported \
                 there, and its sign is taken from the end of the next step",
                after.join("`, `")
            ),
        }
    }
}

/// A time in seconds, in the unit that suits its size.
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

/// A function that shows a warning.
type Show = dyn Fn(&Notice) + Send + Sync;

/// The destination of warnings.
#[derive(Clone, Default)]
pub(crate) struct Announcer(Option<Arc<Show>>);

impl Announcer {
    pub fn of(show: impl Fn(&Notice) + Send + Sync + 'static) -> Self {
        Announcer(Some(Arc::new(show)))
    }

    /// Shows a warning; by default those of cost, on standard error.
    pub fn announce(&self, notice: &Notice) {
        match &self.0 {
            Some(show) => show(notice),
            None if notice.is_of_cost() => eprintln!("warning: {notice}"),
            None => {}
        }
    }
}

/// Equal where warnings have the same destination.
impl PartialEq for Announcer {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        }
    }
}
