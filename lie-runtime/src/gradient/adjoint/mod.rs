//! Discrete adjoints: the gradient of an objective with respect to all variables, by a reverse pass in time.
//!
//! A run records its steps. The reverse pass then maps the cotangent of each state, ∂J/∂(q, v, λ, v'), to the state before it, with the
//! exact derivative of the method. The results of the stages are stored if there is memory, and computed again otherwise. The cost does
//! not depend on the number of parameters.

mod adjoint_step;
mod derivatives;
mod events;
mod explicit;
mod implicit;
mod initial;
mod jacobian;
mod methods;
mod recording;
mod shares;
mod sweep;
mod times;
mod trace;

pub use adjoint_step::{AdjointStep, Trace};
pub use derivatives::{Derivatives, Gradient};
pub use events::{Gradients, ReverseMode};
pub use jacobian::Jacobian;
pub use methods::Adjoint;

pub(super) use derivatives::{Back, names_of};
pub(super) use recording::recorded;
pub(super) use sweep::gone_back;

use core::ops::ControlFlow;

use super::error::{Attempted, GradientError};
use super::objective::Objective;
pub use crate::gradient::adjoint_state::AdjointState;
use crate::integrator::State;
use crate::simulate::{Simulation, Trajectory};
use crate::system::{Reverse, TangentSystem};

// The bounds are at the method: the compiler then reports a missing trait.
impl<M: TangentSystem, I, O> Simulation<'_, M, I, O> {
    /// Computes the gradient of an objective with respect to all parameters and initial values, by a run and a reverse pass.
    ///
    /// The [trajectory](Gradient::trajectory) contains the states of all steps. If they exceed
    /// [`Limits::bytes`](crate::simulate::Limits), it contains checkpoints, and the steps between them are repeated. The initial values
    /// must be consistent: their projection is differentiated, but not a correction. The sizes of error-controlled steps count as
    /// constant.
    ///
    /// # Errors
    /// [`GradientError`] if a part of the run has no gradient, or the run did not reach its end.
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
    /// Runs the simulation once; `passes` runs any number of reverse passes through it.
    pub(super) fn gone_back_by<T>(
        self,
        passes: impl FnOnce(&mut Back<'_, M>) -> Attempted<M, T>,
    ) -> Attempted<M, (T, Trajectory<M>)> {
        let system = self.system;
        if let Some(refused) = self.refused() {
            return Err(Box::new(refused));
        }
        let (given, method) = (self.initial.clone(), self.integrator.clone());
        // A missing reverse pass is reported before the run.
        method.retraced(system, &given).map_err(Box::new)?;
        let (trajectory, checkpoints) = recorded(self)?;
        let names = names_of(system);
        let found = passes(&mut |objective| {
            let method = method.retraced(system, &given).map_err(Box::new)?;
            let (value, cotangent) = gone_back(system, objective, method, &given, (&trajectory, &checkpoints))?;
            Ok((value, Derivatives::of(system, &names, &cotangent, &checkpoints.times, |number| number)))
        })?;
        Ok((found, trajectory))
    }

    /// Returns the error of a setting that has no gradient, before the run.
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
            (self.system.is_sliding(), "dry friction"),
            (self.settings.samples.is_some(), "output_times"),
            (self.options.full_order_multipliers, "full_order_multipliers"),
            (!self.options.project, "restart_from"),
            (!self.options.held.is_empty(), "holding"),
        ];
        said.into_iter().find(|(is_said, _)| *is_said).map(|(_, setting)| GradientError::Refused { setting })
    }
}
