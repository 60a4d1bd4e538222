//! Step-size control that stalls at a discontinuity of the forces reports it; stiff forces are not discontinuities.

use lie_runtime::integrator::Integrator;
use lie_runtime::integrator::StepFailure;
use lie_runtime::nalgebra::Vector5;
use lie_runtime::prelude::*;
use lie_runtime::simulate::{LimitReached, Limits, Warning};

/// Two blocks on a table, the first one pulled by a spring; dry friction, or friction over a small width.
#[mechanical_system]
pub mod blocks {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Blocks {
        pub first: f64,
        pub second: f64,
    }

    #[parameters]
    pub struct Data {
        pub friction: f64,
        /// Zero for dry friction.
        pub width: f64,
        pub damping: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.first * v.first + v.second * v.second
    }

    #[potential]
    fn spring(q: &Blocks) -> f64 {
        0.5 * q.first * q.first
    }

    #[force(on = second)]
    fn table(data: &Data, v: &Velocity) -> f64 {
        if data.width > 0.0 {
            -data.friction * (v.second / data.width).tanh()
        } else {
            -data.friction * v.second.signum()
        }
    }

    #[force(on = first)]
    fn damper(data: &Data, v: &Velocity) -> f64 {
        -data.damping * v.first
    }
}

fn run(data: blocks::Data, until: f64) -> Result<Trajectory<blocks::System>, Box<SimulationError<blocks::System>>> {
    let system = blocks::System::new(data).unwrap();
    let start = blocks::Blocks { first: 1.0, second: 0.0 };
    let run = Simulation::of(&system).initial(start, Vector2::new(0.0, 1.0)).rtol(1e-8).atol(1e-10);
    run.end_time(until).limits(Limits::default().steps(40_000)).run().map(Into::into)
}

#[test]
fn dry_friction_at_rest_is_named() {
    let error = run(blocks::Data { friction: 3.0, width: 0.0, damping: 0.1 }, 10.0).unwrap_err();
    let Failure::Stalled { time, step, steps, member, jump } = error.failure else { panic!("{error}") };
    assert_eq!(member, Some("second"), "{error}");
    // It comes to rest at v₀ m / F.
    assert!((time - 2.0 / 3.0).abs() < 1e-3 && (jump - 6.0).abs() < 1e-6, "{error}");
    assert!(step < 1e-7 && steps > 1e8, "{error}");
    let last = error.last.as_ref().unwrap();
    assert!(last.time == time && last.velocity.y.abs() < 1e-6);
    for word in ["`second`", "tanh", "event"] {
        assert!(error.to_string().contains(word), "{error}");
    }
    // Steps of fixed size cross the jump as well.
    assert!(!error.to_string().contains(".step("), "{error}");
}

/// The error message.
#[test]
fn a_small_width_or_steps_of_one_size_come_to_the_end() {
    let smooth = run(blocks::Data { friction: 3.0, width: 1e-3, damping: 0.1 }, 10.0).unwrap();
    assert!(smooth.last().unwrap().velocity.y.abs() < 1e-6);
    let system = blocks::System::new(blocks::Data { friction: 3.0, width: 0.0, damping: 0.1 }).unwrap();
    let start = blocks::Blocks { first: 1.0, second: 0.0 };
    let fixed = Simulation::of(&system).initial(start, Vector2::new(0.0, 1.0)).step(1e-3).end_time(10.0).run().unwrap();
    // Within what a step may do.
    assert!((fixed.last().configuration.second - 1.0 / 3.0).abs() < 1e-3, "{:?}", fixed.last());
}

/// Forces that are steep, and explicit steps that are small for a good reason: they run on to the limit that they are given.
#[test]
fn stiff_forces_are_no_jumps() {
    for data in [
        blocks::Data { friction: 0.0, width: 0.0, damping: 1e8 },
        blocks::Data { friction: 3.0, width: 1e-9, damping: 0.1 },
        blocks::Data { friction: 1.0, width: 1e-11, damping: 1e8 },
    ] {
        let error = run(data, 1e3).unwrap_err();
        assert!(matches!(error.failure, Failure::Limit { limit: LimitReached::Steps(_), .. }), "{error}");
    }
}

