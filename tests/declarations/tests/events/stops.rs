//! Joint stops: `#[constraint(lower = …, upper = …, stop = …)]`.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use lie_runtime::analysis::{
    Continuation, Equilibrium, EquilibriumError, Linearisation, LinearisationError, LoadSteps, OrbitError,
    PeriodicOrbit, parameter,
};
use lie_runtime::prelude::*;
use lie_runtime::simulate::event::EventError;
use lie_runtime::simulate::{Failure, SetupError, Warning};
use lie_runtime::system::LawViolation;

/// A pendulum between two stops, with a torque that grows with time.
#[mechanical_system]
pub mod pendulum {
    #[configuration]
    pub struct Angle {
        pub angle: f64,
    }

    #[parameters]
    pub struct Data {
        pub gravity: f64,
        pub growth: f64,
        pub min: f64,
        pub max: f64,
        pub stop: i32,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.angle * v.angle
    }

    #[potential]
    fn weight(p: &Data, q: &Angle) -> f64 {
        -p.gravity * q.angle.cos()
    }

    #[force(on = angle)]
    fn push(p: &Data, t: f64) -> f64 {
        p.growth * t
    }

    #[constraint(lower = p.min, upper = p.max, stop = p.stop)]
    fn hinge(p: &Data, q: &Angle) -> f64 {
        q.angle
    }
}

fn between(gravity: f64, [min, max]: [f64; 2]) -> pendulum::Data {
    pendulum::Data { gravity, growth: 0.0, min, max, stop: 0 }
}

/// A simulation from an angle and an angular velocity.
fn started(system: &pendulum::System, angle: f64, rate: f64) -> Simulation<'_, pendulum::System> {
    Simulation::of(system).initial(pendulum::Angle { angle }, pendulum::Velocity { angle: rate })
}

#[test]
fn a_free_rotor_bounces_between_elastic_stops_at_regular_times() {
    let system = pendulum::System::new(between(0.0, [-0.3, 0.5])).unwrap();
    for method in ["lie_alpha", "tr_bdf2", "rattlie", "radau_iia5", "rkmk4"] {
        let run = started(&system, 0.0, 2.0).contact("hinge", 1.0).method_named(method).unwrap().step(0.01);
        let run = run.end_time(10.0).run().unwrap();
        // The first impact after 0.5/2 s, the others after 0.8/2 s.
        assert_eq!(run.events.len(), 25, "{method}");
        for (number, event) in run.events.iter().enumerate() {
            assert_eq!(event.event, ["hinge upper", "hinge lower"][number % 2]);
            assert_abs_diff_eq!(event.time, 0.25 + 0.4 * number as f64, epsilon = 1e-10);
        }
        assert_abs_diff_eq!(run.last().velocity.x, -2.0, epsilon = 1e-10);
        assert_abs_diff_eq!(run.last().configuration.angle, 0.5 - 2.0 * (10.0 - 9.85), epsilon = 1e-9);
    }
}

#[test]
fn each_stop_has_its_own_restitution() {
    let system = pendulum::System::new(between(0.0, [-0.3, 0.5])).unwrap();
    let run = started(&system, 0.0, 2.0).contact("hinge lower", 0.8).contact("hinge upper", 0.5).step(0.01);
    let run = run.end_time(8.0).run().unwrap();
    let (mut time, mut speed) = (0.25, 2.0);
    for (number, event) in run.events.iter().enumerate() {
        assert_abs_diff_eq!(event.time, time, epsilon = 1e-10);
        speed *= [0.5, 0.8][number % 2];
        time += 0.8 / speed;
    }
    assert_eq!(run.events.len(), 5);
}

#[test]
fn a_pendulum_meets_its_stops_after_the_time_of_the_integral() {
    let (gravity, rate, limit) = (9.81, 3.0, 0.6);
    let system = pendulum::System::new(between(gravity, [-limit, limit])).unwrap();
    let run = started(&system, 0.0, rate).contact("hinge", 1.0).rtol(1e-11).atol(1e-11).end_time(5.0).run().unwrap();
    // Simpson's rule for the time from the bottom to a stop.
    let slowness = |angle: f64| (rate * rate - 2.0 * gravity * (1.0 - angle.cos())).sqrt().recip();
    let (count, mut quarter) = (2000, 0.0);
    for cell in 0..count {
        let [from, to] = [cell, cell + 1].map(|k| limit * f64::from(k) / f64::from(count));
        quarter += (to - from) / 6.0 * (slowness(from) + 4.0 * slowness(0.5 * (from + to)) + slowness(to));
    }
    assert!(run.events.len() > 10);
    for (number, event) in run.events.iter().enumerate() {
        assert_abs_diff_eq!(event.time, quarter * (1 + 2 * number) as f64, epsilon = 1e-8);
    }
    let energy = |state: &State<pendulum::System>| system.energy(state.time, &state.configuration, &state.velocity);
    let first = energy(&run.states[0]);
    assert!(run.states.iter().all(|state| (energy(state) - first).abs() < 1e-9));
}

