//! Time of an RKMK4 step of the N-fold spherical pendulum, by frames along the chain, from 1 to 1000 links:
//! `cargo bench -p lie-runtime --bench frames`.
//!
//! With arguments, `-- 100 1000`, it makes so many steps of a pendulum of so many links and nothing else: to be counted, by
//! `valgrind --tool=callgrind`. Without, it prints the least time of several runs, and what the parts of a stage take a link, in nanoseconds.

use std::hint::black_box;
use std::time::{Duration, Instant};

use lie_runtime::integrator::{Integrator, State};
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;

use models::spherical_pendulum::pendulum;

/// How long a measurement lasts at least.
const SPAN: Duration = Duration::from_millis(300);
/// The least of so many times is that of a part of a stage.
const REPETITIONS: usize = 20;

/// A pendulum that is bent and swings out of its plane.
fn start(links: usize) -> (pendulum::System, State<pendulum::System>) {
    let data = pendulum::Link { mass: 1.0, length: 5.0 / links as f64, gravity: 9.81 };
    let system = pendulum::System::new(data, pendulum::Lengths { links }).expect("a system");
    let (mut directions, mut velocity) = (Vec::new(), DVector::zeros(3 * links));
    for at in 0..links {
        let angle = 0.3 + 0.5 * at as f64 / links as f64;
        let q = Vector3::new(angle.sin(), 0.0, -angle.cos());
        directions.push(S2::new_unchecked(q));
        velocity.fixed_rows_mut::<3>(3 * at).copy_from(&q.cross(&Vector3::new(0.2, 0.3, -0.4)));
    }
    let mut state = State::at_rest(&system, 0.0, pendulum::Pendulum { links: directions });
    state.velocity = velocity;
    (system, state)
}

/// The steps, and nanoseconds a step.
fn run(links: usize, steps: usize) -> f64 {
    let (system, mut from) = start(links);
    let (mut to, method) = (from.clone(), OnMechanical(MuntheKaas::rkmk4()));
    let mut workspace = Integrator::<pendulum::System>::workspace(&method, &system, &from);
    method.start(&system, &mut from, &mut workspace).expect("starts");
    let clock = Instant::now();
    for _ in 0..steps {
        method.step(&system, &from, 1e-4, &mut to, &mut workspace).expect("steps");
        std::mem::swap(&mut from, &mut to);
    }
    clock.elapsed().as_secs_f64() * 1e9 / steps as f64
}

/// Nanoseconds of the parts of a stage: M and its elimination, the force, the solution.
fn parts(links: usize, times: usize) -> [f64; 3] {
    let (system, state) = start(links);
    let (q, v) = (&state.configuration, &state.velocity);
    let (mut mass, mut force, mut acceleration) = (system.zero_mass(), system.zero_velocity(), system.zero_velocity());
    let nanoseconds = |clock: Instant| clock.elapsed().as_secs_f64() * 1e9 / times as f64;
    let clock = Instant::now();
    for _ in 0..times {
        system.mass(0.0, black_box(q), &mut mass).expect("a mass matrix");
    }
    let of_mass = nanoseconds(clock);
    let clock = Instant::now();
    for _ in 0..times {
        system.force(0.0, black_box(q), black_box(v), &mut force);
    }
    let of_force = nanoseconds(clock);
    let clock = Instant::now();
    for _ in 0..times {
        system.solve_mass(&mut mass, black_box(&force), &mut acceleration);
    }
    [of_mass, of_force, nanoseconds(clock)]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [links, steps] = arguments.as_slice() {
        run(links.parse().expect("a number"), steps.parse().expect("a number"));
        return;
    }
    println!("{:>6} {:>12} {:>12} {:>24}", "N", "µs a step", "ns a link", "of a stage: M, f, M⁻¹ f");
    for links in [1, 3, 10, 32, 100, 316, 1000] {
        let (mut best, clock) = (f64::INFINITY, Instant::now());
        while clock.elapsed() < SPAN {
            best = best.min(run(links, (10_000 / links).max(1)));
        }
        let mut least = [f64::INFINITY; 3];
        for _ in 0..REPETITIONS {
            let of = parts(links, (10_000 / links).max(1));
            least = core::array::from_fn(|at| least[at].min(of[at]));
        }
        let [mass, force, solution] = least.map(|of| of / links as f64);
        println!(
            "{links:>6} {:>12.2} {:>12.1} {mass:>8.1} {force:>7.1} {solution:>7.1}",
            best * 1e-3,
            best / links as f64
        );
    }
}
