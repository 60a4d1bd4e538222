//! Moreau-Jean time stepping: `.method(MoreauJean::new())` with `Simulation::contact` and `Simulation::dry_friction`.

// Each contact of a declaration has its own flag.
#![allow(clippy::struct_excessive_bools)]

use approx::{assert_abs_diff_eq, assert_relative_eq};
use lie_runtime::integrator::moreau_jean::MoreauJeanOptions;
use lie_runtime::integrator::{MoreauJean, StepFailure};
use lie_runtime::nalgebra::Vector5;
use lie_runtime::prelude::*;
use lie_runtime::simulate::{Failure, SetupError};

use super::contact_friction::block;
use super::dry_friction::rotor;
use super::stops::pendulum;
use super::unilateral::ball;

const GRAVITY: f64 = 9.81;

fn ball(on_floor: bool) -> ball::System {
    ball::System::new(ball::Data { gravity: GRAVITY, amplitude: 0.0, frequency: 1.0, on_floor }).unwrap()
}

/// The heights of a ball that falls from a height of 1, and its time derivative.
fn closed_form(time: f64, restitution: f64) -> f64 {
    let (mut start, mut speed) = (-(2.0 / GRAVITY).sqrt(), (2.0 * GRAVITY).sqrt());
    loop {
        let flight = 2.0 * speed / GRAVITY;
        if time < start + flight {
            let t = time - start;
            return speed * t - 0.5 * GRAVITY * t * t;
        }
        start += flight;
        speed *= restitution;
    }
}

/// The order of convergence between the first and the last of a list of step sizes and errors.
fn order(errors: &[(f64, f64)]) -> f64 {
    let [first, .., last] = errors else { panic!("two steps") };
    (first.1 / last.1).ln() / (first.0 / last.0).ln()
}

#[test]
fn a_bouncing_ball_converges_with_first_order_to_the_closed_form() {
    let system = ball(false);
    for restitution in [1.0, 0.5] {
        let error = |h: f64| {
            let run = Simulation::of(&system).at_rest(ball::Height { z: 1.0 }).contact("floor", restitution);
            let run = run.method(MoreauJean::new()).step(h).end_time(1.2).run().unwrap();
            let error =
                |state: &State<ball::System>| (state.configuration.z - closed_form(state.time, restitution)).abs();
            // The energy is constant for e = 1. Otherwise an energy can rise by the work of the weight within a step.
            let energy: Vec<f64> = run.states.iter().map(|state| state.energy(&system)).collect();
            let rise = 2.0 * (GRAVITY * h).powi(2) * (1.0 - restitution) / (8.0 * (1.0 + restitution));
            assert!(energy.windows(2).all(|pair| pair[1] <= pair[0] + rise + 1e-11), "{restitution} {h}");
            // A gap is at least −h |u|.
            assert!(run.states.iter().all(|state| state.configuration.z >= -h * (2.0 * GRAVITY).sqrt()));
            assert_eq!(run.events.len(), 0);
            run.states.iter().map(error).fold(0.0, f64::max)
        };
        let errors: Vec<_> = (0..9).map(|k| 0.013 / 2.0_f64.powi(k)).map(|h| (h, error(h))).collect();
        assert!((0.8..1.25).contains(&order(&errors)), "{errors:?}");
        assert!(errors.iter().all(|(h, error)| *error < 12.0 * h), "{errors:?}");
    }
}

