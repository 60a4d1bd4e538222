//! Compares a step of a declared arm of seven hinges with the handwritten step in one run, compiled in the release profile of users: `cargo
//! bench -p lie-runtime --bench arms`.
//!
//! Every round measures both in sequence. The output shows the medians of the times and of their ratio. If you pass a name and a number,
//! `declared 1000`, only this version makes this number of steps, for callgrind.

mod arm;

use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 41;
const STEPS: u64 = 500;

type Steps = Box<dyn FnMut(u64) -> [f64; 7]>;

/// Nanoseconds per step, the minimum of several times.
fn time(steps: &mut Steps) -> f64 {
    let once = |_| {
        let clock = Instant::now();
        black_box(steps(STEPS));
        clock.elapsed().as_secs_f64() * 1e9 / STEPS as f64
    };
    (0..3).map(once).fold(f64::INFINITY, f64::min)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let versions = || -> [(&str, Steps); 2] {
        [("by hand", Box::new(arm::handwritten::steps())), ("declared", Box::new(arm::declared_steps()))]
    };
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [name, steps] = &arguments[..] {
        let version = versions().into_iter().find(|(own, _)| own == name);
        let (_, mut run) = version.expect("a version of that name");
        black_box(run(steps.parse().expect("a number of steps")));
        return;
    }
    let [first, second] = versions().map(|(_, mut run)| run(200));
    let difference = first.iter().zip(second).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(difference < 1e-9, "{first:?} {second:?}");
    let mut versions = versions();
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for ((_, steps), times) in versions.iter_mut().zip(&mut times) {
            times.push(time(steps));
        }
    }
    let ratios = times[1].iter().zip(&times[0]).map(|(own, by_hand)| own / by_hand).collect();
    for ((name, _), times) in versions.iter().zip(&times) {
        println!("{name:<10} {:>7.0} ns a step of rkmk4", median(times.clone()));
    }
    println!("declared / by hand {:.2}", median(ratios));
}
