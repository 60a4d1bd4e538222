//! A problem with its method and the monitor of the motion.

use super::round_off;
use super::system_source::SystemSource;
use crate::inputs::InputError;
use crate::integrator::any::MethodWithWorkspace;
use crate::integrator::{ErrorEstimate, Problem, Solution, StepController, StepError, StepFailure};
use crate::scalar::Scalar;
use crate::simulate::controller::SampledInputs;
use crate::simulate::energy_audit::EnergyAudit;
use crate::simulate::event::{GroupMember, GroupOutcome, apply_group};
use crate::simulate::failure::Failure;
use crate::simulate::motion::{Motion, MotionMonitor, Simulated};
use crate::simulate::outcome::Statistics;
use crate::simulate::setup::Options;
use crate::simulate::singularities::{Discontinuity, SlidingMode};
use crate::simulate::warning::Warning;

/// Relative times in a failed step at which inputs are checked.
const STAGES: [f64; 9] = [0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0];

/// A failed step is at most this many times longer than the step that would follow.
const LONGER: f64 = 8.0;

/// Creates the buffers of a method for a system and a state.
type Begin<'a, P> =
    dyn Fn(&<P as Problem>::System, &<P as Problem>::State) -> Box<dyn MethodWithWorkspace<P> + 'a> + 'a;

/// Error indicator of a step that was not made by the method. It keeps the step size approximately constant.
const CROSSED: f64 = 0.1;

/// A problem with its method and the monitor of the motion.
pub(super) struct Stepper<'a, P: Simulated> {
    pub source: SystemSource<'a, P>,
    /// Starts the method at a state.
    pub begin: Box<Begin<'a, P>>,
    /// The method with its buffers for the current system.
    pub work: Box<dyn MethodWithWorkspace<P> + 'a>,
    /// Number of linear systems that previous buffers have solved.
    pub solved: u64,
    /// The orders of the method and of its error estimate.
    pub orders: (usize, Option<usize>),
    pub estimate: ErrorEstimate<P>,
    pub monitor: <P::State as Motion>::Monitor,
    /// True if the constraint Jacobian nearly loses rank in the last step.
    pub passes: bool,
    /// True if the method imposes contacts and dry friction, which the system does not contain.
    pub has_laws: bool,
    pub options: Options,
    /// The energy audit, if it is requested.
    pub audit: Option<EnergyAudit<'a, P::State>>,
}

impl<'a, P: Simulated> Stepper<'a, P> {
    /// Evaluates the controller, if there is one, and prepares the state for the next step.
    pub fn ask(&mut self, state: &mut P::State) -> Result<Option<SampledInputs>, Failure> {
        let said = self.source.ask(state)?;
        if said.is_some() {
            self.restart(state)?;
            self.note_discontinuity(state.time(), 1);
        }
        Ok(said)
    }

    /// Restarts the method after a discontinuity of the inputs.
    pub fn restart(&mut self, state: &mut P::State) -> Result<(), Failure> {
        self.monitor.restart(self.source.system(), state)?;
        self.work.start(self.source.system(), state).map_err(Failure::Step)?;
        self.audit_jump(state);
        Ok(())
    }

    /// Records a discontinuity of the motion, which delayed inputs repeat, see [`Delays::note_discontinuity`].
    pub fn note_discontinuity(&mut self, time: f64, derivative: usize) {
        if let Some((delays, _)) = self.source.delays() {
            delays.note_discontinuity(time, derivative);
        }
    }

    /// Adds an accepted step to the history of delayed quantities.
    pub fn extend_history(&mut self, from: &P::State, to: &P::State, is_short: bool) -> Result<(), Failure> {
        let Some((delays, _)) = self.source.delays() else { return Ok(()) };
        let (start, h) = (from.time(), to.time() - from.time());
        let (mut here, mut rows) = (from.clone(), Vec::new());
        for part in delays.nodes(is_short) {
            let state = if part <= 0.0 {
                from
            } else if part < 1.0 {
                self.sample(from, to, start + part * h, &mut here).map_err(Failure::Step)?;
                &here
            } else {
                to
            };
            rows.extend(self.source.delays().map(|(delays, system)| delays.values(system, state)));
        }
        if let Some((delays, _)) = self.source.delays() {
            delays.push(start, h, &rows);
        }
        Ok(())
    }

