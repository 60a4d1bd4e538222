//! The Stribeck law of joints: `#[velocity_constraint(bound = …, sliding = …, stribeck = …, slip = …)]`.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use lie_runtime::integrator::MoreauJean;
use lie_runtime::prelude::*;
use lie_runtime::simulate::{Failure, SetupError};
use lie_runtime::system::{CheckPoint, Linearised, derivative_check};

/// A block with a spring on a belt with dry friction, with a force that grows with time.
#[mechanical_system(derivative_check)]
pub mod belt {
    #[configuration]
    pub struct Position {
        pub x: f64,
    }

    #[parameters]
    pub struct Data {
        pub stiffness: f64,
        pub bound: f64,
        pub sliding: f64,
        pub speed: f64,
        pub belt: f64,
        pub growth: f64,
        pub slip: i32,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * 2.0 * v.x * v.x
    }

    #[potential]
    fn spring(p: &Data, q: &Position) -> f64 {
        0.5 * p.stiffness * q.x * q.x
    }

    #[force(on = x)]
    fn drive(p: &Data, t: f64) -> f64 {
        p.growth * t
    }

    #[velocity_constraint(bound = p.bound, sliding = p.sliding, stribeck = p.speed, slip = p.slip)]
    fn contact(p: &Data, v: &Velocity) -> f64 {
        v.x - p.belt
    }
}

type Belt = belt::System;

/// The order of the error in the step size.
fn order(errors: &[(f64, f64)]) -> f64 {
    let [first, .., last] = errors else { panic!("two steps") };
    (first.1 / last.1).ln() / (first.0 / last.0).ln()
}

const MASS: f64 = 2.0;
const DATA: belt::Data =
    belt::Data { stiffness: 50.0, bound: 6.0, sliding: 3.0, speed: 0.1, belt: 0.2, growth: 0.0, slip: 0 };
const METHODS: [&str; 6] = ["lie_alpha", "tr_bdf2", "rattlie", "radau_iia5", "hedop5", "herk4"];

fn friction(speed: f64) -> f64 {
    DATA.sliding + (DATA.bound - DATA.sliding) * (-(speed / DATA.speed).powi(2)).exp()
}

fn started(system: &Belt, x: f64, rate: f64) -> Simulation<'_, Belt> {
    Simulation::of(system).initial(belt::Position { x }, Vector1::new(rate)).dry_friction()
}

/// Returns the times of the first `count` changes from sticking to sliding and back, by a Runge-Kutta method of order 4 with a step that
/// ends at the velocity of the belt.
fn reference(count: usize) -> Vec<f64> {
    let largest = DATA.bound / DATA.stiffness;
    let (mut t, mut x, mut times) = (0.0, 0.0, vec![]);
    while times.len() < count {
        // The block moves with the belt until the spring exceeds the static friction.
        t += (largest - x) / DATA.belt;
        x = largest;
        times.push(t);
        let rate = |[x, v]: [f64; 2]| [v, (-DATA.stiffness * x + friction(v - DATA.belt)) / MASS];
        let step = |[x, v]: [f64; 2], h: f64| {
            let moved = |k: [f64; 2], h: f64| [x + h * k[0], v + h * k[1]];
            let one = rate([x, v]);
            let two = rate(moved(one, 0.5 * h));
            let three = rate(moved(two, 0.5 * h));
            let four = rate(moved(three, h));
            let sum = [0, 1].map(|k| (one[k] + 2.0 * two[k] + 2.0 * three[k] + four[k]) / 6.0);
            moved(sum, h)
        };
        let h = 1e-5;
        let mut state = [x, DATA.belt];
        // The first step has no sign: the block starts with the velocity of the belt.
        state = step(state, h);
        t += h;
        loop {
            let next = step(state, h);
            if next[1] >= DATA.belt {
                let (mut low, mut high) = (0.0, h);
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    if step(state, middle)[1] < DATA.belt { low = middle } else { high = middle }
                }
                (t, x) = (t + high, step(state, high)[0]);
                times.push(t);
                break;
            }
            (t, state) = (t + h, next);
        }
    }
    times
}

