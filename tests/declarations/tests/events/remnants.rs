//! Events close to the ends of steps, samples and runs, and at times with few decimal digits.

use lie_runtime::prelude::*;
use lie_runtime::simulate::methods;

/// A pendulum whose weight changes when its time has come.
#[mechanical_system]
pub mod pendulum {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bob {
        pub x: R2,
    }

    #[parameters]
    pub struct Weight {
        pub gravity: f64,
        pub changes_at: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[force(on = x)]
    fn weight(p: &Weight) -> Vector2<f64> {
        Vector2::new(0.0, -p.gravity)
    }

    #[constraint]
    fn rod(q: &Bob) -> f64 {
        0.5 * (q.x.norm_squared() - 1.0)
    }
}

/// A point that is pushed or not, and counts how often that has changed.
#[mechanical_system]
pub mod pushed {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
        pub y: f64,
    }

    #[parameters]
    pub struct Push {
        pub force: f64,
        pub changes: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.x * v.x + v.y * v.y)
    }

    #[force(on = x)]
    fn push(p: &Push) -> f64 {
        p.force
    }
}

/// All that takes constraints, and whose errors at these steps are not all that is seen.
const METHODS: [&str; 11] = [
    "herk4",
    "hedop5",
    "lie_alpha",
    "lie_alpha_stab2",
    "ul_crv",
    "simo_vu_quoc",
    "rattlie",
    "bliedf3",
    "tr_bdf2",
    "radau_iia5",
    "radau_iia5_index3",
];

fn last(method: &str, changes_at: f64, end: f64) -> State<pendulum::System> {
    let system = pendulum::System::new(pendulum::Weight { gravity: 9.81, changes_at }).unwrap();
    let (q, v) = (pendulum::Bob { x: Vector2::new(1.0, 0.0) }, Vector2::new(0.0, 0.5));
    let run = Simulation::of(&system)
        .initial(q, v)
        .method_named(method)
        .unwrap()
        .step(0.005)
        .end_time(end)
        .event("lighter", |system, state| state.time - system.parameters().changes_at)
        .rising()
        .apply(|at| {
            at.set(|p| *p = pendulum::Weight { gravity: 5.0, changes_at: 10.0 });
        });
    let run = run.run().unwrap_or_else(|error| panic!("{method}, {changes_at}: {error}"));
    assert_eq!(run.events.len(), 1, "{method}, {changes_at}");
    run.last().clone()
}

/// The remainder of a step after an event may be almost zero; the motion does not depend on it.
#[test]
fn an_event_next_to_the_end_of_a_step() {
    for method in METHODS {
        let known = last(method, 0.25, 0.5);
        for before in [1e-15, 1e-13, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 4e-5, -1e-13, -1e-10, -1e-7] {
            let found = last(method, 0.25 - before, 0.5);
            // Of BLieDF, which begins anew where its steps are no longer equal, 1e-5 for the order that it begins with.
            let own = if method == "bliedf3" { 1e-5 } else { 1e-11 };
            // The weight is 4.81 less for so long a time more.
            let most = own + 10.0 * f64::abs(before);
            let (x, v) = (found.configuration.x - known.configuration.x, found.velocity - known.velocity);
            assert!(x.norm() < most && v.norm() < most, "{method}, {before:e} before: {:e} {:e}", x.norm(), v.norm());
        }
    }
}

/// The same where the run ends there.
#[test]
fn an_event_next_to_the_end_of_a_run() {
    for method in METHODS {
        for before in [0.0, 1e-15, 1e-13, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 3e-7] {
            let found = last(method, 0.5 - before, 0.5);
            // From |x| = 1: x · x' = 0, λ = v² − g y.
            let lambda = found.velocity.norm_squared() - 5.0 * found.configuration.x.y;
            let energy = 0.5 * found.velocity.norm_squared() + 9.81 * found.configuration.x.y - 0.125;
            assert!(
                (found.multipliers.x - lambda).abs() < 1e-2,
                "{method}, {before:e}: {}",
                found.multipliers.x - lambda
            );
            assert!(energy.abs() < 1e-2, "{method}, {before:e} before: {energy:e}");
        }
    }
}

