//! Events that a run looks for.

use super::simulation::Simulation;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::simulate::event::When;
use crate::simulate::motion::{ScalarOf, Simulated};
use crate::system::Declared;

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
        self.when(event, function).declared(None, number.is_none().then_some(known))
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
