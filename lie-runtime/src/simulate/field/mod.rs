//! Simulations of equations of first order.

mod start;
mod trajectory;

use std::time::Instant;

use super::builder::StepSize;
use super::error::{Failure, SetupError};
use super::pace::{self, Paced};
use super::progress::Progress;
use super::trajectory::{Statistics, StepRecord};
use crate::field::FirstOrder;
use crate::group::TangentVector;
use crate::integrator::{FieldIntegrator, FieldState, LocalEstimate, MuntheKaas, StepController, StepError};

pub use start::FieldStart;
pub use trajectory::{FieldSimulationError, FieldTrajectory};

/// Called with every state.
type Observer<'a, F> = Box<dyn FnMut(&FieldState<F>) + 'a>;

/// A simulation of an equation of first order, to be described and run like a [`Simulation`](super::Simulation).
///
/// The method is [`MuntheKaas::rkmk54`] and time starts at zero unless something else is said.
pub struct FieldSimulation<'a, F: FirstOrder, I = MuntheKaas> {
    system: &'a F::System,
    initial: FieldState<F>,
    integrator: I,
    end: Option<f64>,
    size: Option<StepSize>,
    initial_step: Option<f64>,
    record_every: Option<usize>,
    samples: Option<Vec<f64>>,
    observers: Vec<Observer<'a, F>>,
    progress: bool,
}

impl<'a, F: FirstOrder, I> FieldSimulation<'a, F, I> {
    /// Integrates by this method.
    pub fn with<J: FieldIntegrator<F>>(self, integrator: J) -> FieldSimulation<'a, F, J> {
        FieldSimulation {
            system: self.system,
            initial: self.initial,
            integrator,
            end: self.end,
            size: self.size,
            initial_step: self.initial_step,
            record_every: self.record_every,
            samples: self.samples,
            observers: self.observers,
            progress: self.progress,
        }
    }

    /// Starts at this time instead of zero.
    #[must_use]
    pub fn from_time(mut self, start: f64) -> Self {
        self.initial.time = start;
        self
    }

    /// Ends at this time, hit exactly.
    #[must_use]
    pub fn until(mut self, end: f64) -> Self {
        self.end = Some(end);
        self
    }

    /// Steps of this size; the last one is shortened where the end asks for it.
    #[must_use]
    pub fn step(mut self, h: f64) -> Self {
        self.size = Some(StepSize::Fixed(h));
        self
    }

    /// Steps whose estimated error is at most `absolute` + `relative` times the length of the step (paper 3, section 4).
    ///
    /// With a relative tolerance of zero this is the algorithm of paper 3, its tolerance `absolute`.
    #[must_use]
    pub fn tolerance(self, relative: f64, absolute: f64) -> Self {
        self.controlled_by(StepController::new(relative, absolute))
    }

    /// Steps whose size is chosen by this controller; its tolerances are used as in [`tolerance`](Self::tolerance).
    #[must_use]
    pub fn controlled_by(mut self, controller: StepController) -> Self {
        self.size = Some(StepSize::Controlled(controller));
        self
    }

    /// The size of the first error-controlled step; by default it follows from a trial step.
    #[must_use]
    pub fn initial_step(mut self, h: f64) -> Self {
        self.initial_step = Some(h);
        self
    }

    /// Records the first state, every n-th after it, and the last; by default every state.
    #[must_use]
    pub fn record_every(mut self, steps: usize) -> Self {
        self.record_every = Some(steps);
        self
    }

    /// Records the states at these times, and no others unless [`record_every`](Self::record_every) is said too; a sample
    /// between two steps is a step of its own from the earlier one.
    #[must_use]
    pub fn sample_at(mut self, times: &[f64]) -> Self {
        self.samples.get_or_insert_default().extend_from_slice(times);
        self
    }

    /// Shows the initial state and every step's to `observer`.
    #[must_use]
    pub fn observe(mut self, observer: impl FnMut(&FieldState<F>) + 'a) -> Self {
        self.observers.push(Box::new(observer));
        self
    }

    /// Draws a progress bar if the run takes more than a second and standard error is a terminal.
    #[must_use]
    pub fn with_progress(mut self) -> Self {
        self.progress = true;
        self
    }
}

