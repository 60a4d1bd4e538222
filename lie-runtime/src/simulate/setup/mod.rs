//! Settings of a simulation before its start: interval, steps, cost, initial values, tolerances; and their errors.

mod error;
mod limits;
mod settings;

pub use error::SetupError;
pub use limits::{LimitReached, Limits};
pub use settings::Options;
pub(super) use settings::{CONSTRAINT_TOLERANCE, check_resolution};
pub(crate) use settings::{Plan, Settings, StateSize, StepSize};
