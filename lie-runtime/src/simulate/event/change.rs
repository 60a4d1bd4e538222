//! The change of a motion by an event.

use std::rc::Rc;
use std::sync::Arc;

use super::impact::Impacts;
use crate::integrator::{Problem, Solution};
use crate::simulate::failure::{EventError, Failure};
use crate::simulate::motion::{Motion, ScalarOf, Simulated};
use crate::system::Parametrised;

/// The argument of [`apply`](super::EventBuilder::apply): the state at the event and the parameters of the system, both mutable.
///
/// An error in a method ends the run with a typed error; later calls then have no effect.
pub struct Change<'a, P: Simulated> {
    pub(super) event: &'a str,
    pub(super) time: <P::State as Motion>::Scalar,
    pub(super) system: &'a mut P::System,
    pub(super) state: &'a mut P::State,
    pub(super) own: Own<P>,
    pub(super) impacts: Impacts<P>,
    /// Merges changes of parameters, if the action has changed parameters.
    pub(super) merge: Option<Merge<P>>,
    pub(super) failure: Option<EventError>,
    pub(super) ends: bool,
    pub(super) completion: Option<SecondPart<P>>,
}

/// The second part of an action, and its argument. It follows after the changes and impacts of all simultaneous events.
pub(super) type SecondPart<P> = (Rc<dyn Fn(&mut Change<'_, P>, f64)>, f64);

impl<P: Simulated> Change<'_, P> {
    /// Returns the name of the event.
    pub fn event(&self) -> &str {
        self.event
    }

    /// Returns the time of the event. In a run for [sensitivities](crate::gradient) it carries the derivative of the event time; the `time`
    /// of the [state](Self::state) does not.
    pub fn time(&self) -> <P::State as Motion>::Scalar {
        self.time
    }

    /// Returns the system with its parameters at the event.
    pub fn system(&self) -> &P::System {
        self.system
    }

    /// Returns the mutable state at the event. Multipliers and accelerations are recomputed after the action.
    pub fn state(&mut self) -> &mut P::State {
        self.state
    }

    /// Returns the state at the event.
    pub(crate) fn state_there(&self) -> &P::State {
        self.state
    }

    /// Sets the second part of the action, and its argument. It sees the changes and impacts of all simultaneous events.
    pub(in crate::simulate) fn complete_with(
        &mut self,
        completion: impl Fn(&mut Change<'_, P>, f64) + 'static,
        argument: f64,
    ) {
        self.completion = Some((Rc::new(completion), argument));
    }

    /// Ends the run at this event, after its changes.
    pub fn stop(&mut self) {
        self.ends = true;
    }

    /// Changes the parameters of the system from this event on, for example to switch an input or a constraint.
    ///
    /// A constraint can be inactive for some parameters: `if p.locked { … } else { 0.0 }` requires `redundant = minimum_norm`, and its
    /// multipliers are zero while it is inactive.
    ///
    /// All events at one instant start from the same parameters, and their changes are applied together. Two events that set one parameter
    /// to different values are an [error](crate::simulate::event::EventError::Conflict).
    pub fn set(&mut self, change: impl FnOnce(&mut <P::System as Parametrised>::Parameters))
    where
        P::System: Parametrised,
    {
        if self.failure.is_some() {
            return;
        }
        let mut parameters = self.system.parameters().clone();
        change(&mut parameters);
        self.merge = Some(merge_parameters::<P::System>);
        match self.system.with_parameters(parameters) {
            Ok(system) => *self.system = system,
            Err(error) => self.failure = Some(EventError::Parameters(error)),
        }
    }
}

/// Adds the difference between the parameters of two systems to the parameters of `own`.
pub(super) fn merge_parameters<S: Parametrised>(own: &mut S, before: &S, changed: &S) -> Result<(), EventError> {
    let mut parameters = own.parameters().clone();
    S::merge_parameters(&mut parameters, before.parameters(), changed.parameters())
        .map_err(|name| EventError::Conflict { quantity: format!("parameter `{name}`") })?;
    *own = own.with_parameters(parameters).map_err(EventError::Parameters)?;
    Ok(())
}

impl<'a, P: Simulated> Change<'a, P> {
    pub(super) fn of(
        event: &'a str,
        time: ScalarOf<P>,
        (system, state): (&'a mut P::System, &'a mut P::State),
        own: Own<P>,
    ) -> Self {
        Change {
            event,
            time,
            system,
            state,
            own,
            impacts: Impacts::none(),
            merge: None,
            failure: None,
            ends: false,
            completion: None,
        }
    }

    /// Applies a change of another problem to a system and a state of that problem, and adds its impulses and its end to this change.
    pub(crate) fn apply_as<Q: Simulated>(
        &mut self,
        by: &mut ChangeBy<'_, Q>,
        time: ScalarOf<Q>,
        (system, state): (&mut Q::System, &mut Q::State),
    ) {
        let mut other = Change::of(self.event, time, (system, state), by.own);
        (by.change)(&mut other);
        if let Some((completion, argument)) = other.completion.take() {
            completion(&mut other, argument);
        }
        let outcome = other.failure.take().map_or_else(|| other.outcome(), Err).and_then(|outcome| {
            outcome.check(time)?;
            Ok(outcome)
        });
        match outcome {
            Ok(outcome) => {
                self.impacts.impulses.extend(outcome.impacts.impulses);
                self.ends |= outcome.ends;
            }
            Err(error) => self.failure = self.failure.take().or(Some(error)),
        }
    }

    /// Returns the outcome of the action.
    fn outcome(mut self) -> Result<ActionOutcome<P>, EventError> {
        self.impacts.settle(self.time, self.state)?;
        Ok(ActionOutcome { impacts: self.impacts, merge: self.merge, ends: self.ends, completion: self.completion })
    }
}

/// Adds the difference between the parameters of two systems, before and after a change, to the parameters of the first system.
pub(super) type Merge<P> =
    fn(&mut <P as Problem>::System, &<P as Problem>::System, &<P as Problem>::System) -> Result<(), EventError>;

/// The outcome of an action, in addition to the system and the state.
pub(super) struct ActionOutcome<P: Simulated> {
    pub impacts: Impacts<P>,
    pub merge: Option<Merge<P>>,
    pub ends: bool,
    pub completion: Option<SecondPart<P>>,
}

impl<P: Simulated> ActionOutcome<P> {
    /// Checks that the impacts name all active constraints that are not satisfied.
    ///
    /// # Errors
    /// An active row is neither named nor satisfied.
    pub fn check(&self, time: ScalarOf<P>) -> Result<(), EventError> {
        match &self.impacts.states {
            Some(states) => self.impacts.check(time, &states[0]),
            None => Ok(()),
        }
    }
}

/// Copies a system, so that an event can change the copy.
pub(crate) type Own<P> = fn(&<P as Problem>::System) -> Box<<P as Problem>::System>;

/// The function of an action.
type ApplyFn<'a, P> = dyn FnMut(&mut Change<'_, P>) + Send + 'a;

/// An action that changes a motion, with the function that copies the system.
pub(crate) struct ChangeBy<'a, P: Simulated> {
    pub(super) change: Box<ApplyFn<'a, P>>,
    pub(super) own: Own<P>,
}