/// A run with error control has no grid of steps, but an end time.
#[test]
fn an_event_next_to_the_end_of_a_run_with_a_tolerance() {
    for method in ["hedop5", "lie_alpha", "tr_bdf2"] {
        for before in [1e-15, 1e-12, 1e-9, 1e-7] {
            let system = pendulum::System::new(pendulum::Weight { gravity: 9.81, changes_at: 0.5 - before }).unwrap();
            let (q, v) = (pendulum::Bob { x: Vector2::new(1.0, 0.0) }, Vector2::new(0.0, 0.5));
            let run = Simulation::of(&system).initial(q, v).method_named(method).unwrap().rtol(1e-8).atol(1e-8);
            let run = run
                .event("lighter", |system, state| state.time - system.parameters().changes_at)
                .rising()
                .apply(|at| at.set(|p| *p = pendulum::Weight { gravity: 5.0, changes_at: 10.0 }));
            let run = run.end_time(0.5).run().unwrap();
            let found = run.last();
            assert!((run.events.len(), found.time) == (1, 0.5));
            let lambda = found.velocity.norm_squared() - 5.0 * found.configuration.x.y;
            assert!((found.multipliers.x - lambda).abs() < 1e-2, "{method}, {before:e}: {}", found.multipliers.x);
        }
    }
}

/// Seconds since long ago are times as well: of 1e8 the next number is 1.5e-8 later.
#[test]
fn events_at_late_times() {
    for start in [0.0, 1e3, 1e6, 1e8] {
        for card in methods() {
            for tolerance in [None, Some(1e-8)] {
                let system = pushed::System::new(pushed::Push { force: 0.0, changes: 0.0 }).unwrap();
                let (q, v) = (pushed::Place { x: 0.0, y: 0.0 }, Vector2::new(0.0, 1.0));
                let run = Simulation::of(&system).initial(q, v).start_time(start).end_time(start + 1.0);
                let Ok(run) = run.method_named(card.id) else { continue };
                let run = match tolerance {
                    Some(tolerance) if run_estimates(card.id) => run.rtol(tolerance).atol(tolerance),
                    Some(_) => continue,
                    None => run.step(0.01),
                };
                let due = |changes: f64| {
                    let mut numbered = [0.137, 0.4, 0.7, 0.85].into_iter().zip(0..);
                    numbered.find(|&(_, number)| f64::from(number) >= changes).map_or(10.0, |(time, _)| time)
                };
                let run = run
                    .event("push", move |system, state| state.time - start - due(system.parameters().changes))
                    .rising()
                    .apply(|at| {
                        at.set(|p| *p = pushed::Push { force: 1.0 - p.force, changes: p.changes + 1.0 });
                    })
                    .event("kick", |_, state| state.configuration.y - 0.55)
                    .rising()
                    .apply(|at| at.state().velocity.x += 1.0);
                let run = run.run().unwrap_or_else(|error| panic!("{}, from {start}: {error}", card.id));
                let names: Vec<&str> = run.events.iter().map(|event| event.event.as_str()).collect();
                assert_eq!(names, ["push", "push", "kick", "push", "push"], "{}, from {start}", card.id);
                // 0.263 s and 0.15 s of 1 N on 1 kg, and the kick.
                let speed = run.last().velocity.x;
                assert!((speed - 1.413).abs() < 1e-12 + 1e-15 * start, "{}, from {start}: {speed}", card.id);
            }
        }
    }
}

