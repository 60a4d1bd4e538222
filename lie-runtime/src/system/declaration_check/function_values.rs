//! The declared and the generated values of all functions at one state.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::declared::{Declared, EnergyContribution, FunctionComparison};
use super::rate_sampler;
use super::states::NearbyState;

/// The values of one function at one state.
pub(super) struct FunctionValue {
    pub function: &'static str,
    pub element: Option<usize>,
    /// Empty if the function panics.
    pub declared: Vec<f64>,
    pub generated: Vec<f64>,
    /// Rates by finite differences and by the generated code, for a few of the functions that call opaque functions.
    pub rates: Option<rate_sampler::RateComparison>,
}

/// A panic of a declared function.
pub(super) struct FunctionPanic {
    pub function: &'static str,
    pub element: Option<usize>,
    pub message: String,
}

/// An energy: the sum of the declared functions, and the value of the kernel.
#[derive(Default)]
pub(super) struct EnergyComparison {
    pub functions: Vec<&'static str>,
    pub declared: f64,
    pub generated: f64,
}

/// The values of all functions at one state.
pub(super) struct FunctionValues {
    pub values: Vec<FunctionValue>,
    pub kinetic: EnergyComparison,
    pub potential: EnergyComparison,
    panic: Option<FunctionPanic>,
}

impl EnergyComparison {
    fn add(&mut self, function: &'static str, value: f64) {
        self.declared += value;
        if !self.functions.contains(&function) {
            self.functions.push(function);
        }
    }
}

impl FunctionValues {
    /// Evaluates values, and derivatives of functions that call opaque functions.
    pub fn of<M: Declared>(system: &M, at: &NearbyState<M>) -> Self {
        FunctionValues::with(system, at, true)
    }

    /// Evaluates values only.
    pub fn of_values<M: Declared>(system: &M, at: &NearbyState<M>) -> Self {
        FunctionValues::with(system, at, false)
    }

    fn with<M: Declared>(system: &M, at: &NearbyState<M>, with_rates: bool) -> Self {
        let (mut kinetic, mut potential) = (EnergyComparison::default(), EnergyComparison::default());
        let (mut values, mut panic) = (Vec::new(), None);
        let mut sampler = rate_sampler::RateSampler::of(&at.v);
        system.compare(at.t, &at.q, &at.v, &mut |comparison: &FunctionComparison<'_>| {
            let FunctionComparison { function, element, share, declared, generated, rate, .. } = *comparison;
            let evaluated = match catch_unwind(AssertUnwindSafe(|| (declared(0.0), generated()))) {
                Ok((value, generated)) => {
                    match share {
                        EnergyContribution::Kinetic => kinetic.add(function, value[0]),
                        EnergyContribution::Potential => potential.add(function, value[0]),
                        EnergyContribution::Mass(velocity) => kinetic.add(function, quadratic(&value, velocity)),
                        EnergyContribution::States | EnergyContribution::Other => {}
                    }
                    let rates = rate.filter(|_| with_rates).and_then(|rate| sampler.rates(comparison, rate));
                    Some((value, generated, rates))
                }
                Err(payload) => {
                    let message = message_of(payload.as_ref());
                    panic.get_or_insert(FunctionPanic { function, element, message });
                    None
                }
            };
            let (declared, generated, rates) = evaluated.unwrap_or_default();
            values.push(FunctionValue { function, element, declared, generated, rates });
        });
        // The kernels call the panicking function as well.
        if panic.is_none() {
            kinetic.generated = system.kinetic_energy(at.t, &at.q, &at.v);
            potential.generated = system.potential_energy(at.t, &at.q);
        }
        FunctionValues { values, kinetic, potential, panic }
    }

    /// Returns the first panic.
    pub fn panic(&self) -> Option<&FunctionPanic> {
        self.panic.as_ref()
    }
}

/// ½ vᵀ M v, with M by rows.
fn quadratic(matrix: &[f64], v: &[f64]) -> f64 {
    let rows = matrix.chunks_exact(v.len().max(1)).zip(v);
    0.5 * rows.map(|(row, own)| own * row.iter().zip(v).map(|(entry, other)| entry * other).sum::<f64>()).sum::<f64>()
}

/// Returns the message of a panic.
fn message_of(payload: &(dyn core::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a word".to_owned())
}
