//! The comparison of short runs.

use lie_runtime::dynamic::DynamicModel;
use lie_runtime::prelude::*;
use lie_runtime::simulate::Methods;
use lie_runtime::space::ConfigurationSpace;
use lie_runtime::system::erased::{ErasedSystem, ErasedValue, ErasedVector};
use lie_runtime::system::{MechanicalSystem, Report};

use crate::kernels::RandomState;
use crate::pair::{Pair, vector};

/// A method with its options, and the largest difference relative to the largest value.
type Compared = (&'static str, &'static [(&'static str, &'static str)], f64);

/// An explicit method and an implicit method, both for systems with and without constraints. Newton's iteration ends at round-off.
const METHODS: [Compared; 2] = [("hedop5", &[], 1e-12), ("lie_alpha", &[("newton_tolerance", "1e-13")], 1e-10)];
const STEP: f64 = 1e-4;
const STEPS: f64 = 4.0;
/// A change of the initial values that is as large as their rounding errors.
const ROUND_OFF: f64 = 1e-15;

/// The runs of a system without its types.
type ErasedRun<'a> = Run<'a, ErasedSystem>;

/// Runs a system from a state, which is projected onto the constraints.
fn run<'a>(
    system: &'a ErasedSystem,
    (q, v): (&ErasedValue, &ErasedVector),
    (method, options, _): Compared,
) -> Result<ErasedRun<'a>, String> {
    let simulation = Simulation::of(system).initial(q.clone(), v.clone()).step(STEP).end_time(STEPS * STEP);
    let simulation = simulation.max_initial_correction(f64::INFINITY).without_declaration_check();
    let simulation = simulation.method_from(&Methods::all(), method, options).map_err(|error| error.to_string())?;
    simulation.run().map_err(|error| error.failure.to_string())
}

/// Returns positions and velocities at the end, by name.
fn end(system: &ErasedSystem, run: &ErasedRun<'_>) -> Vec<(String, f64)> {
    let (last, mut values) = (run.last(), vec![]);
    for record in [system.report_configuration(&last.configuration), system.report_velocity(&last.velocity)] {
        record.for_each("", &mut |name, value| values.push((name.to_owned(), value)));
    }
    values
}

/// Returns the first value that differs by more than a tolerance, with its name. The names of all values are equal.
fn first_difference<'a>(
    one: &'a [(String, f64)],
    other: &[(String, f64)],
    tolerance: f64,
) -> Option<(&'a str, f64, f64)> {
    let names = |values: &[(String, f64)]| values.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(one), names(other));
    let mut pairs = one.iter().zip(other).map(|((name, x), (_, y))| (&name[..], *x, *y));
    pairs.find(|(_, x, y)| (x - y).abs() > tolerance || x.is_nan() != y.is_nan())
}

/// Compares the runs of both systems. Returns true if a method runs without an error.
pub fn compare(pair: &Pair, state: &RandomState) -> bool {
    let of_text = |q: &ErasedValue, v: &ErasedVector, of| run(&pair.of_text, (q, &pair.of_text_order(v)), of);
    let runs = METHODS.into_iter().filter(|&compared| {
        let (method, _, tolerance) = compared;
        let first = match run(&pair.generated, (&pair.q, &state.velocity), compared) {
            Ok(run) => run.first().clone(),
            Err(error) => {
                assert!(
                    of_text(&pair.q_of_text, &state.velocity, compared).is_err(),
                    "{method}: no error from text: {error}"
                );
                return false;
            }
        };
        // Both runs begin at the same consistent state: the projection of a distant state amplifies rounding errors.
        let (q, v) = (&first.configuration, &first.velocity);
        let generated = run(&pair.generated, (q, v), compared).unwrap_or_else(|error| panic!("{method}: {error}"));
        let q_of_text = pair.of_text_configuration(q).unwrap_or_else(|error| panic!("{error}"));
        let of_text = of_text(&q_of_text, v, compared).unwrap_or_else(|error| panic!("{method}, text: {error}"));
        let (generated, of_text) = (end(&pair.generated, &generated), end(&pair.of_text, &of_text));
        let scale = generated.iter().fold(1.0_f64, |scale, (_, value)| scale.max(value.abs()));
        let Some((name, x, y)) = first_difference(&generated, &of_text, tolerance * scale) else { return true };
        // The rounding errors of initial values close to a singular configuration have effects of this size.
        let nudge = vector(pair.generated.zero_velocity(), |_| ROUND_OFF);
        let mut nudged = q.clone();
        pair.generated.space().compose_exp(q, &nudge, &mut nudged);
        let nudged = run(&pair.generated, (&nudged, v), compared).map(|run| end(&pair.generated, &run));
        let is_singular = nudged.is_ok_and(|end| first_difference(&generated, &end, 0.1 * tolerance * scale).is_some());
        assert!(is_singular, "{method}: {name}: {x} and {y} from text, largest {scale}");
        false
    });
    runs.count() > 0
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