#[test]
fn a_pendulum_rests_on_its_stop_until_a_torque_lifts_it() {
    let gravity = 9.81;
    let system = pendulum::System::new(between(gravity, [0.3, 1.0])).unwrap();
    let run = started(&system, 0.8, 0.0).contact("hinge", 0.4).step(0.01).end_time(3.0).run().unwrap();
    assert_abs_diff_eq!(run.last().configuration.angle, 0.3, epsilon = 1e-12);
    assert!(run.events_called("hinge lower").count() > 3);
    assert_relative_eq!(
        run.reaction("hinge").unwrap().last().unwrap()[0],
        gravity * 0.3_f64.sin(),
        max_relative = 1e-9
    );
    let energy = |state: &State<pendulum::System>| system.energy(state.time, &state.configuration, &state.velocity);
    assert!(run.states.windows(2).all(|pair| energy(&pair[1]) <= energy(&pair[0]) + 1e-8));

    let resting = pendulum::Data { growth: 2.0, stop: -1, ..between(gravity, [0.3, 1.0]) };
    let system = pendulum::System::new(resting).unwrap();
    let run = started(&system, 0.3, 0.0).contact("hinge", 0.0).step(0.01).end_time(6.0).run().unwrap();
    let release = run.events_called("hinge lower release").next().unwrap();
    assert_relative_eq!(release.time, gravity * 0.3_f64.sin() / 2.0, max_relative = 1e-11);
    // The torque presses the pendulum against the other stop. The reaction is positive at both stops.
    let last = run.last();
    assert_abs_diff_eq!(last.configuration.angle, 1.0, epsilon = 1e-12);
    let reaction = run.reaction("hinge").unwrap().last().unwrap()[0];
    assert_relative_eq!(reaction, 2.0 * 6.0 - gravity * 1.0_f64.sin(), max_relative = 1e-9);
    assert_eq!(run.events.last().unwrap().system.as_ref().unwrap().parameters().stop, 1);
}

#[test]
fn contradictory_states_and_unknown_names_are_errors() {
    let run = |data: pendulum::Data, name: &str| {
        let system = pendulum::System::new(data).unwrap();
        started(&system, 0.0, 0.0).contact(name, 0.5).step(0.01).end_time(0.1).run().unwrap_err()
    };
    let outside = run(between(9.81, [0.3, 1.0]), "hinge").failure;
    assert!(matches!(&outside, Failure::Event { error, .. } if matches!(**error, EventError::Penetration { .. })));
    let pulled = pendulum::Data { stop: -1, growth: -1.0, ..between(-9.81, [0.0, 1.0]) };
    let system = pendulum::System::new(pulled).unwrap();
    let simulation = started(&system, 0.0, 0.0).end_time(0.1);
    assert!(matches!(
        simulation.run().unwrap().warnings()[..],
        [Warning::BilateralContact { contact: "hinge lower" }, ..]
    ));
    let unknown = run(between(0.0, [-1.0, 1.0]), "elbow").failure;
    assert!(matches!(unknown, Failure::Setup(SetupError::UnknownContact { known, .. }) if known == ["hinge"]));
}

fn with_stop(stop: i32, limits: [f64; 2], growth: f64) -> pendulum::System {
    pendulum::System::new(pendulum::Data { growth, stop, ..between(9.81, limits) }).unwrap()
}

