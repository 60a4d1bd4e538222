//! The error of a run that ended before its end time, with its results.

use super::trajectory::Trajectory;
use crate::integrator::Problem;
use crate::messages::counted;
use crate::simulate::event::DualToPlain;
use crate::simulate::failure::Failure;

/// The error of a simulation that did not reach its end time. It contains all computed results.
#[derive(thiserror::Error)]
#[error("{failure}{}", self.progress())]
pub struct SimulationError<P: Problem> {
    /// The reason.
    pub failure: Failure,
    /// The recorded states and the statistics so far; empty without a first step.
    pub trajectory: Trajectory<P>,
    /// The last good state, recorded or not; `None` without a first step.
    pub last: Option<P::State>,
}

crate::messages::debug_is_the_message!([P: Problem] SimulationError<P>);

impl<P: Problem> SimulationError<P> {
    /// The numbers of steps and recorded states.
    fn progress(&self) -> String {
        if self.last.is_none() {
            return String::new();
        }
        let Trajectory { states, statistics, .. } = &self.trajectory;
        let (steps, states) = (counted(statistics.accepted, "step"), counted(states.len(), "state"));
        format!("; {steps} accepted, {states} recorded")
    }

    /// Converts the states to another problem.
    pub(crate) fn into_plain<Q: Problem>(self, by: &mut DualToPlain<'_, P, Q>) -> SimulationError<Q> {
        let last = self.last.map(&mut *by.states);
        SimulationError { failure: self.failure, trajectory: self.trajectory.into_plain(by), last }
    }

    /// A simulation that did not make its first step.
    pub(in crate::simulate) fn before_the_first_step(failure: Failure, method: &'static str) -> Box<Self> {
        Box::new(SimulationError { failure, trajectory: Trajectory::new(method), last: None })
    }
}
