//! Events of runs that are differentiated: their functions are on dual numbers.

use core::ops::Deref;

use super::forward::Variation;
use super::lifting::{lowered, variation};
use crate::gradient::differences;
use crate::group::TangentVector;
use crate::integrator::{Integrator, State};
use crate::scalar::Dual;
use crate::simulate::Simulation;
use crate::simulate::event::{Event, When};
use crate::space::ConfigurationSpace;
use crate::system::{Declared, MechanicalSystem, ParameterSet, TangentSystem};

/// A simulation to be differentiated, whose events are on dual numbers: [forwards](super::Sensitivities) or
/// [backwards](super::Gradients).
pub struct Differentiated<'a, M: TangentSystem, I, O, W> {
    pub(super) simulation: Simulation<'a, M, I, O>,
    /// What is wanted.
    pub(super) wanted: W,
    pub(super) events: Vec<Event<'a, M::Lifted>>,
}

/// A state and its time on dual numbers, as functions of events see them; all but the time is that of the [`State`].
pub struct Moment<'s, M: MechanicalSystem> {
    /// The time, with its derivative.
    pub time: M::Scalar,
    state: &'s State<M>,
}

impl<'s, M: MechanicalSystem> Moment<'s, M> {
    pub(super) fn of(time: M::Scalar, state: &'s State<M>) -> Self {
        Moment { time, state }
    }
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

impl<'a, M: TangentSystem, I, O, W> Differentiated<'a, M, I, O, W> {
    /// Integrates by this method.
    pub fn method<J: Integrator<M::Lifted>>(self, integrator: J) -> Differentiated<'a, M, J, O, W> {
        let Simulation { system, initial, settings, options, observer, controller, events, watched, .. } =
            self.simulation;
        let simulation =
            Simulation { system, initial, integrator, settings, options, observer, controller, events, watched };
        Differentiated { simulation, wanted: self.wanted, events: self.events }
    }

    /// Looks for the instants at which this function of the state changes its sign, as
    /// [`Simulation::when`](crate::simulate::Simulation::when) does, in a run whose derivatives go across what happens there (see
    /// [`gradient`](crate::gradient#events)). The function is one on dual numbers, and so is what is changed.
    ///
    /// Functions and changes are called again and again, in a run for each component or on the way back: what they remember of one
    /// call they know in the next.
    pub fn when(
        self,
        name: impl Into<String>,
        mut function: impl FnMut(&M::Lifted, &Moment<'_, M::Lifted>) -> Dual<f64> + Send + 'a,
    ) -> When<'a, M::Lifted, Self> {
        let function = move |system: &M::Lifted, state: &State<M::Lifted>, time: Dual<f64>| {
            function(system, &Moment { time, state })
        };
        When::of(self, Self::take, name.into(), (Box::new(function), true))
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

    fn take(mut self, event: Event<'a, M::Lifted>) -> Self {
        self.events.push(event);
        self
    }

    /// With the events of another run in the place of its own. They see the parameters of the run that they happen in.
    pub(crate) fn with_events_of(mut self, other: Self) -> Self {
        self.events = other.events;
        self
    }
}

/// Declared events are ordinary Rust on plain numbers. Where the run passes through one its slopes are taken by differences that are
/// extrapolated until they settle, to some ten digits; where they do not, that is an
/// [error](crate::simulate::event::EventError::NoSlope).
impl<'a, M: TangentSystem + Declared + Sync, I, O, W> Differentiated<'a, M, I, O, W> {
    /// Looks for the instants at which the declared `#[event]` of this name changes its sign, as
    /// [`Simulation::on`](crate::simulate::Simulation::on) does.
    pub fn on(self, event: &str) -> When<'a, M::Lifted, Self> {
        let system = self.simulation.system;
        let known = system.description().events;
        let number = known.iter().position(|known| *known == event);
        let event_of = Called { system, number: number.unwrap_or(known.len()) };
        let slope = move |lifted: &M::Lifted, state: &State<M::Lifted>, time| event_of.number(lifted, state, time);
        let value = move |lifted: &M::Lifted, state: &State<M::Lifted>| {
            event_of.at(M::lowered_parameters(lifted)[0].clone(), &lowered(system, state))
        };
        let when = When::of(self, Self::take, event.to_owned(), (Box::new(slope), true));
        when.declared(Some(Box::new(value)), number.is_none().then_some(known))
    }

