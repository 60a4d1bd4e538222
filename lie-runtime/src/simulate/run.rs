//! A simulation of a mechanical system on its way.

use std::time::Instant;

use super::builder::{Initial, Simulation};
use super::consistent::ConsistentValues;
use super::error::{Failure, SimulationError};
use super::pace::{self, Paced};
use super::progress::Progress;
use super::record::Recorder;
use super::trajectory::{Statistics, StepRecord, Trajectory};
use crate::group::TangentVector;
use crate::integrator::{Integrator, LocalError, State, StepController, StepError};
use crate::system::MechanicalSystem;

/// A motion on its way.
struct Run<'a, M: MechanicalSystem, I: Integrator<M>> {
    system: &'a M,
    integrator: I,
    workspace: I::Workspace,
    current: State<M>,
    next: State<M>,
    error: LocalError<M>,
    start: f64,
    end: f64,
    recorder: Recorder<'a, M>,
    trajectory: Trajectory<M>,
    progress: Progress,
}

/// Runs a simulation whose settings have been checked.
pub(super) fn run<M: MechanicalSystem, I: Integrator<M>>(
    simulation: Simulation<'_, M, I>,
    end: f64,
) -> Result<Trajectory<M>, Box<SimulationError<M>>> {
    let clock = Instant::now();
    let Simulation { system, initial, integrator, size, initial_step, .. } = simulation;
    let mut trajectory = Trajectory::new(integrator.id());
    let mut consistent = ConsistentValues::of(system);
    let Initial { mut state, project } = initial;
    if project {
        match consistent.state(system, state.time, state.configuration, state.velocity) {
            Ok((projected, consistency)) => {
                trajectory.initial = consistency;
                state = projected;
            }
            Err(error) => {
                return Err(Box::new(SimulationError {
                    failure: Failure::InitialValues(error),
                    trajectory,
                    last: None,
                }));
            }
        }
    }
    let mut workspace = integrator.workspace(system, &state);
    if let Err(error) = integrator.start(system, &mut state, &mut workspace) {
        return Err(Box::new(SimulationError { failure: Failure::Step(error), trajectory, last: None }));
    }
    let only_samples = simulation.samples.is_some() && simulation.record_every.is_none();
    let mut samples = simulation.samples.unwrap_or_default();
    samples.sort_by(f64::total_cmp);
    samples.dedup();
    let mut run = Run {
        system,
        integrator,
        workspace,
        start: state.time,
        end,
        recorder: Recorder {
            every: if only_samples { None } else { Some(simulation.record_every.unwrap_or(1)) },
            samples,
            next: 0,
            observers: simulation.observers,
            full_order: simulation.full_order_multipliers,
            consistent,
            sample: state.clone(),
        },
        next: state.clone(),
        error: LocalError::of(system),
        current: state,
        trajectory,
        progress: Progress::new(simulation.progress),
    };
    let outcome = run.recorder.first(system, &run.current, &mut run.trajectory.states).and_then(|()| match size {
        Some(size) => pace::run(&mut run, &size, initial_step),
        None => Ok(()),
    });
    run.progress.finish();
    run.trajectory.statistics.linear_solves = run.integrator.linear_solves(&run.workspace);
    run.trajectory.statistics.newton_iterations = run.integrator.newton_iterations(&run.workspace);
    run.trajectory.statistics.seconds = clock.elapsed().as_secs_f64();
    match outcome {
        Ok(()) => Ok(run.trajectory),
        Err(failure) => Err(Box::new(SimulationError { failure, trajectory: run.trajectory, last: Some(run.current) })),
    }
}

impl<M: MechanicalSystem, I: Integrator<M>> Paced for Run<'_, M, I> {
    fn span(&self) -> (f64, f64) {
        (self.start, self.end)
    }

    fn time(&self) -> f64 {
        self.current.time
    }

    fn step(&mut self, h: f64) -> Result<(), StepError> {
        self.integrator.step(self.system, &self.current, h, &mut self.next, &mut self.workspace)
    }

    fn step_with_estimate(&mut self, h: f64, controller: &StepController) -> Result<f64, StepError> {
        let Run { system, integrator, current, next, error, workspace, .. } = self;
        integrator.step_with_estimate(system, current, h, next, error, workspace)?;
        Ok(controller.error_norm(current, next, error))
    }

    fn lower_order(&self) -> usize {
        let order = self.integrator.order();
        self.integrator.estimate_order().map_or(order, |embedded| embedded.min(order))
    }

    /// v and v'.
    fn speed(&self) -> (f64, f64) {
        (self.current.velocity.max_norm(), self.current.acceleration.max_norm())
    }

    fn log(&mut self) -> (&mut Vec<StepRecord>, &mut Statistics) {
        (&mut self.trajectory.steps, &mut self.trajectory.statistics)
    }

    fn accept(&mut self, time: f64) -> Result<(), Failure> {
        self.next.time = time;
        self.trajectory.statistics.accepted += 1;
        let is_last = time >= self.end;
        let recorded = self.recorder.step(
            self.system,
            &self.integrator,
            &mut self.workspace,
            &self.current,
            &self.next,
            self.trajectory.statistics.accepted,
            is_last,
            &mut self.trajectory.states,
        );
        core::mem::swap(&mut self.current, &mut self.next);
        self.progress.at((time - self.start) / (self.end - self.start));
        recorded
    }
}