#[test]
fn a_ball_rests_after_its_bounces_with_the_weight_as_its_contact_force() {
    let system = ball(false);
    let run = Simulation::of(&system).at_rest(ball::Height { z: 1.0 }).contact("floor", 0.5);
    let run = run.method_named("moreau_jean").unwrap().step(1e-3).end_time(3.0).run().unwrap();
    assert_eq!(run.method, "moreau_jean");
    assert_abs_diff_eq!(run.last().velocity.x, 0.0, epsilon = 1e-14);
    assert_abs_diff_eq!(run.last().configuration.z, 0.0, epsilon = 5e-3);
    assert_relative_eq!(run.last().multipliers.x, -2.0 * GRAVITY, max_relative = 1e-12);
    assert!(run.warnings().is_empty());
    // The declared state of the contact has no influence on a ball in the air.
    let resting = ball(true);
    let run = Simulation::of(&resting).at_rest(ball::Height { z: 0.0 }).contact("floor", 0.5);
    let run = run.method(MoreauJean::new()).step(1e-3).end_time(0.1).run().unwrap();
    assert_eq!(run.last().configuration.z, 0.0);
}

const SLOPE: f64 = 0.4;

/// A run of a block on an inclined plane.
fn along_plane(mu: f64, speed: f64, h: f64, end: f64) -> Vec<[f64; 3]> {
    let system = block::System::new(block::Data { slope: SLOPE, mu, pull: 0.0, on_plane: true, slip: 0 }).unwrap();
    let velocity = Vector2::new(speed * SLOPE.cos(), -speed * SLOPE.sin());
    let run = Simulation::of(&system).initial(block::Position { x: 0.0, z: 0.0 }, velocity).contact("plane", 0.0);
    let run = run.method(MoreauJean::new()).step(h).output_every(10).end_time(end).run().unwrap();
    let along = |state: &State<block::System>| {
        let (q, v) = (&state.configuration, &state.velocity);
        let energy = state.energy(&system);
        [q.x * SLOPE.cos() - q.z * SLOPE.sin(), v.x * SLOPE.cos() - v.y * SLOPE.sin(), energy]
    };
    run.states.iter().map(along).collect()
}

#[test]
fn a_block_rests_on_an_inclined_plane_or_slides_with_the_acceleration_of_coulomb_friction() {
    for [position, speed, energy] in along_plane(1.01 * SLOPE.tan(), 0.0, 1e-3, 20.0) {
        assert!(position.abs() < 1e-14 && speed.abs() < 1e-14 && energy.abs() < 1e-13, "{position} {speed}");
    }
    let mu = 0.2;
    let acceleration = GRAVITY * (SLOPE.sin() - mu * SLOPE.cos());
    let slides = along_plane(mu, 0.0, 1e-2, 1.0);
    let [position, speed, _] = slides.last().unwrap();
    assert_relative_eq!(*speed, acceleration, max_relative = 1e-12);
    assert_relative_eq!(*position, 0.5 * acceleration, max_relative = 1e-12);
    // A block that decelerates comes to rest, and its energy decreases.
    let mu = 1.5 * SLOPE.tan();
    let stops = along_plane(mu, 1.0, 1e-3, 1.0);
    let [position, speed, _] = stops.last().unwrap();
    assert_abs_diff_eq!(*speed, 0.0, epsilon = 1e-14);
    let deceleration = GRAVITY * (mu * SLOPE.cos() - SLOPE.sin());
    assert_abs_diff_eq!(*position, 0.5 / deceleration, epsilon = 1e-3);
    assert!(stops.windows(2).all(|pair| pair[1][2] <= pair[0][2] + 1e-14));
}

/// Five balls above each other on a vertical line, the lowest one between a floor and a ceiling.
#[mechanical_system]
pub mod stack {
    #[configuration]
    pub struct Positions {
        pub z: R5,
    }

