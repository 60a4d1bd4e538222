//! The comparison of short runs.

use lie_runtime::dynamic::DynamicModel;
use lie_runtime::prelude::*;
use lie_runtime::system::Report;
use lie_runtime::system::erased::{ErasedSystem, ErasedValue, ErasedVector};

use crate::kernels::RandomState;
use crate::pair::Pair;

/// An explicit method and an implicit method, both for systems with and without constraints; with the largest difference relative to the
/// largest value. Newton's iteration ends at a tolerance.
const METHODS: [(&str, f64); 2] = [("hedop5", 1e-12), ("lie_alpha", 1e-10)];
const STEP: f64 = 1e-4;
const STEPS: f64 = 4.0;
/// Declarations whose initial values cannot be made consistent with random data.
const WITHOUT_RUN: [&str; 4] = [
    "tests_fixtures_src_systems_conservative_vanishing_mass",
    "tests_fixtures_src_systems_failing_leaking",
    "tests_fixtures_src_systems_failing_unreachable",
    "tests_tests_mechanisms_elimination_ring",
];

/// Returns positions and velocities at the end, by name, or the beginning of the error message. The initial state is projected onto the
/// constraints.
fn run(
    system: &ErasedSystem,
    (q, v): (&ErasedValue, &ErasedVector),
    method: &str,
) -> Result<Vec<(String, f64)>, String> {
    let simulation = Simulation::of(system).initial(q.clone(), v.clone()).step(STEP).end_time(STEPS * STEP);
    let simulation = simulation.max_initial_correction(f64::INFINITY).without_declaration_check();
    let beginning = |message: String| message.split([',', '.', ':', ';']).next().unwrap_or_default().to_owned();
    let simulation = simulation.method_named(method).map_err(|error| beginning(error.to_string()))?;
    let run = simulation.run().map_err(|error| beginning(error.failure.to_string()))?;
    let (last, mut values) = (run.last(), vec![]);
    for record in [system.report_configuration(&last.configuration), system.report_velocity(&last.velocity)] {
        record.for_each("", &mut |name, value| values.push((name.to_owned(), value)));
    }
    Ok(values)
}

/// Compares the runs of both systems. At least one method runs without an error.
pub fn compare(declaration: &str, pair: &Pair, state: &RandomState) {
    let runs = METHODS.iter().filter(|(method, tolerance)| {
        let generated = run(&pair.generated, (&pair.q, &state.velocity), method);
        let of_text = run(&pair.of_text, (&pair.q_of_text, &pair.of_text_order(&state.velocity)), method);
        let (generated, of_text) = match (generated, of_text) {
            (Ok(generated), Ok(of_text)) => (generated, of_text),
            (generated, of_text) => {
                assert_eq!(generated.err(), of_text.err(), "{method}");
                return false;
            }
        };
        assert_eq!(generated.len(), of_text.len(), "{method}");
        let scale = generated.iter().fold(1.0_f64, |scale, (_, value)| scale.max(value.abs()));
        for ((name, x), (other, y)) in generated.iter().zip(&of_text) {
            assert_eq!(name, other, "{method}");
            assert!((x - y).abs() <= tolerance * scale, "{method}: {name}: {x} and {y} from text, largest {scale}");
        }
        true
    });
    let has_run = !WITHOUT_RUN.contains(&declaration);
    assert_eq!(runs.count() > 0, has_run, "a run without an error");
}

/// A system from text has no functions but its kernels, so that nothing is checked before a run.
#[test]
fn precompiled_methods_run_systems_from_text() {
    let model = DynamicModel::from_text(
        "#[mechanical_system]
        mod oscillator {
            #[configuration] pub struct Position { pub x: f64 }
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
            #[potential] fn spring(q: &Position) -> f64 { 0.5 * q.x * q.x }
        }",
    );
    let system = model.expect("a declaration").system([]).expect("a system");
    let q = system.configuration([("x", &[1.0][..])]).expect("a configuration");
    let run = Simulation::of(&system).at_rest(q).step(0.01).end_time(1.0).run_precompiled("hedop5").expect("a run");
    let mut x = f64::NAN;
    system.report_configuration(&run.last().configuration).for_each("", &mut |_, value| x = value);
    assert!((x - 1.0_f64.cos()).abs() < 1e-10, "{x}");
}
