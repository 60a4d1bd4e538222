//! Ensembles of runs that events change and controllers drive.

use lie_runtime::ensemble::{Ensemble, Member, MemberFailure, Samples};
use lie_runtime::prelude::*;

use crate::models::spring;
use crate::stalls::blocks;

/// A wagon that is loaded on its way, under a force that is held.
#[mechanical_system]
mod wagon {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
    }

    #[parameters]
    pub struct Wagon {
        pub mass: f64,
    }

    #[inputs]
    pub struct Inputs {
        pub pull: f64,
    }

    #[kinetic_energy]
    fn kinetic(wagon: &Wagon, v: &Velocity) -> f64 {
        0.5 * wagon.mass * v.x * v.x
    }

    #[force(on = x)]
    fn pull(u: &Inputs) -> f64 {
        u.pull
    }

    #[observable]
    fn momentum(wagon: &Wagon, v: &Velocity) -> f64 {
        wagon.mass * v.x
    }
}

const TIMES: [f64; 3] = [0.1, 0.2, 0.5];

/// Loaded at the crossing of 0.2, which the fast members reach, one at a sample time.
#[test]
fn events_and_controllers_leave_samples_alone_and_are_told_with_them() {
    let system = wagon::System::new(wagon::Wagon { mass: 1.0 }).unwrap();
    let speeds = [0.1, 1.0, 2.0];
    let samples = Samples::grid().variable("speed", speeds);
    let measured = ["velocity", "observables", "energy", "inputs"];
    let results = Ensemble::of(&system).samples(samples).outputs(measured).run(|system, member| {
        let loaded = Simulation::of(system)
            .initial(wagon::Place { x: 0.0 }, Vector1::new(member.value("speed")?))
            .controller(0.25, |t, _, _| wagon::Inputs { pull: if t < 0.3 { 0.0 } else { 3.0 } })
            .event("loaded", |_, state| state.configuration.x - 0.2)
            .rising()
            .apply(|at| {
                at.state().velocity.x *= 0.5;
                at.set(|wagon| wagon.mass = 2.0);
            });
        Ok(loaded.step(0.02).end_time(0.6).output_times(&TIMES).run()?)
    });
    let results = results.unwrap();
    assert!(results.failures().is_empty(), "{:?}", results.failures());
    let told = |column: &str, at: usize| results.column(column).unwrap_or_else(|| panic!("{column}")).values(at);
    assert_eq!((0..results.states()).map(|at| told("t", at)[0]).collect::<Vec<_>>(), TIMES);
    for (at, time) in TIMES.into_iter().enumerate() {
        for (member, speed) in speeds.into_iter().enumerate() {
            // Told at the time of a load: as it was before.
            let mass = if speed * time > 0.2 + 1e-9 { 2.0 } else { 1.0 };
            let expected = [speed / mass, speed, 0.5 * speed * speed / mass, 0.0];
            for (column, expected) in
                ["velocity.x", "momentum", "energy.kinetic", "inputs.pull"].into_iter().zip(expected)
            {
                let found = told(column, at)[member];
                assert!((found - expected).abs() < 1e-9, "{column} of {speed} at {time}: {found} for {expected}");
            }
        }
    }
}

