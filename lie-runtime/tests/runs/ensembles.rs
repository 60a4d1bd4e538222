//! Ensembles: the same numbers as one by one, on any number of threads, with members that fail, and after an interruption.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use lie_runtime::ensemble::{Distribution, Ensemble, EnsembleError, Member, MemberFailure, Results, Samples};
use lie_runtime::integrator::Problem;
use lie_runtime::prelude::*;
use lie_runtime::simulate::{Failure, Limits, Sampled};
use lie_runtime::system::Value;

/// A body about a fixed point.
#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Body {
        pub attitude: SO3,
    }

    #[parameters]
    pub struct Data {
        pub moments: Vector3<f64>,
        pub weight: f64,
    }

    #[kinetic_energy]
    fn rotation(top: &Data, v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&top.moments.component_mul(&v.attitude))
    }

    #[potential]
    fn height(top: &Data, q: &Body) -> f64 {
        top.weight * (q.attitude * Vector3::z()).z
    }

    #[observable]
    fn tip(q: &Body) -> Vector3<f64> {
        q.attitude * Vector3::z()
    }
}

/// Members and observables of every kind.
#[mechanical_system]
mod kinds {
    use lie_runtime::prelude::*;

    pub struct Wheel {
        pub hub: SO2,
        pub axle: S2,
    }

    #[configuration]
    pub struct Parts {
        pub pose: SE3,
        pub turn: S3,
        pub pair: [f64; 2],
        pub wheel: Wheel,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let rolling = v.wheel.hub * v.wheel.hub + v.wheel.axle.norm_squared();
        0.5 * (v.pose.norm_squared() + v.turn.norm_squared() + v.pair[0] * v.pair[0] + v.pair[1] * v.pair[1] + rolling)
    }

    #[constraint]
    fn geared(q: &Parts) -> f64 {
        q.pair[0] - 2.0 * q.pair[1]
    }

    #[observable]
    fn frame(q: &Parts) -> SE3 {
        q.pose
    }

    #[observable]
    fn rows(q: &Parts) -> SMatrix<f64, 2, 3> {
        SMatrix::<f64, 2, 3>::new(1.0, 2.0, 3.0, q.pair[0], q.pair[1], 6.0)
    }

    #[observable]
    fn two(q: &Parts) -> [Vector2<f64>; 2] {
        [Vector2::new(q.pair[0], 1.0), Vector2::new(2.0, q.pair[1])]
    }
}

/// Masses in a row between springs.
#[mechanical_system]
mod row {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Row {
        pub masses: Vec<R1>,
    }

    #[parameters]
    pub struct Data {
        pub stiffness: f64,
    }

    #[kinetic_energy(over = masses)]
    fn kinetic(v: &Vector1<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = masses.windows(2))]
    fn spring(data: &Data, [a, b]: [&R1; 2]) -> f64 {
        0.5 * data.stiffness * (b - a).norm_squared()
    }
}

const TIMES: [f64; 3] = [0.1, 0.2, 0.5];

fn nominal() -> top::System {
    top::System::new(top::Data { moments: Vector3::new(2.0, 2.0, 1.0), weight: 5.0 }).expect("moments are positive")
}

/// The run of a member, by its spin.
fn run<'s>(system: &'s top::System, member: &Member<'_>) -> Result<Run<'s, top::System>, MemberFailure> {
    let q0 = top::Body { attitude: SO3::exp(&Vector3::new(0.3, 0.0, 0.0)) };
    let v0 = Vector3::new(0.0, 0.0, member.value("spin")?);
    Ok(Simulation::of(system).initial(q0, v0).step(0.01).end_time(0.5).output_times(&TIMES).run()?)
}

fn samples() -> Samples {
    Samples::sobol(32, 3).parameter("moments[2]", 0.5..1.5).parameter("weight", 4.0..6.0).variable("spin", 5.0..20.0)
}

fn ensemble(system: &top::System) -> Ensemble<'_, top::System> {
    Ensemble::of(system).samples(samples()).outputs(["tip", "energy"])
}

/// All numbers of a column.
fn bits(results: &Results, column: &str) -> Vec<u64> {
    let column = results.column(column).expect(column);
    (0..results.states()).flat_map(|state| column.values(state)).map(f64::to_bits).collect()
}

fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

/// Parts evaluated without the rest of a sample must equal the parts in the sample; the same holds for values without the part.
fn assert_parts_are_those_of_the_record<S: Sampled<S> + Problem<System = S>>(system: &S, state: &S::State) {
    let Value::Record(entries) = system.sample(state).into_record() else { panic!("a record") };
    assert!(entries.len() >= 8);
    for (name, value) in entries {
        let mut visited = Vec::new();
        system.visit_part(state, name, &mut |number| visited.push(number));
        assert_eq!(visited, value.numbers(), "{name}");
        assert_eq!(system.part(state, name), Some(value), "{name}");
    }
    system.visit_part(state, "tip", &mut |_| panic!("there is no such part"));
    assert_eq!(system.part(state, "tip"), None);
}

#[test]
fn parts_of_a_sample_are_those_of_its_record() {
    let system = nominal();
    let q0 = top::Body { attitude: SO3::exp(&Vector3::new(0.3, 0.0, 0.0)) };
    let run = Simulation::of(&system).initial(q0, Vector3::new(0.1, 0.2, 9.0)).step(0.01).end_time(0.1).run().unwrap();
    assert_parts_are_those_of_the_record(&system, run.last());

    let system = kinds::System::new().expect("it has no parameters");
    let turn = Vector3::new(0.3, -0.2, 0.1);
    let q0 = kinds::Parts {
        pose: SE3::new(SO3::exp(&turn), turn),
        turn: S3::exp(&turn),
        pair: [2.0, 1.0],
        wheel: kinds::Wheel { hub: SO2::from_angle(0.4), axle: S2::new(Vector3::new(0.0, 0.6, 0.8)).unwrap() },
    };
    let v0 = kinds::Velocity {
        pose: Vector6::new(0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
        turn,
        pair: [0.8, 0.4],
        wheel: kinds::WheelVelocity { hub: 0.7, axle: Vector3::new(1.0, 0.0, 0.0) },
    };
    let run = Simulation::of(&system).initial(q0, v0).step(0.01).end_time(0.1).run().unwrap();
    assert_parts_are_those_of_the_record(&system, run.last());
}

#[test]
fn members_are_what_they_are_alone_on_any_number_of_threads() {
    let system = nominal();
    let results = ensemble(&system).threads(1).run(run).unwrap();
    assert_eq!((results.members(), results.states()), (32, 3));
    assert_eq!(
        results.columns(),
        ["t", "tip[0]", "tip[1]", "tip[2]", "energy.kinetic", "energy.potential", "energy.total"]
    );
    for threads in [2, 3] {
        let again = ensemble(&system).threads(threads).run(run).unwrap();
        for column in results.columns() {
            assert_eq!(bits(&results, column), bits(&again, column), "{column} on {threads} threads");
        }
    }
    for (member, row) in samples().rows().unwrap().into_iter().enumerate() {
        let [third, weight, spin] = row[..] else { panic!("three values") };
        let system = top::System::new(top::Data { moments: Vector3::new(2.0, 2.0, third), weight }).unwrap();
        let q0 = top::Body { attitude: SO3::exp(&Vector3::new(0.3, 0.0, 0.0)) };
        let v0 = Vector3::new(0.0, 0.0, spin);
        let alone =
            Simulation::of(&system).initial(q0, v0).step(0.01).end_time(0.5).output_times(&TIMES).run().unwrap();
        for (at, state) in alone.states.iter().enumerate() {
            let tip = state.configuration.attitude * Vector3::z();
            for axis in 0..3 {
                let column = results.column(&format!("tip[{axis}]")).unwrap();
                assert_eq!(column.value(member, at), tip[axis]);
            }
            assert_eq!(results.column("t").unwrap().value(member, at), TIMES[at]);
        }
    }
}

#[test]
fn members_that_fail_do_not_end_the_others() {
    let system = nominal();
    let samples = Samples::listed(
        ["weight", "moments[0]", "spin"],
        [[5.0, 2.0, 10.0], [5.0, -2.0, 10.0], [5.0, 2.0, -1.0], [5.0, 2.0, 12.0], [5.0, 2.0, -2.0]],
    );
    let results = Ensemble::of(&system)
        .samples(samples.with_variables(["spin"]).unwrap())
        .run(|system, member| {
            let spin = member.value("spin")?;
            if spin == -2.0 {
                return Err(MemberFailure::Other("no such spin".into()));
            }
            let (q0, v0) = (top::Body { attitude: SO3::identity() }, Vector3::new(0.1, 0.0, spin));
            let limits = Limits::default().steps(if spin < 0.0 { 3 } else { 100 });
            let simulation = Simulation::of(system).initial(q0, v0).step(0.1).end_time(1.0).limits(limits);
            Ok(simulation.output_times(&[1.0]).run()?)
        })
        .unwrap();
    let failed: Vec<usize> = results.failures().iter().map(|error| error.member).collect();
    assert_eq!(failed, [1, 2, 4]);
    let [massless, limited, own] = results.failures() else { panic!("three failures") };
    assert!(matches!(massless.failure, MemberFailure::Parameters(_)), "{massless}");
    let MemberFailure::Run { failure, .. } = &limited.failure else { panic!("{limited}") };
    assert!(matches!(**failure, Failure::Limit { .. } | Failure::Setup(_)), "{limited}");
    assert_eq!(own.to_string(), "member 4: no such spin");
    let kinetic = results.column("energy.kinetic").unwrap();
    assert!(kinetic.value(1, 0).is_nan() && kinetic.value(0, 0) > 0.0 && kinetic.value(3, 0) > 0.0);
    assert_eq!(kinetic.spread(0).count, 2);
}

/// Gives a closure its type: it is needed for one that is not an argument of `run`.
fn typed<F>(simulate: F) -> F
where
    F: for<'s> Fn(&'s top::System, &Member<'_>) -> Result<Run<'s, top::System>, MemberFailure>,
{
    simulate
}

#[test]
fn an_ensemble_goes_on_where_it_was_interrupted() {
    let system = nominal();
    let whole = ensemble(&system).run(run).unwrap();
    let path = file("ensemble.checkpoint");
    let runs = AtomicUsize::new(0);
    let counted = typed(|system, member| {
        runs.fetch_add(1, Ordering::Relaxed);
        run(system, member)
    });
    let first = ensemble(&system).checkpoint(&path).run(&counted).unwrap();
    assert_eq!((first.resumed(), runs.swap(0, Ordering::Relaxed)), (0, 32));
    // The end of the file is lost at every place that a crash might leave.
    let bytes = fs::read(&path).unwrap();
    let title = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for cut in [0, 5, title, title + 20, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1, bytes.len()] {
        fs::write(&path, &bytes[..cut]).unwrap();
        let again = ensemble(&system).checkpoint(&path).run(&counted).unwrap();
        assert_eq!(again.resumed() + runs.swap(0, Ordering::Relaxed), 32, "cut at {cut}");
        for column in whole.columns() {
            assert_eq!(bits(&whole, column), bits(&again, column), "{column}, cut at {cut}");
        }
        // And it is whole again.
        let once_more = ensemble(&system).checkpoint(&path).run(&counted).unwrap();
        assert_eq!((once_more.resumed(), runs.swap(0, Ordering::Relaxed)), (32, 0));
    }
    for other in [
        Ensemble::of(&system).samples(samples()).checkpoint(&path).run(run),
        ensemble(&system).samples(Samples::sobol(32, 4).variable("spin", 5.0..6.0)).checkpoint(&path).run(run),
    ] {
        assert!(matches!(other, Err(EnsembleError::OtherEnsemble { .. })));
    }
    // Somebody's letter is not overwritten.
    fs::write(&path, "Dear Sir,\n").unwrap();
    assert!(matches!(ensemble(&system).checkpoint(&path).run(run), Err(EnsembleError::OtherEnsemble { .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), "Dear Sir,\n");
}

#[test]
fn what_is_not_there_is_told() {
    let system = nominal();
    let told = |samples: Samples| Ensemble::of(&system).samples(samples).run(run).unwrap_err().to_string();
    let unknown = told(Samples::random(2, 0).parameter("wieght", 0.0..1.0));
    assert!(
        unknown.contains("`wieght`") && unknown.contains("`moments` and `weight`; did you mean `weight`?"),
        "{unknown}"
    );
    assert!(told(Samples::random(2, 0).parameter("moments", 0.0..1.0)).contains("moments"), "a vector is no number");
    assert!(told(Samples::random(2, 0).parameter("moments[3]", 0.0..1.0)).contains("moments[3]"));
    let error = ensemble(&system).outputs(["tpi"]).run(run).unwrap_err().to_string();
    assert!(error.contains("`tpi`") && error.contains("`attitude`, `tip`, `energy.kinetic`"), "{error}");
    // A variable that no sample has is a failure of each member.
    let results = Ensemble::of(&system).samples(Samples::grid().variable("tilt", [1.0, 2.0])).run(run).unwrap();
    assert_eq!((results.members(), results.failures().len(), results.states()), (2, 2, 0));
    assert!(results.failures()[1].to_string().contains("`spin`; the samples have `tilt`"));
    // Without members there are no results, and no error.
    assert_eq!(Ensemble::of(&system).samples(Samples::random(0, 1)).run(run).unwrap().members(), 0);
}

#[test]
fn chains_keep_their_lengths_and_hamiltonians_run_too() {
    let system = row::System::new(row::Data { stiffness: 1.0 }, row::Lengths { masses: 4 }).unwrap();
    let samples = Samples::grid().parameter("stiffness", Distribution::linear(1.0, 2.0, 3));
    let results = Ensemble::of(&system)
        .samples(samples)
        .outputs(["configuration"])
        .run(|system, _| {
            let q0 = row::Row { masses: (0..4).map(|k| Vector1::new(f64::from(k) * 1.1)).collect() };
            Ok(Simulation::of(system)
                .initial(q0, system.zero_velocity())
                .step(0.1)
                .end_time(1.0)
                .output_times(&[1.0])
                .run()?)
        })
        .unwrap();
    assert!(results.failures().is_empty());
    assert_eq!(results.columns().len(), 5);
    let first = results.column("masses[0][0]").unwrap().values(0);
    assert!(first[0] < first[1] && first[1] < first[2], "{first:?}");

    let system = nominal();
    let energies = Ensemble::of(&system)
        .samples(Samples::grid().variable("spin", [1.0, 2.0]))
        .run(|system, member| {
            let q0 = top::Body { attitude: SO3::identity() };
            let v0 = Vector3::new(0.0, 0.1, member.value("spin")?);
            let simulation = Simulation::of_hamiltonian(system).initial_velocity(q0, v0);
            Ok(simulation.step(0.01).end_time(0.1).output_times(&[0.1]).run()?)
        })
        .unwrap();
    assert!(energies.failures().is_empty(), "{:?}", energies.failures());
}

#[test]
fn results_are_written() {
    let system = nominal();
    let results = ensemble(&system)
        .samples(Samples::listed(["weight", "spin"], [[5.0, 6.0], [5.5, 7.0]]).with_variables(["spin"]).unwrap());
    let results = results.run(run).unwrap();
    let mut table = Vec::new();
    results.write_csv(&mut table).unwrap();
    let table = String::from_utf8(table).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 1 + 2 * 3);
    assert!(lines[0].starts_with("member,sample.weight,sample.spin,t,tip[0]"), "{}", lines[0]);
    assert!(lines[1].starts_with("0,5.0,6.0,0.1,") && lines[6].starts_with("1,5.5,7.0,0.5,"), "{table}");
    let mut table = Vec::new();
    results.write_statistics_csv(&mut table).unwrap();
    let table = String::from_utf8(table).unwrap();
    assert_eq!(table.lines().count(), 1 + 3 * 7);
    assert!(table.lines().nth(1).unwrap().starts_with("0,t,2,0,0.1,0.0,0.1,0.1,0.1,0.1,0.1"), "{table}");
    let mut archive = Vec::new();
    results.write_npz(&mut archive).unwrap();
    let text = String::from_utf8_lossy(&archive);
    assert!(text.contains("sample.spin.npy") && text.contains("'shape': (2,)") && text.contains("'shape': (2, 3)"));
    // Vectors are arrays.
    assert!(text.contains("tip.npy") && text.contains("'shape': (2, 3, 3)") && !text.contains("tip[0].npy"));
}
