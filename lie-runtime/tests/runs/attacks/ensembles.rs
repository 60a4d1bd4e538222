//! Ensembles with invalid input.

use std::fs;
use std::path::PathBuf;

use lie_runtime::ensemble::{Distribution, Ensemble, MemberFailure, Results, Samples};
use lie_runtime::prelude::*;

use super::{Attack, repel};
use crate::models::wheel;

/// Another system with the same parameters.
#[mechanical_system]
mod hoop {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Wheel {
        pub x: R1,
    }

    #[parameters]
    pub struct Data {
        pub inertia: f64,
        pub spring: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.inertia * v.x.norm_squared()
    }

    #[potential]
    fn spring(data: &Data, q: &Wheel) -> f64 {
        0.25 * data.spring * q.x.norm_squared().powi(2)
    }
}

fn nominal() -> wheel::System {
    wheel::System::new(wheel::Data { inertia: 1.0, spring: 1.0 }).unwrap()
}

fn run<'s>(system: &'s wheel::System, times: &[f64]) -> Result<Run<'s, wheel::System>, MemberFailure> {
    let start = wheel::Wheel { x: Vector1::new(1.0) };
    Ok(Simulation::of(system).initial(start, Vector1::zeros()).step(0.01).end_time(0.1).output_times(times).run()?)
}

fn of(samples: Samples) -> Result<Results, String> {
    Ensemble::of(&nominal()).samples(samples).run(|system, _| run(system, &[0.1])).map_err(|error| error.to_string())
}

/// The sum of the measured values; the first failure of a member if there is one.
fn told(results: Result<Results, String>) -> Result<f64, String> {
    let results = results?;
    if let Some(failure) = results.failures().first() {
        return Err(failure.to_string());
    }
    Ok(results.column("energy.kinetic").map_or(0.0, |energy| energy.values(0).iter().sum()))
}

fn springs() -> Samples {
    Samples::grid().parameter("spring", Distribution::linear(1.0, 2.0, 8))
}

