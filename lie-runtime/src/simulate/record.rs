//! What is kept of the states that pass.

use super::error::Failure;
use super::run::Problem;
use super::settings::{Observer, Settings};
use crate::field::FirstOrder;
use crate::integrator::{FieldState, State};
use crate::system::MechanicalSystem;

/// A state at a time.
pub(super) trait Timed: Clone {
    fn time(&self) -> f64;
    fn set_time(&mut self, time: f64);
}

impl<M: MechanicalSystem> Timed for State<M> {
    fn time(&self) -> f64 {
        self.time
    }
    fn set_time(&mut self, time: f64) {
        self.time = time;
    }
}

impl<F: FirstOrder> Timed for FieldState<F> {
    fn time(&self) -> f64 {
        self.time
    }
    fn set_time(&mut self, time: f64) {
        self.time = time;
    }
}

/// Records, samples and shows states.
pub(super) struct Recorder<'a, S> {
    /// Record every so many steps; `None` if only samples are asked for.
    every: Option<usize>,
    /// Sample times in order, the next one at `next`.
    samples: Vec<f64>,
    next: usize,
    observers: Vec<Observer<'a, S>>,
    sample: S,
}

impl<'a, S: Timed> Recorder<'a, S> {
    /// The recorder of a run from `state`.
    pub fn of(settings: Settings<'a, S>, state: &S) -> Self {
        let only_samples = settings.samples.is_some() && settings.record_every.is_none();
        let mut samples = settings.samples.unwrap_or_default();
        samples.sort_by(f64::total_cmp);
        samples.dedup();
        Recorder {
            every: (!only_samples).then(|| settings.record_every.unwrap_or(1)),
            samples,
            next: 0,
            observers: settings.observers,
            sample: state.clone(),
        }
    }

    /// Takes the initial state.
    pub fn first<P>(&mut self, problem: &mut P, state: &S, states: &mut Vec<S>) -> Result<(), Failure>
    where
        P: Problem<State = S>,
    {
        self.show(state);
        self.next = self.samples.iter().take_while(|&&time| time <= state.time()).count();
        if self.next > 0 || self.every.is_some() { keep(problem, state, 1.0, states) } else { Ok(()) }
    }

    /// Takes the step that led from `from` to `to`, the `count`-th; `is_last` where no other follows.
    pub fn step<P>(
        &mut self,
        problem: &mut P,
        (from, to): (&S, &S),
        count: usize,
        is_last: bool,
        states: &mut Vec<S>,
    ) -> Result<(), Failure>
    where
        P: Problem<State = S>,
    {
        let h = to.time() - from.time();
        let coincide = 1e-9 * h;
        let mut sampled = None;
        while let Some(&time) = self.samples.get(self.next).filter(|&&time| time <= to.time() + coincide) {
            self.next += 1;
            if time >= to.time() - coincide {
                // The grid point, under the time that was asked for.
                sampled = Some(time);
                continue;
            }
            problem.sample(from, to, time, &mut self.sample).map_err(Failure::Step)?;
            self.sample.set_time(time);
            keep(problem, &self.sample, (time - from.time()) / h, states)?;
        }
        self.show(to);
        if sampled.is_some() || self.every.is_some_and(|every| is_last || count.is_multiple_of(every)) {
            keep(problem, to, 1.0, states)?;
            if let (Some(time), Some(record)) = (sampled, states.last_mut()) {
                record.set_time(time);
            }
        }
        Ok(())
    }

    fn show(&mut self, state: &S) {
        for observer in &mut self.observers {
            observer(state);
        }
    }
}

/// Records a state that comes after this `part` of a step.
fn keep<P: Problem>(problem: &mut P, state: &P::State, part: f64, states: &mut Vec<P::State>) -> Result<(), Failure> {
    let mut record = state.clone();
    problem.complete(&mut record, part)?;
    states.push(record);
    Ok(())
}
