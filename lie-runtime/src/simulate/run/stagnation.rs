//! Detection of error-controlled runs that stagnate at a force discontinuity.
//!
//! Examples are Coulomb friction at rest and relays: the force has a discontinuity Δ at a position to which the motion is driven from both
//! sides. A step of size h across the discontinuity has an error of about h Δ for a method of any order. A tolerance ε therefore permits h
//! = ε / Δ, and the run neither fails nor ends.
//!
//! Explicit methods also take small steps in stiff systems. The two cases are distinguished by a search for a
//! [discontinuity](crate::simulate::singularities::Discontinuity) along the next step; the computed states may all lie on one side of it.
//! The time is held constant because inputs may be discontinuous. The motion must encounter the discontinuity repeatedly: a discontinuity
//! that is crossed costs only a few small steps.

use crate::simulate::singularities::Discontinuity;

/// Initial number of attempts in a window.
const WINDOW: u32 = 1000;
/// A run may stagnate if it needs more than this number of further attempts at its current pace.
const ENDLESS: f64 = 1e5;
/// Number of steps that are then searched for a discontinuity.
const SEARCHES: u32 = 64;
/// A motion is held at a discontinuity that it encounters this many times.
const ENCOUNTERS: u32 = 8;
/// Largest number of steps between two encounters. A motion that passes the discontinuity repeatedly, such as a pendulum with Coulomb
/// friction, makes more steps.
const LARGEST_GAP: u32 = 4;

/// The pace of an error-controlled run.
pub(super) struct StagnationMonitor {
    /// The attempts in this window, and its length.
    attempts: u32,
    window: u32,
    /// The time at the beginning of the window.
    since: f64,
    /// The estimated number of attempts to the end.
    left: f64,
    searches: u32,
    /// Number of encounters with a discontinuity, and the steps since the last one.
    encounters: u32,
    since_encounter: u32,
}

impl StagnationMonitor {
    pub fn from(time: f64) -> Self {
        StagnationMonitor {
            attempts: 0,
            window: WINDOW,
            since: time,
            left: 0.0,
            searches: 0,
            encounters: 0,
            since_encounter: 0,
        }
    }

    /// Records an attempt that has reached a time. Returns true if the run makes no progress and the step must be searched for a
    /// discontinuity.
    pub fn record_attempt(&mut self, time: f64, end: f64) -> bool {
        self.attempts += 1;
        if self.attempts == self.window {
            self.left = f64::from(self.window) * (end - time) / (time - self.since);
            (self.attempts, self.since) = (0, time);
            self.encounters = 0;
            self.searches = if self.left > ENDLESS { SEARCHES } else { 0 };
            // The interval between searches increases for long runs.
            if self.searches > 0 {
                self.window = self.window.saturating_mul(2);
            }
        }
        self.searches = self.searches.saturating_sub(1);
        self.searches > 0
    }

    /// Records the result of a search along the next step. Returns the number of steps to the end and the discontinuity if it holds the
    /// motion.
    pub fn record_search(&mut self, jump: Option<Discontinuity>) -> Option<(f64, Discontinuity)> {
        self.since_encounter += 1;
        if self.since_encounter > LARGEST_GAP {
            self.encounters = 0;
        }
        let jump = jump?;
        (self.encounters, self.since_encounter) = (self.encounters + 1, 0);
        (self.encounters >= ENCOUNTERS).then_some((self.left, jump))
    }
}