    /// Applies a group of events to the system and the state, and restarts the method. Returns `None` if the run does not own its system.
    /// On input, `state` is the state at the events, whose time has the derivatives `by`. On output, it is the state after the events, at
    /// its original time.
    pub fn change(
        &mut self,
        group: &mut [GroupMember<'_, 'a, P>],
        state: &mut P::State,
        by: <P::State as Motion>::Scalar,
    ) -> Result<Option<GroupOutcome<P>>, Failure> {
        let Some(own) = self.source.own() else { return Ok(None) };
        let made = apply_group(group, (own, state), by, &self.options)?;
        if let Some((delays, system)) = self.source.delays() {
            delays.attach(system);
        }
        self.note_discontinuity(state.time(), 0);
        if made.ends && <P::State as Motion>::Scalar::HAS_DERIVATIVES {
            return Ok(Some(made));
        }
        let system = self.source.system();
        self.solved += self.work.linear_solves();
        self.work = (self.begin)(system, state);
        self.work.start(system, state).map_err(Failure::Step)?;
        self.monitor.change(system, state, &self.options);
        self.audit_jump(state);
        Ok(Some(made))
    }

    /// Attempts a step of size h.
    pub fn step(&mut self, from: &P::State, h: f64, to: &mut P::State) -> Result<(), StepError> {
        self.predict_singularity(from, h);
        let rejected = self.reject(from, h);
        let Stepper { source, work, monitor, .. } = self;
        match rejected.and_then(|()| work.step(source.system(), from, h, to)) {
            Ok(()) => self.follow_multipliers(from, to),
            Err(failed) => {
                monitor.cross(source.system(), failed, from, h, to)?;
                work.start(source.system(), to)
            }
        }
    }

    /// Checks a completed step close to a singular configuration. After such a configuration, steps start with v' and λ of the index-1
    /// equations. A combination of the stage multipliers would act with another Bᵀ at the end of the step, which is a different force close
    /// to a singularity.
    fn follow_multipliers(&mut self, from: &P::State, to: &mut P::State) -> Result<(), StepError> {
        let is_explicit = self.is_explicit();
        let Stepper { source, work, monitor, .. } = self;
        if is_explicit {
            let step = &mut |from: &P::State, h, to: &mut P::State| work.step(source.system(), from, h, to);
            monitor.check_singular_step(source.system(), [from, to], step)?;
        }
        if monitor.crossings() == 0 || !work.reuses_stage_multipliers() {
            return Ok(());
        }
        monitor.restart(source.system(), to).map_err(|failure| match failure {
            Failure::Step(error) => error,
            _ => StepError { time: to.time(), step: 0.0, failure: StepFailure::RankLost },
        })?;
        work.start(source.system(), to)
    }

    /// Checks if the stages of an explicit step would lie on different sides of a singular configuration.
    fn predict_singularity(&mut self, from: &P::State, h: f64) {
        self.passes = self.is_explicit() && self.monitor.is_crossing_ahead(self.source.system(), from, h);
    }

    /// Rejects a step or a part of it in this case.
    fn reject(&self, from: &P::State, h: f64) -> Result<(), StepError> {
        if self.passes { Err(StepError { time: from.time(), step: h, failure: StepFailure::RankLost }) } else { Ok(()) }
    }

    /// Attempts a step of size h. Returns its error indicator; a value up to 1 is acceptable.
    pub fn step_with_estimate(
        &mut self,
        from: &P::State,
        h: f64,
        to: &mut P::State,
        controller: &StepController,
    ) -> Result<f64, StepError> {
        self.predict_singularity(from, h);
        let rejected = self.reject(from, h);
        let Stepper { source, work, monitor, estimate, .. } = self;
        match rejected.and_then(|()| work.step_with_estimate(source.system(), from, h, to, estimate)) {
            Ok(()) => {
                let indicator = P::State::indicator(controller, from, to, estimate);
                // A rejected step leaves no data.
                if indicator <= 1.0 {
                    self.follow_multipliers(from, to)?;
                }
                Ok(indicator)
            }
            Err(failed) => {
                monitor.cross(source.system(), failed, from, h, to)?;
                work.start(source.system(), to)?;
                Ok(CROSSED)
            }
        }
    }

    /// Makes a very short step, see [`Motion::bridge`], and restarts the method after it.
    pub fn bridge(&mut self, from: &P::State, h: f64, to: &mut P::State) -> Result<(), Failure> {
        if self.has_laws || !from.bridge(self.source.system(), h, to)? {
            return self.step(from, h, to).map_err(Failure::Step);
        }
        self.work.start(self.source.system(), to).map_err(Failure::Step)
    }

    /// Computes the state at a time within a step.
    pub fn sample(&mut self, from: &P::State, to: &P::State, time: f64, out: &mut P::State) -> Result<(), StepError> {
        let h = time - from.time();
        let rejected = self.reject(from, h);
        let Stepper { source, work, monitor, .. } = self;
        rejected
            .and_then(|()| work.sample(source.system(), from, to, time, out))
            .or_else(|failed| monitor.cross(source.system(), failed, from, h, out))
    }

    /// Records the state after a step if [required](MotionMonitor::count_step).
    pub fn pass(&mut self, state: &P::State) -> Result<(), Failure> {
        if self.monitor.count_step() { self.monitor.note(self.source.system(), state) } else { Ok(()) }
    }

