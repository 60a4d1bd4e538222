//! Newton's iteration and its stopping rule.
//!
//! A value that is not finite in a residual, a scale or a correction of any lane ends the iteration with an error. This test precedes the
//! tolerances, because an infinite residual is below an infinite scale. Otherwise the first of these conditions ends the iteration:
//!
//! - the residuals are at most the tolerance times their scales (before a correction, for equations with a scale);
//! - the next correction is at most the tolerance times the unit of the corrections. For exact matrices and a first iterate close to the
//!   solution, corrections shrink by s_{k+1} ≈ s_k³ / s_{k−1}², and a final residual is not necessary. For a distant first iterate, the
//!   first correction is dominated by the linear unknowns and does not measure the others;
//! - the last correction is round-off.
//!
//! Each lane has its own residuals and corrections. A converged lane is not corrected until all lanes have converged. Matrices are computed
//! for all lanes if one of them needs a new one.
//!
//! Matrices are computed for every correction, or kept while corrections shrink well: within a step, or from step to step.
//!
//! The iteration converges in the values. The derivatives of dual numbers are then computed from the implicit function theorem, J δx = −δr,
//! independent of the iterates.

use super::equations::{IterateEquations, Scales, Unsolved};
use crate::group::TangentVector;
use crate::scalar::{Mask, Scalar};

/// A correction below this number of units of round-off of the extent of a configuration is the error of the group operations.
const NEGLIGIBLE: f64 = 2.0;
/// A correction below this size (in f32 below a thousand units) that no longer shrinks is round-off of large forces or coordinates.
const STAGNANT: f64 = 1e-9;
/// Factors are kept while corrections shrink by this factor.
const GOOD_CONTRACTION: f64 = 0.1;
/// Corrections that shrink less do not yet converge quadratically.
const QUADRATIC: f64 = 0.25;
/// The maximum number of iterations for the derivatives of a solution with an inexact matrix.
const TURNS_OF_DERIVATIVES: usize = 100;
/// The number of iterates of the last solution that are stored for inspection.
const LOGGED: usize = 16;

/// The update rule of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatrixUpdate {
    /// For every correction.
    Exact,
    /// At the first iterate of a step, and when the factors no longer reduce the correction to a tenth.
    OfTheStep,
    /// When the current factors, possibly from an earlier step of the same size, no longer reduce the correction to a tenth.
    Kept,
}

/// The limits of an iteration, its factors and its statistics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewtonIteration {
    tolerance: f64,
    maximum: usize,
    factors: MatrixUpdate,
    /// A correction of this size is round-off.
    negligible: f64,
    /// A correction of this size that no longer shrinks is round-off as well.
    stagnant: f64,
    /// The step size of the current factors.
    at_hand: Option<f64>,
    /// The number of corrections.
    pub iterations: u64,
    /// The number of matrices.
    pub factorisations: u64,
    residuals: [[f64; 2]; LOGGED],
    residuals_logged: usize,
    corrections: [f64; LOGGED],
    corrections_logged: usize,
}

impl NewtonIteration {
    /// Creates an iteration with the relative tolerance `tolerance`, see above, which fails after `maximum` corrections.
    pub fn new<S: Scalar>(tolerance: f64, maximum: usize, factors: MatrixUpdate) -> Self {
        NewtonIteration {
            tolerance,
            maximum,
            factors,
            negligible: NEGLIGIBLE * S::epsilon(),
            stagnant: STAGNANT.max(1e3 * S::epsilon()),
            at_hand: None,
            iterations: 0,
            factorisations: 0,
            residuals: [[0.0; 2]; LOGGED],
            residuals_logged: 0,
            corrections: [0.0; LOGGED],
            corrections_logged: 0,
        }
    }

    /// Returns the first corrections of the last solution, in their unit if they have one.
    pub fn corrections(&self) -> &[f64] {
        &self.corrections[..self.corrections_logged]
    }

    /// Returns the residuals of the first iterates of the last solution.
    pub fn residuals(&self) -> &[[f64; 2]] {
        &self.residuals[..self.residuals_logged]
    }

    /// Discards the factors.
    #[inline]
    pub fn forget(&mut self) {
        self.at_hand = None;
    }

    /// Solves the equations of a step of size `h` from the current iterate.
    #[inline]
    pub fn solve<E: IterateEquations>(&mut self, h: f64, equations: &mut E) -> Result<(), E::Error> {
        if self.factors != MatrixUpdate::Kept || self.at_hand != Some(h) {
            self.at_hand = None;
        }
        let mut outcome = self.iterate(h, equations);
        if E::Scalar::HAS_DERIVATIVES && outcome.is_ok() {
            outcome = self.differentiate(h, equations);
        }
        if outcome.is_err() {
            self.at_hand = None;
        }
        outcome
    }

