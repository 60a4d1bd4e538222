//! Events at one instant: their actions take place together, in any order.

use approx::assert_relative_eq;
use lie_runtime::prelude::*;
use lie_runtime::simulate::event::{Change, EventError};
use lie_runtime::simulate::{Failure, ImpactError, Warning};

use super::modes::sledge;

/// A plank that falls onto the floor with its two lower corners.
#[mechanical_system(redundant = minimum_norm)]
pub mod plank {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Plank {
        pub pose: SE2,
    }

    #[parameters]
    pub struct Corners {
        pub inertia: f64,
        pub left: bool,
        pub right: bool,
    }

    #[kinetic_energy]
    fn kinetic(p: &Corners, v: &Velocity) -> f64 {
        v.pose.linear().norm_squared() + 0.5 * p.inertia * v.pose.angular() * v.pose.angular()
    }

    #[potential]
    fn weight(q: &Plank) -> f64 {
        2.0 * 9.81 * q.pose.translation.y
    }

    #[quantity]
    pub fn left_height(q: &Plank) -> f64 {
        (q.pose * Vector2::new(-0.5, -0.1)).y
    }

    #[quantity]
    pub fn right_height(q: &Plank) -> f64 {
        (q.pose * Vector2::new(0.5, -0.1)).y
    }

    #[quantity]
    pub fn left_place(q: &Plank) -> f64 {
        (q.pose * Vector2::new(-0.5, -0.1)).x
    }

    #[velocity_constraint]
    fn left(p: &Corners, q: &Plank, v: &Velocity) -> f64 {
        if p.left { left_height_rate(q, v) } else { 0.0 }
    }

    #[velocity_constraint]
    fn right(p: &Corners, q: &Plank, v: &Velocity) -> f64 {
        if p.right { right_height_rate(q, v) } else { 0.0 }
    }

    #[velocity_constraint]
    fn sliding(p: &Corners, q: &Plank, v: &Velocity) -> f64 {
        if p.left { left_place_rate(q, v) } else { 0.0 }
    }
}

type Plank = plank::System;

pub fn corners(inertia: f64) -> Plank {
    Plank::new(plank::Corners { inertia, left: false, right: false }).unwrap()
}

pub fn energy(system: &Plank, state: &State<Plank>) -> f64 {
    system.kinetic_energy(0.0, &state.configuration, &state.velocity)
        + system.potential_energy(0.0, &state.configuration)
}

fn fall(system: &Plank, angle: f64) -> Simulation<'_, Plank> {
    let pose = plank::Plank { pose: SE2::new(SO2::from_angle(angle), Vector2::new(0.0, 1.1)) };
    Simulation::of(system).initial(pose, system.zero_velocity()).rtol(1e-10).atol(1e-10)
}

/// An elastic impact of one corner; the floor is smooth.
fn strike(at: &mut Change<'_, Plank>, corner: &str) {
    at.set(|p| if corner == "left" { p.left = true } else { p.right = true });
    let smooth = Impact::on(corner.to_owned(), 1.0);
    at.collide(if corner == "left" { smooth.friction("sliding", 0.0) } else { smooth });
    assert_eq!(at.impulses()[0].constraint, corner);
    at.set(|p| (p.left, p.right) = (false, false));
}

fn height(corner: &str) -> impl Fn(&Plank, &State<Plank>) -> f64 + Send + 'static {
    let function = if corner == "left" { plank::left_height } else { plank::right_height };
    move |_, state| function(&state.configuration)
}

