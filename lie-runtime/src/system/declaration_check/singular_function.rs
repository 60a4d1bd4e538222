//! The declared function that has no value or no derivative at a state.
//!
//! A norm at zero has a value and no derivative. The difference D(s) = |f(s) − 2 f(0) + f(−s)| along a displacement s is the criterion. For a
//! smooth function D is proportional to s². At a kink it is proportional to s, and at a root to a lower power of s.

use super::check::in_f64;
use super::declared::{Declared, EnergyContribution};
use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{FunctionElement, MechanicalSystem};

/// The displacements of the differences.
const STEPS: [f64; 2] = [1e-5, 1e-3];
/// The ratio of both differences is 100 at a kink and 10⁴ for a smooth function.
const SMOOTH: f64 = 1e3;
/// Differences below this multiple of the value are round-off.
const ROUND_OFF: f64 = 64.0 * f64::EPSILON;
/// An irrational ratio: no two components of a displacement are equal.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// The values of a function of an element.
struct Values {
    of: FunctionElement,
    is_energy: bool,
    is_force: bool,
    components: Vec<f64>,
}

/// Finds the first function of a generated system on `f64` without a value or without a derivative at a state.
///
/// Energies are examined first unless `of_forces` is set, then forces and dissipations.
pub fn singular_function_in_f64<M, R>(
    system: &M,
    (t, q, v): (M::Scalar, &M::Configuration, &M::Velocity),
    of_forces: bool,
) -> Option<FunctionElement>
where
    M: MechanicalSystem<Configuration: 'static, Velocity: 'static> + 'static,
    R: Declared<Configuration: 'static, Velocity: 'static> + 'static,
{
    let (system, q, v) = in_f64::<M, R>(system, q, v)?;
    let mut way = system.zero_velocity();
    for component in 0..way.component_count() {
        way.set_component(component, (component as f64 * GOLDEN).fract() - 0.5);
    }
    system.space().remove_spins(q, &mut way);
    let values = |step: f64| {
        let (mut increment, mut moved, mut velocity) = (way.clone(), q.clone(), v.clone());
        increment.scale(step);
        system.space().compose_exp(q, &increment, &mut moved);
        velocity.axpy(1.0, &increment);
        let mut values = Vec::new();
        system.compare(t.value(), &moved, &velocity, &mut |comparison| {
            let is_energy = comparison.share != EnergyContribution::Other;
            let is_force = comparison.power.is_some();
            if is_force || (is_energy && !of_forces) {
                let of = FunctionElement { function: comparison.function, element: comparison.element };
                values.push(Values { of, is_energy, is_force, components: (comparison.generated)() });
            }
        });
        values
    };
    let here = values(0.0);
    if let Some(found) = here.iter().find(|own| own.components.iter().any(|value| !value.is_finite())) {
        return Some(found.of);
    }
    let around = STEPS.map(|step| [values(step), values(-step)]);
    let is_singular = |at: usize| {
        (0..here[at].components.len()).any(|component| {
            let value = here[at].components[component];
            let [small, large] = around.each_ref().map(|sides| {
                let [above, below] =
                    sides.each_ref().map(|side| side.get(at).and_then(|own| own.components.get(component)));
                above.zip(below).map_or(0.0, |(above, below)| (above - 2.0 * value + below).abs())
            });
            // A side without a value is NaN.
            !(small <= ROUND_OFF * value.abs() || large >= SMOOTH * small)
        })
    };
    let find = |is_wanted: fn(&Values) -> bool| (0..here.len()).find(|&at| is_wanted(&here[at]) && is_singular(at));
    find(|own| own.is_energy).or_else(|| find(|own| own.is_force)).map(|at| here[at].of)
}
