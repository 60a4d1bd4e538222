//! Simulations of mechanical systems: from consistent initial values.

use std::sync::Arc;
use std::time::Instant;

use super::builder::{Described, Initial};
use super::consistent::{ConsistencyError, ConsistentValues};
use super::error::{Failure, SimulationError};
use super::growth::Growth;
use super::run::{self, Outcome, Problem};
use super::settings::Plan;
use super::trajectory::{Statistics, Trajectory};
use super::watch::Watch;
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
    watch: Option<Watch<M>>,
    growth: Growth<M>,
    /// The last state that was looked at and found good.
    good: State<M>,
}

/// Runs a simulation whose settings have been checked.
pub(super) fn run<M: MechanicalSystem>(
    simulation: Described<'_, M>,
    method: Arc<dyn Erased<M> + '_>,
    plan: &Plan,
) -> Result<Trajectory<M>, Box<SimulationError<M>>> {
    let clock = Instant::now();
    let Described { system, initial, settings, options, observer } = simulation;
    let (id, orders) = (method.id(), (method.order(), method.estimate_order()));
    let mut trajectory = Trajectory::new(id);
    let failed = |failure| Err(SimulationError::before_the_first_step(failure, id));
    let limit = initial.limit();
    let Initial { mut state, project, held, .. } = initial;
    let mut consistent = match ConsistentValues::of(system).holding(system, &held) {
        Ok(consistent) => consistent,
        Err(error) => return failed(Failure::Setup(error)),
    };
    if project {
        let speed = state.velocity.max_norm();
        let projected = consistent.state(system, state.time, state.configuration, state.velocity);
        match projected.and_then(|(state, consistency)| Ok((state, consistency, consistency.check(limit, speed)?))) {
            Ok((projected, consistency, ())) => {
                trajectory.initial = consistency;
                state = projected;
            }
            Err(error) => return failed(Failure::InitialValues(error)),
        }
    }
    let mut method = method.begin(system, &state);
    if let Err(error) = method.start(system, &mut state) {
        return failed(Failure::Step(error));
    }
    let error = LocalError::of(system);
    let watch = Watch::of(system, state.time, &state.configuration, options.constraint_tolerance);
    let (growth, good) = (Growth::from(system, &state, options.growth), state.clone());
    let full_order = options.full_order_multipliers;
    let problem = Mechanical { system, method, orders, error, full_order, consistent, watch, growth, good };
    let Outcome { states, steps, statistics, stopped, failed } =
        run::run(problem, state, settings, observer, plan, clock);
    let trajectory = Trajectory { states, statistics, steps, stopped, ..trajectory };
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

    fn look(&mut self, state: &State<M>, step: Option<f64>) -> Result<(), Failure> {
        if let Some(watch) = &mut self.watch {
            watch.look(self.system, state.time, &state.configuration, step.is_some())?;
        }
        if let Some(h) = step {
            let is_explicit = self.method.newton_iterations().is_none();
            let diverged = |divergence| Failure::Diverged { time: state.time, divergence };
            self.growth.look(self.system, state, h, is_explicit).map_err(diverged)?;
        }
        if step.is_some() || self.watch.is_some() {
            self.good.clone_from(state);
        }
        Ok(())
    }

    fn explain(&self, failure: Failure, state: State<M>) -> (Failure, State<M>) {
        match failure {
            Failure::Step(error) => {
                let is_explicit = self.method.newton_iterations().is_none();
                match self.growth.explain(self.system, &state, &error, is_explicit) {
                    Some(divergence) => (Failure::Diverged { time: state.time, divergence }, self.growth.calm.clone()),
                    None => (Failure::Step(error), state),
                }
            }
            Failure::Diverged { .. } => (failure, self.growth.calm.clone()),
            Failure::OffConstraints { .. } => (failure, self.good.clone()),
            _ => (failure, state),
        }
    }

    /// Replaces λ and v' by those of the index-1 system where that is asked for or better.
    fn complete(&mut self, state: &mut State<M>, part: f64) -> Result<(), Failure> {
        if !self.full_order && part >= SHORT_SAMPLE {
            return Ok(());
        }
        self.consistent.accelerations(self.system, state).map_err(|error| match error {
            ConsistencyError::Failed(failure) => Failure::Step(StepError { time: state.time, step: 0.0, failure }),
            error => Failure::InitialValues(error),
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
        statistics.position_residual = self.watch.as_ref().map_or(0.0, |watch| watch.largest);
        statistics.linear_solves = self.method.linear_solves();
        statistics.newton_iterations = self.method.newton_iterations();
    }
}
