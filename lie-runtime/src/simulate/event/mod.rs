//! Events: instants at which a function of the state changes its sign, and what happens there.
//!
//! ```
//! use lie_runtime::prelude::*;
//!
//! #[mechanical_system(redundant = minimum_norm)]
//! pub mod ball {
//!     use lie_runtime::prelude::*;
//!
//!     #[configuration]
//!     pub struct Height { pub z: f64 }
//!
//!     #[parameters]
//!     pub struct Ball { pub on_the_floor: bool }
//!
//!     #[kinetic_energy]
//!     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.z * v.z }
//!
//!     #[potential]
//!     fn weight(q: &Height) -> f64 { 9.81 * q.z }
//!
//!     #[constraint]
//!     fn floor(p: &Ball, q: &Height) -> f64 { if p.on_the_floor { q.z } else { 0.0 } }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let system = ball::System::new(ball::Ball { on_the_floor: false })?;
//! let run = Simulation::of(&system)
//!     .starting_at(ball::Height { z: 1.0 }, Vector1::new(0.0))
//!     .when_falling("strikes", |_, state| state.configuration.z)
//!     .then(|at| {
//!         // A blow under 0.1 m/s is the last one.
//!         let is_slow = at.state().velocity.x.abs() < 0.1;
//!         at.set(|p| p.on_the_floor = true);
//!         at.impact(["floor"], if is_slow { 0.0 } else { 0.5 });
//!         at.set(|p| p.on_the_floor = is_slow);
//!     })
//!     .when_falling("is highest", |_, state| state.velocity.x)
//!     .note()
//!     .step(0.01)
//!     .until(3.0)
//!     .run()?;
//! let strikes: Vec<f64> = run.events_called("strikes").map(|strike| strike.time).collect();
//! assert!((strikes[0] - (2.0_f64 / 9.81).sqrt()).abs() < 1e-13);
//! assert!((strikes[1] - 2.0 * strikes[0]).abs() < 1e-12);
//! // At rest on the floor, whose force is the weight.
//! assert_eq!(strikes.len(), 7);
//! assert!((run.last().unwrap().multipliers.x + 9.81).abs() < 1e-12);
//! # Ok(())
//! # }
//! ```
//!
//! **Where.** The function is looked at where steps end. A change of its sign is located to 10⁻¹³ of the step, by states within
//! it that are of the order of the method, on the group and on the constraints
//! ([`Integrator::sample`](crate::integrator::Integrator::sample)). Two changes within one step are found where the cubic with
//! the values and slopes at both ends tells of them; where the function wiggles within a step, they are not: take smaller steps.
//! A function that is zero at the start has no event there.
//!
//! **What then.** An event is [noted](When::note), [ends the run](When::stop), or [changes](When::then) the state or the
//! parameters of the system, from which the method begins anew. Velocities have to meet the constraints that act from there on:
//! [`Change::impact`] sees to it. A step in which only noted events are is the step that it would be without them.

mod change;
mod error;
mod locate;
mod lookout;
mod occurrence;
mod saltation;
mod when;

pub use change::Change;
pub use error::EventError;
pub use occurrence::{Impulse, Occurrence};
pub use when::When;

pub(super) use lookout::Lookout;
pub(super) use occurrence::Impulse as Struck;

use std::sync::Arc;

use super::error::SetupError;
use super::methods::nearest;
use super::motion::{Motion, Simulated};
use crate::integrator::Problem;

/// The numbers of a motion.
type ScalarOf<P> = <<P as Problem>::State as Motion>::Scalar;

/// A function of the system, as it is at the time, of a state and of the time, which may carry derivatives.
type Function<'a, P> =
    dyn FnMut(&<P as Problem>::System, &<P as Problem>::State, ScalarOf<P>) -> ScalarOf<P> + Send + 'a;

/// An event that is looked for.
pub(crate) struct Event<'a, P: Simulated> {
    name: String,
    function: Box<Function<'a, P>>,
    /// True if the numbers of the function carry derivatives as those of the motion do.
    has_derivatives: bool,
    crossing: Crossing,
    action: Action<'a, P>,
    /// Of one that is called by a name that no event of the declaration has, the names that there are.
    unknown: Option<&'static [&'static str]>,
}

/// Which changes of its sign are events.
#[derive(Clone, Copy)]
enum Crossing {
    Any,
    Rising,
    Falling,
}

impl Crossing {
    fn is(self, rising: bool) -> bool {
        match self {
            Crossing::Any => true,
            Crossing::Rising => rising,
            Crossing::Falling => !rising,
        }
    }
}

/// What happens at an event.
enum Action<'a, P: Simulated> {
    Note,
    Stop,
    Change(ChangeBy<'a, P>),
}

/// What changes a motion.
type Changing<'a, P> = dyn FnMut(&mut Change<'_, P>) + Send + 'a;

/// Makes a system of a run's own.
type Own<P> = fn(&<P as Problem>::System) -> Box<<P as Problem>::System>;

/// What changes a motion, and how a run comes by a system of its own for that.
pub(super) struct ChangeBy<'a, P: Simulated> {
    change: Box<Changing<'a, P>>,
    own: Own<P>,
}

impl<P: Simulated> Event<'_, P> {
    /// The same event, for one of several runs.
    pub(crate) fn again(&mut self) -> Event<'_, P> {
        let function = &mut self.function;
        let action = match &mut self.action {
            Action::Note => Action::Note,
            Action::Stop => Action::Stop,
            Action::Change(ChangeBy { change, own }) => {
                Action::Change(ChangeBy { change: Box::new(move |at| change(at)), own: *own })
            }
        };
        Event {
            name: self.name.clone(),
            function: Box::new(move |system, state, time| function(system, state, time)),
            has_derivatives: self.has_derivatives,
            crossing: self.crossing,
            action,
            unknown: self.unknown,
        }
    }

    /// Checks that a declared event has been called by its name.
    pub(super) fn ensure_known(&self) -> Result<(), SetupError> {
        let Some(known) = self.unknown else { return Ok(()) };
        Err(SetupError::UnknownEvent { name: self.name.clone(), nearest: nearest(&self.name, known), known })
    }

    /// How a run comes by a system of its own, if the event may change it.
    pub(super) fn own(&self) -> Option<Own<P>> {
        match &self.action {
            Action::Change(change) => Some(change.own),
            Action::Note | Action::Stop => None,
        }
    }
}

impl<P: Simulated> ChangeBy<'_, P> {
    /// A copy of a system, to be kept.
    fn copy(&self, system: &P::System) -> Arc<P::System> {
        (self.own)(system).into()
    }

    /// Changes the state and the system; the impulses, and whether the run ends there.
    pub fn apply(
        &mut self,
        (event, time): (&str, ScalarOf<P>),
        system: &mut P::System,
        state: &mut P::State,
    ) -> Result<(Vec<Struck>, bool), super::Failure> {
        let mut change = Change { event, time, system, state, impulses: Vec::new(), failure: None, ends: false };
        (self.change)(&mut change);
        change.done()
    }
}
