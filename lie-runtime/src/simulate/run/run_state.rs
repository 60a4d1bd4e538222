//! State of a run, for any kind of problem.

use core::ops::ControlFlow;
use std::time::Instant;

use super::event_detection::EventDetector;
use super::progress::Progress;
use super::recorder::{RecordRule, Recorder};
use super::round_off;
use super::run_limits::RunLimits;
use super::stagnation::StagnationMonitor;
use super::stepper::Stepper;
use super::stiffness::{StiffStep, StiffnessMonitor};
use crate::integrator::{Problem, Solution, StepController, StepError, StepFailure};
use crate::simulate::consistent::Consistency;
use crate::simulate::failure::Failure;
use crate::simulate::motion::{Motion, Simulated};
use crate::simulate::outcome::{RunLog, SimulationError, Statistics, StepRecord, Trajectory};
use crate::simulate::setup::{Plan, Settings, StepSize};
use crate::simulate::singularities::SlidingMode;
use crate::simulate::warning::{Announcer, Warning};

/// Number of steps between two checks of a state.
const CHECK_INTERVAL: usize = 32;

/// Number of samples for which memory is reserved at the start. The memory limit of the run may not allow more.
const RESERVED_SAMPLES: usize = 256;

/// Bounds of the tolerance for the polynomial approximation of inputs between two ends of steps.
const SMALLEST: f64 = 1e-12;
const LARGEST: f64 = 1e-4;

/// Relative tolerance, in units of the period, for a sampling instant that coincides with the end.
const COINCIDE: f64 = 1e-9;

/// State of a run.
pub(super) struct RunState<'a, P: Simulated> {
    stepper: Stepper<'a, P>,
    method: &'static str,
    /// The states of a step. They are boxed so that an exchange of large states is cheap.
    current: Box<P::State>,
    next: Box<P::State>,
    start: f64,
    end: f64,
    /// The step size, if it is fixed.
    fixed: Option<f64>,
    /// True after the warning of a force discontinuity that holds the motion.
    has_warned_of_sliding: bool,
    /// True if the attempted step was not made by the method.
    is_bridged: bool,
    /// Number of segments so far.
    segments: u64,
    recorder: Recorder<'a, P>,
    states: Vec<P::State>,
    steps: Vec<StepRecord>,
    statistics: Statistics,
    detector: EventDetector<'a, P>,
    log: RunLog<P>,
    progress: Progress,
    limits: RunLimits,
    /// The warnings so far, and their destination.
    pub warnings: Vec<Warning>,
    announcer: Announcer,
    /// Memory of a recorded state, in bytes.
    bytes: u64,
}

/// Result of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StepResult {
    Complete,
    /// An event has interrupted the step.
    Interrupted,
}

/// Reason for the early end of a run.
pub(super) enum EarlyEnd {
    /// An observer or an event has stopped the run.
    Stopped,
    Failed(Failure),
}

impl From<Failure> for EarlyEnd {
    fn from(failure: Failure) -> Self {
        EarlyEnd::Failed(failure)
    }
}

/// The observer of the states.
type Observer<'a, P> = &'a mut dyn FnMut(&<P as Problem>::State) -> ControlFlow<()>;

