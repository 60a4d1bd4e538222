//! What events there are, and what happens there.

use super::change::{Change, ChangeBy};
use super::sought::{Action, Crossing, Event, Function, Value};
use crate::scalar::Scalar;
use crate::simulate::motion::{ScalarOf, Simulated};

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

    /// Of a declared event: with what its value is, where derivatives cost more, and, where no declared event has its name, those that
    /// there are.
    pub(crate) fn declared(self, value: Option<Box<Value<'a, P>>>, unknown: Option<&'static [&'static str]>) -> Self {
        When { value, unknown, ..self }
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
        let is_differentiated = ScalarOf::<P>::HAS_DERIVATIVES;
        give(run, Event { name, function, value, has_derivatives, crossing, action, is_differentiated, unknown })
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
