//! Events in the simulation builder.

use super::simulation::Simulation;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::simulate::event::When;
use crate::simulate::motion::{ScalarOf, Simulated};
use crate::system::Declared;

impl<'a, M: Declared, I, O> Simulation<'a, M, I, O> {
    /// Adds the declared `#[event]` with this name: the zero crossings of its function in both directions.
    ///
    /// An unknown name causes [`SetupError::UnknownEvent`](crate::simulate::SetupError::UnknownEvent) before the first step.
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
        self.when(event, function).declared(None, number.is_none().then_some(known))
    }

    /// Adds the declared `#[event]` with this name for crossings from positive to negative values.
    pub fn on_falling(self, event: &str) -> When<'a, M, Self> {
        self.on(event).falling()
    }

    /// Adds the declared `#[event]` with this name for crossings from negative to positive values.
    pub fn on_rising(self, event: &str) -> When<'a, M, Self> {
        self.on(event).rising()
    }
}

impl<'a, P: Simulated, I, O> Simulation<'a, P, I, O> {
    /// Adds an event at the zero crossings of a function of the state (see [`event`](crate::simulate::event)). The function receives the
    /// current system, with the parameter changes of previous events.
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

    /// Adds an event at the crossings of a function from positive to negative values.
    pub fn when_falling(
        self,
        name: impl Into<String>,
        function: impl FnMut(&P::System, &P::State) -> f64 + Send + 'a,
    ) -> When<'a, P, Self> {
        self.when(name, function).falling()
    }

    /// Adds an event at the crossings of a function from negative to positive values.
    pub fn when_rising(
        self,
        name: impl Into<String>,
        function: impl FnMut(&P::System, &P::State) -> f64 + Send + 'a,
    ) -> When<'a, P, Self> {
        self.when(name, function).rising()
    }
}
