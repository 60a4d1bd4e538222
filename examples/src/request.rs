//! One run: what is asked for and what comes of it.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

use lie_runtime::field::{FieldReport, FirstOrder};
use lie_runtime::integrator::{FieldIntegrator, FieldState, Integrator, State, StepController};
use lie_runtime::simulate::{Failure, FieldSimulation, FieldSimulationError, Statistics, StepRecord};
use lie_runtime::simulate::{Simulation, SimulationError, Trajectory, write_csv, write_npz};
use lie_runtime::system::Value;

use crate::example::{Model, Problem};
use crate::sample::Sample;
use crate::settings::{Settings, UsageError};

/// A run to be made.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method's identifier.
    pub method: String,
    /// The steps.
    pub step: Step,
    /// The end time.
    pub end: f64,
    /// The times of the samples.
    pub samples: Vec<f64>,
    /// What is kept besides the samples.
    pub recording: Recording,
    /// The folder for the trajectory.
    pub folder: Option<PathBuf>,
    /// What the user has set.
    pub settings: Settings,
    /// A progress bar on long runs.
    pub progress: bool,
}

/// How long a step is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// This long.
    Fixed(f64),
    /// As long as the estimated error allows.
    Controlled {
        /// The relative tolerance.
        relative: f64,
        /// The absolute tolerance.
        absolute: f64,
    },
    /// This long, with the estimated error of each step in units of these tolerances.
    Estimated {
        /// The size.
        step: f64,
        /// The relative tolerance.
        relative: f64,
        /// The absolute tolerance.
        absolute: f64,
    },
}

/// Tolerances that no step fails to meet are the asked for ones times this.
const ANYTHING: f64 = 1e30;

/// Which steps are recorded besides the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recording {
    /// None.
    Samples,
    /// The first state, every n-th and the last.
    Every(usize),
}

impl Request {
    /// A run of `method` with steps of size `step` up to `end`, sampled there.
    pub fn fixed(method: &str, step: f64, end: f64) -> Self {
        Request {
            method: method.to_owned(),
            step: Step::Fixed(step),
            end,
            samples: vec![end],
            recording: Recording::Samples,
            folder: None,
            settings: Settings::default(),
            progress: false,
        }
    }

    /// An error-controlled run of `method` up to `end`, sampled there, of which every step is recorded.
    pub fn controlled(method: &str, relative: f64, absolute: f64, end: f64) -> Self {
        let request = Request { step: Step::Controlled { relative, absolute }, ..Request::fixed(method, end, end) };
        request.every(1)
    }

    /// Sets a parameter or an option.
    ///
    /// # Errors
    /// [`UsageError`] if it is set already.
    pub fn with(mut self, name: &str, value: &str) -> Result<Self, UsageError> {
        self.settings.insert(name, value)?;
        Ok(self)
    }

    /// Records every n-th step besides.
    #[must_use]
    pub fn every(mut self, steps: usize) -> Self {
        self.recording = Recording::Every(steps);
        self
    }

    /// Integrates `problem`.
    ///
    /// # Errors
    /// [`UsageError`] if nothing could be started; a run that fails on its way is an [`Outcome`].
    pub(crate) fn integrate<M: Model, I: Integrator<M>>(
        &self,
        problem: Problem<M>,
        integrator: I,
    ) -> Result<Outcome, UsageError> {
        let Problem { system, configuration, velocity } = problem;
        let mut simulation = Simulation::of(&system)
            .starting_at(configuration, velocity)
            .with(integrator)
            .until(self.end)
            .sample_at(&self.samples);
        simulation = match self.step {
            Step::Fixed(step) => simulation.step(step),
            Step::Controlled { relative, absolute } => simulation.tolerance(relative, absolute),
            Step::Estimated { step, relative, absolute } => {
                let tolerances = StepController::new(relative * ANYTHING, absolute * ANYTHING);
                simulation.controlled_by(StepController { maximum_step: step, ..tolerances }).initial_step(step)
            }
        };
        if let Recording::Every(steps) = self.recording {
            simulation = simulation.record_every(steps);
        }
        if self.progress {
            simulation = simulation.with_progress();
        }
        let (mut trajectory, failure, last) = match simulation.run() {
            Ok(trajectory) => (trajectory, None, None),
            Err(error) => {
                let SimulationError { failure, trajectory, last } = *error;
                if let Failure::Setup(_) | Failure::InitialValues(_) = failure {
                    return Err(UsageError::new(failure.to_string()));
                }
                (trajectory, Some(failure.to_string()), last)
            }
        };
        if let Step::Estimated { .. } = self.step {
            for record in &mut trajectory.steps {
                record.error *= ANYTHING;
            }
        }
        self.conclude(&system, trajectory, failure, last)
    }

