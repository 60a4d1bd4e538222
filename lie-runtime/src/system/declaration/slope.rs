//! Derivatives of functions that call opaque ones: generated rates against differences along the motion.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::evaluate::Evaluation;
use super::{Comparison, Disagreement, What};
use crate::group::TangentVector;

/// So many elements of each function are differentiated: the same code for all of them.
const ELEMENTS: usize = 3;
/// The largest step, in time or in v · time.
const STEP: f64 = 1e-3;
/// Relative differences under this one are errors of the differences.
const TOLERANCE: f64 = 1e-6;
/// How many times its estimated error a difference may be off.
const ERRORS: f64 = 10.0;

/// Rates by differences with their errors, and by the generated code.
pub(super) struct Slope {
    differences: Vec<[f64; 2]>,
    generated: Vec<f64>,
}

/// Takes differences of functions, each at a few elements.
pub(super) struct Sampler {
    step: f64,
    /// How often each function has been sampled.
    sampled: BTreeMap<&'static str, usize>,
}

impl Sampler {
    pub fn of<V: TangentVector>(v: &V) -> Self {
        let speed = v.max_norm();
        Sampler { step: STEP / if speed > 1.0 { speed } else { 1.0 }, sampled: BTreeMap::new() }
    }

    /// The rates of a function; `None` of one that has been sampled often enough, or that has no value nearby.
    pub fn slope(&mut self, comparison: &Comparison<'_>, rate: &dyn Fn() -> Vec<f64>) -> Option<Slope> {
        let sampled = self.sampled.entry(comparison.function).or_default();
        if *sampled >= ELEMENTS {
            return None;
        }
        *sampled += 1;
        let evaluate = |step: f64| catch_unwind(AssertUnwindSafe(|| (comparison.declared)(step))).ok();
        let steps = [1.0, 0.5, 0.25].map(|part| part * self.step);
        let mut central = Vec::with_capacity(steps.len());
        for step in steps {
            let (after, before) = (evaluate(step)?, evaluate(-step)?);
            let slopes: Vec<f64> = after.iter().zip(&before).map(|(a, b)| (a - b) / (2.0 * step)).collect();
            central.push(slopes);
        }
        let rate = catch_unwind(AssertUnwindSafe(rate)).ok()?;
        let size = evaluate(0.0)?.iter().fold(0.0_f64, |size, value| size.max(value.abs()));
        let differences = (0..rate.len()).map(|at| {
            let [coarse, middle, fine] = [&central[0], &central[1], &central[2]].map(|slopes| slopes[at]);
            // The error of the finest by what halving the step changed, a quarter each time where the function is
            // smooth; and that of rounding.
            let error = (fine - middle).abs().max((middle - coarse).abs() / 4.0);
            [fine + (fine - middle) / 3.0, error + f64::EPSILON * size / steps[2]]
        });
        Some(Slope { differences: differences.collect(), generated: rate })
    }
}

/// The first rate that is not that of its function.
pub(super) fn disagreement(evaluation: &Evaluation) -> Option<Disagreement> {
    evaluation.values.iter().find_map(|value| {
        let slope = value.slope.as_ref()?;
        let largest = slope.differences.iter().fold(0.0_f64, |largest, [rate, _]| largest.max(rate.abs()));
        let both = slope.differences.iter().zip(&slope.generated).enumerate();
        let mut wrong = both.filter(|&(_, (&[difference, error], &generated))| {
            let allowed = ERRORS * error + TOLERANCE * largest.max(generated.abs());
            let is_known = difference.is_finite() && error.is_finite();
            is_known && (!generated.is_finite() || (difference - generated).abs() > allowed)
        });
        wrong.next().map(|(component, (&[declared, _], &generated))| Disagreement {
            functions: vec![value.function],
            element: value.element,
            component,
            what: What::Derivative,
            declared,
            generated,
        })
    })
}
