//! Any method for equations of first order.

use core::fmt;
use std::sync::Arc;

use crate::field::FirstOrder;
use crate::integrator::{FieldIntegrator, FieldState, LocalEstimate, StepError};

/// A method for equations `F` whose type is known at run time only; a step costs one virtual call more.
pub struct AnyFieldMethod<F: FirstOrder>(Arc<dyn ErasedField<F> + Send + Sync>);

/// The buffers of a method whose type is known at run time only.
pub struct AnyFieldWorkspace<F: FirstOrder>(Box<dyn FieldWork<F>>);

impl<F: FirstOrder> AnyFieldMethod<F> {
    /// This method, its type forgotten.
    pub fn of(method: impl FieldIntegrator<F> + Send + Sync + 'static) -> Self {
        AnyFieldMethod(Arc::new(method))
    }
}

impl<F: FirstOrder> Clone for AnyFieldMethod<F> {
    fn clone(&self) -> Self {
        AnyFieldMethod(Arc::clone(&self.0))
    }
}

impl<F: FirstOrder> fmt::Debug for AnyFieldMethod<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyFieldMethod").field(&self.0.id()).finish()
    }
}

/// A [`FieldIntegrator`] without its type.
pub(crate) trait ErasedField<F: FirstOrder> {
    fn id(&self) -> &'static str;
    fn order(&self) -> usize;
    fn estimate_order(&self) -> Option<usize>;
    /// The method with its buffers.
    fn begin<'a>(self: Arc<Self>, system: &F::System, state: &FieldState<F>) -> Box<dyn FieldWork<F> + 'a>
    where
        Self: 'a,
        F: 'a;
}

/// A method with its buffers.
pub(crate) trait FieldWork<F: FirstOrder> {
    fn newton_iterations(&self) -> Option<f64>;
    fn evaluation(&mut self) -> &mut F::Workspace;
    fn auxiliary(&self) -> &F::Point;
    fn start(&mut self, system: &F::System, state: &mut FieldState<F>) -> Result<(), StepError>;
    fn step(
        &mut self,
        system: &F::System,
        from: &FieldState<F>,
        h: f64,
        to: &mut FieldState<F>,
    ) -> Result<(), StepError>;
    fn step_with_estimate(
        &mut self,
        system: &F::System,
        from: &FieldState<F>,
        h: f64,
        to: &mut FieldState<F>,
    ) -> Result<LocalEstimate, StepError>;
}

struct Working<F: FirstOrder, I: FieldIntegrator<F>> {
    method: Arc<I>,
    workspace: I::Workspace,
    /// Steps since the configuration was brought back to its group.
    steps: u32,
}

impl<F: FirstOrder, I: FieldIntegrator<F>> Working<F, I> {
    /// Removes what the round-off of many steps has moved y away from its space by.
    #[inline]
    fn settle(&mut self, system: &F::System, state: &mut FieldState<F>) {
        self.steps += 1;
        if self.steps == super::STEPS_OF_ROUND_OFF {
            self.steps = 0;
            F::renormalize(system, &mut state.point);
        }
    }
}

impl<F: FirstOrder, I: FieldIntegrator<F>> ErasedField<F> for I {
    fn id(&self) -> &'static str {
        FieldIntegrator::id(self)
    }
    fn order(&self) -> usize {
        FieldIntegrator::order(self)
    }
    fn estimate_order(&self) -> Option<usize> {
        FieldIntegrator::estimate_order(self)
    }
    fn begin<'a>(self: Arc<Self>, system: &F::System, state: &FieldState<F>) -> Box<dyn FieldWork<F> + 'a>
    where
        Self: 'a,
        F: 'a,
    {
        let workspace = self.workspace(system, state);
        Box::new(Working { method: self, workspace, steps: 0 })
    }
}

impl<F: FirstOrder, I: FieldIntegrator<F>> FieldWork<F> for Working<F, I> {
    fn newton_iterations(&self) -> Option<f64> {
        self.method.newton_iterations(&self.workspace)
    }
    fn evaluation(&mut self) -> &mut F::Workspace {
        self.method.evaluation(&mut self.workspace)
    }
    fn auxiliary(&self) -> &F::Point {
        self.method.auxiliary(&self.workspace)
    }
    fn start(&mut self, system: &F::System, state: &mut FieldState<F>) -> Result<(), StepError> {
        self.method.start(system, state, &mut self.workspace)
    }
    fn step(
        &mut self,
        system: &F::System,
        from: &FieldState<F>,
        h: f64,
        to: &mut FieldState<F>,
    ) -> Result<(), StepError> {
        self.method.step(system, from, h, to, &mut self.workspace)?;
        self.settle(system, to);
        Ok(())
    }
    fn step_with_estimate(
        &mut self,
        system: &F::System,
        from: &FieldState<F>,
        h: f64,
        to: &mut FieldState<F>,
    ) -> Result<LocalEstimate, StepError> {
        let estimate = self.method.step_with_estimate(system, from, h, to, &mut self.workspace)?;
        self.settle(system, to);
        Ok(estimate)
    }
}

impl<F: FirstOrder + 'static> FieldIntegrator<F> for AnyFieldMethod<F> {
    type Workspace = AnyFieldWorkspace<F>;

    fn id(&self) -> &'static str {
        self.0.id()
    }
    fn order(&self) -> usize {
        self.0.order()
    }
    fn estimate_order(&self) -> Option<usize> {
        self.0.estimate_order()
    }
    fn newton_iterations(&self, workspace: &AnyFieldWorkspace<F>) -> Option<f64> {
        workspace.0.newton_iterations()
    }
    fn workspace(&self, system: &F::System, state: &FieldState<F>) -> AnyFieldWorkspace<F> {
        AnyFieldWorkspace(Arc::clone(&self.0).begin(system, state))
    }
    fn evaluation<'a>(&self, workspace: &'a mut AnyFieldWorkspace<F>) -> &'a mut F::Workspace {
        workspace.0.evaluation()
    }
    fn auxiliary<'a>(&self, workspace: &'a AnyFieldWorkspace<F>) -> &'a F::Point {
        workspace.0.auxiliary()
    }
    fn start(
        &self,
        system: &F::System,
        state: &mut FieldState<F>,
        workspace: &mut AnyFieldWorkspace<F>,
    ) -> Result<(), StepError> {
        workspace.0.start(system, state)
    }
    fn step(
        &self,
        system: &F::System,
        from: &FieldState<F>,
        h: f64,
        to: &mut FieldState<F>,
        workspace: &mut AnyFieldWorkspace<F>,
    ) -> Result<(), StepError> {
        workspace.0.step(system, from, h, to)
    }
    fn step_with_estimate(
        &self,
        system: &F::System,
        from: &FieldState<F>,
        h: f64,
        to: &mut FieldState<F>,
        workspace: &mut AnyFieldWorkspace<F>,
    ) -> Result<LocalEstimate, StepError> {
        workspace.0.step_with_estimate(system, from, h, to)
    }
}
