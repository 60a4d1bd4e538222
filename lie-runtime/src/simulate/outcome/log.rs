//! Changes of the system during a run.

use std::sync::Arc;

use crate::integrator::Problem;
use crate::simulate::controller::{Controller, Hold, SampledInputs};
use crate::simulate::delay::Delays;
use crate::simulate::event::SystemMap;

/// Controller outputs and systems after events, for the evaluation of recorded states.
pub(in crate::simulate) struct RunLog<P: Problem> {
    pub samples: Vec<SampledInputs>,
    /// The systems after events, each with the index of the first recorded state after the event.
    pub changes: Vec<(usize, Arc<P::System>)>,
    /// The output times in order, if only these were requested.
    pub samples_alone: Option<Vec<f64>>,
    hold: Option<Hold<P>>,
    /// The system of the run, if it has inputs with dead time.
    delayed: Option<Arc<P::System>>,
}

impl<P: Problem> RunLog<P> {
    /// Creates the log of a run without a controller.
    pub fn none() -> Self {
        RunLog { samples: Vec::new(), changes: Vec::new(), samples_alone: None, hold: None, delayed: None }
    }

    pub fn of(controller: &Controller<'_, P>) -> Self {
        let copy = |delays: &Delays<P>| Arc::from((delays.functions.copy)(&controller.system));
        RunLog { hold: Some(controller.hold), delayed: controller.delays.as_ref().map(copy), ..RunLog::none() }
    }

    /// Sets the function that holds the outputs of a controller.
    #[cfg(feature = "precompiled")]
    pub fn with_hold(self, hold: Option<Hold<P>>) -> Self {
        RunLog { hold, ..self }
    }

    /// Converts the log to another problem, without the function that holds the outputs of a controller.
    pub fn into_plain<Q: Problem>(self, systems: &SystemMap<'_, P, Q>) -> RunLog<Q> {
        // As for `converted`, `collect` would reuse the allocation.
        let mut changes = Vec::new();
        for (first, system) in self.changes {
            changes.extend(systems(&system).map(|system| (first, system)));
        }
        RunLog { samples: self.samples, changes, samples_alone: self.samples_alone, ..RunLog::none() }
    }

    /// Calls `show` with the system at a recorded state: after the events before it and with the controller output of the step to it.
    pub fn with_system<R>(
        &self,
        system: &P::System,
        (number, time): (usize, f64),
        show: impl FnOnce(&P::System) -> R,
    ) -> R {
        let changed = self.changes.partition_point(|(first, _)| *first <= number);
        let system = self.delayed.as_deref().unwrap_or(system);
        let system = changed.checked_sub(1).map_or(system, |last| &*self.changes[last].1);
        let after = self.samples.partition_point(|sample| sample.time < time);
        match (self.samples.get(after.saturating_sub(1)), self.hold) {
            (Some(sample), Some(hold)) => show(&hold(system, &sample.numbers)),
            _ => show(system),
        }
    }
}

impl<P: Problem> Clone for RunLog<P> {
    fn clone(&self) -> Self {
        RunLog {
            samples: self.samples.clone(),
            changes: self.changes.clone(),
            samples_alone: self.samples_alone.clone(),
            hold: self.hold,
            delayed: self.delayed.clone(),
        }
    }
}
