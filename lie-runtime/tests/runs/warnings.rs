//! Warnings about the accuracy and the cost of a run.

use lie_runtime::prelude::*;
use lie_runtime::simulate::Warning;

use crate::models::{linkage, spring, wheel};

/// A point on a floor that is declared twice; a third row is switched off.
#[mechanical_system(redundant = minimum_norm)]
mod table {
    #[configuration]
    pub struct Point {
        pub position: R2,
    }

    #[parameters]
    pub struct Contact {
        pub is_closed: bool,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.position.norm_squared()
    }

    #[constraint]
    fn floor(q: &Point) -> Vector2<f64> {
        Vector2::new(q.position.y, 2.0 * q.position.y)
    }

    #[constraint]
    fn wall(contact: &Contact, q: &Point) -> f64 {
        if contact.is_closed { q.position.x } else { 0.0 }
    }
}

fn kinds(warnings: &[Warning]) -> Vec<&'static str> {
    warnings.iter().map(Warning::kind).collect()
}

/// Heun's method multiplies the energy of an oscillator by 1 + (h ω)⁴ / 4 in each step.
#[test]
fn numerical_energy_gain_from_one_per_cent() {
    let system = wheel::System::new(wheel::Data { inertia: 1.0, spring: 1.0 }).unwrap();
    let run = |h: f64, steps: i32| {
        let start = wheel::Wheel { x: Vector1::new(1.0) };
        let run = Simulation::of(&system).initial(start, Vector1::zeros()).method(HalfExplicit::herk2_heun());
        run.step(h).end_time(h * f64::from(steps)).run().unwrap()
    };
    let expected = |h: f64, steps: i32| 1.0 - (1.0 + h.powi(4) / 4.0).powi(-steps);
    let coarse = run(0.1, 1200);
    let [Warning::EnergyGain { part }] = *coarse.warnings() else { panic!("{:?}", coarse.warnings()) };
    assert!(expected(0.1, 1200) > 0.02 && (part / expected(0.1, 1200) - 1.0).abs() < 0.05, "{part}");
    let text = coarse.to_string();
    assert!(text.contains("\nwarning: numerical energy gain: ") && text.ends_with("errors.md#energy-gain)"), "{text}");
    // Below the limit.
    assert!((2e-3..9e-3).contains(&expected(0.1, 300)));
    assert!(run(0.1, 300).warnings().is_empty());
}

#[test]
fn constraint_violation_from_a_thousandth() {
    let lengths = linkage::Lengths { crank: 1.0, coupler: 3.0, rocker: 2.5, ground: 3.2 };
    let system = linkage::System::new(lengths).unwrap();
    let start =
        linkage::Bars { crank: SO2::from_angle(0.7), coupler: SO2::from_angle(0.4), rocker: SO2::from_angle(1.9) };
    let run = |h: f64| {
        let run = Simulation::of(&system).initial(start, Vector3::new(2.0, 0.0, 0.0)).fix_initial(["crank"]);
        run.method(HalfExplicit::herk2_heun()).step(h).end_time(5.0).run().unwrap()
    };
    assert!(!kinds(run(0.01).warnings()).contains(&"ConstraintViolation"));
    let coarse = run(0.1);
    let found = coarse.warnings().iter().find_map(|warning| match warning {
        Warning::ConstraintViolation { constraint, residual, scale } => Some((*constraint, *residual, *scale)),
        _ => None,
    });
    let Some(("closed", residual, scale)) = found else { panic!("{:?}", coarse.warnings()) };
    assert!(
        (residual / coarse.statistics.position_residual - 1.0).abs() < 1e-6 && residual > 1e-3 * scale,
        "{residual}"
    );
}

/// x'' + 1000 x' + x = 0 creeps with the rate 1e-3, and its fast motion has the rate 1e3.
#[test]
fn stiffness_under_error_control() {
    let system = spring::System::new(spring::Data { mass: 1.0, stiffness: 1.0, damping: 1e3 }).unwrap();
    let start = || {
        let start = spring::Position { x: Vector1::new(1.0) };
        Simulation::of(&system)
            .initial(start, Vector1::zeros())
            .rtol(1e-6)
            .atol(1e-8)
            .end_time(10.0)
            .output_times(&[10.0])
    };
    let explicit = start().run().unwrap();
    let [Warning::Stiff { method: "hedop5", step, rate, motion, .. }] = *explicit.warnings() else {
        panic!("{:?}", explicit.warnings())
    };
    assert!((rate / 1e3 - 1.0).abs() < 1e-2 && motion < 0.1, "{rate} {motion}");
    assert!((0.8..4.0).contains(&(step * rate)), "{step}");
    // An implicit method is not limited by stability, and an oscillation that is resolved is not stiff.
    assert!(start().method_named("tr_bdf2").unwrap().run().unwrap().warnings().is_empty());
    let swing = wheel::System::new(wheel::Data { inertia: 1.0, spring: 1e4 }).unwrap();
    let swing = Simulation::of(&swing).initial(wheel::Wheel { x: Vector1::new(1.0) }, Vector1::zeros());
    let swing = swing.rtol(1e-3).atol(1e-3).end_time(60.0).output_times(&[60.0]).run().unwrap();
    assert!(swing.statistics.accepted > 2000 && !kinds(swing.warnings()).contains(&"Stiff"), "{swing}");
}

#[test]
fn redundant_rows_at_the_start() {
    let run = |is_closed: bool| {
        let system = table::System::new(table::Contact { is_closed }).unwrap();
        let start = table::Point { position: Vector2::zeros() };
        let run = Simulation::of(&system).initial(start, Vector2::new(0.0, 0.0)).step(0.1).end_time(0.2).run().unwrap();
        run.warnings().to_vec()
    };
    for (is_closed, acting) in [(false, 2), (true, 3)] {
        let warnings = run(is_closed);
        let [Warning::RedundantRows { rows, of }] = &warnings[..] else { panic!("{warnings:?}") };
        assert_eq!((rows.len(), *of), (1, acting));
        assert!(rows[0].contains("floor"), "{}", rows[0]);
        let message = warnings[0].to_string();
        assert!(message.contains(&format!(" {}. ", rows[0])) && !message.contains("``"), "{message}");
    }
}
