//! A problem and a method for it: all that a run has to know.

use super::error::Failure;
use super::motion::{Guard, Motion, Simulated};
use super::sampled::{Given, SampledInputs};
use super::trajectory::Statistics;
use crate::integrator::any::Work;
use crate::integrator::{Estimate, StepController, StepError};

/// Where in a failed step inputs are looked at.
const STAGES: [f64; 9] = [0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0];

/// A problem, a method, and what looks after the motion.
pub(super) struct Stepper<'a, P: Simulated> {
    pub given: Given<'a, P>,
    pub method: Box<dyn Work<P> + 'a>,
    /// The order of the method and that of its estimate, if it has one.
    pub orders: (usize, Option<usize>),
    pub estimate: Estimate<P>,
    pub guard: <P::State as Motion>::Guard,
}

impl<P: Simulated> Stepper<'_, P> {
    /// Asks the controller, if there is one, in a state that is then prepared for the next step.
    pub fn ask(&mut self, state: &mut P::State) -> Result<Option<SampledInputs>, Failure> {
        let said = self.given.ask(state)?;
        if said.is_some() {
            self.guard.begin_anew(self.given.system(), state)?;
            self.method.start(self.given.system(), state).map_err(Failure::Step)?;
        }
        Ok(said)
    }

    /// Tries a step of size h.
    pub fn step(&mut self, from: &P::State, h: f64, to: &mut P::State) -> Result<(), StepError> {
        self.method.step(self.given.system(), from, h, to)
    }

    /// The same, with its error indicator: at most 1 is good.
    pub fn step_with_estimate(
        &mut self,
        from: &P::State,
        h: f64,
        to: &mut P::State,
        controller: &StepController,
    ) -> Result<f64, StepError> {
        self.method.step_with_estimate(self.given.system(), from, h, to, &mut self.estimate)?;
        Ok(P::State::indicator(controller, from, to, &self.estimate))
    }

    /// The state at a time within a step.
    pub fn sample(&mut self, from: &P::State, to: &P::State, time: f64, out: &mut P::State) -> Result<(), StepError> {
        self.method.sample(self.given.system(), from, to, time, out)
    }

    /// Takes note of a state that a step has led to, where that [is due](Guard::passes).
    pub fn pass(&mut self, state: &P::State) {
        if self.guard.passes() {
            self.guard.note(self.given.system(), state);
        }
    }

    /// Looks whether a state is one the motion may come to, see [`Guard::look`].
    pub fn look(&mut self, state: &P::State, step: Option<f64>) -> Result<(), Failure> {
        let is_explicit = self.is_explicit();
        self.guard.look(self.given.system(), state, step, is_explicit)
    }

    /// Completes a state that is to be recorded, after this `part` of the last step.
    pub fn complete(&mut self, state: &mut P::State, part: f64) -> Result<(), Failure> {
        self.guard.complete(self.given.system(), state, part)
    }

    /// What a failure at `state` is due to, and the last good state.
    pub fn explain(&self, failure: Failure, state: P::State) -> (Failure, P::State) {
        let system = self.given.system();
        // Stages are within the step, and nothing else is known of them.
        if let Failure::Step(StepError { step, .. }) = &failure
            && let Err(error) = STAGES.iter().try_for_each(|part| state.ensure_finite_inputs(system, part * step))
        {
            return (Failure::Inputs(error), state);
        }
        self.guard.explain(system, failure, state, self.is_explicit())
    }

    /// Counts what the method and the guard have counted.
    pub fn count(&self, statistics: &mut Statistics) {
        statistics.position_residual = self.guard.position_residual();
        statistics.energy_gained = self.guard.energy_gained();
        statistics.smallest_singular_value = self.guard.smallest_singular_value();
        statistics.linear_solves = self.method.linear_solves();
        statistics.newton_iterations = self.method.newton_iterations();
    }

    /// True of methods without a Newton iteration.
    fn is_explicit(&self) -> bool {
        self.method.newton_iterations().is_none()
    }
}