/// A block that is pushed slides over the jump, once.
#[test]
fn a_jump_that_is_passed_is_none_to_stall_at() {
    let system = blocks::System::new(blocks::Data { friction: 0.3, width: 0.0, damping: 0.0 }).unwrap();
    let start = blocks::Blocks { first: 1.0, second: 0.0 };
    let run =
        Simulation::of(&system).initial(start, Vector2::new(0.0, -1.0)).rtol(1e-8).atol(1e-10).end_time(6.0).run();
    assert!(run.unwrap().statistics.rejected < 1000);
}

/// A relay: x' = a − sign x.
struct Relay;

impl VectorField for Relay {
    type Point = Vector1<f64>;
    type Workspace = ();

    fn zero(&self) -> Vector1<f64> {
        Vector1::zeros()
    }
    fn workspace(&self) {}
    fn evaluate(&self, _: f64, x: &Vector1<f64>, (): &mut (), out: &mut Vector1<f64>) -> Result<(), StepFailure> {
        *out = Vector1::new(0.3 - x.x.signum());
        Ok(())
    }
}

#[test]
fn a_relay_is_told_of_fields() {
    let run = Simulation::of_field(&Relay).initial(Vector1::new(1.0)).rtol(0.0).atol(1e-10).end_time(10.0);
    let error = run.limits(Limits::default().steps(40_000)).run().unwrap_err();
    let Failure::Stalled { member: None, jump, .. } = error.failure else { panic!("{error}") };
    assert!((jump - 2.0).abs() < 1e-9, "{error}");
}

/// A block that stops by dry friction, in steps of fixed size: every method is off, and the run says where and by how much.
fn is_told<I: Integrator<blocks::System>>(method: I, h: f64) {
    let id = method.id();
    let system = blocks::System::new(blocks::Data { friction: 3.0, width: 0.0, damping: 0.1 }).unwrap();
    let start = blocks::Blocks { first: 1.0, second: 0.0 };
    let run = Simulation::of(&system).initial(start, Vector2::new(0.0, 1.0)).method(method).step(h).end_time(5.0);
    let run = run.run().unwrap();
    let [Warning::Chattering { time, step, member, ref by, jump, error }] = run.warnings()[..] else {
        panic!("{id}: {:?}", run.warnings())
    };
    assert!(member == Some("second") && step == h && by[..] == ["table"], "{id}: {}", run.warnings()[0]);
    let text = run.warnings()[0].to_string();
    assert!(text.starts_with("the force `table` on `second` jumps by 6.000 at t = "), "{text}");
    // It comes to rest at v₀ m / F, is held from then on, and the force is ±3 on a mass of 2.
    assert!((2.0 / 3.0 - h..2.0 / 3.0 + 10.0 * h).contains(&time), "{id}: {time}");
    assert!((jump - 6.0).abs() < 1e-6 && error <= 1.5 * h * 1.01 && error > 0.3 * h, "{id}: {jump} {error}");
    let off = run.states.iter().filter(|state| state.time > time).map(|state| state.velocity.y.abs());
    let off = off.fold(0.0, f64::max);
    assert!(off <= 1.01 * error.max(1.5 * h), "{id}: {off} {error}");
}

#[test]
fn fixed_steps_at_a_jump_that_holds_the_motion_are_told() {
    for h in [0.02, 0.003] {
        is_told(HalfExplicit::herk2_heun(), h);
        is_told(HalfExplicit::herk4(), h);
        is_told(HalfExplicit::hedop5(), h);
    }
}

/// Smooth and stiff, resolved or not, and jumps that are passed: no warning.
#[test]
fn fixed_steps_of_smooth_forces_are_not() {
    let quiet = |data: blocks::Data, h: f64, speed: f64| {
        let system = blocks::System::new(data).unwrap();
        let start = blocks::Blocks { first: 1.0, second: 0.0 };
        let run = || Simulation::of(&system).initial(start, Vector2::new(0.0, speed)).step(h).end_time(2.0);
        for run in [run().run(), run().method(GeneralizedAlpha::lie_alpha()).run(), run().method(TrBdf2::new()).run()] {
            let run = run.unwrap();
            let flips = run.warnings().iter().any(|warning| matches!(warning, Warning::Chattering { .. }));
            assert!(!flips, "{h}: {:?}", run.warnings());
        }
    };
    // Friction over a width that steps resolve.
    quiet(blocks::Data { friction: 3.0, width: 0.1, damping: 0.1 }, 0.01, 1.0);
    // A damper at the limit of stability of explicit methods, where velocities alternate.
    quiet(blocks::Data { friction: 0.0, width: 0.0, damping: 250.0 }, 0.01, 1.0);
    // A spring in few steps a period.
    quiet(blocks::Data { friction: 0.0, width: 0.0, damping: 0.0 }, 0.5, 1.0);
    // Friction of a motion that does not come to rest.
    quiet(blocks::Data { friction: 0.3, width: 0.0, damping: 0.0 }, 0.01, 1.0);
}

