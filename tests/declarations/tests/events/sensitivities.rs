//! Derivatives of motions across events, against closed forms and differences of whole runs.

use approx::assert_relative_eq;
use lie_runtime::gradient::{Sensitive, SensitivityError};
use lie_runtime::integrator::{AnyMethod, Integrator};
use lie_runtime::prelude::*;
use lie_runtime::scalar::{Dual, Scalar};
use lie_runtime::simulate::event::EventError;
use lie_runtime::simulate::{Failure, Trajectory};

use super::impacts::brick;
use super::modes::{block, sledge};

/// A ball on a table that is moved up and down.
#[mechanical_system(redundant = minimum_norm)]
pub mod bouncing {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Height {
        pub z: f64,
    }

    #[parameters]
    pub struct Ball {
        pub gravity: f64,
        pub restitution: f64,
        pub amplitude: f64,
        pub frequency: f64,
        pub touches: bool,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        v.z * v.z
    }

    #[potential]
    fn weight(p: &Ball, q: &Height) -> f64 {
        2.0 * p.gravity * q.z
    }

    #[constraint]
    fn table(p: &Ball, t: f64, q: &Height) -> f64 {
        if p.touches { q.z - p.amplitude * (p.frequency * t).sin() } else { 0.0 }
    }
}

const BALL: bouncing::Ball =
    bouncing::Ball { gravity: 9.81, restitution: 0.7, amplitude: 0.0, frequency: 5.0, touches: false };

/// The same events of a run and of one with sensitivities.
macro_rules! bouncing {
    ($run:expr) => {
        $run.event("strikes", |system, at| {
            let p = system.parameters();
            at.configuration.z - p.amplitude * (p.frequency * at.time).sin()
        })
        .falling()
        .apply(|at| {
            let restitution = at.system().parameters().restitution;
            at.set(|p| p.touches = true);
            at.impact(["table"], restitution);
            at.set(|p| p.touches = false);
        })
    };
}

/// The simulation of the ball from this height, at rest.
fn ball(system: &bouncing::System, z: f64) -> Simulation<'_, bouncing::System> {
    Simulation::of(system).initial(bouncing::Height { z }, Vector1::new(0.0)).step(0.01)
}

/// A stone whose weight changes in its flight, declared with and without derivatives.
#[test]
fn runs_with_derivatives_are_told_with_the_parameters_of_their_time() {
    let system = bouncing::System::new(BALL).unwrap();
    let told = |run: &Trajectory<bouncing::System>| -> Vec<f64> {
        let run = run.clone().with_system(&system).unwrap();
        run.samples().map(|sample| sample.energy.potential).collect()
    };
    macro_rules! heavier {
        ($run:expr) => {
            $run.event("heavier", |_, at| at.configuration.z - 0.5)
                .falling()
                .apply(|at| at.set(|p| p.gravity = p.gravity + p.gravity))
        };
    }
    let plain = heavier!(ball(&system, 1.0)).end_time(0.5).run().unwrap();
    let varied = heavier!(ball(&system, 1.0).end_time(0.5).with_sensitivities(["gravity"])).run().unwrap().trajectory;
    let (plain, varied_energies) = (told(&plain), told(&varied));
    assert_eq!(plain.len(), varied_energies.len());
    for (one, other) in plain.iter().zip(&varied_energies) {
        assert_relative_eq!(one, other, epsilon = 1e-12);
    }
    let left = varied.events[0].system.as_ref().unwrap();
    assert_relative_eq!(left.parameters().gravity, 2.0 * BALL.gravity);
}

