//! The specification of an event: function, direction and action.

use super::change::{Change, ChangeBy, Own};
use crate::integrator::{Problem, Solution};
use crate::scalar::Scalar;
use crate::simulate::failure::{EventError, Failure};
use crate::simulate::motion::{ScalarOf, Simulated};
use crate::simulate::setup::SetupError;
use crate::system::ImposedLaws;

/// An event function of the system, the state and the time; the time can carry derivatives.
pub(crate) type EventFunction<'a, P> =
    dyn FnMut(&<P as Problem>::System, &<P as Problem>::State, ScalarOf<P>) -> ScalarOf<P> + Send + 'a;
/// The value of an event function without derivatives.
pub(crate) type EventValue<'a, P> = dyn FnMut(&<P as Problem>::System, &<P as Problem>::State) -> f64 + Send + 'a;

/// An event of a simulation.
pub(crate) struct Event<'a, P: Simulated> {
    pub(in crate::simulate) settings: EventSettings,
    pub(super) function: Box<EventFunction<'a, P>>,
    /// The value without derivatives, if derivatives cost more.
    pub(super) value: Option<Box<EventValue<'a, P>>>,
    /// True if the values of the function carry derivatives.
    pub(super) has_derivatives: bool,
    pub(in crate::simulate) action: Action<'a, P>,
}

/// The settings of an event, which do not depend on the type of its system.
#[derive(Clone)]
pub(in crate::simulate) struct EventSettings {
    pub name: String,
    pub crossing: CrossingDirection,
    /// True if the run computes derivatives; several events at one instant are then an error.
    pub is_differentiated: bool,
    /// The error of an event that cannot be set up, such as an unknown name.
    pub invalid: Option<SetupError>,
    /// The limit of a function that must not be negative; `None` if both signs are valid.
    pub one_sided: Option<OneSided>,
    /// The law that the events impose, with which time-stepping methods replace them.
    pub law: Option<EventLaw>,
    /// True if the change also applies to the initial state, before the first step.
    pub acts_at_start: bool,
}

/// A law that the events of a contact or of the frictions of all joints impose.
#[derive(Clone, Copy)]
pub(crate) enum EventLaw {
    /// A contact with this coefficient of restitution. The event has the name of the contact.
    Contact(f64),
    /// The friction of all joints.
    DryFriction,
}

/// The limit of an event function that must not be negative at the end of a step.
#[derive(Clone, Copy)]
pub(crate) struct OneSided {
    /// The error for a negative value.
    pub error: fn(f64) -> EventError,
    /// True if a negative value that increases is valid, except at the start.
    pub may_recover: bool,
    /// True if a value of zero after an event, with an unknown sign, becomes positive.
    pub starts_positive: bool,
}

impl OneSided {
    /// Returns the limit with this error for a negative value.
    pub const fn new(error: fn(f64) -> EventError) -> Self {
        OneSided { error, may_recover: false, starts_positive: false }
    }

    /// Permits a negative value that increases, except at the start.
    pub const fn that_recovers(self) -> Self {
        OneSided { may_recover: true, ..self }
    }

    /// Treats a value of zero after an event as positive.
    pub const fn that_starts_positive(self) -> Self {
        OneSided { starts_positive: true, ..self }
    }
}

/// The direction of the sign changes that are events.
#[derive(Clone, Copy)]
pub(in crate::simulate) enum CrossingDirection {
    Any,
    Rising,
    Falling,
}

impl CrossingDirection {
    pub fn admits(self, rising: bool) -> bool {
        match self {
            CrossingDirection::Any => true,
            CrossingDirection::Rising => rising,
            CrossingDirection::Falling => !rising,
        }
    }
}

/// The action at an event.
pub(in crate::simulate) enum Action<'a, P: Simulated> {
    Record,
    Stop,
    Change(ChangeBy<'a, P>),
}

/// Removes the events of contacts and dry friction, and returns their laws.
pub(in crate::simulate) fn take_laws<P: Simulated>(events: &mut Vec<Event<'_, P>>) -> ImposedLaws {
    let mut laws = ImposedLaws::default();
    for settings in events.iter().map(|event| &event.settings) {
        match settings.law {
            Some(EventLaw::Contact(restitution)) => laws.restitution.push((settings.name.clone(), restitution)),
            Some(EventLaw::DryFriction) => laws.dry_friction = true,
            None => {}
        }
    }
    events.retain(|event| event.settings.one_sided.is_none() && event.settings.law.is_none());
    laws
}

