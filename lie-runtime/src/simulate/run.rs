//! The loop over the steps.

use std::time::Instant;

use super::builder::{Initial, Simulation, StepSize};
use super::consistent::ConsistentValues;
use super::error::{Failure, SimulationError};
use super::progress::Progress;
use super::record::Recorder;
use super::trajectory::{StepRecord, Trajectory};
use crate::integrator::{Decision, Integrator, LocalError, State, StepController};
use crate::system::MechanicalSystem;

/// A motion on its way.
struct Run<'a, M: MechanicalSystem, I: Integrator<M>> {
    system: &'a M,
    integrator: I,
    workspace: I::Workspace,
    current: State<M>,
    next: State<M>,
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
        current: state,
        trajectory,
        progress: Progress::new(simulation.progress),
    };
    let outcome = run.recorder.first(system, &run.current, &mut run.trajectory.states).and_then(|()| match size {
        Some(StepSize::Fixed(h)) => run.fixed(h),
        Some(StepSize::Controlled(controller)) => run.controlled(&controller, initial_step),
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

impl<M: MechanicalSystem, I: Integrator<M>> Run<'_, M, I> {
    /// Steps of size h; the last one shorter if the end is not a multiple of it.
    fn fixed(&mut self, h: f64) -> Result<(), Failure> {
        let start = self.current.time;
        let ratio = (self.end - start) / h;
        let rounded = ratio.round();
        // An end that is a multiple of h up to the round-off of the division.
        let even = rounded >= 1.0 && (ratio - rounded).abs() <= 1e-9 + 4.0 * f64::EPSILON * rounded;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        // Checked: not negative, under 2^53.
        let count = if even { rounded } else { ratio.ceil() } as usize;
        for n in 1..=count {
            let time = if n == count { self.end } else { start + n as f64 * h };
            let step = if n < count || even { h } else { time - self.current.time };
            self.integrator
                .step(self.system, &self.current, step, &mut self.next, &mut self.workspace)
                .map_err(Failure::Step)?;
            self.accept(time)?;
        }
        Ok(())
    }

    /// Steps whose size follows from their error.
    fn controlled(&mut self, controller: &StepController, initial_step: Option<f64>) -> Result<(), Failure> {
        let start = self.current.time;
        let mut error = LocalError::of(self.system);
        let order = self.integrator.order();
        let lower_order = self.integrator.estimate_order().map_or(order, |embedded| embedded.min(order));
        let mut h = match initial_step {
            Some(h) => h.min(controller.maximum_step),
            None => self.trial(controller, lower_order, &mut error),
        };
        let mut rejections = 0;
        while self.current.time < self.end {
            let time = self.current.time;
            let remaining = self.end - time;
            // A last step up to 1 % longer than asked for is better than one that is next to nothing.
            let is_last = 1.01 * h >= remaining;
            let step = if is_last { remaining } else { h };
            let attempt = self.integrator.step_with_estimate(
                self.system,
                &self.current,
                step,
                &mut self.next,
                &mut error,
                &mut self.workspace,
            );
            let (indicator, cause) = match attempt {
                Ok(()) => (controller.error_norm(&self.current, &self.next, &error), None),
                Err(failed) if failed.failure.may_pass_with_smaller_step() => (f64::NAN, Some(failed.failure)),
                Err(failed) => return Err(Failure::Step(failed)),
            };
            let decision = controller.decide(indicator, step, lower_order);
            let accepted = matches!(decision, Decision::Accept { .. });
            self.trajectory.steps.push(StepRecord { time, step, error: indicator, accepted });
            match decision {
                Decision::Accept { next } => {
                    rejections = 0;
                    self.accept(if is_last { self.end } else { time + step })?;
                    h = next;
                }
                Decision::Reject { next } => {
                    self.trajectory.statistics.rejected += 1;
                    rejections += 1;
                    h = next;
                    // A singularity that no smaller step removes is told as such.
                    if rejections > controller.maximum_rejections {
                        return Err(Failure::TooManyRejections { time, step, rejections, error: indicator, cause });
                    }
                }
            }
            let minimum = controller.minimum_step.max(16.0 * f64::EPSILON * self.current.time.abs().max(start.abs()));
            if h < minimum && self.current.time < self.end {
                let time = self.current.time;
                return Err(Failure::StepTooSmall { time, step: h, minimum, error: indicator, cause });
            }
        }
        Ok(())
    }

    /// The size of the first step, from the error of a trial step of one part in 1000 of the time that v' takes to
    /// change v; a trial that fails leaves the choice to the rejections.
    fn trial(&mut self, controller: &StepController, lower_order: usize, error: &mut LocalError<M>) -> f64 {
        use crate::group::TangentVector;

        let span = self.end - self.current.time;
        let (speed, change) = (self.current.velocity.max_norm(), self.current.acceleration.max_norm());
        let guess = if speed > 0.0 && change > 0.0 { 1e-2 * speed / change } else { 1e-3 * span };
        let h = guess.min(1e-2 * span).min(controller.maximum_step).max(controller.minimum_step);
        let attempt = self.integrator.step_with_estimate(
            self.system,
            &self.current,
            h,
            &mut self.next,
            error,
            &mut self.workspace,
        );
        let wide = StepController { smallest_factor: 1e-6, largest_factor: 1e3, ..*controller };
        let factor = match attempt {
            Ok(()) => wide.factor(controller.error_norm(&self.current, &self.next, error), lower_order),
            Err(_) => controller.smallest_factor,
        };
        (h * factor).min(span).min(controller.maximum_step).max(controller.minimum_step)
    }

    /// Makes the step just computed the current state, at `time`.
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
