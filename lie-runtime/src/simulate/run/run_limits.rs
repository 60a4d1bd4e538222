//! Enforces the step, time and memory limits of a run.

use std::time::Instant;

use crate::simulate::setup::{LimitReached, Limits};

/// Approximate interval between two readings of the clock, s.
const SECONDS: f64 = 0.05;

/// Duration of a slow step, s. The first slow step causes a warning.
const SLOW: f64 = 2.0;

/// The limits of a run and the state of their checks.
pub(super) struct RunLimits {
    limits: Limits,
    clock: Instant,
    /// Steps between two readings of the clock, and the step of the next reading.
    interval: u64,
    next: u64,
    /// The time of the last reading.
    last: f64,
    /// True after the warning of a slow step.
    is_announced: bool,
}

impl RunLimits {
    pub fn new(limits: Limits, clock: Instant) -> Self {
        RunLimits { limits, clock, interval: 1, next: 1, last: clock.elapsed().as_secs_f64(), is_announced: false }
    }

    /// Checks the limits before a step. `steps` is the number of previous steps and `bytes` the memory of the records. Returns the duration
    /// of a step if it is the first slow step.
    pub fn check(&mut self, steps: u64, bytes: u64) -> Result<Option<f64>, LimitReached> {
        if steps >= self.limits.steps {
            return Err(LimitReached::Steps(self.limits.steps));
        }
        if bytes > self.limits.bytes {
            return Err(LimitReached::Bytes(self.limits.bytes));
        }
        if steps < self.next {
            return Ok(None);
        }
        let seconds = self.clock.elapsed().as_secs_f64();
        if seconds > self.limits.seconds {
            return Err(LimitReached::Seconds(self.limits.seconds));
        }
        let step = (seconds - self.last) / self.interval as f64;
        self.interval = if seconds - self.last < SECONDS { 2 * self.interval } else { (self.interval / 2).max(1) };
        self.next = steps.saturating_add(self.interval);
        self.last = seconds;
        let is_slow = step > SLOW && !self.is_announced;
        self.is_announced |= is_slow;
        Ok(is_slow.then_some(step))
    }
}
