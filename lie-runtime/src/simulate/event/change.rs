//! What an event does to a motion.

use super::error::EventError;
use super::occurrence::Impulse;
use crate::group::TangentVector;
use crate::integrator::Solution;
use crate::scalar::Scalar;
use crate::simulate::motion::{Motion, Simulated};
use crate::simulate::{ConsistentValues, Failure};
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
