//! Ensembles in SIMD lanes with members that fail, differ, remain or were interrupted.

use std::sync::LazyLock;

use lie_runtime::ensemble::{Ensemble, Member, MemberFailure, Results, Samples};
use lie_runtime::prelude::*;
use lie_runtime::scalar::F64x4;
use lie_runtime::system::Batched;

use crate::systems::{top, top_of, top_start};

const TIMES: [f64; 2] = [0.02, 0.05];

/// Members with a negative tilt cannot be started; members with odd index use half of the step.
fn described(system: &top::System, tilt: f64, h: f64) -> Simulation<'_, top::System> {
    let (q, v) = top_start(tilt.abs(), 20.0);
    // Off its constraint.
    let pose = if tilt < 0.0 { SE3::new(q.pose.rotation, 3.0 * q.pose.translation) } else { q.pose };
    Simulation::of(system).initial(top::Body { pose }, v).step(h).end_time(0.05).output_times(&TIMES)
}

/// Tilts, in steps of `h` but for one member.
fn samples(tilts: &[f64]) -> Samples {
    let step = |member: usize| if member == 9 { 5e-3 } else { 1e-2 };
    let rows = tilts.iter().enumerate().map(|(member, &tilt)| vec![tilt, step(member)]);
    Samples::listed(["tilt", "step"], rows).with_variables(["tilt", "step"]).expect("they are there")
}

fn alone(samples: Samples) -> Results {
    let system = top_of(15.0, false);
    let ensemble = Ensemble::of(&system).samples(samples);
    let results =
        ensemble.run(|system, member| Ok(described(system, member.value("tilt")?, member.value("step")?).run()?));
    results.expect("the ensemble can be run")
}

fn in_lanes(samples: Samples, threads: usize) -> Results {
    let system = top_of(15.0, false);
    let ensemble = Ensemble::of(&system).samples(samples).threads(threads);
    ensemble
        .run_in_lanes::<F64x4, _, _>(|system, member| {
            Ok(described(system, member.value("tilt")?, member.value("step")?))
        })
        .expect("the ensemble can be run")
}

fn numbers(results: &Results) -> Vec<u64> {
    let of_column = |name: &String| {
        let column = results.column(name).expect("it is there");
        (0..results.states()).flat_map(|state| column.values(state)).map(f64::to_bits).collect::<Vec<_>>()
    };
    results.columns().iter().flat_map(of_column).collect()
}

/// Eleven members: two cannot start, one has other steps, three remain.
const TILTS: [f64; 11] = [0.1, 0.2, 0.3, 0.4, 0.5, -0.6, 0.7, 0.8, 0.9, 0.25, -0.35];

#[test]
fn failures_are_those_of_single_members() {
    let alone = alone(samples(&TILTS));
    for threads in [1, 3] {
        let in_lanes = in_lanes(samples(&TILTS), threads);
        let failures = |results: &Results| -> Vec<(usize, String)> {
            results.failures().iter().map(|error| (error.member, error.to_string())).collect()
        };
        assert_eq!(failures(&in_lanes).iter().map(|(member, _)| *member).collect::<Vec<_>>(), [5, 10]);
        assert_eq!(failures(&in_lanes), failures(&alone));
        assert_eq!(numbers(&in_lanes), numbers(&alone));
    }
}

/// A block with dry friction.
#[mechanical_system]
mod sliding {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Block {
        pub x: f64,
    }

    #[parameters]
    pub struct Data {
        pub friction: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[force(on = x)]
    fn table(data: &Data, v: &Velocity) -> f64 {
        -data.friction * v.x.signum()
    }
}

fn block(system: &sliding::System) -> Simulation<'_, sliding::System> {
    Simulation::of(system).initial(sliding::Block { x: 0.0 }, Vector1::new(1.0)).step(0.01).end_time(1.0)
}

fn symplectic(system: &sliding::System) -> Simulation<'_, sliding::System, Rattlie> {
    block(system).method(Rattlie::new())
}

/// Two of nine blocks stop within the run, one in lanes and one alone; a symplectic method has no advantage in any member.
#[test]
fn warnings_are_those_of_single_members() {
    let system = sliding::System::new(sliding::Data { friction: 0.0 }).unwrap();
    let samples = || Samples::listed(["friction"], (0..9).map(|at| [if at % 6 == 2 { 2.0 } else { 0.01 }]));
    let alone = Ensemble::of(&system).samples(samples()).run(|system, _| Ok(block(system).run()?)).unwrap();
    let in_lanes = Ensemble::of(&system).samples(samples()).run_in_lanes::<F64x4, _, _>(|system, _| Ok(block(system)));
    let in_lanes = in_lanes.unwrap();
    assert_eq!(in_lanes.warnings(), alone.warnings());
    assert_eq!(numbers(&in_lanes), numbers(&alone));
    let [warnings] = &alone.warnings()[..] else { panic!("{alone}") };
    assert_eq!((warnings.kind.as_str(), warnings.members, warnings.first), ("Chattering", 2, 2));
    let ensemble = || Ensemble::of(&system).samples(Samples::grid().parameter("friction", vec![0.01; 5]));
    let alone = ensemble().run(|system, _| Ok(symplectic(system).run()?)).unwrap();
    let in_lanes = ensemble().run_in_lanes::<F64x4, _, _>(|system, _| Ok(symplectic(system))).unwrap();
    assert_eq!(in_lanes.warnings(), alone.warnings());
    let [warnings] = &alone.warnings()[..] else { panic!("{alone}") };
    assert_eq!((warnings.kind.as_str(), warnings.members, warnings.first), ("NotConservative", 5, 0));
}

