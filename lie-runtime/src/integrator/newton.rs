//! When Newton's iteration of a step ends.
//!
//! Two ways to tell, for two kinds of methods:
//!
//! - [`Convergence`] looks at the residuals before each correction. That is for residuals that have a scale of their own, and
//!   for factors that are kept while corrections shrink.
//! - [`Newton`] looks at corrections alone. With exact derivatives, s_{k+1} ≈ s_k³ / s_{k−1}² after the corrections s_{k−1}
//!   and s_k: the iteration ends when that is under the tolerance, without a last residual that would only confirm it.
//!
//! Both end at a correction that is round-off.

use super::{State, StepError, StepFailure};
use crate::scalar::Scalar;
use crate::system::{Linearised, SaddleError};

/// A correction under so many units of round-off is that of the group operations.
const NEGLIGIBLE: f64 = 2.0;
/// A correction under this size, in f32 under a thousand units, that no longer shrinks is round-off of large forces or
/// coordinates.
const STAGNANT: f64 = 1e-9;
/// Factors are kept while corrections shrink by this factor.
const GOOD_CONTRACTION: f64 = 0.1;

/// What is round-off of a number type.
#[derive(Clone, Copy, Debug)]
struct RoundOff {
    /// A correction of this size.
    negligible: f64,
    /// One of this size that no longer shrinks.
    stagnant: f64,
}

impl RoundOff {
    fn of<S: Scalar>() -> Self {
        RoundOff { negligible: NEGLIGIBLE * S::epsilon(), stagnant: STAGNANT.max(1e3 * S::epsilon()) }
    }

    /// True if a correction that follows the one of size `previous` is at the level of round-off.
    #[inline]
    fn holds(self, size: f64, previous: f64) -> bool {
        size <= self.negligible || (previous < self.stagnant && size > 0.5 * previous && size < self.stagnant)
    }
}

/// The course of an iteration in scaled residuals: forces in units of h² r, constraints in those of θ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Convergence {
    tolerance: f64,
    maximum_iterations: usize,
    round_off: RoundOff,
    /// What residuals are compared with, of forces and of constraints; those of the first iterate raise it.
    pub scales: [f64; 2],
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
    pub fn new<S: Scalar>(tolerance: f64, maximum_iterations: usize, scales: [f64; 2]) -> Self {
        let round_off = RoundOff::of::<S>();
        let (previous, count, is_done, contracts) = (f64::INFINITY, 0, false, true);
        Convergence { tolerance, maximum_iterations, round_off, scales, previous, count, is_done, contracts }
    }

    /// True if the residuals of an iterate of the step of size `h` from `from` are small enough.
    ///
    /// # Errors
    /// [`StepError`] if one of them is not finite or there are no iterations left.
    #[inline]
    pub fn is_solved<M: Linearised>(
        &mut self,
        residuals: [f64; 2],
        system: &M,
        from: &State<M>,
        h: f64,
    ) -> Result<bool, StepError> {
        let [forces, constraints] = residuals;
        if self.count == 0 {
            self.scales = [self.scales[0].max(forces), self.scales[1].max(constraints)];
        }
        // NaN is not under any tolerance.
        if forces <= self.tolerance * self.scales[0] && constraints <= self.tolerance * self.scales[1] {
            Ok(true)
        } else if !(forces.is_finite() && constraints.is_finite()) {
            Err(StepError::of_iteration(SaddleError::NotFinite, system, from, h))
        } else if self.count == self.maximum_iterations {
            Err(Unsolved::Slow(self.count).explained([forces / (h * h), constraints], system, from, h))
        } else {
            Ok(false)
        }
    }

    /// Looks at the size of a correction.
    #[inline]
    pub fn correct(&mut self, size: f64) {
        self.count += 1;
        self.is_done = self.round_off.holds(size, self.previous);
        // Round-off, which does not contract, says nothing about the factors.
        self.contracts = size <= GOOD_CONTRACTION * self.previous || self.previous < self.round_off.stagnant;
        self.previous = size;
    }
}

/// Corrections of the last step that are kept for inspection.
const LOGGED: usize = 16;

/// Limits of an iteration with exact derivatives, and what it has done; the unit of its corrections is the caller's: angles,
/// or parts of the increment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Newton {
    /// The correction that is left, at most.
    tolerance: f64,
    /// Iterations before a step is given up.
    maximum: usize,
    round_off: RoundOff,
    /// All iterations.
    pub iterations: u64,
    log: [f64; LOGGED],
    logged: usize,
}

/// Why there is no solution.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unsolved {
    /// Corrections stay above the tolerance after so many iterations.
    Slow(usize),
    /// A NaN, an infinity, or a singular matrix.
    NotFinite,
}

impl Unsolved {
    /// The error of a step of size `h` from `from`, which has left these residuals of forces and of constraints.
    #[cold]
    #[inline(never)]
    pub fn explained<M: Linearised>(
        self,
        [residual, constraint]: [f64; 2],
        system: &M,
        from: &State<M>,
        h: f64,
    ) -> StepError {
        match self {
            Unsolved::NotFinite => StepError::of_iteration(SaddleError::NotFinite, system, from, h),
            Unsolved::Slow(iterations) => {
                let failure = StepFailure::NewtonNotConverged { iterations, residual, constraint };
                StepError { time: from.time, step: h, failure }
            }
        }
    }
}

impl Newton {
    pub fn new<S: Scalar>(tolerance: f64, maximum: usize) -> Self {
        Newton { tolerance, maximum, round_off: RoundOff::of::<S>(), iterations: 0, log: [0.0; LOGGED], logged: 0 }
    }

    /// The corrections of the last solution, the first ones of many.
    pub fn corrections(&self) -> &[f64] {
        &self.log[..self.logged]
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
            if self.round_off.holds(size, previous)
                || (previous.is_finite() && ratio < 0.25 && size * ratio * ratio <= self.tolerance)
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
