//! Invariant checks during a run: constraint drift, velocity growth and energy gain. They apply to each SIMD lane separately.

mod constraints;
mod energy;
mod growth;
mod row_changes;

pub(super) use constraints::ConstraintMonitor;
use constraints::Violation;
pub(super) use energy::total;
pub(crate) use growth::VelocityGrowth;
pub(super) use growth::{SIGNIFICANT_GROWTH, STABILITY_LIMIT, may_result_from_instability};
pub(super) use row_changes::RowChanges;

use crate::integrator::State;
use crate::scalar::Scalar;
use crate::simulate::failure::{Divergence, Failure};
use crate::simulate::setup::Options;
use crate::simulate::warning::Warning;
use crate::system::MechanicalSystem;
use energy::{DEFAULT_SPEED_FACTOR, EnergyCheck};
use growth::DEFAULT_GROWTH_LIMIT;

/// Checks constraint drift, velocity growth and energy gain of a motion.
pub(crate) struct Checks<M: MechanicalSystem> {
    watch: Option<ConstraintMonitor<M>>,
    pub(in crate::simulate) growth: VelocityGrowth<M>,
    energy: Option<EnergyCheck<M>>,
}

impl<M: MechanicalSystem> Checks<M> {
    /// Starts at the first state, which the method has completed.
    pub fn of(system: &M, state: &State<M>, options: &Options) -> Self {
        Checks {
            watch: ConstraintMonitor::of(system, state, options.constraint_tolerance),
            growth: VelocityGrowth::from(system, state, options.growth.unwrap_or(DEFAULT_GROWTH_LIMIT)),
            energy: EnergyCheck::of(system, state, options.growth.unwrap_or(DEFAULT_SPEED_FACTOR)),
        }
    }

    /// Takes over the results of previous checks of the same run.
    pub(in crate::simulate) fn inherit(&mut self, before: &Self, system: &M) {
        if let (Some(watch), Some(before)) = (&mut self.watch, &before.watch) {
            watch.inherit(before, system);
        }
        if let (Some(energy), Some(before)) = (&mut self.energy, &before.energy) {
            energy.gained = before.gained;
        }
    }

    /// Checks the constraints of a state. Compares their residuals if the check `is_due` or they have grown.
    ///
    /// # Errors
    /// [`Failure::OffConstraints`].
    pub fn check_constraints(&mut self, system: &M, state: &State<M>, is_due: bool) -> Result<(), Failure> {
        let Some(watch) = &mut self.watch else { return Ok(()) };
        watch.check(system, state.time, &state.configuration, is_due)
    }

    /// Checks the speeds of a state after a step with `growth`, and its energy.
    ///
    /// # Errors
    /// [`Failure::Diverged`], [`Failure::EnergyGained`].
    pub fn check_step(
        &mut self,
        system: &M,
        state: &State<M>,
        growth: impl FnOnce(&mut VelocityGrowth<M>) -> Result<(), Divergence>,
    ) -> Result<(), Failure> {
        let time = state.time;
        growth(&mut self.growth).map_err(|divergence| Failure::Diverged { time, divergence: Box::new(divergence) })?;
        match self.energy.as_mut().and_then(|energy| energy.check(system, state)) {
            Some((part, limit)) => Err(Failure::EnergyGained { time, part, limit }),
            None => Ok(()),
        }
    }

    /// Stores the constraint data of the last state in `state`.
    pub(super) fn store_in(&self, state: &mut State<M>) {
        if let Some(watch) = &self.watch {
            watch.store_in(state);
        }
    }

    /// Counts a step. Returns true if the state after the step must be recorded.
    pub fn count_step(&mut self) -> bool {
        self.energy.as_mut().is_some_and(EnergyCheck::count_step)
    }

    /// Records the state after a step.
    pub fn note(&mut self, system: &M, state: &State<M>) {
        if let Some(energy) = &mut self.energy {
            energy.note(system, state);
        }
    }

    /// Returns true if there are holonomic constraints.
    pub(super) fn has_constraints(&self) -> bool {
        self.watch.is_some()
    }

    /// Returns the warnings about the accuracy of the motion so far.
    pub fn warnings(&self, system: &M) -> Vec<Warning> {
        let energy = self.energy.as_ref().and_then(EnergyCheck::warning);
        let violation = self.watch.as_ref().and_then(|watch| watch.violation(system)).map(Violation::warning);
        energy.into_iter().chain(violation).collect()
    }

    /// Returns the largest position residual of a constraint so far.
    pub(super) fn position_residual(&self) -> f64 {
        self.watch.as_ref().map_or(0.0, |watch| watch.largest.value())
    }

    /// Returns the largest numerically gained part of the energy so far, for a system that cannot gain energy.
    pub(super) fn energy_gained(&self) -> Option<f64> {
        self.energy.as_ref().map(|energy| energy.gained.value())
    }
}
