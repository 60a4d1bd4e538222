//! Measures an RKMK4 step of the N-fold spherical pendulum with frames along the chain, from 1 to 1000 links: `cargo bench -p lie-runtime
//! --bench frames`.
//!
//! The arguments `-- 100 1000` run 1000 steps of a pendulum of 100 links only, for `valgrind --tool=callgrind`. By default, the benchmark
//! prints the minimum time of several runs and the time of the handwritten step in terms of tensions. It also prints the times of the parts
//! of a stage in nanoseconds per link.

#[path = "handwritten/tensions.rs"]
mod tensions;

use std::hint::black_box;
use std::time::{Duration, Instant};

use lie_runtime::field::VectorFieldProblem;
use lie_runtime::integrator::{FieldState, Integrator, Problem, State};
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::space::TS2;

use models::spherical_pendulum::pendulum;

/// The minimum duration of a measurement.
const SPAN: Duration = Duration::from_millis(300);
/// The number of measurements of a part of a stage; the minimum is printed.
const REPETITIONS: usize = 20;

const MASS: f64 = 1.0;
/// The total length of all links.
const LENGTH: f64 = 5.0;
const GRAVITY: f64 = 9.81;
const STEP: f64 = 1e-4;

/// A bent pendulum that moves out of its plane.
fn start(links: usize) -> (pendulum::System, State<pendulum::System>) {
    let data = pendulum::Link { mass: MASS, length: LENGTH / links as f64, gravity: GRAVITY };
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

/// Makes steps of a method from a state, which becomes the final state; returns nanoseconds per step.
fn steps<P: Problem, I: Integrator<P>>(method: &I, system: &P::System, from: &mut P::State, steps: usize) -> f64 {
    let (mut to, mut workspace) = (from.clone(), method.workspace(system, from));
    method.start(system, from, &mut workspace).expect("starts");
    let clock = Instant::now();
    for _ in 0..steps {
        method.step(system, from, STEP, &mut to, &mut workspace).expect("steps");
        std::mem::swap(from, &mut to);
    }
    clock.elapsed().as_secs_f64() * 1e9 / steps as f64
}

/// Makes steps of the declared pendulum; returns nanoseconds per step.
fn run(links: usize, count: usize) -> (State<pendulum::System>, f64) {
    let (system, mut state) = start(links);
    let time = steps::<pendulum::System, _>(&OnMechanical(MuntheKaas::rkmk4()), &system, &mut state, count);
    (state, time)
}

/// Makes steps of the handwritten version.
fn run_by_hand(links: usize, count: usize) -> (Vec<TS2>, f64) {
    let (_, State { configuration, velocity, .. }) = start(links);
    let omega = |at: usize| velocity.fixed_rows::<3>(3 * at).into_owned();
    let point = configuration.links.iter().enumerate().map(|(at, q)| TS2::new_unchecked(q.direction(), omega(at)));
    let system = tensions::Pendulum { links, mass: MASS, length: LENGTH / links as f64, gravity: GRAVITY };
    let mut state = FieldState::<VectorFieldProblem<tensions::Pendulum>>::at(&system, 0.0, point.collect());
    let time = steps::<VectorFieldProblem<tensions::Pendulum>, _>(&MuntheKaas::rkmk4(), &system, &mut state, count);
    (state.point, time)
}

/// Checks that both versions agree.
fn compare(links: usize) {
    let ((declared, _), (by_hand, _)) = (run(links, 100), run_by_hand(links, 100));
    for (at, (one, other)) in declared.configuration.links.iter().zip(&by_hand).enumerate() {
        let turn = declared.velocity.fixed_rows::<3>(3 * at) - other.angular_velocity();
        let apart = (one.direction() - other.direction()).norm() + turn.norm() / other.angular_velocity().norm();
        assert!(apart < 1e-9, "link {at} of {links} is {apart:e} apart");
    }
}

/// Measures the parts of a stage in nanoseconds: M and its factorisation, the force, the solution.
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
    println!(
        "{:>6} {:>12} {:>12} {:>12} {:>12} {:>24}",
        "N", "µs a step", "by hand", "declared to", "ns a link", "of a stage: M, f, M⁻¹ f"
    );
    for links in [1, 3, 10, 32, 100, 316, 1000] {
        compare(links);
        let ([mut best, mut by_hand], clock) = ([f64::INFINITY; 2], Instant::now());
        while clock.elapsed() < 2 * SPAN {
            best = best.min(run(links, (10_000 / links).max(1)).1);
            by_hand = by_hand.min(run_by_hand(links, (10_000 / links).max(1)).1);
        }
        let mut least = [f64::INFINITY; 3];
        for _ in 0..REPETITIONS {
            let of = parts(links, (10_000 / links).max(1));
            least = core::array::from_fn(|at| least[at].min(of[at]));
        }
        let [mass, force, solution] = least.map(|of| of / links as f64);
        println!(
            "{links:>6} {:>12.2} {:>12.2} {:>12.2} {:>12.1} {mass:>8.1} {force:>7.1} {solution:>7.1}",
            best * 1e-3,
            by_hand * 1e-3,
            best / by_hand,
            best / links as f64
        );
    }
}
