//! Simulations of mechanical systems: from consistent initial values.

use std::time::Instant;

use super::builder::{Initial, Simulation};
use super::consistent::{ConsistencyError, ConsistentValues};
use super::error::{Failure, SimulationError};
use super::run::{self, Outcome, Problem};
use super::settings::Plan;
use super::trajectory::{Statistics, Trajectory};
use crate::group::TangentVector;
use crate::integrator::{Integrator, LocalError, State, StepController, StepError};
use crate::system::MechanicalSystem;

/// Under this part of a step the multipliers of a sample come from the index-1 system: those of a step of size σh carry
/// round-off divided by σh.
const SHORT_SAMPLE: f64 = 1e-3;

/// A mechanical system and a method.
struct Mechanical<'a, M: MechanicalSystem, I: Integrator<M>> {
    system: &'a M,
    integrator: I,
    workspace: I::Workspace,
    error: LocalError<M>,
    /// True if λ and v' of the index-1 system are asked for.
    full_order: bool,
    consistent: ConsistentValues<M>,
}

/// Runs a simulation whose settings have been checked.
pub(super) fn run<M: MechanicalSystem, I: Integrator<M>>(
    simulation: Simulation<'_, M, I>,
    plan: &Plan,
) -> Result<Trajectory<M>, Box<SimulationError<M>>> {
    let clock = Instant::now();
    let Simulation { system, initial, integrator, settings, full_order_multipliers: full_order } = simulation;
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
    let error = LocalError::of(system);
    let problem = Mechanical { system, integrator, workspace, error, full_order, consistent };
    let Outcome { states, steps, statistics, failed } = run::run(problem, state, settings, plan, clock);
    let trajectory = Trajectory { states, statistics, steps, ..trajectory };
    match failed {
        None => Ok(trajectory),
        Some((failure, last)) => Err(Box::new(SimulationError { failure, trajectory, last: Some(last) })),
    }
}

impl<M: MechanicalSystem, I: Integrator<M>> Problem for Mechanical<'_, M, I> {
    type State = State<M>;

    fn step(&mut self, from: &State<M>, h: f64, to: &mut State<M>) -> Result<(), StepError> {
        self.integrator.step(self.system, from, h, to, &mut self.workspace)
    }

    fn step_with_estimate(
        &mut self,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        controller: &StepController,
    ) -> Result<f64, StepError> {
        let Mechanical { system, integrator, workspace, error, .. } = self;
        integrator.step_with_estimate(system, from, h, to, error, workspace)?;
        Ok(controller.error_norm(from, to, error))
    }

    fn sample(&mut self, from: &State<M>, to: &State<M>, time: f64, out: &mut State<M>) -> Result<(), StepError> {
        self.integrator.sample(self.system, from, to, time, out, &mut self.workspace)
    }

    /// Replaces λ and v' by those of the index-1 system where that is asked for or better.
    fn complete(&mut self, state: &mut State<M>, part: f64) -> Result<(), Failure> {
        if !self.full_order && part >= SHORT_SAMPLE {
            return Ok(());
        }
        self.consistent.accelerations(self.system, state).map_err(|error| match error {
            ConsistencyError::Failed(failure) => Failure::Step(StepError { time: state.time, step: 0.0, failure }),
            error @ ConsistencyError::NotConverged { .. } => Failure::InitialValues(error),
        })
    }

    fn orders(&self) -> (usize, Option<usize>) {
        (self.integrator.order(), self.integrator.estimate_order())
    }

    /// v and v'.
    fn speed(&self, state: &State<M>) -> (f64, f64) {
        (state.velocity.max_norm(), state.acceleration.max_norm())
    }

    fn count(&self, statistics: &mut Statistics) {
        statistics.linear_solves = self.integrator.linear_solves(&self.workspace);
        statistics.newton_iterations = self.integrator.newton_iterations(&self.workspace);
    }
}
