//! What is looked at in every motion: its constraints, its speeds and its energy. Numbers are those of the system, so that of several
//! systems abreast each is looked at in its lane, and by no other one.

mod constraints;
mod energy;
mod growth;
mod row_changes;

pub(super) use constraints::ConstraintMonitor;
pub(super) use energy::total;
pub(crate) use growth::VelocityGrowth;
pub(super) use growth::{GROWN, HOPELESS, may_follow_a_blow_up};
pub(super) use row_changes::RowChanges;

use crate::integrator::State;
use crate::scalar::Scalar;
use crate::simulate::failure::{Divergence, Failure};
use crate::simulate::setup::Options;
use crate::system::MechanicalSystem;
use energy::{EnergyCheck, FASTER};
use growth::UNACCOUNTED;

/// Looks whether a motion stays on its constraints, does not blow up and gains no energy that nothing gives it.
pub(crate) struct Checks<M: MechanicalSystem> {
    watch: Option<ConstraintMonitor<M>>,
    pub(in crate::simulate) growth: VelocityGrowth<M>,
    energy: Option<EnergyCheck<M>>,
}

impl<M: MechanicalSystem> Checks<M> {
    /// From the first state on, which the method has completed.
    pub fn of(system: &M, state: &State<M>, options: &Options) -> Self {
        Checks {
            watch: ConstraintMonitor::of(system, state, options.constraint_tolerance),
            growth: VelocityGrowth::from(system, state, options.growth.unwrap_or(UNACCOUNTED)),
            energy: EnergyCheck::of(system, state, options.growth.unwrap_or(FASTER)),
        }
    }

    /// Keeps of those before what is told at the end.
    pub(in crate::simulate) fn go_on_from(&mut self, before: &Self) {
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
        growth: impl FnOnce(&mut VelocityGrowth<M>) -> Result<(), Divergence>,
    ) -> Result<(), Failure> {
        let time = state.time;
        growth(&mut self.growth).map_err(|divergence| Failure::Diverged { time, divergence: Box::new(divergence) })?;
        match self.energy.as_mut().and_then(|energy| energy.look(system, state)) {
            Some((part, limit)) => Err(Failure::EnergyGained { time, part, limit }),
            None => Ok(()),
        }
    }

    /// Lets the state that was looked at last carry what has been seen of its constraints.
    pub(super) fn mark(&self, state: &mut State<M>) {
        if let Some(watch) = &self.watch {
            watch.mark(state);
        }
    }

    /// Counts a step; true if the state that it has led to is to be noted.
    pub fn passes(&mut self) -> bool {
        self.energy.as_mut().is_some_and(EnergyCheck::passes)
    }

    /// Takes note of a state that a step has led to.
    pub fn note(&mut self, system: &M, state: &State<M>) {
        if let Some(energy) = &mut self.energy {
            energy.note(system, state);
        }
    }

    /// True if there are constraints to be looked at.
    pub(super) fn has_constraints(&self) -> bool {
        self.watch.is_some()
    }

    /// The largest residual of a constraint on the level of positions that was seen.
    pub(super) fn position_residual(&self) -> f64 {
        self.watch.as_ref().map_or(0.0, |watch| watch.largest.value())
    }

    /// The largest part of its energy that the motion has gained from nowhere, of a system that conserves it.
    pub(super) fn energy_gained(&self) -> Option<f64> {
        self.energy.as_ref().map(|energy| energy.gained.value())
    }
}
