//! Result of a run: trajectory, samples, statistics, dense output, and the reason for early termination.

mod dense_output;
mod error;
mod log;
mod sample;
mod statistics;
mod trajectory;

pub use dense_output::DenseOutputError;
pub use error::SimulationError;
pub(super) use log::RunLog;
pub use sample::{Energy, Residual, Sample, Sampled};
pub use statistics::{Statistics, StepRecord};
pub use trajectory::Trajectory;
