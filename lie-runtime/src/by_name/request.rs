//! The settings of a run without the type of its problem.

use crate::integrator::StepController;
use crate::simulate::{Settings, StepSize};

/// The settings of a run by name. They have the names, meanings and defaults of the options of a
/// [`Simulation`](crate::simulate::Simulation).
#[derive(Clone)]
#[must_use]
pub struct RunRequest {
    pub(super) method: Option<String>,
    pub(super) options: Vec<(String, String)>,
    pub(super) settings: Settings,
}

impl Default for RunRequest {
    fn default() -> Self {
        Self::new()
    }
}

impl RunRequest {
    /// Creates a request with all defaults. The end time is required.
    pub fn new() -> Self {
        RunRequest { method: None, options: Vec::new(), settings: Settings::none() }
    }

    /// Sets the method by its name, see [`methods`](crate::simulate::methods()). Default: the default method of the problem.
    pub fn method(mut self, id: impl Into<String>) -> Self {
        self.method = Some(id.into());
        self
    }

    /// Sets an option of the method, such as `rho_inf` to `0.8`.
    pub fn option(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.push((name.into(), value.into()));
        self
    }

    /// Sets a fixed step size.
    pub fn step(mut self, h: f64) -> Self {
        self.settings.size = Some(StepSize::Fixed(h));
        self
    }

    /// Sets the relative tolerance of the step-size control. Default: 1e-6.
    pub fn rtol(self, relative: f64) -> Self {
        let controller = self.settings.controller().relative_tolerance(relative);
        self.step_controller(controller)
    }

    /// Sets the absolute tolerance of the step-size control. Default: 1e-8.
    pub fn atol(self, absolute: f64) -> Self {
        let controller = self.settings.controller().absolute_tolerance(absolute);
        self.step_controller(controller)
    }

    /// Sets the controller of the step size, with all its settings.
    pub fn step_controller(mut self, controller: StepController) -> Self {
        self.settings.size = Some(StepSize::Controlled(controller));
        self
    }

    /// Sets the size of the first error-controlled step.
    pub fn initial_step(mut self, h: f64) -> Self {
        self.settings.initial_step = Some(h);
        self
    }

    /// Sets the end time.
    pub fn end_time(mut self, end: f64) -> Self {
        self.settings.end = Some(end);
        self
    }

    /// Records the states at these times.
    pub fn output_times(mut self, times: &[f64]) -> Self {
        self.settings.samples.get_or_insert_default().extend_from_slice(times);
        self
    }

    /// Records the first state, every n-th state after it, and the last one.
    pub fn output_every(mut self, steps: usize) -> Self {
        self.settings.output_every = Some(steps);
        self
    }

    /// Draws a progress bar if the run takes more than a second and standard error is a terminal.
    pub fn progress_bar(mut self) -> Self {
        self.settings.progress = true;
        self
    }
}
