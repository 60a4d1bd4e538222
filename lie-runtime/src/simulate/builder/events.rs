//! Events of a simulation.

use super::simulation::Simulation;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::simulate::event::EventBuilder;
use crate::simulate::motion::{ScalarOf, Simulated};
use crate::system::Declared;

impl<'a, M: Declared, I, O> Simulation<'a, M, I, O> {
    /// Adds the declared `#[event]` with this name, like [`event`](Self::event).
    ///
    /// # Errors
    /// The run returns [`SetupError::UnknownEvent`](crate::simulate::SetupError::UnknownEvent) if no declared event has this name.
    pub fn declared_event(self, name: &str) -> EventBuilder<'a, M, Self> {
        let known = self.system.description().events;
        let number = known.iter().position(|known| *known == name);
        let function = move |system: &M, state: &State<M>| match number {
            Some(number) => {
                let State { time, configuration, velocity, multipliers, .. } = state;
                system.declared_event(number, *time, configuration, velocity, multipliers)
            }
            None => f64::NAN,
        };
        self.event(name, function).declared(None, number.is_none().then_some(known))
    }
}

impl<'a, P: Simulated, I, O> Simulation<'a, P, I, O> {
    /// Adds an event at every sign change of this function of the system and the state; see [`event`](crate::simulate::event). The system
    /// has the parameters that earlier events have set.
    ///
    /// ```text
    /// .event("lands", |_, state| state.configuration.z).falling().stop()
    /// ```
    #[doc(alias = "callback")]
    #[doc(alias = "ContinuousCallback")]
    #[doc(alias = "zero crossing")]
    #[doc(alias = "witness function")]
    pub fn event(
        self,
        name: impl Into<String>,
        mut function: impl FnMut(&P::System, &P::State) -> f64 + Send + 'a,
    ) -> EventBuilder<'a, P, Self> {
        let add = |mut run: Self, event| {
            run.events.push(event);
            run
        };
        let function = move |system: &P::System, state: &P::State, _| ScalarOf::<P>::from_f64(function(system, state));
        EventBuilder::of(self, add, name.into(), (Box::new(function), false))
    }
}
