//! States of first-order equations.

use core::fmt;

use super::FirstOrder;
use crate::group::TangentVector;
use crate::problem::{Quantity, Solution, StepError, StepFailure};
use crate::scalar::Scalar;

/// The state of a solution of y' = F_{f(t, y)}(y) at one time.
pub struct FieldState<F: FirstOrder> {
    /// The time t.
    pub time: f64,
    /// The point y.
    pub point: F::Point,
    /// f(t, y): the first stage of the next step.
    pub direction: F::Algebra,
}

impl<F: FirstOrder> FieldState<F> {
    /// Returns a state without its direction; [`Integrator::start`](crate::integrator::Integrator::start) evaluates it.
    pub fn at(system: &F::System, time: f64, point: F::Point) -> Self {
        FieldState { time, point, direction: F::zero(system) }
    }

    /// Evaluates f(t, y) at this state. The error contains `h`, the size of the step to the state.
    // Inlined: a call would pass the state in memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn evaluate(
        &mut self,
        system: &F::System,
        h: f64,
        workspace: &mut F::Workspace,
    ) -> Result<(), StepError> {
        let t = F::Scalar::from_f64(self.time);
        match F::evaluate(system, t, &self.point, workspace, &mut self.direction) {
            Ok(()) => self.check(system, h),
            Err(failure) => Err(StepError { time: self.time - h, step: h, failure }),
        }
    }

    /// Checks that the result of the step of size `h` is not NaN.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn check(&self, system: &F::System, h: f64) -> Result<(), StepError> {
        if self.direction.all_finite() && F::is_finite(system, &self.point) {
            return Ok(());
        }
        let quantity = if h == 0.0 { Quantity::Initial } else { Quantity::Stage };
        Err(StepError { time: self.time - h, step: h, failure: StepFailure::NotFinite { quantity } })
    }
}

impl<F: FirstOrder> Clone for FieldState<F> {
    fn clone(&self) -> Self {
        FieldState { time: self.time, point: self.point.clone(), direction: self.direction.clone() }
    }
}

impl<F: FirstOrder> fmt::Debug for FieldState<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FieldState")
            .field("time", &self.time)
            .field("point", &self.point)
            .field("direction", &self.direction)
            .finish()
    }
}

impl<F: FirstOrder> Solution for FieldState<F> {
    type System = F::System;
    type Estimate = LocalEstimate;

    fn time(&self) -> f64 {
        self.time
    }
    fn set_time(&mut self, time: f64) {
        self.time = time;
    }
    fn renormalize(&mut self, system: &F::System) {
        F::renormalize(system, &mut self.point);
    }
}

/// The local error of a step, estimated by an embedded method (paper 3, section 4).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LocalEstimate {
    /// The distance of the two solutions: |σ₁ − σ̃₁| in the algebra, or d(y, ỹ) if the solutions have no common σ.
    pub error: f64,
    /// The length of the step in the norm of the distance.
    pub increment: f64,
}
