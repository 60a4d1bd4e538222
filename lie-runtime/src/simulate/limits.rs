//! What a run may cost, and who may stop it.

use core::fmt;
use core::ops::ControlFlow;
use std::time::Instant;

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
                "{bytes} bytes of recorded states; record fewer by `.record_every(n)` or `.sample_at(&times)`, or say \
                 `.limits(Limits {{ bytes: …, ..Limits::default() }})`"
            ),
        }
    }
}

/// The clock is looked at about as often.
const SECONDS: f64 = 0.05;

/// The limits of a run on its way.
pub(super) struct Brake {
    limits: Limits,
    clock: Instant,
    /// Steps between two looks at the clock, and the step of the next one.
    interval: u64,
    next: u64,
    /// The time of the last look.
    last: f64,
}

impl Brake {
    pub fn new(limits: Limits, clock: Instant) -> Self {
        Brake { limits, clock, interval: 1, next: 1, last: 0.0 }
    }

    /// Looks before the step that comes after `steps` others, with so many bytes of records.
    pub fn check(&mut self, steps: u64, bytes: u64) -> Result<(), LimitReached> {
        if steps >= self.limits.steps {
            return Err(LimitReached::Steps(self.limits.steps));
        }
        if bytes > self.limits.bytes {
            return Err(LimitReached::Bytes(self.limits.bytes));
        }
        if steps < self.next {
            return Ok(());
        }
        let seconds = self.clock.elapsed().as_secs_f64();
        if seconds > self.limits.seconds {
            return Err(LimitReached::Seconds(self.limits.seconds));
        }
        self.interval = if seconds - self.last < SECONDS { 2 * self.interval } else { (self.interval / 2).max(1) };
        self.next = steps.saturating_add(self.interval);
        self.last = seconds;
        Ok(())
    }
}

/// What an observer answers: nothing, or whether the run goes on.
pub trait Answer {
    /// `Break` ends the run.
    fn into_control_flow(self) -> ControlFlow<()>;
}

impl Answer for () {
    fn into_control_flow(self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Answer for ControlFlow<()> {
    fn into_control_flow(self) -> ControlFlow<()> {
        self
    }
}

/// Nobody looks.
pub(super) fn unobserved<S>(_: &S) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Two observers as one; both see every state.
pub(super) fn both<S, A: Answer>(
    mut first: impl FnMut(&S) -> ControlFlow<()>,
    mut second: impl FnMut(&S) -> A,
) -> impl FnMut(&S) -> ControlFlow<()> {
    move |state| {
        let (first, second) = (first(state), second(state).into_control_flow());
        if first.is_break() { first } else { second }
    }
}
