//! The comparison of generated rates of opaque functions with finite differences along the motion.

use super::function_values::FunctionValues;
use crate::system::{ComparedQuantity, Disagreement};

/// Smaller relative differences are errors of the finite differences.
const TOLERANCE: f64 = 1e-6;
/// The allowed multiple of the estimated error of a difference.
const ERRORS: f64 = 10.0;

/// Returns the first rate that disagrees.
pub(super) fn disagreement(evaluation: &FunctionValues) -> Option<Disagreement> {
    evaluation.values.iter().find_map(|value| {
        let rates = value.rates.as_ref()?;
        let largest = rates.differences.iter().fold(0.0_f64, |largest, rate| largest.max(rate.value.abs()));
        let both = rates.differences.iter().zip(&rates.generated).enumerate();
        let mut wrong = both.filter(|&(_, (difference, &generated))| {
            difference.excludes(generated, ERRORS, TOLERANCE * largest.max(generated.abs()))
        });
        wrong.next().map(|(component, (difference, &generated))| Disagreement {
            functions: vec![value.function],
            element: value.element,
            component,
            what: ComparedQuantity::Derivative,
            declared: difference.value,
            generated,
        })
    })
}
