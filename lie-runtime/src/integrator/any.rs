//! Methods whose type is known at run time only.
//!
//! ```
//! use lie_runtime::integrator::{AnyMethod, Integrator, Rattlie};
//! # use lie_runtime::prelude::*;
//! # #[mechanical_system]
//! # pub mod oscillator {
//! #     #[configuration]
//! #     pub struct Position { pub x: R1 }
//! #     #[kinetic_energy]
//! #     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x.norm_squared() }
//! # }
//!
//! let both: [AnyMethod<oscillator::System>; 2] = [AnyMethod::of(HalfExplicit::hedop5()), AnyMethod::of(Rattlie::new())];
//! assert_eq!(both.map(|method| method.id()), ["hedop5", "rattlie"]);
//! ```

use core::any::Any;
use core::fmt;
use std::sync::Arc;

use crate::integrator::{EnergyBehaviour, ErrorEstimate, Integrator, Problem, Solution, StepCost, StepError};
use crate::system::ImposedLaws;

/// The number of steps between two normalisations of the configuration in a run. A defect of about 1e-16 a step stays under 1e-14, and the
/// cost is divided by this number.
const STEPS_OF_ROUND_OFF: u32 = 32;

/// A method for the problem `P` whose type is known at run time only; a step costs one virtual call more.
pub struct AnyMethod<P: Problem> {
    id: &'static str,
    method: Arc<dyn Erased<P> + Send + Sync>,
    /// The same method, to recover its type.
    typed: Arc<dyn Any + Send + Sync>,
}

/// The buffers of a method whose type is known at run time only.
#[doc(hidden)]
pub struct AnyWorkspace<P: Problem>(Box<dyn MethodWithWorkspace<P>>);

impl<P: Problem> AnyMethod<P> {
    /// Returns this method without its type.
    pub fn of(method: impl Integrator<P> + Send + Sync + 'static) -> Self {
        let (id, method) = (method.id(), Arc::new(method));
        AnyMethod { id, typed: method.clone(), method }
    }

    /// Returns the method if it has this type.
    pub(crate) fn typed<I: Integrator<P> + 'static>(&self) -> Option<&I> {
        self.typed.downcast_ref()
    }

    /// Returns the same method with another identifier, for a named set of parameters.
    #[must_use]
    pub fn called(self, id: &'static str) -> Self {
        AnyMethod { id, ..self }
    }
}

impl<P: Problem> Clone for AnyMethod<P> {
    fn clone(&self) -> Self {
        AnyMethod { id: self.id, method: Arc::clone(&self.method), typed: Arc::clone(&self.typed) }
    }
}

impl<P: Problem> fmt::Debug for AnyMethod<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyMethod").field(&self.id).finish()
    }
}

/// An [`Integrator`] without its type.
pub(crate) trait Erased<P: Problem> {
    fn id(&self) -> &'static str;
    fn order(&self) -> usize;
    fn estimate_order(&self) -> Option<usize>;
    fn energy_behaviour(&self) -> EnergyBehaviour;
    fn step_cost(&self, system: &P::System, state: &P::State) -> Option<StepCost>;
    fn reuses_stage_multipliers(&self) -> bool;
    fn imposes_laws(&self) -> bool;
    /// The method with its buffers.
    fn begin<'a>(self: Arc<Self>, system: &P::System, state: &P::State) -> Box<dyn MethodWithWorkspace<P> + 'a>
    where
        Self: 'a,
        P: 'a;
}

/// A method with its buffers.
pub(crate) trait MethodWithWorkspace<P: Problem> {
    fn linear_solves(&self) -> u64;
    fn newton_iterations(&self) -> Option<f64>;
    fn reuses_stage_multipliers(&self) -> bool;
    fn impose_laws(&mut self, laws: &ImposedLaws);
    fn start(&mut self, system: &P::System, state: &mut P::State) -> Result<(), StepError>;
    fn step(&mut self, system: &P::System, from: &P::State, h: f64, to: &mut P::State) -> Result<(), StepError>;
    fn step_with_estimate(
        &mut self,
        system: &P::System,
        from: &P::State,
        h: f64,
        to: &mut P::State,
        error: &mut ErrorEstimate<P>,
    ) -> Result<(), StepError>;
    fn sample(
        &mut self,
        system: &P::System,
        from: &P::State,
        to: &P::State,
        time: f64,
        out: &mut P::State,
    ) -> Result<(), StepError>;
}

struct Working<P: Problem, I: Integrator<P>> {
    method: Arc<I>,
    workspace: I::Workspace,
    /// Steps since the last normalisation of the configuration.
    steps: u32,
}

impl<P: Problem, I: Integrator<P>> Working<P, I> {
    /// Normalises the state after many steps, which removes the accumulated round-off. A method without its type has normalised it.
    #[inline]
    fn settle(&mut self, system: &P::System, state: &mut P::State) {
        if self.method.removes_round_off() {
            return;
        }
        self.steps += 1;
        if self.steps == STEPS_OF_ROUND_OFF {
            self.steps = 0;
            state.renormalize(system);
        }
    }
}

