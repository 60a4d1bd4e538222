//! Unilateral contacts: `#[constraint(active = …)]` and `Simulation::contact`.

use approx::assert_relative_eq;
use lie_runtime::prelude::*;
use lie_runtime::simulate::event::EventError;
use lie_runtime::simulate::{Failure, SetupError, Warning};

/// A ball above a floor that oscillates.
#[mechanical_system]
pub mod ball {
    #[configuration]
    pub struct Height {
        pub z: f64,
    }

    #[parameters]
    pub struct Data {
        pub gravity: f64,
        pub amplitude: f64,
        pub frequency: f64,
        pub on_floor: bool,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * 2.0 * v.z * v.z
    }

    #[potential]
    fn weight(p: &Data, q: &Height) -> f64 {
        2.0 * p.gravity * q.z
    }

    #[constraint(active = p.on_floor)]
    fn floor(p: &Data, t: f64, q: &Height) -> f64 {
        q.z - p.amplitude * (p.frequency * t).sin()
    }
}

const GRAVITY: f64 = 9.81;

/// A ball on a floor at rest.
fn data(gravity: f64, on_floor: bool) -> ball::System {
    ball::System::new(ball::Data { gravity, amplitude: 0.0, frequency: 1.0, on_floor }).unwrap()
}

#[test]
fn a_ball_bounces_and_comes_to_rest_at_the_end_of_the_geometric_series() {
    let system = data(GRAVITY, false);
    let restitution = 0.5_f64;
    let run = Simulation::of(&system)
        .at_rest(ball::Height { z: 1.0 })
        .contact("floor", restitution)
        .event("apex", |_, state| state.velocity.x)
        .falling()
        .record()
        .step(0.01)
        .end_time(3.0)
        .run()
        .unwrap();
    let first = (2.0 / GRAVITY).sqrt();
    let impacts: Vec<_> = run.events_called("floor").collect();
    // The rebound 0.5¹⁰ of the tenth impact is slower than 10⁻³ of the first approach.
    assert_eq!(impacts.len(), 10);
    let mut time = first;
    for (impact, number) in impacts.iter().zip(1..) {
        assert_relative_eq!(impact.time, time, max_relative = 1e-11);
        let after = impact.after.as_ref().unwrap().velocity.x;
        let rebound = if number == 10 { 0.0 } else { GRAVITY * first * restitution.powi(number) };
        assert_relative_eq!(after, rebound, epsilon = 1e-10);
        time += 2.0 * first * restitution.powi(number);
    }
    // The sum of the whole series is three times the first fall.
    assert_relative_eq!(impacts[9].time, 3.0 * first, max_relative = 2e-3);
    for (apex, number) in run.events_called("apex").zip(1..) {
        assert_relative_eq!(apex.before.configuration.z, restitution.powi(2 * number), max_relative = 1e-8);
    }
    for state in &run.states {
        assert!(state.configuration.z > -1e-12);
        assert!(state.time < time || state.configuration.z < 1e-12);
    }
    assert_eq!(run.events_called("floor release").count(), 0);
    assert_relative_eq!(run.last().multipliers.x, -2.0 * GRAVITY, max_relative = 1e-12);
}

#[test]
fn an_oscillating_floor_launches_a_ball_when_its_acceleration_is_that_of_gravity() {
    let amplitude = 0.1;
    let frequency = (2.0 * GRAVITY / amplitude).sqrt();
    let system = ball::System::new(ball::Data { gravity: GRAVITY, amplitude, frequency, on_floor: true }).unwrap();
    let run = Simulation::of(&system)
        .initial(ball::Height { z: 0.0 }, Vector1::new(amplitude * frequency))
        .contact("floor", 0.3)
        .step(1e-3)
        .end_time(0.5)
        .run()
        .unwrap();
    // A ω² sin ω t = g at half the largest acceleration.
    let release = run.events_called("floor release").next().unwrap();
    let launched = core::f64::consts::FRAC_PI_6 / frequency;
    assert_relative_eq!(release.time, launched, max_relative = 1e-9);
    let speed = amplitude * frequency * (frequency * launched).cos();
    let gap = |time: f64| {
        let flight = time - launched;
        0.5 * amplitude + speed * flight - 0.5 * GRAVITY * flight * flight - amplitude * (frequency * time).sin()
    };
    let (mut low, mut high) = (launched + 0.05, launched + 0.5);
    assert!(gap(low) > 0.0 && gap(high) < 0.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if gap(middle) > 0.0 { low = middle } else { high = middle }
    }
    let landing = run.events_called("floor").next().unwrap();
    assert_relative_eq!(landing.time, low, max_relative = 1e-8);
    let floor = amplitude * frequency * (frequency * low).cos();
    let relative = |velocity: f64| velocity - floor;
    let after = landing.after.as_ref().unwrap();
    assert_relative_eq!(relative(after.velocity.x), -0.3 * relative(landing.before.velocity.x), max_relative = 1e-7);
    for state in &run.states {
        assert!(state.configuration.z - amplitude * (frequency * state.time).sin() > -1e-9);
    }
}

