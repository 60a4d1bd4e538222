//! Newton's iteration, and when it ends.
//!
//! A residual, a scale or a correction that is not finite, in any lane, ends it with an error before any tolerance is tested: an infinite
//! residual is below an infinite scale. Otherwise it ends where one of these says so, whichever comes first:
//!
//! - the residuals are the tolerance times their scales: before a correction, for equations that have a scale;
//! - what is left is the tolerance times the unit of the corrections: with exact matrices and a first iterate near the
//!   solution they shrink by s_{k+1} ≈ s_k³ / s_{k−1}², and no last residual has to confirm it (from far away the first
//!   correction is large in what is linear, and would say too little of the rest);
//! - the last correction is round-off.
//!
//! Of lanes each goes by its own residuals and corrections: one that is at rest stays there, uncorrected, until all are. Matrices
//! are made for all, where one of them needs it.
//!
//! Matrices are made anew for every correction, or kept while corrections shrink well: within a step, or from step to step.
//!
//! What it ends at is a solution of values. Derivatives that numbers carry lag behind by as many iterations as the matrix is
//! old; they are those of the implicit function that the equations define there, J δx = −δr, whatever led to it.

use super::equations::{Equations, Scales, Unsolved};
use crate::group::TangentVector;
use crate::scalar::{Mask, Scalar};

/// A correction under so many units of round-off of the extent of a configuration is that of the group operations.
const NEGLIGIBLE: f64 = 2.0;
/// A correction under this size, in f32 under a thousand units, that no longer shrinks is round-off of large forces or
/// coordinates.
const STAGNANT: f64 = 1e-9;
/// Factors are kept while corrections shrink by this factor.
const GOOD_CONTRACTION: f64 = 0.1;
/// Corrections that shrink less do not yet converge quadratically.
const QUADRATIC: f64 = 0.25;
/// Turns towards the derivatives of a solution by a matrix that is not the exact one.
const TURNS_OF_DERIVATIVES: usize = 100;
/// Iterates of the last solution that are kept for inspection.
const LOGGED: usize = 16;

/// When the matrix is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Factors {
    /// For every correction.
    Exact,
    /// At the first iterate of a step, and when its factors no longer reduce the correction to a tenth.
    OfTheStep,
    /// When the factors at hand, be they of an earlier step of the same size, no longer reduce the correction to a tenth.
    Kept,
}

/// The limits of an iteration, the factors that it keeps, and what it has done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Newton {
    tolerance: f64,
    maximum: usize,
    factors: Factors,
    /// A correction of this size is round-off.
    negligible: f64,
    /// One of this size that no longer shrinks is as well.
    stagnant: f64,
    /// The step size of the factors at hand.
    at_hand: Option<f64>,
    /// All corrections.
    pub iterations: u64,
    /// All matrices.
    pub factorisations: u64,
    residuals: [[f64; 2]; LOGGED],
    residuals_logged: usize,
    corrections: [f64; LOGGED],
    corrections_logged: usize,
}

impl Newton {
    /// An iteration that leaves at most `tolerance`, see above, and is given up after `maximum` corrections.
    pub fn new<S: Scalar>(tolerance: f64, maximum: usize, factors: Factors) -> Self {
        Newton {
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

    /// The corrections of the last solution, in their unit if they have one, the first ones of many.
    pub fn corrections(&self) -> &[f64] {
        &self.corrections[..self.corrections_logged]
    }

    /// The residuals that the iterates of the last solution were found to have, the first ones of many.
    pub fn residuals(&self) -> &[[f64; 2]] {
        &self.residuals[..self.residuals_logged]
    }

    /// Makes the next matrix anew.
    #[inline]
    pub fn forget(&mut self) {
        self.at_hand = None;
    }

    /// Solves the equations of a step of size `h` from the iterate at hand.
    #[inline]
    pub fn solve<E: Equations>(&mut self, h: f64, equations: &mut E) -> Result<(), E::Error> {
        if self.factors != Factors::Kept || self.at_hand != Some(h) {
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

    fn iterate<E: Equations>(&mut self, h: f64, equations: &mut E) -> Result<(), E::Error> {
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
                // Before any tolerance: an infinite first residual would make its own scale infinite, and be below it.
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
            let is_exact = self.factors == Factors::Exact;
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
            // Round-off, which does not contract, says nothing about the factors.
            if ((real(GOOD_CONTRACTION) * previous).lt(size) & real(self.stagnant).le(previous)).any() {
                self.at_hand = None;
            }
            previous = size;
        }
    }

    /// The derivatives of the solution at hand, whose values stay as they are; repeated as long as the matrix, where it is
    /// not the exact one, leaves something of them.
    fn differentiate<E: Equations>(&mut self, h: f64, equations: &mut E) -> Result<(), E::Error> {
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
            // What is little and no longer shrinks is round-off; what is more may shrink slowly at first, or not at all.
            if change <= self.negligible * size || (change > 0.5 * previous && change <= self.stagnant * size) {
                return Ok(());
            }
            previous = change;
        }
        Err(equations.unsolved(Unsolved::Unsettled(TURNS_OF_DERIVATIVES), [f64::NAN; 2]))
    }

    /// True after a correction of this size, which followed the `previous` one, if nothing is left but the tolerance or
    /// round-off.
    #[inline]
    fn is_enough<S: Scalar>(&self, size: S, previous: S, unit: S, extent: f64) -> S::Mask {
        let (real, ratio) = (S::from_f64, size / previous);
        let stagnant = real(self.stagnant);
        let is_round_off =
            size.le(real(self.negligible * extent)) | (previous.lt(stagnant) & real(0.5).lt(ratio) & size.lt(stagnant));
        if self.factors != Factors::Exact {
            return is_round_off;
        }
        // Infinite before the first correction.
        let is_second = previous.lt(real(f64::INFINITY));
        let is_little = (size * ratio * ratio).le(real(self.tolerance) * unit);
        is_round_off | (real(0.0).lt(unit) & is_second & ratio.lt(real(QUADRATIC)) & is_little)
    }
}

/// The largest component of h x.
#[inline]
pub(crate) fn angle<S: Scalar>(h: f64, components: impl Iterator<Item = S>) -> f64 {
    components.fold(0.0, |largest, x| {
        let size = h.abs() * x.magnitude();
        if size > largest || size.is_nan() { size } else { largest }
    })
}

/// Takes the components of lanes at rest away from a correction.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn leave<V: TangentVector>(correction: &mut V, resting: <V::Scalar as Scalar>::Mask) {
    if const { V::Scalar::LANES > 1 } && resting.any() {
        for at in 0..correction.component_count() {
            let moving = V::Scalar::select(resting, V::Scalar::from_f64(0.0), correction.component(at));
            correction.set_component(at, moving);
        }
    }
}

/// Takes the components of lanes at rest from what a vector was before.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn keep<V: TangentVector>(vector: &mut V, before: &V, resting: <V::Scalar as Scalar>::Mask) {
    if const { V::Scalar::LANES > 1 } && resting.any() {
        for at in 0..vector.component_count() {
            let kept = V::Scalar::select(resting, before.component(at), vector.component(at));
            vector.set_component(at, kept);
        }
    }
}
