//! Friction of unilateral contacts: `#[velocity_constraint(contact = …, friction = …, slip = …)]` and `Simulation::contact`.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use lie_runtime::analysis::{Equilibrium, EquilibriumError, Linearisation, LinearisationError};
use lie_runtime::prelude::*;
use lie_runtime::simulate::event::EventError;
use lie_runtime::simulate::{Failure, SetupError};
use lie_runtime::system::LawViolation;

const GRAVITY: f64 = 9.81;

/// A block on an inclined plane, pulled by a force that grows with time.
#[mechanical_system]
pub mod block {
    #[configuration]
    pub struct Position {
        pub x: f64,
        pub z: f64,
    }

    #[parameters]
    pub struct Data {
        pub slope: f64,
        pub mu: f64,
        /// The growth of the pulling force, downhill.
        pub pull: f64,
        pub on_plane: bool,
        pub slip: i32,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * 2.0 * (v.x * v.x + v.z * v.z)
    }

    #[potential]
    fn weight(q: &Position) -> f64 {
        2.0 * 9.81 * q.z
    }

    #[force(on = x)]
    fn pull_x(p: &Data, t: f64) -> f64 {
        p.pull * t * p.slope.cos()
    }

    #[force(on = z)]
    fn pull_z(p: &Data, t: f64) -> f64 {
        -p.pull * t * p.slope.sin()
    }

    #[constraint(active = p.on_plane)]
    fn plane(p: &Data, q: &Position) -> f64 {
        q.z * p.slope.cos() + q.x * p.slope.sin()
    }

    #[velocity_constraint(contact = plane, friction = p.mu, slip = p.slip)]
    fn sliding(p: &Data, v: &Velocity) -> f64 {
        v.x * p.slope.cos() - v.z * p.slope.sin()
    }
}

const SLOPE: f64 = 0.4;

fn on_plane(mu: f64, slip: i32) -> block::System {
    block::System::new(block::Data { slope: SLOPE, mu, pull: 0.0, on_plane: true, slip }).unwrap()
}

/// Returns the coordinate along the plane.
fn along(state: &State<block::System>) -> f64 {
    state.configuration.x * SLOPE.cos() - state.configuration.z * SLOPE.sin()
}

/// A simulation that starts with a velocity along the plane.
fn started(system: &block::System, speed: f64) -> Simulation<'_, block::System> {
    let velocity = Vector2::new(speed * SLOPE.cos(), -speed * SLOPE.sin());
    Simulation::of(system).initial(block::Position { x: 0.0, z: 0.0 }, velocity).contact("plane", 0.0)
}

#[test]
fn a_block_sticks_to_an_inclined_plane_without_creep() {
    let system = on_plane(1.01 * SLOPE.tan(), 0);
    let run = started(&system, 0.0).step(1e-3).output_every(10_000).end_time(100.0).run().unwrap();
    assert_eq!((run.events.len(), run.statistics.accepted), (0, 100_000));
    for state in &run.states {
        assert!(along(state).abs() <= 1e-14, "{}", along(state));
        let energy = system.energy(state.time, &state.configuration, &state.velocity);
        assert!(energy.abs() <= 1e-14, "{energy:e}");
    }
    assert_relative_eq!(run.reaction("plane").unwrap()[0][0], 2.0 * GRAVITY * SLOPE.cos(), max_relative = 1e-12);
}

#[test]
fn a_block_slips_with_the_acceleration_of_coulomb_friction_in_every_method() {
    let mu = 0.2;
    let (system, acceleration) = (on_plane(mu, 1), GRAVITY * (SLOPE.sin() - mu * SLOPE.cos()));
    let ends = [
        started(&system, 0.0).step(0.01).end_time(1.0).run().unwrap().last().clone(),
        started(&system, 0.0).end_time(1.0).run().unwrap().last().clone(),
        started(&system, 0.0).method_named("lie_alpha").unwrap().step(1e-2).end_time(1.0).run().unwrap().last().clone(),
        started(&system, 0.0).method_named("tr_bdf2").unwrap().step(1e-2).end_time(1.0).run().unwrap().last().clone(),
        started(&system, 0.0).method_named("rattlie").unwrap().step(1e-2).end_time(1.0).run().unwrap().last().clone(),
        started(&system, 0.0)
            .method_named("radau_iia5")
            .unwrap()
            .step(1e-2)
            .end_time(1.0)
            .run()
            .unwrap()
            .last()
            .clone(),
    ];
    for end in &ends {
        assert_relative_eq!(along(end), 0.5 * acceleration, max_relative = 1e-10);
    }
}