#[test]
fn stick_slip_on_a_belt_agrees_with_an_independent_integration() {
    let system = Belt::new(DATA).unwrap();
    let expected = reference(6);
    for (method, h, tolerance) in [
        ("hedop5", 1e-3, 1e-8),
        ("radau_iia5", 1e-3, 1e-8),
        ("herk4", 1e-3, 1e-8),
        ("rattlie", 5e-4, 1e-4),
        ("tr_bdf2", 5e-4, 1e-4),
        ("lie_alpha", 5e-4, 1e-4),
    ] {
        let run = started(&system, 0.0, DATA.belt).method_named(method).unwrap().step(h).end_time(expected[5] + 0.01);
        let run = run.run().unwrap();
        let names: Vec<&str> = run.events.iter().map(|event| event.event.as_str()).collect();
        assert_eq!(names, ["contact slip", "contact stick"].repeat(3), "{method}");
        for (event, expected) in run.events.iter().zip(&expected) {
            assert!((event.time - expected).abs() < tolerance, "{method}: {} and {expected}", event.time);
        }
        // The block does not creep while it sticks.
        let sticks = |t: f64| t < expected[0] - 0.01 || (expected[1] + 0.01..expected[2] - 0.01).contains(&t);
        let sticking = run.states.iter().filter(|state| sticks(state.time));
        assert!(sticking.map(|state| (state.velocity.x - DATA.belt).abs()).fold(0.0, f64::max) < 1e-12, "{method}");
    }
}

#[test]
fn the_order_of_the_methods_remains() {
    let system = Belt::new(DATA).unwrap();
    let expected = reference(2)[1];
    for (method, wanted, first) in [("tr_bdf2", 2.0, 4e-3), ("lie_alpha", 2.0, 4e-3), ("herk4", 4.0, 8e-3)] {
        let error = |h: f64| {
            let run = started(&system, 0.0, DATA.belt).method_named(method).unwrap().step(h).end_time(expected + 0.1);
            (run.run().unwrap().events[1].time - expected).abs()
        };
        let errors: Vec<_> = (0..4).map(|k| first / 2.0_f64.powi(k)).map(|h| (h, error(h))).collect();
        let found = order(&errors);
        assert!(found > wanted - 0.4, "{method}: {found} {errors:?}");
    }
}

