//! Who stops a run that costs too much.

use std::time::Instant;

use crate::simulate::setup::{LimitReached, Limits};

/// The clock is looked at about as often.
const SECONDS: f64 = 0.05;

/// A step that takes longer is announced, s.
const SLOW: f64 = 2.0;

/// The limits of a run on its way.
pub(super) struct RunLimits {
    limits: Limits,
    clock: Instant,
    /// Steps between two looks at the clock, and the step of the next one.
    interval: u64,
    next: u64,
    /// The time of the last look.
    last: f64,
    /// True once a slow step was announced.
    is_announced: bool,
}

impl RunLimits {
    pub fn new(limits: Limits, clock: Instant) -> Self {
        RunLimits { limits, clock, interval: 1, next: 1, last: clock.elapsed().as_secs_f64(), is_announced: false }
    }

    /// Checks the limits before the step that comes after `steps` others, with so many bytes of records. Returns the time of a step if it
    /// is the first slow one.
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
