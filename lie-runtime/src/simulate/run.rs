//! A motion on its way, of any kind of problem.

use std::time::Instant;

use super::error::Failure;
use super::pace;
use super::progress::Progress;
use super::record::{Recorder, Timed};
use super::settings::{Plan, Settings};
use super::trajectory::{Statistics, StepRecord};
use crate::integrator::{StepController, StepError};

/// A system and a method for it: all that a run has to know.
pub(super) trait Problem {
    /// A solution at one time.
    type State: Timed;

    /// Tries a step of size h.
    fn step(&mut self, from: &Self::State, h: f64, to: &mut Self::State) -> Result<(), StepError>;
    /// The same, with its error indicator: at most 1 is good.
    fn step_with_estimate(
        &mut self,
        from: &Self::State,
        h: f64,
        to: &mut Self::State,
        controller: &StepController,
    ) -> Result<f64, StepError>;
    /// The state at a time within a step.
    fn sample(
        &mut self,
        from: &Self::State,
        to: &Self::State,
        time: f64,
        out: &mut Self::State,
    ) -> Result<(), StepError>;
    /// Completes a state that is to be recorded, after this `part` of the last step.
    fn complete(&mut self, state: &mut Self::State, part: f64) -> Result<(), Failure> {
        let _ = (state, part);
        Ok(())
    }
    /// The order of the method and that of its estimate, if it has one.
    fn orders(&self) -> (usize, Option<usize>);
    /// The sizes of two quantities whose quotient is a time in which the motion changes.
    fn speed(&self, state: &Self::State) -> (f64, f64);
    /// Counts that the method keeps itself.
    fn count(&self, statistics: &mut Statistics);
}

/// A motion on its way.
pub(super) struct Run<'a, P: Problem> {
    problem: P,
    current: P::State,
    next: P::State,
    start: f64,
    end: f64,
    recorder: Recorder<'a, P::State>,
    states: Vec<P::State>,
    steps: Vec<StepRecord>,
    statistics: Statistics,
    progress: Progress,
}

/// What a run leaves, whether or not it came to its end.
pub(super) struct Outcome<S> {
    pub states: Vec<S>,
    pub steps: Vec<StepRecord>,
    pub statistics: Statistics,
    /// Why the run ended before its time, and the last good state.
    pub failed: Option<(Failure, S)>,
}

/// Runs from `state`, which the method has prepared, to the end; the time began to count at `clock`.
pub(super) fn run<P: Problem>(
    problem: P,
    state: P::State,
    settings: Settings<'_, P::State>,
    plan: &Plan,
    clock: Instant,
) -> Outcome<P::State> {
    let mut run = Run {
        problem,
        next: state.clone(),
        start: state.time(),
        end: plan.end,
        progress: Progress::new(settings.progress),
        recorder: Recorder::of(settings, &state),
        current: state,
        states: Vec::new(),
        steps: Vec::new(),
        statistics: Statistics::default(),
    };
    let outcome = run.begin().and_then(|()| pace::run(&mut run, plan));
    run.progress.finish();
    let Run { problem, current, states, steps, mut statistics, .. } = run;
    problem.count(&mut statistics);
    statistics.seconds = clock.elapsed().as_secs_f64();
    Outcome { states, steps, statistics, failed: outcome.err().map(|failure| (failure, current)) }
}

impl<P: Problem> Run<'_, P> {
    /// Where the motion starts and where it is to end.
    pub fn span(&self) -> (f64, f64) {
        (self.start, self.end)
    }

    /// The time of the current state.
    pub fn time(&self) -> f64 {
        self.current.time()
    }

    /// The sizes of two quantities whose quotient is a time in which the motion changes.
    pub fn speed(&self) -> (f64, f64) {
        self.problem.speed(&self.current)
    }

    /// The lower one of the orders of the pair.
    pub fn lower_order(&self) -> usize {
        let (order, of_estimate) = self.problem.orders();
        of_estimate.map_or(order, |of_estimate| of_estimate.min(order))
    }

    /// Tries a step of size h from the current state.
    pub fn step(&mut self, h: f64) -> Result<(), StepError> {
        self.problem.step(&self.current, h, &mut self.next)
    }

    /// The same, with its error indicator.
    pub fn step_with_estimate(&mut self, h: f64, controller: &StepController) -> Result<f64, StepError> {
        self.problem.step_with_estimate(&self.current, h, &mut self.next, controller)
    }

    /// Notes an attempt of an error-controlled simulation.
    pub fn note(&mut self, attempt: StepRecord) {
        self.statistics.rejected += usize::from(!attempt.accepted);
        self.steps.push(attempt);
    }

    fn begin(&mut self) -> Result<(), Failure> {
        self.recorder.first(&mut self.problem, &self.current, &mut self.states)
    }

    /// Makes the step just tried the current state, at `time`.
    pub fn accept(&mut self, time: f64) -> Result<(), Failure> {
        self.next.set_time(time);
        self.statistics.accepted += 1;
        let (count, is_last) = (self.statistics.accepted, time >= self.end);
        let step = (&self.current, &self.next);
        let recorded = self.recorder.step(&mut self.problem, step, count, is_last, &mut self.states);
        core::mem::swap(&mut self.current, &mut self.next);
        self.progress.at((time - self.start) / (self.end - self.start));
        recorded
    }
}
