//! Motions of systems with redundant rows are those without; multipliers are of least norm.

use benchmark_problems::bricard;
use fixtures::systems::redundant::{chains, held};
use lie_runtime::integrator::collocation::Level;
use lie_runtime::integrator::{Collocation, StepError, StepFailure};
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::simulate::{ConsistencyError, PrecompiledError};

use super::{METHODS, parallelogram};

#[test]
fn what_is_told_twice_moves_as_if_told_once() {
    let (once, twice) = (held::once::System::new().unwrap(), held::twice::System::new().unwrap());
    let (pose, v) = held::oblique();
    for method in METHODS {
        let start = Simulation::of(&once).initial(held::once::Body { pose }, v);
        let one =
            start.step(5e-3).end_time(1.0).run_precompiled(method).unwrap_or_else(|error| panic!("{method}: {error}"));
        let start = Simulation::of(&twice).initial(held::twice::Body { pose }, v);
        let two =
            start.step(5e-3).end_time(1.0).run_precompiled(method).unwrap_or_else(|error| panic!("{method}: {error}"));
        let (one, two) = (one.last(), two.last());
        let apart = (one.configuration.pose.translation - two.configuration.pose.translation).amax();
        let faster = (one.velocity - two.velocity).amax();
        assert!(apart < 1e-11 && faster < 1e-10, "{method}: {apart:e} {faster:e}");
        // Together they are the one reaction.
        let (a, b) = (two.multipliers.fixed_rows::<3>(0), two.multipliers.fixed_rows::<3>(3));
        let sum = a + 1000.0 * Vector3::new(b.x - b.z, b.x + b.y, b.z);
        assert!((sum - one.multipliers).amax() < 1e-8 * one.multipliers.amax(), "{method} {sum} {}", one.multipliers);
    }
}

/// Rows of zeros do not act, with any method: the motion is that without them, and their multipliers are zero.
#[test]
fn idle_rows_do_not_act() {
    let once = held::once::System::new().unwrap();
    let idle = held::idle::System::new(held::idle::Brake { acts: false }).unwrap();
    let (pose, v) = held::oblique();
    let radau = Collocation::all().filter(|method| method.method().level != Level::Unconstrained);
    let radau: Vec<&str> = radau.map(|method| method.method().id).collect();
    assert_eq!(radau.len(), 6);
    for method in METHODS.into_iter().chain(radau).chain(["bliedf1", "ul_crv"]) {
        let start = Simulation::of(&once).initial(held::once::Body { pose }, v);
        let one =
            start.step(5e-3).end_time(0.5).run_precompiled(method).unwrap_or_else(|error| panic!("{method}: {error}"));
        let start = Simulation::of(&idle).initial(held::idle::Body { pose }, v);
        let two =
            start.step(5e-3).end_time(0.5).run_precompiled(method).unwrap_or_else(|error| panic!("{method}: {error}"));
        let (one, two) = (one.last(), two.last());
        let apart = (one.configuration.pose.translation - two.configuration.pose.translation).amax();
        let faster = (one.velocity - two.velocity).amax();
        assert!(apart < 1e-11 && faster < 1e-10, "{method}: {apart:e} {faster:e}");
        let (hinge, others) = (two.multipliers.fixed_rows::<3>(0), two.multipliers.fixed_rows::<3>(3));
        assert!((hinge - one.multipliers).amax() < 1e-8 * one.multipliers.amax(), "{method}");
        assert_eq!(others.amax(), 0.0, "{method}: {others}");
    }
}

/// Steps past a position in which rank is lost for a moment are of another method; a run of nothing else is refused.
#[test]
fn collocation_has_rows_that_depend_on_one_another_for_a_moment_alone() {
    let system = held::twice::System::new().unwrap();
    let (pose, v) = held::oblique();
    let with_rows = Collocation::all().filter(|method| method.method().level != Level::Unconstrained);
    for method in with_rows {
        let run = Simulation::of(&system).initial(held::twice::Body { pose }, v).step(5e-3).end_time(1.0);
        let Err(PrecompiledError::Run(error)) = run.run_precompiled(method.method().id) else {
            panic!("{}: no error of a run", method.method().id)
        };
        assert_eq!(error.trajectory.states.len(), 1, "{error}");
        match error.failure {
            Failure::Step(StepError { failure: StepFailure::NotApplicable { method: refused, .. }, .. }) => {
                assert_eq!(refused, method.method().id);
            }
            failure => panic!("{failure}"),
        }
    }
    for (method, bound) in [("radau_iia3", 2e-4), ("radau_iia5", 1e-6), ("radau_iia5_index3", 1e-4)] {
        parallelogram::assert_swings((method, 4e-3), bound);
    }
}

/// In the metric of the diagonal of B M⁻¹ Bᵀ all legs count alike.
#[test]
fn four_legs_bear_the_same_load() {
    let table = held::table::System::new().unwrap();
    let start = held::table::Table { pose: SE3::new(SO3::identity(), Vector3::new(0.0, 0.0, 0.7)) };
    let sliding = Vector6::new(0.0, 0.0, 1.0, 0.3, 0.2, 0.0);
    for method in METHODS {
        let run = Simulation::of(&table).initial(start, sliding).step(1e-2).end_time(0.2).run_precompiled(method);
        let end = run.unwrap_or_else(|error| panic!("{method}: {error}"));
        let state = end.last();
        let uneven = state.multipliers.add_scalar(8.0 * 9.81 / 4.0).amax();
        assert!(uneven < 1e-5, "{method}: {}", state.multipliers);
        let travelled = state.configuration.pose.translation.z - 0.7;
        assert!(travelled.abs() < 1e-13, "{method} {travelled:e}");
    }
}

