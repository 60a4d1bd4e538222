//! Time of a step of a Kirchhoff rod per node, from 16 to 4096 nodes: `cargo bench -p lie-runtime --bench rods`.
//!
//! With arguments, `-- hedop5 64 100 1e-4`, it makes so many steps of that size of one rod by one method and nothing else:
//! to be counted, by `valgrind --tool=callgrind`. Without, it prints a table: rows are lengths, columns methods; the least
//! time of several runs, in nanoseconds a node and step.

mod rod;

use std::time::{Duration, Instant};

use lie_runtime::integrator::generalized_alpha::{Newton, Options, Parameters};
use lie_runtime::integrator::{GeneralizedAlpha, HalfExplicit, Integrator, State};
use lie_runtime::system::MechanicalSystem;
use rod::kirchhoff;

/// How long a measurement lasts at least.
const SPAN: Duration = Duration::from_millis(200);

/// Nanoseconds a node and step: the least of several runs of a few steps each.
fn time<I: Integrator<kirchhoff::System>>(method: &I, elements: usize, h: f64) -> (f64, f64) {
    let (system, q) = rod::free(elements);
    let mut from = State::at_rest(&system, 0.0, q);
    let mut to = from.clone();
    let mut workspace = method.workspace(&system, &from);
    method.start(&system, &mut from, &mut workspace).expect("starts");
    let steps = (4096 / elements).clamp(2, 64);
    let start = from.clone();
    let (mut best, clock) = (f64::INFINITY, Instant::now());
    while clock.elapsed() < SPAN {
        from.clone_from(&start);
        let run = Instant::now();
        for _ in 0..steps {
            method.step(&system, &from, h, &mut to, &mut workspace).expect("steps");
            std::mem::swap(&mut from, &mut to);
        }
        best = best.min(run.elapsed().as_secs_f64() / steps as f64);
    }
    let iterations = method.newton_iterations(&workspace).unwrap_or(0.0);
    (best * 1e9 / (elements + 1) as f64, iterations)
}

/// Makes steps.
fn run<I: Integrator<kirchhoff::System>>(method: &I, elements: usize, steps: usize, h: f64) {
    let (system, q) = rod::free(elements);
    let mut from = State::at_rest(&system, 0.0, q);
    let mut to = from.clone();
    let mut workspace = method.workspace(&system, &from);
    method.start(&system, &mut from, &mut workspace).expect("starts");
    for _ in 0..steps {
        method.step(&system, &from, h, &mut to, &mut workspace).expect("steps");
        std::mem::swap(&mut from, &mut to);
    }
}

fn explicit(id: &str) -> Option<HalfExplicit> {
    HalfExplicit::all().into_iter().find(|method| method.tableau().id == id)
}

fn implicit() -> GeneralizedAlpha {
    let options = Options { newton: Newton::Modified, ..Options::default() };
    GeneralizedAlpha::new(Parameters::chung_hulbert(0.9).expect("parameters"), options).expect("options")
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [method, elements, steps, h @ ..] = arguments.as_slice() {
        let h = h.first().map_or(1e-5, |h| h.parse().expect("a number"));
        let (elements, steps) = (elements.parse().expect("a number"), steps.parse().expect("a number"));
        return match explicit(method) {
            Some(method) => run(&method, elements, steps, h),
            None => run(&implicit(), elements, steps, h),
        };
    }
    println!("ns a node and step (Kirchhoff rod, {} components a node)", 6);
    println!("{:>6} {:>10} {:>10} {:>10} {:>12} {:>6}", "N", "herk3", "herk4", "hedop5", "lie_alpha", "iter.");
    for elements in [16, 64, 256, 1024, 4096] {
        // Waves of stretch cross an edge in ds √(ρA / C^Γ).
        let h = 0.02 * 10.0 / elements as f64 / 100.0;
        let explicit = ["herk3", "herk4", "hedop5"].map(|id| time(&explicit(id).expect("a method"), elements, h).0);
        let (alpha, iterations) = time(&implicit(), elements, 1e-3);
        println!(
            "{elements:>6} {:>10.0} {:>10.0} {:>10.0} {alpha:>12.0} {iterations:>6.2}",
            explicit[0], explicit[1], explicit[2]
        );
    }
    let (system, _) = rod::free(16);
    for kernel in system.description().kernels {
        println!("{}: {} operations", kernel.name, kernel.operations);
    }
}