fn failure(system: &ball::System, height: f64, speed: f64) -> EventError {
    let run = Simulation::of(system)
        .initial(ball::Height { z: height }, Vector1::new(speed))
        .contact("floor", 0.5)
        .step(1e-2)
        .end_time(0.1)
        .run();
    match run.unwrap_err().failure {
        Failure::Event { error, .. } => *error,
        other => panic!("{other}"),
    }
}

#[test]
fn an_initial_state_that_contradicts_the_contact_is_an_error() {
    let open = data(GRAVITY, false);
    for (height, speed) in [(-0.1, 0.0), (-0.1, 1.0), (0.0, -1.0), (0.0, 0.0)] {
        assert!(matches!(failure(&open, height, speed), EventError::Penetration { .. }), "{height} {speed}");
    }
    // Gravity acts upwards.
    let lifted = data(-GRAVITY, true);
    assert_eq!(failure(&lifted, 0.0, 0.0), EventError::Adhesion { reaction: -2.0 * GRAVITY });
    let resting = data(GRAVITY, true);
    let run = Simulation::of(&resting)
        .at_rest(ball::Height { z: 0.0 })
        .contact("floor", 0.5)
        .step(1e-2)
        .end_time(0.1)
        .run()
        .unwrap();
    assert_eq!((run.last().configuration.z, run.events.len()), (0.0, 0));
    let thrown = Simulation::of(&open)
        .initial(ball::Height { z: 0.0 }, Vector1::new(1.0))
        .contact("floor", 0.5)
        .step(1e-2)
        .end_time(0.25)
        .run()
        .unwrap();
    assert_relative_eq!(thrown.events[0].time, 2.0 / GRAVITY, max_relative = 1e-12);
}

#[test]
fn an_unknown_contact_and_an_invalid_restitution_are_errors() {
    let system = data(GRAVITY, false);
    let run = |name, restitution| {
        let run = Simulation::of(&system).at_rest(ball::Height { z: 1.0 }).contact(name, restitution).end_time(0.1);
        let error = run.run().unwrap_err();
        match &error.failure {
            Failure::Setup(error @ (SetupError::UnknownContact { .. } | SetupError::Restitution { .. })) => {
                error.to_string()
            }
            other => panic!("{other}"),
        }
    };
    let unknown = run("flor", 0.5);
    assert!(unknown.contains("unknown contact `flor`") && unknown.contains("did you mean `floor`"), "{unknown}");
    assert!(run("floor", 1.5).contains("restitution of `floor` is 1.5"));
    assert!(run("floor", f64::NAN).contains("NaN"));
}

#[test]
fn a_contact_without_events_is_a_warning() {
    let system = data(GRAVITY, true);
    let simulation = || Simulation::of(&system).at_rest(ball::Height { z: 0.0 }).step(1e-2).end_time(0.1);
    let kinds = |run: &Run<'_, ball::System>| -> Vec<_> { run.warnings().iter().map(Warning::kind).collect() };
    let run = simulation().run().unwrap();
    assert_eq!(kinds(&run), ["BilateralContact"]);
    assert!(run.warnings()[0].to_string().contains("Set `.contact(\"floor\", e)`"));
    assert!(kinds(&simulation().contact("floor", 0.0).run().unwrap()).is_empty());
    let open = data(GRAVITY, false);
    let falls = Simulation::of(&open).at_rest(ball::Height { z: 1.0 }).end_time(0.1).run().unwrap();
    assert_eq!(kinds(&falls), ["ContactWithoutEvents"]);
}

