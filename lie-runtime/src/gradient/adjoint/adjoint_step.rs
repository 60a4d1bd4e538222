//! The reverse pass of a step, and the data of the step for it.

use crate::gradient::adjoint_state::AdjointState;
use crate::integrator::{State, StepError};
use crate::system::{MechanicalSystem, Reverse};

/// Smaller corrections of initial values are round-off.
pub(super) const CONSISTENT: f64 = 1e-10;

/// Times with a smaller difference than this part of a step are equal.
pub(super) const SAME_TIME: f64 = 1e-6;

/// The reverse pass of a method, with its buffers.
#[doc(hidden)]
pub trait AdjointStep<M: Reverse> {
    /// Maps the cotangent of `to` to `from`, a step of size `h` before it, and adds to the cotangents of the parameters. Stored data of
    /// the step are not computed again.
    ///
    /// # Errors
    /// [`StepError`] if a linear system of the step has no solution.
    fn step_back(
        &mut self,
        system: &M,
        from: &State<M>,
        to: &State<M>,
        h: f64,
        trace: Option<Trace<'_, M>>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError>;
    /// Maps the cotangent of the first state, `state`, to the initial values, `given`. The initial values satisfy the constraints; their
    /// variations need not.
    ///
    /// # Errors
    /// [`StepError`] if the constraints have lost rank.
    fn start_back(
        &mut self,
        system: &M,
        given: &State<M>,
        state: &State<M>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError>;
}

/// The stored data of a step; the method defines the meaning of its vectors and multipliers.
#[doc(hidden)]
pub struct Trace<'t, M: MechanicalSystem> {
    /// Vectors of n components.
    pub vectors: &'t [M::Velocity],
    /// Vectors with one component for each constraint row.
    pub multipliers: &'t [M::Multipliers],
}

impl<M: MechanicalSystem> Clone for Trace<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: MechanicalSystem> Copy for Trace<'_, M> {}