/// cos(w t) with w = 1, 2.5 and 0.5, of which the second one comes to zero before the end, and the third one panics during the run.
#[test]
fn a_member_that_stops_is_missing_where_it_has_not_been() {
    fn member<'s>(system: &'s spring::System, member: &Member<'_>) -> Result<Run<'s, spring::System>, MemberFailure> {
        let start = spring::Position { x: Vector1::new(1.0) };
        let run = Simulation::of(system).initial(start, Vector1::zeros());
        let run = run.event("lands", |_, state| state.configuration.x.x).falling().stop().step(0.01).end_time(1.0);
        let index = member.index();
        let run = run.on_step(move |state| assert!(index != 2 || state.time < 0.3, "no more than {}", state.time));
        Ok(run.output_times(&[0.5, 1.0]).run()?)
    }

    let spring = |stiffness| spring::System::new(spring::Data { mass: 1.0, stiffness, damping: 0.0 }).unwrap();
    let (system, reached) = (spring(1.0), [1.0_f64, 6.25, 1.0, 0.25]);
    let samples = Samples::listed(["stiffness"], reached.map(|stiffness| [stiffness]));
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("stops.checkpoint");
    let _ = std::fs::remove_file(&path);
    let ensemble = || Ensemble::of(&system).samples(samples.clone()).outputs(["configuration"]).checkpoint(&path);
    // What was taken from a checkpoint is the same.
    for resumed in [0, 3] {
        let results = ensemble().run(member).unwrap();
        assert_eq!((results.resumed(), results.states()), (resumed, 3));
        assert!(results.times()[..2] == [0.5, 1.0] && results.times()[2].is_nan());
        let [failed] = results.failures() else { panic!("{:?}", results.failures()) };
        assert!(
            matches!(&failed.failure, MemberFailure::Panicked { message } if message.starts_with("no more than 0.3"))
        );
        let landing = core::f64::consts::FRAC_PI_2 / 2.5;
        let (t, x) = (results.column("t").unwrap(), results.column("x[0]").unwrap());
        for (member, stiffness) in reached.into_iter().enumerate().filter(|(member, _)| *member != 2) {
            for (state, time) in [0.5, 1.0].into_iter().enumerate() {
                if member == 1 && state == 1 {
                    assert!(t.value(member, state).is_nan() && x.value(member, state).is_nan());
                    let reason = results.missing(member, state).unwrap();
                    assert!(reason.starts_with("stopped by event `lands` at t = 0.628"), "{reason}");
                } else {
                    assert_eq!((t.value(member, state), results.missing(member, state)), (time, None));
                    assert!((x.value(member, state) - (stiffness.sqrt() * time).cos()).abs() < 1e-9);
                }
            }
        }
        let (at_one, stops) = (x.spread(1), t.spread(2));
        assert_eq!((at_one.count, at_one.missing), (2, 2));
        assert!((at_one.mean - 0.5 * (1.0_f64.cos() + 0.5_f64.cos())).abs() < 1e-9, "{at_one:?}");
        assert!(stops.count == 1 && (stops.mean - landing).abs() < 1e-9 && x.value(1, 2).abs() < 1e-9, "{stops:?}");
        assert_eq!(results.missing(0, 2).as_deref(), Some("not stopped"));
        let mut table = Vec::new();
        results.write_csv(&mut table).unwrap();
        let table = String::from_utf8(table).unwrap();
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!((lines.len(), lines[0]), (13, "member,sample.stiffness,t,x[0],missing,warnings"));
        assert!(lines[5].starts_with("1,6.25,NaN,NaN,stopped by event `lands`"), "{table}");
        assert!(lines[7].starts_with("2,1.0,NaN,NaN,the closure panicked: no more than"), "{table}");
        let mut table = Vec::new();
        results.write_statistics_csv(&mut table).unwrap();
        assert!(String::from_utf8(table).unwrap().contains("\n1,t,2,2,1.0,0.0,1.0"));
    }
}

/// Dry friction by hand in fixed steps: the blocks with friction stop within the run, and their velocities are off from then on.
#[test]
fn warnings_of_members_are_counted_with_the_first_member_of_each_kind() {
    let system = blocks::System::new(blocks::Data { friction: 0.0, width: 0.0, damping: 0.1 }).unwrap();
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("warnings.checkpoint");
    let _ = std::fs::remove_file(&path);
    for resumed in [0, 4] {
        let samples = Samples::listed(["friction"], [[0.0], [3.0], [1e-3], [2.0]]);
        let ensemble = Ensemble::of(&system).samples(samples).outputs(["configuration"]).checkpoint(&path);
        let results = ensemble.run(|system, _| {
            let start = blocks::Blocks { first: 1.0, second: 0.0 };
            let run = Simulation::of(system).initial(start, Vector2::new(0.0, 1.0)).step(0.003).end_time(3.0);
            Ok(run.output_times(&[1.0, 3.0]).run()?)
        });
        let results = results.unwrap();
        assert_eq!((results.resumed(), results.failures().len()), (resumed, 0));
        let [warnings] = &results.warnings()[..] else { panic!("{:?}", results.warnings()) };
        assert_eq!((warnings.kind.as_str(), warnings.members, warnings.first), ("Chattering", 2, 1));
        assert!(warnings.message.starts_with("the force `table` on `second` jumps by 6.000 at t = "), "{warnings}");
        let text = results.to_string();
        assert!(text.starts_with("4 members of 2 states and 3 columns in "), "{text}");
        assert!(
            text.contains("\nwarning: Chattering in 2 members, the first of which is member 1: the force"),
            "{text}"
        );
        let mut table = Vec::new();
        results.write_csv(&mut table).unwrap();
        let table = String::from_utf8(table).unwrap();
        let last: Vec<&str> = table.lines().map(|line| line.rsplit(',').next().unwrap()).collect();
        assert_eq!(last, ["warnings", "", "", "Chattering", "Chattering", "", "", "Chattering", "Chattering"]);
    }
}

/// Members at other times are not compared.
#[test]
fn members_are_compared_at_the_same_times_alone() {
    let system = spring::System::new(spring::Data { mass: 1.0, stiffness: 1.0, damping: 0.0 }).unwrap();
    let results =
        Ensemble::of(&system).samples(Samples::grid().variable("end", [1.0, 1.0, 0.9])).run(|system, member| {
            let start = spring::Position { x: Vector1::new(1.0) };
            let run = Simulation::of(system).initial(start, Vector1::zeros()).step(0.1);
            Ok(run.end_time(1.0).output_times(&[0.5, member.value("end")?]).run()?)
        });
    let results = results.unwrap();
    let [failed] = results.failures() else { panic!("{:?}", results.failures()) };
    let MemberFailure::OtherTimes { expected: 2, recorded: 2, differs: Some([1.0, 0.9]) } = failed.failure else {
        panic!("{failed}")
    };
    assert_eq!(results.column("t").unwrap().spread(1).count, 2);
}