#[test]
fn a_box_that_falls_flat_returns_whatever_the_order_of_its_events_is() {
    let system = corners(0.3);
    let mut runs = Vec::new();
    for [first, second] in [["left", "right"], ["right", "left"]] {
        let run = fall(&system, 0.0)
            .event(first, height(first))
            .falling()
            .apply(|at| strike(at, first))
            .event(second, height(second))
            .falling()
            .apply(|at| strike(at, second))
            .end_time(5.0)
            .run()
            .unwrap();
        let fall: f64 = (2.0_f64 / 9.81).sqrt();
        assert_eq!(run.events.len(), 12);
        for (number, pair) in run.events.chunks(2).enumerate() {
            assert_relative_eq!(pair[0].time, fall * (2 * number + 1) as f64, epsilon = 1e-8);
            assert_eq!([&pair[0].event, &pair[1].event], [first, second]);
            assert_eq!([&pair[0].simultaneous[..], &pair[1].simultaneous[..]], [[second], [first]]);
            for event in pair {
                // Half of twice the momentum each: v jumps by −M⁻¹ Bᵀ Λ.
                assert_relative_eq!(event.impulses[0].rows[0], -2.0 * 9.81 * fall, epsilon = 1e-7);
                assert_eq!(event.before.time, pair[0].time);
            }
        }
        let last = run.last();
        assert!(last.configuration.pose.rotation.angle().abs() < 1e-12 && last.velocity[0].abs() < 1e-12);
        assert_relative_eq!(energy(&system, last), energy(&system, &run.states[0]), epsilon = 1e-8);
        // One state before and one after a group.
        assert_eq!(run.times().filter(|time| *time == run.events[0].time).count(), 2);
        runs.push((last.configuration.pose.translation, last.velocity));
    }
    assert_relative_eq!(runs[0].0, runs[1].0, epsilon = 1e-12);
    assert_relative_eq!(runs[0].1, runs[1].1, epsilon = 1e-12);
}

#[test]
fn two_events_closer_than_a_nanosecond_stay_two() {
    let system = corners(0.3);
    let speed = (2.0 * 9.81_f64).sqrt();
    // The corners are 1 m apart, and 1.5e-10 s.
    let angle = 1.5e-10 * speed;
    for [first, second] in [["left", "right"], ["right", "left"]] {
        let run = fall(&system, angle)
            .event(first, height(first))
            .falling()
            .apply(|at| strike(at, first))
            .event(second, height(second))
            .falling()
            .apply(|at| strike(at, second))
            .end_time(0.46)
            .run()
            .unwrap();
        let names: Vec<&str> = run.events.iter().map(|event| event.event.as_str()).collect();
        assert_eq!(names, ["left", "right"]);
        assert!(run.events.iter().all(|event| event.simultaneous.is_empty()));
        // The left corner first, which hastens the right one: its path of 1.5e-10 s takes it two thirds of that.
        assert_relative_eq!(run.events[1].time - run.events[0].time, 1e-10, epsilon = 1e-12);
        // Rates −v, −v; v, −1.5 v; 0.25 v, 1.5 v.
        let after = run.events[1].after.as_ref().unwrap();
        assert_relative_eq!(after.velocity[0], 1.25 * speed, max_relative = 1e-7);
        assert_relative_eq!(after.velocity[2], 0.875 * speed, max_relative = 1e-7);
        assert_relative_eq!(energy(&system, after), 2.0 * 9.81 * 1.1, epsilon = 1e-8);
    }
}

#[test]
fn a_row_that_acts_without_being_named_is_reported() {
    let system = corners(0.3);
    let run = |angle, names: &'static [&'static str]| {
        fall(&system, angle)
            .event("lands", height("left"))
            .falling()
            .apply(move |at| {
                at.set(|p| (p.left, p.right) = (true, true));
                at.impact(names.iter().copied(), 1.0);
                at.set(|p| (p.left, p.right) = (false, false));
            })
            .end_time(0.5)
            .run()
    };
    // The right corner acts, and moves: neither is it in contact, nor is it named.
    for angle in [0.0, 1e-3] {
        let error = run(angle, &["left"]).unwrap_err();
        assert!(error.to_string().contains("`right` row 0 is active, its rate before the impact is -4.4"), "{error}");
        let Failure::Event { error, .. } = error.failure else { panic!("{error}") };
        assert!(matches!(*error, EventError::Impact(ImpactError::NotNamed { row, .. }) if row.constraint == "right"));
    }
    let run = run(0.0, &["left", "right"]).unwrap();
    assert_relative_eq!(energy(&system, run.last()), energy(&system, &run.states[0]), epsilon = 1e-8);
}

/// Three balls on a line, that may touch.
#[mechanical_system(redundant = minimum_norm)]
pub mod balls {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Line {
        pub x: R3,
    }

    #[parameters]
    pub struct Balls {
        pub masses: Vector3<f64>,
        pub first: bool,
        pub second: bool,
        pub struck: i32,
    }

