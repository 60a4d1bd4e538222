//! What every simulation is told: how far, in which steps, and what is to be kept of them.

use super::error::SetupError;
use super::limits::Limits;
use crate::integrator::StepController;

/// How the step size is chosen.
#[derive(Clone, Copy)]
pub(super) enum StepSize {
    Fixed(f64),
    Controlled(StepController),
}

/// The settings of a simulation.
pub(super) struct Settings {
    pub end: Option<f64>,
    pub size: Option<StepSize>,
    pub initial_step: Option<f64>,
    pub record_every: Option<usize>,
    pub samples: Option<Vec<f64>>,
    pub limits: Limits,
    pub progress: bool,
    pub without_declaration_check: bool,
}

/// An end that can be reached by steps that can be made.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub end: f64,
    pub size: StepSize,
    pub initial_step: Option<f64>,
}

impl Settings {
    /// Nothing has been said yet.
    pub fn none() -> Self {
        Settings {
            end: None,
            size: None,
            initial_step: None,
            record_every: None,
            samples: None,
            limits: Limits::default(),
            progress: false,
            without_declaration_check: false,
        }
    }

    /// Checks the settings of a run from `start`, whose states take so many `bytes` and whose numbers have this `round_off`,
    /// by a `method` that `estimates` errors or does not.
    pub fn check(
        &self,
        start: f64,
        bytes: usize,
        round_off: f64,
        estimates: bool,
        method: &'static str,
    ) -> Result<Plan, SetupError> {
        let end = self.end.ok_or(SetupError::NoEnd)?;
        if !(end.is_finite() && end >= start) {
            return Err(SetupError::End { start, end });
        }
        let size = self.size.ok_or(SetupError::NoStep)?;
        match size {
            StepSize::Fixed(step) => {
                check_step(step)?;
                check_resolution(step, start, end)?;
                self.check_cost((end - start) / step, bytes)?;
            }
            StepSize::Controlled(controller) => {
                controller.check().map_err(SetupError::Controller)?;
                check_tolerances(&controller, round_off)?;
                if !estimates {
                    return Err(SetupError::NoEstimate { method });
                }
            }
        }
        if let Some(step) = self.initial_step {
            check_step(step)?;
            check_resolution(step, start, end)?;
        }
        let seconds = self.limits.seconds;
        if seconds.is_nan() || seconds < 0.0 {
            return Err(SetupError::Limit { option: "limits", value: seconds });
        }
        if self.record_every == Some(0) {
            return Err(SetupError::RecordEvery);
        }
        match self.samples.iter().flatten().find(|&&time| !(start <= time && time <= end)) {
            Some(&time) => Err(SetupError::SampleTime { time, start, end }),
            None => Ok(Plan { end, size, initial_step: self.initial_step }),
        }
    }
}

/// The number of steps that can be counted exactly as numbers of type `f64`.
const COUNTABLE: f64 = 9.0e15;

impl Settings {
    /// The cost of so many fixed steps is known before the first one.
    fn check_cost(&self, steps: f64, bytes: usize) -> Result<(), SetupError> {
        let limit = COUNTABLE.min(self.limits.steps as f64);
        if steps > limit + 0.5 {
            return Err(SetupError::TooManySteps { steps, limit });
        }
        let only_samples = self.samples.is_some() && self.record_every.is_none();
        let states = if only_samples { 0.0 } else { steps / self.record_every.unwrap_or(1).max(1) as f64 };
        let (bytes, limit) = (states * bytes as f64, self.limits.bytes as f64);
        if bytes > limit { Err(SetupError::TooManyStates { states, bytes, limit }) } else { Ok(()) }
    }
}

fn check_step(step: f64) -> Result<(), SetupError> {
    if step.is_finite() && step > 0.0 { Ok(()) } else { Err(SetupError::Step { step }) }
}

/// No estimate is smaller than so many units of round-off: steps for less go on shrinking, or are never done.
const ESTIMATED: f64 = 16.0;

fn check_tolerances(controller: &StepController, round_off: f64) -> Result<(), SetupError> {
    let StepController { relative_tolerance: relative, absolute_tolerance: absolute, .. } = *controller;
    let smallest = ESTIMATED * round_off;
    if relative.max(absolute) < smallest {
        return Err(SetupError::BelowRoundOff { relative, absolute, smallest });
    }
    Ok(())
}

/// Times that differ by less than so many units of round-off are not told apart.
const RESOLUTION: f64 = 16.0 * f64::EPSILON;

fn check_resolution(step: f64, start: f64, end: f64) -> Result<(), SetupError> {
    let time = if start.abs() > end.abs() { start } else { end };
    let resolution = RESOLUTION * time.abs();
    if step < resolution { Err(SetupError::BelowResolution { step, time, resolution }) } else { Ok(()) }
}

/// The methods that say the [`Settings`] in the field `settings`.
macro_rules! settings_methods {
    () => {
        /// Ends at this time, hit exactly.
        #[must_use]
        pub fn until(mut self, end: f64) -> Self {
            self.settings.end = Some(end);
            self
        }

        /// Steps of this size; the last one is shortened where the end asks for it.
        ///
        /// Step n ends at the start plus n h, so that round-off does not add up over many steps.
        #[must_use]
        pub fn step(mut self, h: f64) -> Self {
            self.settings.size = Some($crate::simulate::settings::StepSize::Fixed(h));
            self
        }

        /// Steps whose size is chosen by this controller, as by [`tolerance`](Self::tolerance).
        #[must_use]
        pub fn controlled_by(mut self, controller: $crate::integrator::StepController) -> Self {
            self.settings.size = Some($crate::simulate::settings::StepSize::Controlled(controller));
            self
        }

        /// The size of the first error-controlled step; by default it follows from a trial step.
        #[must_use]
        pub fn initial_step(mut self, h: f64) -> Self {
            self.settings.initial_step = Some(h);
            self
        }

        /// Records the first state, every n-th after it, and the last; by default every state.
        #[must_use]
        pub fn record_every(mut self, steps: usize) -> Self {
            self.settings.record_every = Some(steps);
            self
        }

        /// Records the states at these times, and no others unless [`record_every`](Self::record_every) is said too.
        ///
        /// A sample between two steps is of the order of the method: one-step methods make a step of its own from the
        /// earlier one (see [`Integrator::sample`](crate::integrator::Integrator::sample)). Times may come in any order
        /// and are recorded in order, each as often as it is said.
        #[must_use]
        pub fn sample_at(mut self, times: &[f64]) -> Self {
            self.settings.samples.get_or_insert_default().extend_from_slice(times);
            self
        }

        /// What the run may cost at most.
        #[must_use]
        pub fn limits(mut self, limits: $crate::simulate::Limits) -> Self {
            self.settings.limits = limits;
            self
        }

        /// Starts without comparing the declared functions with the code that was generated from them, see
        /// [`check_against_declaration`](crate::system::MechanicalSystem::check_against_declaration).
        ///
        /// For runs of few steps that are repeated many times, and for functions that must not be called near the initial state.
        #[must_use]
        pub fn without_declaration_check(mut self) -> Self {
            self.settings.without_declaration_check = true;
            self
        }

        /// Draws a progress bar if the run takes more than a second and standard error is a terminal.
        ///
        /// Without the feature `progress` it does nothing.
        #[must_use]
        pub fn with_progress(mut self) -> Self {
            self.settings.progress = true;
            self
        }
    };
}

pub(super) use settings_methods;