impl<'a, P: Simulated> RunState<'a, P> {
    /// Creates a run of a `method` that starts at `state`, which the method has prepared. `clock` is the start of the wall-clock time.
    pub fn of(
        (stepper, method): (Stepper<'a, P>, &'static str),
        state: P::State,
        (settings, observer): (Settings, Observer<'a, P>),
        (detector, log): (EventDetector<'a, P>, RunLog<P>),
        plan: &Plan,
        clock: Instant,
    ) -> Self {
        RunState {
            stepper,
            method,
            next: Box::new(state.clone()),
            start: state.time(),
            end: plan.end,
            fixed: match plan.size {
                StepSize::Fixed(h) => Some(h),
                StepSize::Controlled(_) => None,
            },
            has_warned_of_sliding: false,
            is_bridged: false,
            segments: 0,
            progress: Progress::new(settings.progress),
            limits: RunLimits::new(settings.limits, clock),
            warnings: Vec::new(),
            announcer: settings.announcer.clone(),
            bytes: state.bytes() as u64,
            states: Vec::with_capacity(settings.samples.as_ref().map_or(0, |times| times.len().min(RESERVED_SAMPLES))),
            recorder: Recorder::of(settings, observer, &state),
            current: Box::new(state),
            steps: Vec::new(),
            statistics: Statistics::default(),
            detector,
            log,
        }
    }

    /// Returns the trajectory of a run with these corrections of the initial values.
    ///
    /// # Errors
    /// [`SimulationError`] with the trajectory if the run has failed.
    pub fn into_trajectory(
        mut self,
        ended: Result<(), EarlyEnd>,
        initial: Consistency,
        clock: Instant,
    ) -> Result<Trajectory<P>, Box<SimulationError<P>>> {
        for warning in self.stepper.warnings() {
            self.warn(warning);
        }
        let RunState {
            mut stepper,
            method,
            progress,
            current,
            states,
            steps,
            mut statistics,
            detector,
            log,
            warnings,
            ..
        } = self;
        progress.finish();
        if let Some((delays, _)) = stepper.source.delays() {
            delays.end();
        }
        stepper.count(&mut statistics);
        statistics.seconds = clock.elapsed().as_secs_f64();
        let (stopped, failed) = match ended {
            Ok(()) => (None, None),
            Err(EarlyEnd::Stopped) => (Some(current.time()), None),
            Err(EarlyEnd::Failed(failure)) => (None, Some(stepper.explain(failure, *current))),
        };
        let balances = stepper.audit.map_or_else(Vec::new, |audit| audit.balances);
        let events = detector.occurrences;
        let trajectory =
            Trajectory { states, balances, statistics, steps, initial, method, warnings, stopped, events, log };
        match failed {
            None => Ok(trajectory),
            Some((failure, last)) => Err(Box::new(SimulationError { failure, trajectory, last: Some(last) })),
        }
    }
}

impl<P: Simulated> RunState<'_, P> {
    /// Returns the start time and the end time.
    pub fn span(&self) -> (f64, f64) {
        (self.start, self.end)
    }

    /// Returns the time of the current state.
    pub fn time(&self) -> f64 {
        self.current.time()
    }

    /// Returns the time up to which the controlled inputs are constant: the next sampling instant or the end; `None` at the end. Evaluates
    /// the controller at the beginning of a segment.
    pub fn segment(&mut self) -> Result<Option<f64>, EarlyEnd> {
        if self.time() >= self.end {
            return Ok(None);
        }
        let Some(period) = self.stepper.source.period() else { return Ok(Some(self.end)) };
        if self.segments > 0 {
            let said = self.stepper.ask(&mut self.current)?;
            self.log.samples.extend(said);
        }
        self.segments += 1;
        let next = self.start + self.segments as f64 * period;
        let resolved = (COINCIDE * period).max(round_off(self.end));
        Ok(Some(if next + resolved < self.end { next } else { self.end }))
    }

    /// Returns the latest end of the next steps: `end`, or the next bend of the inputs.
    pub fn smooth_until(&self, end: f64, tolerance: f64) -> f64 {
        let tolerance = tolerance.clamp(SMALLEST, LARGEST);
        let until = self.current.smooth_until(self.stepper.source.system(), end, tolerance).until;
        if until > self.time() { until.min(end) } else { end }
    }

    /// Returns the latest end of the next step: `end`, or a discontinuity of a delayed input, or the longest step.
    pub fn reach(&mut self, end: f64) -> f64 {
        let time = self.time();
        self.stepper.source.delays().map_or(end, |(delays, _)| delays.reach(time, end))
    }

    /// Returns two quantities whose quotient is a characteristic time of the motion.
    pub fn speed(&self) -> (f64, f64) {
        self.current.speed()
    }

    /// Returns the lower order of the embedded pair.
    pub fn lower_order(&self) -> usize {
        let (order, of_estimate) = self.stepper.orders;
        of_estimate.map_or(order, |of_estimate| of_estimate.min(order))
    }

    /// Attempts a step of size h from the current state.
    pub fn step(&mut self, h: f64) -> Result<(), StepError> {
        self.stepper.step(&self.current, h, &mut self.next)
    }

    /// Attempts a step of size h after a shorter one. A method that requires equal steps restarts.
    pub fn step_after_shorter(&mut self, h: f64) -> Result<(), StepError> {
        match self.step(h) {
            Err(StepError { failure: StepFailure::VariableStep { .. }, .. }) => {
                self.current.forget();
                self.step(h)
            }
            made => made,
        }
    }

    /// Makes a very short step.
    pub fn bridge(&mut self, h: f64) -> Result<(), Failure> {
        self.is_bridged = true;
        self.stepper.bridge(&self.current, h, &mut self.next)
    }

    /// Attempts a step of size h with its error indicator.
    pub fn step_with_estimate(&mut self, h: f64, controller: &StepController) -> Result<f64, StepError> {
        self.stepper.step_with_estimate(&self.current, h, &mut self.next, controller)
    }

    /// Records an attempt of an error-controlled simulation.
    pub fn note(&mut self, attempt: StepRecord) {
        self.statistics.rejected += usize::from(!attempt.accepted);
        self.steps.push(attempt);
    }

    /// Processes the initial state.
    pub fn begin(&mut self) -> Result<(), EarlyEnd> {
        let is_last = self.time() >= self.end;
        match self.recorder.first(&mut self.stepper, (&self.current, is_last), &mut self.states)? {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(EarlyEnd::Stopped),
        }
    }

    /// Checks if the last accepted step began at a force discontinuity at which the run stagnates.
    pub fn check_stagnation(&self, stagnation: &mut StagnationMonitor) -> Result<(), Failure> {
        let (from, time) = (&*self.next, self.current.time());
        let step = time - from.time();
        let Some((steps, jump)) = stagnation.record_search(self.stepper.discontinuity_ahead(from, step)) else {
            return Ok(());
        };
        let (member, size) = (self.stepper.member(jump.component), jump.size.abs());
        Err(Failure::Stalled { time, step, steps, member, jump: size })
    }

    /// Warns once of a force discontinuity that holds a motion with fixed steps.
    fn warn_of_sliding_mode(&mut self) {
        let Some(step) = self.fixed.filter(|_| !self.has_warned_of_sliding) else { return };
        let Some(SlidingMode { jump, by, error }) = self.stepper.sliding_mode(&self.current, &self.next) else {
            return;
        };
        self.has_warned_of_sliding = true;
        self.warn(Warning::Chattering {
            time: self.current.time(),
            step,
            member: self.stepper.member(jump.component),
            by,
            jump: jump.size.abs(),
            error,
        });
    }

    /// Warns once if error-controlled steps of an explicit method are limited by stability. The last accepted step had the size h.
    pub fn check_stiffness(&mut self, stiffness: &mut StiffnessMonitor, h: f64) {
        let RunState { stepper, current, .. } = self;
        let found = stiffness.record::<P>(current, h, |state| stepper.fastest_rate(state));
        if let Some(StiffStep { rate, motion }) = found {
            let (method, time) = (self.method, self.time());
            self.warn(Warning::Stiff { method, time, step: h, rate, motion });
        }
    }

    /// Checks the limits of the run before a step.
    pub fn check_limits(&mut self) -> Result<(), Failure> {
        let attempts = self.statistics.accepted + self.statistics.rejected;
        let steps = self.steps.len() * size_of::<StepRecord>();
        let history = self.stepper.source.delays().map_or(0, |(delays, _)| delays.bytes());
        let bytes = self.states.len() as u64 * self.bytes + self.detector.bytes(self.bytes) + steps as u64 + history;
        let time = self.time();
        let seconds = self.limits.check(attempts as u64, bytes).map_err(|limit| Failure::Limit { time, limit })?;
        if let Some(seconds) = seconds {
            let left = self.fixed.map(|h| ((self.end - time) / h).round());
            self.warn(Warning::SlowStep { time, seconds, left });
        }
        Ok(())
    }

    /// Records a warning and announces it.
    pub fn warn(&mut self, warning: Warning) {
        self.announcer.announce(&warning);
        self.warnings.push(warning);
    }

    /// Accepts the attempted step up to `time`, or up to the time of an event that interrupts it.
    pub fn accept(&mut self, time: f64) -> Result<StepResult, EarlyEnd> {
        self.next.set_time(time);
        let h = time - self.current.time();
        let mut cut = self.detector.look(&mut self.stepper, &self.current, &self.next)?;
        if let Some(cut) = &mut cut {
            (*self.next).clone_from(&cut.state);
        }
        let time = self.next.time();
        self.statistics.accepted += 1;
        let (count, is_last) = (self.statistics.accepted, time >= self.end);
        let ends = is_last || cut.as_ref().is_some_and(|cut| cut.ends);
        self.stepper.pass(&self.next)?;
        self.warn_of_sliding_mode();
        if ends || count.is_multiple_of(CHECK_INTERVAL) {
            self.stepper.check(&self.next, Some(h))?;
        }
        let step = (&*self.current, &*self.next);
        let kept = match &cut {
            Some(cut) if cut.ends => RecordRule::Always,
            Some(_) => RecordRule::Cut,
            None if is_last => RecordRule::Last,
            None => RecordRule::Counted(count),
        };
        self.stepper.extend_history(step.0, step.1, core::mem::take(&mut self.is_bridged))?;
        let recorded = self.recorder.step(&mut self.stepper, step, kept, &mut self.states);
        core::mem::swap(&mut self.current, &mut self.next);
        let is_discontinuity = self.stepper.source.delays().is_some_and(|(delays, _)| delays.arrive(time));
        self.progress.at((time - self.start) / (self.end - self.start));
        if recorded?.is_break() && !is_last {
            return Err(EarlyEnd::Stopped);
        }
        let Some(cut) = cut else {
            if !is_discontinuity || is_last {
                return Ok(StepResult::Complete);
            }
            self.stepper.restart(&mut self.current)?;
            return Ok(StepResult::Interrupted);
        };
        let known = self.detector.warnings.len();
        let (left, ends) = self.detector.apply_group(*cut, &mut self.stepper, &mut self.current, h)?;
        let new = self.detector.warnings[known..].to_vec();
        for warning in new {
            self.warn(warning);
        }
        if let Some(system) = left {
            self.log.changes.push((self.states.len(), system));
            self.recorder.change(&mut self.stepper, &self.current, h, &mut self.states)?;
        }
        if ends {
            return Err(EarlyEnd::Stopped);
        }
        Ok(StepResult::Interrupted)
    }
}