    #[kinetic_energy]
    fn kinetic(p: &Balls, v: &Velocity) -> f64 {
        0.5 * p.masses.component_mul(&v.x).dot(&v.x)
    }

    #[velocity_constraint]
    fn first(p: &Balls, v: &Velocity) -> f64 {
        if p.first { v.x.y - v.x.x } else { 0.0 }
    }

    #[velocity_constraint]
    fn second(p: &Balls, v: &Velocity) -> f64 {
        if p.second { v.x.z - v.x.y } else { 0.0 }
    }
}

fn line(masses: Vector3<f64>) -> balls::System {
    balls::System::new(balls::Balls { masses, first: false, second: false, struck: 0 }).unwrap()
}

fn start(system: &balls::System, x: [f64; 3], v: [f64; 3]) -> Simulation<'_, balls::System> {
    Simulation::of(system).initial(balls::Line { x: x.into() }, v).step(0.1).end_time(2.0)
}

/// Newton's law with the contact of the second and the third ball, which are at rest: that keeps its rate, zero.
#[test]
fn a_contact_that_is_not_struck_keeps_its_rate() {
    let system = line(Vector3::new(1.0, 1.0, 1.0));
    let run = start(&system, [0.0, 1.0, 1.0], [1.0, 0.0, 0.0])
        .event("strikes", |_, state| state.configuration.x.y - state.configuration.x.x)
        .falling()
        .apply(|at| {
            at.set(|p| (p.first, p.second) = (true, true));
            at.impact(["first"], 1.0);
            at.set(|p| (p.first, p.second) = (false, false));
        })
        .run()
        .unwrap();
    let third = 1.0 / 3.0;
    assert_relative_eq!(run.last().velocity, Vector3::new(-third, 2.0 * third, 2.0 * third), epsilon = 1e-13);
}

/// Two balls that reach the one between them at one instant, from different distances.
#[test]
fn two_impacts_at_one_instant_are_one_problem() {
    let (m, e) = (Vector3::new(1.0, 2.0, 0.5), [0.7, 1.0]);
    let system = line(m);
    let gaps: [fn(&balls::System, &State<balls::System>) -> f64; 2] = [
        |_, state| state.configuration.x.y - state.configuration.x.x,
        |_, state| state.configuration.x.z - state.configuration.x.y,
    ];
    // u⁺ = −e u of both contacts, and the momentum.
    let (u, v) = ([-1.0, -2.0], [1.0, 0.0, -2.0]);
    let (first, second): (f64, f64) = (-e[0] * u[0], -e[1] * u[1]);
    let momentum: f64 = m.iter().zip(v).map(|(m, v)| m * v).sum();
    let x = (momentum - (m.y + m.z) * first - m.z * second) / m.sum();
    let expected = Vector3::new(x, x + first, x + first + second);
    for order in [[0, 1], [1, 0]] {
        let mut run = start(&system, [-1.0, 0.0, 2.0], v);
        for contact in order {
            run = run.event(["first", "second"][contact], gaps[contact]).falling().apply(move |at| {
                at.set(|p| if contact == 0 { p.first = true } else { p.second = true });
                at.impact([["first", "second"][contact]], e[contact]);
                at.set(|p| (p.first, p.second, p.struck) = (false, false, 1));
            });
        }
        let run = run.run().unwrap();
        assert_eq!(run.events.len(), 2);
        assert_relative_eq!(run.events[0].time, 1.0, epsilon = 1e-13);
        let last = run.last();
        assert_relative_eq!(last.velocity, expected, epsilon = 1e-12);
        // Impulses push.
        assert!(run.events.iter().all(|event| event.impulses.len() == 1 && event.impulses[0].rows[0] < 0.0));
        assert_eq!(run.events[0].system.as_ref().unwrap().parameters().struck, 1);
    }
}