    /// The same, where it comes from above zero.
    pub fn on_falling(self, event: &str) -> When<'a, M::Lifted, Self> {
        self.on(event).falling()
    }

    /// The same, where it comes from below zero.
    pub fn on_rising(self, event: &str) -> When<'a, M::Lifted, Self> {
        self.on(event).rising()
    }
}

/// A declared event.
struct Called<'a, M> {
    system: &'a M,
    number: usize,
}

impl<M> Clone for Called<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Called<'_, M> {}

/// Differences are trusted to this part.
const SETTLED: f64 = 1e-8;

impl<M: TangentSystem + Declared> Called<'_, M> {
    /// The value of the system with these parameters in a state.
    fn at(&self, parameters: M::Parameters, state: &State<M>) -> f64 {
        let State { time, configuration, velocity, multipliers, .. } = state;
        let Ok(system) = crate::system::Parametrised::with_parameters(self.system, parameters) else { return f64::NAN };
        system.declared_event(self.number, *time, configuration, velocity, multipliers)
    }

    /// The value with its slope along the derivatives of everything that it is a function of.
    fn number(&self, lifted: &M::Lifted, state: &State<M::Lifted>, time: Dual<f64>) -> Dual<f64> {
        let [parameters, slopes] = M::lowered_parameters(lifted);
        let start = lowered(self.system, state);
        let variation = variation(self.system, lifted, state);
        let moves = numbers_of(&parameters).into_iter().zip(numbers_of(&slopes));
        // In units of which all numbers move by one at most, those of parameters by themselves.
        let relative = moves.map(|(own, slope)| if slope == 0.0 { 0.0 } else { slope.abs() / own.abs().min(1.0) });
        let size = [&variation.configuration, &variation.velocity]
            .into_iter()
            .map(TangentVector::max_norm)
            .chain([variation.multipliers.max_norm(), time.eps.abs()])
            .chain(relative.map(|size| if size.is_finite() { size } else { 1.0 }))
            .fold(0.0, f64::max);
        if size == 0.0 {
            return Dual { re: self.at(parameters, &start), eps: 0.0 };
        }
        let mut along = |part: f64| {
            let part = part / size;
            let mut here = start.clone();
            let mut way = variation.configuration.clone();
            way.scale(part);
            self.system.space().compose_exp(&start.configuration, &way, &mut here.configuration);
            here.velocity.axpy(part, &variation.velocity);
            here.multipliers.axpy(part, &variation.multipliers);
            here.time = time.re + part * time.eps;
            vec![self.at(moved(&parameters, &slopes, part), &here)]
        };
        let slope = differences::slopes(&mut along)[0];
        let is_settled = slope.error.max(slope.noise) <= SETTLED * (1.0 + slope.value.abs());
        Dual { re: self.at(parameters, &start), eps: if is_settled { size * slope.value } else { f64::NAN } }
    }
}

/// The numbers of parameters in the order of their names, matrices by rows.
pub(super) fn numbers_of<P: ParameterSet>(parameters: &P) -> Vec<f64> {
    P::names().iter().filter_map(|name| parameters.get(name)).flat_map(|value| value.numbers()).collect()
}

/// Parameters with these numbers.
pub(super) fn with_numbers<P: ParameterSet + Clone>(parameters: &P, numbers: &[f64]) -> P {
    let (mut other, mut rest) = (parameters.clone(), numbers);
    for name in P::names() {
        let count = parameters.get(name).map_or(0, |value| value.numbers().len());
        let (own, after) = rest.split_at(count.min(rest.len()));
        // A parameter takes as many components as it has given.
        let _ = other.set(name, own);
        rest = after;
    }
    other
}

/// Parameters that have moved along their derivatives.
fn moved<P: ParameterSet + Clone>(parameters: &P, slopes: &P, part: f64) -> P {
    let moved = numbers_of(parameters).into_iter().zip(numbers_of(slopes)).map(|(own, slope)| own + part * slope);
    with_numbers(parameters, &moved.collect::<Vec<f64>>())
}
