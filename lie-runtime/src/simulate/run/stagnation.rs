//! Whether error control has come to stand at a force that jumps.
//!
//! Dry friction at rest, a relay: the force jumps by Δ at a place that the motion is driven to from both sides. A step of size h
//! that crosses the jump has an error of about h Δ, of whatever order the method is, and a tolerance ε lets pass h = ε / Δ: the
//! run neither fails nor ends. Explicit methods take as small steps in stiff systems, honestly. The way ahead
//! of a step tells them apart, a [jump](crate::simulate::singularities::Discontinuity) or none: the states may all be on one side of it. The time is held, so that
//! inputs may jump, and the motion has to come to the jump again and again: one that is passed costs some small steps, and no more.

use crate::simulate::singularities::Discontinuity;

/// So many attempts are looked at as one, at first.
const WINDOW: u32 = 1000;
/// At the pace of the last ones so many more to the end may be those of a run that stalls.
const ENDLESS: f64 = 1e5;
/// Steps that are then looked at for a jump.
const LOOKS: u32 = 64;
/// A motion that comes to a jump in as many of them is held there.
const MEETINGS: u32 = 8;
/// It makes at most so many steps in between. One that comes by the jump again and again, as a pendulum with dry friction does, makes more.
const APART: u32 = 4;

/// The pace of an error-controlled run.
pub(super) struct StagnationMonitor {
    /// The attempts of this window, and its length.
    attempts: u32,
    window: u32,
    /// The time at which the last window has begun.
    since: f64,
    /// The attempts to the end at its pace.
    left: f64,
    looks: u32,
    /// How often the motion has come to a jump, and the steps since.
    meetings: u32,
    since_meeting: u32,
}

impl StagnationMonitor {
    pub fn from(time: f64) -> Self {
        StagnationMonitor {
            attempts: 0,
            window: WINDOW,
            since: time,
            left: 0.0,
            looks: 0,
            meetings: 0,
            since_meeting: 0,
        }
    }

    /// Notes an attempt that has led to a time; true if the run does not come to its end and the step is to be looked at.
    pub fn creeps(&mut self, time: f64, end: f64) -> bool {
        self.attempts += 1;
        if self.attempts == self.window {
            self.left = f64::from(self.window) * (end - time) / (time - self.since);
            (self.attempts, self.since) = (0, time);
            self.meetings = 0;
            self.looks = if self.left > ENDLESS { LOOKS } else { 0 };
            // A run of many honest steps is looked at less and less often.
            if self.looks > 0 {
                self.window = self.window.saturating_mul(2);
            }
        }
        self.looks = self.looks.saturating_sub(1);
        self.looks > 0
    }

    /// Notes the jump ahead of a step; the number of steps to the end and the jump if the motion is held there.
    pub fn meets(&mut self, jump: Option<Discontinuity>) -> Option<(f64, Discontinuity)> {
        self.since_meeting += 1;
        if self.since_meeting > APART {
            self.meetings = 0;
        }
        let jump = jump?;
        (self.meetings, self.since_meeting) = (self.meetings + 1, 0);
        (self.meetings >= MEETINGS).then_some((self.left, jump))
    }
}
