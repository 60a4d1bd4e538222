//! Compares steps of a system from text with steps of the generated code in one run: `cargo bench -p lie-runtime --features dynamic,lanes
//! --bench from_text`.
//!
//! The output shows the time from the text to the first step, and the time of a step of one trajectory, alone and in SIMD lanes, with the
//! median of the ratios to the generated step. With the argument `instructions` it also shows the instructions of a step, for which valgrind
//! is needed.

mod stepping;
mod top_in_space;

use std::process::Command;
use std::time::Instant;

use lie_runtime::dynamic::{DynamicModel, DynamicSystem};
use lie_runtime::integrator::{GeneralizedAlpha, Integrator, Rattlie};
use lie_runtime::prelude::*;
use lie_runtime::scalar::{F64x4, F64x8};
use stepping::{Steps, median, started, steps, steps_in_lanes, time};
use top_in_space::top;

const TEXT: &str = include_str!("top_in_space/mod.rs");
const ROUNDS: usize = 15;

const MOMENTS: Vector3<f64> = Vector3::new(0.234_375, 0.468_75, 0.234_375);
const CENTER: Vector3<f64> = Vector3::new(0.0, 1.0, 0.0);
const GRAVITY: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);
const SPIN: Vector3<f64> = Vector3::new(0.0, 150.0, -4.61538);
/// The masses of the tops in the lanes.
const MASSES: [f64; 8] = [15.0, 15.5, 14.0, 16.0, 15.1, 14.7, 15.8, 14.2];

fn generated(mass: f64) -> (top::System, State<top::System>) {
    let data = top::HeavyTop { mass, moments: MOMENTS, center_of_mass: CENTER, gravity: GRAVITY };
    let system = top::System::new(data).expect("the data are good");
    let q = top::Pose { attitude: SO3::identity(), position: CENTER };
    let linear = SPIN.cross(&CENTER);
    let state = started(&system, q, Vector6::new(SPIN.x, SPIN.y, SPIN.z, linear.x, linear.y, linear.z));
    (system, state)
}

fn from_text(model: &DynamicModel, mass: f64) -> (DynamicSystem, State<DynamicSystem>) {
    let good = "the data are good";
    let data = [
        ("mass", &[mass][..]),
        ("moments", MOMENTS.as_slice()),
        ("center_of_mass", CENTER.as_slice()),
        ("gravity", GRAVITY.as_slice()),
    ];
    let system = model.system(data).expect(good);
    let attitude = Matrix3::identity();
    let q = system.configuration([("attitude", attitude.as_slice()), ("position", CENTER.as_slice())]).expect(good);
    let linear = SPIN.cross(&CENTER);
    let v = system.velocity([("attitude", SPIN.as_slice()), ("position", linear.as_slice())]).expect(good);
    let state = started(&system, q, v);
    (system, state)
}

fn model() -> DynamicModel {
    DynamicModel::from_text(TEXT).expect("the declaration is good")
}

/// A way to compute the steps, and its number of trajectories.
struct Version<'a> {
    name: String,
    lanes: f64,
    steps: Steps<'a>,
}

/// The generated code comes first.
fn versions<'a, I>(name: &str, method: &'a I, h: f64, model: &DynamicModel) -> Vec<Version<'a>>
where
    I: Integrator<top::System>
        + Integrator<DynamicSystem>
        + Integrator<DynamicSystem<F64x4>>
        + Integrator<DynamicSystem<F64x8>>,
{
    let (system, state) = generated(MASSES[0]);
    let (systems, states): (Vec<_>, Vec<_>) = MASSES.map(|mass| from_text(model, mass)).into_iter().unzip();
    let of = |way, lanes: u8, steps| Version { name: format!("{name} {way}"), lanes: lanes.into(), steps };
    vec![
        of("generated", 1, steps(system, method, state, h)),
        of("text", 1, steps(systems[0].clone(), method, states[0].clone(), h)),
        of("four lanes", 4, steps_in_lanes::<_, F64x4, _>(&systems, method, &states, h)),
        of("eight lanes", 8, steps_in_lanes::<_, F64x8, _>(&systems, method, &states, h)),
    ]
}