impl<P: Simulated> ChangeBy<'_, P> {
    /// Returns a shared copy of a system.
    pub(in crate::simulate) fn copy(&self, system: &P::System) -> Arc<P::System> {
        (self.own)(system).into()
    }

    /// Returns a copy of a system that can be changed.
    pub(super) fn own(&self, system: &P::System) -> Box<P::System> {
        (self.own)(system)
    }

    /// Borrows the change for a single run.
    pub(super) fn reborrow(&mut self) -> ChangeBy<'_, P> {
        let change = &mut self.change;
        ChangeBy { change: Box::new(move |at| change(at)), own: self.own }
    }

    /// Converts the change to a change of another problem.
    pub(super) fn adapt<'b, Q: Simulated>(
        &'b mut self,
        mut change: impl FnMut(&mut Self, &mut Change<'_, Q>) + Send + 'b,
        own: Own<Q>,
    ) -> ChangeBy<'b, Q> {
        ChangeBy { change: Box::new(move |at| change(self, at)), own }
    }

    /// Applies the second part of an action.
    ///
    /// # Errors
    /// The failure of the action.
    pub(super) fn complete(
        &self,
        (completion, argument): SecondPart<P>,
        time: ScalarOf<P>,
        (system, state): (&mut P::System, &mut P::State),
    ) -> Result<(), EventError> {
        let mut change = Change::of("", time, (system, state), self.own);
        completion(&mut change, argument);
        change.failure.map_or(Ok(()), Err)
    }

    /// Applies the change to a system and a state.
    ///
    /// # Errors
    /// The failure of the action.
    pub(super) fn apply(
        &mut self,
        event: &str,
        time: ScalarOf<P>,
        (system, state): (&mut P::System, &mut P::State),
    ) -> Result<ActionOutcome<P>, Failure> {
        let at = state.time();
        let mut change = Change::of(event, time, (system, state), self.own);
        (self.change)(&mut change);
        change.failure.take().map_or_else(|| change.outcome(), Err).map_err(|error| Failure::Event {
            event: event.to_owned(),
            time: at,
            error: Box::new(error),
        })
    }
}
