//! Instants at which a function of the state changes its sign.

use core::f64::consts::{FRAC_PI_2, PI};

use lie_runtime::field::VectorField;
use lie_runtime::integrator::{AnyMethod, Integrator};
use lie_runtime::prelude::*;

#[mechanical_system]
pub mod oscillator {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Position {
        pub x: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[potential]
    fn spring(q: &Position) -> f64 {
        0.5 * q.x * q.x
    }
}

#[mechanical_system]
pub mod stone {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Height {
        pub z: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.z * v.z
    }

    #[potential]
    fn weight(q: &Height) -> f64 {
        10.0 * q.z
    }
}

#[mechanical_system]
pub mod wheel {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Attitude {
        pub r: SO3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.r.norm_squared()
    }
}

#[mechanical_system]
pub mod pendulum {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bob {
        pub x: R2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[potential]
    fn weight(q: &Bob) -> f64 {
        9.81 * q.x.y
    }

    #[constraint]
    fn rod(q: &Bob) -> f64 {
        0.5 * (q.x.norm_squared() - 1.0)
    }
}

type Oscillator = oscillator::System;

/// When cos t is zero first, by this method.
fn zero_of_the_cosine(method: &AnyMethod<Oscillator>, h: f64) -> f64 {
    let system = oscillator::System::new().unwrap();
    let start = oscillator::Position { x: 1.0 };
    let run =
        || Simulation::of(&system).initial(start, Vector1::new(0.0)).method(method.clone()).step(h).end_time(1.98);
    let noted = run().event("zero", |_, state| state.configuration.x).falling().record().run().unwrap();
    // A run in which events are noted is the run that it would be without.
    let plain = run().run().unwrap();
    assert!(
        plain.states.iter().zip(&noted.states).all(|(plain, noted)| plain.configuration.x == noted.configuration.x)
    );
    let [event] = &noted.events[..] else { panic!("{} events", noted.events.len()) };
    assert!(event.before.configuration.x.abs() < 1e-13 * h, "off by {}", event.before.configuration.x);
    assert!(!event.rising && event.after.is_none() && event.time == event.before.time);
    event.time
}

#[test]
fn times_are_of_the_order_of_the_method() {
    for (method, order) in [
        (AnyMethod::of(HalfExplicit::herk3()), 3),
        (AnyMethod::of(HalfExplicit::herk4()), 4),
        (AnyMethod::of(GeneralizedAlpha::lie_alpha()), 2),
        (AnyMethod::of(Rattlie::new()), 2),
        (AnyMethod::of(TrBdf2::new()), 2),
        (AnyMethod::of(BLieDF::all().find(|method| method.steps() == 2).unwrap()), 2),
        (AnyMethod::of(Collocation::by_id("gauss4").unwrap()), 4),
    ] {
        let id = method.id();
        let error = |h| (zero_of_the_cosine(&method, h) - FRAC_PI_2).abs();
        let (coarse, fine) = (error(0.11), error(0.055));
        let measured = (coarse / fine).log2();
        assert!(measured > f64::from(order) - 0.4, "{id}: {coarse:.1e} and {fine:.1e}, order {measured:.2}");
    }
}

/// A method with equal steps restarts at an event, and again where the grid of steps continues.
#[test]
fn methods_of_equal_steps_go_on_behind_an_event() {
    let system = oscillator::System::new().unwrap();
    for method in BLieDF::all() {
        let error = |h| {
            let run = Simulation::of(&system)
                .initial(oscillator::Position { x: 1.0 }, Vector1::new(0.0))
                .method(method)
                .event("strikes", |_, state| state.configuration.x)
                .falling()
                .apply(|at| at.state().velocity.x *= -0.5)
                .step(h)
                .end_time(3.3)
                .run()
                .unwrap();
            assert_eq!(run.events.len(), 1);
            let end = run.last();
            assert!((end.time - 3.3).abs() < 1e-14);
            (end.configuration.x - 0.5 * (3.3 - FRAC_PI_2).sin()).abs()
        };
        let (coarse, fine) = (error(0.055), error(0.0275));
        let (id, order) = (method.id(), (coarse / fine).log2());
        assert!(order > method.steps().min(3) as f64 - 0.4, "{id}: {coarse:.1e} and {fine:.1e}, order {order:.2}");
    }
}

#[test]
fn times_on_a_group_are_exact_where_the_motion_is() {
    let system = wheel::System::new().unwrap();
    let run = Simulation::of(&system)
        .initial(wheel::Attitude { r: SO3::identity() }, Vector3::new(0.0, 0.0, 3.0))
        .event("a quarter", |_, state| state.configuration.r.matrix()[(0, 0)])
        .record()
        .step(0.13)
        .end_time(2.0 * PI / 3.0)
        .run()
        .unwrap();
    let times: Vec<f64> = run.events.iter().map(|event| event.time).collect();
    assert_eq!(run.events.iter().map(|event| event.rising).collect::<Vec<_>>(), [false, true]);
    assert!((times[0] - PI / 6.0).abs() < 1e-13 && (times[1] - PI / 2.0).abs() < 1e-13, "{times:?}");
}

#[test]
fn states_at_events_are_on_the_constraints_and_carry_multipliers() {
    let system = pendulum::System::new().unwrap();
    let start = pendulum::Bob { x: Vector2::new(1.0, 0.0) };
    let run = |h: f64| {
        let run = Simulation::of(&system)
            .initial(start, Vector2::zeros())
            .event("lowest", |_, state| state.configuration.x.x)
            .falling()
            .stop()
            .step(h)
            .end_time(5.0)
            .run()
            .unwrap();
        let last = run.last();
        assert_eq!((run.stopped, run.events.len()), (Some(last.time), 1));
        assert_eq!(run.events[0].before.time, last.time);
        assert!(last.configuration.x.x.abs() < 1e-14);
        last.clone()
    };
    // K(1/√2) / √g: a quarter of the period.
    let quarter = 1.854_074_677_301_372 / 9.81_f64.sqrt();
    let state = run(1e-3);
    assert!((state.time - quarter).abs() < 1e-10, "{}", state.time);
    assert!((state.configuration.x.norm() - 1.0).abs() < 1e-11);
    // The rod carries three weights.
    assert!((state.multipliers.x - 3.0 * 9.81).abs() < 1e-6, "{}", state.multipliers.x);
    assert!((run(2e-3).time - quarter).abs() < 1e-8);
}

#[test]
fn two_changes_within_one_step_are_found() {
    let system = stone::System::new().unwrap();
    for h in [0.3, 1.0] {
        // 5 t − 5 t² is highest, 1.25, at t = 0.5.
        let run = Simulation::of(&system)
            .initial(stone::Height { z: 0.0 }, Vector1::new(5.0))
            .event("passes 1.2", |_, state| state.configuration.z - 1.2)
            .record()
            .event("lands", |_, state| state.configuration.z)
            .record()
            .step(h)
            .end_time(1.2)
            .run()
            .unwrap();
        let times = |name| run.events_called(name).map(|event| event.time).collect::<Vec<_>>();
        assert_eq!(times("passes 1.2").len(), 2, "h = {h}");
        for (time, expected) in times("passes 1.2").iter().zip([0.4, 0.6]) {
            assert!((time - expected).abs() < 1e-13, "{time}");
        }
        // Zero at the start is no event.
        assert_eq!(times("lands").len(), 1);
        assert!((times("lands")[0] - 1.0).abs() < 1e-13);
    }
}

#[test]
fn error_controlled_and_sampled_runs_find_the_same() {
    let system = oscillator::System::new().unwrap();
    let start = oscillator::Position { x: 1.0 };
    let run = Simulation::of(&system)
        .initial(start, Vector1::new(0.0))
        .event("zero", |_, state| state.configuration.x)
        .record()
        .event("turns", |_, state| state.velocity.x)
        .rising()
        .apply(|at| at.state().velocity.x = 0.0)
        .event("after seven", |_, state| state.time - 7.0)
        .stop()
        .rtol(1e-11)
        .atol(1e-12)
        .end_time(20.0)
        .output_times(&[1.0, 6.5])
        .run()
        .unwrap();
    let zeros: Vec<f64> = run.events_called("zero").map(|event| event.time).collect();
    for (zero, expected) in zeros.iter().zip([FRAC_PI_2, 3.0 * FRAC_PI_2]) {
        assert!((zero - expected).abs() < 1e-9, "{zero}");
    }
    assert_eq!(zeros.len(), 2);
    assert!((run.events_called("turns").next().unwrap().time - PI).abs() < 1e-9);
    assert!((run.stopped.unwrap() - 7.0).abs() < 1e-12);
    // The two that were asked for, those on both sides of what was changed, and the one at which the run has ended.
    let times: Vec<f64> = run.times().collect();
    assert_eq!(times.len(), 5, "{times:?}");
    assert_eq!(times[1], times[2]);
    assert!((run.states[3].configuration.x - 6.5_f64.cos()).abs() < 1e-9);
}

/// x' = 1 − x.
struct Filling;

impl VectorField for Filling {
    type Point = Vector1<f64>;
    type Workspace = ();

