//! Agreement up to round-off: two evaluations of one expression differ by the effect of round-off in its arguments.

use super::declared::Declared;
use super::function_values::{EnergyComparison, FunctionValues};
use super::states::NearbyState;
use crate::system::{ComparedQuantity, Disagreement};

/// Smaller relative differences come from the order of a sum and are accepted.
const CLOSE: f64 = 1e-13;
/// Smaller relative differences are round-off of any function; a misread function differs by more.
const ROUND_OFF: f64 = 1e-10;
/// Differences below this multiple of the largest component are the round-off of constants, which are not perturbed.
const ROUNDED: f64 = 16.0 * f64::EPSILON;
/// The allowed difference in units of the change of a value under round-off in the arguments.
const SPREADS: f64 = 100.0;
/// The number of perturbed evaluations.
const PERTURBATIONS: u64 = 6;

/// One component of a value, declared and generated.
struct ComparedNumbers {
    functions: Vec<&'static str>,
    element: Option<usize>,
    component: usize,
    what: ComparedQuantity,
    declared: f64,
    generated: f64,
    /// The largest component of the value: rotations are rounded in units of 1, the cosine of a right angle as well.
    size: f64,
}

/// Returns the first value that differs by more than round-off.
pub(super) fn disagreement<M: Declared>(
    system: &M,
    at: &NearbyState<M>,
    evaluation: &FunctionValues,
) -> Option<Disagreement> {
    let suspects: Vec<(usize, ComparedNumbers)> =
        pairs(evaluation).into_iter().enumerate().filter(|(_, pair)| !is_close(pair, CLOSE)).collect();
    if suspects.is_empty() {
        return None;
    }
    let perturbed: Vec<Vec<ComparedNumbers>> = (0..PERTURBATIONS)
        .map(|seed| {
            let (system, at) = at.perturbed(system, seed);
            pairs(&FunctionValues::of_values(&system, &at))
        })
        .collect();
    // The energies of a system are kernels that keep results of the unperturbed parameters: the spread of the declared
    // values serves for both.
    let spread = |number: usize, of: fn(&ComparedNumbers) -> f64, value: f64| {
        perturbed.iter().filter_map(|pairs| pairs.get(number)).map(|pair| (of(pair) - value).abs()).fold(0.0, larger)
    };
    let found = suspects.into_iter().find(|(number, pair)| {
        let spread = larger(
            spread(*number, |pair| pair.declared, pair.declared),
            spread(*number, |pair| pair.generated, pair.generated),
        );
        let allowed = SPREADS * spread;
        // A NaN spread means that the function has no value at a perturbed state: the test is inconclusive.
        !(is_close(pair, ROUND_OFF) || allowed.is_nan() || (pair.declared - pair.generated).abs() <= allowed)
    });
    found.map(|(_, pair)| {
        let ComparedNumbers { functions, element, component, what, declared, generated, .. } = pair;
        Disagreement { functions, element, component, what, declared, generated }
    })
}

/// Returns the larger number; NaN if one is NaN.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// Returns true if two numbers agree up to the relative difference or the round-off of their value, or if neither is
/// finite.
fn is_close(pair: &ComparedNumbers, relative: f64) -> bool {
    let (a, b) = (pair.declared, pair.generated);
    match (a.is_finite(), b.is_finite()) {
        (true, true) => (a - b).abs() <= (relative * a.abs().max(b.abs())).max(ROUNDED * pair.size),
        (false, false) => true,
        _ => false,
    }
}

/// Returns all numbers of an evaluation, always in the same order.
fn pairs(evaluation: &FunctionValues) -> Vec<ComparedNumbers> {
    let mut pairs = Vec::new();
    for value in &evaluation.values {
        let size =
            value.declared.iter().filter(|component| component.is_finite()).fold(0.0, |size, x| larger(size, x.abs()));
        for (component, &generated) in value.generated.iter().enumerate() {
            let (functions, element, declared) = (vec![value.function], value.element, value.declared[component]);
            pairs.push(ComparedNumbers {
                functions,
                element,
                component,
                what: ComparedQuantity::Value,
                declared,
                generated,
                size,
            });
        }
    }
    let energies = [
        (&evaluation.kinetic, ComparedQuantity::KineticEnergy),
        (&evaluation.potential, ComparedQuantity::PotentialEnergy),
    ];
    let without_panic = evaluation.panic().is_none();
    pairs.extend(energies.map(|(energy, what)| {
        let EnergyComparison { functions, declared, generated } = energy;
        let declared = if without_panic { *declared } else { *generated };
        let size = declared.abs();
        ComparedNumbers {
            functions: functions.clone(),
            element: None,
            component: 0,
            what,
            declared,
            generated: *generated,
            size,
        }
    }));
    pairs
}
