//! Agreement up to rounding: two evaluations of one expression differ by what its arguments' round-off makes of it.

use super::declared::Declared;
use super::function_values::{EnergyComparison, FunctionValues};
use super::states::NearbyState;
use crate::system::{ComparedQuantity, Disagreement};

/// Relative differences under this one are never looked at twice: sums in another order.
const CLOSE: f64 = 1e-13;
/// Relative differences under this one are rounding whatever the function; what is misread differs by more.
const ROUND_OFF: f64 = 1e-10;
/// Differences of a component under so many of the largest one are the rounding of constants, which nothing shakes.
const ROUNDED: f64 = 16.0 * f64::EPSILON;
/// How many changes of a value by round-off in the arguments a difference may be.
const SPREADS: f64 = 100.0;
/// How often the arguments are shaken.
const SHAKEN: u64 = 6;

/// One number of an evaluation, declared and generated.
struct ComparedNumbers {
    functions: Vec<&'static str>,
    element: Option<usize>,
    component: usize,
    what: ComparedQuantity,
    declared: f64,
    generated: f64,
    /// The largest component of the value: rotations are rounded in units of 1, what is left of the cosine of a right angle as well.
    size: f64,
}

/// The first value that differs by more than rounding.
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
    let shaken: Vec<Vec<ComparedNumbers>> = (0..SHAKEN)
        .map(|seed| {
            let (system, at) = at.shaken(system, seed);
            pairs(&FunctionValues::of_values(&system, &at))
        })
        .collect();
    // The energies of a system are kernels that keep what is computed from the true parameters: the spread of what is
    // declared serves for both.
    let spread = |number: usize, of: fn(&ComparedNumbers) -> f64, value: f64| {
        shaken.iter().filter_map(|pairs| pairs.get(number)).map(|pair| (of(pair) - value).abs()).fold(0.0, larger)
    };
    let found = suspects.into_iter().find(|(number, pair)| {
        let spread = larger(
            spread(*number, |pair| pair.declared, pair.declared),
            spread(*number, |pair| pair.generated, pair.generated),
        );
        let allowed = SPREADS * spread;
        // A spread that is no number comes from where the function has no value: there is no telling.
        !(is_close(pair, ROUND_OFF) || allowed.is_nan() || (pair.declared - pair.generated).abs() <= allowed)
    });
    found.map(|(_, pair)| {
        let ComparedNumbers { functions, element, component, what, declared, generated, .. } = pair;
        Disagreement { functions, element, component, what, declared, generated }
    })
}

/// The larger number; NaN if one is.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// True of equal numbers up to the relative difference or the rounding of the value that they are of, and where neither is finite.
fn is_close(pair: &ComparedNumbers, relative: f64) -> bool {
    let (a, b) = (pair.declared, pair.generated);
    match (a.is_finite(), b.is_finite()) {
        (true, true) => (a - b).abs() <= (relative * a.abs().max(b.abs())).max(ROUNDED * pair.size),
        (false, false) => true,
        _ => false,
    }
}

/// All numbers of an evaluation, always in the same order.
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
