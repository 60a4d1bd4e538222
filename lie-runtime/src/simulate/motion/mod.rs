//! What a run asks of the states of a problem, and of those who look after a motion: mechanical systems answer in one file, equations of
//! first order in another.

mod first_order;
mod mechanical;
mod monitor;
mod simulated;

pub(crate) use mechanical::SHORT_SAMPLE;
pub use monitor::MotionMonitor;
pub(super) use simulated::ScalarOf;
pub use simulated::{Motion, Simulated};
