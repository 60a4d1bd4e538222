//! Methods for equations of first order.

use core::fmt;

use super::{Quantity, StepError, StepFailure};
use crate::field::FirstOrder;
use crate::group::TangentVector;
use crate::scalar::Scalar;

/// A solution of y' = F_{f(t, y)}(y) at one time.
pub struct FieldState<F: FirstOrder> {
    /// The time t.
    pub time: f64,
    /// The point y.
    pub point: F::Point,
    /// f(t, y): the first stage of the step that starts here.
    pub direction: F::Algebra,
}

impl<F: FirstOrder> FieldState<F> {
    /// A state whose direction is yet to be evaluated, by [`FieldIntegrator::start`].
    pub fn at(system: &F::System, time: f64, point: F::Point) -> Self {
        FieldState { time, point, direction: F::zero(system) }
    }

    /// Evaluates f(t, y) at this state; `h`, the step that led here, is for the message of an error.
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

    /// Checks that no NaN leaves the step of size `h` that led here.
    #[inline]
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

/// The local error of a step as an embedded method sees it (paper 3, section 4).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LocalEstimate {
    /// The distance of the two solutions: |σ₁ − σ̃₁| in the algebra, or d(y, ỹ) where there is no common σ.
    pub error: f64,
    /// The length of the step, measured alike.
    pub increment: f64,
}

/// A method that takes one state of an equation of first order to the next.
pub trait FieldIntegrator<F: FirstOrder> {
    /// The buffers of a step.
    type Workspace;

    /// The identifier on command lines and in files.
    fn id(&self) -> &'static str;
    /// The order p.
    fn order(&self) -> usize;
    /// The order p̃ of the embedded method, if there is one.
    fn estimate_order(&self) -> Option<usize> {
        None
    }
    /// The mean number of Newton iterations a step made with these buffers; `None` of explicit methods.
    fn newton_iterations(&self, workspace: &Self::Workspace) -> Option<f64> {
        let _ = workspace;
        None
    }
    /// Allocates the buffers; `state` tells the lengths of chains.
    fn workspace(&self, system: &F::System, state: &FieldState<F>) -> Self::Workspace;
    /// The buffers of the last evaluation, which was made at the end of the last step.
    fn evaluation<'a>(&self, workspace: &'a mut Self::Workspace) -> &'a mut F::Workspace;

    /// ỹ of the last [step with an estimate](FieldIntegrator::step_with_estimate).
    fn auxiliary<'a>(&self, workspace: &'a Self::Workspace) -> &'a F::Point;

    /// Prepares the first step: evaluates f at the state.
    ///
    /// # Errors
    /// [`StepError`] if the field has no value there or a number is not finite.
    fn start(
        &self,
        system: &F::System,
        state: &mut FieldState<F>,
        workspace: &mut Self::Workspace,
    ) -> Result<(), StepError> {
        state.evaluate(system, 0.0, self.evaluation(workspace))
    }

    /// One step of size `h` from `from` into `to`, which may hold anything; allocates nothing that the spaces do not.
    ///
    /// On an error `from` is as it was, and `to` holds nothing of use.
    ///
    /// # Errors
    /// [`StepError`] says why the step has no result.
    fn step(
        &self,
        system: &F::System,
        from: &FieldState<F>,
        h: f64,
        to: &mut FieldState<F>,
        workspace: &mut Self::Workspace,
    ) -> Result<(), StepError>;

    /// Like [`step`](FieldIntegrator::step), with the local error estimated by the embedded method.
    ///
    /// # Errors
    /// [`StepError`]; of the kind [`StepFailure::NoEstimate`] if there is no embedded method.
    fn step_with_estimate(
        &self,
        system: &F::System,
        from: &FieldState<F>,
        h: f64,
        to: &mut FieldState<F>,
        workspace: &mut Self::Workspace,
    ) -> Result<LocalEstimate, StepError> {
        let _ = (system, to, workspace);
        Err(StepError::no_estimate(self.id(), from.time, h))
    }
}
