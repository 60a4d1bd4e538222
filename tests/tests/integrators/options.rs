//! Options and parameters that no step can be made with are typed errors that name them; nothing hangs, and nothing stands still.

#![allow(clippy::items_after_statements)] // What a test needs stands where it is needed.
#![allow(clippy::cast_possible_truncation)] // Single precision is what is tested.

use fixtures::systems::rotating_bodies::{free, free_body};
use lie_runtime::integrator::generalized_alpha::{self, Parameters};
use lie_runtime::integrator::{
    BLieDF, Integrator, ParameterError, Rattlie, Rotation, StepFailure, blie_df, rattlie, rotation, tr_bdf2,
};
use lie_runtime::prelude::*;
use lie_runtime::simulate::Failure;

const BAD: [f64; 5] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1e-6];

fn name<T: core::fmt::Debug>(outcome: Result<T, ParameterError>) -> &'static str {
    let error = outcome.expect_err("out of its range");
    assert!(error.to_string().contains(error.method) && error.to_string().contains(error.name));
    error.name
}

#[test]
fn tolerances_and_limits_are_checked() {
    let parameters = Parameters::chung_hulbert(0.8).unwrap();
    let bdf = BLieDF::by_id("bliedf2").unwrap();
    for tolerance in BAD {
        let options = generalized_alpha::GeneralizedAlphaOptions::default().tolerance(tolerance);
        assert_eq!(name(GeneralizedAlpha::new(parameters, options)), "tolerance");
        assert_eq!(name(bdf.with_options(blie_df::BLieDFOptions::default().tolerance(tolerance))), "tolerance");
        assert_eq!(name(BLieDF::new(3, blie_df::BLieDFOptions::default().tolerance(tolerance))), "tolerance");
        assert_eq!(name(Rattlie::with_options(rattlie::RattlieOptions::default().tolerance(tolerance))), "tolerance");
        assert_eq!(name(TrBdf2::with_options(tr_bdf2::TrBdf2Options::default().tolerance(tolerance))), "tolerance");
        assert_eq!(name(Rotation::trap().with_tolerance(tolerance)), "tolerance");
    }
    let maximum_iterations = 0;
    let options = generalized_alpha::GeneralizedAlphaOptions::default().maximum_iterations(maximum_iterations);
    assert_eq!(name(GeneralizedAlpha::new(parameters, options)), "maximum_iterations");
    let options = blie_df::BLieDFOptions::default().maximum_iterations(maximum_iterations);
    assert_eq!(name(bdf.with_options(options)), "maximum_iterations");
    let options = rattlie::RattlieOptions::default().maximum_iterations(maximum_iterations);
    assert_eq!(name(Rattlie::with_options(options)), "maximum_iterations");
    let options = tr_bdf2::TrBdf2Options::default().maximum_iterations(maximum_iterations);
    assert_eq!(name(TrBdf2::with_options(options)), "maximum_iterations");
    for correction in [f64::NAN, f64::INFINITY] {
        assert_eq!(name(TrBdf2::with_options(tr_bdf2::TrBdf2Options::default().correction(correction))), "correction");
    }
    for steps in [0, 5, usize::MAX] {
        assert_eq!(name(BLieDF::new(steps, blie_df::BLieDFOptions::default())), "steps");
    }
    static HALF: [rotation::Substep; 1] = [rotation::Substep { map: rotation::RotationMap::Cayley, part: 0.5 }];
    static LOST: [rotation::Substep; 1] = [rotation::Substep { map: rotation::RotationMap::Cayley, part: f64::NAN }];
    for maps in [&HALF[..], &LOST[..], &[]] {
        assert_eq!(name(Rotation::composition("mine", 2, maps)), "sum of the parts");
    }
}

/// 2⁶⁴ parts are none: such a run ended `Ok` where it had begun.
#[test]
fn halvings_without_end_are_refused() {
    let parameters = Parameters::chung_hulbert(0.8).unwrap();
    for maximum_halvings in [17, 32, 64, u32::MAX] {
        let options = generalized_alpha::GeneralizedAlphaOptions::default().maximum_halvings(maximum_halvings);
        assert_eq!(name(GeneralizedAlpha::new(parameters, options)), "maximum_halvings");
    }
}

/// Parameters are plain numbers; those that were never checked are where a run begins.
#[test]
fn parameters_made_by_hand_are_checked_by_the_run() {
    let (system, q, v) = free();
    let good = Parameters::chung_hulbert(0.8).unwrap();
    for (bad, expected) in [
        (Parameters { beta: f64::NAN, ..good }, "beta"),
        (Parameters { gamma: 0.0, ..good }, "gamma"),
        (Parameters { alpha_m: 1.0, ..good }, "alpha_m"),
        (Parameters::second_order(1.0, 0.0), "beta"),
        (Parameters { alpha_f: f64::INFINITY, ..good }, "alpha_f"),
    ] {
        for method in [GeneralizedAlpha::index3(bad), GeneralizedAlpha::stabilised(bad)] {
            let run = Simulation::of(&system).initial(q, v).method(method).step(0.01).end_time(1.0).run();
            match run.unwrap_err().failure {
                Failure::Step(error) => assert!(
                    matches!(&error.failure, StepFailure::Parameter(error) if error.name == expected),
                    "{error}"
                ),
                other => panic!("{other}"),
            }
        }
    }
}

