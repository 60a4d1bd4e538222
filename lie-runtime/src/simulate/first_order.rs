//! Simulations of equations of first order.

use super::error::{Failure, SetupError};
use super::motion::{Guard, Motion, Options};
use crate::field::FirstOrder;
use crate::group::TangentVector;
use crate::integrator::{FieldState, LocalEstimate, MuntheKaas, StepController};
use crate::scalar::Scalar;
use crate::system::DeclarationError;

impl<F: FirstOrder> Motion for FieldState<F> {
    type Scalar = F::Scalar;
    type Method = MuntheKaas;
    type Guard = Unguarded;

    fn method() -> MuntheKaas {
        MuntheKaas::rkmk54()
    }
    fn bytes(&self) -> usize {
        size_of::<Self>().max(3 * self.direction.component_count() * size_of::<F::Scalar>())
    }
    fn check(&self, system: &F::System, _: &Options) -> Result<(), SetupError> {
        if !self.time.is_finite() {
            return Err(SetupError::NotFinite { value: "time" });
        }
        if F::is_finite(system, &self.point) { Ok(()) } else { Err(SetupError::NotFinite { value: "point" }) }
    }
    fn check_declaration(&self, system: &F::System) -> Result<(), DeclarationError> {
        F::check_declaration(system, F::Scalar::from_f64(self.time), &self.point)
    }
    fn estimate(_: &F::System) -> LocalEstimate {
        LocalEstimate::default()
    }
    /// The error against `absolute` + `relative` times the length of the step (paper 3, section 4).
    fn indicator(controller: &StepController, _: &Self, _: &Self, estimate: &LocalEstimate) -> f64 {
        estimate.error / (controller.absolute_tolerance + controller.relative_tolerance * estimate.increment)
    }
    /// One step of unit length takes 1 / |f|.
    fn speed(&self) -> (f64, f64) {
        (1.0, self.direction.max_norm())
    }
}

/// Looks at nothing.
pub struct Unguarded;

impl<F: FirstOrder> Guard<FieldState<F>> for Unguarded {
    fn of(_: &F::System, _: &FieldState<F>, _: &Options) -> Self {
        Unguarded
    }
    fn look(&mut self, _: &F::System, _: &FieldState<F>, _: Option<f64>, _: bool) -> Result<(), Failure> {
        Ok(())
    }
    fn explain(&self, _: &F::System, failure: Failure, state: FieldState<F>, _: bool) -> (Failure, FieldState<F>) {
        (failure, state)
    }
}
