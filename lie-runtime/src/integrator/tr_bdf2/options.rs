//! The choices of the method.

/// The values that the third stage replaces, with its weights of order 3.
///
/// Paper 4 replaces the configuration only and keeps the velocities of the second stage. Their error is then of second order, 0.04 h² v'',
/// and the final error of the configuration has the same order. The paper reports errors of third order, which agree with
/// [`Full`](Completion::Full).
///
/// A method that continues from the third stage is not stable on the imaginary axis. The weights of order 3 amplify an undamped oscillation
/// of frequency ω by the factor 1 + 0.0131 (ω h)⁴ a step for small ω h. Structures with stiff modes, for example rods, need
/// [`Nothing`](Completion::Nothing) or steps that resolve these modes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Completion {
    /// Configuration and velocity: order 3. Undamped oscillations grow.
    Full,
    /// The configuration, as printed: order 2 with a small error. Undamped oscillations grow up to ω h = 22.
    Configuration,
    /// Nothing: TR-BDF2 of order 2, which annihilates high frequencies. The third stage serves the error estimate.
    #[default]
    Nothing,
}

/// The first iterates of the stages. The second stage begins with the cubic through the velocities and accelerations of the first, except for
/// [`PreviousStage`](TrBdf2Predictor::PreviousStage).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrBdf2Predictor {
    /// v = v_n, predictor (i) of paper 4.
    Velocity,
    /// v' = v'_n, predictor (ii).
    #[default]
    Acceleration,
    /// The velocity of the previous stage, for both stages. For an acceleration that a fast damped motion contains, the other predictors begin
    /// far from the solution.
    PreviousStage,
}

/// The factor 1/24 of the rotation correction, which gives rotations of order 3.
pub const CORRECTION: f64 = 1.0 / 24.0;
/// The factor printed in paper 4, eq. (20), which gives rotations of order 2.
pub const PRINTED_CORRECTION: f64 = 1.0 / 48.0;

/// The choices of a [`TrBdf2`](super::TrBdf2) method.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TrBdf2Options {
    /// The result of the third stage.
    #[doc(hidden)]
    pub completion: Completion,
    /// The first iterate.
    #[doc(hidden)]
    pub predictor: TrBdf2Predictor,
    /// The factor of Corr, in half angles.
    pub(crate) correction: f64,
    /// The tolerance of Newton's iteration relative to the increment, or to 1e-5 for smaller increments; 1e-12 by default.
    pub(crate) tolerance: f64,
    /// The maximum number of iterations of a step, 20 by default.
    pub(crate) maximum_iterations: usize,
}

impl Default for TrBdf2Options {
    fn default() -> Self {
        TrBdf2Options {
            completion: Completion::default(),
            predictor: TrBdf2Predictor::default(),
            correction: CORRECTION,
            tolerance: 1e-12,
            maximum_iterations: 20,
        }
    }
}

crate::setters::setters! {
    TrBdf2Options {
        /// Sets the result of the third stage.
        completion: Completion,
        /// Sets the first iterate.
        predictor: TrBdf2Predictor,
        /// Sets the factor of Corr, in half angles.
        correction: f64,
        /// Sets the tolerance of Newton's iteration relative to the increment, or to 1e-5 for smaller increments; 1e-12 by default.
        tolerance: f64,
        /// Sets the maximum number of iterations of a step, 20 by default.
        maximum_iterations: usize,
    }
}
