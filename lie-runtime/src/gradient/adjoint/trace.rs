//! The stored data of steps for the reverse pass: results of stages, which are stored while there is memory, and otherwise computed
//! again.

use core::cell::RefCell;

use super::Adjoint;
use super::adjoint_step::{SAME_TIME, Trace};
use crate::group::TangentVector;
use crate::integrator::{EnergyBehaviour, Integrator, LocalError, State, StepError};
use crate::system::Reverse;

/// The stored data of the committed steps of a run.
pub(super) struct Traces<M: Reverse> {
    /// The numbers of vectors and multipliers of a step; `None` if no data are stored.
    counts: Option<[usize; 2]>,
    vectors: Vec<M::Velocity>,
    multipliers: Vec<M::Multipliers>,
    steps: usize,
    /// The end of a computed step that is not committed yet: another attempt may follow.
    attempted: Option<f64>,
}

impl<M: Reverse> Traces<M> {
    /// Returns an empty store for steps with these numbers of vectors and multipliers.
    pub fn of(counts: [usize; 2]) -> Self {
        let counts = Some(counts).filter(|counts| *counts != [0, 0]);
        Traces { counts, vectors: Vec::new(), multipliers: Vec::new(), steps: 0, attempted: None }
    }

    /// The memory of a step in bytes.
    pub fn bytes_of_step(&self, state: &State<M>) -> u64 {
        let Some([vectors, multipliers]) = self.counts else { return 0 };
        let scalar = size_of::<M::Scalar>();
        let of_vector = size_of::<M::Velocity>().max(state.velocity.component_count() * scalar);
        let of_multipliers = size_of::<M::Multipliers>().max(state.multipliers.component_count() * scalar);
        (vectors * of_vector + multipliers * of_multipliers) as u64
    }

    /// Reserves memory for more steps.
    pub fn reserve(&mut self, steps: usize) {
        let [vectors, multipliers] = self.counts.unwrap_or_default();
        self.vectors.reserve_exact(steps * vectors);
        self.multipliers.reserve_exact(steps * multipliers);
    }

    /// Removes all data, and stores nothing from now on.
    pub fn release(&mut self) {
        *self = Traces::of([0, 0]);
    }

    pub fn are_kept(&self) -> bool {
        self.counts.is_some()
    }

    /// Stores the data of an attempted step to this time; data of a rejected attempt are replaced.
    pub fn attempt(&mut self, end: f64, trace: &Trace<'_, M>) {
        let Some([vectors, multipliers]) = self.counts else { return };
        self.vectors.truncate(self.steps * vectors);
        self.multipliers.truncate(self.steps * multipliers);
        self.vectors.extend_from_slice(trace.vectors);
        self.multipliers.extend_from_slice(trace.multipliers);
        self.attempted = Some(end);
    }

    /// Commits the last attempt, which has led to the state at this time, after a step of this size. If there was no attempt, nothing is
    /// stored any more.
    pub fn commit(&mut self, time: f64, step: f64) {
        match self.attempted.take() {
            Some(end) if (end - time).abs() <= SAME_TIME * step.abs() => self.steps += 1,
            _ => self.release(),
        }
    }

    /// The data of the step from the state with this index.
    pub fn of_step(&self, from: usize) -> Option<Trace<'_, M>> {
        let [vectors, multipliers] = self.counts.filter(|_| from < self.steps)?;
        Some(Trace {
            vectors: &self.vectors[from * vectors..(from + 1) * vectors],
            multipliers: &self.multipliers[from * multipliers..(from + 1) * multipliers],
        })
    }
}

/// A method whose steps store data for the reverse pass.
pub(super) struct Tracing<'t, M: Reverse, I> {
    pub method: I,
    pub traces: &'t RefCell<Traces<M>>,
}

impl<M: Reverse, I: Adjoint<M>> Tracing<'_, M, I> {
    fn note(&self, system: &M, end: f64, workspace: &I::Workspace) {
        self.traces.borrow_mut().attempt(end, &self.method.trace(system, workspace));
    }
}

impl<M: Reverse, I: Adjoint<M>> Integrator<M> for Tracing<'_, M, I> {
    type Workspace = I::Workspace;

    fn id(&self) -> &'static str {
        self.method.id()
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
    fn removes_round_off(&self) -> bool {
        self.method.removes_round_off()
    }
    fn workspace(&self, system: &M, state: &State<M>) -> I::Workspace {
        self.method.workspace(system, state)
    }
    fn linear_solves(&self, workspace: &I::Workspace) -> u64 {
        self.method.linear_solves(workspace)
    }
    fn newton_iterations(&self, workspace: &I::Workspace) -> Option<f64> {
        self.method.newton_iterations(workspace)
    }
    fn start(&self, system: &M, state: &mut State<M>, workspace: &mut I::Workspace) -> Result<(), StepError> {
        self.method.start(system, state, workspace)
    }
    fn step(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        workspace: &mut I::Workspace,
    ) -> Result<(), StepError> {
        self.method.step(system, from, h, to, workspace)?;
        self.note(system, from.time + h, workspace);
        Ok(())
    }
    fn step_with_estimate(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        error: &mut LocalError<M>,
        workspace: &mut I::Workspace,
    ) -> Result<(), StepError> {
        self.method.step_with_estimate(system, from, h, to, error, workspace)?;
        self.note(system, from.time + h, workspace);
        Ok(())
    }
    fn sample(
        &self,
        system: &M,
        from: &State<M>,
        to: &State<M>,
        time: f64,
        out: &mut State<M>,
        workspace: &mut I::Workspace,
    ) -> Result<(), StepError> {
        self.method.sample(system, from, to, time, out, workspace)
    }
}
