//! Runge-Kutta-Munthe-Kaas methods (paper 3, section 2.2): a Runge-Kutta method for σ' = dexp⁻¹_σ(f(exp(σ)·y_n)).
//!
//! A method is a [`ButcherTableau`](super::tableau::ButcherTableau) and an evaluation of dexp⁻¹: exact, by a few terms of its series, or by
//! a few commutators chosen for the method. Any explicit tableau is possible:
//!
//! ```
//! use lie_runtime::integrator::{Differential, MuntheKaas, tableau};
//!
//! let exact = MuntheKaas::new("rkmk_bs", &tableau::BOGACKI_SHAMPINE, Differential::Exact)?;
//! assert_ne!(exact, MuntheKaas::rkmk3());
//! # Ok::<(), tableau::ButcherTableauError>(())
//! ```

mod coefficients;
mod method;
mod methods;
mod step;

use crate::field::FirstOrder;
use crate::integrator::{FieldState, FirstOrderMethod, Integrator, LocalEstimate, StepError};

pub use coefficients::Differential;
#[doc(hidden)]
pub use coefficients::{Commutator, MuntheKaasMethod};
#[doc(hidden)]
pub use method::MAX_STAGES;
pub use method::MuntheKaas;
#[doc(hidden)]
pub use methods::METHODS;
#[doc(hidden)]
pub use step::MuntheKaasWorkspace;

impl<F: FirstOrder> Integrator<F> for MuntheKaas {
    type Workspace = MuntheKaasWorkspace<F>;

    fn id(&self) -> &'static str {
        self.method.id
    }
    fn order(&self) -> usize {
        self.method.tableau.order
    }
    fn estimate_order(&self) -> Option<usize> {
        self.method.tableau.embedded.map(|embedded| embedded.order)
    }
    fn workspace(&self, system: &F::System, state: &FieldState<F>) -> MuntheKaasWorkspace<F> {
        MuntheKaasWorkspace::of(system, state, self.method.tableau.stages())
    }
    fn start(
        &self,
        system: &F::System,
        state: &mut FieldState<F>,
        workspace: &mut MuntheKaasWorkspace<F>,
    ) -> Result<(), StepError> {
        F::forget(&mut workspace.field);
        state.evaluate(system, 0.0, &mut workspace.field)
    }
    #[inline]
    fn step(
        &self,
        system: &F::System,
        from: &FieldState<F>,
        h: f64,
        to: &mut FieldState<F>,
        workspace: &mut MuntheKaasWorkspace<F>,
    ) -> Result<(), StepError> {
        step::step(self, system, from, h, to, workspace)
    }
    fn step_with_estimate(
        &self,
        system: &F::System,
        from: &FieldState<F>,
        h: f64,
        to: &mut FieldState<F>,
        error: &mut LocalEstimate,
        workspace: &mut MuntheKaasWorkspace<F>,
    ) -> Result<(), StepError> {
        let Some(embedded) = &self.method.tableau.embedded else {
            return Err(StepError::no_estimate(self.method.id, from.time, h));
        };
        step::step(self, system, from, h, to, workspace)?;
        *error = step::estimate(self, embedded.b, system, from, h, to, workspace);
        Ok(())
    }
}

impl<F: FirstOrder> FirstOrderMethod<F> for MuntheKaas {
    fn evaluation<'a>(&self, workspace: &'a mut MuntheKaasWorkspace<F>) -> &'a mut F::Workspace {
        &mut workspace.field
    }
    fn auxiliary<'a>(&self, workspace: &'a MuntheKaasWorkspace<F>) -> &'a F::Point {
        workspace.auxiliary()
    }
}
