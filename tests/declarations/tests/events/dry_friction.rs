//! Dry friction of joints: `#[velocity_constraint(bound = …, slip = …)]` and `Simulation::dry_friction`.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use lie_runtime::analysis::{Equilibrium, Linearisation, LinearisationError, OrbitError, PeriodicOrbit};
use lie_runtime::prelude::*;
use lie_runtime::simulate::event::{EventError, Occurrence};
use lie_runtime::simulate::{Failure, SetupError, Warning};
use lie_runtime::system::LawViolation;

/// A rotor with dry friction, with a constant torque and a torque that grows with time.
#[mechanical_system]
pub mod rotor {
    #[configuration]
    pub struct Angle {
        pub angle: f64,
    }

    #[parameters]
    pub struct Data {
        pub bound: f64,
        pub torque: f64,
        pub growth: f64,
        pub stiffness: f64,
        pub slip: i32,
    }

    #[potential]
    fn spring(p: &Data, q: &Angle) -> f64 {
        0.5 * p.stiffness * q.angle * q.angle
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * 2.0 * v.angle * v.angle
    }

    #[force(on = angle)]
    fn drive(p: &Data, t: f64) -> f64 {
        p.torque + p.growth * t
    }

    #[velocity_constraint(bound = p.bound, slip = p.slip)]
    fn bearing(p: &Data, v: &Velocity) -> f64 {
        v.angle
    }
}

fn rotor(bound: f64, torque: f64, growth: f64) -> rotor::System {
    rotor::System::new(rotor::Data { bound, torque, growth, stiffness: 0.0, slip: 0 }).unwrap()
}

fn started(system: &rotor::System, rate: f64) -> Simulation<'_, rotor::System> {
    Simulation::of(system).initial(rotor::Angle { angle: 0.2 }, Vector1::new(rate)).dry_friction()
}

const METHODS: [&str; 6] = ["lie_alpha", "tr_bdf2", "rattlie", "radau_iia5", "hedop5", "herk4"];

#[test]
fn a_rotor_at_rest_does_not_creep() {
    let system = rotor(0.5, 0.499_999, 0.0);
    let run = started(&system, 0.0).step(1e-3).output_every(10_000).end_time(100.0).run().unwrap();
    assert_eq!((run.events.len(), run.statistics.accepted), (0, 100_000));
    assert!(run.states.iter().all(|state| (state.configuration.angle - 0.2).abs() <= 1e-12));
    assert_relative_eq!(run.last().multipliers[0], 0.499_999, max_relative = 1e-12);
}

#[test]
fn a_rotor_decelerates_and_stops_at_the_time_of_coulomb_in_every_method() {
    let system = rotor(0.5, 0.0, 0.0);
    for method in METHODS {
        for rate in [3.0, -3.0_f64] {
            let run = started(&system, rate).method_named(method).unwrap().step(0.01).end_time(15.0).run().unwrap();
            // The deceleration is 0.5/2 = 0.25, and the rotor stops after 12 s.
            let [stop] = &run.events[..] else { panic!("{method}") };
            assert_eq!(stop.event, "bearing stick");
            assert_abs_diff_eq!(stop.time, 12.0, epsilon = 1e-9);
            assert_abs_diff_eq!(run.last().configuration.angle, 0.2 + 0.5 * rate * 12.0, epsilon = 1e-9);
            assert_abs_diff_eq!(run.last().velocity.x, 0.0, epsilon = 1e-14);
            let kinetic = |state: &State<rotor::System>| state.velocity.x * state.velocity.x;
            assert!(run.states.windows(2).all(|pair| kinetic(&pair[1]) <= kinetic(&pair[0])), "{method}");
        }
    }
}

#[test]
fn a_growing_torque_overcomes_the_bound() {
    for sign in [1.0, -1.0] {
        let system = rotor(0.5, 0.0, 0.2 * sign);
        for method in METHODS {
            let run = started(&system, 0.0).method_named(method).unwrap().step(0.01).end_time(4.0).run().unwrap();
            let [slip] = &run.events[..] else { panic!("{method}") };
            assert_eq!(slip.event, "bearing slip");
            assert_abs_diff_eq!(slip.time, 2.5, epsilon = 1e-10);
            // 2 x'' = 0.2 (t − 2.5)
            assert_abs_diff_eq!(run.last().velocity.x, sign * 0.05 * 1.5 * 1.5, epsilon = 1e-9);
        }
    }
}

