//! Events that have taken place.

use core::fmt;
use std::sync::Arc;

use super::impact::Impulse;
use super::telling::Telling;
use crate::integrator::Problem;
use crate::simulate::failure::{EventError, Failure};

/// An event that has taken place.
pub struct Occurrence<P: Problem> {
    /// The name of the event.
    pub event: String,
    /// When.
    pub time: f64,
    /// How the time changes with what a run on [dual numbers](crate::scalar::Dual) is differentiated by; zero of other runs.
    pub time_slope: f64,
    /// True if its function was rising.
    pub rising: bool,
    /// The state there, before the event has changed anything.
    pub before: P::State,
    /// The state that the event has made of it, if it changes states.
    pub after: Option<P::State>,
    /// The system that it has left, if it changes systems: to [go on](crate::simulate::Start::restart_from) from there.
    pub system: Option<Arc<P::System>>,
    /// The impulses of its impacts, in order: those of one problem, where several events are at one instant.
    pub impulses: Vec<Impulse>,
    /// The other events of its group, those that act within round-off of the same instant: their actions saw one state and one system,
    /// `before`, and have together led to `after`.
    pub simultaneous: Vec<String>,
    /// How it was found.
    pub(crate) location: Location,
}

/// How an event was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Location {
    /// Its number among those that are looked for.
    pub event: usize,
    /// The size of the step that it is in.
    pub step: f64,
    /// The largest value that its function has had.
    pub scale: f64,
}

impl<P: Problem> Occurrence<P> {
    /// What goes wrong at the event, told after the run.
    pub(crate) fn failed(&self, error: EventError) -> Failure {
        Failure::Event { event: self.event.clone(), time: self.time, error: Box::new(error) }
    }

    /// The same, its states and its system told as those of another problem.
    pub(crate) fn told<Q: Problem>(self, by: &mut Telling<'_, P, Q>) -> Occurrence<Q> {
        Occurrence {
            event: self.event,
            time: self.time,
            time_slope: self.time_slope,
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
            time_slope: self.time_slope,
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