impl<P: Problem, I: Integrator<P>> Erased<P> for I {
    fn id(&self) -> &'static str {
        Integrator::id(self)
    }
    fn order(&self) -> usize {
        Integrator::order(self)
    }
    fn estimate_order(&self) -> Option<usize> {
        Integrator::estimate_order(self)
    }
    fn energy_behaviour(&self) -> EnergyBehaviour {
        Integrator::energy_behaviour(self)
    }
    fn step_cost(&self, system: &P::System, state: &P::State) -> Option<StepCost> {
        Integrator::step_cost(self, system, state)
    }
    fn reuses_stage_multipliers(&self) -> bool {
        Integrator::reuses_stage_multipliers(self)
    }
    fn imposes_laws(&self) -> bool {
        Integrator::imposes_laws(self)
    }
    fn begin<'a>(self: Arc<Self>, system: &P::System, state: &P::State) -> Box<dyn MethodWithWorkspace<P> + 'a>
    where
        Self: 'a,
        P: 'a,
    {
        let workspace = self.workspace(system, state);
        Box::new(Working { method: self, workspace, steps: 0 })
    }
}

impl<P: Problem, I: Integrator<P>> MethodWithWorkspace<P> for Working<P, I> {
    fn linear_solves(&self) -> u64 {
        self.method.linear_solves(&self.workspace)
    }
    fn newton_iterations(&self) -> Option<f64> {
        self.method.newton_iterations(&self.workspace)
    }
    fn reuses_stage_multipliers(&self) -> bool {
        self.method.reuses_stage_multipliers()
    }
    fn impose_laws(&mut self, laws: &ImposedLaws) {
        self.method.impose_laws(laws, &mut self.workspace);
    }
    fn start(&mut self, system: &P::System, state: &mut P::State) -> Result<(), StepError> {
        self.method.start(system, state, &mut self.workspace)
    }
    fn step(&mut self, system: &P::System, from: &P::State, h: f64, to: &mut P::State) -> Result<(), StepError> {
        self.method.step(system, from, h, to, &mut self.workspace)?;
        self.settle(system, to);
        Ok(())
    }
    fn step_with_estimate(
        &mut self,
        system: &P::System,
        from: &P::State,
        h: f64,
        to: &mut P::State,
        error: &mut ErrorEstimate<P>,
    ) -> Result<(), StepError> {
        self.method.step_with_estimate(system, from, h, to, error, &mut self.workspace)?;
        self.settle(system, to);
        Ok(())
    }
    fn sample(
        &mut self,
        system: &P::System,
        from: &P::State,
        to: &P::State,
        time: f64,
        out: &mut P::State,
    ) -> Result<(), StepError> {
        self.method.sample(system, from, to, time, out, &mut self.workspace)
    }
}

impl<P: Problem + 'static> Integrator<P> for AnyMethod<P> {
    type Workspace = AnyWorkspace<P>;

    fn id(&self) -> &'static str {
        self.id
    }
    fn order(&self) -> usize {
        self.method.order()
    }
    fn estimate_order(&self) -> Option<usize> {
        self.method.estimate_order()
    }
    fn energy_behaviour(&self) -> EnergyBehaviour {
        self.method.energy_behaviour()
    }
    fn step_cost(&self, system: &P::System, state: &P::State) -> Option<StepCost> {
        self.method.step_cost(system, state)
    }
    fn reuses_stage_multipliers(&self) -> bool {
        self.method.reuses_stage_multipliers()
    }
    fn imposes_laws(&self) -> bool {
        self.method.imposes_laws()
    }
    fn impose_laws(&self, laws: &ImposedLaws, workspace: &mut AnyWorkspace<P>) {
        workspace.0.impose_laws(laws);
    }
    fn removes_round_off(&self) -> bool {
        true
    }
    fn workspace(&self, system: &P::System, state: &P::State) -> AnyWorkspace<P> {
        AnyWorkspace(Arc::clone(&self.method).begin(system, state))
    }
    fn linear_solves(&self, workspace: &AnyWorkspace<P>) -> u64 {
        workspace.0.linear_solves()
    }
    fn newton_iterations(&self, workspace: &AnyWorkspace<P>) -> Option<f64> {
        workspace.0.newton_iterations()
    }
    fn start(
        &self,
        system: &P::System,
        state: &mut P::State,
        workspace: &mut AnyWorkspace<P>,
    ) -> Result<(), StepError> {
        workspace.0.start(system, state)
    }
    fn step(
        &self,
        system: &P::System,
        from: &P::State,
        h: f64,
        to: &mut P::State,
        workspace: &mut AnyWorkspace<P>,
    ) -> Result<(), StepError> {
        workspace.0.step(system, from, h, to)
    }
    fn step_with_estimate(
        &self,
        system: &P::System,
        from: &P::State,
        h: f64,
        to: &mut P::State,
        error: &mut ErrorEstimate<P>,
        workspace: &mut AnyWorkspace<P>,
    ) -> Result<(), StepError> {
        workspace.0.step_with_estimate(system, from, h, to, error)
    }
    fn sample(
        &self,
        system: &P::System,
        from: &P::State,
        to: &P::State,
        time: f64,
        out: &mut P::State,
        workspace: &mut AnyWorkspace<P>,
    ) -> Result<(), StepError> {
        workspace.0.sample(system, from, to, time, out)
    }
}
