//! Interface between a run and the states and monitors of a problem, for mechanical systems and first-order equations.

mod first_order;
mod mechanical;
mod mechanical_monitor;
mod monitor;
mod simulated;

pub(crate) use mechanical_monitor::SHORT_SAMPLE;
pub use monitor::MotionMonitor;
pub(super) use simulated::ScalarOf;
pub use simulated::{Motion, Simulated};
