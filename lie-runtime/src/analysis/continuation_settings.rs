//! Settings of a continuation: range of the parameter, step and number of points.

use crate::analysis::curve::CurveExtent;

/// The settings of a continuation.
pub(super) struct ContinuationSettings {
    pub to: Option<f64>,
    pub step: f64,
    pub points: usize,
}

impl Default for ContinuationSettings {
    fn default() -> Self {
        ContinuationSettings { to: None, step: 0.05, points: 1000 }
    }
}

impl ContinuationSettings {
    /// Returns the extent of a curve that starts at this value of the parameter.
    ///
    /// # Errors
    /// The name and the value of a setting that is not positive and finite.
    pub fn from(&self, from: f64) -> Result<CurveExtent, (&'static str, f64)> {
        let &ContinuationSettings { to, step, points } = self;
        let to = to.unwrap_or(from + 1.0);
        match [("step", step), ("distance to `parameter_end`", (to - from).abs())]
            .into_iter()
            .find(|(_, value)| !(*value > 0.0 && value.is_finite()))
        {
            Some(setting) => Err(setting),
            None => Ok(CurveExtent { from, to, is_aim: self.to.is_some(), step, points }),
        }
    }
}

impl CurveExtent {
    /// The unit of the parameter.
    pub fn range(&self) -> f64 {
        (self.to - self.from).abs()
    }
}

/// Defines the setters of a type with a [`ContinuationSettings`].
macro_rules! course_settings {
    () => {
        /// Sets the target value of the parameter. The branch ends with the first point after this value. A branch that ends before it is
        /// an error, which contains the branch. Reasons are the maximum number of [`points`](Self::points) or a parameter that moves in the
        /// opposite direction by the length of the range. By default the range is 1, and the branch can end at either side without an
        /// error.
        #[must_use]
        pub fn parameter_end(mut self, parameter: f64) -> Self {
            self.course.to = Some(parameter);
            self
        }

        /// Sets the maximum step in the units of `length` of the points, 0.05 by default. For a system at rest the unit is the range of the
        /// parameter; at a constant parameter the step is the root mean square of the displacement components.
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