impl<'a, P: Simulated> Event<'a, P> {
    /// Borrows the event for a single run.
    pub(crate) fn reborrow(&mut self) -> Event<'_, P> {
        let Event { settings, function, value, has_derivatives, action } = self;
        let action = match action {
            Action::Record => Action::Record,
            Action::Stop => Action::Stop,
            Action::Change(change) => Action::Change(change.reborrow()),
        };
        Event {
            settings: settings.clone(),
            function: Box::new(move |system, state, time| function(system, state, time)),
            value: value.as_mut().map(|value| {
                let value: Box<EventValue<'_, P>> = Box::new(move |system, state| value(system, state));
                value
            }),
            has_derivatives: *has_derivatives,
            action,
        }
    }

    /// Applies the change of an event that acts at the start.
    pub(in crate::simulate) fn start(&mut self, system: &mut P::System, state: &mut P::State) -> Result<(), Failure> {
        let Action::Change(change) = &mut self.action else { return Ok(()) };
        if !self.settings.acts_at_start {
            return Ok(());
        }
        let time = ScalarOf::<P>::from_f64(state.time());
        change.apply(&self.settings.name, time, (system, state)).map(drop)
    }

    /// Converts the event to an event of another problem: the value of its function, and its change.
    pub(crate) fn adapt<'b, Q: Simulated>(
        &'b mut self,
        mut read: impl FnMut(&mut dyn FnMut(&P::System, &P::State) -> f64, &Q::System, &Q::State) -> f64 + Send + 'b,
        change: impl FnMut(&mut ChangeBy<'a, P>, &mut Change<'_, Q>) + Send + 'b,
        own: Own<Q>,
    ) -> Event<'b, Q> {
        let Event { settings, function, value, action, .. } = self;
        let action = match action {
            Action::Record => Action::Record,
            Action::Stop => Action::Stop,
            Action::Change(by) => Action::Change(by.adapt(change, own)),
        };
        let mut value = move |system: &P::System, state: &P::State| match value {
            Some(value) => value(system, state),
            None => function(system, state, ScalarOf::<P>::from_f64(state.time())).value(),
        };
        let function =
            move |system: &Q::System, state: &Q::State, _| ScalarOf::<Q>::from_f64(read(&mut value, system, state));
        Event {
            settings: EventSettings { is_differentiated: true, ..settings.clone() },
            function: Box::new(function),
            value: None,
            has_derivatives: false,
            action,
        }
    }

    /// Converts an event to an event of another problem on the same scalar, by its views of a system and a state, and its conversion of a
    /// change.
    #[cfg(feature = "precompiled")]
    pub(in crate::simulate) fn for_other<Q>(
        self,
        system: for<'s> fn(&'s Q::System) -> &'s P::System,
        seen: fn(&Q::System, &Q::State) -> P::State,
        change: fn(ChangeBy<'a, P>) -> ChangeBy<'a, Q>,
    ) -> Event<'a, Q>
    where
        P: 'a,
        Q: Simulated<State: crate::simulate::motion::Motion<Scalar = ScalarOf<P>>> + 'a,
        Q::System: 'a,
        Q::State: 'a,
    {
        let Event { settings, mut function, value, has_derivatives, action } = self;
        let action = match action {
            Action::Record => Action::Record,
            Action::Stop => Action::Stop,
            Action::Change(by) => Action::Change(change(by)),
        };
        let value = value.map(|mut value| {
            let value: Box<EventValue<'a, Q>> = Box::new(move |other, state| value(system(other), &seen(other, state)));
            value
        });
        Event {
            settings,
            function: Box::new(move |other, state, time| function(system(other), &seen(other, state), time)),
            value,
            has_derivatives,
            action,
        }
    }

    /// Returns true if the event is only recorded.
    pub(crate) fn is_recorded_only(&self) -> bool {
        matches!(self.action, Action::Record)
    }

    /// Returns the value of the function.
    pub(in crate::simulate) fn value(&mut self, system: &P::System, state: &P::State) -> Result<f64, Failure> {
        match &mut self.value {
            Some(value) => {
                let value = value(system, state);
                self.ensure_finite(state, value)?;
                Ok(value)
            }
            None => self.dual_value(system, state, ScalarOf::<P>::from_f64(state.time())).map(Scalar::value),
        }
    }

    /// Returns the value with its derivative, if the function has one, at a time that can carry a derivative.
    pub(super) fn dual_value(
        &mut self,
        system: &P::System,
        state: &P::State,
        time: ScalarOf<P>,
    ) -> Result<ScalarOf<P>, Failure> {
        let value = (self.function)(system, state, time);
        self.ensure_finite(state, value.value())?;
        Ok(value)
    }

    fn ensure_finite(&self, state: &P::State, value: f64) -> Result<(), Failure> {
        if value.is_finite() { Ok(()) } else { Err(self.failed(state.time(), EventError::NotFinite { value })) }
    }

    /// Returns the failure of the run with this error at the event.
    pub(in crate::simulate) fn failed(&self, time: f64, error: EventError) -> Failure {
        Failure::Event { event: self.settings.name.clone(), time, error: Box::new(error) }
    }

    /// Checks that the event can be set up: for example, a declared event must have this name.
    pub(in crate::simulate) fn ensure_valid(&self) -> Result<(), SetupError> {
        self.settings.invalid.clone().map_or(Ok(()), Err)
    }

    /// Returns the function that copies the system, if the event can change it.
    pub(in crate::simulate) fn own(&self) -> Option<Own<P>> {
        match &self.action {
            Action::Change(change) => Some(change.own),
            Action::Record | Action::Stop => None,
        }
    }
}
