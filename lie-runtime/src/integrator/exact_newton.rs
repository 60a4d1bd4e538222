//! Newton's iteration with exact derivatives: when it ends.
//!
//! From corrections s_{k−1} and s_k of an iteration that converges quadratically, s_{k+1} ≈ s_k³ / s_{k−1}²: it ends when
//! that is under the tolerance, without a last residual that would only confirm it. The unit of the corrections is the
//! caller's: angles, or parts of the increment.

use crate::scalar::Scalar;

/// Corrections of the last step that are kept for inspection.
const LOGGED: usize = 16;

/// Limits of the iteration, and what it has done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Newton {
    /// The correction that is left, at most.
    pub tolerance: f64,
    /// Iterations before a step is given up.
    pub maximum: usize,
    /// All iterations.
    pub iterations: u64,
    /// The corrections of the last solution.
    pub log: [f64; LOGGED],
    /// How many of them there are.
    pub logged: usize,
}

/// Why there is no solution.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unsolved {
    /// Corrections stay above the tolerance after so many iterations.
    Slow(usize),
    /// A NaN, an infinity, or a singular matrix.
    NotFinite,
}

/// A correction under this size is round-off.
const NEGLIGIBLE: f64 = 1e-15;
/// A correction under this size that no longer shrinks is round-off of large forces or coordinates.
const STAGNANT: f64 = 1e-9;

impl Newton {
    pub fn new(tolerance: f64, maximum: usize) -> Self {
        Newton { tolerance, maximum, iterations: 0, log: [0.0; LOGGED], logged: 0 }
    }

    /// Calls `correct`, which corrects the unknowns and returns by how much, until the estimate says that is enough.
    #[inline]
    pub fn iterate(&mut self, mut correct: impl FnMut() -> Option<f64>) -> Result<(), Unsolved> {
        self.logged = 0;
        let mut previous = f64::INFINITY;
        for _ in 0..self.maximum {
            let size = correct().ok_or(Unsolved::NotFinite)?;
            self.iterations += 1;
            if self.logged < LOGGED {
                self.log[self.logged] = size;
                self.logged += 1;
            }
            if !size.is_finite() {
                return Err(Unsolved::NotFinite);
            }
            let ratio = size / previous;
            if size <= NEGLIGIBLE
                || (previous.is_finite() && ratio < 0.25 && size * ratio * ratio <= self.tolerance)
                || (previous < STAGNANT && size > 0.5 * previous && size < STAGNANT)
            {
                return Ok(());
            }
            previous = size;
        }
        Err(Unsolved::Slow(self.maximum))
    }
}

/// The largest component of h x.
#[inline]
pub(super) fn angle<S: Scalar>(h: f64, components: impl Iterator<Item = S>) -> f64 {
    components.fold(0.0, |largest, x| {
        let size = (h * x.value()).abs();
        if size > largest || size.is_nan() { size } else { largest }
    })
}
