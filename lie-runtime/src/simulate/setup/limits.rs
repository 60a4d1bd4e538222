//! Limits of the cost of a run.

use crate::messages::{fewer_states, larger_steps, see};

/// The maximum cost of a run. The defaults exceed the cost of usual runs.
///
/// ```
/// use lie_runtime::simulate::Limits;
///
/// let an_hour = Limits::default().seconds(3600.0);
/// assert_ne!(an_hour, Limits::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// The number of steps, including rejected steps; default 10¹².
    pub(crate) steps: u64,
    /// The wall-clock time of the run in seconds; default one week.
    pub(crate) seconds: f64,
    /// The memory for recorded states and steps in bytes; default 8 GiB.
    pub(crate) bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 1_000_000_000_000, seconds: 7.0 * 86_400.0, bytes: 8 << 30 }
    }
}

crate::setters::setters! {
    Limits {
        /// Sets the number of steps, including rejected steps; default 10¹².
        steps: u64,
        /// Sets the wall-clock time of the run in seconds; default one week.
        seconds: f64,
        /// Sets the memory for recorded states and steps in bytes; default 8 GiB.
        bytes: u64,
    }
}

/// A limit that a run has reached.
#[derive(Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LimitReached {
    /// The number of steps.
    #[error("{} steps; {} {}", .0, larger_steps("steps"), see("limits"))]
    Steps(u64),
    /// The wall-clock time in seconds.
    #[error("{} s of wall-clock time; {} {}", .0, larger_steps("seconds"), see("limits"))]
    Seconds(f64),
    /// The memory of recorded states in bytes.
    #[error(
        "{} bytes of recorded states; {} {}",
        .0,
        fewer_states(),
        see("limits")
    )]
    Bytes(u64),
}

crate::messages::debug_is_the_message!(LimitReached);
