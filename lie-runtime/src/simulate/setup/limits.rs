//! What a run may cost.

use core::fmt;

/// What a run may cost at most; the defaults are far beyond any run that is meant.
///
/// ```
/// use lie_runtime::simulate::Limits;
///
/// let an_hour = Limits { seconds: 3600.0, ..Limits::default() };
/// assert_eq!(an_hour.steps, 1_000_000_000_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Steps, rejected ones included; by default 10¹².
    pub steps: u64,
    /// Wall-clock time of the run in seconds, by default a week.
    pub seconds: f64,
    /// Memory for recorded states and steps in bytes, by default 8 GiB.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 1_000_000_000_000, seconds: 7.0 * 86_400.0, bytes: 8 << 30 }
    }
}

/// A limit that a run has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum LimitReached {
    /// So many steps.
    Steps(u64),
    /// So many seconds.
    Seconds(f64),
    /// So many bytes of recorded states.
    Bytes(u64),
}

impl fmt::Display for LimitReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LimitReached::Steps(steps) => {
                write!(f, "{steps} steps; say `.limits(Limits {{ steps: …, ..Limits::default() }})`")
            }
            LimitReached::Seconds(seconds) => {
                write!(f, "{seconds} seconds; say `.limits(Limits {{ seconds: …, ..Limits::default() }})`")
            }
            LimitReached::Bytes(bytes) => write!(
                f,
                "{bytes} bytes of recorded states; record fewer by `.output_every(n)` or `.output_times(&times)`, or say \
                 `.limits(Limits {{ bytes: …, ..Limits::default() }})`"
            ),
        }
    }
}