#[test]
fn a_block_stops_and_stays_or_slides_back() {
    let energy = |system: &block::System, state: &State<block::System>| {
        system.energy(state.time, &state.configuration, &state.velocity)
    };
    for (mu, returns) in [(0.6, false), (0.3, true)] {
        let system = on_plane(mu, -1);
        let run = started(&system, -3.0).step(0.01).end_time(2.0).run().unwrap();
        let stop = 3.0 / (GRAVITY * (SLOPE.sin() + mu * SLOPE.cos()));
        let sticks: Vec<_> = run.events_called("plane stick").collect();
        assert_eq!((sticks.len(), run.events.len()), (1, 1));
        assert_relative_eq!(sticks[0].time, stop, max_relative = 1e-11);
        let back = GRAVITY * (SLOPE.sin() - mu * SLOPE.cos());
        let expected = -1.5 * stop + if returns { 0.5 * back * (2.0 - stop).powi(2) } else { 0.0 };
        assert_relative_eq!(along(run.last()), expected, max_relative = 1e-11);
        assert_eq!(sticks[0].system.as_ref().unwrap().parameters().slip, i32::from(returns));
        let energies: Vec<f64> = run.states.iter().map(|state| energy(&system, state)).collect();
        assert!(energies.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12));
    }
}

#[test]
fn a_growing_force_overcomes_the_friction_limit() {
    let (mu, pull) = (0.5, 4.0);
    let system = block::System::new(block::Data { slope: SLOPE, mu, pull, on_plane: true, slip: 0 }).unwrap();
    let run = started(&system, 0.0).step(0.01).end_time(3.0).run().unwrap();
    // The limit is 2 g (μ cos a − sin a) = 4 t.
    let onset = 2.0 * GRAVITY * (mu * SLOPE.cos() - SLOPE.sin()) / pull;
    assert_eq!(run.events.len(), 1);
    assert_eq!(run.events[0].event, "plane slip");
    assert_relative_eq!(run.events[0].time, onset, max_relative = 1e-11);
    // x'' = 2 (t − onset)
    assert_relative_eq!(along(run.last()), (3.0 - onset).powi(3) / 3.0, max_relative = 1e-9);
    assert!(run.warnings().is_empty(), "{:?}", run.warnings());
}

fn failure(system: &block::System, speed: f64) -> EventError {
    match started(system, speed).step(0.01).end_time(1.0).run().unwrap_err().failure {
        Failure::Event { error, .. } => *error,
        other => panic!("{other}"),
    }
}

#[test]
fn a_contradictory_slip_and_an_invalid_coefficient_are_errors() {
    let EventError::Slip { excess } = failure(&on_plane(0.2, 0), 0.0) else { panic!() };
    assert_relative_eq!(excess, 2.0 * GRAVITY * (SLOPE.sin() - 0.2 * SLOPE.cos()), max_relative = 1e-9);
    assert!(matches!(failure(&on_plane(0.2, -1), 1.0), EventError::SlidingDirection { .. }));
    // A block at rest on a rough plane does not slide.
    assert!(matches!(failure(&on_plane(0.9, 1), 0.0), EventError::SlidingDirection { .. }));
    let error = started(&on_plane(-0.1, 0), 0.0).end_time(1.0).run().unwrap_err();
    assert!(matches!(error.failure, Failure::Setup(SetupError::Friction { .. })), "{error}");
}

/// A solid ball above a floor.
#[mechanical_system]
pub mod ball {
    #[configuration]
    pub struct Pose {
        pub x: f64,
        pub z: f64,
        pub angle: f64,
    }

    #[parameters]
    pub struct Data {
        pub mu: f64,
        pub on_floor: bool,
        pub slip: i32,
    }

    pub const RADIUS: f64 = 0.3;
    pub const MASS: f64 = 1.5;

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * MASS * (v.x * v.x + v.z * v.z + 0.4 * RADIUS * RADIUS * v.angle * v.angle)
    }

    #[potential]
    fn weight(q: &Pose) -> f64 {
        MASS * 9.81 * q.z
    }

    #[constraint(active = p.on_floor)]
    fn floor(p: &Data, q: &Pose) -> f64 {
        q.z - RADIUS
    }

    #[velocity_constraint(contact = floor, friction = p.mu, slip = p.slip)]
    fn sliding(p: &Data, v: &Velocity) -> f64 {
        v.x - RADIUS * v.angle
    }
}

