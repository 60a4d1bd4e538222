//! What a run is told before it starts: how far, in which steps, at which cost, with which initial values and tolerances; and what is not
//! sound in that.

mod error;
mod limits;
mod settings;

pub use error::SetupError;
pub use limits::{LimitReached, Limits};
pub use settings::Options;
pub(super) use settings::{CONSTRAINT_TOLERANCE, check_resolution};
pub(crate) use settings::{Numbers, Plan, Settings, StepSize};
