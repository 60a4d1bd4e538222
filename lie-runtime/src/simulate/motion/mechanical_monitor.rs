//! Monitor of a mechanical motion.

use super::monitor::MotionMonitor;
use crate::integrator::{FastestRate, State, StepError};
use crate::simulate::checks::Checks;
use crate::simulate::failure::Failure;
use crate::simulate::setup::Options;
use crate::simulate::singularities::{
    Discontinuity, SingularityMonitor, SlidingMode, SmallestSingularValue, discontinuity_ahead,
};
use crate::simulate::warning::Warning;
use crate::system::MechanicalSystem;

/// Samples below this part of a step take their multipliers from the index-1 system. The multipliers of a step of size σh contain round-off
/// divided by σh.
pub(crate) const SHORT_SAMPLE: f64 = 1e-3;

/// Checks constraint drift, velocity growth, energy gain and singularities of a motion.
pub struct MechanicalMonitor<M: MechanicalSystem> {
    /// True if λ and v' of the index-1 system are recorded.
    full_order: bool,
    checks: Checks<M>,
    singularities: SingularityMonitor<M>,
    /// The last valid state.
    good: State<M>,
}

impl<M: MechanicalSystem> MotionMonitor<State<M>> for MechanicalMonitor<M> {
    fn of(system: &M, state: &State<M>, options: &Options) -> Self {
        MechanicalMonitor {
            full_order: options.full_order_multipliers,
            checks: Checks::of(system, state, options),
            singularities: SingularityMonitor::of(system, state, options),
            good: state.clone(),
        }
    }

    fn is_crossing_ahead(&mut self, system: &M, from: &State<M>, h: f64) -> bool {
        self.singularities.is_crossing_ahead(system, from, h)
    }

    fn cross(
        &mut self,
        system: &M,
        failed: StepError,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
    ) -> Result<(), StepError> {
        self.singularities.cross(system, failed, from, h, to)
    }

    fn check_singular_step(
        &mut self,
        system: &M,
        states: [&State<M>; 2],
        step: &mut dyn FnMut(&State<M>, f64, &mut State<M>) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        self.singularities.check_singular_step(system, states, step)
    }

    fn check(&mut self, system: &M, state: &State<M>, step: Option<f64>, is_explicit: bool) -> Result<(), Failure> {
        self.checks.check_constraints(system, state, step.is_some())?;
        self.singularities.check_rank(system, state)?;
        if let Some(h) = step {
            self.checks.check_step(system, state, |growth| growth.check(system, state, h, is_explicit))?;
        }
        if step.is_some() || self.checks.has_constraints() {
            self.good.clone_from(state);
        }
        Ok(())
    }

    fn count_step(&mut self) -> bool {
        self.checks.count_step() || self.singularities.may_be_discontinuous()
    }

    fn note(&mut self, system: &M, state: &State<M>) -> Result<(), Failure> {
        self.checks.note(system, state);
        self.singularities.check_discontinuities(system, state)
    }

    fn discontinuity_ahead(&self, system: &M, from: &State<M>, h: f64) -> Option<Discontinuity> {
        discontinuity_ahead(system, from, h)
    }

    fn sliding_mode(&mut self, system: &M, from: &State<M>, to: &State<M>) -> Option<SlidingMode> {
        self.singularities.sliding_mode(system, from, to)
    }

    fn explain(&self, system: &M, failure: Failure, state: State<M>, is_explicit: bool) -> (Failure, State<M>) {
        let growth = &self.checks.growth;
        match failure {
            Failure::Step(error) => match growth.explain(system, &state, &error, is_explicit) {
                Some(divergence) => {
                    (Failure::Diverged { time: state.time, divergence: Box::new(divergence) }, growth.calm.clone())
                }
                None => (Failure::Step(error), state),
            },
            Failure::Diverged { .. } => (failure, growth.calm.clone()),
            Failure::OffConstraints { .. } | Failure::EnergyGained { .. } => (failure, self.good.clone()),
            _ => (failure, state),
        }
    }

    /// Stores the constraint data in the state. Computes λ and v' from the index-1 system if this is requested or more accurate.
    fn complete(&mut self, system: &M, state: &mut State<M>, part: f64) -> Result<(), Failure> {
        self.checks.store_in(state);
        if self.full_order || part < SHORT_SAMPLE {
            self.singularities.accelerate(system, state)?;
        }
        Ok(())
    }

    fn restart(&mut self, system: &M, state: &mut State<M>) -> Result<(), Failure> {
        state.memory.forget();
        self.singularities.accelerate(system, state)
    }

    /// The constraints and the energy may have changed.
    fn change(&mut self, system: &M, state: &State<M>, options: &Options) {
        let before = core::mem::replace(self, Self::of(system, state, options));
        self.checks.inherit(&before.checks, system);
        self.singularities.inherit(before.singularities);
    }

    fn warnings(&self, system: &M) -> Vec<Warning> {
        self.checks.warnings(system)
    }
    fn fastest_rate(system: &M, state: &State<M>) -> Option<f64> {
        FastestRate::of(system, state).at(system, state)
    }
    fn position_residual(&self) -> f64 {
        self.checks.position_residual()
    }
    fn energy_gained(&self) -> Option<f64> {
        self.checks.energy_gained()
    }
    fn crossings(&self) -> usize {
        self.singularities.crossings()
    }
    fn smallest_singular_value(&self) -> Option<SmallestSingularValue> {
        self.singularities.smallest_singular_value()
    }
}
