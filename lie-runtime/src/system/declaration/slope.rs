//! Derivatives of functions that call opaque ones: generated rates against differences along the motion.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::differences::{Derivative, derivatives};
use super::evaluate::Evaluation;
use super::{Comparison, Disagreement, What};
use crate::group::TangentVector;

/// So many elements of each function are differentiated: the same code for all of them.
const ELEMENTS: usize = 3;
/// The finest step, in time or in v · time.
const STEP: f64 = 2.5e-4;
/// Relative differences under this one are errors of the differences.
const TOLERANCE: f64 = 1e-6;
/// How many times its estimated error a difference may be off.
const ERRORS: f64 = 10.0;

/// Rates by differences, and by the generated code.
pub(super) struct Slope {
    differences: Vec<Derivative>,
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
        let differences = derivatives(self.step, &evaluate)?;
        let generated = catch_unwind(AssertUnwindSafe(rate)).ok()?;
        Some(Slope { differences, generated })
    }
}

/// The first rate that is not that of its function.
pub(super) fn disagreement(evaluation: &Evaluation) -> Option<Disagreement> {
    evaluation.values.iter().find_map(|value| {
        let slope = value.slope.as_ref()?;
        let largest = slope.differences.iter().fold(0.0_f64, |largest, rate| largest.max(rate.value.abs()));
        let both = slope.differences.iter().zip(&slope.generated).enumerate();
        let mut wrong = both.filter(|&(_, (difference, &generated))| {
            difference.excludes(generated, ERRORS, TOLERANCE * largest.max(generated.abs()))
        });
        wrong.next().map(|(component, (difference, &generated))| Disagreement {
            functions: vec![value.function],
            element: value.element,
            component,
            what: What::Derivative,
            declared: difference.value,
            generated,
        })
    })
}