#[test]
fn an_equilibrium_agrees_with_the_laws_of_its_stops() {
    let solve = |stop: i32| {
        let system = with_stop(stop, [0.3, 1.0], 0.0);
        Equilibrium::of(&system).guess(pendulum::Angle { angle: 0.4 }).solve().map(|found| found.state)
    };
    let linearise = |stop: i32, angle: f64| {
        let system = with_stop(stop, [0.3, 1.0], 0.0);
        Linearisation::of(&system).at(0.0, &pendulum::Angle { angle }, &Vector1::zeros()).map(|_| ())
    };
    // The hanging pendulum is beyond the lower stop.
    let Err(EquilibriumError::Law(violation)) = solve(0) else { panic!() };
    let LawViolation::Penetration { contact: "hinge lower", gap, remedy: "stop = -1", .. } = violation else {
        panic!("{violation}")
    };
    assert_abs_diff_eq!(gap, -0.3, epsilon = 1e-12);
    assert!(matches!(linearise(0, 0.0), Err(LinearisationError::Law(LawViolation::Penetration { .. }))));
    // Gravity presses it against the lower stop, and pulls it away from the upper one.
    let resting = solve(-1).unwrap();
    assert_abs_diff_eq!(resting.configuration.angle, 0.3, epsilon = 1e-14);
    assert_relative_eq!(-resting.multipliers[0], 9.81 * 0.3_f64.sin(), max_relative = 1e-12);
    assert!(linearise(-1, 0.3).is_ok());
    let Err(EquilibriumError::Law(violation)) = solve(1) else { panic!() };
    let LawViolation::Adhesion { contact: "hinge upper", reaction, remedy: "stop = 0", .. } = violation else {
        panic!("{violation}")
    };
    assert_relative_eq!(reaction, -9.81 * 1.0_f64.sin(), max_relative = 1e-12);
    assert!(matches!(linearise(1, 1.0), Err(LinearisationError::Law(LawViolation::Adhesion { .. }))));
    // Between the stops it oscillates.
    let system = with_stop(0, [-1.0, 1.0], 0.0);
    let linear = Linearisation::of(&system).at(0.0, &pendulum::Angle { angle: 0.0 }, &Vector1::zeros()).unwrap();
    assert_relative_eq!(linear.stiffness[(0, 0)], 9.81, max_relative = 1e-14);
    // A stop at the equilibrium has no reaction, open or active.
    for stop in [-1, 0] {
        let system = with_stop(stop, [0.0, 1.0], 0.0);
        assert!(Equilibrium::of(&system).guess(pendulum::Angle { angle: 0.1 }).solve().is_ok());
    }
}

#[test]
fn load_steps_and_continuation_end_where_a_stop_closes_or_opens() {
    let aside = pendulum::Angle { angle: 0.2 };
    // The torque is the load: the pendulum meets its stop at g sin 0.5, or leaves the stop at g sin 0.3.
    for (stop, limits, expected) in [(0, [-1.0, 0.5], 9.81 * 0.5_f64.sin()), (-1, [0.3, 1.0], 9.81 * 0.3_f64.sin())] {
        let system = with_stop(stop, limits, 0.0);
        let steps = LoadSteps::of(parameter(&system, "growth")).guess(aside).at_time(1.0);
        let Err(EquilibriumError::LoadStep { reached: Some(reached), error, .. }) = steps.values(&[1.0, 2.0, 6.0])
        else {
            panic!()
        };
        assert!(matches!(*error, EquilibriumError::Law(_)), "{error}");
        assert!(reached <= expected && reached > expected - 0.02, "{reached} {expected}");
    }
    let system = with_stop(0, [-1.0, 0.5], 0.0);
    let branch = Continuation::of(parameter(&system, "growth")).guess(1.0, aside).at_time(1.0).parameter_end(6.0);
    let ended = branch.step(0.1).run().unwrap_err();
    assert!(matches!(ended.error, EquilibriumError::Law(LawViolation::Penetration { contact: "hinge upper", .. })));
    let angles: Vec<f64> = ended.branch.points.iter().map(|point| point.state.configuration.angle).collect();
    assert!(angles.iter().all(|angle| *angle <= 0.5) && angles[angles.len() - 1] > 0.3, "{angles:?}");
}

#[test]
fn a_periodic_orbit_does_not_pass_a_stop() {
    for (limit, is_possible) in [(0.5, true), (0.3, false)] {
        let system = with_stop(0, [-1.0, limit], 0.0);
        let at = pendulum::Angle { angle: -0.4 };
        let found = PeriodicOrbit::of(&system).guess(at, Vector1::zeros()).period_guess(2.0).solve();
        match found {
            Ok(_) => assert!(is_possible),
            Err(OrbitError::Law { violation: LawViolation::Penetration { contact: "hinge upper", .. }, time }) => {
                assert!(!is_possible && time > 0.0 && time < 2.1);
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn a_run_without_the_events_of_an_open_stop_has_a_warning() {
    let system = with_stop(0, [-1.0, 0.5], 0.0);
    let run = started(&system, 0.2, 0.0).end_time(0.1).run().unwrap();
    assert_eq!(run.warnings(), [Warning::ContactWithoutEvents { contact: "hinge lower" }]);
}
