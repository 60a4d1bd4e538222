//! Settings of a simulation: interval, step size, output and limits.

use super::error::SetupError;
use super::limits::Limits;
use crate::integrator::StepController;
use crate::simulate::warning::Announcer;

/// Choice of the step size.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum StepSize {
    Fixed(f64),
    Controlled(StepController),
}

/// The settings of a simulation.
#[derive(Clone, PartialEq)]
pub(crate) struct Settings {
    pub end: Option<f64>,
    /// `None`: error control with the default tolerances.
    pub size: Option<StepSize>,
    pub initial_step: Option<f64>,
    /// The maximum step, if it is set.
    pub max_step: Option<f64>,
    pub output_every: Option<usize>,
    pub samples: Option<Vec<f64>>,
    pub limits: Limits,
    pub progress: bool,
    pub announcer: Announcer,
    pub without_declaration_check: bool,
}

/// A checked interval with its step size.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub end: f64,
    pub size: StepSize,
    pub initial_step: Option<f64>,
}

/// Default maximum of an error-controlled step, as a part of the run, if the system may change at any time.
const LONGEST: f64 = 0.01;

impl Plan {
    /// Limits the size of error-controlled steps of a run from `start`. By default, they are limited only if the dependence of the system
    /// on time is unknown (`is_known` is false).
    pub fn limit_steps(&mut self, maximum: Option<f64>, is_known: bool, start: f64) {
        let default = if is_known { f64::INFINITY } else { LONGEST * (self.end - start) };
        if let StepSize::Controlled(controller) = &mut self.size {
            let maximum = maximum.unwrap_or(default).max(controller.minimum_step);
            controller.maximum_step = controller.maximum_step.min(maximum);
        }
    }

    /// Returns the approximate size of the first step from `start`.
    pub fn first_step(&self, start: f64) -> f64 {
        match (self.size, self.initial_step) {
            (StepSize::Fixed(h), _) | (StepSize::Controlled(_), Some(h)) => h,
            (StepSize::Controlled(_), None) => 1e-3 * (self.end - start),
        }
    }
}

/// Floating-point properties and memory of the states of a run.
#[derive(Clone, Copy)]
pub(crate) struct StateSize {
    /// The distance between 1 and the next number.
    pub round_off: f64,
    /// The scale of the values that absolute tolerances are compared with.
    pub size: f64,
    /// Memory of a state, in bytes.
    pub bytes: usize,
}

impl Settings {
    /// Returns the step-size controller. Default: the default tolerances.
    pub fn controller(&self) -> StepController {
        match self.size {
            Some(StepSize::Controlled(controller)) => controller,
            Some(StepSize::Fixed(_)) | None => StepController::default(),
        }
    }

    /// Returns the output times if nothing else is recorded.
    pub fn samples_alone(&self) -> Option<&[f64]> {
        self.samples.as_deref().filter(|_| self.output_every.is_none())
    }

    /// Creates default settings.
    pub fn none() -> Self {
        Settings {
            end: None,
            size: None,
            initial_step: None,
            max_step: None,
            output_every: None,
            samples: None,
            limits: Limits::default(),
            progress: false,
            announcer: Announcer::default(),
            without_declaration_check: false,
        }
    }

    /// Checks the settings of a run from `start`. `estimates` is true if the `method` estimates errors.
    pub fn check(
        &self,
        start: f64,
        numbers: StateSize,
        estimates: bool,
        method: &'static str,
    ) -> Result<Plan, SetupError> {
        let end = self.end.ok_or(SetupError::NoEnd)?;
        if !(end.is_finite() && end >= start) {
            return Err(SetupError::End { start, end });
        }
        let size = match self.size {
            Some(size) => size,
            None if estimates => StepSize::Controlled(self.controller()),
            None => return Err(SetupError::NoStep { method }),
        };
        match size {
            StepSize::Fixed(step) => {
                check_step(step)?;
                check_resolution(step, start, end)?;
                self.check_cost((end - start) / step, numbers.bytes)?;
            }
            StepSize::Controlled(controller) => {
                controller.check().map_err(SetupError::Controller)?;
                check_tolerances(&controller, numbers)?;
                if !estimates {
                    return Err(SetupError::NoEstimate { method });
                }
            }
        }
        if let Some(maximum) = self.max_step {
            let step = match size {
                StepSize::Fixed(step) => Some(step).filter(|step| *step > maximum),
                StepSize::Controlled(_) => None,
            };
            // NaN is not positive.
            let is_positive = maximum > 0.0;
            if !is_positive || step.is_some() {
                return Err(SetupError::MaximumStep { maximum, step });
            }
        }
        if let Some(step) = self.initial_step {
            check_step(step)?;
            check_resolution(step, start, end)?;
        }
        let seconds = self.limits.seconds;
        if seconds.is_nan() || seconds < 0.0 {
            return Err(SetupError::Limit { option: "seconds", value: seconds });
        }
        if self.output_every == Some(0) {
            return Err(SetupError::RecordEvery);
        }
        match self.samples.iter().flatten().find(|&&time| !(start <= time && time <= end)) {
            Some(&time) => Err(SetupError::SampleTime { time, start, end }),
            None => Ok(Plan { end, size, initial_step: self.initial_step }),
        }
    }
}

