//! Compares generated steps with the fastest handwritten steps in one run, compiled in the release profile of users: `cargo bench -p
//! lie-runtime --bench limit`.
//!
//! Every round measures all versions in sequence. The output shows medians of the ratios of one round, which are less sensitive to a busy
//! machine than times. If you pass a name and a number, only this version makes this number of steps, for callgrind.

mod fixed_point_top;
mod handwritten;
mod heavy_top;

use std::hint::black_box;
use std::time::Instant;

use handwritten::{hedop5, rkmk4};
use heavy_top::generated::{full, principal};
use heavy_top::{runs, straight};
use lie_runtime::integrator::generalized_alpha::NewtonUpdate;
use lie_runtime::integrator::{HalfExplicit, MuntheKaas};

const ROUNDS: usize = 41;
/// The number of steps of a measurement, and the number of measurements; their minimum is the time of a round.
const STEPS: u64 = 2_000;
const REPETITIONS: usize = 5;

type Steps = Box<dyn FnMut(u64)>;

fn hedop5_by_hand() -> Steps {
    let (acceleration, multipliers) = runs::first_accelerations::<principal::System>();
    let mut steps = hedop5::steps(acceleration, multipliers);
    Box::new(move |times| {
        black_box(steps(times));
    })
}

fn rkmk4_by_hand() -> Steps {
    let [_, acceleration] = fixed_point_top::after(&MuntheKaas::rkmk4(), 0);
    let mut steps = rkmk4::steps(acceleration);
    Box::new(move |times| {
        black_box(steps(times));
    })
}

/// A version, and the name of the one that it is compared with.
struct Version {
    name: &'static str,
    to: &'static str,
    steps: Steps,
}

fn versions() -> Vec<Version> {
    let of = |name, to, steps| Version { name, to, steps };
    let hedop5 = HalfExplicit::hedop5();
    let alpha = |newton| runs::implicit_steps::<principal::System>("lie_alpha", newton, false);
    let alpha_by_default = |newton| runs::implicit_steps_by_default::<principal::System>("lie_alpha", newton);
    vec![
        of("hedop5 by hand", "hedop5 by hand", hedop5_by_hand()),
        of("hedop5", "hedop5 by hand", runs::steps::<principal::System>(hedop5, false)),
        of("hedop5, full inertia", "hedop5 by hand", runs::steps::<full::System>(hedop5, false)),
        of("hedop5, kernels by hand", "hedop5 by hand", runs::steps::<straight::HeavyTop>(hedop5, false)),
        of("lie_alpha exact", "hedop5 by hand", alpha(NewtonUpdate::Exact)),
        of("lie_alpha simplified", "hedop5 by hand", alpha(NewtonUpdate::Simplified)),
        of("lie_alpha modified", "hedop5 by hand", alpha(NewtonUpdate::Modified)),
        of("lie_alpha exact, 1e-10", "hedop5 by hand", alpha_by_default(NewtonUpdate::Exact)),
        of("lie_alpha simplified, 1e-10", "hedop5 by hand", alpha_by_default(NewtonUpdate::Simplified)),
        of("lie_alpha modified, 1e-10", "hedop5 by hand", alpha_by_default(NewtonUpdate::Modified)),
        of("rkmk4 by hand", "rkmk4 by hand", rkmk4_by_hand()),
        of("rkmk4", "rkmk4 by hand", fixed_point_top::declared(MuntheKaas::rkmk4())),
    ]
}

/// Measures nanoseconds per step.
fn time(steps: &mut Steps) -> f64 {
    let once = |steps: &mut Steps| {
        let clock = Instant::now();
        steps(STEPS);
        clock.elapsed().as_secs_f64() * 1e9 / STEPS as f64
    };
    (0..REPETITIONS).map(|_| once(steps)).fold(f64::INFINITY, f64::min)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Checks that the handwritten and the declared motion agree.
fn assert_agreement() {
    let (acceleration, multipliers) = runs::first_accelerations::<principal::System>();
    let found = hedop5::steps(acceleration, multipliers)(200);
    let expected = runs::velocity_after::<principal::System>(HalfExplicit::hedop5(), 200);
    assert!((found - expected).norm() < 1e-9, "{found} {expected}");
    let [expected, acceleration] = fixed_point_top::after(&MuntheKaas::rkmk4(), 200);
    let found = rkmk4::steps(acceleration)(200);
    assert!((found - expected).norm() < 1e-9, "{found} {expected}");
}

fn main() {
    assert_agreement();
    let mut versions = versions();
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [name, steps] = &arguments[..] {
        let version = versions.iter_mut().find(|version| version.name == name).expect("a version of that name");
        return (version.steps)(steps.parse().expect("a number of steps"));
    }
    let mut times = vec![Vec::with_capacity(ROUNDS); versions.len()];
    for _ in 0..ROUNDS {
        for (version, times) in versions.iter_mut().zip(&mut times) {
            times.push(time(&mut version.steps));
        }
    }
    for (version, own) in versions.iter().zip(&times) {
        let base = versions.iter().position(|other| other.name == version.to).expect("it is listed");
        let ratios = own.iter().zip(&times[base]).map(|(own, base)| own / base).collect();
        println!("{:<28} {:>7.0} ns   {:>5.2} of {}", version.name, median(own.clone()), median(ratios), version.to);
    }
}
