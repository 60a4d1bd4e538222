//! What is kept of the states that pass.

use core::ops::ControlFlow;

use super::stepper::Stepper;
use super::{COINCIDE, round_off};
use crate::integrator::{Problem, Solution};
use crate::simulate::failure::Failure;
use crate::simulate::motion::Simulated;
use crate::simulate::setup::Settings;

/// Which states are recorded, unless only samples are asked for.
#[derive(Clone, Copy)]
pub(super) enum RecordRule {
    /// This one, samples or not: an event ends the run there.
    Always,
    /// This one, samples or not: an event leads to another one at the same time.
    Cut,
    /// The last one of a run.
    Last,
    /// The one after so many steps, if its turn has come.
    Counted(usize),
}

/// Records, samples and shows states.
pub(super) struct Recorder<'a, P: Problem> {
    /// Record every so many steps; `None` if only samples are asked for.
    every: Option<usize>,
    /// Sample times in order, the next one at `next`.
    samples: Vec<f64>,
    next: usize,
    observer: &'a mut dyn FnMut(&P::State) -> ControlFlow<()>,
    sample: P::State,
}

impl<'a, P: Simulated> Recorder<'a, P> {
    /// The recorder of a run from `state`.
    pub fn of(settings: Settings, observer: &'a mut dyn FnMut(&P::State) -> ControlFlow<()>, state: &P::State) -> Self {
        let every = settings.samples_alone().is_none().then(|| settings.output_every.unwrap_or(1));
        let mut samples = settings.samples.unwrap_or_default();
        samples.sort_by(f64::total_cmp);
        Recorder { every, samples, next: 0, observer, sample: state.clone() }
    }

    /// Takes the initial state; says whether the run goes on.
    pub fn first(
        &mut self,
        stepper: &mut Stepper<'_, P>,
        state: &P::State,
        states: &mut Vec<P::State>,
    ) -> Result<ControlFlow<()>, Failure> {
        let goes_on = (self.observer)(state);
        self.next = self.samples.iter().take_while(|&&time| time <= state.time()).count();
        for _ in 0..self.next.max(usize::from(self.every.is_some() || goes_on.is_break())) {
            keep(stepper, state, 1.0, states)?;
        }
        Ok(goes_on)
    }

    /// Takes the step that led from `from` to `to`, to be kept as it says. Says whether the run goes on; the state
    /// at which it does not is recorded.
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
            keep(stepper, &self.sample, (time - from.time()) / h, states)?;
        }
        stepper.account_for_step(to);
        let goes_on = (self.observer)(to);
        let is_counted = goes_on.is_break()
            || match kept {
                RecordRule::Always | RecordRule::Cut => true,
                RecordRule::Last => self.every.is_some(),
                RecordRule::Counted(count) => self.every.is_some_and(|every| count.is_multiple_of(every)),
            };
        if is_counted && self.samples.get(self.next).is_none_or(|&time| time > to.time() + coincide) {
            keep(stepper, to, 1.0, states)?;
        }
        // What is behind an event is asked of the state there.
        let latest = if matches!(kept, RecordRule::Cut) { to.time() } else { to.time() + coincide };
        self.keep_for_samples(stepper, to, latest, states)?;
        Ok(goes_on)
    }

    /// Takes the state that an event in a step of about this size has led to.
    pub fn change(
        &mut self,
        stepper: &mut Stepper<'_, P>,
        state: &P::State,
        h: f64,
        states: &mut Vec<P::State>,
    ) -> Result<(), Failure> {
        keep(stepper, state, 1.0, states)?;
        self.keep_for_samples(stepper, state, state.time() + coinciding(state.time(), h), states)
    }

    /// Records a state under the times that were asked for, up to the latest.
    fn keep_for_samples(
        &mut self,
        stepper: &mut Stepper<'_, P>,
        state: &P::State,
        latest: f64,
        states: &mut Vec<P::State>,
    ) -> Result<(), Failure> {
        while let Some(&time) = self.samples.get(self.next).filter(|&&time| time <= latest) {
            self.next += 1;
            keep(stepper, state, 1.0, states)?;
            if let Some(record) = states.last_mut() {
                record.set_time(time);
            }
        }
        Ok(())
    }
}

/// Times that are as near to that of the end of a step of size h are the same.
fn coinciding(time: f64, h: f64) -> f64 {
    (COINCIDE * h).max(round_off(time))
}

/// Records a state that comes after this `part` of a step.
pub(super) fn keep<P: Simulated>(
    stepper: &mut Stepper<'_, P>,
    state: &P::State,
    part: f64,
    states: &mut Vec<P::State>,
) -> Result<(), Failure> {
    stepper.look(state, None)?;
    let mut record = state.clone();
    stepper.complete(&mut record, part)?;
    stepper.account_for_record(&record);
    states.push(record);
    Ok(())
}
