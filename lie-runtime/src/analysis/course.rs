//! How far a branch or a family is followed, and in which steps, as it is said.

use crate::analysis::curve::Extent;

/// What is said, or not.
pub(super) struct Course {
    pub to: Option<f64>,
    pub step: f64,
    pub points: usize,
}

impl Default for Course {
    fn default() -> Self {
        Course { to: None, step: 0.05, points: 1000 }
    }
}

impl Course {
    /// From this value of the parameter on.
    ///
    /// # Errors
    /// What is no positive number: what says it, and its value.
    pub fn from(&self, from: f64) -> Result<Extent, (&'static str, f64)> {
        let &Course { to, step, points } = self;
        let to = to.unwrap_or(from + 1.0);
        match [("step", step), ("way that is left to `parameter_end`", (to - from).abs())]
            .into_iter()
            .find(|(_, value)| !(*value > 0.0 && value.is_finite()))
        {
            Some(setting) => Err(setting),
            None => Ok(Extent { from, to, is_aim: self.to.is_some(), step, points }),
        }
    }
}

impl Extent {
    /// The unit of the parameter.
    pub fn range(&self) -> f64 {
        (self.to - self.from).abs()
    }
}

/// The settings of what has a [`Course`].
macro_rules! course_settings {
    () => {
        /// Sets the aim: the value of the parameter to reach, with the point after it. A run that ends before it is an error with the branch
        /// so far: because it has its most [`points`](Self::points), or because the parameter has turned back beyond the value that it
        /// began with, by as much as lies between the two. By default the range is 1, and ending at either end of it is no error.
        #[must_use]
        pub fn parameter_end(mut self, parameter: f64) -> Self {
            self.course.to = Some(parameter);
            self
        }

        /// The longest step, in the units of the points' `length`: a part of the range of the parameter where the system does not move,
        /// the root of the mean square of its components where the parameter does not; 0.05 unless something is said.
        #[must_use]
        pub fn step(mut self, length: f64) -> Self {
            self.course.step = length;
            self
        }

        /// Sets the largest number of points, default 1000.
        #[must_use]
        pub fn points(mut self, most: usize) -> Self {
            self.course.points = most;
            self
        }
    };
}
pub(super) use course_settings;
