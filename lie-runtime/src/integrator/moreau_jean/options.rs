//! The options of the method.

/// The identifier of the method.
pub(super) const ID: &str = "moreau_jean";

/// The options of [`MoreauJean`](super::MoreauJean).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MoreauJeanOptions {
    /// The relative tolerance of the rates of contacts and frictions, 1e-10 by default.
    pub(crate) tolerance: f64,
    /// The maximum number of sweeps of a step, 10 000 by default.
    pub(crate) maximum_iterations: usize,
}

impl Default for MoreauJeanOptions {
    fn default() -> Self {
        MoreauJeanOptions { tolerance: 1e-10, maximum_iterations: 10_000 }
    }
}

crate::setters::setters! {
    MoreauJeanOptions {
        /// Sets the tolerance of the rates of contacts and frictions, relative to the largest rate of the step; 1e-10 by default.
        tolerance: f64,
        /// Sets the maximum number of Gauss-Seidel sweeps of a step, 10 000 by default.
        maximum_iterations: usize,
    }
}