    #[parameters]
    #[allow(clippy::struct_excessive_bools)] // One for each contact.
    pub struct Data {
        pub gravity: f64,
        pub ceiling: f64,
        pub a: i32,
        pub b: bool,
        pub c: bool,
        pub d: bool,
        pub e: bool,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.z[0] * v.z[0] + v.z[1] * v.z[1] + v.z[2] * v.z[2] + v.z[3] * v.z[3] + v.z[4] * v.z[4])
    }

    #[potential]
    fn weight(p: &Data, q: &Positions) -> f64 {
        p.gravity * (q.z[0] + q.z[1] + q.z[2] + q.z[3] + q.z[4])
    }

    /// The lowest ball is between the floor and a ceiling.
    #[constraint(lower = 0.0, upper = p.ceiling, stop = p.a)]
    fn floor(p: &Data, q: &Positions) -> f64 {
        q.z[0]
    }

    #[constraint(active = p.b)]
    fn first(p: &Data, q: &Positions) -> f64 {
        q.z[1] - q.z[0] - 1.0
    }

    #[constraint(active = p.c)]
    fn second(p: &Data, q: &Positions) -> f64 {
        q.z[2] - q.z[1] - 1.0
    }

    #[constraint(active = p.d)]
    fn third(p: &Data, q: &Positions) -> f64 {
        q.z[3] - q.z[2] - 1.0
    }

    #[constraint(active = p.e)]
    fn fourth(p: &Data, q: &Positions) -> f64 {
        q.z[4] - q.z[3] - 1.0
    }
}

const CONTACTS: [&str; 5] = ["floor", "first", "second", "third", "fourth"];

fn stack(gravity: f64) -> stack::System {
    let data = stack::Data { gravity, ceiling: 100.0, a: 0, b: false, c: false, d: false, e: false };
    stack::System::new(data).unwrap()
}

/// A run from these heights and velocities.
fn piled(system: &stack::System, z: [f64; 5], v: [f64; 5], e: f64, end: f64) -> Run<'_, stack::System> {
    let start = Simulation::of(system).initial(stack::Positions { z: Vector5::from(z) }, Vector5::from(v));
    let run = CONTACTS.iter().fold(start, |run, contact| run.contact(contact, e));
    run.method(MoreauJean::new()).step(1e-3).output_every(10).end_time(end).run().unwrap()
}

/// The smallest gap.
fn smallest_gap(state: &State<stack::System>) -> f64 {
    let z = &state.configuration.z;
    (1..5).map(|ball| z[ball] - z[ball - 1] - 1.0).fold(z[0], f64::min)
}

#[test]
fn a_stack_rests_without_penetration_and_each_contact_carries_the_weight_above_it() {
    let system = stack(GRAVITY);
    let rest = [0.0, 1.0, 2.0, 3.0, 4.0];
    let run = piled(&system, rest, [0.0; 5], 0.3, 20.0);
    assert!(run.states.iter().all(|state| smallest_gap(state).abs() <= 1e-12));
    assert!(run.states.iter().all(|state| state.velocity.amax() < 1e-12));
    let last = run.last();
    for (row, above) in [(0, 5.0), (1, 4.0), (2, 3.0), (3, 2.0), (4, 1.0)] {
        assert_relative_eq!(last.multipliers[row], -above * GRAVITY, max_relative = 1e-9);
    }
    // Balls that fall onto each other come to rest with the penetration of an impact in one step, and lose energy.
    let run = piled(&system, [0.1, 1.3, 2.5, 3.8, 5.0], [0.0; 5], 0.3, 10.0);
    let speed = (2.0 * GRAVITY).sqrt();
    assert!(run.states.iter().all(|state| smallest_gap(state) >= -2e-3 * speed));
    assert_abs_diff_eq!(run.last().velocity.amax(), 0.0, epsilon = 1e-12);
    let energies: Vec<f64> = run.states.iter().map(|state| state.energy(&system)).collect();
    let rise = 10.0 * (GRAVITY * 1e-3_f64).powi(2);
    assert!(energies.windows(2).all(|pair| pair[1] <= pair[0] + rise), "{energies:?}");
}

#[test]
fn an_elastic_impact_on_a_row_of_balls_conserves_momentum_and_energy() {
    let system = stack(0.0);
    // Newton's law for simultaneous impacts: the rate of the first contact is reversed, the others stay zero.
    let run = piled(&system, [1.0, 3.0, 4.0, 5.0, 6.0], [1.0, 0.0, 0.0, 0.0, 0.0], 1.0, 1.2);
    for (ball, speed) in [-0.6, 0.4, 0.4, 0.4, 0.4].into_iter().enumerate() {
        assert_abs_diff_eq!(run.last().velocity[ball], speed, epsilon = 1e-12);
    }
    let energy = |state: &State<stack::System>| state.energy(&system);
    assert!(run.states.iter().all(|state| (energy(state) - 0.5).abs() < 1e-12));
}