#[test]
fn a_block_stops_at_the_time_of_the_quadrature_and_loses_energy() {
    let data = belt::Data { stiffness: 0.0, belt: 0.0, ..DATA };
    let system = Belt::new(data).unwrap();
    let (start, parts) = (0.4, 4000_u32);
    // t = ∫ m du / F(u) by Simpson's rule.
    let weight = |k: u32| if k == 0 || k == parts { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
    let width = start / f64::from(parts);
    let time: f64 = (0..=parts).map(|k| weight(k) * MASS / friction(width * f64::from(k))).sum::<f64>() * width / 3.0;
    for method in METHODS {
        for sign in [1.0, -1.0] {
            let run = started(&system, 0.0, sign * start).method_named(method).unwrap().step(1e-4).end_time(1.1 * time);
            let run = run.run().unwrap();
            let [stop] = &run.events[..] else { panic!("{method}") };
            assert_eq!(stop.event, "contact stick");
            assert_abs_diff_eq!(stop.time, time, epsilon = 1e-6);
            assert_abs_diff_eq!(run.last().velocity.x, 0.0, epsilon = 1e-14);
        }
    }
    // With a spring, the energy on a ground at rest never rises.
    let system = Belt::new(belt::Data { belt: 0.0, ..DATA }).unwrap();
    let energy = |state: &State<Belt>| system.energy(state.time, &state.configuration, &state.velocity);
    for method in ["hedop5", "radau_iia5", "lie_alpha"] {
        let run = started(&system, 1.0, 0.0).method_named(method).unwrap().step(1e-3).end_time(8.0).run().unwrap();
        let rises = run.states.windows(2).map(|pair| energy(&pair[1]) - energy(&pair[0]));
        assert!(rises.fold(f64::NEG_INFINITY, f64::max) < 1e-7, "{method}");
        assert!(run.events.len() >= 3 && run.last().velocity.x.abs() < 1e-14, "{method}");
        assert!(run.last().multipliers.x.abs() <= DATA.bound);
    }
}

#[test]
fn a_load_below_the_bound_holds_and_the_bound_starts_sliding() {
    let held = Belt::new(belt::Data { belt: 0.0, ..DATA }).unwrap();
    let run = started(&held, 0.119_999, 0.0).step(1e-3).output_every(1000).end_time(20.0).run().unwrap();
    assert!(run.events.is_empty() && run.states.iter().all(|state| (state.configuration.x - 0.119_999).abs() < 1e-12));
    let system = Belt::new(belt::Data { stiffness: 0.0, belt: 0.0, growth: 3.0, ..DATA }).unwrap();
    for method in METHODS {
        let run = started(&system, 0.0, 0.0).method_named(method).unwrap().step(1e-2).end_time(2.1).run().unwrap();
        assert_eq!(run.events[0].event, "contact slip", "{method}");
        assert_abs_diff_eq!(run.events[0].time, 2.0, epsilon = 1e-10);
    }
}

#[test]
fn derivatives_of_the_force_are_exact() {
    for slip in [-1, 1] {
        let system = Belt::new(belt::Data { slip, ..DATA }).unwrap();
        let (q, v) = (belt::Position { x: 0.1 }, Vector1::new(DATA.belt + 0.07 * f64::from(slip)));
        let (acceleration, multipliers) = (Vector1::new(0.3), Vector1::zeros());
        let at = CheckPoint { t: 0.0, q: &q, v: &v, acceleration: &acceleration, multipliers: &multipliers };
        let deviations = derivative_check(&system, at);
        assert!(deviations.iter().all(|entry| entry.deviation < 1e-13), "{deviations:?}");
        // D_v r is F'(|u|).
        let mut damping = system.zero_matrix();
        system.tangent_damping(0.0, &q, &v, &mut damping);
        let slope = (friction(0.07 + 1e-6) - friction(0.07 - 1e-6)) / 2e-6;
        assert_relative_eq!(damping[(0, 0)], slope, max_relative = 1e-8);
    }
}

#[test]
fn time_stepping_converges_to_the_events_and_sticks() {
    let system = Belt::new(DATA).unwrap();
    let times = [0.3, 0.9, 1.3, 2.4];
    let exact = started(&system, 0.0, DATA.belt).rtol(1e-9).atol(1e-10).output_times(&times).end_time(2.4);
    let exact = exact.run().unwrap();
    assert!(exact.events.len() >= 2);
    let run = |h: f64| {
        let run = started(&system, 0.0, DATA.belt).method(MoreauJean::new()).step(h).output_times(&times);
        run.end_time(2.4).run().unwrap()
    };
    let error = |h: f64| {
        let exact = exact.states.iter().filter(|state| times.contains(&state.time));
        let run = run(h);
        assert_eq!(run.states.len(), times.len());
        let pairs = exact.zip(&run.states);
        pairs.map(|(one, other)| (one.configuration.x - other.configuration.x).abs()).fold(0.0, f64::max)
    };
    let errors: Vec<_> = (0..5).map(|k| 2e-3 / 2.0_f64.powi(k)).map(|h| (h, error(h))).collect();
    let found = order(&errors);
    assert!((0.8..1.3).contains(&found), "{found} {errors:?}");
    // The block sticks at 0.3 s.
    assert_abs_diff_eq!(run(1e-3).states[0].velocity.x, DATA.belt, epsilon = 1e-13);
}

#[test]
fn laws_out_of_range_are_errors() {
    for data in [
        belt::Data { sliding: 6.1, ..DATA },
        belt::Data { sliding: -0.1, ..DATA },
        belt::Data { speed: 0.0, ..DATA },
        belt::Data { speed: -0.1, ..DATA },
    ] {
        let system = Belt::new(data).unwrap();
        for method in ["hedop5", "moreau_jean"] {
            let run = started(&system, 0.0, 0.0).method_named(method).unwrap().step(0.01).end_time(0.1);
            let failure = run.run().unwrap_err().failure;
            assert!(matches!(failure, Failure::Setup(SetupError::Stribeck { .. })), "{failure}");
        }
    }
}
