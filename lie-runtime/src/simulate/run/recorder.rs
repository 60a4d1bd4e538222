//! Recording of states at steps and at output times.

use core::ops::ControlFlow;

use super::stepper::Stepper;
use super::{COINCIDE, round_off};
use crate::integrator::{Problem, Solution};
use crate::simulate::failure::Failure;
use crate::simulate::motion::Simulated;
use crate::simulate::setup::Settings;

/// Recording rule for the state at the end of a step. It applies unless only output times are set.
#[derive(Clone, Copy)]
pub(super) enum RecordRule {
    /// Recorded in any case: an event ends the run at this state.
    Always,
    /// Recorded in any case: an event changes this state.
    Cut,
    /// The last state of a run. It is recorded as well if the list of output times is empty, so that every run has a state.
    Last,
    /// The state after this number of steps; recorded if the number is a multiple of the interval.
    Counted(usize),
}

/// Records states, samples output times and calls the observer.
pub(super) struct Recorder<'a, P: Problem> {
    /// Recording interval in steps; `None` if only output times are set.
    every: Option<usize>,
    /// Output times in order; `next` is the index of the next one.
    samples: Vec<f64>,
    next: usize,
    observer: &'a mut dyn FnMut(&P::State) -> ControlFlow<()>,
    sample: P::State,
}

impl<'a, P: Simulated> Recorder<'a, P> {
    /// Creates the recorder of a run that starts at `state`.
    pub fn of(settings: Settings, observer: &'a mut dyn FnMut(&P::State) -> ControlFlow<()>, state: &P::State) -> Self {
        let every = settings.samples_alone().is_none().then(|| settings.output_every.unwrap_or(1));
        let mut samples = settings.samples.unwrap_or_default();
        samples.sort_by(f64::total_cmp);
        Recorder { every, samples, next: 0, observer, sample: state.clone() }
    }

    /// Processes the initial state, which is the last one if the end time is the start time. Returns `Break` if the observer stops the run.
    pub fn first(
        &mut self,
        stepper: &mut Stepper<'_, P>,
        (state, is_last): (&P::State, bool),
        states: &mut Vec<P::State>,
    ) -> Result<ControlFlow<()>, Failure> {
        let goes_on = (self.observer)(state);
        self.next = self.samples.iter().take_while(|&&time| time <= state.time()).count();
        let is_recorded = self.every.is_some() || goes_on.is_break() || (is_last && self.samples.is_empty());
        for _ in 0..self.next.max(usize::from(is_recorded)) {
            record_state(stepper, state, 1.0, states)?;
        }
        Ok(goes_on)
    }

    /// Processes the step from `from` to `to` with its recording rule. Returns `Break` if the observer stops the run; the last state is
    /// recorded then.
    pub fn step(
        &mut self,
        stepper: &mut Stepper<'_, P>,
        (from, to): (&P::State, &P::State),
        kept: RecordRule,
        states: &mut Vec<P::State>,
    ) -> Result<ControlFlow<()>, Failure> {
        let h = to.time() - from.time();
        let coincide = coinciding(to.time(), h);
        while let Some(&time) = self.samples.get(self.next).filter(|&&time| time < to.time() - coincide) {
            self.next += 1;
            stepper.sample(from, to, time, &mut self.sample).map_err(Failure::Step)?;
            self.sample.set_time(time);
            record_state(stepper, &self.sample, (time - from.time()) / h, states)?;
        }
        stepper.audit_step(to);
        let goes_on = (self.observer)(to);
        let is_counted = goes_on.is_break()
            || match kept {
                RecordRule::Always | RecordRule::Cut => true,
                RecordRule::Last => self.every.is_some() || (self.samples.is_empty() && states.is_empty()),
                RecordRule::Counted(count) => self.every.is_some_and(|every| count.is_multiple_of(every)),
            };
        if is_counted && self.samples.get(self.next).is_none_or(|&time| time > to.time() + coincide) {
            record_state(stepper, to, 1.0, states)?;
        }
        // Output times after an event use the state after the event.
        let latest = if matches!(kept, RecordRule::Cut) { to.time() } else { to.time() + coincide };
        self.record_samples(stepper, to, latest, states)?;
        Ok(goes_on)
    }

    /// Processes the state after an event in a step of approximately this size.
    pub fn change(
        &mut self,
        stepper: &mut Stepper<'_, P>,
        state: &P::State,
        h: f64,
        states: &mut Vec<P::State>,
    ) -> Result<(), Failure> {
        record_state(stepper, state, 1.0, states)?;
        self.record_samples(stepper, state, state.time() + coinciding(state.time(), h), states)
    }

    /// Records a state at all output times up to `latest`.
    fn record_samples(
        &mut self,
        stepper: &mut Stepper<'_, P>,
        state: &P::State,
        latest: f64,
        states: &mut Vec<P::State>,
    ) -> Result<(), Failure> {
        while let Some(&time) = self.samples.get(self.next).filter(|&&time| time <= latest) {
            self.next += 1;
            record_state(stepper, state, 1.0, states)?;
            if let Some(record) = states.last_mut() {
                record.set_time(time);
            }
        }
        Ok(())
    }
}

/// Returns the distance below which a time coincides with the end of a step of size h.
fn coinciding(time: f64, h: f64) -> f64 {
    (COINCIDE * h).max(round_off(time))
}

/// Records a state after this `part` of a step.
pub(super) fn record_state<P: Simulated>(
    stepper: &mut Stepper<'_, P>,
    state: &P::State,
    part: f64,
    states: &mut Vec<P::State>,
) -> Result<(), Failure> {
    stepper.check(state, None)?;
    let mut record = state.clone();
    stepper.complete(&mut record, part)?;
    stepper.audit_record(&record);
    states.push(record);
    Ok(())
}
