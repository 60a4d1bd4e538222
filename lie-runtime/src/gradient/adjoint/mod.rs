//! Discrete adjoints: the gradient of an objective with respect to everything at once, backwards in time.
//!
//! A run records its steps; then the cotangent of the state, ∂J/∂(q, v, λ, v'), goes back from each to the one before, through
//! the very formulas of the method. What its stages have found is kept where there is room, and computed once more where there
//! is none. What that costs does not depend on the number of parameters.

mod events;
mod explicit;
mod implicit;
mod initial;
mod methods;
mod recording;
mod shares;
mod slopes;
mod sweep;
mod times;
mod trace;

pub use events::{Backwards, Gradients};
pub use methods::Adjoint;
pub use slopes::{Gradient, Slopes};
pub use trace::Trace;

pub(super) use recording::recorded;
pub(super) use slopes::{Back, Found, names_of};
pub(super) use sweep::gone_back;

use core::ops::ControlFlow;

use super::error::{Attempted, GradientError};
use super::objective::Objective;
pub use crate::gradient::cotangent::Cotangent;
use crate::integrator::{State, StepError};
use crate::simulate::{Simulation, Trajectory};
use crate::system::{Reverse, TangentSystem};

/// Corrections of initial values under this size are round-off.
const CONSISTENT: f64 = 1e-10;
/// Times that differ by less than this part of a step are the same.
const SAME_TIME: f64 = 1e-6;

/// A method on its way back through a run, with its buffers.
pub trait Retraced<M: Reverse> {
    /// From the cotangent of `to` to that of `from`, a step of size `h` before it; adds to those of the parameters. What the step has left
    /// is not computed once more.
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
        cotangent: &mut Cotangent<M>,
    ) -> Result<(), StepError>;
    /// From the cotangent of the first state, `state`, to those of the initial values, `given`, which were consistent with the
    /// constraints; how they move need not be.
    ///
    /// # Errors
    /// [`StepError`] if the constraints have lost rank.
    fn start_back(
        &mut self,
        system: &M,
        given: &State<M>,
        state: &State<M>,
        cotangent: &mut Cotangent<M>,
    ) -> Result<(), StepError>;
}

// What is asked for stands with the method: where it is missing, that is what the compiler tells.
impl<M: TangentSystem, I, O> Simulation<'_, M, I, O> {
    /// Runs the simulation, and goes back through it for the gradient of an objective with respect to all parameters and the
    /// initial values.
    ///
    /// The state of every step is recorded, or where [`Limits::bytes`](crate::simulate::Limits) has no room for them some of them, between
    /// which the steps are made once more; these are the states of the [trajectory](Gradient::trajectory). The initial values have to be consistent: what they are projected onto is differentiated, how
    /// far they were from it is not. Sizes of error-controlled steps are taken as they were.
    ///
    /// # Errors
    /// [`GradientError`] says what has no gradient, or why the run did not come to its end.
    pub fn gradient_of(self, objective: &Objective<'_, M>) -> Result<Gradient<M>, Box<GradientError<M>>>
    where
        M: Reverse<Scalar = f64> + 'static,
        I: Adjoint<M>,
        O: FnMut(&State<M>) -> ControlFlow<()>,
    {
        let (found, trajectory) = self.gone_back_by(|back| back(objective))?;
        Ok(Gradient::of(found, trajectory))
    }
}

impl<M, I, O> Simulation<'_, M, I, O>
where
    M: Reverse<Scalar = f64> + TangentSystem + 'static,
    I: Adjoint<M>,
    O: FnMut(&State<M>) -> ControlFlow<()>,
{
    /// Runs the simulation once; `passes` goes back through it as often as it likes.
    pub(super) fn gone_back_by<T>(
        self,
        passes: impl FnOnce(&mut Back<'_, M>) -> Attempted<M, T>,
    ) -> Attempted<M, (T, Trajectory<M>)> {
        let system = self.system;
        if let Some(refused) = self.refused() {
            return Err(Box::new(refused));
        }
        let (given, method) = (self.initial.clone(), self.integrator.clone());
        // What there is no way back through is known before the run.
        method.retraced(system, &given).map_err(Box::new)?;
        let (trajectory, checkpoints) = recorded(self)?;
        let names = names_of(system);
        let found = passes(&mut |objective| {
            let method = method.retraced(system, &given).map_err(Box::new)?;
            let (value, cotangent) = gone_back(system, objective, method, &given, (&trajectory, &checkpoints))?;
            Ok((value, Slopes::of(system, &names, &cotangent, &checkpoints.times, |number| number)))
        })?;
        Ok((found, trajectory))
    }

    /// What has no gradient, known before the run.
    pub(super) fn refused(&self) -> Option<GradientError<M>> {
        if self.controller.is_some() {
            return Some(GradientError::Controlled);
        }
        if !self.events.is_empty() {
            return Some(GradientError::Events);
        }
        if let Err(error) = self.system.ensure_inputs_over_time() {
            return Some(GradientError::Inputs(error));
        }
        let said = [
            (self.settings.samples.is_some(), "output_times"),
            (self.options.full_order_multipliers, "full_order_multipliers"),
            (!self.options.project, "restart_from"),
            (!self.options.held.is_empty(), "holding"),
        ];
        said.into_iter().find(|(is_said, _)| *is_said).map(|(_, said)| GradientError::Refused { said })
    }
}
