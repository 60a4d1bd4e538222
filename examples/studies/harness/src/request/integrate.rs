//! From a request to its outcome: the same for mechanical systems and for fields.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

use lie_runtime::integrator::{AnyMethod, Solution, StepController};
use lie_runtime::simulate::{
    Failure, Sample, Sampled, Simulated, Simulation, Statistics, StepRecord, write_csv, write_npz,
};
use lie_runtime::system::Value;

use super::{Outcome, Recording, Request, Step};
use crate::settings::UsageError;

/// Tolerances that no step fails to meet are the asked for ones times this.
const ANYTHING: f64 = 1e30;

/// A simulation that has come to an end, be it the one that was asked for or not.
struct Ended<S> {
    method: &'static str,
    states: Vec<S>,
    steps: Vec<StepRecord>,
    statistics: Statistics,
    failure: Option<Failure>,
    last: Option<S>,
}

/// The results of the system in an outcome.
struct Size {
    notation: String,
    dof: usize,
    constraints: usize,
}

/// Runs a simulation as the request has it.
fn run<P: Simulated + 'static>(request: &Request, simulation: Simulation<'_, P, AnyMethod<P>>) -> Ended<P::State> {
    let mut simulation = simulation.end_time(request.end).output_times(&request.samples);
    simulation = match request.step {
        Step::Fixed(step) => simulation.step(step),
        Step::Controlled { relative, absolute } => simulation.rtol(relative).atol(absolute),
        Step::Estimated { step, relative, absolute } => {
            let tolerances = StepController::new(relative * ANYTHING, absolute * ANYTHING);
            simulation.step_controller(tolerances.maximum_step(step)).initial_step(step)
        }
    };
    if let Recording::Every(steps) = request.recording {
        simulation = simulation.output_every(steps);
    }
    if request.progress {
        simulation = simulation.progress_bar();
    }
    let (trajectory, failure, last) = match simulation.run() {
        Ok(run) => (run.into_trajectory(), None, None),
        Err(error) => (error.trajectory, Some(error.failure), error.last),
    };
    Ended {
        method: trajectory.method,
        states: trajectory.states,
        steps: trajectory.steps,
        statistics: trajectory.statistics,
        failure,
        last,
    }
}

impl Request {
    /// Runs a simulation.
    ///
    /// # Errors
    /// [`UsageError`] if nothing could be started; a run that fails on its way is an [`Outcome`].
    pub(crate) fn integrate<P: Simulated<System: Sampled<P> + Sized> + 'static>(
        &self,
        system: &P::System,
        simulation: Simulation<'_, P, AnyMethod<P>>,
    ) -> Result<Outcome, UsageError> {
        let ended = run(self, simulation);
        let size = Size { notation: system.notation(), dof: system.dimension(), constraints: system.rows() };
        self.outcome(ended, size, P::State::time, &|state| system.sample(state))
    }

    /// Evaluates and exports the results.
    fn outcome<S>(
        &self,
        ended: Ended<S>,
        size: Size,
        time: impl Fn(&S) -> f64,
        sample: &dyn Fn(&S) -> Sample,
    ) -> Result<Outcome, UsageError> {
        let Ended { method, mut states, mut steps, statistics, failure, last } = ended;
        if let Some(failure @ (Failure::Setup(_) | Failure::InitialValues(_))) = failure {
            return Err(UsageError::new(failure.to_string()));
        }
        if let Step::Estimated { .. } = self.step {
            for record in &mut steps {
                record.error *= ANYTHING;
            }
        }
        let mut samples: Vec<Sample> =
            self.samples.iter().filter_map(|&at| nearest(&states, &time, at)).map(sample).collect();
        if let Some(last) = last {
            // Where a run breaks off is worth as much as the samples before.
            if samples.iter().all(|sample| sample.t < time(&last)) {
                samples.push(sample(&last));
            }
            if states.last().is_none_or(|state| time(state) < time(&last)) {
                states.push(last);
            }
        }
        let files = self.export(&|| Box::new(states.iter().map(|state| sample(state).record())))?;
        let history = match self.recording {
            Recording::Every(_) if self.folder.is_none() => states.iter().map(sample).collect(),
            _ => Vec::new(),
        };
        let Size { notation, dof, constraints } = size;
        Ok(Outcome {
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
            failure: failure.map(|failure| failure.to_string()),
            files,
        })
    }

    /// Writes the recorded data into the folder, if a folder is given.
    fn export<'r>(
        &self,
        records: &dyn Fn() -> Box<dyn Iterator<Item = Value> + 'r>,
    ) -> Result<Vec<PathBuf>, UsageError> {
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
}

/// The state recorded at `time`, up to the round-off of adding up steps.
fn nearest<S>(states: &[S], at: impl Fn(&S) -> f64, time: f64) -> Option<&S> {
    states
        .iter()
        .min_by(|first, second| (at(first) - time).abs().total_cmp(&(at(second) - time).abs()))
        .filter(|state| (at(state) - time).abs() <= 1e-9 * time.abs())
}
