//! Events in runs for sensitivities: their functions are on dual numbers.

use core::ops::Deref;

use super::forward::{Sensitivities, Variation};
use crate::integrator::State;
use crate::scalar::Dual;
use crate::simulate::event::When;
use crate::system::{MechanicalSystem, Varied};

/// A state and its time on dual numbers, as functions of events see them; all but the time is that of the [`State`].
pub struct Moment<'s, M: MechanicalSystem> {
    /// The time, with its derivative.
    pub time: M::Scalar,
    state: &'s State<M>,
}

impl<M: MechanicalSystem> Deref for Moment<'_, M> {
    type Target = State<M>;

    fn deref(&self) -> &State<M> {
        self.state
    }
}

/// How an event moves with one number.
pub struct EventVariation<M: MechanicalSystem> {
    /// ∂t.
    pub time: f64,
    /// The derivatives of the state at the event, before it has changed anything, as the event moves.
    pub state: Variation<M>,
}

impl<'a, M: Varied, I, O> Sensitivities<'a, M, I, O> {
    /// Looks for the instants at which this function of the state changes its sign, as
    /// [`Simulation::when`](crate::simulate::Simulation::when) does, in a run whose derivatives go across what happens there (see
    /// [`gradient`](crate::gradient#events)). The function is one on dual numbers, and so is what is changed.
    ///
    /// Functions and changes are called in a run for each component: what they remember of one they know in the next.
    pub fn when(
        self,
        name: impl Into<String>,
        mut function: impl FnMut(&M::Lifted, &Moment<'_, M::Lifted>) -> Dual<f64> + Send + 'a,
    ) -> When<'a, M::Lifted, Self> {
        let give = |mut run: Self, event| {
            run.events.push(event);
            run
        };
        let function = move |system: &M::Lifted, state: &State<M::Lifted>, time: Dual<f64>| {
            function(system, &Moment { time, state })
        };
        When::of(self, give, name.into(), (Box::new(function), true))
    }

    /// The same, where the function comes from above zero.
    pub fn when_falling(
        self,
        name: impl Into<String>,
        function: impl FnMut(&M::Lifted, &Moment<'_, M::Lifted>) -> Dual<f64> + Send + 'a,
    ) -> When<'a, M::Lifted, Self> {
        self.when(name, function).falling()
    }

    /// The same, where the function comes from below zero.
    pub fn when_rising(
        self,
        name: impl Into<String>,
        function: impl FnMut(&M::Lifted, &Moment<'_, M::Lifted>) -> Dual<f64> + Send + 'a,
    ) -> When<'a, M::Lifted, Self> {
        self.when(name, function).rising()
    }
}
