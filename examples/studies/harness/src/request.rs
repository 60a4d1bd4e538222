//! One run: the request and its result.

mod integrate;

use std::path::PathBuf;

use lie_runtime::simulate::StepRecord;

use crate::settings::{Settings, UsageError};
use lie_runtime::simulate::Sample;

/// A run to be made.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method's identifier.
    pub method: String,
    /// The steps.
    pub step: Step,
    /// The end time.
    pub end: f64,
    /// The times of the samples.
    pub samples: Vec<f64>,
    /// Recorded data in addition to the samples.
    pub recording: Recording,
    /// The folder for the trajectory.
    pub folder: Option<PathBuf>,
    /// Values set by the user.
    pub settings: Settings,
    /// A progress bar on long runs.
    pub progress: bool,
}

/// How long a step is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// This long.
    Fixed(f64),
    /// As long as the estimated error allows.
    Controlled {
        /// The relative tolerance.
        relative: f64,
        /// The absolute tolerance.
        absolute: f64,
    },
    /// This long, with the estimated error of each step in units of these tolerances.
    Estimated {
        /// The size.
        step: f64,
        /// The relative tolerance.
        relative: f64,
        /// The absolute tolerance.
        absolute: f64,
    },
}

/// Which steps are recorded besides the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recording {
    /// None.
    Samples,
    /// The first state, every n-th and the last.
    Every(usize),
}

impl Request {
    /// A run of `method` with steps of size `step` up to `end`, sampled there.
    pub fn fixed(method: &str, step: f64, end: f64) -> Self {
        Request {
            method: method.to_owned(),
            step: Step::Fixed(step),
            end,
            samples: vec![end],
            recording: Recording::Samples,
            folder: None,
            settings: Settings::default(),
            progress: false,
        }
    }

    /// An error-controlled run of `method` up to `end`, sampled there, of which every step is recorded.
    pub fn controlled(method: &str, relative: f64, absolute: f64, end: f64) -> Self {
        let request = Request { step: Step::Controlled { relative, absolute }, ..Request::fixed(method, end, end) };
        request.every(1)
    }

    /// Sets a parameter or an option.
    ///
    /// # Errors
    /// [`UsageError`] if it is set already.
    pub fn with(mut self, name: &str, value: &str) -> Result<Self, UsageError> {
        self.settings.insert(name, value)?;
        Ok(self)
    }

    /// Records every n-th step besides.
    #[must_use]
    pub fn every(mut self, steps: usize) -> Self {
        self.recording = Recording::Every(steps);
        self
    }
}

/// The results of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The method's identifier.
    pub method: &'static str,
    /// The group in the field's notation.
    pub notation: String,
    /// The dimension of the group.
    pub dof: usize,
    /// The number of constraint rows.
    pub constraints: usize,
    /// The step size if it is fixed.
    pub step: Option<f64>,
    /// Steps that count.
    pub accepted: usize,
    /// Steps that were repeated.
    pub rejected: usize,
    /// Linear systems solved.
    pub linear_solves: u64,
    /// The mean number of Newton iterations a step; none of explicit methods.
    pub newton_iterations: Option<f64>,
    /// Wall-clock time of the integration, s.
    pub seconds: f64,
    /// The samples in the order asked for.
    pub samples: Vec<Sample>,
    /// The recorded steps, unless they went to files.
    pub history: Vec<Sample>,
    /// Every attempted step of an error-controlled run.
    pub steps: Vec<StepRecord>,
    /// Why the run ended before its time.
    pub failure: Option<String>,
    /// The files written.
    pub files: Vec<PathBuf>,
}
