//! An event that is looked for.

use super::change::{Change, ChangeBy, Own};
use crate::integrator::{Problem, Solution};
use crate::scalar::Scalar;
use crate::simulate::failure::{EventError, Failure};
use crate::simulate::motion::{ScalarOf, Simulated};
use crate::simulate::setup::SetupError;

/// A function of the system, as it is at the time, of a state and of the time, which may carry derivatives.
pub(crate) type Function<'a, P> =
    dyn FnMut(&<P as Problem>::System, &<P as Problem>::State, ScalarOf<P>) -> ScalarOf<P> + Send + 'a;
/// Its value alone.
pub(crate) type Value<'a, P> = dyn FnMut(&<P as Problem>::System, &<P as Problem>::State) -> f64 + Send + 'a;

/// An event that is looked for.
pub(crate) struct Event<'a, P: Simulated> {
    pub(in crate::simulate) name: String,
    pub(super) function: Box<Function<'a, P>>,
    /// The value alone, where derivatives cost more.
    pub(super) value: Option<Box<Value<'a, P>>>,
    /// True if the numbers of the function carry derivatives as those of the motion do.
    pub(super) has_derivatives: bool,
    pub(in crate::simulate) crossing: Crossing,
    pub(in crate::simulate) action: Action<'a, P>,
    /// True if the run is one for derivatives, which those of several events at one instant are not.
    pub(in crate::simulate) is_differentiated: bool,
    /// Of one that is called by a name that no event of the declaration has, the names that there are.
    pub(super) unknown: Option<&'static [&'static str]>,
}

/// Which changes of its sign are events.
#[derive(Clone, Copy)]
pub(in crate::simulate) enum Crossing {
    Any,
    Rising,
    Falling,
}

impl Crossing {
    pub fn is(self, rising: bool) -> bool {
        match self {
            Crossing::Any => true,
            Crossing::Rising => rising,
            Crossing::Falling => !rising,
        }
    }
}

/// What happens at an event.
pub(in crate::simulate) enum Action<'a, P: Simulated> {
    Note,
    Stop,
    Change(ChangeBy<'a, P>),
}

impl<'a, P: Simulated> Event<'a, P> {
    /// The same event, for one of several runs.
    pub(crate) fn again(&mut self) -> Event<'_, P> {
        let Event { name, function, value, has_derivatives, is_differentiated, crossing, action, unknown } = self;
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
            is_differentiated: *is_differentiated,
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
            is_differentiated: true,
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
    pub(in crate::simulate) fn value(&mut self, system: &P::System, state: &P::State) -> Result<f64, Failure> {
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
    pub(super) fn number(
        &mut self,
        system: &P::System,
        state: &P::State,
        time: ScalarOf<P>,
    ) -> Result<ScalarOf<P>, Failure> {
        let number = (self.function)(system, state, time);
        self.ensure_finite(state, number.value())?;
        Ok(number)
    }

    fn ensure_finite(&self, state: &P::State, value: f64) -> Result<(), Failure> {
        if value.is_finite() { Ok(()) } else { Err(self.failed(state.time(), EventError::NotFinite { value })) }
    }

    /// What goes wrong at the event.
    pub(super) fn failed(&self, time: f64, error: EventError) -> Failure {
        Failure::Event { event: self.name.clone(), time, error: Box::new(error) }
    }

    /// Checks that a declared event has been called by its name.
    pub(in crate::simulate) fn ensure_known(&self) -> Result<(), SetupError> {
        self.unknown.map_or(Ok(()), |known| Err(SetupError::unknown_event(&self.name, known)))
    }

    /// How a run comes by a system of its own, if the event may change it.
    pub(in crate::simulate) fn own(&self) -> Option<Own<P>> {
        match &self.action {
            Action::Change(change) => Some(change.own),
            Action::Note | Action::Stop => None,
        }
    }
}
