//! Any method for mechanical systems.

use core::fmt;
use std::sync::Arc;

use crate::integrator::{Integrator, LocalError, State, StepError};
use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// A method for systems `M` whose type is known at run time only; a step costs one virtual call more.
pub struct AnyMethod<M: MechanicalSystem> {
    id: &'static str,
    method: Arc<dyn Erased<M> + Send + Sync>,
}

/// The buffers of a method whose type is known at run time only.
pub struct AnyWorkspace<M: MechanicalSystem>(Box<dyn Work<M>>);

impl<M: MechanicalSystem> AnyMethod<M> {
    /// This method, its type forgotten.
    pub fn of(method: impl Integrator<M> + Send + Sync + 'static) -> Self {
        AnyMethod { id: method.id(), method: Arc::new(method) }
    }

    /// The same method under another identifier, for parameters that have a name of their own.
    #[must_use]
    pub fn called(self, id: &'static str) -> Self {
        AnyMethod { id, ..self }
    }
}

impl<M: MechanicalSystem> Clone for AnyMethod<M> {
    fn clone(&self) -> Self {
        AnyMethod { id: self.id, method: Arc::clone(&self.method) }
    }
}

impl<M: MechanicalSystem> fmt::Debug for AnyMethod<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyMethod").field(&self.id).finish()
    }
}

/// An [`Integrator`] without its type.
pub(crate) trait Erased<M: MechanicalSystem> {
    fn id(&self) -> &'static str;
    fn order(&self) -> usize;
    fn estimate_order(&self) -> Option<usize>;
    /// The method with its buffers.
    fn begin<'a>(self: Arc<Self>, system: &M, state: &State<M>) -> Box<dyn Work<M> + 'a>
    where
        Self: 'a,
        M: 'a;
}

/// A method with its buffers.
pub(crate) trait Work<M: MechanicalSystem> {
    fn linear_solves(&self) -> u64;
    fn newton_iterations(&self) -> Option<f64>;
    fn start(&mut self, system: &M, state: &mut State<M>) -> Result<(), StepError>;
    fn step(&mut self, system: &M, from: &State<M>, h: f64, to: &mut State<M>) -> Result<(), StepError>;
    fn step_with_estimate(
        &mut self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        error: &mut LocalError<M>,
    ) -> Result<(), StepError>;
    fn sample(
        &mut self,
        system: &M,
        from: &State<M>,
        to: &State<M>,
        time: f64,
        out: &mut State<M>,
    ) -> Result<(), StepError>;
}

struct Working<M: MechanicalSystem, I: Integrator<M>> {
    method: Arc<I>,
    workspace: I::Workspace,
    /// Steps since the configuration was brought back to its group.
    steps: u32,
}

impl<M: MechanicalSystem, I: Integrator<M>> Working<M, I> {
    /// Removes what the round-off of many steps has moved q away from its group by.
    #[inline]
    fn settle(&mut self, system: &M, state: &mut State<M>) {
        self.steps += 1;
        if self.steps == super::STEPS_OF_ROUND_OFF {
            self.steps = 0;
            system.space().renormalize(&mut state.configuration);
        }
    }
}

impl<M: MechanicalSystem, I: Integrator<M>> Erased<M> for I {
    fn id(&self) -> &'static str {
        Integrator::id(self)
    }
    fn order(&self) -> usize {
        Integrator::order(self)
    }
    fn estimate_order(&self) -> Option<usize> {
        Integrator::estimate_order(self)
    }
    fn begin<'a>(self: Arc<Self>, system: &M, state: &State<M>) -> Box<dyn Work<M> + 'a>
    where
        Self: 'a,
        M: 'a,
    {
        let workspace = self.workspace(system, state);
        Box::new(Working { method: self, workspace, steps: 0 })
    }
}

impl<M: MechanicalSystem, I: Integrator<M>> Work<M> for Working<M, I> {
    fn linear_solves(&self) -> u64 {
        self.method.linear_solves(&self.workspace)
    }
    fn newton_iterations(&self) -> Option<f64> {
        self.method.newton_iterations(&self.workspace)
    }
    fn start(&mut self, system: &M, state: &mut State<M>) -> Result<(), StepError> {
        self.method.start(system, state, &mut self.workspace)
    }
    fn step(&mut self, system: &M, from: &State<M>, h: f64, to: &mut State<M>) -> Result<(), StepError> {
        self.method.step(system, from, h, to, &mut self.workspace)?;
        self.settle(system, to);
        Ok(())
    }
    fn step_with_estimate(
        &mut self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        error: &mut LocalError<M>,
    ) -> Result<(), StepError> {
        self.method.step_with_estimate(system, from, h, to, error, &mut self.workspace)?;
        self.settle(system, to);
        Ok(())
    }
    fn sample(
        &mut self,
        system: &M,
        from: &State<M>,
        to: &State<M>,
        time: f64,
        out: &mut State<M>,
    ) -> Result<(), StepError> {
        self.method.sample(system, from, to, time, out, &mut self.workspace)
    }
}

impl<M: MechanicalSystem + 'static> Integrator<M> for AnyMethod<M> {
    type Workspace = AnyWorkspace<M>;

    fn id(&self) -> &'static str {
        self.id
    }
    fn order(&self) -> usize {
        self.method.order()
    }
    fn estimate_order(&self) -> Option<usize> {
        self.method.estimate_order()
    }
    fn workspace(&self, system: &M, state: &State<M>) -> AnyWorkspace<M> {
        AnyWorkspace(Arc::clone(&self.method).begin(system, state))
    }
    fn linear_solves(&self, workspace: &AnyWorkspace<M>) -> u64 {
        workspace.0.linear_solves()
    }
    fn newton_iterations(&self, workspace: &AnyWorkspace<M>) -> Option<f64> {
        workspace.0.newton_iterations()
    }
    fn start(&self, system: &M, state: &mut State<M>, workspace: &mut AnyWorkspace<M>) -> Result<(), StepError> {
        workspace.0.start(system, state)
    }
    fn step(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        workspace: &mut AnyWorkspace<M>,
    ) -> Result<(), StepError> {
        workspace.0.step(system, from, h, to)
    }
    fn step_with_estimate(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        error: &mut LocalError<M>,
        workspace: &mut AnyWorkspace<M>,
    ) -> Result<(), StepError> {
        workspace.0.step_with_estimate(system, from, h, to, error)
    }
    fn sample(
        &self,
        system: &M,
        from: &State<M>,
        to: &State<M>,
        time: f64,
        out: &mut State<M>,
        workspace: &mut AnyWorkspace<M>,
    ) -> Result<(), StepError> {
        workspace.0.sample(system, from, to, time, out)
    }
}
