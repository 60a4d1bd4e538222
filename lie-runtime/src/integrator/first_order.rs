//! Methods for equations of first order.

use super::Integrator;
use crate::field::FirstOrder;

/// A method for equations of first order with the last evaluation of the field at the end of the step.
pub trait FirstOrderMethod<F: FirstOrder>: Integrator<F> {
    /// The buffers of the last evaluation.
    #[doc(hidden)]
    fn evaluation<'a>(&self, workspace: &'a mut Self::Workspace) -> &'a mut F::Workspace;

    /// ỹ of the last [step with an estimate](Integrator::step_with_estimate).
    #[doc(hidden)]
    fn auxiliary<'a>(&self, workspace: &'a Self::Workspace) -> &'a F::Point;
}
