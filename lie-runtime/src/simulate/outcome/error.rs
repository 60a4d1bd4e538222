//! A run that ended before its time, with all that it had computed.

use core::fmt;

use super::trajectory::Trajectory;
use crate::integrator::Problem;
use crate::simulate::event::Telling;
use crate::simulate::failure::Failure;

/// A simulation that did not reach its end; nothing computed is lost.
pub struct SimulationError<P: Problem> {
    /// What went wrong.
    pub failure: Failure,
    /// What has been recorded so far, with statistics; empty if the first step was never made.
    pub trajectory: Trajectory<P>,
    /// The last state that is good, recorded or not; `None` if the first step was never made.
    pub last: Option<P::State>,
}

impl<P: Problem> SimulationError<P> {
    /// The same, its states told as those of another problem.
    pub(crate) fn told<Q: Problem>(self, by: &mut Telling<'_, P, Q>) -> SimulationError<Q> {
        let last = self.last.map(&mut *by.states);
        SimulationError { failure: self.failure, trajectory: self.trajectory.told(by), last }
    }

    /// A simulation that did not make its first step.
    pub(in crate::simulate) fn before_the_first_step(failure: Failure, method: &'static str) -> Box<Self> {
        Box::new(SimulationError { failure, trajectory: Trajectory::new(method), last: None })
    }
}

/// As short as the message: it is what `fn main() -> Result<…>` shows.
impl<P: Problem> fmt::Debug for SimulationError<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<P: Problem> fmt::Display for SimulationError<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.failure.fmt(f)?;
        if self.last.is_some() {
            let recorded = self.trajectory.states.len();
            write!(f, "; {} steps were made, {recorded} states are recorded", self.trajectory.statistics.accepted)?;
        }
        Ok(())
    }
}

impl<P: Problem> std::error::Error for SimulationError<P> {}
