//! Continuation from states that no run has reached.

use lie_runtime::prelude::*;

use super::{Attack, at, end, hinged, repel, spring_of};
use crate::models::{beads, held_body, linkage, pointer, spring};

/// A state of the soft spring after a second, by some method in steps of 0.1.
fn after_a_second(system: &spring::System, method: &str) -> Result<State<spring::System>, String> {
    let run = Simulation::of(system).initial(at(1.0), Vector1::zeros());
    let run = run.method_named(method).map_err(|error| error.to_string())?.step(0.1).end_time(1.0).run();
    Ok(run.map_err(|error| error.to_string())?.last().clone())
}

/// Continues by some method to t = 2.
fn on(system: &spring::System, state: State<spring::System>, method: &str, step: f64) -> Result<f64, String> {
    let run = Simulation::of(system).restart_from(state).method_named(method).map_err(|error| error.to_string())?;
    let run = run.step(step).end_time(2.0).run().map_err(|error| error.to_string())?;
    let off = (run.last().configuration.x.x - 2.0_f64.cos()).abs();
    assert!(off < 2e-2, "{method}: {off}");
    Ok(off)
}

#[test]
#[allow(clippy::too_many_lines)] // A table.
fn resumed_states() {
    let soft = spring_of(1.0, 1.0, 0.0).unwrap();
    let body = held_body::System::new(held_body::Data { stiffness: 1.0 }).unwrap();
    let bars = linkage::System::new(linkage::Lengths { crank: 1.0, coupler: 3.0, rocker: 2.5, ground: 3.2 }).unwrap();
    let line = beads::System::new(beads::Lengths { beads: 4 }).unwrap();
    let longer = beads::System::new(beads::Lengths { beads: 5 }).unwrap();
    let arm = pointer::System::new().unwrap();
    let joint = |direction: Vector3<f64>| pointer::Joint { tip: S2::new_unchecked(direction) };
    let straight = || pointer::Arm { lower: joint(Vector3::x()), upper: joint(Vector3::x()) };
    let spring_at = |change: &dyn Fn(&mut State<spring::System>)| {
        let mut state = State::at_rest(&soft, 0.0, at(1.0));
        change(&mut state);
        end(Simulation::of(&soft).restart_from(state).step(0.1).end_time(1.0).run())
    };
    let held_at = |change: &dyn Fn(&mut State<held_body::System>)| {
        let mut state = State::at_rest(&body, 0.0, hinged());
        change(&mut state);
        end(Simulation::of(&body).restart_from(state).step(0.01).end_time(0.1).run())
    };
    let attacks: Vec<Attack<'_>> = vec![
        (
            "position NaN",
            &["initial configuration"],
            Box::new(|| spring_at(&|state| state.configuration.x.x = f64::NAN)),
        ),
        ("velocity NaN", &["initial velocity"], Box::new(|| spring_at(&|state| state.velocity.x = f64::NAN))),
        (
            "acceleration NaN",
            &["initial acceleration"],
            Box::new(|| spring_at(&|state| state.acceleration.x = f64::NAN)),
        ),
        ("time −∞", &["initial time"], Box::new(|| spring_at(&|state| state.time = f64::NEG_INFINITY))),
        ("after the end", &["not before the start time 2"], Box::new(|| spring_at(&|state| state.time = 2.0))),
        ("multipliers NaN", &["initial multiplier"], Box::new(|| held_at(&|state| state.multipliers.x = f64::NAN))),
        ("multipliers of no run", &[], Box::new(|| held_at(&|state| state.multipliers.fill(1e3)))),
        (
            "off the hinge",
            &["restart state violates constraint `hinge`", "max_initial_correction"],
            Box::new(|| held_at(&|state| state.configuration.position.x = 3.0)),
        ),
        ("moving off the hinge", &["hinge"], Box::new(|| held_at(&|state| state.velocity.fill(1.0)))),
        (
            "a rotation that is none",
            &["`attitude` is not an element"],
            Box::new(|| {
                held_at(&|state| state.configuration.attitude = SO3::from_matrix_unchecked(Matrix3::identity() * 1.1))
            }),
        ),
        (
            "a chain too long",
            &["`beads`"],
            Box::new(|| {
                let q = beads::Line { beads: (0..5).map(|i| Vector3::new(f64::from(i), 0.0, 0.0)).collect() };
                end(Simulation::of(&line).restart_from(State::at_rest(&line, 0.0, q)).step(0.1).end_time(1.0).run())
            }),
        ),
        (
            "vectors of another system",
            &["velocity has 12 components"],
            Box::new(|| {
                let q = || beads::Line { beads: (0..4).map(|i| Vector3::new(f64::from(i), 0.0, 0.0)).collect() };
                let mut state = State::at_rest(&line, 0.0, q());
                state.velocity = longer.zero_velocity();
                end(Simulation::of(&line).restart_from(state).step(0.1).end_time(1.0).run())
            }),
        ),
        (
            "directions that spin, at the start",
            &[],
            Box::new(|| {
                let spin = Vector6::new(5.0, 0.0, 0.0, 0.0, 0.0, 0.0);
                let run = Simulation::of(&arm).initial(pointer::Pose { arm: straight() }, spin).step(0.1).end_time(1.0);
                let run = run.run().map_err(|error| error.to_string())?;
                assert!(run.first().velocity.x.abs() < 1e-12 && run.initial.velocity.distance > 4.9);
                Ok(0.0)
            }),
        ),
        (
            "directions that spin, as they are",
            &["`arm.lower.tip`", "along its direction", "SO3"],
            Box::new(|| {
                let mut state = State::at_rest(&arm, 0.0, pointer::Pose { arm: straight() });
                state.velocity.x = 5.0;
                end(Simulation::of(&arm).restart_from(state).step(0.1).end_time(1.0).run())
            }),
        ),
        (
            "a direction that is none, in a body of a body",
            &["`arm.upper.tip` is not an element"],
            Box::new(|| {
                let arm_off = pointer::Arm { upper: joint(Vector3::x() * 2.0), ..straight() };
                let start = pointer::Pose { arm: arm_off };
                end(Simulation::of(&arm).initial(start, Vector6::zeros()).step(0.1).end_time(1.0).run())
            }),
        ),
        (
            "holding a part of a body of a body",
            &[],
            Box::new(|| {
                let run = Simulation::of(&arm).initial(pointer::Pose { arm: straight() }, Vector6::zeros());
                end(run.fix_initial(["arm.upper", "arm.lower.tip"]).step(0.1).end_time(1.0).run())
            }),
        ),
        (
            "holding a missing field of a body",
            &["unknown member `arm.middle`", "`arm.lower.tip` and `arm.upper.tip`"],
            Box::new(|| {
                let run = Simulation::of(&arm).initial(pointer::Pose { arm: straight() }, Vector6::zeros());
                end(run.fix_initial(["arm.middle"]).step(0.1).end_time(1.0).run())
            }),
        ),
        (
            "holding half a name",
            &["unknown member `cra`"],
            Box::new(|| {
                let q = linkage::Bars {
                    crank: SO2::from_angle(0.7),
                    coupler: SO2::from_angle(0.2),
                    rocker: SO2::from_angle(1.5),
                };
                end(Simulation::of(&bars)
                    .initial(q, Vector3::zeros())
                    .fix_initial(["cra"])
                    .step(0.1)
                    .end_time(1.0)
                    .run())
            }),
        ),
        (
            "holding an angle that is NaN",
            &["initial configuration"],
            Box::new(|| {
                let q = linkage::Bars {
                    crank: SO2::from_angle(f64::NAN),
                    coupler: SO2::from_angle(0.2),
                    rocker: SO2::from_angle(1.5),
                };
                end(Simulation::of(&bars)
                    .initial(q, Vector3::zeros())
                    .fix_initial(["crank"])
                    .step(0.1)
                    .end_time(1.0)
                    .run())
            }),
        ),
        // One method after another.
        ("α after BDF", &[], Box::new(|| on(&soft, after_a_second(&soft, "bliedf3")?, "lie_alpha", 0.05))),
        ("BDF after α", &[], Box::new(|| on(&soft, after_a_second(&soft, "lie_alpha")?, "bliedf3", 0.05))),
        (
            "BDF after itself, with other steps",
            &["equal size; the previous step is 0.1"],
            Box::new(|| on(&soft, after_a_second(&soft, "bliedf3")?, "bliedf3", 0.05)),
        ),
        (
            "BDF after itself, of another order",
            &[],
            Box::new(|| on(&soft, after_a_second(&soft, "bliedf2")?, "bliedf4", 0.1)),
        ),
        ("RATTLie after α", &[], Box::new(|| on(&soft, after_a_second(&soft, "lie_alpha")?, "rattlie", 0.05))),
        (
            "BDF to an odd end",
            &["equal size", "multiple of the step"],
            Box::new(|| on(&soft, after_a_second(&soft, "bliedf3")?, "bliedf3", 0.13)),
        ),
    ];
    repel(attacks);
}