/// Duplicate link constraints of a rope, in separate and in joint bands of multipliers.
#[test]
fn ropes_told_twice_hang_as_if_told_once() {
    macro_rules! compare {
        ($once:ident, $twice:ident, $beads:expr, $method:expr) => {{
            let (beads, method) = ($beads, $method);
            let (places, velocities) = chains::oblique(beads);
            let v = DVector::from_vec(velocities);
            let one =
                chains::$once::System::new(chains::$once::Data { coupling: 0.3 }, chains::$once::Lengths { beads })
                    .unwrap();
            let two =
                chains::$twice::System::new(chains::$twice::Data { coupling: 0.3 }, chains::$twice::Lengths { beads })
                    .unwrap();
            let start = chains::$once::Rope { beads: places.clone() };
            let run = Simulation::of(&one).initial(start, v.clone());
            let one = run
                .step(1e-3)
                .end_time(0.2)
                .run_precompiled(method)
                .unwrap_or_else(|error| panic!("{method}: {error}"));
            let start = chains::$twice::Rope { beads: places };
            let run = Simulation::of(&two).initial(start, v);
            let two = run
                .step(1e-3)
                .end_time(0.2)
                .run_precompiled(method)
                .unwrap_or_else(|error| panic!("{method}: {error}"));
            let (one, two) = (one.last(), two.last());
            let pairs = one.configuration.beads.iter().zip(&two.configuration.beads);
            let apart = pairs.map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
            let faster = (&one.velocity - &two.velocity).amax();
            assert!(apart < 1e-9 && faster < 1e-7, "{} {method}: {apart:e} {faster:e}", stringify!($twice));
        }};
    }
    // Those that keep the clamped end to round-off.
    for method in METHODS.into_iter().filter(|method| !["herk2_heun", "herk3"].contains(method)) {
        compare!(once, twice, 12, method);
        compare!(coupled_once, coupled_twice, 12, method);
    }
}

#[test]
fn rows_that_contradict_each_other_are_errors() {
    let fail = |rate: f64, gap: f64, method: &str| {
        let system = held::torn::System::new(held::torn::Data { rate, gap }).unwrap();
        let start = held::torn::Bead { place: Vector2::zeros() };
        let run = Simulation::of(&system).initial(start, Vector2::new(0.0, 1.0)).step(1e-2).end_time(2.0);
        run.run_precompiled(method).map(|run| run.last().clone()).map_err(|error| match error {
            PrecompiledError::Run(error) => error.failure,
            error => panic!("{method}: {error}"),
        })
    };
    for method in METHODS {
        let good = fail(0.0, 0.0, method).unwrap_or_else(|error| panic!("{method}: {error}"));
        assert!((good.configuration.place - Vector2::new(0.0, 2.0)).amax() < 1e-12, "{method}");
        match fail(0.0, 1.0, method) {
            Err(Failure::InitialValues(ConsistencyError::Contradiction { row, dependency, .. })) => {
                assert_eq!(row.to_string(), "`hand` row 0");
                assert!(!dependency.expect("the other row").is_consistent);
            }
            other => panic!("{method}: {other:?}"),
        }
        match fail(1.0, 0.0, method) {
            Err(Failure::OffConstraints { .. }) => {}
            Err(Failure::Step(error)) if matches!(error.failure, StepFailure::NewtonNotConverged { .. }) => {}
            other => panic!("{method}: {other:?}"),
        }
    }
}

/// Methods, steps that high precision takes, and the library's bound of it.
const BRICARD: [(&str, f64, f64); 5] = [
    ("herk4", 1e-2, 1e-3),
    ("hedop5", 1e-2, 1e-3),
    ("lie_alpha", 2e-3, 1e-3),
    ("tr_bdf2_third_order", 5e-3, 1e-3),
    ("rattlie", 2e-3, 1e-3),
];

/// The error measure of the library of benchmarks, relative to max(|reference|, 1e-3), at high precision, 1e-3.
#[test]
fn the_bricard_mechanism_runs_at_high_precision() {
    let system = bricard::bricard::System::new().unwrap();
    let times: Vec<f64> = bricard::CORNER.iter().map(|(time, _)| *time).collect();
    for (method, h, bound) in BRICARD {
        let (q, v) = bricard::cube();
        let run = Simulation::of(&system).initial(q, v).step(h).end_time(times[4]).output_times(&times[..5]);
        let run = run.run_precompiled(method).unwrap_or_else(|error| panic!("{method}: {error}"));
        for (state, (time, corner)) in run.states.iter().zip(bricard::CORNER) {
            let found = bricard::corner(&state.configuration);
            for (found, expected) in found.iter().zip(corner) {
                let error = (found - expected).abs() / expected.abs().max(1e-3);
                assert!(error < bound, "{method} at {time}: {error:e}");
            }
        }
    }
}
