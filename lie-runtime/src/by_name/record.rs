//! The results of a run without the type of its problem.

use core::fmt;
use std::io::Write;

use crate::integrator::Solution;
use crate::simulate::{
    ColumnError, Columns, ExportError, Failure, ResultTable, Run, Sample, Sampled, Simulated, SimulationError,
    Statistics, StepRecord, Warning, named_record, write_csv,
};

/// The results of a run by name. `Display` prints the summary of the run and its warnings.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RunRecord {
    /// The identifier of the method.
    pub method: &'static str,
    /// The values of the recorded states. The record of a run that failed ends with its last valid state.
    pub samples: Vec<Sample>,
    /// Every attempted step of an error-controlled run; empty with a fixed step.
    pub steps: Vec<StepRecord>,
    /// Cost and accuracy of the run.
    pub statistics: Statistics,
    /// The warnings of the run.
    pub warnings: Vec<Warning>,
    /// The names and times of the events, sorted by time.
    pub events: Vec<(String, f64)>,
    /// The time at which an event stopped the run.
    pub stopped: Option<f64>,
    summary: String,
}

impl RunRecord {
    /// Evaluates all values of a run, and returns the reason and the message of a failure.
    pub(super) fn of<P: Simulated<System: Sampled<P> + Sized>>(
        system: &P::System,
        outcome: Result<Run<'_, P>, Box<SimulationError<P>>>,
    ) -> (Self, Option<(Failure, String)>) {
        let (trajectory, failed) = match outcome {
            Ok(run) => (run.into_trajectory(), None),
            Err(error) => {
                let message = error.to_string();
                let SimulationError { failure, mut trajectory, last } = *error;
                let recorded = trajectory.last().map_or(f64::NEG_INFINITY, Solution::time);
                trajectory.states.extend(last.filter(|last| last.time() > recorded));
                (trajectory, Some((failure, message)))
            }
        };
        let record = RunRecord {
            method: trajectory.method,
            samples: trajectory.samples_of(system).collect(),
            summary: trajectory.summary(),
            events: trajectory.events.into_iter().map(|event| (event.event, event.time)).collect(),
            steps: trajectory.steps,
            statistics: trajectory.statistics,
            warnings: trajectory.warnings,
            stopped: trajectory.stopped,
        };
        (record, failed)
    }

    fn columns(&self) -> Result<Columns, ColumnError> {
        Columns::of_samples(self.samples.iter().cloned())
    }

    /// Returns the values of a column, see [`Run::column`].
    ///
    /// # Errors
    /// [`ColumnError::Unknown`] with the most similar name, or [`ColumnError::Several`] if the name has several values.
    pub fn column(&self, name: &str) -> Result<Vec<f64>, ColumnError> {
        let columns = self.columns()?;
        Ok(columns.values(columns.names.find_one(name)?).collect())
    }

    /// Returns the values of columns, with one row for each recorded state, see [`Run::table`].
    ///
    /// # Errors
    /// [`ColumnError::Unknown`] with the most similar name.
    pub fn table<N: AsRef<str>>(&self, names: impl IntoIterator<Item = N>) -> Result<ResultTable, ColumnError> {
        self.columns()?.table(names)
    }

    /// Writes one line for each recorded state, see [`Run::write_csv`].
    ///
    /// # Errors
    /// [`ExportError`] if the writer fails.
    pub fn write_csv(&self, writer: impl Write) -> Result<(), ExportError> {
        write_csv(self.samples.iter().cloned().map(named_record), writer)
    }
}

impl fmt::Display for RunRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.summary)
    }
}