#[test]
fn a_sliding_ball_begins_to_roll_with_five_sevenths_of_its_speed() {
    let (mu, speed) = (0.15, 2.0);
    let system = ball::System::new(ball::Data { mu, on_floor: true, slip: 1 }).unwrap();
    let run = Simulation::of(&system)
        .initial(ball::Pose { x: 0.0, z: ball::RADIUS, angle: 0.0 }, ball::Velocity { x: speed, z: 0.0, angle: 0.0 })
        .contact("floor", 0.5)
        .monitor_energy()
        .step(0.01)
        .end_time(1.0)
        .run()
        .unwrap();
    assert_eq!(run.events.len(), 1);
    assert_eq!(run.events[0].event, "floor stick");
    assert_relative_eq!(run.events[0].time, 2.0 * speed / (7.0 * mu * GRAVITY), max_relative = 1e-9);
    assert_relative_eq!(run.last().velocity.x, 5.0 / 7.0 * speed, max_relative = 1e-9);
    assert_relative_eq!(run.last().velocity.z, 5.0 / 7.0 * speed / ball::RADIUS, max_relative = 1e-9);
    // The friction does no work while the ball rolls.
    let lost = 0.5 * ball::MASS * speed * speed * 2.0 / 7.0;
    let energy = |state: &State<ball::System>| system.energy(state.time, &state.configuration, &state.velocity);
    assert_relative_eq!(energy(&run.states[0]) - energy(run.last()), lost, max_relative = 1e-9);
    assert!(run.statistics.energy_defect.unwrap() < 1e-9, "{:?}", run.statistics.energy_defect);
}

#[test]
fn an_impact_has_a_tangential_impulse_within_the_friction_limit() {
    let (fall, restitution) = (3.0, 0.6);
    for (mu, sticks) in [(0.05, false), (0.5, true)] {
        let system = ball::System::new(ball::Data { mu, on_floor: false, slip: 0 }).unwrap();
        let run = Simulation::of(&system)
            .initial(ball::Pose { x: 0.0, z: ball::RADIUS + 0.1, angle: 0.0 }, Vector3::new(2.0, -fall, 0.0))
            .contact("floor", restitution)
            .step(0.005)
            .end_time(3.0)
            .run()
            .unwrap();
        let impact = run.events_called("floor").next().unwrap();
        let (before, after) = (impact.before.velocity, impact.after.as_ref().unwrap().velocity);
        assert_relative_eq!(after.y, -restitution * before.y, max_relative = 1e-11);
        // The sliding velocity 2 needs the impulse 2 m · 2/7 to stop.
        let impulse = if sticks { 2.0 / 7.0 * 2.0 } else { mu * (1.0 + restitution) * -before.y };
        assert_relative_eq!(after.x, 2.0 - impulse, max_relative = 1e-11);
        assert_relative_eq!(after.z, 2.5 * impulse / ball::RADIUS, max_relative = 1e-10);
        // The ball comes to rest on the floor and rolls with 5/7 of its speed in the end.
        let end = run.last();
        assert_abs_diff_eq!(end.configuration.z, ball::RADIUS, epsilon = 1e-12);
        assert_relative_eq!(end.velocity.x, 10.0 / 7.0, max_relative = 1e-9);
        assert_abs_diff_eq!(end.velocity.x - ball::RADIUS * end.velocity.z, 0.0, epsilon = 1e-12);
        let mut energy = f64::INFINITY;
        for state in &run.states {
            let now = system.energy(state.time, &state.configuration, &state.velocity);
            assert!(now <= energy + 1e-9);
            energy = now;
        }
    }
}

/// A rod whose lower end slides on a floor.
#[mechanical_system]
pub mod rod {
    #[configuration]
    pub struct Pose {
        pub x: f64,
        pub z: f64,
        pub angle: f64,
    }

    #[parameters]
    pub struct Data {
        pub mu: f64,
        pub on_floor: bool,
        pub slip: i32,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.x * v.x + v.z * v.z + v.angle * v.angle / 3.0)
    }

    #[potential]
    fn weight(q: &Pose) -> f64 {
        9.81 * q.z
    }

    #[constraint(active = p.on_floor)]
    fn floor(p: &Data, q: &Pose) -> f64 {
        q.z - q.angle.sin()
    }

    #[velocity_constraint(contact = floor, friction = p.mu, slip = p.slip)]
    fn sliding(p: &Data, q: &Pose, v: &Velocity) -> f64 {
        v.x - q.angle.sin() * v.angle
    }
}

