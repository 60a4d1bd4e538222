//! What an event does to a motion.

use std::sync::Arc;

use super::impact::Impacts;
use crate::integrator::{Problem, Solution};
use crate::simulate::failure::{EventError, Failure};
use crate::simulate::motion::{Motion, ScalarOf, Simulated};
use crate::system::Parametrised;

/// A motion at an event that may change it: its state, and the parameters of its system.
///
/// What goes wrong in one of the methods ends the run with a typed error; those after it do nothing then.
pub struct Change<'a, P: Simulated> {
    pub(super) event: &'a str,
    pub(super) time: <P::State as Motion>::Scalar,
    pub(super) system: &'a mut P::System,
    pub(super) state: &'a mut P::State,
    pub(super) own: Own<P>,
    pub(super) impacts: Impacts<P>,
    /// How two changes of the parameters become one, if there was one.
    merge: Option<Merge<P>>,
    pub(super) failure: Option<EventError>,
    ends: bool,
}

impl<P: Simulated> Change<'_, P> {
    /// The name of the event.
    pub fn event(&self) -> &str {
        self.event
    }

    /// When it is. In a run for [sensitivities](crate::gradient) it moves with what derivatives are taken by, and says so, which the
    /// `time` of the [state](Self::state) does not.
    pub fn time(&self) -> <P::State as Motion>::Scalar {
        self.time
    }

    /// The system as it is at the event.
    pub fn system(&self) -> &P::System {
        self.system
    }

    /// The state at the event, to be read and changed. Multipliers and accelerations are found anew after it.
    pub fn state(&mut self) -> &mut P::State {
        self.state
    }

    /// The state at the event, to be read alone.
    pub(crate) fn state_there(&self) -> &P::State {
        self.state
    }

    /// Ends the run here, after what is changed.
    pub fn stop(&mut self) {
        self.ends = true;
    }

    /// Changes the parameters of the system from here on: inputs that are switched, constraints that begin or cease to act.
    ///
    /// A constraint that is zero for some parameters, `if p.locked { … } else { 0.0 }`, acts for the others only; declared with
    /// `redundant = minimum_norm`, its multipliers are zero meanwhile.
    ///
    /// Events at one instant all start from the same parameters, and their changes are applied together. Two events that set one parameter
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

/// Applies to a system the difference between the parameters of two others.
fn merge_parameters<S: Parametrised>(own: &mut S, before: &S, changed: &S) -> Result<(), EventError> {
    let mut parameters = own.parameters().clone();
    S::merge_parameters(&mut parameters, before.parameters(), changed.parameters())
        .map_err(|name| EventError::Conflict { quantity: format!("parameter `{name}`") })?;
    *own = own.with_parameters(parameters).map_err(EventError::Parameters)?;
    Ok(())
}

impl<'a, P: Simulated> Change<'a, P> {
    fn of(
        event: &'a str,
        time: ScalarOf<P>,
        (system, state): (&'a mut P::System, &'a mut P::State),
        own: Own<P>,
    ) -> Self {
        Change { event, time, system, state, own, impacts: Impacts::none(), merge: None, failure: None, ends: false }
    }

    /// Lets a change of another problem take place, in a system and a state that are read as those here. The state here takes what that has
    /// become, by `told`.
    pub(crate) fn lead<Q: Simulated>(
        &mut self,
        by: &mut ChangeBy<'_, Q>,
        time: ScalarOf<Q>,
        (system, state): (&mut Q::System, &mut Q::State),
    ) {
        let mut other = Change::of(self.event, time, (system, state), by.own);
        (by.change)(&mut other);
        let acted = other.failure.take().map_or_else(|| other.acted(), Err).and_then(|acted| {
            acted.check(time)?;
            Ok(acted)
        });
        match acted {
            Ok(acted) => {
                self.impacts.impulses.extend(acted.impacts.impulses);
                self.ends |= acted.ends;
            }
            Err(error) => self.failure = self.failure.take().or(Some(error)),
        }
    }

    /// What the change comes to.
    fn acted(mut self) -> Result<Acted<P>, EventError> {
        self.impacts.settle(self.time, self.state)?;
        Ok(Acted { impacts: self.impacts, merge: self.merge, ends: self.ends })
    }
}

/// Applies to a system the difference between the parameters of two others: those before and after a change.
pub(super) type Merge<P> =
    fn(&mut <P as Problem>::System, &<P as Problem>::System, &<P as Problem>::System) -> Result<(), EventError>;

/// What an action has come to, besides the system and the state.
pub(super) struct Acted<P: Simulated> {
    pub impacts: Impacts<P>,
    pub merge: Option<Merge<P>>,
    pub ends: bool,
}

impl<P: Simulated> Acted<P> {
    /// Checks that its impacts name what they have to.
    ///
    /// # Errors
    /// That of a row which acts, is not named and is not satisfied.
    pub fn check(&self, time: ScalarOf<P>) -> Result<(), EventError> {
        match &self.impacts.states {
            Some(states) => self.impacts.check(time, &states[0]),
            None => Ok(()),
        }
    }
}

/// Makes a system of a run's own.
pub(crate) type Own<P> = fn(&<P as Problem>::System) -> Box<<P as Problem>::System>;

/// What changes a motion.
type Changing<'a, P> = dyn FnMut(&mut Change<'_, P>) + Send + 'a;

/// What changes a motion, and how a run comes by a system of its own for that.
pub(crate) struct ChangeBy<'a, P: Simulated> {
    pub(super) change: Box<Changing<'a, P>>,
    pub(super) own: Own<P>,
}

impl<P: Simulated> ChangeBy<'_, P> {
    /// A copy of a system, to be kept.
    pub(in crate::simulate) fn copy(&self, system: &P::System) -> Arc<P::System> {
        (self.own)(system).into()
    }

    /// A system of a run's own.
    pub(super) fn own(&self, system: &P::System) -> Box<P::System> {
        (self.own)(system)
    }

    /// The same change, for one of several runs.
    pub(super) fn again(&mut self) -> ChangeBy<'_, P> {
        let change = &mut self.change;
        ChangeBy { change: Box::new(move |at| change(at)), own: self.own }
    }

    /// The same change of another problem.
    pub(super) fn read_as<'b, Q: Simulated>(
        &'b mut self,
        mut change: impl FnMut(&mut Self, &mut Change<'_, Q>) + Send + 'b,
        own: Own<Q>,
    ) -> ChangeBy<'b, Q> {
        ChangeBy { change: Box::new(move |at| change(self, at)), own }
    }

    /// Changes a system and a state.
    ///
    /// # Errors
    /// What goes wrong in the change.
    pub(super) fn act(
        &mut self,
        event: &str,
        time: ScalarOf<P>,
        (system, state): (&mut P::System, &mut P::State),
    ) -> Result<Acted<P>, Failure> {
        let at = state.time();
        let mut change = Change::of(event, time, (system, state), self.own);
        (self.change)(&mut change);
        change.failure.take().map_or_else(|| change.acted(), Err).map_err(|error| Failure::Event {
            event: event.to_owned(),
            time: at,
            error: Box::new(error),
        })
    }
}
