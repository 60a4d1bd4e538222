//! What can be chosen.

/// The choices of [`Rattlie`](super::Rattlie).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The balance of momenta has to hold up to this multiple of the momenta, the constraints up to this multiple of θ;
    /// 1e-12 by default. Corrections at the level of round-off end the iteration as well.
    pub tolerance: f64,
    /// Iterations before a step is given up, 30 by default.
    pub maximum_iterations: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { tolerance: 1e-12, maximum_iterations: 30 }
    }
}
