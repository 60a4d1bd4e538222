//! Result of a run: trajectory, samples, statistics, dense output, and the reason for early termination.

mod columns;
mod dense_output;
mod error;
mod interpolation;
mod log;
mod run;
mod sample;
mod statistics;
mod trajectory;

#[cfg(feature = "ensemble")]
pub(crate) use columns::without_section;
pub use columns::{ColumnError, ResultTable};
pub(crate) use columns::{ColumnNames, Columns, named_record};
pub use dense_output::DenseOutputError;
pub use error::SimulationError;
pub(super) use log::RunLog;
pub use run::Run;
pub use sample::{Energy, Residual, Sample, Sampled};
pub use statistics::{Statistics, StepRecord};
pub use trajectory::Trajectory;
