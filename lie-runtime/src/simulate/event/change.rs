//! What an event does to a motion.

use std::sync::Arc;

use super::occurrence::Impulse;
use crate::group::TangentVector;
use crate::integrator::{Problem, Solution};
use crate::scalar::Scalar;
use crate::simulate::consistent::ConsistentValues;
use crate::simulate::failure::{EventError, Failure};
use crate::simulate::motion::{Motion, ScalarOf, Simulated};
use crate::simulate::setup::Options;
use crate::system::{ConstraintDescription, MechanicalSystem, Parametrised};

/// A motion at an event that may change it: its state, and the parameters of its system.
///
/// What goes wrong in one of the methods ends the run with a typed error; those after it do nothing then.
pub struct Change<'a, P: Simulated> {
    pub(super) event: &'a str,
    pub(super) time: <P::State as Motion>::Scalar,
    pub(super) system: &'a mut P::System,
    pub(super) state: &'a mut P::State,
    pub(super) impulses: Vec<Impulse>,
    pub(super) failure: Option<EventError>,
    pub(super) ends: bool,
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
    pub fn set(&mut self, change: impl FnOnce(&mut <P::System as Parametrised>::Parameters))
    where
        P::System: Parametrised,
    {
        if self.failure.is_some() {
            return;
        }
        let mut parameters = self.system.parameters().clone();
        change(&mut parameters);
        match self.system.with_parameters(parameters) {
            Ok(system) => *self.system = system,
            Err(error) => self.failure = Some(EventError::Parameters(error)),
        }
    }
}

impl<M: MechanicalSystem> Change<'_, M> {
    /// Lets the bodies collide along the constraints of these names: the rate of each of their rows, B v + b, changes its sign
    /// and is `restitution` times as large (Newton's law of impact), all other constraints go on to hold.
    ///
    /// One saddle-point system gives the jump of the velocity and the impulses Λ: M (v⁺ − v⁻) = −Bᵀ Λ. Constraints at rest lose
    /// no energy with a coefficient of one, and gain none with any between 0 and 1. The names are those of constraints that act:
    /// [`set`](Change::set) what lets them before.
    pub fn impact<'n>(&mut self, constraints: impl IntoIterator<Item = &'n str>, restitution: impl Into<M::Scalar>) {
        if self.failure.is_none()
            && let Err(error) = self.collide(constraints, restitution.into())
        {
            self.failure = Some(error);
        }
    }

    fn collide<'n>(
        &mut self,
        constraints: impl IntoIterator<Item = &'n str>,
        restitution: M::Scalar,
    ) -> Result<(), EventError> {
        if !(0.0..=1.0).contains(&restitution.value()) {
            return Err(EventError::Restitution { coefficient: restitution.value() });
        }
        let known = &self.system.description().constraints;
        let struck: Vec<_> = constraints
            .into_iter()
            .map(|name| {
                known.iter().find(|constraint| constraint.name == name).ok_or_else(|| EventError::UnknownConstraint {
                    name: name.to_owned(),
                    known: known.iter().map(|constraint| constraint.name).collect(),
                })
            })
            .collect::<Result<_, _>>()?;
        let rows = |one: &ConstraintDescription| one.offset..one.offset + one.rows;
        let coefficient = |row| {
            if struck.iter().any(|one| rows(one).contains(&row)) { restitution } else { M::Scalar::from_f64(0.0) }
        };
        let (system, state) = (&*self.system, &mut *self.state);
        let mut values = ConsistentValues::of(system);
        let impulses = values
            .jump(system, self.time, &state.configuration, &mut state.velocity, coefficient)
            .map_err(EventError::Impact)?;
        self.impulses.extend(struck.iter().map(|one| Impulse {
            constraint: one.name,
            rows: rows(one).map(|row| impulses.component(row).value()).collect(),
        }));
        Ok(())
    }
}

impl<P: Simulated> Change<'_, P> {
    /// Lets a change of another problem take place, in a system and a state that are read as those here.
    pub(crate) fn lead<Q: Simulated>(
        &mut self,
        by: &mut ChangeBy<'_, Q>,
        time: ScalarOf<Q>,
        (system, state): (&mut Q::System, &mut Q::State),
    ) {
        let mut other =
            Change { event: self.event, time, system, state, impulses: Vec::new(), failure: None, ends: false };
        (by.change)(&mut other);
        let Change { impulses, failure, ends, .. } = other;
        self.impulses.extend(impulses);
        self.failure = self.failure.take().or(failure);
        self.ends |= ends;
    }

    /// What the change comes to: its impulses and whether the run ends here.
    pub(super) fn done(self) -> Result<(Vec<Impulse>, bool), Failure> {
        match self.failure {
            Some(error) => {
                let (event, time) = (self.event.to_owned(), self.state.time());
                Err(Failure::Event { event, time, error: Box::new(error) })
            }
            None => Ok((self.impulses, self.ends)),
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

    /// Changes the system and the state, which is that at the event, `by` derivatives of the time after the time it has. What is left
    /// is the motion behind it, consistent and carried back to that time, or the state at the event where the run ends there. What has been
    /// made of it.
    ///
    /// # Errors
    /// What goes wrong in the change, and what it leads to that is none to go on from.
    pub(in crate::simulate) fn make(
        &mut self,
        event: &str,
        (system, state): (&mut P::System, &mut P::State),
        by: ScalarOf<P>,
        options: &Options,
    ) -> Result<Made<P>, Failure> {
        let time = state.time();
        let moment = ScalarOf::<P>::from_f64(time) + by;
        let mut change =
            Change { event, time: moment, system, state, impulses: Vec::new(), failure: None, ends: false };
        (self.change)(&mut change);
        let (struck, ends) = change.done()?;
        let mut as_changed = state.clone();
        let failed = |error| Failure::Event { event: event.to_owned(), time, error: Box::new(error) };
        let options = Options { project: true, held: Vec::new(), ..options.clone() };
        state.check(system, &options).map_err(|error| failed(EventError::State(Box::new(error))))?;
        let consistent = |state: &P::State| match state.clone().consistent(system, &options) {
            Ok((consistent, _)) => Ok(consistent),
            Err(Failure::InitialValues(error)) => Err(failed(EventError::Inconsistent(error))),
            Err(failure) => Err(failure),
        };
        let mut next = consistent(state)?;
        if ScalarOf::<P>::HAS_DERIVATIVES {
            if ends {
                state.carry(system, moment, ScalarOf::<P>::from_f64(0.0))?;
                return Ok(Made { struck, ends, as_changed });
            }
            state.carry(system, moment, -by)?;
            next = consistent(state)?;
        }
        *state = next;
        as_changed.take_reactions_of(state);
        Ok(Made { struck, ends, as_changed })
    }
}

/// What an event has made of a motion.
pub(in crate::simulate) struct Made<P: Simulated> {
    pub struck: Vec<Impulse>,
    /// True if the run ends there.
    pub ends: bool,
    /// The state as it was changed, with the λ and v' behind the event, before it was brought onto the constraints: a step may have left them by
    /// its error, and what that moves is no way of the motion.
    pub as_changed: P::State,
}
