//! What a simulation of an equation of first order leaves.

use core::fmt;

use crate::field::FirstOrder;
use crate::integrator::FieldState;
use crate::simulate::error::Failure;
use crate::simulate::trajectory::{Statistics, StepRecord};

/// The recorded states of an equation of first order and how they were found.
pub struct FieldTrajectory<F: FirstOrder> {
    /// The recorded states in the order of time.
    pub states: Vec<FieldState<F>>,
    /// Counts and time.
    pub statistics: Statistics,
    /// Every attempted step of an error-controlled simulation, in order; empty with a fixed step.
    pub steps: Vec<StepRecord>,
    /// The identifier of the method.
    pub method: &'static str,
    /// The time at which an observer has stopped the run, if one has; the state there is the last one recorded.
    pub stopped: Option<f64>,
}

impl<F: FirstOrder> FieldTrajectory<F> {
    /// The last recorded state.
    pub fn last(&self) -> Option<&FieldState<F>> {
        self.states.last()
    }
}

impl<F: FirstOrder> fmt::Debug for FieldTrajectory<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FieldTrajectory")
            .field("method", &self.method)
            .field("states", &self.states)
            .field("statistics", &self.statistics)
            .finish_non_exhaustive()
    }
}

/// A simulation that did not reach its end; nothing computed is lost.
pub struct FieldSimulationError<F: FirstOrder> {
    /// What went wrong.
    pub failure: Failure,
    /// What has been recorded so far, with statistics; empty if the first step was never made.
    pub trajectory: FieldTrajectory<F>,
    /// The last state that is good, recorded or not; `None` if the first step was never made.
    pub last: Option<FieldState<F>>,
}

impl<F: FirstOrder> FieldSimulationError<F> {
    pub(in crate::simulate) fn before_the_first_step(failure: Failure, method: &'static str) -> Self {
        let (states, steps, statistics) = (Vec::new(), Vec::new(), Statistics::default());
        FieldSimulationError {
            failure,
            trajectory: FieldTrajectory { states, statistics, steps, method, stopped: None },
            last: None,
        }
    }
}

/// As short as the message: it is what `fn main() -> Result<…>` shows.
impl<F: FirstOrder> fmt::Debug for FieldSimulationError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<F: FirstOrder> fmt::Display for FieldSimulationError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.failure.fmt(f)
    }
}

impl<F: FirstOrder> core::error::Error for FieldSimulationError<F> {}
