//! Methods in lanes against the same methods one by one.

use lie_runtime::ensemble::{Ensemble, Results, Samples};
use lie_runtime::integrator::generalized_alpha::NewtonUpdate;
use lie_runtime::integrator::{GeneralizedAlpha, Integrator, MuntheKaas, OnMechanical, Rattlie};
use lie_runtime::prelude::*;
use lie_runtime::scalar::{F64x2, F64x4, Lanes};
use lie_runtime::system::Batched;

use crate::systems::{stopped, sunk, top, top_of, top_start};

const TIMES: [f64; 4] = [0.0, 0.02, 0.033, 0.2];

/// Tops of other masses and spins, whose steps turn them by little and by much.
fn samples() -> Samples {
    Samples::sobol(14, 3).parameter("body.mass", 10.0..20.0).variable("tilt", 0.1..1.0).variable("spin", 1.0..90.0)
}

/// The runs of tops one by one and in lanes, in steps of 0.01.
fn tops<L: Lanes, I>(method: &I) -> [Results; 2]
where
    top::System: Batched<L>,
    I: Integrator<top::System> + Integrator<<top::System as Batched<L>>::Batch> + Clone + PartialEq + Sync,
{
    let system = top_of(15.0, true);
    let ensemble = || Ensemble::of(&system).samples(samples());
    let alone = ensemble().run(|system, member| {
        let (q, v) = top_start(member.value("tilt")?, member.value("spin")?);
        let run = Simulation::of(system).initial(q, v).method(method.clone());
        Ok(run.step(0.01).end_time(0.2).output_times(&TIMES).run()?)
    });
    let in_lanes = ensemble().run_in_lanes::<L, I, _>(|system, member| {
        let (q, v) = top_start(member.value("tilt")?, member.value("spin")?);
        Ok(Simulation::of(system).initial(q, v).method(method.clone()).step(0.01).end_time(0.2).output_times(&TIMES))
    });
    [alone, in_lanes].map(|results| results.expect("the ensemble can be run"))
}

/// The largest difference of any number, relative to the largest of its column.
fn difference([alone, in_lanes]: &[Results; 2]) -> f64 {
    assert!(alone.failures().is_empty() && in_lanes.failures().is_empty(), "{:?}", alone.failures());
    assert_eq!(alone.columns(), in_lanes.columns());
    assert_eq!(alone.states(), TIMES.len());
    let mut largest = 0.0_f64;
    for name in alone.columns() {
        let numbers = |results: &Results| -> Vec<f64> {
            (0..results.states()).flat_map(|state| results.column(name).expect("it is there").values(state)).collect()
        };
        let (alone, in_lanes) = (numbers(alone), numbers(in_lanes));
        let size = alone.iter().fold(1e-3, |size: f64, number| size.max(number.abs()));
        for (own, other) in alone.iter().zip(&in_lanes) {
            largest = largest.max((own - other).abs() / size);
            assert!(own.is_finite() && other.is_finite());
        }
    }
    largest
}

#[test]
fn explicit_steps_are_the_same_bit_for_bit() {
    assert_eq!(difference(&tops::<F64x4, _>(&HalfExplicit::hedop5())), 0.0);
    assert_eq!(difference(&tops::<F64x2, _>(&HalfExplicit::herk4())), 0.0);
}

fn alpha() -> GeneralizedAlpha {
    GeneralizedAlpha::chung_hulbert(0.9).expect("between 0 and 1")
}

/// Twenty steps, four units of the last place each.
const ULPS: f64 = 20.0 * 4.0 * f64::EPSILON;

/// Lanes that are at rest stay where they are while others go on.
#[test]
fn iterations_with_matrices_of_their_own_are_the_same_to_round_off() {
    let exact = difference(&tops::<F64x4, _>(&alpha()));
    let rattlie = difference(&tops::<F64x4, _>(&Rattlie::new()));
    assert!(exact <= ULPS && rattlie <= ULPS, "{exact:.1e} {rattlie:.1e}");
}

#[test]
fn factors_that_are_kept_are_kept_for_all() {
    let options = alpha().options().newton(NewtonUpdate::Modified);
    let modified = GeneralizedAlpha::new(*alpha().parameters(), options).expect("good options");
    let found = difference(&tops::<F64x4, _>(&modified));
    assert!(found < 1e-8, "{found:.1e}");
}