fn checkpoint(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The ensemble with this checkpoint, and all its numbers.
fn saved(path: &PathBuf) -> Result<(usize, Vec<u64>), String> {
    let system = nominal();
    let ensemble = Ensemble::of(&system).samples(springs()).checkpoint(path).outputs(["configuration"]);
    let results = ensemble.run(|system, _| run(system, &[0.05, 0.1])).map_err(|error| error.to_string())?;
    let column = results.column("x[0]").unwrap();
    Ok((results.resumed(), [0, 1].into_iter().flat_map(|at| column.values(at)).map(f64::to_bits).collect()))
}

/// The same after a change of the file: the results are unchanged, or there is an error.
fn tampered(name: &str, change: impl Fn(&mut Vec<String>)) -> Result<f64, String> {
    let path = checkpoint(name);
    let _ = fs::remove_file(&path);
    let (_, whole) = saved(&path)?;
    let mut lines: Vec<String> = fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
    change(&mut lines);
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let (resumed, again) = saved(&path)?;
    assert_eq!(whole, again, "{resumed} were taken from the file");
    assert!(resumed < 8, "a damaged file is accepted");
    Ok(0.0)
}

#[test]
#[allow(clippy::too_many_lines)] // A table.
fn ensembles() {
    let table = |text: &'static str| {
        Box::new(move || told(of(Samples::read_csv(text.as_bytes()).map_err(|error| error.to_string())?)))
    };
    let sampled = |samples: Samples| Box::new(move || told(of(samples)));
    let attacks: Vec<Attack<'_>> = vec![
        ("NaN in a table", &["`spring` is NaN in row 1"], table("spring\n1\nNaN\n")),
        ("infinity in a table", &["`spring` is inf"], table("spring\ninf\n")),
        ("a number that is none", &["line 2", "`1,5`"], table("spring\n\"1,5\"\n")),
        ("a number that is not there", &["line 3"], table("inertia,spring\n1,1\n1\n")),
        ("a column twice", &["duplicate variable `spring`"], table("spring,spring\n1,2\n")),
        ("a column without a name", &["unknown parameter ``", "`inertia` and `spring`"], table("spring,\n1,2\n")),
        ("an empty table", &["line 1", "header"], table("")),
        ("a table of nothing but a header", &[], table("spring\n")),
        ("a name misspelt", &["unknown parameter `sprng`", "`inertia` and `spring`"], table("sprng\n1\n")),
        ("a component of a number", &["spring[0]"], sampled(Samples::listed(["spring[0]"], [[1.0]]))),
        ("a mass that is negative", &["member 0", "inertia"], sampled(Samples::listed(["inertia"], [[-1.0]]))),
        ("no member", &[], sampled(Samples::latin_hypercube(0, 1).parameter("spring", 1.0..2.0))),
        ("a grid of no values", &["`spring`", "is empty"], sampled(Samples::grid().parameter("spring", []))),
        (
            "a range the wrong way round",
            &["`spring`", "not below"],
            sampled(Samples::random(2, 0).parameter("spring", 2.0..1.0)),
        ),
        (
            "a range too wide for numbers",
            &["`spring`", "not finite"],
            sampled(Samples::sobol(2, 0).parameter("spring", -1.7e308..1.7e308)),
        ),
        (
            "a deviation that is NaN",
            &["`spring`", "normal distribution"],
            sampled(Samples::random(2, 0).parameter("spring", Distribution::Normal { mean: 1.0, deviation: f64::NAN })),
        ),
        (
            "more members than can be",
            &["exceeds the maximum"],
            sampled(
                (0..20)
                    .fold(Samples::grid(), |all, k| all.variable(format!("x{k}"), Distribution::linear(0.0, 1.0, 10))),
            ),
        ),
        (
            "a grid without end",
            &["exceeds the maximum"],
            sampled(Samples::grid().parameter("spring", Distribution::linear(0.0, 1.0, usize::MAX))),
        ),
        (
            "members of unequal length",
            &["recorded 2 states", "output_times"],
            Box::new(|| {
                let system = nominal();
                let results = Ensemble::of(&system)
                    .samples(springs())
                    .run(|system, member| run(system, if member.index() == 5 { &[0.05, 0.1] } else { &[0.1] }));
                told(results.map_err(|error| error.to_string()))
            }),
        ),
        (
            "members that all fail",
            &["output time"],
            Box::new(|| {
                let system = nominal();
                let results = Ensemble::of(&system).samples(springs()).run(|system, _| run(system, &[7.0]));
                let results = results.map_err(|error| error.to_string())?;
                assert_eq!((results.failures().len(), results.states(), results.columns().len()), (8, 0, 0));
                told(Ok(results))
            }),
        ),
        (
            "samples at equal times, measured twice",
            &[],
            Box::new(|| {
                let system = nominal();
                let ensemble = Ensemble::of(&system).samples(springs()).outputs(["energy", "energy.kinetic", "t"]);
                let results = ensemble.run(|system, _| run(system, &[0.1, 0.05, 0.1])).unwrap();
                assert_eq!((results.states(), results.columns().len()), (3, 4));
                let t = results.column("t").unwrap();
                assert_eq!([t.value(7, 0), t.value(7, 1), t.value(7, 2)], [0.05, 0.1, 0.1]);
                told(Ok(results))
            }),
        ),
        (
            "quantiles out of range",
            &[],
            Box::new(|| {
                let results = of(springs())?;
                let energy = results.column("energy.kinetic").unwrap();
                for part in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
                    assert!(energy.quantile(0, part).is_nan());
                }
                assert!(energy.quantile(1, 0.5).is_nan() && energy.spread(usize::MAX).mean.is_nan());
                assert!(energy.value(usize::MAX, 0).is_nan() && energy.value(0, usize::MAX).is_nan());
                told(Ok(results))
            }),
        ),
        (
            "a million threads",
            &[],
            Box::new(|| {
                let system = nominal();
                let ensemble = Ensemble::of(&system).samples(springs()).threads(1_000_000);
                told(ensemble.run(|system, _| run(system, &[0.1])).map_err(|error| error.to_string()))
            }),
        ),
        (
            "a checkpoint that is a folder",
            &["checkpoint `"],
            Box::new(|| saved(&PathBuf::from(env!("CARGO_TARGET_TMPDIR"))).map(|_| 0.0)),
        ),
        (
            "a checkpoint in a folder that is not there",
            &["checkpoint `"],
            Box::new(|| saved(&checkpoint("nowhere/at/all")).map(|_| 0.0)),
        ),
        (
            "a checkpoint with a digit changed",
            &[],
            Box::new(|| tampered("digit", |lines| lines[4] = lines[4].replacen("0.9", "0.8", 1))),
        ),
        (
            "a checkpoint with a NaN",
            &[],
            Box::new(|| tampered("nan", |lines| lines[3] = "3 - NaN NaN NaN NaN 0123456789abcdef end".into())),
        ),
        ("a checkpoint without its columns", &[], Box::new(|| tampered("columns", |lines| drop(lines.remove(1))))),
        (
            "a checkpoint with columns of something else",
            &[],
            Box::new(|| tampered("other", |lines| lines[1] = lines[1].replace("x[0]", "velocity.x[0]"))),
        ),
        (
            "a checkpoint with another title",
            &["belongs to another ensemble"],
            Box::new(|| tampered("title", |lines| lines[0] = lines[0].replace(" 8 ", " 9 "))),
        ),
        (
            "a checkpoint of another system",
            &["belongs to another ensemble", "the system"],
            Box::new(|| {
                let path = checkpoint("system");
                let _ = fs::remove_file(&path);
                saved(&path)?;
                let system = hoop::System::new(hoop::Data { inertia: 1.0, spring: 1.0 }).unwrap();
                let ensemble = Ensemble::of(&system).samples(springs()).checkpoint(&path).outputs(["configuration"]);
                let results = ensemble.run(|system, _| {
                    let run = Simulation::of(system).initial(hoop::Wheel { x: Vector1::new(1.0) }, Vector1::zeros());
                    Ok(run.step(0.01).end_time(0.1).output_times(&[0.05, 0.1]).run()?)
                });
                told(results.map_err(|error| error.to_string()))
            }),
        ),
    ];
    repel(attacks);
}