/// The milliseconds from the text to the end of the first step.
fn first_step() -> f64 {
    let clock = Instant::now();
    let (system, state) = from_text(&model(), MASSES[0]);
    steps(system, &HalfExplicit::hedop5(), state, 1e-3)(1);
    clock.elapsed().as_secs_f64() * 1e3
}

/// The multipliers after a tenth of a second.
fn final_multipliers<M>(system: &M, state: &State<M>) -> Vec<f64>
where
    M: MechanicalSystem<Scalar = f64>,
    HalfExplicit: Integrator<M>,
{
    let (method, mut states) = (HalfExplicit::hedop5(), [state.clone(), state.clone()]);
    let mut workspace = method.workspace(system, state);
    for _ in 0..100 {
        let [from, to] = &mut states;
        method.step(system, from, 1e-3, to, &mut workspace).expect("no step fails");
        states.swap(0, 1);
    }
    (0..3).map(|row| states[0].multipliers.component(row)).collect()
}

/// Checks that both systems compute the same motion.
fn assert_agreement(model: &DynamicModel) {
    let ((system, state), (other, of_other)) = (generated(MASSES[0]), from_text(model, MASSES[0]));
    let pairs = final_multipliers(&other, &of_other).into_iter().zip(final_multipliers(&system, &state));
    for (found, expected) in pairs {
        assert!((found - expected).abs() < 1e-8 * expected.abs().max(1.0), "{found} {expected}");
    }
}

/// The instructions of a step, counted by valgrind in runs of this program with `name` and a number of steps as arguments.
fn instructions(name: &str) -> Result<f64, Box<dyn std::error::Error>> {
    let [few, many] = [100_u32, 1100].map(|steps| -> Result<f64, Box<dyn std::error::Error>> {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(std::env::current_exe()?)
            .args([name, &steps.to_string()])
            .output()?;
        let report = String::from_utf8(output.stderr)?;
        let count = report.lines().find_map(|line| line.split_once("Collected :")).ok_or(report.clone())?;
        Ok(count.1.trim().parse()?)
    });
    Ok((many? - few?) / 1000.0)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (hedop5, rattlie) = (HalfExplicit::hedop5(), Rattlie::new());
    let lie_alpha = GeneralizedAlpha::chung_hulbert(0.9)?;
    let model = model();
    let mut methods = [
        versions("hedop5", &hedop5, 1e-3, &model),
        versions("rattlie", &rattlie, 1e-3, &model),
        versions("lie_alpha", &lie_alpha, 2e-3, &model),
    ];
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [name, steps] = &arguments[..] {
        let version = methods.iter_mut().flatten().find(|version| version.name == *name).ok_or("no such version")?;
        (version.steps)(steps.parse()?);
        return Ok(());
    }
    assert_agreement(&model);
    println!("text to the first step {:>8.1} ms", median((0..ROUNDS).map(|_| first_step()).collect()));
    let counts_instructions = arguments.iter().any(|argument| argument == "instructions");
    for versions in &mut methods {
        let rounds: Vec<Vec<f64>> = (0..ROUNDS)
            .map(|_| versions.iter_mut().map(|version| time(&mut version.steps) / version.lanes).collect())
            .collect();
        let mut of_generated = None;
        for (at, Version { name, lanes, .. }) in versions.iter().enumerate() {
            let [time, ratio] = [false, true].map(|is_ratio| {
                median(rounds.iter().map(|round| round[at] / if is_ratio { round[0] } else { 1.0 }).collect())
            });
            print!("{name:<22} {time:>8.0} ns {ratio:>6.2}");
            if counts_instructions {
                let count = instructions(name)? / lanes;
                print!(" {count:>10.0} instructions {:>6.2}", count / *of_generated.get_or_insert(count));
            }
            println!();
        }
    }
    Ok(())
}
