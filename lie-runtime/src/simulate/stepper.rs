//! A problem and a method for it: all that a run has to know.

use super::error::Failure;
use super::motion::{Guard, Motion, Simulated};
use super::trajectory::Statistics;
use crate::integrator::any::Work;
use crate::integrator::{Estimate, StepController, StepError};

/// A problem, a method, and what looks after the motion.
pub(super) struct Stepper<'a, P: Simulated> {
    pub system: &'a P::System,
    pub method: Box<dyn Work<P> + 'a>,
    /// The order of the method and that of its estimate, if it has one.
    pub orders: (usize, Option<usize>),
    pub estimate: Estimate<P>,
    pub guard: <P::State as Motion>::Guard,
}

impl<P: Simulated> Stepper<'_, P> {
    /// Tries a step of size h.
    pub fn step(&mut self, from: &P::State, h: f64, to: &mut P::State) -> Result<(), StepError> {
        self.method.step(self.system, from, h, to)
    }

    /// The same, with its error indicator: at most 1 is good.
    pub fn step_with_estimate(
        &mut self,
        from: &P::State,
        h: f64,
        to: &mut P::State,
        controller: &StepController,
    ) -> Result<f64, StepError> {
        self.method.step_with_estimate(self.system, from, h, to, &mut self.estimate)?;
        Ok(P::State::indicator(controller, from, to, &self.estimate))
    }

    /// The state at a time within a step.
    pub fn sample(&mut self, from: &P::State, to: &P::State, time: f64, out: &mut P::State) -> Result<(), StepError> {
        self.method.sample(self.system, from, to, time, out)
    }

    /// Looks whether a state is one the motion may come to, see [`Guard::look`].
    pub fn look(&mut self, state: &P::State, step: Option<f64>) -> Result<(), Failure> {
        let is_explicit = self.is_explicit();
        self.guard.look(self.system, state, step, is_explicit)
    }

    /// Completes a state that is to be recorded, after this `part` of the last step.
    pub fn complete(&mut self, state: &mut P::State, part: f64) -> Result<(), Failure> {
        self.guard.complete(self.system, state, part)
    }

    /// What a failure at `state` is due to, and the last good state.
    pub fn explain(&self, failure: Failure, state: P::State) -> (Failure, P::State) {
        self.guard.explain(self.system, failure, state, self.is_explicit())
    }

    /// Counts what the method and the guard have counted.
    pub fn count(&self, statistics: &mut Statistics) {
        statistics.position_residual = self.guard.position_residual();
        statistics.linear_solves = self.method.linear_solves();
        statistics.newton_iterations = self.method.newton_iterations();
    }

    /// True of methods without a Newton iteration.
    fn is_explicit(&self) -> bool {
        self.method.newton_iterations().is_none()
    }
}