#[test]
fn friction_that_cannot_hold_reverses_at_rest() {
    // The torque 1 exceeds the bound 0.5: 2 x'' = 1.5 until the rotor rests, and 0.5 afterwards.
    let system = rotor(0.5, 1.0, 0.0);
    let run = started(&system, -3.0).step(0.01).end_time(6.0).run().unwrap();
    assert_eq!(run.events.len(), 1);
    assert_abs_diff_eq!(run.events[0].time, 4.0, epsilon = 1e-10);
    assert_abs_diff_eq!(run.last().velocity.x, 0.25 * 2.0, epsilon = 1e-10);
    // At the start, the state of the friction follows from the torque.
    let run = started(&system, 0.0).step(0.01).end_time(2.0).run().unwrap();
    assert_abs_diff_eq!(run.last().velocity.x, 0.25 * 2.0, epsilon = 1e-12);
}

#[test]
fn invalid_bounds_and_missing_events_are_reported() {
    let error = started(&rotor(-0.5, 0.0, 0.0), 0.0).end_time(1.0).run().unwrap_err();
    assert!(matches!(error.failure, Failure::Setup(SetupError::Friction { .. })), "{error}");
    let system = rotor(0.5, 1.0, 0.0);
    let run = Simulation::of(&system).at_rest(rotor::Angle { angle: 0.0 }).step(0.01).end_time(0.1).run().unwrap();
    assert!(matches!(run.warnings()[..], [Warning::FrictionWithoutEvents { friction: "bearing" }, ..]));
    // A given direction against the torque is contradictory.
    let system =
        rotor::System::new(rotor::Data { bound: 0.5, torque: 1.0, growth: 0.0, stiffness: 0.0, slip: -1 }).unwrap();
    let failure = started(&system, 0.0).step(0.01).end_time(0.1).run().unwrap_err().failure;
    let Failure::Event { error, .. } = failure else { panic!("{failure}") };
    assert!(matches!(*error, EventError::SlidingDirection { .. }), "{error}");
}

/// A planar arm with two joints, gravity, dry friction in both joints, and stops of the elbow.
#[mechanical_system]
pub mod arm {
    #[configuration]
    pub struct Angles {
        pub shoulder: f64,
        pub elbow: f64,
    }

    #[parameters]
    pub struct Data {
        pub gravity: f64,
        pub shoulder_bound: f64,
        pub elbow_bound: f64,
        pub shoulder_slip: i32,
        pub elbow_slip: i32,
        pub stop: i32,
    }

    #[kinetic_energy]
    fn kinetic(q: &Angles, v: &Velocity) -> f64 {
        let both = v.shoulder + v.elbow;
        let tip = v.shoulder * v.shoulder + both * both + 2.0 * v.shoulder * both * q.elbow.cos();
        0.5 * (v.shoulder * v.shoulder + tip)
    }

    #[potential]
    fn weight(p: &Data, q: &Angles) -> f64 {
        -p.gravity * (2.0 * q.shoulder.cos() + (q.shoulder + q.elbow).cos())
    }

    #[constraint(lower = -0.5, upper = 2.0, stop = p.stop)]
    fn elbow(p: &Data, q: &Angles) -> f64 {
        q.elbow
    }

    #[velocity_constraint(bound = p.shoulder_bound, slip = p.shoulder_slip)]
    fn shoulder_friction(p: &Data, v: &Velocity) -> f64 {
        v.shoulder
    }

    #[velocity_constraint(bound = p.elbow_bound, slip = p.elbow_slip, stop = elbow)]
    fn elbow_friction(p: &Data, v: &Velocity) -> f64 {
        v.elbow
    }
}

type Arm = arm::System;

fn arm_with(gravity: f64, bounds: [f64; 2]) -> Arm {
    let [shoulder_bound, elbow_bound] = bounds;
    let data = arm::Data { gravity, shoulder_bound, elbow_bound, shoulder_slip: 0, elbow_slip: 0, stop: 0 };
    Arm::new(data).unwrap()
}