/// Every method for a rotation, and every implicit method, on numbers of half the length.
#[test]
fn numbers_of_single_precision_will_do() {
    let (exact, q, v) = free();
    let end = Simulation::of(&exact).initial(q, v).step(1e-3).end_time(1.0).output_times(&[1.0]).run().unwrap();
    let end = end.states[0].configuration.attitude;
    let moments = fixtures::systems::rotating_bodies::MOMENTS.map(|x| x as f32);
    let system = free_body::System::<f32>::new(free_body::Data { moments });
    let system = system.unwrap();
    fn check<I: Integrator<free_body::System<f32>>>(
        system: &free_body::System<f32>,
        (q, v): (&free_body::Body, &Vector3<f64>),
        method: I,
        end: &SO3,
    ) {
        let attitude = SO3::from_matrix_unchecked(q.attitude.matrix().map(|x| x as f32));
        let q = free_body::Body { attitude };
        let id = method.id();
        let run = Simulation::of(system).initial(q, v.map(|x| x as f32)).method(method).step(1.0 / 64.0).end_time(1.0);
        let run = run.run().unwrap_or_else(|error| panic!("{id}: {error}"));
        let found = run.states.last().unwrap().configuration.attitude.matrix().map(f64::from);
        let off = (found - end.matrix()).norm();
        assert!(off < 0.1, "{id}: {off:.1e}");
    }
    for method in Rotation::all() {
        check(&system, (&q, &v), method, &end);
    }
    for method in BLieDF::all() {
        check(&system, (&q, &v), method, &end);
    }
    for method in generalized_alpha::METHODS {
        let parameters = Parameters::chung_hulbert(0.8).unwrap();
        check(&system, (&q, &v), GeneralizedAlpha::by_id(method.id, parameters).unwrap(), &end);
    }
    for method in tr_bdf2::METHODS {
        check(&system, (&q, &v), TrBdf2::by_id(method.id).unwrap(), &end);
    }
    check(&system, (&q, &v), Rattlie::new(), &end);
    check(&system, (&q, &v), HalfExplicit::hedop5(), &end);
}

/// Numbers that are no rotation do not start a run; the member is named.
#[test]
fn what_is_no_rotation_does_not_start_a_run() {
    let (system, mut q, v) = free();
    q.attitude = SO3::from_matrix_unchecked(q.attitude.matrix() * (1.0 + 1e-7));
    let error = Simulation::of(&system).initial(q, v).step(0.01).end_time(1.0).run().unwrap_err();
    let text = error.to_string();
    assert!(text.contains("`attitude` is not an element of its group") && text.contains("SO3::nearest"), "{text}");
    assert_eq!(system.space().worst_member(&q).unwrap().member, "attitude");
    q.attitude = SO3::nearest(&q.attitude.matrix()).unwrap();
    assert!(Simulation::of(&system).initial(q, v).step(0.01).end_time(1.0).run().is_ok());
}

/// A million steps that all round alike stay on the group, in either representation.
#[test]
fn a_run_stays_on_the_group() {
    let (system, q, v) = free();
    let run = Simulation::of(&system).initial(q, v).method(OnMechanical(MuntheKaas::rkmk4())).step(1e-2);
    let end = run.end_time(1e4).output_every(50_000).run().unwrap();
    for state in &end.states {
        let defect = state.configuration.attitude.membership_defect();
        assert!(defect < 2e-14, "{defect:.1e} at {}", state.time);
    }
}

/// A boat with a drag |v| v: smooth at rest, but written with a norm.
#[mechanical_system]
mod boat {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Boat {
        pub place: R2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.place.norm_squared()
    }

    #[force]
    fn drag(t: f64, v: &Velocity) -> Vector2<f64> {
        Vector2::new(t, 0.0) - v.place * v.place.norm()
    }
}

/// The derivative of the drag has a limit at rest, which every implicit method uses at the start.
#[test]
fn every_implicit_method_starts_from_rest_with_a_drag() {
    let system = boat::System::new().unwrap();
    let start = boat::Boat { place: Vector2::zeros() };
    let exact = Simulation::of(&system).initial(start, Vector2::zeros()).step(1e-3).end_time(1.0).run().unwrap();
    let exact = exact.states.last().unwrap().velocity.x;
    fn check<I: Integrator<boat::System>>(system: &boat::System, start: boat::Boat, method: I, exact: f64) {
        let id = method.id();
        let run = Simulation::of(system).initial(start, Vector2::zeros()).method(method).step(1e-2).end_time(1.0).run();
        let reached = run.unwrap_or_else(|error| panic!("{id}: {error}")).states.last().unwrap().velocity.x;
        assert!((reached - exact).abs() < 1e-2, "{id}");
    }
    for method in BLieDF::all() {
        check(&system, start, method, exact);
    }
    for method in generalized_alpha::METHODS {
        let parameters = Parameters::chung_hulbert(0.8).unwrap();
        check(&system, start, GeneralizedAlpha::by_id(method.id, parameters).unwrap(), exact);
    }
    for method in tr_bdf2::METHODS {
        check(&system, start, TrBdf2::by_id(method.id).unwrap(), exact);
    }
    check(&system, start, Rattlie::new(), exact);
}
