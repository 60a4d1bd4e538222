//! Events of differentiated runs, with functions on dual numbers.

use core::ops::Deref;

use super::Variation;
use super::lifting::{lowered, variation};
use crate::gradient::differences;
use crate::group::TangentVector;
use crate::integrator::{Integrator, State};
use crate::scalar::Dual;
use crate::simulate::event::{Event, EventBuilder, EventError, OneSided};
use crate::simulate::{SetupError, Simulation};
use crate::space::ConfigurationSpace;
use crate::system::{Declared, MechanicalSystem, ParameterSet, TangentSystem, UnilateralContacts};

/// A simulation to be differentiated, with events on dual numbers: [forward](super::Sensitivities) or [reverse](super::Gradients).
pub struct Differentiated<'a, M: TangentSystem, I, O, W> {
    pub(super) simulation: Simulation<'a, M, I, O>,
    /// The requested derivatives.
    pub(super) wanted: W,
    pub(super) events: Vec<Event<'a, M::Lifted>>,
}

/// A state and its time on dual numbers, the argument of event functions; all fields except the time are fields of the [`State`].
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

/// The derivative of an event with respect to one variable.
pub struct EventVariation<M: MechanicalSystem> {
    /// ∂t.
    pub time: f64,
    /// The derivative of the state at the event, before the change, along the moving event.
    pub state: Variation<M>,
}

impl<'a, M: TangentSystem, I, O, W> Differentiated<'a, M, I, O, W> {
    /// Sets the integration method.
    pub fn method<J: Integrator<M::Lifted>>(self, integrator: J) -> Differentiated<'a, M, J, O, W> {
        let Simulation { system, initial, settings, options, observer, controller, events, audit, .. } =
            self.simulation;
        let simulation =
            Simulation { system, initial, integrator, settings, options, observer, controller, events, audit };
        Differentiated { simulation, wanted: self.wanted, events: self.events }
    }

    /// Adds an event at every sign change of this function of the state, like [`Simulation::event`](crate::simulate::Simulation::event).
    /// The derivatives of the run include the event, see [`gradient`](crate::gradient#events). The function and the change are functions
    /// on dual numbers.
    ///
    /// Functions and changes are called repeatedly, in a run for each component or during the reverse pass. Any data that they store are
    /// still present in the next call.
    pub fn event(
        self,
        name: impl Into<String>,
        mut function: impl FnMut(&M::Lifted, &Moment<'_, M::Lifted>) -> Dual<f64> + Send + 'a,
    ) -> EventBuilder<'a, M::Lifted, Self> {
        let function = move |system: &M::Lifted, state: &State<M::Lifted>, time: Dual<f64>| {
            function(system, &Moment { time, state })
        };
        EventBuilder::of(self, Self::take, name.into(), (Box::new(function), true))
    }

    fn take(mut self, event: Event<'a, M::Lifted>) -> Self {
        self.events.push(event);
        self
    }

    /// Replaces the events by the events of another run. They use the parameters of the current run.
    pub(crate) fn with_events_of(mut self, other: Self) -> Self {
        self.events = other.events;
        self
    }
}

/// Declared events are functions without dual numbers. Their derivatives at an event are extrapolated finite differences with about ten
/// digits. A derivative that does not converge is an [error](crate::simulate::event::EventError::NoSlope).
impl<'a, M: TangentSystem + Declared + Sync, I, O, W> Differentiated<'a, M, I, O, W> {
    /// Adds the declared `#[event]` with this name, like [`Simulation::declared_event`](crate::simulate::Simulation::declared_event).
    pub fn declared_event(self, event: &str) -> EventBuilder<'a, M::Lifted, Self> {
        let system = self.simulation.system;
        let known = system.description().events;
        let number = known.iter().position(|known| *known == event);
        let event_of = DeclaredEvent { system, number: number.unwrap_or(known.len()) };
        let slope = move |lifted: &M::Lifted, state: &State<M::Lifted>, time| event_of.number(lifted, state, time);
        let value = move |lifted: &M::Lifted, state: &State<M::Lifted>| {
            event_of.at(M::lowered_parameters(lifted)[0].clone(), &lowered(system, state))
        };
        let builder = EventBuilder::of(self, Self::take, event.to_owned(), (Box::new(slope), true));
        builder.declared(Some(Box::new(value)), number.is_none().then_some(known))
    }
}

impl<M: TangentSystem + UnilateralContacts, I, O, W> Differentiated<'_, M, I, O, W> {
    /// Contacts have no derivatives: the run returns [`SetupError::ContactDerivatives`].
    ///
    /// Write the events of the contact with [`event`](Self::event) instead.
    #[must_use]
    pub fn contact(self, name: &str, restitution: f64) -> Self {
        let _ = restitution;
        let invalid = Some(SetupError::ContactDerivatives { name: name.to_owned() });
        let function = |_: &M::Lifted, _: &State<M::Lifted>, _: Dual<f64>| Dual::default();
        let limit = OneSided::new(|_| EventError::ContactDerivatives);
        EventBuilder::of(self, Self::take, name.to_owned(), (Box::new(function), true))
            .one_sided(invalid, limit)
            .record()
    }
}

/// A declared event.
struct DeclaredEvent<'a, M> {
    system: &'a M,
    number: usize,
}

impl<M> Clone for DeclaredEvent<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for DeclaredEvent<'_, M> {}

/// The largest accepted relative error of a difference.
const SETTLED: f64 = 1e-8;

impl<M: TangentSystem + Declared> DeclaredEvent<'_, M> {
    /// The value of the event for these parameters in a state.
    fn at(&self, parameters: M::Parameters, state: &State<M>) -> f64 {
        let State { time, configuration, velocity, multipliers, .. } = state;
        let Ok(system) = crate::system::Parametrised::with_parameters(self.system, parameters) else { return f64::NAN };
        system.declared_event(self.number, *time, configuration, velocity, multipliers)
    }

    /// The value with its derivative along the derivatives of all its arguments.
    fn number(&self, lifted: &M::Lifted, state: &State<M::Lifted>, time: Dual<f64>) -> Dual<f64> {
        let [parameters, slopes] = M::lowered_parameters(lifted);
        let start = lowered(self.system, state);
        let variation = variation(self.system, lifted, state);
        let moves = numbers_of(&parameters).into_iter().zip(numbers_of(&slopes));
        // The scale makes all changes at most one; changes of parameters are relative to the parameters.
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

/// The scalar parameters in the order of their names, matrices by rows.
pub(super) fn numbers_of<P: ParameterSet>(parameters: &P) -> Vec<f64> {
    parameters.names().iter().filter_map(|name| parameters.get(name)).flat_map(|value| value.numbers()).collect()
}

/// Parameters with these scalar values.
pub(super) fn with_numbers<P: ParameterSet + Clone>(parameters: &P, numbers: &[f64]) -> P {
    let (mut other, mut rest) = (parameters.clone(), numbers);
    for name in parameters.names() {
        let count = parameters.get(name).map_or(0, |value| value.numbers().len());
        let (own, after) = rest.split_at(count.min(rest.len()));
        // A parameter accepts as many components as it has.
        let _ = other.set(name, own);
        rest = after;
    }
    other
}

/// Parameters, moved along their derivatives.
fn moved<P: ParameterSet + Clone>(parameters: &P, slopes: &P, part: f64) -> P {
    let moved = numbers_of(parameters).into_iter().zip(numbers_of(slopes)).map(|(own, slope)| own + part * slope);
    with_numbers(parameters, &moved.collect::<Vec<f64>>())
}
