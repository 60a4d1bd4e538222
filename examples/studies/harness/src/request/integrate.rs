//! From a request to its outcome: the same for mechanical systems and for fields.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

use lie_runtime::by_name::{AnyProblem, ByNameError, RunRecord, RunRequest};
use lie_runtime::integrator::StepController;
use lie_runtime::simulate::{Failure, Sample, write_csv, write_npz};
use lie_runtime::system::Value;

use super::{Outcome, Recording, Request, Step};
use crate::settings::UsageError;

/// Tolerances that no step fails to meet are the asked for ones times this.
const ANYTHING: f64 = 1e30;

impl Request {
    /// The request for the runtime.
    fn by_name(&self, options: Vec<(&'static str, String)>) -> RunRequest {
        let run = RunRequest::new().method(&self.method).end_time(self.end).output_times(&self.samples);
        let run = options.into_iter().fold(run, |run, (name, value)| run.option(name, value));
        let run = match self.step {
            Step::Fixed(step) => run.step(step),
            Step::Controlled { relative, absolute } => run.rtol(relative).atol(absolute),
            Step::Estimated { step, relative, absolute } => {
                let tolerances = StepController::new(relative * ANYTHING, absolute * ANYTHING);
                run.step_controller(tolerances.maximum_step(step)).initial_step(step)
            }
        };
        let run = if let Recording::Every(steps) = self.recording { run.output_every(steps) } else { run };
        if self.progress { run.progress_bar() } else { run }
    }

    /// Runs a simulation, evaluates and exports the results.
    ///
    /// # Errors
    /// [`UsageError`] if nothing could be started; a run that fails on its way is an [`Outcome`].
    pub(crate) fn run(
        &self,
        problem: &dyn AnyProblem,
        options: Vec<(&'static str, String)>,
    ) -> Result<Outcome, UsageError> {
        let (record, failure) = match problem.run(&self.by_name(options)) {
            Ok(record) => (record, None),
            Err(ByNameError::Run { failure, record, .. }) => match *failure {
                Failure::Setup(_) | Failure::InitialValues(_) => return Err(UsageError::new(failure.to_string())),
                failure => (*record, Some(failure.to_string())),
            },
            Err(error) => return Err(error.into()),
        };
        let RunRecord { method, samples: states, mut steps, statistics, .. } = record;
        if let Step::Estimated { .. } = self.step {
            for record in &mut steps {
                record.error *= ANYTHING;
            }
        }
        let mut samples: Vec<Sample> = self.samples.iter().filter_map(|&at| nearest(&states, at)).cloned().collect();
        // Where a run breaks off is worth as much as the samples before.
        let last = states.last().filter(|last| failure.is_some() && samples.iter().all(|sample| sample.t < last.t));
        samples.extend(last.cloned());
        let files = self.export(&|| Box::new(states.iter().map(Sample::record)))?;
        Ok(Outcome {
            method,
            notation: problem.notation(),
            dof: problem.dimension(),
            constraints: problem.constraint_rows(),
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
            history: match self.recording {
                Recording::Every(_) if self.folder.is_none() => states,
                _ => Vec::new(),
            },
            steps,
            failure,
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
fn nearest(states: &[Sample], time: f64) -> Option<&Sample> {
    let distance = |sample: &&Sample| (sample.t - time).abs();
    let nearest = states.iter().min_by(|first, second| distance(first).total_cmp(&distance(second)));
    nearest.filter(|sample| distance(sample) <= 1e-9 * time.abs())
}
