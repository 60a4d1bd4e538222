//! Methods for batches of members.

use super::batch::{BatchProblem, States, Systems};
use crate::integrator::{EnergyBehaviour, Integrator, LocalError, StepCost, StepError};
use crate::scalar::Lanes;
use crate::system::Batched;

/// A method that makes the steps of all members in a batch.
pub(in crate::ensemble) struct BatchedMethod<I>(pub I);

impl<'s, M: Batched<L>, L: Lanes, I: Integrator<M::Batch>> Integrator<BatchProblem<'s, M, L>> for BatchedMethod<I> {
    type Workspace = I::Workspace;

    fn id(&self) -> &'static str {
        self.0.id()
    }
    fn order(&self) -> usize {
        self.0.order()
    }
    fn energy_behaviour(&self) -> EnergyBehaviour {
        self.0.energy_behaviour()
    }
    fn removes_round_off(&self) -> bool {
        self.0.removes_round_off()
    }
    fn step_cost(&self, systems: &Systems<'s, M, L>, states: &States<'s, M, L>) -> Option<StepCost> {
        self.0.step_cost(&systems.together, &states.together)
    }
    fn estimate_order(&self) -> Option<usize> {
        self.0.estimate_order()
    }
    fn workspace(&self, systems: &Systems<'s, M, L>, states: &States<'s, M, L>) -> I::Workspace {
        self.0.workspace(&systems.together, &states.together)
    }
    fn linear_solves(&self, workspace: &I::Workspace) -> u64 {
        self.0.linear_solves(workspace)
    }
    fn newton_iterations(&self, workspace: &I::Workspace) -> Option<f64> {
        self.0.newton_iterations(workspace)
    }
    fn start(
        &self,
        systems: &Systems<'s, M, L>,
        states: &mut States<'s, M, L>,
        workspace: &mut I::Workspace,
    ) -> Result<(), StepError> {
        self.0.start(&systems.together, &mut states.together, workspace)
    }
    fn step(
        &self,
        systems: &Systems<'s, M, L>,
        from: &States<'s, M, L>,
        h: f64,
        to: &mut States<'s, M, L>,
        workspace: &mut I::Workspace,
    ) -> Result<(), StepError> {
        self.0.step(&systems.together, &from.together, h, &mut to.together, workspace)
    }
    fn step_with_estimate(
        &self,
        systems: &Systems<'s, M, L>,
        from: &States<'s, M, L>,
        h: f64,
        to: &mut States<'s, M, L>,
        error: &mut LocalError<M::Batch>,
        workspace: &mut I::Workspace,
    ) -> Result<(), StepError> {
        self.0.step_with_estimate(&systems.together, &from.together, h, &mut to.together, error, workspace)
    }
    fn sample(
        &self,
        systems: &Systems<'s, M, L>,
        from: &States<'s, M, L>,
        to: &States<'s, M, L>,
        time: f64,
        out: &mut States<'s, M, L>,
        workspace: &mut I::Workspace,
    ) -> Result<(), StepError> {
        self.0.sample(&systems.together, &from.together, &to.together, time, &mut out.together, workspace)
    }
}
