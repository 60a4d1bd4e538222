//! What is looked at in every motion: its constraints, its speeds and its energy. Numbers are those of the system, so that of several
//! systems abreast each is looked at in its lane, and by no other one.

use super::energy::{Energy, FASTER};
use super::error::{Divergence, Failure};
use super::growth::{Growth, UNACCOUNTED};
use super::options::Options;
use super::watch::Watch;
use crate::integrator::State;
use crate::system::MechanicalSystem;

/// Looks whether a motion stays on its constraints, does not blow up and gains no energy that nothing gives it.
pub(crate) struct Checks<M: MechanicalSystem> {
    pub(super) watch: Option<Watch<M>>,
    pub(super) growth: Growth<M>,
    pub(super) energy: Option<Energy<M>>,
}

impl<M: MechanicalSystem> Checks<M> {
    /// From the first state on, which the method has completed.
    pub fn of(system: &M, state: &State<M>, options: &Options) -> Self {
        Checks {
            watch: Watch::of(system, state, options.constraint_tolerance),
            growth: Growth::from(system, state, options.growth.unwrap_or(UNACCOUNTED)),
            energy: Energy::of(system, state, options.growth.unwrap_or(FASTER)),
        }
    }

    /// Keeps of those before what is told at the end.
    pub(super) fn go_on_from(&mut self, before: &Self) {
        if let (Some(watch), Some(before)) = (&mut self.watch, &before.watch) {
            watch.largest = before.largest;
        }
        if let (Some(energy), Some(before)) = (&mut self.energy, &before.energy) {
            energy.gained = before.gained;
        }
    }

    /// Looks at the constraints of a state; compares their residuals where that `is_due` or they have grown.
    ///
    /// # Errors
    /// [`Failure::OffConstraints`].
    pub fn look_at_constraints(&mut self, system: &M, state: &State<M>, is_due: bool) -> Result<(), Failure> {
        let Some(watch) = &mut self.watch else { return Ok(()) };
        watch.look(system, state.time, &state.configuration, is_due)
    }

    /// Looks at the speeds of a state that a step has led to, as `growth` says, and at its energy.
    ///
    /// # Errors
    /// [`Failure::Diverged`], [`Failure::EnergyGained`].
    pub fn look_at_step(
        &mut self,
        system: &M,
        state: &State<M>,
        growth: impl FnOnce(&mut Growth<M>) -> Result<(), Divergence>,
    ) -> Result<(), Failure> {
        let time = state.time;
        growth(&mut self.growth).map_err(|divergence| Failure::Diverged { time, divergence: Box::new(divergence) })?;
        match self.energy.as_mut().and_then(|energy| energy.look(system, state)) {
            Some((part, limit)) => Err(Failure::EnergyGained { time, part, limit }),
            None => Ok(()),
        }
    }

    /// Counts a step; true if the state that it has led to is to be noted.
    pub fn passes(&mut self) -> bool {
        self.energy.as_mut().is_some_and(Energy::passes)
    }

    /// Takes note of a state that a step has led to.
    pub fn note(&mut self, system: &M, state: &State<M>) {
        if let Some(energy) = &mut self.energy {
            energy.note(system, state);
        }
    }
}
