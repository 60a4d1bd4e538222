//! Initial values that cannot be, and members that cannot be held.

use lie_runtime::prelude::*;

use super::{Attack, at, end, hinged, repel, spring_of};
use crate::models::{beads, driven_off, held_body, linkage};

#[test]
#[allow(clippy::too_many_lines)] // A table.
fn initial_values() {
    let soft = spring_of(1.0, 1.0, 0.0).unwrap();
    let body = held_body::System::new(held_body::Data { stiffness: 1.0 }).unwrap();
    let body_run = |v: Vector6<f64>| Simulation::of(&body).initial(hinged(), v);
    let bars = linkage::System::new(linkage::Lengths { crank: 1.0, coupler: 3.0, rocker: 2.5, ground: 3.2 }).unwrap();
    let bars_at = |a: f64, b: f64, c: f64| linkage::Bars {
        crank: SO2::from_angle(a),
        coupler: SO2::from_angle(b),
        rocker: SO2::from_angle(c),
    };
    let bars_run = || Simulation::of(&bars).initial(bars_at(0.7, 0.2, 1.5), Vector3::zeros()).step(0.01).end_time(1.0);
    let driven = driven_off::System::new().unwrap();
    let line = beads::System::new(beads::Lengths { beads: 4 }).unwrap();
    let beads = |n: usize| beads::Line { beads: (0..n).map(|i| Vector3::new(i as f64, 0.0, 0.0)).collect() };
    let attacks: Vec<Attack<'_>> = vec![
        (
            "position NaN",
            &["initial configuration"],
            Box::new(|| {
                end(Simulation::of(&soft).initial(at(f64::NAN), Vector1::zeros()).step(0.1).end_time(1.0).run())
            }),
        ),
        (
            "velocity ∞",
            &["initial velocity"],
            Box::new(|| {
                end(Simulation::of(&soft).initial(at(0.0), Vector1::new(f64::INFINITY)).step(0.1).end_time(1.0).run())
            }),
        ),
        (
            "the largest position",
            &[],
            Box::new(|| {
                end(Simulation::of(&soft)
                    .initial(at(1e300), Vector1::zeros())
                    .step(0.1)
                    .end_time(1.0)
                    .output_times(&[])
                    .run())
            }),
        ),
        (
            "the largest velocity",
            &["not finite", "smaller step"],
            Box::new(|| {
                end(Simulation::of(&soft).initial(at(0.0), Vector1::new(f64::MAX)).step(0.1).end_time(1.0).run())
            }),
        ),
        (
            "a velocity off",
            &["velocity violates constraint `hinge`"],
            Box::new(|| end(body_run(Vector6::repeat(1.0)).step(0.01).end_time(0.1).run())),
        ),
        (
            "correction NaN",
            &["max_initial_correction"],
            Box::new(|| {
                end(body_run(Vector6::zeros()).max_initial_correction(f64::NAN).step(0.01).end_time(0.1).run())
            }),
        ),
        (
            "correction 0",
            &[],
            Box::new(|| end(body_run(Vector6::zeros()).max_initial_correction(0.0).step(0.01).end_time(0.1).run())),
        ),
        ("holding nothing", &["violates constraint"], Box::new(|| end(bars_run().fix_initial::<&str>([]).run()))),
        ("holding nobody", &["unknown member ``"], Box::new(|| end(bars_run().fix_initial([""]).run()))),
        ("holding twice", &[], Box::new(|| end(bars_run().fix_initial(["crank", "crank"]).run()))),
        (
            "holding all",
            &["no configuration close to the given one", "rocker"],
            Box::new(|| end(bars_run().fix_initial(["crank", "coupler", "rocker"]).run())),
        ),
        (
            "holding two of three",
            &["with `crank` and `coupler` fixed"],
            Box::new(|| end(bars_run().fix_initial(["crank", "coupler"]).run())),
        ),
        (
            "holding a state",
            &["restart_from"],
            Box::new(|| {
                let state = State::at_rest(&bars, 0.0, bars_at(0.7, 0.2, 1.5));
                end(Simulation::of(&bars).restart_from(state).fix_initial(["crank"]).step(0.1).end_time(1.0).run())
            }),
        ),
        (
            "holding the driven member, at the wrong place",
            &["drive"],
            Box::new(|| {
                let q = driven_off::Point { place: Vector2::new(0.6, 0.8) };
                let run = Simulation::of(&driven).initial(q, Vector2::new(1.0, -0.75)).fix_initial(["place"]);
                end(run.step(0.01).end_time(0.1).run())
            }),
        ),
        (
            "holding the driven member, at the right place",
            &[],
            Box::new(|| {
                let q = driven_off::Point { place: Vector2::new(0.6, 0.8) };
                let run = Simulation::of(&driven).initial(q, Vector2::new(1.0, -0.75)).fix_initial(["place"]);
                end(run.start_time(0.6).step(0.01).end_time(0.7).run())
            }),
        ),
        (
            "beads too few",
            &["chain `beads`"],
            Box::new(|| {
                end(Simulation::of(&line).initial(beads(3), line.zero_velocity()).step(0.1).end_time(1.0).run())
            }),
        ),
        (
            "beads held",
            &[],
            Box::new(|| {
                end(Simulation::of(&line)
                    .initial(beads(4), line.zero_velocity())
                    .fix_initial(["beads"])
                    .step(0.1)
                    .end_time(1.0)
                    .run())
            }),
        ),
        (
            "a state of no time",
            &["initial time"],
            Box::new(|| {
                end(Simulation::of(&line)
                    .restart_from(State::at_rest(&line, f64::NAN, beads(4)))
                    .step(0.1)
                    .end_time(1.0)
                    .run())
            }),
        ),
    ];
    repel(attacks);
}