/// The actions of the first and of the second of two events at one instant.
fn said(
    first: impl FnMut(&mut Change<'_, balls::System>) + Send,
    second: impl FnMut(&mut Change<'_, balls::System>) + Send,
) -> Result<lie_runtime::simulate::Trajectory<balls::System>, EventError> {
    let system = line(Vector3::new(1.0, 1.0, 1.0));
    let run = start(&system, [-1.0, 0.0, 2.0], [1.0, 0.0, -2.0])
        .event("one", |_, state| state.configuration.x.y - state.configuration.x.x)
        .falling()
        .apply(first)
        .event("other", |_, state| state.configuration.x.z - state.configuration.x.y)
        .falling()
        .apply(second)
        .run();
    run.map(Into::into).map_err(|error| match error.failure {
        Failure::Event { event, error, .. } => {
            assert_eq!(event, "one`, `other");
            *error
        }
        other => panic!("{other:?}"),
    })
}

#[test]
fn what_two_actions_change_is_merged_or_a_conflict() {
    // Both see the same state and the same parameters.
    let merged = said(
        |at| {
            at.state().velocity.x *= -1.0;
            at.set(|p| (p.struck, p.masses.y) = (p.struck + 1, 3.0));
        },
        |at| {
            assert_eq!((at.system().parameters().struck, at.state().velocity.x), (0, 1.0));
            at.state().velocity.z *= -1.0;
            at.set(|p| p.struck += 1);
        },
    );
    let merged = merged.unwrap();
    let left = merged.events[0].system.as_ref().unwrap();
    assert_eq!((left.parameters().struck, left.parameters().masses.y), (1, 3.0));
    assert_relative_eq!(merged.last().unwrap().velocity, Vector3::new(-1.0, 0.0, 2.0), epsilon = 1e-15);
    let conflict = |quantity: &str| EventError::Conflict { quantity: quantity.to_owned() };
    let parameters = said(|at| at.set(|p| p.struck = 1), |at| at.set(|p| p.struck = 2));
    assert_eq!(parameters.unwrap_err(), conflict("parameter `struck`"));
    let velocities = said(|at| at.state().velocity.y = 1.0, |at| at.state().velocity.y = 2.0);
    assert_eq!(velocities.unwrap_err(), conflict("velocity of x"));
    // The run ends where one of them ends it, after all changes.
    let stopped = said(
        |at| {
            at.stop();
        },
        |at| at.state().velocity.z = 5.0,
    )
    .unwrap();
    assert_eq!((stopped.stopped, stopped.last().unwrap().velocity.z), (Some(stopped.events[0].time), 5.0));
}

/// A sledge whose friction is the same at rest and in motion: when it breaks loose, velocity and acceleration are zero up to round-off.
#[test]
fn a_function_at_round_off_after_another_event_is_no_event() {
    let (pull, stiffness, friction) = (0.1, 4.0_f64, 1.0);
    let system = sledge::System::new(sledge::Sledge {
        pull,
        stiffness,
        sliding_friction: friction,
        resting_friction: friction,
        sticks: true,
    })
    .unwrap();
    for velocity in [-1e-17, 0.0, 1e-17] {
        for tolerance in [None, Some(1e-10)] {
            let run = Simulation::of(&system)
                .initial(sledge::Position { x: 0.0 }, Vector1::new(0.0))
                .event("breaks loose", |system, state| {
                    let p = system.parameters();
                    if p.sticks { state.multipliers.x.abs() - p.resting_friction } else { -1.0 }
                })
                .rising()
                .apply(move |at| {
                    at.set(|p| p.sticks = false);
                    at.state().velocity.x = velocity;
                })
                .event("stops", |system, state| if system.parameters().sticks { 1.0 } else { state.velocity.x })
                .apply(|at| at.set(|p| p.sticks = true))
                .end_time(5.0);
            let run = match tolerance {
                Some(tolerance) => run.rtol(tolerance).atol(tolerance),
                None => run.step(0.01),
            };
            let run = run.run().unwrap();
            let names: Vec<&str> = run.events.iter().map(|event| event.event.as_str()).collect();
            assert_eq!(names, ["breaks loose"], "{velocity:e}");
            // v = V (1 − cos ω τ).
            let (since, omega) = (5.0 - friction / (stiffness * pull), stiffness.sqrt());
            let expected = pull * (1.0 - (omega * since).cos());
            assert_relative_eq!(run.last().velocity.x, expected, epsilon = 1e-8);
            let [Warning::EventAtRoundOff { event, after, value, .. }] = run.warnings() else {
                panic!("{velocity:e}: {:?}", run.warnings())
            };
            assert!(event == "stops" && *after == ["breaks loose"] && *value == velocity);
            assert!(run.summary().contains("the function of the event `stops` is "), "{}", run.summary());
        }
    }
}