#[test]
fn a_pendulum_between_two_stops_agrees_with_the_events_to_first_order() {
    let data = pendulum::Data { gravity: GRAVITY, growth: 0.0, min: -0.4, max: 0.6, stop: 0 };
    let system = pendulum::System::new(data).unwrap();
    let start = || Simulation::of(&system).initial(pendulum::Angle { angle: 0.0 }, pendulum::Velocity { angle: 3.0 });
    let start = || start().contact("hinge lower", 0.9).contact("hinge upper", 0.7);
    let times: Vec<f64> = (1..=20).map(|k| 0.1 * f64::from(k)).collect();
    let exact = start().step(1e-3).output_times(&times).end_time(2.0).run().unwrap();
    assert!(exact.events.len() >= 4);
    let error = |h: f64| {
        let run = start().method(MoreauJean::new()).step(h).output_times(&times).end_time(2.0).run().unwrap();
        assert_eq!(run.states.iter().map(|state| state.time).collect::<Vec<_>>(), times);
        let angles = exact.states.iter().filter(|state| times.contains(&state.time)).zip(&run.states);
        angles.map(|(one, other)| (one.configuration.angle - other.configuration.angle).abs()).fold(0.0, f64::max)
    };
    let errors: Vec<_> = (0..7).map(|k| 0.01 / 2.0_f64.powi(k)).map(|h| (h, error(h))).collect();
    assert!((0.75..1.3).contains(&order(&errors)), "{errors:?}");
    assert!(errors.iter().all(|(h, error)| *error < 20.0 * h), "{errors:?}");
}

#[test]
fn the_friction_of_a_joint_holds_and_brakes() {
    let run = |torque: f64, rate: f64, end: f64| {
        let data = rotor::Data { bound: 0.5, torque, growth: 0.0, stiffness: 0.0, slip: 0 };
        let system = rotor::System::new(data).unwrap();
        let run = Simulation::of(&system).initial(rotor::Angle { angle: 0.2 }, Vector1::new(rate)).dry_friction();
        let run = run.method(MoreauJean::new()).step(1e-3).end_time(end).run().unwrap();
        let last = run.last();
        [last.configuration.angle - 0.2, last.velocity.x, last.multipliers.x]
    };
    let [angle, rate, reaction] = run(0.499_999, 0.0, 10.0);
    assert!(angle.abs() < 1e-14 && rate.abs() < 1e-16);
    assert_relative_eq!(reaction, 0.499_999, max_relative = 1e-12);
    // The deceleration is 0.25, and the rotor stops after 4 s.
    let [angle, rate, _] = run(0.0, 1.0, 5.0);
    assert_abs_diff_eq!(angle, 2.0, epsilon = 1e-3);
    assert_abs_diff_eq!(rate, 0.0, epsilon = 1e-14);
    let [angle, rate, _] = run(1.0, 0.0, 2.0);
    assert_relative_eq!(rate, 0.5, max_relative = 1e-12);
    assert_relative_eq!(angle, 0.5, max_relative = 1e-12);
}

/// A pendulum with a rod as a constraint, a list of masses that fall, and a wall.
#[mechanical_system]
pub mod wrecker {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub bob: R2,
        pub falling: Vec<R1>,
    }

    #[parameters]
    pub struct Data {
        pub wall: f64,
        pub at_wall: bool,
    }

    #[kinetic_energy(over = bob)]
    fn kinetic(v: &Vector2<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[kinetic_energy(over = falling)]
    fn kinetic_of_masses(v: &Vector1<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = bob)]
    fn weight(q: &R2) -> f64 {
        9.81 * q[1]
    }

    #[potential(over = falling)]
    fn weight_of_masses(q: &R1) -> f64 {
        9.81 * q[0]
    }

    #[constraint(over = bob)]
    fn rod(q: &R2) -> f64 {
        0.5 * (q.norm_squared() - 1.0)
    }

    #[constraint(active = p.at_wall)]
    fn wall(p: &Data, q: &Place) -> f64 {
        p.wall - q.bob[0]
    }
}