fn rod_on_floor(mu: f64) -> Result<f64, Failure> {
    let system = rod::System::new(rod::Data { mu, on_floor: true, slip: 1 }).unwrap();
    let angle = core::f64::consts::FRAC_PI_3;
    let run = Simulation::of(&system)
        .initial(rod::Pose { x: 0.0, z: angle.sin(), angle }, Vector3::new(1.0, 0.0, 0.0))
        .contact("floor", 0.0)
        .step(1e-3)
        .end_time(0.01)
        .run();
    run.map(|run| run.reaction("floor").unwrap()[0][0]).map_err(|error| error.failure)
}

#[test]
fn friction_couples_with_the_normal_force_up_to_the_paradox_of_painleve() {
    // B_n M⁻¹ B_nᵀ = 1 + 3 cos², B_n M⁻¹ B_tᵀ = 3 sin cos.
    let (sin, cos) = core::f64::consts::FRAC_PI_3.sin_cos();
    let (direct, coupling) = (1.0 + 3.0 * cos * cos, 3.0 * sin * cos);
    let mu = 0.5;
    assert_relative_eq!(rod_on_floor(mu).unwrap(), GRAVITY / (direct - mu * coupling), max_relative = 1e-10);
    match rod_on_floor(1.5).unwrap_err() {
        Failure::Event { error, .. } => {
            let EventError::Painleve { pivot } = *error else { panic!("{error}") };
            assert_relative_eq!(pivot, 1.0 - 1.5 * coupling / direct, max_relative = 1e-10);
        }
        other => panic!("{other}"),
    }
}

#[test]
fn equilibrium_and_linearisation_refuse_sliding_and_hold_a_block_up_to_the_angle_of_friction() {
    let at = block::Position { x: 0.0, z: 0.0 };
    let equilibrium = |system: &block::System| Equilibrium::of(system).guess(at).solve().map(|found| found.state);
    let linearisation = |system: &block::System| Linearisation::of(system).at(0.0, &at, &Vector2::zeros());
    let sliding = on_plane(0.2, 1);
    assert!(matches!(equilibrium(&sliding), Err(EquilibriumError::Sliding)));
    assert!(matches!(linearisation(&sliding), Err(LinearisationError::Sliding)));
    // The block rests exactly for μ ≥ tan of the slope. No velocity is left, and the forces of gravity are the scale of its round-off.
    let rough = on_plane((1.0 + 1e-12) * SLOPE.tan(), 0);
    assert_relative_eq!(
        equilibrium(&rough).unwrap().multipliers[0],
        -2.0 * GRAVITY * SLOPE.cos(),
        max_relative = 1e-12
    );
    assert_eq!(linearisation(&rough).unwrap().stiffness.shape(), (0, 1));
    let mu = (1.0 - 1e-6) * SLOPE.tan();
    let smooth = on_plane(mu, 0);
    let Err(EquilibriumError::Law(violation)) = equilibrium(&smooth) else { panic!("{:?}", equilibrium(&smooth)) };
    let LawViolation::Slip { friction: "plane", reaction, bound, flag: "slip", .. } = violation else {
        panic!("{violation}")
    };
    assert_relative_eq!(reaction, 2.0 * GRAVITY * SLOPE.sin(), max_relative = 1e-12);
    assert_relative_eq!(bound, mu * 2.0 * GRAVITY * SLOPE.cos(), max_relative = 1e-12);
    assert!(violation.to_string().contains("set `slip = 1`"), "{violation}");
    assert!(matches!(linearisation(&smooth), Err(LinearisationError::Law(LawViolation::Slip { .. }))));
}

#[test]
fn a_linearisation_of_a_ball_checks_its_gap() {
    let linearise = |on_floor: bool, height: f64| {
        let system = ball::System::new(ball::Data { mu: 0.3, on_floor, slip: 0 }).unwrap();
        Linearisation::of(&system).at(
            0.0,
            &ball::Pose { x: 0.0, z: ball::RADIUS + height, angle: 0.0 },
            &Vector3::zeros(),
        )
    };
    // The ball can roll.
    assert_eq!(linearise(true, 0.0).unwrap().shapes.shape(), (3, 2));
    let Err(LinearisationError::Law(violation)) = linearise(false, -0.1) else { panic!() };
    let LawViolation::Penetration { contact: "floor", gap, .. } = violation else { panic!("{violation}") };
    assert_relative_eq!(gap, -0.1, max_relative = 1e-14);
    assert!(violation.to_string().contains("Set `on_floor = true`"), "{violation}");
    // Above the floor and exactly on it, it falls.
    for height in [0.0, 0.1] {
        assert!(
            matches!(linearise(false, height), Err(LinearisationError::NotSteady { acceleration, .. }) if acceleration < -9.8)
        );
    }
}