/// Returns the accelerations of the arm with friction from a table of all nine states, and the number of consistent states.
fn accelerations(gravity: f64, bounds: [f64; 2], [shoulder, elbow]: [f64; 2]) -> ([f64; 2], usize) {
    let mass = [[3.0 + 2.0 * elbow.cos(), 1.0 + elbow.cos()], [1.0 + elbow.cos(), 1.0]];
    let lower = gravity * (shoulder + elbow).sin();
    let free = [-2.0 * gravity * shoulder.sin() - lower, -lower];
    let (mut found, mut count) = ([f64::NAN; 2], 0);
    for one in [-1.0, 0.0, 1.0] {
        for two in [-1.0, 0.0, 1.0_f64] {
            let slip = [one, two];
            let force = [0, 1].map(|k| free[k] - bounds[k] * slip[k]);
            let determinant = mass[0][0] * mass[1][1] - mass[0][1] * mass[1][0];
            let acceleration = match slip {
                [0.0, 0.0] => [0.0; 2],
                [0.0, _] => [0.0, force[1] / mass[1][1]],
                [_, 0.0] => [force[0] / mass[0][0], 0.0],
                _ => [
                    (mass[1][1] * force[0] - mass[0][1] * force[1]) / determinant,
                    (mass[0][0] * force[1] - mass[1][0] * force[0]) / determinant,
                ],
            };
            let fits = |k: usize| {
                let inertia = mass[k][0] * acceleration[0] + mass[k][1] * acceleration[1];
                let friction = inertia - free[k];
                if slip[k] == 0.0 { friction.abs() <= bounds[k] } else { slip[k] * acceleration[k] > 0.0 }
            };
            if fits(0) && fits(1) {
                (found, count) = (acceleration, count + 1);
            }
        }
    }
    (found, count)
}

#[test]
fn two_joints_start_in_the_consistent_state_of_nine() {
    let mut states = std::collections::BTreeSet::new();
    for number in 0..200_u32 {
        // Low-discrepancy points.
        let part = |k: u32| f64::from(number + 1) * [0.618_034, 0.754_878, 0.569_840, 0.430_2][k as usize] % 1.0;
        let (angles, bounds) = ([3.0 * part(0) - 1.5, 2.4 * part(1) - 0.45], [12.0 * part(2), 6.0 * part(3)]);
        let (expected, count) = accelerations(9.81, bounds, angles);
        assert_eq!(count, 1, "{angles:?} {bounds:?}");
        let system = arm_with(9.81, bounds);
        let run = Simulation::of(&system)
            .at_rest(arm::Angles { shoulder: angles[0], elbow: angles[1] })
            .contact("elbow", 0.0)
            .dry_friction()
            .step(1e-4)
            .end_time(1e-4)
            .run()
            .unwrap();
        let acceleration = run.states[0].acceleration;
        for k in 0..2 {
            assert_abs_diff_eq!(acceleration[k], expected[k], epsilon = 1e-9);
        }
        states.insert([0, 1].map(|k| i32::from(expected[k] > 0.0) - i32::from(expected[k] < 0.0)));
    }
    assert!(states.len() >= 8, "{states:?}");
}

#[test]
fn an_arm_with_friction_in_both_joints_loses_energy_and_rests() {
    let (gravity, bounds) = (4.0, [2.0, 1.0]);
    let system = arm_with(gravity, bounds);
    let energy = |state: &State<Arm>| system.energy(state.time, &state.configuration, &state.velocity);
    let start = || {
        let angles = arm::Angles { shoulder: 1.5, elbow: 0.4 };
        Simulation::of(&system).at_rest(angles).contact("elbow", 0.5).dry_friction().end_time(10.0)
    };
    let reference = start().rtol(1e-10).atol(1e-10).run().unwrap();
    for run in [
        &reference,
        &start().step(2e-3).method_named("hedop5").unwrap().run().unwrap(),
        &start().step(2e-3).method_named("radau_iia5").unwrap().run().unwrap(),
        &start().step(1e-3).method_named("lie_alpha").unwrap().run().unwrap(),
    ] {
        let rises = run.states.windows(2).map(|pair| energy(&pair[1]) - energy(&pair[0]));
        assert!(rises.fold(0.0, f64::max) < 1e-7, "{}", run.method);
        let last = run.last();
        assert!(last.velocity.norm() < 1e-14, "{}: {}", run.method, last.velocity);
        // The reactions at rest are within the bounds.
        let at_rest = accelerations(gravity, bounds, [last.configuration.shoulder, last.configuration.elbow]);
        assert_eq!(at_rest, ([0.0; 2], 1), "{}", run.method);
        let names = |run: &[Occurrence<Arm>]| run.iter().map(|event| event.event.clone()).collect::<Vec<_>>();
        assert_eq!(names(&run.events), names(&reference.events), "{}", run.method);
        assert_abs_diff_eq!(last.configuration.shoulder, reference.last().configuration.shoulder, epsilon = 1e-3);
        assert!(run.warnings().is_empty(), "{}: {:?}", run.method, run.warnings());
    }
}

/// A hinge between stops, with friction and a torque that oscillates.
#[mechanical_system]
pub mod hinge {
    #[configuration]
    pub struct Angle {
        pub angle: f64,
    }