#[test]
fn a_ball_has_the_derivatives_of_its_parabolas_by_every_kind_of_method() {
    let system = bouncing::System::new(BALL).unwrap();
    let (g, e, end): (f64, f64, f64) = (9.81, 0.7, 1.3);
    // The blows are at t₁ = √(2 z₀ / g) and t₂ = (1 + 2 e) t₁, from which it leaves with e² g t₁.
    let t1 = (2.0 / g).sqrt();
    let (t2, v2) = ((1.0 + 2.0 * e) * t1, e * e * g * t1);
    let since = end - t2;
    // By g, e and z₀: those of t₁, of t₂ and of the velocity.
    let slopes = [-0.5 * t1 / g, 0.0, 1.0 / (g * t1)];
    let t2_slopes = [(1.0 + 2.0 * e) * slopes[0], 2.0 * t1, (1.0 + 2.0 * e) * slopes[2]];
    let v2_slopes = [e * e * (t1 + g * slopes[0]), 2.0 * e * g * t1, e * e * g * slopes[2]];
    let own = [-0.5 * since * since, 0.0, 0.0];
    for method in [
        AnyMethod::of(HalfExplicit::hedop5()),
        AnyMethod::of(GeneralizedAlpha::lie_alpha()),
        AnyMethod::of(Rattlie::new()),
        AnyMethod::of(TrBdf2::new()),
    ] {
        let run = ball(&system, 1.0)
            .end_time(end)
            .with_sensitivities(["gravity", "restitution", "q.z"])
            .method(method.clone());
        let run = bouncing!(run).run().unwrap();
        assert_eq!(run.events.len(), 2, "{}", method.id());
        for by in 0..3 {
            assert_relative_eq!(run.events[0][by].time, slopes[by], epsilon = 1e-10);
            assert_relative_eq!(run.events[1][by].time, t2_slopes[by], epsilon = 1e-9);
            // At the event it is on the table, wherever that is in time.
            assert_relative_eq!(run.events[1][by].state.configuration.x, 0.0, epsilon = 1e-9);
            let expected = v2_slopes[by] * since - v2 * t2_slopes[by] + g * since * t2_slopes[by] + own[by];
            let found = &run.variations.last().unwrap()[by];
            assert_relative_eq!(found.configuration.x, expected, epsilon = 1e-8);
            let gravity = if by == 0 { -since } else { 0.0 };
            let expected = v2_slopes[by] + g * t2_slopes[by] + gravity;
            assert_relative_eq!(found.velocity.x, expected, epsilon = 1e-8);
        }
    }
}

/// The last state and the times of the events, as numbers.
fn told<M: MechanicalSystem<Scalar = f64>>(system: &M, origin: &M::Configuration, run: &Trajectory<M>) -> Vec<f64> {
    use lie_runtime::group::TangentVector;
    use lie_runtime::space::ConfigurationSpace;
    let last = run.last().unwrap();
    let mut way = system.zero_velocity();
    system.space().log_difference(origin, &last.configuration, &mut way);
    let components = |v: &M::Velocity| (0..v.component_count()).map(|at| v.component(at)).collect::<Vec<_>>();
    let mut numbers = components(&way);
    numbers.extend(components(&last.velocity));
    numbers.extend(run.events.iter().map(|event| event.time));
    numbers
}

/// Compares the derivatives of a run with differences of `at`, which runs with changed parameters.
fn compare<M: lie_runtime::system::TangentSystem>(
    system: &M,
    run: &Sensitive<M>,
    (step, bound): (f64, f64),
    at: impl Fn(usize, f64) -> Trajectory<M>,
) {
    use lie_runtime::group::TangentVector;
    let origin = &run.trajectory.last().unwrap().configuration;
    for (by, name) in run.names.iter().enumerate() {
        // Six points: O(step⁶).
        let around = [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0].map(|part| told(system, origin, &at(by, part * step)));
        let weights = [-1.0, 9.0, -45.0, 45.0, -9.0, 1.0].map(|weight| weight / (60.0 * step));
        let last = &run.variations.last().unwrap()[by];
        let components = |v: &M::Velocity| (0..v.component_count()).map(|at| v.component(at)).collect::<Vec<_>>();
        let mut found = components(&last.configuration);
        found.extend(components(&last.velocity));
        found.extend(run.events.iter().map(|event| event[by].time));
        for (number, found) in found.iter().enumerate() {
            let expected: f64 = weights.iter().zip(&around).map(|(weight, told)| weight * told[number]).sum();
            let error = (found - expected).abs() / (1.0 + expected.abs());
            assert!(error < bound, "{name}, number {number}: {found} instead of {expected}");
        }
    }
}

#[test]
fn a_table_that_moves_has_derivatives_by_its_motion() {
    let run = |[amplitude, frequency, restitution, z]: [f64; 4]| {
        let system = bouncing::System::new(bouncing::Ball { restitution, amplitude, frequency, ..BALL }).unwrap();
        bouncing!(ball(&system, z).end_time(1.4)).run().unwrap().into_trajectory()
    };
    let start = [0.05, 7.0, 0.8, 0.6];
    let system = bouncing::System::new(bouncing::Ball { amplitude: 0.05, frequency: 7.0, restitution: 0.8, ..BALL });
    let system = system.unwrap();
    let names = ["amplitude", "frequency", "restitution", "q.z"];
    let sensitive = bouncing!(ball(&system, start[3]).end_time(1.4).with_sensitivities(names)).run().unwrap();
    assert!(sensitive.events.len() >= 3);
    compare(&system, &sensitive, (1e-4, 1e-8), |by, change| {
        let mut at = start;
        at[by] += change;
        run(at)
    });
}

macro_rules! rocking {
    ($run:expr) => {
        $run.event("upright", |_, at| at.configuration.angle).apply(|at| {
            at.set(|p| p.on_the_left = !p.on_the_left);
            at.impact(["corner"], 0.0);
        })
    };
}

