//! Steps of four systems abreast against steps of one: `cargo bench -p lie-runtime --features lanes --bench lanes`, and the same
//! with `RUSTFLAGS="-C target-cpu=x86-64-v3"`, where four numbers are in one register.
//!
//! What is printed is the time of a step of one member, and how many times as many members are done in the same time; medians of
//! the ratios of one round. A name as an argument asks for that method alone.

#![allow(missing_docs)] // Its declarations are those of the examples.

use std::hint::black_box;
use std::time::Instant;

use lie_runtime::integrator::{GeneralizedAlpha, Integrator, MuntheKaas, OnMechanical, Rattlie};
use lie_runtime::prelude::*;
use lie_runtime::scalar::{F64x2, F64x4, Lanes};
use lie_runtime::system::Abreast;

const ROUNDS: usize = 31;
const STEPS: u32 = 100;
const REPETITIONS: usize = 20;

/// The heavy top on SE(3).
#[mechanical_system]
pub mod top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Body {
        pub pose: SE3,
    }

    #[parameters]
    pub struct HeavyTop {
        pub mass: f64,
        pub moments: Vector3<f64>,
        pub center: Vector3<f64>,
        pub gravity: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(top: &HeavyTop, v: &Velocity) -> f64 {
        let (angular, linear) = (v.pose.angular(), v.pose.linear());
        0.5 * top.mass * linear.dot(&linear) + 0.5 * angular.dot(&top.moments.component_mul(&angular))
    }

    #[potential]
    fn weight(top: &HeavyTop, q: &Body) -> f64 {
        -top.mass * top.gravity.dot(&q.pose.translation)
    }

    #[constraint]
    fn fixed_point(top: &HeavyTop, q: &Body) -> Vector3<f64> {
        q.pose.rotation.inverse() * q.pose.translation - top.center
    }
}

/// The same about its fixed point, on SO(3).
#[mechanical_system]
pub mod spinning {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Attitude {
        pub attitude: SO3,
    }

    #[parameters]
    pub struct Data {
        pub moments: Vector3<f64>,
        pub weight: Vector3<f64>,
        pub center: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&data.moments.component_mul(&v.attitude))
    }

    #[potential]
    fn weight(data: &Data, q: &Attitude) -> f64 {
        -data.weight.dot(&(q.attitude * data.center))
    }
}

/// Nanoseconds a step of these systems from these states, which begins anew where a second is over.
fn time<M: MechanicalSystem, I: Integrator<M>>(system: &M, method: &I, first: &State<M>, h: f64) -> f64 {
    let mut first = first.clone();
    let mut workspace = method.workspace(system, &first);
    method.start(system, &mut first, &mut workspace).expect("it can be started");
    let mut states = [first.clone(), first.clone()];
    let mut once = || {
        let [from, to] = &mut states;
        let (mut from, mut to) = (from, to);
        let clock = Instant::now();
        for _ in 0..STEPS {
            if from.time > 1.0 {
                from.clone_from(&first);
            }
            method.step(system, from, black_box(h), to, &mut workspace).expect("no step fails");
            core::mem::swap(&mut from, &mut to);
        }
        let elapsed = clock.elapsed().as_secs_f64() * 1e9 / f64::from(STEPS);
        black_box(&states);
        elapsed
    };
    (0..REPETITIONS).map(|_| once()).fold(f64::INFINITY, f64::min)
}