/// The largest number of steps that `f64` counts exactly.
const COUNTABLE: f64 = 9.0e15;

impl Settings {
    /// Checks the cost of fixed steps before the first step.
    fn check_cost(&self, steps: f64, bytes: usize) -> Result<(), SetupError> {
        let limit = COUNTABLE.min(self.limits.steps as f64);
        if steps > limit + 0.5 {
            return Err(SetupError::TooManySteps { steps, limit });
        }
        let states =
            if self.samples_alone().is_some() { 0.0 } else { steps / self.output_every.unwrap_or(1).max(1) as f64 };
        let (bytes, limit) = (states * bytes as f64, self.limits.bytes as f64);
        if bytes > limit { Err(SetupError::TooManyStates { states, bytes, limit }) } else { Ok(()) }
    }
}

fn check_step(step: f64) -> Result<(), SetupError> {
    if step.is_finite() && step > 0.0 { Ok(()) } else { Err(SetupError::Step { step }) }
}

/// Lower bound of error estimates, in units of the round-off. A smaller tolerance would reduce the step size indefinitely.
const ESTIMATED: f64 = 16.0;

fn check_tolerances(
    controller: &StepController,
    StateSize { round_off, size, .. }: StateSize,
) -> Result<(), SetupError> {
    let StepController { relative_tolerance: relative, absolute_tolerance: absolute, .. } = *controller;
    let smallest = ESTIMATED * round_off;
    if relative < smallest && absolute < smallest * size {
        return Err(SetupError::BelowRoundOff { relative, absolute, smallest, size });
    }
    Ok(())
}

/// Relative resolution of times.
const RESOLUTION: f64 = 16.0 * f64::EPSILON;

/// Rejects steps and other periods below the resolution of times between `start` and `end`.
pub(in crate::simulate) fn check_resolution(step: f64, start: f64, end: f64) -> Result<(), SetupError> {
    let time = if start.abs() > end.abs() { start } else { end };
    let resolution = RESOLUTION * time.abs();
    if step < resolution { Err(SetupError::BelowResolution { step, time, resolution }) } else { Ok(()) }
}

/// Default maximum of the correction of initial values.
const CORRECTION: f64 = 1e-2;
/// Default limit of a residual, as a part of [s](crate::simulate::checks::constraints).
///
/// Correct half-explicit runs reach 0.026 with steps in which a fast top rotates by one radian.
pub(in crate::simulate) const CONSTRAINT_TOLERANCE: f64 = 0.05;

/// Options of a simulation in addition to its [settings](Settings).
#[derive(Clone, PartialEq)]
#[allow(clippy::struct_excessive_bools)] // They are independent.
pub struct Options {
    /// False if the initial state is used without a projection.
    pub project: bool,
    /// The members with fixed initial values.
    pub held: Vec<String>,
    /// The maximum correction of the other members, if it is set.
    pub correction: Option<f64>,
    /// True if λ and v' of the index-1 system are recorded.
    pub full_order_multipliers: bool,
    /// See [`ConstraintMonitor`](crate::simulate::checks::ConstraintMonitor).
    pub constraint_tolerance: f64,
    /// The maximum velocity growth, if it is set: see [`VelocityGrowth`](crate::simulate::checks::VelocityGrowth) and
    /// [`energy`](crate::simulate::checks::energy).
    pub growth: Option<f64>,
    /// True if singular values are monitored.
    pub rank: bool,
    /// True if an observer of the user receives the states.
    pub is_observed: bool,
}

impl Options {
    /// Creates default options.
    pub fn none() -> Self {
        Options {
            project: false,
            held: Vec::new(),
            correction: None,
            full_order_multipliers: false,
            constraint_tolerance: CONSTRAINT_TOLERANCE,
            growth: None,
            rank: false,
            is_observed: false,
        }
    }

    /// Returns the maximum correction of initial values.
    pub fn largest_correction(&self) -> f64 {
        self.correction.unwrap_or(if self.held.is_empty() { CORRECTION } else { f64::INFINITY })
    }
}
