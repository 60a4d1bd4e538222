//! Names are resolved as in Rust, and generated items do not shadow them.

// The declarations are written as users write them, odd names included.
#![allow(dead_code, missing_docs, non_camel_case_types, clippy::all, clippy::pedantic)]

mod hygiene;
mod imported;
mod members;
mod methods;
mod multipliers;
mod parameters;
mod paths;
mod raw;

use fixtures::derivatives::worst_deviations;
use fixtures::random::Random;
use lie_runtime::system::{DualModel, Linearised};

/// Round-off of formulas in different order.
const TOLERANCE: f64 = 1e-12;

/// Every generated derivative equals the derivative of the declared functions, and the generated potential energy equals the sum of the
/// calls in `declared`.
fn assert_as_declared<M>(
    system: &M,
    mut place: impl FnMut(&mut Random) -> M::Configuration,
    declared: impl Fn(f64, &M::Configuration) -> f64,
) where
    M: DualModel<Scalar = f64> + Linearised,
{
    let mut random = Random::new(11);
    for _ in 0..5 {
        let (t, q) = (random.number(), place(&mut random));
        let (expected, found) = (declared(t, &q), system.potential_energy(t, &q));
        assert!((expected - found).abs() <= TOLERANCE * (1.0 + expected.abs()), "{found} instead of {expected}");
    }
    for entry in worst_deviations(system, 3, place) {
        assert!(entry.deviation < TOLERANCE, "{entry:?}");
    }
}
