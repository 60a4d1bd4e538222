//! Runs that go on from states: as far off as the run before has let them be, with other parameters, written by hand.

use lie_runtime::prelude::*;
use lie_runtime::simulate::ConsistencyError;
use lie_runtime::simulate::ConsistentValues;

use crate::models::{driven_off, held_body, wheel};

/// A pendulum in plain coordinates, as long as one likes.
#[mechanical_system]
pub mod swing {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: R2,
    }

    #[parameters]
    pub struct Data {
        pub length: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[potential]
    fn weight(q: &Place) -> f64 {
        9.81 * q.x.y
    }

    #[constraint]
    fn rod(data: &Data, q: &Place) -> f64 {
        q.x.norm_squared() - data.length * data.length
    }
}

type Swing = State<swing::System>;

/// On from a state for ten seconds, coarsely: half-explicit methods drift.
fn on(system: &swing::System, state: Swing) -> Result<Swing, Box<SimulationError<swing::System>>> {
    let end = state.time + 10.0;
    let run =
        Simulation::of(system).restart_from(state).method(HalfExplicit::herk2_heun()).step(0.5).end_time(end).run()?;
    Ok(run.states.last().unwrap().clone())
}

/// A pendulum of a kilometre that has swung for two minutes, coarsely: a metre off its rod.
fn drifted(system: &swing::System) -> Swing {
    let start = swing::Place { x: Vector2::new(1000.0, 0.0) };
    let run = Simulation::of(system).initial(start, Vector2::zeros()).method(HalfExplicit::herk2_heun());
    run.step(0.5).end_time(120.0).output_every(16).run().unwrap().states.last().unwrap().clone()
}

fn is_off(failure: &Failure) -> bool {
    matches!(failure, Failure::InitialValues(ConsistencyError::OffToGoOn { .. }))
}

#[test]
fn what_a_run_has_let_pass_is_let_pass_again() {
    let system = swing::System::new(swing::Data { length: 1000.0 }).unwrap();
    let mut state = drifted(&system);
    let off = |state: &Swing| (state.configuration.x.norm() - 1000.0).abs();
    assert!(off(&state) > 0.1, "{}", off(&state));
    // Leg by leg; forgetting what the method remembers forgets nothing of that.
    for _ in 0..12 {
        state.memory.forget();
        state = on(&system, state).unwrap();
    }
}

#[test]
fn a_state_that_nobody_has_come_to_is_refused() {
    let system = swing::System::new(swing::Data { length: 1000.0 }).unwrap();
    let state = drifted(&system);
    // Moved by hand.
    let mut moved = state.clone();
    moved.configuration.x *= 1.0 + 3.0 / state.configuration.x.norm();
    // Written by hand, as off as the recorded one.
    let mut written = State::at_rest(&system, state.time, state.configuration);
    written.velocity = state.velocity;
    for state in [moved, written.clone()] {
        let error = on(&system, state).unwrap_err();
        assert!(is_off(&error.failure), "{error}");
        assert!(error.to_string().contains("`rod`") && error.to_string().contains("initial"), "{error}");
    }
    // What the message says.
    let run = || Simulation::of(&system).restart_from(written.clone()).max_initial_correction(1e3).step(0.1);
    run().end_time(state.time + 1.0).run().unwrap();
    // Another pendulum is not on this one's circle.
    let longer = swing::System::new(swing::Data { length: 1003.0 }).unwrap();
    assert!(is_off(&on(&longer, state).unwrap_err().failure));
    // Let go on purpose, it is not taken up again unasked.
    let driven = driven_off::System::new().unwrap();
    let start = driven_off::Point { place: Vector2::new(0.0, 1.0) };
    let run = Simulation::of(&driven).initial(start, Vector2::new(1.0, 0.0)).constraint_tolerance(f64::INFINITY);
    let state = run.step(0.01).end_time(1.5).run().unwrap().last().clone();
    assert!(state.configuration.place.norm_squared() > 2.0);
    let on = |state| Simulation::of(&driven).restart_from(state).step(0.01).end_time(1.6);
    assert!(is_off(&on(state.clone()).run().unwrap_err().failure));
    on(state).constraint_tolerance(f64::INFINITY).run().unwrap();
}

