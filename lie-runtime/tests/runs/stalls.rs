//! Step-size control that stalls at a discontinuity of the forces reports it; stiff forces are not discontinuities.

use lie_runtime::prelude::*;
use lie_runtime::simulate::{LimitReached, Limits};

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
    run.end_time(until).limits(Limits { steps: 40_000, ..Limits::default() }).run()
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
    for word in ["`second`", "tanh", ".step(h)"] {
        assert!(error.to_string().contains(word), "{error}");
    }
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
    assert!((fixed.last().unwrap().configuration.second - 1.0 / 3.0).abs() < 1e-3, "{:?}", fixed.last());
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
    let error = run.limits(Limits { steps: 40_000, ..Limits::default() }).run().unwrap_err();
    let Failure::Stalled { member: None, jump, .. } = error.failure else { panic!("{error}") };
    assert!((jump - 2.0).abs() < 1e-9, "{error}");
}