fn run_estimates(method: &str) -> bool {
    let system = pushed::System::new(pushed::Push { force: 0.0, changes: 0.0 }).unwrap();
    let run = Simulation::of(&system).initial(pushed::Place { x: 0.0, y: 0.0 }, system.zero_velocity());
    run.method_named(method).unwrap().rtol(1e-3).atol(1e-3).end_time(0.1).run().is_ok()
}

/// Steps that begin late end at the grid point, without a second step close to it.
#[test]
fn steps_at_late_times() {
    let system = pendulum::System::new(pendulum::Weight { gravity: 9.81, changes_at: 0.0 }).unwrap();
    for tenths in 1..=10_u8 {
        let (q, v) = (pendulum::Bob { x: Vector2::new(1.0, 0.0) }, Vector2::new(0.0, 0.5));
        let run = Simulation::of(&system).initial(q, v).start_time(1e6).method(GeneralizedAlpha::lie_alpha());
        let run = run.step(0.01).end_time(1e6 + 0.1 * f64::from(tenths)).run().unwrap();
        assert_eq!(run.statistics.accepted, 10 * usize::from(tenths));
        let found = run.last();
        let lambda: f64 = found.velocity.norm_squared() - 9.81 * found.configuration.x.y;
        assert!((found.multipliers.x - lambda).abs() < 0.1, "{tenths}: {}", found.multipliers.x);
    }
}

/// Recorded states are in the order of time if a sample is close to an event, and a sample after an event contains its changes.
#[test]
fn samples_next_to_an_event() {
    let system = pushed::System::new(pushed::Push { force: 0.0, changes: 0.0 }).unwrap();
    for after in [-1e-12, -4e-15, 0.0, 4e-15, 1e-12, 1e-6] {
        let sample = 0.55 + after;
        let run = Simulation::of(&system)
            .initial(pushed::Place { x: 0.0, y: 0.0 }, Vector2::new(0.0, 1.0))
            .event("kick", |_, state| state.time - 0.55)
            .rising()
            .apply(|at| at.state().velocity.x += 1.0)
            .step(0.01)
            .output_times(&[sample, 1.0])
            .end_time(1.0);
        let run = run.run().unwrap();
        assert!(run.states.is_sorted_by(|one, next| one.time <= next.time), "{after:e}");
        let asked = run.states.iter().find(|state| state.time == sample).unwrap();
        let is_behind = sample > run.events[0].time;
        assert_eq!(asked.velocity.x, if is_behind { 1.0 } else { 0.0 }, "{after:e}");
        assert!((run.at(0.56).unwrap().velocity.x - 1.0).abs() < 1e-12);
    }
}

/// Half-explicit methods leave their constraints by their error, and at an event the state is brought back onto them: where that is before
/// the event once more, the motion has come by it nevertheless.
#[test]
fn what_is_brought_back_onto_its_constraints_does_not_come_by_the_event_again() {
    let system = pendulum::System::new(pendulum::Weight { gravity: 9.81, changes_at: 0.0 }).unwrap();
    let mut moved_back = 0;
    for method in ["herk2_heun", "herk2_midpoint", "herk3", "herk4", "hedop5"] {
        for place in [0.8, 0.5, 0.2, -0.3] {
            let (q, v) = (pendulum::Bob { x: Vector2::new(1.0, 0.0) }, Vector2::new(0.0, -0.5));
            let run = Simulation::of(&system)
                .initial(q, v)
                .method_named(method)
                .unwrap()
                .step(0.01)
                .end_time(0.8)
                .constraint_tolerance(f64::INFINITY)
                .event("lighter", move |_, state| state.configuration.x.x - place)
                .falling()
                .apply(|at| at.set(|p| p.gravity *= 0.5));
            let run = run.run().unwrap_or_else(|error| panic!("{method}, {place}: {error}"));
            let after = run.events[0].after.as_ref().unwrap();
            moved_back += usize::from(after.configuration.x.x > place + 1e-11);
            assert_eq!(run.events.len(), 1, "{method}, {place}");
        }
    }
    assert!(moved_back > 0);
}
