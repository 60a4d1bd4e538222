//! Simulations of equations of first order.

use core::fmt;
use std::time::Instant;

use super::builder::StepSize;
use super::error::{Failure, SetupError};
use super::pace::{self, Paced};
use super::progress::Progress;
use super::trajectory::{Statistics, StepRecord};
use crate::field::{Canonical, FirstOrder, HamiltonianSystem, Intrinsic, VectorField};
use crate::group::{LieGroup, TangentVector};
use crate::integrator::{FieldIntegrator, FieldState, LocalEstimate, MuntheKaas, StepController, StepError};
use crate::space::{CoordinateMap, Cotangent};

/// An equation of first order of which it is not yet said where it starts.
pub struct FieldStart<'a, F: FirstOrder> {
    system: &'a F::System,
}

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

impl<'a, F: FirstOrder> FieldSimulation<'a, F> {
    /// Begins the description of a simulation of a system that is read as `F`.
    pub fn reading(system: &'a F::System) -> FieldStart<'a, F> {
        FieldStart { system }
    }
}

impl<'a, V: VectorField> FieldSimulation<'a, Intrinsic<V>> {
    /// Begins the description of a simulation of a vector field.
    #[allow(clippy::new_ret_no_self)] // Where it starts has to be said next.
    pub fn of(field: &'a V) -> FieldStart<'a, Intrinsic<V>> {
        FieldStart { system: field }
    }
}

impl<'a, V: VectorField> FieldStart<'a, Intrinsic<V>> {
    /// Takes local coordinates by the map `C` instead of exp.
    pub fn in_coordinates<C: CoordinateMap<V::Point>>(self, _: C) -> FieldStart<'a, Intrinsic<V, C>> {
        FieldStart { system: self.system }
    }
}

impl<'a, H: HamiltonianSystem> FieldSimulation<'a, Canonical<H>>
where
    <H::Group as LieGroup>::Tangent: LieGroup<Scalar = H::Scalar, Tangent = <H::Group as LieGroup>::Tangent>,
{
    /// Begins the description of a simulation of a Hamiltonian system on T*G.
    pub fn of_hamiltonian(system: &'a H) -> FieldStart<'a, Canonical<H>> {
        FieldStart { system }
    }
}

impl<'a, H: HamiltonianSystem> FieldStart<'a, Canonical<H>>
where
    <H::Group as LieGroup>::Tangent: LieGroup<Scalar = H::Scalar, Tangent = <H::Group as LieGroup>::Tangent>,
{
    /// Starts from a configuration and its momentum as seen from space.
    pub fn starting_from(
        self,
        configuration: H::Group,
        momentum: <H::Group as LieGroup>::Tangent,
    ) -> FieldSimulation<'a, Canonical<H>> {
        self.starting_at(Cotangent { configuration, momentum })
    }
}

impl<'a, F: FirstOrder> FieldStart<'a, F> {
    /// Starts from this point.
    pub fn starting_at(self, point: F::Point) -> FieldSimulation<'a, F> {
        FieldSimulation {
            system: self.system,
            initial: FieldState::at(self.system, 0.0, point),
            integrator: MuntheKaas::rkmk54(),
            end: None,
            size: None,
            initial_step: None,
            record_every: None,
            samples: None,
            observers: Vec::new(),
            progress: false,
        }
    }
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

/// The recorded states of an equation of first order and how they were found.
pub struct FieldTrajectory<F: FirstOrder> {
    /// The recorded states in the order of time.
    pub states: Vec<FieldState<F>>,
    /// Counts and time.
    pub statistics: Statistics,
    /// Every attempted step of an error-controlled simulation, in order; empty with a fixed step.
    pub steps: Vec<StepRecord>,
    /// The identifier of the method.
    pub method: &'static str,
}

impl<F: FirstOrder> FieldTrajectory<F> {
    /// The last recorded state.
    pub fn last(&self) -> Option<&FieldState<F>> {
        self.states.last()
    }
}

impl<F: FirstOrder> fmt::Debug for FieldTrajectory<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FieldTrajectory")
            .field("method", &self.method)
            .field("states", &self.states)
            .field("statistics", &self.statistics)
            .finish_non_exhaustive()
    }
}

/// A simulation that did not reach its end; nothing computed is lost.
pub struct FieldSimulationError<F: FirstOrder> {
    /// What went wrong.
    pub failure: Failure,
    /// What has been recorded so far, with statistics; empty if the first step was never made.
    pub trajectory: FieldTrajectory<F>,
    /// The last state that is good, recorded or not; `None` if the first step was never made.
    pub last: Option<FieldState<F>>,
}

impl<F: FirstOrder> fmt::Debug for FieldSimulationError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FieldSimulationError")
            .field("failure", &self.failure)
            .field("last", &self.last)
            .field("statistics", &self.trajectory.statistics)
            .finish_non_exhaustive()
    }
}

impl<F: FirstOrder> fmt::Display for FieldSimulationError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.failure.fmt(f)
    }
}

impl<F: FirstOrder> core::error::Error for FieldSimulationError<F> {}