/// A block between springs that slides to and fro with dry friction passes the jump in both directions, again and again.
#[test]
fn friction_that_changes_sides_is_no_stall() {
    let system = dragged::System::new(dragged::Data { friction: 1e-4 }).unwrap();
    let run = Simulation::of(&system).initial(dragged::Block { x: 1.0 }, Vector1::new(0.0));
    let run = run.rtol(1e-4).atol(1e-6).end_time(4e4).output_every(1_000_000).run().unwrap();
    // Every half turn of it takes 2 F / k.
    let left = 1.0 - 2e-4 * 4e4 / core::f64::consts::PI;
    assert!(left < 0.0 || run.last().configuration.x.abs() <= 1.0, "{left}");
}

/// A block on a spring, on a table.
#[mechanical_system]
pub mod dragged {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Block {
        pub x: f64,
    }

    #[parameters]
    pub struct Data {
        pub friction: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[potential]
    fn spring(q: &Block) -> f64 {
        0.5 * q.x * q.x
    }

    #[force(on = x)]
    fn table(data: &Data, v: &Velocity) -> f64 {
        -data.friction * v.x.signum()
    }
}

/// A ball that slips in a plane, with a spin across its path: it turns by a radian in a step of 20 ms, in which the direction of the slip flips.
#[mechanical_system]
pub mod ball {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Ball {
        pub attitude: SO3,
        pub place: R2,
    }

    #[parameters]
    pub struct Data {
        pub radius: f64,
        pub mu: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        0.5 * v.place.norm_squared() + 0.2 * data.radius * data.radius * v.attitude.norm_squared()
    }

    #[force]
    fn friction(data: &Data, q: &Ball, v: &Velocity) -> Vector5<f64> {
        let spin = q.attitude * v.attitude;
        let slip = Vector2::new(v.place.x - data.radius * spin.y, v.place.y + data.radius * spin.x);
        let force = -data.mu * 9.81 * slip / (slip.norm_squared() + 1e-20).sqrt();
        let torque = q.attitude.inverse() * Vector3::new(data.radius * force.y, -data.radius * force.x, 0.0);
        Vector5::new(torque.x, torque.y, torque.z, force.x, force.y)
    }
}

#[test]
fn the_slip_of_a_ball_that_should_roll_is_told() {
    let (radius, mu) = (0.028, 0.2);
    let system = ball::System::new(ball::Data { radius, mu }).unwrap();
    let start = ball::Ball { attitude: SO3::identity(), place: Vector2::zeros() };
    // It rolls after 2 |slip| / (7 μ g).
    let slip = Vector2::new(2.0 + 30.0 * radius, 60.0 * radius);
    let rolls = 2.0 * slip.norm() / (7.0 * mu * 9.81);
    for h in [2e-2, 5e-3] {
        let start = Simulation::of(&system).initial(start, Vector5::new(60.0, -30.0, 40.0, 2.0, 0.0));
        let run = start.step(h).end_time(2.0).run().unwrap();
        let [Warning::Chattering { time, error, ref by, .. }] = run.warnings()[..] else {
            panic!("{:?}", run.warnings())
        };
        assert!(
            (rolls - h..rolls + 0.4).contains(&time) && error > 0.1 * h && by[..] == ["friction"],
            "{rolls} {time}"
        );
    }
    // Not before it rolls.
    let start = Simulation::of(&system).initial(start, Vector5::new(60.0, -30.0, 40.0, 2.0, 0.0));
    assert!(start.step(2e-2).end_time(0.9 * rolls).run().unwrap().warnings().is_empty());
}
