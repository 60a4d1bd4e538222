//! The generated code of the short declarations of the workspace computes what the same declarations from text compute.
//!
//! The kernels of both are compared with random parameters in random states: forces, residual, energies, mass matrix, tangents, constraints,
//! observables and events; then positions and velocities after short runs. A new declaration in `examples`, `tests` or the tests and benches of the runtime is compared without a line
//! here. Long declarations take most of the time to compile and are not compared. `excluded.txt` lists the other declarations that are not
//! compared, with the reasons.

mod kernels;
mod pair;
// The library `fixtures` contains declarations, whose compilation would be a cost of this package.
#[allow(dead_code)]
#[path = "../../../fixtures/src/random.rs"]
mod random;
mod runs;
mod sample;

use lie_runtime::system::ModelError;

use pair::Pair;
use sample::{Length, Sample, Sampled, Source, joined};

/// The systems with other random parameters that are tried until all kernels are finite.
const ATTEMPTS: u64 = 8;

/// A declaration.
struct Declared {
    /// The file and the name of the module.
    name: &'static str,
    text: &'static str,
    /// Returns the generated system with random parameters, and a configuration.
    sampled: fn(&mut Source) -> Result<Sampled, ModelError>,
}

/// Compares the kernels in random states.
fn agree(declared: &Declared) {
    let mut is_finite = false;
    for seed in 0..ATTEMPTS {
        let pair = Pair::new(declared, seed).unwrap_or_else(|error| panic!("{error}"));
        let state = kernels::RandomState::new(&pair, seed);
        is_finite = kernels::compare(&pair, &state);
        if is_finite {
            runs::compare(declared.name, &pair, &state);
            break;
        }
    }
    assert!(is_finite, "no random state has finite kernels");
}

include!(concat!(env!("OUT_DIR"), "/declared.rs"));
