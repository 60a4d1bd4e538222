//! What a run leaves: the recorded states and what they tell, what it has cost, what is worth knowing of it, and why it has ended before
//! its time.

mod dense_output;
mod error;
mod log;
mod sample;
mod statistics;
mod trajectory;

pub use dense_output::BetweenError;
pub use error::SimulationError;
pub(super) use log::Log;
pub use sample::{Energy, Residual, Sample, Sampled};
pub use statistics::{Statistics, StepRecord};
pub use trajectory::Trajectory;
