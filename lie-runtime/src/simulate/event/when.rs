//! What events there are, and what happens there.

use super::{Action, Change, ChangeBy, Crossing, Event, Function, ScalarOf, Value};
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::simulate::builder::Simulation;
use crate::simulate::motion::Simulated;
use crate::system::Declared;

/// An event of which it is not yet said what happens there, of a run that `B` describes.
#[must_use = "say what happens there: `.note()`, `.stop()` or `.then(…)`"]
pub struct When<'a, P: Simulated, B> {
    run: B,
    /// Gives the event to the run.
    give: fn(B, Event<'a, P>) -> B,
    name: String,
    function: Box<Function<'a, P>>,
    value: Option<Box<Value<'a, P>>>,
    has_derivatives: bool,
    crossing: Crossing,
    unknown: Option<&'static [&'static str]>,
}

impl<'a, M: Declared, I, O> Simulation<'a, M, I, O> {
    /// Looks for the instants at which the declared `#[event]` of this name changes its sign.
    ///
    /// A name that is that of none is told before the first step,
    /// [`SetupError::UnknownEvent`](crate::simulate::SetupError::UnknownEvent).
    pub fn on(self, event: &str) -> When<'a, M, Self> {
        let known = self.system.description().events;
        let number = known.iter().position(|known| *known == event);
        let function = move |system: &M, state: &State<M>| match number {
            Some(number) => {
                let State { time, configuration, velocity, multipliers, .. } = state;
                system.declared_event(number, *time, configuration, velocity, multipliers)
            }
            None => f64::NAN,
        };
        When { unknown: number.is_none().then_some(known), ..self.when(event, function) }
    }

    /// The same, where it comes from above zero.
    pub fn on_falling(self, event: &str) -> When<'a, M, Self> {
        self.on(event).falling()
    }

    /// The same, where it comes from below zero.
    pub fn on_rising(self, event: &str) -> When<'a, M, Self> {
        self.on(event).rising()
    }
}

impl<'a, P: Simulated, I, O> Simulation<'a, P, I, O> {
    /// Looks for the instants at which this function of the state changes its sign (see [`event`](crate::simulate::event)). It is
    /// shown the system as it is at the time, with the parameters that events before have left.
    pub fn when(
        self,
        name: impl Into<String>,
        mut function: impl FnMut(&P::System, &P::State) -> f64 + Send + 'a,
    ) -> When<'a, P, Self> {
        let give = |mut run: Self, event| {
            run.events.push(event);
            run
        };
        let function = move |system: &P::System, state: &P::State, _| ScalarOf::<P>::from_f64(function(system, state));
        When::of(self, give, name.into(), (Box::new(function), false))
    }

    /// The same, where the function comes from above zero.
    pub fn when_falling(
        self,
        name: impl Into<String>,
        function: impl FnMut(&P::System, &P::State) -> f64 + Send + 'a,
    ) -> When<'a, P, Self> {
        self.when(name, function).falling()
    }

    /// The same, where the function comes from below zero.
    pub fn when_rising(
        self,
        name: impl Into<String>,
        function: impl FnMut(&P::System, &P::State) -> f64 + Send + 'a,
    ) -> When<'a, P, Self> {
        self.when(name, function).rising()
    }
}

impl<'a, P: Simulated, B> When<'a, P, B> {
    /// Of a run that takes events by `give`, where a function changes its sign; it is said whether its numbers carry derivatives.
    pub(crate) fn of(
        run: B,
        give: fn(B, Event<'a, P>) -> B,
        name: String,
        (function, has_derivatives): (Box<Function<'a, P>>, bool),
    ) -> Self {
        When { run, give, name, function, value: None, has_derivatives, crossing: Crossing::Any, unknown: None }
    }

    /// Of a declared event: with what its value is, and, where no declared event has its name, those that there are.
    pub(crate) fn declared(self, value: Box<Value<'a, P>>, unknown: Option<&'static [&'static str]>) -> Self {
        When { value: Some(value), unknown, ..self }
    }

    /// Only where the function comes from above zero.
    pub(crate) fn falling(self) -> Self {
        When { crossing: Crossing::Falling, ..self }
    }

    /// Only where the function comes from below zero.
    pub(crate) fn rising(self) -> Self {
        When { crossing: Crossing::Rising, ..self }
    }

    fn act(self, action: Action<'a, P>) -> B {
        let When { run, give, name, function, value, has_derivatives, crossing, unknown } = self;
        give(run, Event { name, function, value, has_derivatives, crossing, action, unknown })
    }

    /// Notes the state there, among [`Trajectory::events`](crate::simulate::Trajectory::events).
    #[must_use]
    pub fn note(self) -> B {
        self.act(Action::Note)
    }

    /// Ends the run there: the state is recorded, and [`Trajectory::stopped`](crate::simulate::Trajectory::stopped) tells its time.
    #[must_use]
    pub fn stop(self) -> B {
        self.act(Action::Stop)
    }

    /// Changes the state or the parameters of the system there, from which the motion goes on. The states before and after it are
    /// recorded, at one time.
    #[must_use]
    pub fn then(self, change: impl FnMut(&mut Change<'_, P>) + Send + 'a) -> B
    where
        P::System: Clone,
    {
        self.act(Action::Change(ChangeBy { change: Box::new(change), own: |system| Box::new(system.clone()) }))
    }
}
