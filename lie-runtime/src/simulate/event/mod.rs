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
mod locate;
mod lookout;
mod occurrence;
mod saltation;
mod when;

pub use super::error::EventError;
pub use change::Change;
pub(crate) use change::ChangeBy;
pub use occurrence::{Impulse, Occurrence};
pub use when::When;

pub(super) use lookout::Lookout;
pub(super) use occurrence::Impulse as Struck;

use super::error::{Failure, SetupError};
use super::motion::{ScalarOf, Simulated};
use crate::integrator::{Problem, Solution};
use crate::scalar::Scalar;

/// A function of the system, as it is at the time, of a state and of the time, which may carry derivatives.
pub(crate) type Function<'a, P> =
    dyn FnMut(&<P as Problem>::System, &<P as Problem>::State, ScalarOf<P>) -> ScalarOf<P> + Send + 'a;
/// Its value alone.
pub(crate) type Value<'a, P> = dyn FnMut(&<P as Problem>::System, &<P as Problem>::State) -> f64 + Send + 'a;

/// An event that is looked for.
pub(crate) struct Event<'a, P: Simulated> {
    name: String,
    function: Box<Function<'a, P>>,
    /// The value alone, where derivatives cost more.
    value: Option<Box<Value<'a, P>>>,
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

/// Makes a system of a run's own.
pub(crate) type Own<P> = fn(&<P as Problem>::System) -> Box<<P as Problem>::System>;

impl<'a, P: Simulated> Event<'a, P> {
    /// The same event, for one of several runs.
    pub(crate) fn again(&mut self) -> Event<'_, P> {
        let Event { name, function, value, has_derivatives, crossing, action, unknown } = self;
        let action = match action {
            Action::Note => Action::Note,
            Action::Stop => Action::Stop,
            Action::Change(change) => Action::Change(change.again()),
        };
        Event {
            name: name.clone(),
            function: Box::new(move |system, state, time| function(system, state, time)),
            value: value.as_mut().map(|value| {
                let value: Box<Value<'_, P>> = Box::new(move |system, state| value(system, state));
                value
            }),
            has_derivatives: *has_derivatives,
            crossing: *crossing,
            action,
            unknown: *unknown,
        }
    }

    /// The same event of another problem, whose motions are read as those of this one: the value of its function, and its change.
    pub(crate) fn read_as<'b, Q: Simulated>(
        &'b mut self,
        mut read: impl FnMut(&mut dyn FnMut(&P::System, &P::State) -> f64, &Q::System, &Q::State) -> f64 + Send + 'b,
        change: impl FnMut(&mut ChangeBy<'a, P>, &mut Change<'_, Q>) + Send + 'b,
        own: Own<Q>,
    ) -> Event<'b, Q> {
        let Event { name, function, value, crossing, action, unknown, .. } = self;
        let action = match action {
            Action::Note => Action::Note,
            Action::Stop => Action::Stop,
            Action::Change(by) => Action::Change(by.read_as(change, own)),
        };
        let mut value = move |system: &P::System, state: &P::State| match value {
            Some(value) => value(system, state),
            None => function(system, state, ScalarOf::<P>::from_f64(state.time())).value(),
        };
        let function =
            move |system: &Q::System, state: &Q::State, _| ScalarOf::<Q>::from_f64(read(&mut value, system, state));
        Event {
            name: name.clone(),
            function: Box::new(function),
            value: None,
            has_derivatives: false,
            crossing: *crossing,
            action,
            unknown: *unknown,
        }
    }

    /// True of an event that the run only takes note of.
    pub(crate) fn is_noted(&self) -> bool {
        matches!(self.action, Action::Note)
    }

    /// The value of the function.
    fn value(&mut self, system: &P::System, state: &P::State) -> Result<f64, Failure> {
        match &mut self.value {
            Some(value) => {
                let value = value(system, state);
                self.ensure_finite(state, value)?;
                Ok(value)
            }
            None => self.number(system, state, ScalarOf::<P>::from_f64(state.time())).map(Scalar::value),
        }
    }

    /// The value, with derivatives if it has some, at a time that may have some.
    fn number(&mut self, system: &P::System, state: &P::State, time: ScalarOf<P>) -> Result<ScalarOf<P>, Failure> {
        let number = (self.function)(system, state, time);
        self.ensure_finite(state, number.value())?;
        Ok(number)
    }

    fn ensure_finite(&self, state: &P::State, value: f64) -> Result<(), Failure> {
        if value.is_finite() { Ok(()) } else { Err(self.failed(state.time(), EventError::NotFinite { value })) }
    }

    /// What goes wrong at the event.
    fn failed(&self, time: f64, error: EventError) -> Failure {
        Failure::Event { event: self.name.clone(), time, error: Box::new(error) }
    }

    /// Checks that a declared event has been called by its name.
    pub(super) fn ensure_known(&self) -> Result<(), SetupError> {
        self.unknown.map_or(Ok(()), |known| Err(SetupError::unknown_event(&self.name, known)))
    }

    /// How a run comes by a system of its own, if the event may change it.
    pub(super) fn own(&self) -> Option<Own<P>> {
        match &self.action {
            Action::Change(change) => Some(change.own),
            Action::Note | Action::Stop => None,
        }
    }
}