/// Tilted about its left corner: the projection holds the angle, and moves the centre with the size of the block.
fn tilted(system: &block::System, angle: f64) -> Simulation<'_, block::System> {
    let ((s, c), p) = (angle.sin_cos(), system.parameters());
    let (b, h) = (p.half_width, p.half_height);
    let pose = block::Pose { angle, x: Vector2::new(-b + c * b - s * h, s * b + c * h) };
    Simulation::of(system).initial(pose, system.zero_velocity()).fix_initial(["angle"]).step(1e-3).end_time(1.2)
}

#[test]
fn a_rocking_block_has_derivatives_by_its_size_and_its_tilt() {
    let system = |[half_width, half_height, _]: [f64; 3]| {
        block::System::new(block::Block { half_width, half_height, on_the_left: true }).unwrap()
    };
    let start = [0.2, 0.5, 0.1];
    let at_start = system(start);
    let sensitive = rocking!(tilted(&at_start, start[2]).with_sensitivities(["half_width", "half_height", "q.angle"]));
    let sensitive = sensitive.run().unwrap();
    assert!(sensitive.events.len() >= 3);
    compare(&at_start, &sensitive, (1e-4, 1e-8), |by, change| {
        let mut at = start;
        at[by] += change;
        rocking!(tilted(&system(at), at[2])).run().unwrap().into()
    });
}

macro_rules! stick_slip {
    ($run:expr) => {
        $run.event("breaks loose", |system, at| {
            let p = system.parameters();
            if p.sticks { at.multipliers.x.abs() - p.resting_friction } else { -p.resting_friction }
        })
        .rising()
        .apply(|at| at.set(|p| p.sticks = false))
        .event("stops", |system, at| {
            let p = system.parameters();
            if p.sticks { p.resting_friction } else { at.velocity.x }
        })
        .falling()
        .apply(|at| {
            at.set(|p| p.sticks = true);
            at.impact(["ground"], 0.0);
        })
    };
}

fn pulled(system: &sledge::System) -> Simulation<'_, sledge::System> {
    let start = sledge::Position { x: 0.0 };
    Simulation::of(system).initial(start, Vector1::new(0.0)).step(0.01).end_time(12.0)
}

#[test]
fn stick_and_slip_have_derivatives_by_what_pulls_and_what_holds() {
    let system = |[pull, stiffness, sliding_friction, resting_friction]: [f64; 4]| {
        let sledge = sledge::Sledge { pull, stiffness, sliding_friction, resting_friction, sticks: true };
        sledge::System::new(sledge).unwrap()
    };
    let start = [0.1, 4.0, 0.6, 1.0];
    let at_start = system(start);
    let names = ["pull", "stiffness", "sliding_friction", "resting_friction"];
    let sensitive = stick_slip!(pulled(&at_start).with_sensitivities(names)).run().unwrap();
    assert_eq!(sensitive.events.len(), 5);
    // It breaks loose first at resting friction / (stiffness pull): ∂t by the two factors.
    assert_relative_eq!(sensitive.events[0][0].time, -25.0, epsilon = 1e-9);
    assert_relative_eq!(sensitive.events[0][3].time, 2.5, epsilon = 1e-9);
    compare(&at_start, &sensitive, (1e-4, 1e-7), |by, change| {
        let mut at = start;
        at[by] += change;
        stick_slip!(pulled(&system(at))).run().unwrap().into()
    });
}

macro_rules! bouncing_brick {
    ($run:expr) => {
        $run.event("strikes", |system, at| {
            let (p, q) = (system.parameters(), &at.configuration);
            q.x.z + q.r.rotate(&p.corner).z
        })
        .falling()
        .apply(|at| {
            at.set(|p| p.touches = true);
            at.impact(["plate"], 0.6);
            at.set(|p| p.touches = false);
        })
    };
}