    /// Adds the state after a step to the audit.
    pub fn audit_step(&mut self, to: &P::State) {
        if let Some(audit) = &mut self.audit {
            audit.advance(self.source.system(), to);
        }
    }

    /// Adds a recorded state to the audit.
    pub fn audit_record(&mut self, state: &P::State) {
        if let Some(audit) = &mut self.audit {
            audit.record(self.source.system(), state);
        }
    }

    /// Adds a change of the system or of the state to the audit.
    fn audit_jump(&mut self, state: &P::State) {
        if let Some(audit) = &mut self.audit {
            audit.jump(self.source.system(), state);
        }
    }

    /// Checks a state, see [`MotionMonitor::check`].
    pub fn check(&mut self, state: &P::State, step: Option<f64>) -> Result<(), Failure> {
        let is_explicit = self.is_explicit();
        self.monitor.check(self.source.system(), state, step, is_explicit)
    }

    /// Returns a force discontinuity along the next step, see [`MotionMonitor::discontinuity_ahead`].
    pub fn discontinuity_ahead(&self, from: &P::State, h: f64) -> Option<Discontinuity> {
        self.monitor.discontinuity_ahead(self.source.system(), from, h)
    }

    /// Returns a force discontinuity that holds the motion, see [`MotionMonitor::sliding_mode`].
    pub fn sliding_mode(&mut self, from: &P::State, to: &P::State) -> Option<SlidingMode> {
        self.monitor.sliding_mode(self.source.system(), from, to)
    }

    /// Returns the member of a force component, if it has a name.
    pub fn member(&self, component: usize) -> Option<&'static str> {
        P::State::description(self.source.system()).map(|description| description.member_of_component(component))
    }

    /// Completes a state for recording, after this `part` of the last step.
    pub fn complete(&mut self, state: &mut P::State, part: f64) -> Result<(), Failure> {
        let part = if self.has_laws { 1.0 } else { part };
        self.monitor.complete(self.source.system(), state, part)
    }

    /// Returns the cause of a failure at `state` and the last valid state.
    pub fn explain(&self, failure: Failure, state: P::State) -> (Failure, P::State) {
        let system = self.source.system();
        let attempt = match &failure {
            Failure::Step(StepError { step, .. }) => Some(*step),
            // The last attempt was longer than the step that would have followed.
            Failure::StepTooSmall { step, cause: Some(_), .. }
            | Failure::TooManyRejections { step, cause: Some(_), .. } => Some(LONGER * step),
            _ => None,
        };
        // Only the interval of the stages is known.
        if let Some(step) = attempt
            && let Err(error) = STAGES.iter().try_for_each(|part| state.ensure_finite_inputs(system, part * step))
        {
            return (Failure::Inputs(error), state);
        }
        // An input that depends on the state, or that was not finite in an attempt.
        if let Some(error) = self.input_of(&failure, state.time()) {
            return (Failure::Inputs(error), state);
        }
        self.monitor.explain(system, failure, state, self.is_explicit())
    }

    /// Returns the input that was not finite in the last attempts from a time.
    fn input_of(&self, failure: &Failure, time: f64) -> Option<InputError> {
        // A method may divide its step.
        let end = match failure {
            Failure::Step(error) => error.time + error.step,
            Failure::StepTooSmall { step, .. } | Failure::TooManyRejections { step, .. } => time + LONGER * step,
            _ => return None,
        };
        let noted = P::State::noted_input(self.source.system())?;
        let InputError::NotFinite { time: at, .. } = noted else { return None };
        let round_off = round_off(end);
        (time - round_off <= at && at <= end + round_off).then_some(noted)
    }

    /// Returns the warnings about the accuracy of the motion so far.
    pub fn warnings(&self) -> Vec<Warning> {
        self.monitor.warnings(self.source.system())
    }

    /// Returns the rate of the fastest motion close to a state; `None` for implicit methods and if it is unknown.
    pub fn fastest_rate(&self, state: &P::State) -> Option<f64> {
        self.is_explicit().then(|| <P::State as Motion>::Monitor::fastest_rate(self.source.system(), state)).flatten()
    }

    /// Copies the counters of the method and of the monitor.
    pub fn count(&self, statistics: &mut Statistics) {
        statistics.position_residual = self.monitor.position_residual();
        statistics.energy_gained = self.monitor.energy_gained();
        statistics.smallest_singular_value = self.monitor.smallest_singular_value();
        statistics.crossings = self.monitor.crossings();
        (statistics.energy_defect, statistics.momentum_drift) =
            self.audit.as_ref().map_or((None, None), EnergyAudit::drift);
        statistics.linear_solves = self.solved + self.work.linear_solves();
        statistics.newton_iterations = self.work.newton_iterations();
    }

    /// Returns true for methods without a Newton iteration.
    fn is_explicit(&self) -> bool {
        self.work.newton_iterations().is_none()
    }
}
