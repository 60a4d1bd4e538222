//! Rates of functions that call opaque functions: by finite differences along the motion, and as generated.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::declared::FunctionComparison;
use super::finite_differences::{Derivative, derivatives};
use crate::group::TangentVector;

/// The number of elements of each function that are differentiated; all elements have the same code.
const ELEMENTS: usize = 3;
/// The finest step, in time or in v · time.
const STEP: f64 = 2.5e-4;

/// Rates by finite differences, and by the generated code.
pub(super) struct RateComparison {
    pub differences: Vec<Derivative>,
    pub generated: Vec<f64>,
}

/// Computes finite differences of functions, each at a few elements.
pub(super) struct RateSampler {
    step: f64,
    /// The number of samples of each function.
    sampled: BTreeMap<&'static str, usize>,
}

impl RateSampler {
    pub fn of<V: TangentVector>(v: &V) -> Self {
        let speed = v.max_norm();
        RateSampler { step: STEP / if speed > 1.0 { speed } else { 1.0 }, sampled: BTreeMap::new() }
    }

    /// Returns the rates of a function; `None` if it has been sampled often enough, or has no value close to the state.
    pub fn rates(
        &mut self,
        comparison: &FunctionComparison<'_>,
        rate: &dyn Fn() -> Vec<f64>,
    ) -> Option<RateComparison> {
        let sampled = self.sampled.entry(comparison.function).or_default();
        if *sampled >= ELEMENTS {
            return None;
        }
        *sampled += 1;
        let evaluate = |step: f64| catch_unwind(AssertUnwindSafe(|| (comparison.declared)(step))).ok();
        let differences = derivatives(self.step, &evaluate)?;
        let generated = catch_unwind(AssertUnwindSafe(rate)).ok()?;
        Some(RateComparison { differences, generated })
    }
}
