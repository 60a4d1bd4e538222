//! What every simulation is told: how far, in which steps, and what is to be kept of them.

use super::error::SetupError;
use crate::integrator::StepController;

/// How the step size is chosen.
#[derive(Clone, Copy)]
pub(super) enum StepSize {
    Fixed(f64),
    Controlled(StepController),
}

/// Called with every state.
pub(super) type Observer<'a, S> = Box<dyn FnMut(&S) + 'a>;

/// The settings of a simulation with states `S`.
pub(super) struct Settings<'a, S> {
    pub end: Option<f64>,
    pub size: Option<StepSize>,
    pub initial_step: Option<f64>,
    pub record_every: Option<usize>,
    pub samples: Option<Vec<f64>>,
    pub observers: Vec<Observer<'a, S>>,
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

impl<S> Settings<'_, S> {
    /// Nothing has been said yet.
    pub fn none() -> Self {
        Settings {
            end: None,
            size: None,
            initial_step: None,
            record_every: None,
            samples: None,
            observers: Vec::new(),
            progress: false,
            without_declaration_check: false,
        }
    }

    /// Checks the settings of a run from `start` by a `method` that `estimates` errors or does not.
    pub fn check(&self, start: f64, estimates: bool, method: &'static str) -> Result<Plan, SetupError> {
        let end = self.end.ok_or(SetupError::NoEnd)?;
        if !(end.is_finite() && end >= start) {
            return Err(SetupError::End { start, end });
        }
        let size = self.size.ok_or(SetupError::NoStep)?;
        match size {
            StepSize::Fixed(step) => {
                check_step(step)?;
                let steps = (end - start) / step;
                if steps > 9.0e15 {
                    return Err(SetupError::TooManySteps { steps });
                }
            }
            StepSize::Controlled(controller) => {
                controller.check().map_err(SetupError::Controller)?;
                if !estimates {
                    return Err(SetupError::NoEstimate { method });
                }
            }
        }
        self.initial_step.map_or(Ok(()), check_step)?;
        if self.record_every == Some(0) {
            return Err(SetupError::RecordEvery);
        }
        match self.samples.iter().flatten().find(|&&time| !(start <= time && time <= end)) {
            Some(&time) => Err(SetupError::SampleTime { time, start, end }),
            None => Ok(Plan { end, size, initial_step: self.initial_step }),
        }
    }
}

fn check_step(step: f64) -> Result<(), SetupError> {
    if step.is_finite() && step > 0.0 { Ok(()) } else { Err(SetupError::Step { step }) }
}

/// The methods that say the [`Settings`] in the field `settings`, of states `$state`.
macro_rules! settings_methods {
    ($lifetime:lifetime, $state:ty) => {
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
        /// and are recorded in order.
        #[must_use]
        pub fn sample_at(mut self, times: &[f64]) -> Self {
            self.settings.samples.get_or_insert_default().extend_from_slice(times);
            self
        }

        /// Shows the initial state and every step's to `observer`.
        #[must_use]
        pub fn observe(mut self, observer: impl FnMut(&$state) + $lifetime) -> Self {
            self.settings.observers.push(Box::new(observer));
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