    /// Evaluates and exports what was computed.
    fn conclude<M: Model>(
        &self,
        system: &M,
        mut trajectory: Trajectory<M>,
        failure: Option<String>,
        last: Option<State<M>>,
    ) -> Result<Outcome, UsageError> {
        let mut samples: Vec<Sample> = self
            .samples
            .iter()
            .filter_map(|&time| nearest(&trajectory.states, |state| state.time, time))
            .map(|state| Sample::of(system, state))
            .collect();
        if let Some(last) = last {
            // Where a run breaks off is worth as much as the samples before.
            if samples.iter().all(|sample| sample.t < last.time) {
                samples.push(Sample::of(system, &last));
            }
            if trajectory.states.last().is_none_or(|state| state.time < last.time) {
                trajectory.states.push(last);
            }
        }
        let files = self.export(|| trajectory.states.iter().map(|state| Sample::of(system, state).record()))?;
        let history = match self.recording {
            Recording::Every(_) if self.folder.is_none() => {
                trajectory.states.iter().map(|state| Sample::of(system, state)).collect()
            }
            _ => Vec::new(),
        };
        let figures = Figures { method: trajectory.method, statistics: trajectory.statistics, steps: trajectory.steps };
        let size = [system.dof(), system.constraint_rows()];
        Ok(self.outcome(figures, system.description().group.to_owned(), size, samples, history, failure, files))
    }
}

impl Request {
    /// Writes what was recorded into the folder, if one is given.
    fn export<R: Iterator<Item = Value>>(&self, records: impl Fn() -> R) -> Result<Vec<PathBuf>, UsageError> {
        let Some(folder) = &self.folder else {
            return Ok(Vec::new());
        };
        let unwritable =
            |error: &dyn core::fmt::Display| UsageError::new(format!("`--out {}`: {error}", folder.display()));
        std::fs::create_dir_all(folder).map_err(|error| unwritable(&error))?;
        let (table, archive) = (folder.join("trajectory.csv"), folder.join("trajectory.npz"));
        let create = |path| File::create(path).map(BufWriter::new).map_err(|error| unwritable(&error));
        write_csv(records(), create(&table)?).map_err(|error| unwritable(&error))?;
        write_npz(records(), create(&archive)?).map_err(|error| unwritable(&error))?;
        Ok(vec![table, archive])
    }