#[test]
fn bilateral_constraints_of_a_chain_are_satisfied_at_impacts() {
    let system =
        wrecker::System::new(wrecker::Data { wall: 0.3, at_wall: false }, wrecker::Lengths { falling: 3 }).unwrap();
    let start = || {
        let place = wrecker::Place { bob: Vector2::new(-0.6, -0.8), falling: vec![Vector1::new(1.0); 3] };
        Simulation::of(&system).at_rest(place).contact("wall", 0.8)
    };
    let exact = start().step(1e-3).end_time(2.5).run().unwrap();
    assert!(exact.events.len() >= 2);
    let error = |h: f64| {
        let run = start().method(MoreauJean::new()).step(h).end_time(2.5).run().unwrap();
        for state in &run.states {
            let (q, v) = (&state.configuration.bob, state.velocity.rows(0, 2));
            assert!((q.norm() - 1.0).abs() < 1e-12, "{:e}", q.norm() - 1.0);
            assert!(q.dot(&v).abs() < 1e-12, "{:e}", q.dot(&v));
        }
        assert_relative_eq!(run.last().configuration.falling[2][0], 1.0 - 0.5 * GRAVITY * 6.25, max_relative = 1e-9);
        (run.last().configuration.bob - exact.last().configuration.bob).norm()
    };
    let errors: Vec<_> = (0..7).map(|k| 0.01 / 2.0_f64.powi(k)).map(|h| (h, error(h))).collect();
    assert!((0.7..1.4).contains(&order(&errors)), "{errors:?}");
}

#[test]
fn settings_without_events_and_an_iteration_that_does_not_converge_are_errors() {
    let system = ball(false);
    let start = || {
        let run = Simulation::of(&system).at_rest(ball::Height { z: 0.0 }).contact("floor", 0.5);
        run.method(MoreauJean::new()).step(1e-2).end_time(0.1)
    };
    let setup = |error: Failure| match error {
        Failure::Setup(SetupError::TimeStepping { method: "moreau_jean", setting }) => setting,
        other => panic!("{other}"),
    };
    assert_eq!(setup(start().monitor_energy().run().unwrap_err().failure), "monitor_energy");
    assert_eq!(setup(start().full_order_multipliers().run().unwrap_err().failure), "full_order_multipliers");
    assert!(matches!(start().rtol(1e-3).run().unwrap_err().failure, Failure::Setup(SetupError::NoEstimate { .. })));
    // Without contacts, these settings are available.
    let falls = Simulation::of(&system).at_rest(ball::Height { z: 1.0 }).method(MoreauJean::new()).monitor_energy();
    assert!(falls.step(1e-2).end_time(0.1).run().is_ok());

    let options = MoreauJeanOptions::default().maximum_iterations(1).tolerance(1e-15);
    let system = stack(GRAVITY);
    let start = Simulation::of(&system).at_rest(stack::Positions { z: Vector5::new(0.1, 1.1, 2.1, 3.1, 4.1) });
    let run = CONTACTS.iter().fold(start, |run, contact| run.contact(contact, 0.3));
    let run = run.method(MoreauJean::with_options(options).unwrap()).step(1e-2).end_time(1.0).run();
    let Failure::Step(error) = run.unwrap_err().failure else { panic!("another failure") };
    let StepFailure::ImpulsesNotConverged { iterations: 1, residual, .. } = error.failure else { panic!("{error}") };
    assert!(residual > 0.0 && error.to_string().contains("the impulses of the contacts did not converge"));
}
