//! Constraints that cannot be met, blow-ups, and parameters of nothing.

use lie_runtime::integrator::CommutatorFree;
use lie_runtime::integrator::generalized_alpha::Parameters;
use lie_runtime::prelude::*;

use super::{Attack, at, end, hinged, repel, spring_of};
use crate::models::{contact, driven_off, held_body, struck};

fn alpha() -> GeneralizedAlpha {
    GeneralizedAlpha::index3(Parameters::chung_hulbert(0.9).unwrap())
}

#[test]
#[allow(clippy::too_many_lines)] // A table.
fn constraints_and_blow_ups() {
    let body = held_body::System::new(held_body::Data { stiffness: 1.0 }).unwrap();
    let body_run = |v: Vector6<f64>| Simulation::of(&body).initial(hinged(), v);
    let driven = driven_off::System::new().unwrap();
    let on_circle = driven_off::Point { place: Vector2::new(0.0, 1.0) };
    let driven_run = || Simulation::of(&driven).initial(on_circle, Vector2::new(1.0, 0.0));
    let floor = contact::System::new(contact::Data { stiffness: 1e9 }).unwrap();
    let ball = |z: f64| contact::Ball { pose: S3R3::new(S3::identity(), Vector3::new(0.0, 0.0, z)) };
    let blown = struck::System::new().unwrap();
    let attacks: Vec<Attack<'_>> = vec![
        // Constraints that cannot be met, by every kind of method: at t = 1 the two have the same gradient, and there is no point
        // of the circle after it. Half-explicit methods step over that, the others end there.
        (
            "off the circle",
            &["the residual of constraint `circle`"],
            Box::new(|| end(driven_run().step(1e-3).end_time(1.5).constraint_tolerance(1e-2).run())),
        ),
        (
            "off the circle, controlled",
            &["constraint `drive` row 0", "t = 1.0"],
            Box::new(|| end(driven_run().rtol(1e-3).atol(1e-3).end_time(1.5).run())),
        ),
        (
            "off the circle, implicit",
            &["Newton", "t = 0.9"],
            Box::new(|| end(driven_run().method(alpha()).step(1e-2).end_time(1.5).run())),
        ),
        (
            "off the circle, variational",
            &["t = 0.9", "constraint `drive`", "linearly dependent"],
            Box::new(|| end(driven_run().method(Rattlie::new()).step(1e-2).end_time(1.5).run())),
        ),
        (
            "no tolerance of constraints",
            &["the residual of constraint"],
            Box::new(|| {
                end(body_run(Vector6::new(0.0, 0.0, 3.0, -3.0, 0.0, 0.0))
                    .constraint_tolerance(0.0)
                    .method(HalfExplicit::herk2_heun())
                    .step(0.01)
                    .end_time(1.0)
                    .run())
            }),
        ),
        // Blow-ups.
        (
            "stiff",
            &["the motion diverges", "about 1.0e-6"],
            Box::new(|| {
                let stiff = spring_of(1.0, 1e12, 0.0)?;
                end(Simulation::of(&stiff).initial(at(1.0), Vector1::zeros()).step(0.1).end_time(100.0).run())
            }),
        ),
        (
            "stiff, on a homogeneous space",
            &["the motion diverges"],
            Box::new(|| {
                let stiff = spring_of(1.0, 1e12, 0.0)?;
                let run = Simulation::of(&stiff).initial(at(1.0), Vector1::zeros());
                end(run.method(OnMechanical(CommutatorFree::cf4())).step(0.1).end_time(100.0).run())
            }),
        ),
        (
            "damped",
            &["the motion diverges"],
            Box::new(|| {
                let damped = spring_of(1.0, 1.0, 1e9)?;
                end(Simulation::of(&damped).initial(at(1.0), Vector1::new(1.0)).step(0.1).end_time(100.0).run())
            }),
        ),
        (
            "damped backwards",
            &["the motion diverges"],
            Box::new(|| {
                let driven = spring_of(1.0, 1.0, -1e3)?;
                end(Simulation::of(&driven).initial(at(1.0), Vector1::new(1.0)).step(0.1).end_time(100.0).run())
            }),
        ),
        (
            "spun up beyond numbers",
            &["the motion diverges"],
            Box::new(|| {
                end(body_run(Vector6::new(0.0, 0.0, 6e5, -6e5, 0.0, 0.0))
                    .step(0.01)
                    .end_time(10.0)
                    .constraint_tolerance(f64::INFINITY)
                    .run())
            }),
        ),
        (
            "dropped from high",
            &["the motion diverges"],
            Box::new(|| end(Simulation::of(&floor).initial(ball(1e4), Vector6::zeros()).step(0.5).end_time(1e3).run())),
        ),
        (
            "struck between two steps",
            &[],
            Box::new(|| {
                let q = struck::Position { x: Vector1::zeros() };
                end(Simulation::of(&blown).initial(q, Vector1::zeros()).step(0.1).end_time(3.0).run())
            }),
        ),
        // Parameters.
        ("mass 0", &["mass matrix"], Box::new(|| spring_of(0.0, 1.0, 0.0).map(|_| 0.0))),
        (
            "mass of nothing",
            &["mass"],
            Box::new(|| {
                let light = spring_of(5e-324, 1.0, 0.0)?;
                end(Simulation::of(&light).initial(at(1.0), Vector1::zeros()).step(0.1).end_time(1.0).run())
            }),
        ),
    ];
    repel(attacks);
}