impl<F: FirstOrder, I: FieldIntegrator<F>> FieldSimulation<'_, F, I> {
    /// Runs the simulation.
    ///
    /// # Errors
    /// [`FieldSimulationError`] with the trajectory so far and the last good state.
    pub fn run(self) -> Result<FieldTrajectory<F>, Box<FieldSimulationError<F>>> {
        let clock = Instant::now();
        let mut trajectory = FieldTrajectory {
            states: Vec::new(),
            statistics: Statistics::default(),
            steps: Vec::new(),
            method: self.integrator.id(),
        };
        let failed = |failure, trajectory| Err(Box::new(FieldSimulationError { failure, trajectory, last: None }));
        let (end, size) = match self.check() {
            Ok(checked) => checked,
            Err(error) => return failed(Failure::Setup(error), trajectory),
        };
        let FieldSimulation { system, initial: mut state, integrator, initial_step, .. } = self;
        let mut workspace = integrator.workspace(system, &state);
        if let Err(error) = integrator.start(system, &mut state, &mut workspace) {
            return failed(Failure::Step(error), trajectory);
        }
        let only_samples = self.samples.is_some() && self.record_every.is_none();
        let mut samples = self.samples.unwrap_or_default();
        samples.sort_by(f64::total_cmp);
        samples.dedup();
        let next_sample = samples.partition_point(|&time| time <= state.time);
        let is_recorded = next_sample > 0 || !only_samples;
        if is_recorded {
            trajectory.states.push(state.clone());
        }
        let mut run = Run {
            system,
            integrator,
            workspace,
            start: state.time,
            end,
            every: (!only_samples).then(|| self.record_every.unwrap_or(1)),
            samples,
            next_sample,
            observers: self.observers,
            sample: state.clone(),
            next: state.clone(),
            current: state,
            trajectory,
            progress: Progress::new(self.progress),
        };
        run.show();
        let outcome = pace::run(&mut run, &size, initial_step);
        run.progress.finish();
        run.trajectory.statistics.newton_iterations = run.integrator.newton_iterations(&run.workspace);
        run.trajectory.statistics.seconds = clock.elapsed().as_secs_f64();
        match outcome {
            Ok(()) => Ok(run.trajectory),
            Err(failure) => {
                Err(Box::new(FieldSimulationError { failure, trajectory: run.trajectory, last: Some(run.current) }))
            }
        }
    }

    /// Checks all that can be known before the first step.
    fn check(&self) -> Result<(f64, StepSize), SetupError> {
        let start = self.initial.time;
        if !start.is_finite() {
            return Err(SetupError::NotFinite { value: "time" });
        }
        if !F::is_finite(self.system, &self.initial.point) {
            return Err(SetupError::NotFinite { value: "point" });
        }
        let end = super::builder::checked_end(start, self.end)?;
        let estimates = self.integrator.estimate_order().is_some();
        let size = self.size.ok_or(SetupError::NoStep)?;
        super::builder::check_size(&size, end - start, estimates, self.integrator.id())?;
        super::builder::check_records(self.initial_step, self.record_every, self.samples.as_deref(), start, end)?;
        Ok((end, size))
    }
}

/// A motion on its way.
struct Run<'a, F: FirstOrder, I: FieldIntegrator<F>> {
    system: &'a F::System,
    integrator: I,
    workspace: I::Workspace,
    current: FieldState<F>,
    next: FieldState<F>,
    sample: FieldState<F>,
    start: f64,
    end: f64,
    /// Record every so many steps; `None` if only samples are asked for.
    every: Option<usize>,
    samples: Vec<f64>,
    next_sample: usize,
    observers: Vec<Observer<'a, F>>,
    trajectory: FieldTrajectory<F>,
    progress: Progress,
}

impl<F: FirstOrder, I: FieldIntegrator<F>> Run<'_, F, I> {
    fn show(&mut self) {
        for observer in &mut self.observers {
            observer(&self.current);
        }
    }
}

impl<F: FirstOrder, I: FieldIntegrator<F>> Paced for Run<'_, F, I> {
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
        let Run { system, integrator, current, next, workspace, .. } = self;
        let LocalEstimate { error, increment } = integrator.step_with_estimate(system, current, h, next, workspace)?;
        Ok(error / (controller.absolute_tolerance + controller.relative_tolerance * increment))
    }
    fn lower_order(&self) -> usize {
        let order = self.integrator.order();
        self.integrator.estimate_order().map_or(order, |auxiliary| auxiliary.min(order))
    }
    /// One step of unit length takes 1 / |f|.
    fn speed(&self) -> (f64, f64) {
        (1.0, self.current.direction.max_norm())
    }
    fn log(&mut self) -> (&mut Vec<StepRecord>, &mut Statistics) {
        (&mut self.trajectory.steps, &mut self.trajectory.statistics)
    }
    fn accept(&mut self, time: f64) -> Result<(), Failure> {
        self.next.time = time;
        let statistics = &mut self.trajectory.statistics;
        statistics.accepted += 1;
        let count = statistics.accepted;
        let coincide = 1e-9 * (time - self.current.time);
        let mut sampled = None;
        while let Some(&sample) = self.samples.get(self.next_sample).filter(|&&sample| sample <= time + coincide) {
            self.next_sample += 1;
            if sample >= time - coincide {
                // The grid point, under the time that was asked for.
                sampled = Some(sample);
                continue;
            }
            let h = sample - self.current.time;
            self.integrator
                .step(self.system, &self.current, h, &mut self.sample, &mut self.workspace)
                .map_err(Failure::Step)?;
            self.sample.time = sample;
            self.trajectory.states.push(self.sample.clone());
        }
        core::mem::swap(&mut self.current, &mut self.next);
        self.show();
        if sampled.is_some() || self.every.is_some_and(|every| time >= self.end || count.is_multiple_of(every)) {
            let mut record = self.current.clone();
            record.time = sampled.unwrap_or(time);
            self.trajectory.states.push(record);
        }
        self.progress.at((time - self.start) / (self.end - self.start));
        Ok(())
    }
}
