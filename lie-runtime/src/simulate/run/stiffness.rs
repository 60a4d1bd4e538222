//! Detection of stiff systems in error-controlled runs of explicit methods.
//!
//! The step of an explicit method is limited by accuracy or by stability. In units of the fastest motion, h ω, the stability limit of methods
//! of order 4 and 5 is between 1 (undamped) and 3.4 (damped). If steps stay at this limit while the present motion is much slower,
//! |v'| / |v| ≪ ω, the fast motion has decayed, and the system is stiff (Hairer and Wanner, Solving Ordinary Differential Equations II,
//! section IV.2).

use crate::simulate::motion::{Motion, Simulated};

/// Number of accepted steps between two checks. A check costs 33 evaluations of the equations.
const INTERVAL: u32 = 256;
/// Number of successive checks with stiff steps that cause a warning.
const CHECKS: u32 = 4;
/// Smallest h ω of a step that is limited by stability.
const STABILITY: f64 = 0.8;
/// Smallest ratio of ω to the rate of the present motion.
const SEPARATION: f64 = 10.0;

/// Counts the stiff steps of a run.
#[derive(Default)]
pub(super) struct StiffnessMonitor {
    steps: u32,
    stiff: u32,
}

/// The rates of a stiff system.
pub(super) struct StiffStep {
    /// The rate of the fastest motion.
    pub rate: f64,
    /// The rate of the present motion.
    pub motion: f64,
}

impl StiffnessMonitor {
    /// Records an accepted step of size h to `state`; `rate` evaluates the rate of the fastest motion. Returns the rates once, when enough
    /// steps were stiff.
    pub fn record<P: Simulated>(
        &mut self,
        state: &P::State,
        h: f64,
        rate: impl FnOnce(&P::State) -> Option<f64>,
    ) -> Option<StiffStep> {
        self.steps += 1;
        if self.stiff >= CHECKS || !self.steps.is_multiple_of(INTERVAL) {
            return None;
        }
        let (speed, change) = state.speed();
        let motion = change / speed;
        let found = rate(state).filter(|rate| rate * h > STABILITY && *rate > SEPARATION * motion);
        self.stiff = if found.is_some() { self.stiff + 1 } else { 0 };
        found.filter(|_| self.stiff == CHECKS).map(|rate| StiffStep { rate, motion })
    }
}
