//! Occurrences of events in a run.

use core::fmt;
use std::sync::Arc;

use super::dual_to_plain::DualToPlain;
use super::impact::Impulse;
use crate::integrator::Problem;
use crate::simulate::failure::{EventError, Failure};

/// An occurrence of an event.
pub struct Occurrence<P: Problem> {
    /// The name of the event.
    pub event: String,
    /// The time of the event.
    pub time: f64,
    /// The derivative of the time in a run on [dual numbers](crate::scalar::Dual); zero in other runs.
    #[doc(hidden)]
    pub time_derivative: f64,
    /// True if the sign changed from negative to positive.
    pub rising: bool,
    /// The state at the event, before its action.
    pub before: P::State,
    /// The state after the action; `None` if the event is only recorded.
    pub after: Option<P::State>,
    /// The system after the action, with its parameters, to [restart](crate::simulate::Start::restart_from) from the event; `None` if the
    /// event is only recorded.
    pub system: Option<Arc<P::System>>,
    /// The impulses of the impacts of this event in order, from the joint solution if several events are at one instant.
    pub impulses: Vec<Impulse>,
    /// The other events of its group, within round-off of the same instant. Their actions all saw the state `before`, and together lead to
    /// `after`.
    pub simultaneous: Vec<String>,
    /// The data of its location.
    pub(crate) location: Location,
}

/// The data of the location of an event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Location {
    /// The index of the event in the simulation.
    pub event: usize,
    /// The size of the step that contains the event.
    pub step: f64,
    /// The largest absolute value of its function so far.
    pub scale: f64,
}

impl<P: Problem> Occurrence<P> {
    /// Returns the failure of the run with this error at the event.
    pub(crate) fn failed(&self, error: EventError) -> Failure {
        Failure::Event { event: self.event.clone(), time: self.time, error: Box::new(error) }
    }

    /// Converts the states and the system to another problem.
    pub(crate) fn into_plain<Q: Problem>(self, by: &mut DualToPlain<'_, P, Q>) -> Occurrence<Q> {
        Occurrence {
            event: self.event,
            time: self.time,
            time_derivative: self.time_derivative,
            rising: self.rising,
            before: (by.states)(self.before),
            after: self.after.map(&mut *by.states),
            system: self.system.and_then(|system| (by.systems)(&system)),
            impulses: self.impulses,
            simultaneous: self.simultaneous,
            location: self.location,
        }
    }
}

impl<P: Problem> Clone for Occurrence<P> {
    fn clone(&self) -> Self {
        Occurrence {
            event: self.event.clone(),
            time: self.time,
            time_derivative: self.time_derivative,
            rising: self.rising,
            before: self.before.clone(),
            after: self.after.clone(),
            system: self.system.clone(),
            impulses: self.impulses.clone(),
            simultaneous: self.simultaneous.clone(),
            location: self.location,
        }
    }
}

impl<P: Problem> fmt::Debug for Occurrence<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Occurrence")
            .field("event", &self.event)
            .field("time", &self.time)
            .field("rising", &self.rising)
            .field("before", &self.before)
            .field("after", &self.after)
            .field("impulses", &self.impulses)
            .field("simultaneous", &self.simultaneous)
            .finish_non_exhaustive()
    }
}
