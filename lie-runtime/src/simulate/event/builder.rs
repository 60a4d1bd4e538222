//! The builder of an event: direction of the sign change, and action.

use super::change::{Change, ChangeBy};
use super::event_spec::{
    Action, CrossingDirection, Event, EventFunction, EventLaw, EventSettings, EventValue, OneSided,
};
use crate::scalar::Scalar;
use crate::simulate::motion::{ScalarOf, Simulated};
use crate::simulate::setup::SetupError;

/// An event without an action. [`record`](Self::record), [`stop`](Self::stop) and [`apply`](Self::apply) return the builder `B` of the
/// simulation.
#[doc(alias = "callback")]
#[doc(alias = "ContinuousCallback")]
#[must_use = "an event needs an action: call `.record()`, `.stop()` or `.apply(…)`"]
pub struct EventBuilder<'a, P: Simulated, B> {
    run: B,
    /// Adds the event to the run.
    add: fn(B, Event<'a, P>) -> B,
    event: Event<'a, P>,
}

impl<'a, P: Simulated, B> EventBuilder<'a, P, B> {
    /// Returns the event at the sign changes of a function; `has_derivatives` is true if the values of the function carry derivatives.
    pub(crate) fn of(
        run: B,
        add: fn(B, Event<'a, P>) -> B,
        name: String,
        (function, has_derivatives): (Box<EventFunction<'a, P>>, bool),
    ) -> Self {
        let settings = EventSettings {
            name,
            crossing: CrossingDirection::Any,
            is_differentiated: ScalarOf::<P>::HAS_DERIVATIVES,
            invalid: None,
            one_sided: None,
            law: None,
            acts_at_start: false,
        };
        let event = Event { settings, function, value: None, has_derivatives, action: Action::Record };
        EventBuilder { run, add, event }
    }

    /// Adds the data of a declared event: its value without derivatives, if derivatives cost more, and the declared names, if none of them
    /// is the name of this event.
    pub(crate) fn declared(
        mut self,
        value: Option<Box<EventValue<'a, P>>>,
        unknown: Option<&'static [&'static str]>,
    ) -> Self {
        self.event.value = value;
        let settings = &mut self.event.settings;
        settings.invalid = unknown.map(|known| SetupError::unknown_event(&settings.name, known));
        self
    }

    /// Adds the error of a contact that cannot be set up, and the limit of its function.
    pub(crate) fn one_sided(mut self, invalid: Option<SetupError>, limit: OneSided) -> Self {
        self.event.settings = EventSettings { invalid, one_sided: Some(limit), ..self.event.settings };
        self
    }

    /// Sets the law of which the event is a part.
    pub(crate) fn law(mut self, law: EventLaw) -> Self {
        self.event.settings.law = Some(law);
        self
    }

    /// Applies the change of the event to the initial state, too.
    pub(crate) fn at_start(mut self) -> Self {
        self.event.settings.acts_at_start = true;
        self
    }

    /// Restricts the event to sign changes from positive to negative. By default, both directions are events.
    #[doc(alias = "direction")]
    pub fn falling(mut self) -> Self {
        self.event.settings.crossing = CrossingDirection::Falling;
        self
    }

    /// Restricts the event to sign changes from negative to positive. By default, both directions are events.
    #[doc(alias = "direction")]
    pub fn rising(mut self) -> Self {
        self.event.settings.crossing = CrossingDirection::Rising;
        self
    }

    fn with_action(self, action: Action<'a, P>) -> B {
        (self.add)(self.run, Event { action, ..self.event })
    }

    /// Records the state at the event in [`Trajectory::events`](crate::simulate::Trajectory::events). The steps do not change.
    #[must_use]
    pub fn record(self) -> B {
        self.with_action(Action::Record)
    }

    /// Ends the run at the event. The state is recorded, and [`Trajectory::stopped`](crate::simulate::Trajectory::stopped) contains the
    /// name and the time.
    #[doc(alias = "terminal")]
    #[doc(alias = "terminate")]
    #[must_use]
    pub fn stop(self) -> B {
        self.with_action(Action::Stop)
    }

    /// Changes the state or the parameters of the system at the event, and restarts the method from the changed state. The states before
    /// and after the event are both recorded, with equal times.
    #[doc(alias = "affect!")]
    #[doc(alias = "reset map")]
    #[must_use]
    pub fn apply(self, change: impl FnMut(&mut Change<'_, P>) + Send + 'a) -> B
    where
        P::System: Clone,
    {
        self.with_action(Action::Change(ChangeBy { change: Box::new(change), own: |system| Box::new(system.clone()) }))
    }
}