#[test]
fn a_contact_in_a_run_with_derivatives_is_an_error() {
    let system = data(GRAVITY, false);
    let simulation = || Simulation::of(&system).at_rest(ball::Height { z: 1.0 }).step(1e-2).end_time(1.0);
    let after = simulation().with_sensitivities(["gravity"]).contact("floor", 0.5).run().err().unwrap().to_string();
    assert!(
        after.contains("the contact `floor` has no derivatives; remove the contact, or write its events with `.event`"),
        "{after}"
    );
    let before = simulation().contact("floor", 0.5).with_sensitivities(["gravity"]).run().err().unwrap().to_string();
    assert!(before.contains("A contact has no derivatives, replace `.contact` by its events"), "{before}");
}

/// A bar with a large moment of inertia above a floor.
#[mechanical_system]
pub mod bar {
    #[configuration]
    pub struct Pose {
        pub y: f64,
        pub angle: f64,
    }

    #[parameters]
    pub struct Data {
        pub left_acts: bool,
        pub right_acts: bool,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.y * v.y + 4.0 * v.angle * v.angle)
    }

    #[potential]
    fn weight(q: &Pose) -> f64 {
        9.81 * q.y
    }

    #[constraint(active = p.left_acts)]
    fn left(p: &Data, q: &Pose) -> f64 {
        q.y - q.angle.sin()
    }

    #[constraint(active = p.right_acts)]
    fn right(p: &Data, q: &Pose) -> f64 {
        q.y + q.angle.sin()
    }
}

#[test]
fn an_impact_at_one_end_lifts_the_other_end() {
    let system = bar::System::new(bar::Data { left_acts: true, right_acts: false }).unwrap();
    let tilt = 0.1_f64;
    let run = Simulation::of(&system)
        .at_rest(bar::Pose { y: tilt.sin(), angle: tilt })
        .contact("left", 0.0)
        .contact("right", 0.0)
        .step(1e-3)
        .end_time(1.0)
        .run()
        .unwrap();
    let strike = run.events_called("right").next().unwrap();
    // The energy of the fall is 5 w² / 2. The impulse Λ = 1.6 w at the right end lifts the left end with 1.2 w.
    let w = (2.0 * GRAVITY * tilt.sin() / 5.0).sqrt();
    let after = strike.after.as_ref().unwrap().velocity;
    assert_relative_eq!(after.x, 0.6 * w, max_relative = 1e-9);
    assert_relative_eq!(after.y, -0.6 * w, max_relative = 1e-9);
    // The left end would need a pulling impulse, and is released before the impact.
    assert_eq!(strike.impulses.len(), 1);
    assert_relative_eq!(strike.impulses[0].rows[0], -1.6 * w, max_relative = 1e-9);
    let (mut energy, ends) = (f64::INFINITY, |state: &State<bar::System>| {
        let bar::Pose { y, angle } = state.configuration;
        [y - angle.sin(), y + angle.sin()]
    });
    for state in &run.states {
        assert!(ends(state).iter().all(|gap| *gap > -1e-9), "{:?}", ends(state));
        let now = system.energy(state.time, &state.configuration, &state.velocity);
        assert!(now <= energy + 1e-9);
        energy = now;
    }
}

#[test]
fn both_ends_strike_together_and_one_impact_is_plastic() {
    // The bar falls with both ends at the speed w. B M⁻¹ Bᵀ has the entries 1.25 and 0.75.
    for (restitution, rests) in [(0.5, true), (0.9, false)] {
        let system = bar::System::new(bar::Data { left_acts: false, right_acts: false }).unwrap();
        let run = Simulation::of(&system)
            .at_rest(bar::Pose { y: 1.0, angle: 0.0 })
            .contact("left", 0.0)
            .contact("right", restitution)
            .step(1e-3)
            .end_time(0.5)
            .run()
            .unwrap();
        let strike = run.events_called("left").next().unwrap();
        assert_eq!(strike.simultaneous, ["right"]);
        let w = (2.0 * GRAVITY).sqrt();
        let after = strike.after.as_ref().unwrap().velocity;
        let ends = [after.x - after.y, after.x + after.y];
        // The impulse 1.9 / 1.25 at the right end lifts the left end.
        let left = if rests { 0.0 } else { -1.0 + 0.75 * 1.9 / 1.25 };
        assert_relative_eq!(ends[0], left * w, epsilon = 1e-9);
        assert_relative_eq!(ends[1], restitution * w, epsilon = 1e-9);
        let data = strike.system.as_ref().unwrap().parameters();
        assert_eq!((data.left_acts, data.right_acts), (rests, false));
    }
}
