//! The generated code of the declarations of the workspace computes what the same declarations from text compute.
//!
//! The kernels of both are compared with random parameters in random states: forces, residual, energies, mass matrix, tangents, constraints,
//! observables and events. Positions and velocities are compared after short runs. New declarations in `examples`, `tests`, and the tests and
//! benches of the runtime are compared without a line here. Long declarations take most of the time to compile, and are compared with the
//! feature `thorough`. `excluded.txt` lists the declarations that are not compared, with the reasons.

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

/// The systems with other random parameters that are tried until all kernels are finite, and a run ends without an error.
const ATTEMPTS: u64 = 8;
/// Declarations whose initial values cannot be made consistent with random data. Most have loops that close for chosen lengths only.
const WITHOUT_RUN: [&str; 20] = [
    "examples_studies_benchmarks_src_n_four_bar_rods",
    "examples_studies_benchmarks_src_n_four_bar_tops",
    "lie_runtime_benches_loops_jointed",
    "lie_runtime_tests_methods_evaluations_linkage",
    "tests_declarations_tests_chains_connections_net",
    "tests_declarations_tests_dynamic_tree_crane",
    "tests_declarations_tests_dynamic_tree_net",
    "tests_fixtures_src_systems_failing_held_twice",
    "tests_fixtures_src_systems_failing_leaking",
    "tests_fixtures_src_systems_failing_unreachable",
    "tests_fixtures_src_systems_redundant_held_torn",
    "tests_tests_gradients_frames_declarations_tree",
    "tests_tests_mechanisms_between_frames_ladder_free",
    "tests_tests_mechanisms_between_frames_ladder_jointed",
    "tests_tests_mechanisms_between_frames_linkage_linkage",
    "tests_tests_mechanisms_between_frames_redundant_parallelograms",
    "tests_tests_mechanisms_elimination_ring",
    "tests_tests_mechanisms_platform_framed",
    "tests_tests_redundant_bennett_bodies",
    "tests_tests_redundant_bennett_hinges",
];

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
    let [mut is_finite, mut has_run] = [false; 2];
    for seed in 0..ATTEMPTS {
        let pair = Pair::new(declared, seed).unwrap_or_else(|error| panic!("{error}"));
        let state = kernels::RandomState::new(&pair, seed);
        if kernels::compare(&pair, &state) {
            is_finite = true;
            has_run = runs::compare(&pair, &state);
        }
        if has_run {
            break;
        }
    }
    assert!(is_finite, "no random state has finite kernels");
    assert_eq!(has_run, !WITHOUT_RUN.contains(&declared.name), "a run without an error");
}

include!(concat!(env!("OUT_DIR"), "/declared.rs"));