/// A checkpoint of some members, of which the others in their lanes were not done.
#[test]
fn interrupted_members_have_the_same_numbers() {
    let file = std::env::temp_dir().join(format!("lanes-{}.csv", std::process::id()));
    let system = top_of(15.0, false);
    let run = |stop: usize| {
        let done = std::sync::atomic::AtomicUsize::new(0);
        let ensemble = Ensemble::of(&system).samples(samples(&TILTS)).threads(1).checkpoint(&file);
        ensemble.run_in_lanes::<F64x4, _, _>(|system, member| {
            if done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= stop {
                return Err(MemberFailure::NothingRecorded);
            }
            Ok(described(system, member.value("tilt")?, member.value("step")?))
        })
    };
    let (_, whole) = (run(6).expect("some are done"), run(usize::MAX).expect("all are done"));
    std::fs::remove_file(&file).expect("the checkpoint was written");
    assert!(whole.resumed() >= 4 && whole.resumed() < 11, "{}", whole.resumed());
    assert_eq!(numbers(&whole), numbers(&in_lanes(samples(&TILTS), 2)));
}

/// A run that is described of another system than the one that is handed to it is of that one.
#[test]
fn members_are_of_the_system_that_they_say() {
    static HEAVIER: LazyLock<top::System> = LazyLock::new(|| top_of(45.0, false));
    let system = top_of(15.0, false);
    let samples = || samples(&TILTS[..4]);
    let of_other = |member: &Member<'_>| Ok(described(&HEAVIER, member.value("tilt")?, 1e-2));
    let ensemble = || Ensemble::of(&system).samples(samples()).outputs(["configuration"]);
    let alone = ensemble().run(|_, member| Ok(of_other(member)?.run()?)).expect("the ensemble can be run");
    let in_lanes = ensemble().run_in_lanes::<F64x4, _, _>(|_, member| of_other(member)).expect("the same");
    assert_eq!(numbers(&in_lanes), numbers(&alone));
    assert_ne!(
        numbers(&alone),
        numbers(
            &ensemble().run(|own, member| Ok(described(own, member.value("tilt")?, 1e-2).run()?)).expect("the same")
        )
    );
}

#[test]
fn systems_that_differ_in_a_flag_are_not_one() {
    let (damped, free) = (top_of(15.0, true), top_of(15.0, false));
    let together = |systems: [&top::System; 4]| <top::System as Batched<F64x4>>::batch(&systems);
    assert!(together([&damped; 4]).is_some());
    assert!(together([&damped, &damped, &free, &damped]).is_none());
}

/// A bob on a rod whose constraint is repeated, each time scaled by a factor.
#[mechanical_system(redundant = minimum_norm)]
mod told_twice {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: R2,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub again: f64,
    }

    #[kinetic_energy]
    fn kinetic(p: &Data, v: &Velocity) -> f64 {
        0.5 * p.mass * v.x.norm_squared()
    }

    #[potential]
    fn weight(p: &Data, q: &Place) -> f64 {
        9.81 * p.mass * q.x.y
    }

    #[constraint]
    fn rods(p: &Data, q: &Place) -> Vector2<f64> {
        let missing = 0.5 * (q.x.norm_squared() - 1.0);
        Vector2::new(missing, p.again * missing)
    }
}

fn swinging(system: &told_twice::System) -> Simulation<'_, told_twice::System> {
    let place = told_twice::Place { x: Vector2::new(0.6, -0.8) };
    Simulation::of(system).initial(place, Vector2::new(0.8, 0.6)).step(0.01).end_time(0.2).output_times(&[0.2])
}

/// The distribution of a reaction over redundant rows is computed in each lane separately.
#[test]
fn redundant_rows_share_in_each_lane_as_they_do_alone() {
    let system = told_twice::System::new(told_twice::Data { mass: 1.0, again: 1.0 }).expect("good data");
    let samples = || Samples::latin_hypercube(8, 3).parameter("again", 0.2..5.0).parameter("mass", 1.0..2.0);
    let ensemble = || Ensemble::of(&system).samples(samples()).outputs(["multipliers", "configuration"]);
    let alone = ensemble().run(|system, _| Ok(swinging(system).run()?)).expect("the ensemble can be run");
    let in_lanes = ensemble().run_in_lanes::<F64x4, _, _>(|system, _| Ok(swinging(system))).expect("the same");
    assert_eq!(numbers(&in_lanes), numbers(&alone));
    let rows = ["multipliers.rods[0]", "multipliers.rods[1]"];
    let [first, second] = rows.map(|name| in_lanes.column(name).expect("it is there").values(0));
    for ((first, second), sample) in first.iter().zip(&second).zip(in_lanes.samples()) {
        assert!((first - sample[0] * second).abs() < 1e-5 * first.abs(), "{first}, {second} of {sample:?}");
    }
}