    fn iterate<E: IterateEquations>(&mut self, h: f64, equations: &mut E) -> Result<(), E::Error> {
        (self.residuals_logged, self.corrections_logged) = (0, 0);
        let real = E::Scalar::from_f64;
        let (mut count, mut previous) = (0, real(f64::INFINITY));
        let (mut scales, mut unit, mut extent) = ([real(0.0); 2], real(0.0), 1.0);
        let mut resting = <E::Scalar as Scalar>::Mask::splat(false);
        loop {
            equations.place();
            let residuals = equations.residuals(count == 0);
            let left = residuals
                .map_or([f64::INFINITY; 2], |[forces, constraints]| [forces.magnitude(), constraints.magnitude()]);
            if count == 0 {
                Scales { residuals: scales, corrections: unit, extent } = equations.scales();
                // Every residual is below an infinite scale.
                if !scales.iter().chain([&unit]).all(|scale| scale.magnitude().is_finite()) {
                    return Err(equations.unsolved(Unsolved::NotFinite, left));
                }
            }
            if let Some([forces, constraints]) = residuals {
                if self.residuals_logged < LOGGED {
                    self.residuals[self.residuals_logged] = left;
                    self.residuals_logged += 1;
                }
                // This test precedes the tolerances: an infinite first residual would make its own scale infinite and be below it.
                if !(left[0].is_finite() && left[1].is_finite()) {
                    return Err(equations.unsolved(Unsolved::NotFinite, left));
                }
                if count == 0 {
                    scales = [Scalar::max(scales[0], forces), Scalar::max(scales[1], constraints)];
                }
                let tolerance = real(self.tolerance);
                resting = resting | (forces.le(tolerance * scales[0]) & constraints.le(tolerance * scales[1]));
                if resting.all() {
                    return Ok(());
                }
            }
            if count == self.maximum {
                return Err(equations.unsolved(Unsolved::Slow(count), left));
            }
            let is_exact = self.factors == MatrixUpdate::Exact;
            let at_once = if is_exact { equations.correct_at_once(resting) } else { None };
            self.factorisations += u64::from(is_exact || self.at_hand.is_none());
            let size = match at_once {
                Some(size) => size,
                None => {
                    if is_exact || self.at_hand.is_none() {
                        self.at_hand = None;
                        equations.factorise()?;
                        self.at_hand = Some(h);
                    }
                    equations.correct(resting)?
                }
            };
            count += 1;
            self.iterations += 1;
            if self.corrections_logged < LOGGED {
                let in_units = if unit.magnitude() > 0.0 { size / unit } else { size };
                self.corrections[self.corrections_logged] = in_units.magnitude();
                self.corrections_logged += 1;
            }
            if !size.is_finite() {
                return Err(equations.unsolved(Unsolved::NotFinite, left));
            }
            if count == 1 && extent < 1.0 {
                extent = size.magnitude().clamp(extent, 1.0);
            }
            resting = resting | self.is_enough(size, previous, unit, extent);
            if resting.all() {
                equations.place();
                return Ok(());
            }
            // Round-off does not contract and is not a measure of the factors.
            if ((real(GOOD_CONTRACTION) * previous).lt(size) & real(self.stagnant).le(previous)).any() {
                self.at_hand = None;
            }
            previous = size;
        }
    }

    /// Computes the derivatives of the current solution without a change of the values. Repeats the correction until it is small if the
    /// matrix is inexact.
    fn differentiate<E: IterateEquations>(&mut self, h: f64, equations: &mut E) -> Result<(), E::Error> {
        let mut previous = f64::INFINITY;
        for turn in 0..TURNS_OF_DERIVATIVES {
            equations.residuals(false);
            equations.factorise()?;
            self.at_hand = Some(h);
            self.factorisations += 1;
            equations.keep_derivatives();
            equations.correct(Mask::splat(false))?;
            equations.place();
            let Some([change, size]) = equations.variations() else {
                if turn > 0 {
                    return Ok(());
                }
                continue;
            };
            if !change.is_finite() {
                return Err(equations.unsolved(Unsolved::NotFinite, [f64::NAN; 2]));
            }
            // A small change that no longer shrinks is round-off. A larger change can shrink slowly at first, or not at all.
            if change <= self.negligible * size || (change > 0.5 * previous && change <= self.stagnant * size) {
                return Ok(());
            }
            previous = change;
        }
        Err(equations.unsolved(Unsolved::Unsettled(TURNS_OF_DERIVATIVES), [f64::NAN; 2]))
    }

    /// Returns true if the error after a correction of this size, which followed the `previous` one, is below the tolerance or round-off.
    #[inline]
    fn is_enough<S: Scalar>(&self, size: S, previous: S, unit: S, extent: f64) -> S::Mask {
        let (real, ratio) = (S::from_f64, size / previous);
        let stagnant = real(self.stagnant);
        let is_round_off =
            size.le(real(self.negligible * extent)) | (previous.lt(stagnant) & real(0.5).lt(ratio) & size.lt(stagnant));
        if self.factors != MatrixUpdate::Exact {
            return is_round_off;
        }
        // Infinite before the first correction.
        let is_second = previous.lt(real(f64::INFINITY));
        let is_little = (size * ratio * ratio).le(real(self.tolerance) * unit);
        is_round_off | (real(0.0).lt(unit) & is_second & ratio.lt(real(QUADRATIC)) & is_little)
    }
}

/// Returns the largest component of h x.
#[inline]
pub(crate) fn angle<S: Scalar>(h: f64, components: impl Iterator<Item = S>) -> f64 {
    components.fold(0.0, |largest, x| {
        let size = h.abs() * x.magnitude();
        if size > largest || size.is_nan() { size } else { largest }
    })
}

/// Sets the components of converged lanes of a correction to zero.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn leave<V: TangentVector>(correction: &mut V, resting: <V::Scalar as Scalar>::Mask) {
    if const { V::Scalar::LANES > 1 } && resting.any() {
        for at in 0..correction.component_count() {
            let moving = V::Scalar::select(resting, V::Scalar::from_f64(0.0), correction.component(at));
            correction.set_component(at, moving);
        }
    }
}

/// Restores the previous components of converged lanes of a vector.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn keep<V: TangentVector>(vector: &mut V, before: &V, resting: <V::Scalar as Scalar>::Mask) {
    if const { V::Scalar::LANES > 1 } && resting.any() {
        for at in 0..vector.component_count() {
            let kept = V::Scalar::select(resting, before.component(at), vector.component(at));
            vector.set_component(at, kept);
        }
    }
}
