//! Whether error control has come to stand at a force that jumps.
//!
//! Dry friction at rest, a relay: the force jumps by Δ at a place that the motion is driven to from both sides. A step of size h
//! that crosses the jump has an error of about h Δ, of whatever order the method is, and a tolerance ε lets pass h = ε / Δ: the
//! run neither fails nor ends. Explicit methods take as small steps in stiff systems, honestly. What lies between the two
//! states of a step tells them apart, a [jump](crate::simulate::hazards::Jump) or none. The time is held, so that inputs may jump, and the motion has
//! to have crossed the jump both ways: one that is passed costs some small steps, and no more.

use crate::simulate::hazards::Jump;

/// So many attempts are looked at as one.
const WINDOW: u32 = 1000;
/// At the pace of the last ones so many more to the end are a run that does not end.
const ENDLESS: f64 = 1e8;
/// Steps that are then looked at for a jump.
const LOOKS: u32 = 64;

/// The pace of an error-controlled run.
pub(super) struct Pace {
    attempts: u32,
    /// The time at which the last window has begun.
    since: f64,
    /// The attempts to the end at its pace.
    left: f64,
    looks: u32,
    jumps: Vec<Jump>,
}

impl Pace {
    pub fn from(time: f64) -> Self {
        Pace { attempts: 0, since: time, left: 0.0, looks: 0, jumps: Vec::new() }
    }

    /// Notes an attempt that has led to a time; true if the run does not come to its end and the step is to be looked at.
    pub fn creeps(&mut self, time: f64, end: f64) -> bool {
        self.attempts += 1;
        if self.attempts == WINDOW {
            self.left = f64::from(WINDOW) * (end - time) / (time - self.since);
            (self.attempts, self.since) = (0, time);
            self.jumps.clear();
            self.looks = if self.left > ENDLESS { LOOKS } else { 0 };
        }
        self.looks = self.looks.saturating_sub(1);
        self.looks > 0
    }

    /// Notes the jump of a step; the number of steps to the end and the jump if the motion has crossed it both ways.
    pub fn crosses(&mut self, jump: Jump) -> Option<(f64, Jump)> {
        let back = |other: &Jump| other.component == jump.component && (other.size < 0.0) != (jump.size < 0.0);
        let is_crossed_back = self.jumps.iter().any(back);
        self.jumps.push(jump);
        is_crossed_back.then_some((self.left, jump))
    }
}