    fn zero(&self) -> Vector1<f64> {
        Vector1::zeros()
    }
    fn workspace(&self) {}
    fn evaluate(
        &self,
        _: f64,
        x: &Vector1<f64>,
        (): &mut (),
        out: &mut Vector1<f64>,
    ) -> Result<(), lie_runtime::integrator::StepFailure> {
        *out = Vector1::new(1.0 - x.x);
        Ok(())
    }
}

#[test]
fn fields_have_events() {
    let mut emptied = 0;
    let run = Simulation::of_field(&Filling)
        .initial(Vector1::new(0.0))
        .event("half full", |_, state| state.point.x - 0.5)
        .rising()
        .record()
        .step(0.1)
        .end_time(1.0)
        .run()
        .unwrap();
    emptied += run.events.len();
    assert!((run.events[0].time - 2.0_f64.ln()).abs() < 1e-7);
    assert_eq!(emptied, 1);
}

/// Two stones that fall side by side, and a third that is thrown later.
#[mechanical_system]
pub mod stones {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Heights {
        pub z: R2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.z.norm_squared()
    }

    #[potential]
    fn weight(q: &Heights) -> f64 {
        10.0 * (q.z.x + q.z.y)
    }
}

#[test]
fn events_at_one_time_all_take_place() {
    let system = stones::System::new().unwrap();
    for apart in [0.0, 1e-14, 1e-9] {
        let run = Simulation::of(&system)
            .initial(stones::Heights { z: Vector2::new(5.0, 5.0 + apart) }, Vector2::zeros())
            .event("one", |_, state| state.configuration.z.x)
            .falling()
            .apply(|at| at.state().velocity.x *= -1.0)
            .event("other", |_, state| state.configuration.z.y)
            .falling()
            .apply(|at| at.state().velocity.y *= -1.0)
            .event("noted", |_, state| state.configuration.z.x.min(state.configuration.z.y))
            .falling()
            .record()
            .step(0.03)
            .end_time(1.9)
            .run()
            .unwrap();
        let mut names: Vec<&str> = run.events.iter().map(|event| event.event.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["noted", "one", "other"], "{apart:e} apart");
        let last = run.last();
        assert!((last.configuration.z - Vector2::new(4.95, 4.95)).amax() < 1e-7, "{apart:e}: {}", last.configuration.z);
    }
}
