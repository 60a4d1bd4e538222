//! Simulations of mechanical systems: from consistent initial values.

use std::sync::Arc;
use std::time::Instant;

use super::builder::{Described, Initial};
use super::consistent::{ConsistencyError, ConsistentValues};
use super::error::{Failure, SimulationError};
use super::run::{self, Outcome, Problem};
use super::settings::Plan;
use super::trajectory::{Statistics, Trajectory};
use crate::group::TangentVector;
use crate::integrator::any::{Erased, Work};
use crate::integrator::{LocalError, State, StepController, StepError};
use crate::system::MechanicalSystem;

/// Under this part of a step the multipliers of a sample come from the index-1 system: those of a step of size σh carry
/// round-off divided by σh.
const SHORT_SAMPLE: f64 = 1e-3;

/// A mechanical system and a method.
struct Mechanical<'a, M: MechanicalSystem> {
    system: &'a M,
    method: Box<dyn Work<M> + 'a>,
    orders: (usize, Option<usize>),
    error: LocalError<M>,
    /// True if λ and v' of the index-1 system are asked for.
    full_order: bool,
    consistent: ConsistentValues<M>,
}

/// Runs a simulation whose settings have been checked.
pub(super) fn run<M: MechanicalSystem>(
    simulation: Described<'_, M>,
    method: Arc<dyn Erased<M> + '_>,
    plan: &Plan,
) -> Result<Trajectory<M>, Box<SimulationError<M>>> {
    let clock = Instant::now();
    let Described { system, initial, settings, full_order_multipliers: full_order } = simulation;
    let (mut trajectory, orders) = (Trajectory::new(method.id()), (method.order(), method.estimate_order()));
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
    let mut method = method.begin(system, &state);
    if let Err(error) = method.start(system, &mut state) {
        return Err(Box::new(SimulationError { failure: Failure::Step(error), trajectory, last: None }));
    }
    let error = LocalError::of(system);
    let problem = Mechanical { system, method, orders, error, full_order, consistent };
    let Outcome { states, steps, statistics, failed } = run::run(problem, state, settings, plan, clock);
    let trajectory = Trajectory { states, statistics, steps, ..trajectory };
    match failed {
        None => Ok(trajectory),
        Some((failure, last)) => Err(Box::new(SimulationError { failure, trajectory, last: Some(last) })),
    }
}

impl<M: MechanicalSystem> Problem for Mechanical<'_, M> {
    type State = State<M>;

    fn step(&mut self, from: &State<M>, h: f64, to: &mut State<M>) -> Result<(), StepError> {
        self.method.step(self.system, from, h, to)
    }

    fn step_with_estimate(
        &mut self,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        controller: &StepController,
    ) -> Result<f64, StepError> {
        let Mechanical { system, method, error, .. } = self;
        method.step_with_estimate(system, from, h, to, error)?;
        Ok(controller.error_norm(from, to, error))
    }

    fn sample(&mut self, from: &State<M>, to: &State<M>, time: f64, out: &mut State<M>) -> Result<(), StepError> {
        self.method.sample(self.system, from, to, time, out)
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
        self.orders
    }

    /// v and v'.
    fn speed(&self, state: &State<M>) -> (f64, f64) {
        (state.velocity.max_norm(), state.acceleration.max_norm())
    }

    fn count(&self, statistics: &mut Statistics) {
        statistics.linear_solves = self.method.linear_solves();
        statistics.newton_iterations = self.method.newton_iterations();
    }
}