    /// Integrates a field from `point`.
    ///
    /// # Errors
    /// [`UsageError`] if nothing could be started; a run that fails on its way is an [`Outcome`].
    pub(crate) fn integrate_field<F, I>(
        &self,
        system: &F::System,
        point: F::Point,
        integrator: I,
    ) -> Result<Outcome, UsageError>
    where
        F: FirstOrder<System: Sized + FieldReport<F::Point>, Scalar = f64>,
        I: FieldIntegrator<F>,
    {
        let mut simulation = FieldSimulation::<F>::reading(system)
            .starting_at(point)
            .with(integrator)
            .until(self.end)
            .sample_at(&self.samples);
        simulation = match self.step {
            Step::Fixed(step) => simulation.step(step),
            Step::Controlled { relative, absolute } => simulation.tolerance(relative, absolute),
            Step::Estimated { step, relative, absolute } => {
                let tolerances = StepController::new(relative * ANYTHING, absolute * ANYTHING);
                simulation.controlled_by(StepController { maximum_step: step, ..tolerances }).initial_step(step)
            }
        };
        if let Recording::Every(steps) = self.recording {
            simulation = simulation.record_every(steps);
        }
        if self.progress {
            simulation = simulation.with_progress();
        }
        let (mut trajectory, failure, last) = match simulation.run() {
            Ok(trajectory) => (trajectory, None, None),
            Err(error) => {
                let FieldSimulationError { failure, trajectory, last } = *error;
                if let Failure::Setup(_) = failure {
                    return Err(UsageError::new(failure.to_string()));
                }
                (trajectory, Some(failure.to_string()), last)
            }
        };
        if let Step::Estimated { .. } = self.step {
            for record in &mut trajectory.steps {
                record.error *= ANYTHING;
            }
        }
        let sample = |state: &FieldState<F>| Sample::of_field(system, state.time, &state.point);
        let mut samples: Vec<Sample> = self
            .samples
            .iter()
            .filter_map(|&time| nearest(&trajectory.states, |state| state.time, time))
            .map(sample)
            .collect();
        if let Some(last) = last {
            // Where a run breaks off is worth as much as the samples before.
            if samples.iter().all(|sample| sample.t < last.time) {
                samples.push(sample(&last));
            }
            if trajectory.states.last().is_none_or(|state| state.time < last.time) {
                trajectory.states.push(last);
            }
        }
        let files = self.export(|| trajectory.states.iter().map(|state| sample(state).record()))?;
        let history = match self.recording {
            Recording::Every(_) if self.folder.is_none() => trajectory.states.iter().map(sample).collect(),
            _ => Vec::new(),
        };
        let trajectory =
            Figures { method: trajectory.method, statistics: trajectory.statistics, steps: trajectory.steps };
        Ok(self.outcome(trajectory, system.notation(), [system.dimension(), 0], samples, history, failure, files))
    }

    /// What was computed, with what it cost.
    #[allow(clippy::too_many_arguments)] // The members of an outcome.
    fn outcome(
        &self,
        figures: Figures,
        notation: String,
        [dof, constraints]: [usize; 2],
        samples: Vec<Sample>,
        history: Vec<Sample>,
        failure: Option<String>,
        files: Vec<PathBuf>,
    ) -> Outcome {
        let Figures { method, statistics, steps } = figures;
        Outcome {
            method,
            notation,
            dof,
            constraints,
            step: match self.step {
                Step::Fixed(step) | Step::Estimated { step, .. } => Some(step),
                Step::Controlled { .. } => None,
            },
            accepted: statistics.accepted,
            rejected: statistics.rejected,
            linear_solves: statistics.linear_solves,
            newton_iterations: statistics.newton_iterations,
            seconds: statistics.seconds,
            samples,
            history,
            steps,
            failure,
            files,
        }
    }
}

/// What is known of a run besides its states.
struct Figures {
    method: &'static str,
    statistics: Statistics,
    steps: Vec<StepRecord>,
}

/// The state recorded at `time`, up to the round-off of adding up steps.
fn nearest<T>(states: &[T], at: impl Fn(&T) -> f64, time: f64) -> Option<&T> {
    states
        .iter()
        .min_by(|first, second| (at(first) - time).abs().total_cmp(&(at(second) - time).abs()))
        .filter(|state| (at(state) - time).abs() <= 1e-9 * time.abs())
}

/// What a run has computed.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The method's identifier.
    pub method: &'static str,
    /// The group in the field's notation.
    pub notation: String,
    /// The dimension of the group.
    pub dof: usize,
    /// The number of constraint rows.
    pub constraints: usize,
    /// The step size if it is fixed.
    pub step: Option<f64>,
    /// Steps that count.
    pub accepted: usize,
    /// Steps that were repeated.
    pub rejected: usize,
    /// Linear systems solved.
    pub linear_solves: u64,
    /// The mean number of Newton iterations a step; none of explicit methods.
    pub newton_iterations: Option<f64>,
    /// Wall-clock time of the integration, s.
    pub seconds: f64,
    /// The samples in the order asked for.
    pub samples: Vec<Sample>,
    /// The recorded steps, unless they went to files.
    pub history: Vec<Sample>,
    /// Every attempted step of an error-controlled run.
    pub steps: Vec<StepRecord>,
    /// Why the run ended before its time.
    pub failure: Option<String>,
    /// The files written.
    pub files: Vec<PathBuf>,
}