#[test]
fn a_body_that_bounces_on_its_corner_has_derivatives_on_its_group() {
    fn thrown<'s>(system: &'s brick::System, turn: &Vector3<f64>, spin: f64) -> Simulation<'s, brick::System> {
        let r = SO3::exp(&Vector3::new(0.3, 0.2, -0.4)) * SO3::exp(turn);
        let pose = brick::Pose { r, x: Vector3::new(1.6, 0.0, 1.2) };
        let velocity = brick::Velocity { r: Vector3::new(1.0, spin, 0.5), x: Vector3::new(-0.3, 0.2, 0.4) };
        Simulation::of(system).initial(pose, velocity).step(1e-3).end_time(1.0)
    }
    let system = |mass: f64| {
        let corner = Vector3::new(0.3, -0.2, -0.1);
        let inertia = Vector3::new(0.4, 0.7, 0.9);
        brick::System::new(brick::Brick { mass, inertia, corner, touches: false, tied: false }).unwrap()
    };
    let at_start = system(2.0);
    let names = ["mass", "v.r[1]", "q.r[0]", "q.r[1]", "q.r[2]"];
    let run = thrown(&at_start, &Vector3::zeros(), -2.0).with_sensitivities(names);
    let run = bouncing_brick!(run).run().unwrap();
    assert!(run.events.len() >= 2, "{} blows", run.events.len());
    compare(&at_start, &run, (1e-4, 1e-7), |by, change| {
        let (mut mass, mut spin, mut turn) = (2.0, -2.0, Vector3::zeros());
        match by {
            0 => mass += change,
            1 => spin += change,
            axis => turn[axis - 2] += change,
        }
        bouncing_brick!(thrown(&system(mass), &turn, spin)).run().unwrap().into()
    });
}

#[test]
fn a_run_that_an_event_ends_ends_with_it() {
    let system = bouncing::System::new(BALL).unwrap();
    let throw = || Simulation::of(&system).initial(bouncing::Height { z: 1.0 }, Vector1::new(2.0)).step(0.01);
    let run = throw().end_time(5.0).with_sensitivities(["gravity", "v.z"]);
    let run = run.event("lands", |_, at| at.configuration.z).falling().stop();
    // Where it is highest is told on the way.
    let run = run.event("is highest", |_, at| at.velocity.x).falling().record().run().unwrap();
    assert_eq!((run.events.len(), run.trajectory.stopped.is_some()), (2, true));
    // It rises for v / g, by v² / 2 g.
    assert_relative_eq!(run.events[0][0].time, -2.0 / 9.81_f64.powi(2), epsilon = 1e-11);
    assert_relative_eq!(run.events[0][1].state.configuration.x, 2.0 / 9.81, epsilon = 1e-11);
    // g t = v + w and w² = v² + 2 g z, with the velocity −w it lands with.
    let (g, v) = (9.81, 2.0);
    let w: f64 = (v * v + 2.0 * g).sqrt();
    let by_gravity = 1.0 / (w * g) - (v + w) / (g * g);
    assert_relative_eq!(run.events[1][0].time, by_gravity, epsilon = 1e-11);
    let last = run.variations.last().unwrap();
    assert_relative_eq!(last[0].velocity.x, -1.0 / w, epsilon = 1e-11);
    assert_relative_eq!(last[1].velocity.x, -v / w, epsilon = 1e-11);
    assert!(last.iter().all(|by| by.configuration.x.abs() < 1e-11));
}

/// The error of an event in a run for sensitivities.
fn of_an_event(error: SensitivityError<bouncing::System>) -> EventError {
    let SensitivityError::Run { error, .. } = error else { panic!("{error}") };
    let Failure::Event { error, .. } = error.failure else { panic!("{error}") };
    *error
}

#[test]
fn what_has_no_derivatives_is_refused() {
    let system = bouncing::System::new(BALL).unwrap();
    // The parabola is 1e-11 higher than what is looked for.
    let below = 1.0 + 2.0 * 2.0 / (2.0 * 9.81) - 1e-11;
    let throw = || Simulation::of(&system).initial(bouncing::Height { z: 1.0 }, Vector1::new(2.0)).step(0.01);
    let just_above = throw().end_time(1.0).with_sensitivities(["gravity"]);
    let just_above = just_above.event("touches", move |_, at| at.configuration.z - Dual::constant(below)).stop();
    let error = of_an_event(*just_above.run().unwrap_err());
    assert!(matches!(error, EventError::Grazing { .. }), "{error}");
    assert!(error.to_string().contains("touches zero without crossing it"), "{error}");
    // A ball that strikes without end: ever slower, ever more often.
    let run = ball(&system, 1.0).end_time(4.0).with_sensitivities(["gravity"]);
    let error = of_an_event(*bouncing!(run).run().unwrap_err());
    assert!(matches!(error, EventError::Grazing { .. } | EventError::Chattering { .. }), "{error}");
}

/// A change may separate two events at one instant in either order, and the motion differs with it.
#[test]
fn several_events_at_one_instant_are_refused() {
    let system = bouncing::System::new(BALL).unwrap();
    let run = ball(&system, 1.0).end_time(1.0).with_sensitivities(["gravity"]);
    let error =
        of_an_event(*bouncing!(run.event("again", |_, at| at.configuration.z).falling().stop()).run().unwrap_err());
    assert_eq!(error, EventError::Simultaneous { with: vec!["strikes".to_owned()] });
}
