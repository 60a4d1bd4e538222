//! The choices of the method.

/// The choices of [`Rattlie`](super::Rattlie).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RattlieOptions {
    /// The relative tolerance of the iteration, 1e-12 by default. The balance of momenta must hold up to this multiple of the momenta, the
    /// constraints up to this multiple of θ. Corrections at the level of round-off end the iteration as well.
    pub(crate) tolerance: f64,
    /// The maximum number of iterations of a step, 30 by default.
    pub(crate) maximum_iterations: usize,
}

impl Default for RattlieOptions {
    fn default() -> Self {
        RattlieOptions { tolerance: 1e-12, maximum_iterations: 30 }
    }
}

crate::setters::setters! {
    RattlieOptions {
        /// Sets the relative tolerance of the iteration, 1e-12 by default. The balance of momenta must hold up to this multiple of the
        /// momenta, the constraints up to this multiple of θ. Corrections at the level of round-off end the iteration as well.
        tolerance: f64,
        /// Sets the maximum number of iterations of a step, 30 by default.
        maximum_iterations: usize,
    }
}