/// The same of as many as there are lanes, for one of them.
fn time_in_lanes<M, L, I>(systems: &[M], method: &I, states: &[State<M>], h: f64) -> f64
where
    M: Abreast<L>,
    L: Lanes,
    I: Integrator<M::Together>,
{
    let (systems, states) = (&systems[..L::LANES], &states[..L::LANES]);
    let together = M::together(&systems.iter().collect::<Vec<_>>()).expect("they differ in numbers");
    let q = M::configurations_together(&|lane| states[lane].configuration.clone());
    let mut first = State::at_rest(&together, 0.0, q);
    for at in 0..states[0].velocity.component_count() {
        first.velocity.set_component(at, L::of_lanes(|lane| states[lane].velocity.component(at)));
        first.acceleration.set_component(at, L::of_lanes(|lane| states[lane].acceleration.component(at)));
    }
    for at in 0..states[0].multipliers.component_count() {
        first.multipliers.set_component(at, L::of_lanes(|lane| states[lane].multipliers.component(at)));
    }
    time(&together, method, &first, h) / L::LANES as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn compare<M, I>(name: &str, systems: &[M], method: &I, states: &[State<M>], h: f64)
where
    M: Abreast<F64x4> + Abreast<F64x2>,
    I: Integrator<M> + Integrator<<M as Abreast<F64x4>>::Together> + Integrator<<M as Abreast<F64x2>>::Together>,
{
    let asked = std::env::args().skip(1).find(|argument| argument != "--bench");
    if asked.is_some_and(|asked| asked != name) {
        return;
    }
    let rounds: Vec<[f64; 3]> = (0..ROUNDS)
        .map(|_| {
            [
                time(&systems[0], method, &states[0], h),
                time_in_lanes::<M, F64x2, I>(systems, method, states, h),
                time_in_lanes::<M, F64x4, I>(systems, method, states, h),
            ]
        })
        .collect();
    let times = [0, 1, 2].map(|at| median(rounds.iter().map(|round| round[at]).collect()));
    let [two, four] = [1, 2].map(|at| median(rounds.iter().map(|round| round[0] / round[at]).collect()));
    println!(
        "{name:<12} {:>7.0} ns   in two lanes {:>6.0} ns, {two:.2}   in four {:>6.0} ns, {four:.2}",
        times[0], times[1], times[2]
    );
}

/// Consistent states at the start.
fn started<M: MechanicalSystem<Scalar = f64>>(system: &M, q: M::Configuration, v: M::Velocity) -> State<M>
where
    HalfExplicit: Integrator<M>,
{
    let (mut consistent, no) = (ConsistentValues::of(system), "the initial values are consistent");
    consistent.state(system, 0.0, q, v).expect(no).0
}

fn main() {
    let tops: Vec<top::System> = [15.0, 15.5, 14.0, 16.0]
        .map(|mass| {
            let (moments, center) = (Vector3::new(0.234_375, 0.468_75, 0.234_375), Vector3::y());
            let gravity = Vector3::new(0.0, 0.0, -9.81);
            top::System::new(top::HeavyTop { mass, moments, center, gravity }).expect("masses are positive")
        })
        .into();
    let of_top = |system: &top::System| {
        let q = top::Body { pose: SE3::new(SO3::identity(), Vector3::y()) };
        started(system, q, Vector6::new(0.0, 150.0, -4.61538, 4.61538, 0.0, 0.0))
    };
    let states: Vec<_> = tops.iter().map(of_top).collect();
    compare("hedop5", &tops, &HalfExplicit::hedop5(), &states, 1e-3);
    compare("lie_alpha", &tops, &GeneralizedAlpha::chung_hulbert(0.9).expect("between 0 and 1"), &states, 2e-3);
    compare("rattlie", &tops, &Rattlie::new(), &states, 1e-3);

    let bodies: Vec<spinning::System> = [15.0, 15.5, 14.0, 16.0]
        .map(|mass| {
            let moments = Vector3::new(15.234_375, 0.468_75, 15.234_375);
            let weight = Vector3::new(0.0, 0.0, -9.81 * mass);
            spinning::System::new(spinning::Data { moments, weight, center: Vector3::y() })
                .expect("masses are positive")
        })
        .into();
    let of_body = |system: &spinning::System| {
        started(system, spinning::Attitude { attitude: SO3::identity() }, Vector3::new(0.0, 150.0, -4.61538))
    };
    let states: Vec<_> = bodies.iter().map(of_body).collect();
    compare("rkmk4", &bodies, &OnMechanical(MuntheKaas::rkmk4()), &states, 1e-3);
}