const WITH_MEMORY: [&str; 9] = [
    "lie_alpha",
    "lie_alpha_stab2",
    "ul_crv",
    "ul_rotation_vector",
    "ul_cayley",
    "bliedf2",
    "bliedf3",
    "bliedf4",
    "tr_bdf2",
];

/// The first step would use the accelerations of the old parameters.
#[test]
fn with_other_parameters_a_method_begins_anew() {
    let wheel_of = |spring| wheel::System::new(wheel::Data { inertia: 1.0, spring }).unwrap();
    let (soft, hard) = (wheel_of(1.0), wheel_of(40.0));
    for method in WITH_MEMORY {
        let q = wheel::Wheel { x: Vector1::new(1.0) };
        let run = Simulation::of(&soft).initial(q, Vector1::zeros()).method_named(method).unwrap();
        let run = run.step(0.01).end_time(1.0).output_times(&[0.9957, 1.0]).run().unwrap();
        for state in run.into_trajectory().states {
            let end = state.time + 0.5;
            let anew = Simulation::of(&hard).initial(state.configuration, state.velocity).start_time(state.time);
            let anew = anew.method_named(method).unwrap().step(0.01).end_time(end).run().unwrap();
            let on = Simulation::of(&hard).restart_from(state.clone()).method_named(method).unwrap();
            let on = on.step(0.01).end_time(end).run().unwrap();
            for (a, b) in anew.states.iter().zip(&on.states) {
                let off = (a.configuration.x - b.configuration.x).norm() + (a.velocity - b.velocity).norm();
                assert!(off < 1e-12, "{method} at {}: {off:e}", a.time);
            }
            let omega = 40.0_f64.sqrt();
            let (x, v) = (state.configuration.x.x, state.velocity.x);
            let exact = x * (0.5 * omega).cos() + v / omega * (0.5 * omega).sin();
            let off = (on.states.last().unwrap().configuration.x.x - exact).abs();
            assert!(off < 5e-3, "{method}: {off:e}");
        }
    }
}

/// And multipliers of the old parameters are no better.
#[test]
fn with_other_parameters_reactions_are_found_anew() {
    let body = |stiffness| held_body::System::new(held_body::Data { stiffness }).unwrap();
    let (soft, hard) = (body(1.0), body(5.0));
    for method in WITH_MEMORY.into_iter().chain(["hedop5", "rattlie"]) {
        let attitude = SO3::exp(&Vector3::new(0.4, 0.3, -0.2));
        let q = held_body::Body { attitude, position: attitude * Vector3::y() };
        let run = Simulation::of(&soft).initial(q, Vector6::zeros()).method_named(method).unwrap();
        let state = run.step(1e-3).end_time(0.05).run().unwrap().last().clone();
        let end = state.time + 0.05;
        let right =
            ConsistentValues::of(&hard).state(&hard, state.time, state.configuration, state.velocity).unwrap().0;
        let on = Simulation::of(&hard).restart_from(state).method_named(method).unwrap();
        let on = on.step(1e-3).end_time(end).run().unwrap();
        let first = on.states.first().unwrap();
        let off = (first.multipliers - right.multipliers).norm() / right.multipliers.norm();
        assert!(off < 1e-9, "{method}: {off:e}");
        let anew = Simulation::of(&hard).initial(right.configuration, right.velocity).start_time(right.time);
        let anew = anew.method_named(method).unwrap().step(1e-3).end_time(end).run().unwrap();
        let off = (on.states.last().unwrap().velocity - anew.states.last().unwrap().velocity).norm();
        assert!(off < 1e-9, "{method}: {off:e}");
    }
}

/// Zeros for v' and λ are a state that somebody has written.
#[test]
fn a_state_at_rest_falls_as_it_has_to() {
    let system = wheel::System::new(wheel::Data { inertia: 1.0, spring: 1.0 }).unwrap();
    for method in WITH_MEMORY {
        let state = State::at_rest(&system, 0.0, wheel::Wheel { x: Vector1::new(1.0) });
        let run =
            Simulation::of(&system).restart_from(state).method_named(method).unwrap().step(0.01).end_time(0.5).run();
        let off = (run.unwrap().last().configuration.x.x - 0.5_f64.cos()).abs();
        assert!(off < 2e-5, "{method}: {off:e}");
    }
}
