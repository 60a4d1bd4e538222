//! From a description to a motion on its way, of any kind of problem.

use core::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use super::error::{Failure, SetupError, SimulationError};
use super::motion::{Guard, Motion, Options, Simulated};
use super::run::{self, Outcome};
use super::settings::{Numbers, Plan, Settings};
use super::stepper::Stepper;
use super::trajectory::Trajectory;
use crate::integrator::Solution;
use crate::integrator::any::Erased;
use crate::scalar::Scalar;

/// A simulation apart from its method.
pub(super) struct Described<'a, P: Simulated> {
    pub system: &'a P::System,
    pub initial: P::State,
    pub settings: Settings,
    pub options: Options,
    pub observer: &'a mut dyn FnMut(&P::State) -> ControlFlow<()>,
}

impl<P: Simulated> Described<'_, P> {
    /// Runs the simulation by this method.
    pub fn run(self, method: Arc<dyn Erased<P> + '_>) -> Result<Trajectory<P>, Box<SimulationError<P>>> {
        let clock = Instant::now();
        let (id, orders) = (method.id(), (method.order(), method.estimate_order()));
        let failed = |failure| SimulationError::before_the_first_step(failure, id);
        let plan = self.check(&*method).map_err(|error| failed(Failure::Setup(error)))?;
        let Described { system, initial, settings, options, observer } = self;
        let (mut state, initial) = initial.consistent(system, &options).map_err(failed)?;
        let mut method = method.begin(system, &state);
        method.start(system, &mut state).map_err(|error| failed(Failure::Step(error)))?;
        let (estimate, guard) = (P::State::estimate(system), Guard::of(system, &state, &options));
        let stepper = Stepper { system, method, orders, estimate, guard };
        let Outcome { states, steps, statistics, stopped, failed } =
            run::run(stepper, state, settings, observer, &plan, clock);
        let trajectory = Trajectory { states, statistics, steps, initial, method: id, stopped };
        match failed {
            None => Ok(trajectory),
            Some((failure, last)) => Err(Box::new(SimulationError { failure, trajectory, last: Some(last) })),
        }
    }

    /// Checks all that can be known before the first step.
    fn check(&self, method: &dyn Erased<P>) -> Result<Plan, SetupError> {
        let state = &self.initial;
        state.check(self.system, &self.options)?;
        let round_off = <P::State as Motion>::Scalar::epsilon();
        let estimates = method.estimate_order().is_some();
        let numbers = Numbers { round_off, size: state.size(), bytes: state.bytes() };
        let plan = self.settings.check(state.time(), numbers, estimates, method.id())?;
        if !self.settings.without_declaration_check {
            state.check_declaration(self.system).map_err(SetupError::Declaration)?;
        }
        Ok(plan)
    }
}
