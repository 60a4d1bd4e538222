//! When Newton's iteration of a step ends, and the errors of its linear systems.

use super::{Quantity, State, StepError, StepFailure};
use crate::system::{MechanicalSystem, SaddleError};

/// A correction under this size is round-off of the group operations.
const NEGLIGIBLE: f64 = 2.0 * f64::EPSILON;
/// A correction under this size that no longer shrinks is round-off of large coordinates.
const STAGNANT: f64 = 1e-9;
/// Factors are kept while corrections shrink by this factor.
const GOOD_CONTRACTION: f64 = 0.1;

/// A linear system has failed: says so in the names of the declaration.
#[cold]
#[inline(never)]
pub(super) fn explain<M: MechanicalSystem>(error: SaddleError, system: &M, from: &State<M>, h: f64) -> StepError {
    let failure = match error {
        SaddleError::NotFinite => StepFailure::NotFinite { quantity: Quantity::find(system, from) },
        _ => StepFailure::of_saddle(error, system.description()),
    };
    StepError { time: from.time, step: h, failure }
}

/// How an iteration goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The residuals are small enough.
    Solved,
    /// They are not.
    Iterate,
    /// One of them is not finite.
    NotFinite,
    /// There are no iterations left.
    Exhausted,
}

/// The course of one iteration, in scaled residuals: forces in units of h² r, constraints in those of θ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Convergence {
    tolerance: f64,
    maximum_iterations: usize,
    scales: [f64; 2],
    previous: f64,
    /// Corrections made.
    pub count: usize,
    /// True after a correction at the level of round-off.
    pub is_done: bool,
    /// True if the factors at hand still serve.
    pub contracts: bool,
}

impl Convergence {
    /// An iteration whose residuals have to fall to `tolerance` times the larger one of `scales` (of forces and of
    /// constraints) and those of the first iterate.
    pub fn new(tolerance: f64, maximum_iterations: usize, scales: [f64; 2]) -> Self {
        let (previous, count, is_done, contracts) = (f64::INFINITY, 0, false, true);
        Convergence { tolerance, maximum_iterations, scales, previous, count, is_done, contracts }
    }

    /// Looks at the residuals of an iterate.
    #[inline]
    pub fn judge(&mut self, residuals: [f64; 2]) -> Verdict {
        if self.count == 0 {
            self.scales = [self.scales[0].max(residuals[0]), self.scales[1].max(residuals[1])];
        }
        // NaN is not under any tolerance.
        if residuals[0] <= self.tolerance * self.scales[0] && residuals[1] <= self.tolerance * self.scales[1] {
            Verdict::Solved
        } else if !(residuals[0].is_finite() && residuals[1].is_finite()) {
            Verdict::NotFinite
        } else if self.count == self.maximum_iterations {
            Verdict::Exhausted
        } else {
            Verdict::Iterate
        }
    }

    /// Looks at the size of a correction.
    #[inline]
    pub fn correct(&mut self, size: f64) {
        self.count += 1;
        self.is_done =
            size <= NEGLIGIBLE || (self.previous < STAGNANT && size > 0.5 * self.previous && size < STAGNANT);
        self.contracts = size <= GOOD_CONTRACTION * self.previous;
        self.previous = size;
    }
}
