//! What can be chosen.

/// What the third stage, with its weights of order 3, sets anew.
///
/// Paper 4 sets the configuration alone and leaves the velocities as the second stage has found them. Their error is then
/// of second order, 0.04 h² v'', and so is that of the configuration in the end; the errors that the paper reports are of
/// third order and are those of [`Full`](Completion::Full).
///
/// No third stage that later steps start from is stable on the imaginary axis: the weights of order 3 let an undamped
/// oscillation of frequency ω grow, by the factor 1 + 0.0131 (ω h)⁴ a step for small ω h. Structures with stiff modes, as
/// rods are, need [`Nothing`](Completion::Nothing) or steps that resolve these modes.
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

/// The first iterate of the first stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Predictor {
    /// v = v_n, predictor (i) of paper 4.
    Velocity,
    /// v' = v'_n, predictor (ii).
    #[default]
    Acceleration,
}

/// The factor 1/24 of the rotation correction with which rotations are of order 3.
pub const CORRECTION: f64 = 1.0 / 24.0;
/// The factor as paper 4, eq. (20), prints it; rotations are then of order 2.
pub const PRINTED_CORRECTION: f64 = 1.0 / 48.0;

/// The choices of a [`TrBdf2`](super::TrBdf2) method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// What the third stage sets.
    pub completion: Completion,
    /// The first iterate.
    pub predictor: Predictor,
    /// The factor of Corr, in half angles.
    pub correction: f64,
    /// The part of the increment, or of 1e-5 if that is more, that Newton's iteration may leave; 1e-12 by default.
    pub tolerance: f64,
    /// Iterations before a step is given up, 20 by default.
    pub maximum_iterations: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            completion: Completion::default(),
            predictor: Predictor::default(),
            correction: CORRECTION,
            tolerance: 1e-12,
            maximum_iterations: 20,
        }
    }
}