#[test]
fn steps_of_their_error_are_those_of_the_worst() {
    let system = top_of(15.0, true);
    let ensemble = || Ensemble::of(&system).samples(samples()).outputs(["configuration"]);
    let alone = ensemble().run(|system, member| {
        let (q, v) = top_start(member.value("tilt")?, member.value("spin")?);
        Ok(Simulation::of(system).initial(q, v).rtol(1e-8).atol(1e-10).end_time(0.2).output_times(&TIMES).run()?)
    });
    let in_lanes = ensemble().run_in_lanes::<F64x4, _, _>(|system, member| {
        let (q, v) = top_start(member.value("tilt")?, member.value("spin")?);
        Ok(Simulation::of(system).initial(q, v).rtol(1e-8).atol(1e-10).end_time(0.2).output_times(&TIMES))
    });
    let found = difference(&[alone, in_lanes].map(|results| results.expect("the ensemble can be run")));
    assert!(found > 0.0 && found < 1e-5, "{found:.1e}");
}

/// Members on both sides of the stop, and directions that pass by.
#[test]
fn lanes_take_different_branches() {
    let system = stopped::System::new(stopped::Data { stiffness: 50.0 }).expect("it is finite");
    let samples = || Samples::sobol(16, 5).parameter("stiffness", 10.0..100.0).variable("angle", -1.0..1.0);
    let start = |angle: f64| {
        let direction = S2::new(Vector3::new(angle.sin(), 0.3, angle.cos())).expect("it is not zero");
        let velocity = stopped::Velocity { arm: 0.3, direction: direction.direction().cross(&Vector3::x()) };
        (stopped::Angle { arm: SO2::from_angle(angle), direction }, velocity)
    };
    for method in [MuntheKaas::rkmk4(), MuntheKaas::rkmk54()] {
        let alone = Ensemble::of(&system).samples(samples()).run(|system, member| {
            let (q, v) = start(member.value("angle")?);
            let run = Simulation::of(system).initial(q, v).method(OnMechanical(method));
            Ok(run.step(0.01).end_time(0.2).output_times(&TIMES).run()?)
        });
        let in_lanes = Ensemble::of(&system).samples(samples()).run_in_lanes::<F64x4, _, _>(|system, member| {
            let (q, v) = start(member.value("angle")?);
            let run = Simulation::of(system).initial(q, v).method(OnMechanical(method));
            Ok(run.step(0.01).end_time(0.2).output_times(&TIMES))
        });
        let results = [alone, in_lanes].map(|results| results.expect("the ensemble can be run"));
        assert_eq!(difference(&results), 0.0);
    }
}

/// Balls that sink with these damping rates and from these speeds, one by one and in lanes.
fn balls(method: GeneralizedAlpha, members: &[[f64; 2]]) -> [Results; 2] {
    let system = sunk::System::new(sunk::Data { damping: 0.0 }).expect("it is finite");
    let samples = || {
        Samples::listed(["damping", "speed"], members.iter().copied()).with_variables(["speed"]).expect("it is there")
    };
    let alone = Ensemble::of(&system).samples(samples()).run(|system, member| {
        let start =
            Simulation::of(system).initial(sunk::Ball { x: Vector1::new(1.0) }, Vector1::new(member.value("speed")?));
        Ok(start.method(method).step(0.01).end_time(0.2).output_times(&TIMES).run()?)
    });
    let in_lanes = Ensemble::of(&system).samples(samples()).run_in_lanes::<F64x4, _, _>(|system, member| {
        let start =
            Simulation::of(system).initial(sunk::Ball { x: Vector1::new(1.0) }, Vector1::new(member.value("speed")?));
        Ok(start.method(method).step(0.01).end_time(0.2).output_times(&TIMES))
    });
    [alone, in_lanes].map(|results| results.expect("the ensemble can be run"))
}

/// Some lanes start as fast damped motions need it, others as usual, each as it does alone.
#[test]
fn damped_lanes_start_as_they_do_alone() {
    let dampings = [1.0, 1e4, 2.0, 1e6, 1e5, 3e5, 1e4, 2e4];
    let members: Vec<[f64; 2]> = dampings.iter().map(|&damping| [damping, 1.0]).collect();
    for method in [alpha(), GeneralizedAlpha::by_id("ul_crv", *alpha().parameters()).expect("it is listed")] {
        let found = difference(&balls(method, &members));
        assert!(found < 1e-13, "{}: {found:.1e}", method.id());
    }
}

/// A force that is infinite in one lane is an error there, and nowhere else.
#[test]
fn an_infinite_force_in_one_lane_is_an_error() {
    let members = [[0.0, 0.1], [0.0, -200.0], [0.0, 0.2], [0.0, 0.3]];
    let results = balls(alpha(), &members);
    let failures = results
        .each_ref()
        .map(|results| results.failures().iter().map(|error| (error.member, error.to_string())).collect::<Vec<_>>());
    assert_eq!(failures[0], failures[1]);
    assert!(matches!(failures[0].as_slice(), [(1, _)]), "{failures:?}");
}
