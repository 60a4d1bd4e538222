//! Measures a HEDOP5 step of a tree of 40 bodies with and without twelve loops. It measures the first steps and later steps with drifted
//! loops: `cargo bench -p lie-runtime --bench loops`.
//!
//! Each parallelogram is attached to the coupler of another one, and a pendulum to each of the first four cranks. The loops share no joint,
//! and their contributions to the inertia of a frame go through twenty-two joints. Later the parallelograms pass through flat positions,
//! which are singular configurations.
//!
//! The arguments `-- closed 200` or `-- open 200` run 200 steps of one system only, for `valgrind --tool=callgrind`.

use std::hint::black_box;
use std::time::Instant;

use lie_runtime::integrator::Integrator;
use lie_runtime::prelude::*;
use lie_runtime::simulate::ConsistentValues;

/// The angles. The parents and the pins of the loops are lists.
#[mechanical_system]
mod jointed {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Angles {
        pub hinges: Vec<SO2>,
    }

    #[parameters]
    pub struct Data {
        /// The position of each hinge on the parent body.
        pub arms: Vec<Vector2<f64>>,
    }

    #[kinematics(over = hinges, parents = parents)]
    pub fn body(data: &Data, index: usize, above: &SE2, hinge: &SO2) -> SE2 {
        *above * SE2::new(*hinge, data.arms[index])
    }

    #[kinetic_energy(over = body)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * 2.0 * (v[1] * v[1] + v[2] * v[2]) + 0.5 * 0.1 * v[0] * v[0]
    }

    #[potential(over = body)]
    fn weight(x: &SE2) -> f64 {
        2.0 * 9.81 * x.position().y
    }

    /// The tip of the rocker is on the end of the coupler.
    #[constraint(over = (body, body).by(pins))]
    fn pinned(coupler: &SE2, rocker: &SE2) -> Vector2<f64> {
        coupler * Vector2::new(0.7, 0.0) - rocker * Vector2::new(0.0, 0.5)
    }
}

const LOOPS: usize = 12;
const STEP: f64 = 1e-3;
/// The number of steps of a measurement, and the number of measurements; their minimum is the time of a round.
const STEPS: usize = 200;
/// The number of steps before the later steps.
const BEFORE: usize = 400;
const REPETITIONS: usize = 5;
const ROUNDS: usize = 11;

fn system(is_closed: bool) -> jointed::System {
    let (mut parents, mut arms, mut pins, mut base) = (vec![], vec![], vec![], None);
    for module in 0..LOOPS {
        let (crank, start) = (3 * module, if module == 0 { 0.0 } else { 0.35 });
        parents.extend([base, Some(crank), base]);
        arms.extend([Vector2::new(start, 0.0), Vector2::new(0.0, 0.5), Vector2::new(start + 0.7, 0.0)]);
        pins.push([crank + 1, crank + 2]);
        base = Some(crank + 1);
    }
    for pendulum in 0..4 {
        parents.push(Some(3 * pendulum));
        arms.push(Vector2::new(0.2, 0.1));
    }
    let pins = if is_closed { pins } else { vec![] };
    let lengths = jointed::Lengths { hinges: parents.len(), parents, pins };
    jointed::System::new(jointed::Data { arms }, lengths).expect("a mechanism")
}

/// Makes steps from rest; returns the microseconds of one step after this number of steps.
fn run(system: &jointed::System, before: usize, steps: usize) -> f64 {
    let start = jointed::Angles { hinges: vec![SO2::identity(); system.dof()] };
    let mut consistent = ConsistentValues::of(system);
    let (mut from, _) =
        consistent.state(system, 0.0, start, system.zero_velocity()).expect("the parallelograms are closed");
    let (mut to, method) = (from.clone(), HalfExplicit::hedop5());
    let mut workspace = Integrator::<jointed::System>::workspace(&method, system, &from);
    method.start(system, &mut from, &mut workspace).expect("starts");
    let mut clock = Instant::now();
    for number in 0..before + steps {
        if number == before {
            clock = Instant::now();
        }
        method.step(system, &from, black_box(STEP), &mut to, &mut workspace).expect("steps");
        std::mem::swap(&mut from, &mut to);
    }
    black_box(&from);
    clock.elapsed().as_secs_f64() * 1e6 / steps as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [which, steps] = arguments.as_slice() {
        run(&system(which == "closed"), 0, steps.parse().expect("a number"));
        return;
    }
    let systems = [true, false].map(system);
    let least = |system, before| (0..REPETITIONS).map(|_| run(system, before, STEPS)).fold(f64::INFINITY, f64::min);
    let round = |_| [least(&systems[0], 0), least(&systems[1], 0), least(&systems[0], BEFORE)];
    let rounds: Vec<[f64; 3]> = (0..ROUNDS).map(round).collect();
    let [closed, open, later] = [0, 1, 2].map(|at| median(rounds.iter().map(|round| round[at]).collect()));
    let [ratio, slower] =
        [[0, 1], [2, 0]].map(|[a, b]| median(rounds.iter().map(|round| round[a] / round[b]).collect()));
    println!(
        "{LOOPS} loops along {} bodies {closed:>8.1} µs   without them {open:>8.1} µs   {ratio:.2}   later {later:>8.1} µs   {slower:.2}",
        systems[0].dof()
    );
}
