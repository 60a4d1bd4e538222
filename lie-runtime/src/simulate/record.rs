//! What is kept of the states that pass.

use super::builder::Observer;
use super::consistent::{ConsistencyError, ConsistentValues};
use super::error::Failure;
use crate::integrator::{Integrator, State, StepError};
use crate::system::MechanicalSystem;

/// Under this fraction of a step the multipliers of a sample come from the index-1 system: those of a step of size σh
/// carry round-off divided by σh.
const SHORT_SAMPLE: f64 = 1e-3;

/// Records, samples and shows states.
pub(super) struct Recorder<'a, M: MechanicalSystem> {
    /// Record every so many steps; `None` if only samples are asked for.
    pub every: Option<usize>,
    /// Sample times in order, the next one at `next`.
    pub samples: Vec<f64>,
    pub next: usize,
    pub observers: Vec<Observer<'a, M>>,
    /// Present if multipliers of full order are asked for.
    pub full_order: bool,
    pub consistent: ConsistentValues<M>,
    pub sample: State<M>,
}

impl<M: MechanicalSystem> Recorder<'_, M> {
    /// Takes the initial state.
    pub fn first(&mut self, system: &M, state: &State<M>, states: &mut Vec<State<M>>) -> Result<(), Failure> {
        self.show(state);
        let mut sampled = false;
        while self.samples.get(self.next).is_some_and(|&time| time <= state.time) {
            sampled = true;
            self.next += 1;
        }
        if sampled || self.every.is_some() {
            self.push(system, state.clone(), states)?;
        }
        Ok(())
    }

    /// Takes the step that led from `from` to `to`, the `count`-th.
    #[allow(clippy::too_many_arguments)] // A step, and where it goes.
    pub fn step<I: Integrator<M>>(
        &mut self,
        system: &M,
        integrator: &I,
        workspace: &mut I::Workspace,
        from: &State<M>,
        to: &State<M>,
        count: usize,
        is_last: bool,
        states: &mut Vec<State<M>>,
    ) -> Result<(), Failure> {
        let h = to.time - from.time;
        let coincide = 1e-9 * h;
        let mut sampled = None;
        while let Some(&time) = self.samples.get(self.next).filter(|&&time| time <= to.time + coincide) {
            self.next += 1;
            if time >= to.time - coincide {
                // The grid point, under the time that was asked for.
                sampled = Some(time);
                continue;
            }
            integrator.sample(system, from, to, time, &mut self.sample, workspace).map_err(Failure::Step)?;
            self.sample.time = time;
            let mut sample = self.sample.clone();
            if time - from.time < SHORT_SAMPLE * h {
                self.complete(system, &mut sample)?;
            }
            self.push(system, sample, states)?;
        }
        self.show(to);
        if sampled.is_some() || self.every.is_some_and(|every| is_last || count.is_multiple_of(every)) {
            let mut record = to.clone();
            record.time = sampled.unwrap_or(to.time);
            self.push(system, record, states)?;
        }
        Ok(())
    }

    fn show(&mut self, state: &State<M>) {
        for observer in &mut self.observers {
            observer(state);
        }
    }

    fn push(&mut self, system: &M, mut state: State<M>, states: &mut Vec<State<M>>) -> Result<(), Failure> {
        if self.full_order {
            self.complete(system, &mut state)?;
        }
        states.push(state);
        Ok(())
    }

    /// Replaces λ and v' by those of the index-1 system.
    fn complete(&mut self, system: &M, state: &mut State<M>) -> Result<(), Failure> {
        self.consistent.accelerations(system, state).map_err(|error| match error {
            ConsistencyError::Failed(failure) => Failure::Step(StepError { time: state.time, step: 0.0, failure }),
            error @ ConsistencyError::NotConverged { .. } => Failure::InitialValues(error),
        })
    }
}