    #[parameters]
    pub struct Data {
        pub amplitude: f64,
        pub stop: i32,
        pub slip: i32,
    }

    pub const BOUND: f64 = 0.5;

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.angle * v.angle
    }

    #[force(on = angle)]
    fn drive(p: &Data, t: f64) -> f64 {
        -p.amplitude * t.cos() - 0.1
    }

    #[constraint(lower = 0.0, upper = 3.0, stop = p.stop)]
    fn range(p: &Data, q: &Angle) -> f64 {
        q.angle
    }

    /// The velocity in the opposite direction: the sign of the function has no influence.
    #[velocity_constraint(bound = BOUND, slip = p.slip, stop = range)]
    fn bearing(p: &Data, v: &Velocity) -> f64 {
        -v.angle
    }
}

#[test]
fn friction_holds_a_joint_at_its_stop_until_the_torque_exceeds_the_bound() {
    for amplitude in [0.4, 0.8] {
        let system = hinge::System::new(hinge::Data { amplitude, stop: -1, slip: 0 }).unwrap();
        let run = Simulation::of(&system).at_rest(hinge::Angle { angle: 0.0 }).contact("range", 0.0).dry_friction();
        let run = run.step(0.01).end_time(12.0).run().unwrap();
        assert!(run.warnings().is_empty(), "{:?}", run.warnings());
        if amplitude < hinge::BOUND {
            assert!(run.events.is_empty() && run.states.iter().all(|state| state.configuration.angle == 0.0));
            continue;
        }
        // −0.8 cos t − 0.1 = 0.5
        let friction = hinge::BOUND + 0.1;
        let release = (-friction / amplitude).acos();
        assert_eq!(run.events[0].event, "range lower release");
        assert_abs_diff_eq!(run.events[0].time, release, epsilon = 1e-10);
        // v' = −0.8 cos t − 0.6 until v = 0.
        assert_eq!(run.events[1].event, "bearing stick");
        let stop = run.events[1].time;
        let speed = -amplitude * (stop.sin() - release.sin()) - friction * (stop - release);
        assert_abs_diff_eq!(speed, 0.0, epsilon = 1e-9);
        let angle = amplitude * (stop.cos() - release.cos()) + (stop - release) * amplitude * release.sin()
            - 0.5 * friction * (stop - release).powi(2);
        assert_abs_diff_eq!(run.events[1].before.configuration.angle, angle, epsilon = 1e-9);
        let names: Vec<&str> = run.events.iter().map(|event| event.event.as_str()).collect();
        assert_eq!(names[2], "bearing slip", "{names:?}");
    }
}

#[test]
fn equilibrium_linearisation_and_orbits_of_a_joint_check_its_friction() {
    let at = rotor::Angle { angle: 0.2 };
    let with = |torque: f64, stiffness: f64, slip: i32| {
        rotor::System::new(rotor::Data { bound: 0.5, torque, growth: 0.0, stiffness, slip }).unwrap()
    };
    let linearise =
        |torque: f64, slip: i32| Linearisation::of(&with(torque, 0.0, slip)).at(0.0, &at, &Vector1::zeros());
    for torque in [0.5, -0.5] {
        assert!(linearise(torque, 0).is_ok());
        assert!(matches!(linearise(torque, 1), Err(LinearisationError::Sliding)));
        let found = Equilibrium::of(&with(torque, 0.0, 0)).guess(at).solve().unwrap();
        assert_relative_eq!(found.state.multipliers[0], torque, max_relative = 1e-14);
        assert!(Equilibrium::of(&with(1.000_001 * torque, 0.0, 0)).guess(at).solve().is_err());
    }
    let Err(LinearisationError::Law(violation)) = linearise(-0.7, 0) else { panic!() };
    let LawViolation::Slip { friction: "bearing", reaction, bound, flag: "slip", .. } = violation else {
        panic!("{violation}")
    };
    assert_relative_eq!(reaction, -0.7, max_relative = 1e-14);
    assert_eq!(bound, 0.5);
    assert!(violation.to_string().contains("set `slip = -1`"), "{violation}");
    // A constant force is no friction: it oscillates forever, half of the time against the declared direction.
    let oscillator = with(0.0, 8.0, 1);
    let orbit = PeriodicOrbit::of(&oscillator).guess(at, Vector1::zeros()).period_guess(3.1).solve();
    let Err(OrbitError::Law { violation: LawViolation::SlidingDirection { friction: "bearing", speed, .. }, .. }) =
        orbit
    else {
        panic!("{:?}", orbit.map(|_| ()))
    };
    assert!(speed < 0.0);
}
