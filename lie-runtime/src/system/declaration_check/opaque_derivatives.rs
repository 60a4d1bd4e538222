//! Derivatives of functions that call opaque ones: generated rates against differences along the motion.

use super::function_values::FunctionValues;
use crate::system::{ComparedQuantity, Disagreement};

/// Relative differences under this one are errors of the differences.
const TOLERANCE: f64 = 1e-6;
/// How many times its estimated error a difference may be off.
const ERRORS: f64 = 10.0;

/// The first rate that is not that of its function.
pub(super) fn disagreement(evaluation: &FunctionValues) -> Option<Disagreement> {
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
            what: ComparedQuantity::Derivative,
            declared: difference.value,
            generated,
        })
    })
}
