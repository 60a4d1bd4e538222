//! Families of the driven pendulum, against each other and against what is known of its way to chaos.

use std::f64::consts::{PI, TAU};

use lie_runtime::analysis::{OrbitPoint, PeriodicOrbit, SpecialOrbitKind};
use lie_runtime::prelude::*;

use crate::driven_pendulum::pendulum::{Drive, System};
use crate::driven_pendulum::{leaving, response, settled, stronger};

/// Both families meet where symmetry is lost, and the period doubles where the literature has it, at 1.066.
#[test]
fn symmetry_is_lost_before_the_period_doubles() {
    let symmetric = stronger(0.95, 1.05).unwrap();
    let found: Vec<_> = symmetric.special.iter().map(|special| special.kind).collect();
    assert_eq!(found, [SpecialOrbitKind::Bifurcation]);
    let down = stronger(1.04, 1.0).unwrap();
    let limit = down.of_kind(SpecialOrbitKind::Limit).next().unwrap();
    assert!((limit.parameter - symmetric.special[0].parameter).abs() < 1e-7, "{:?}", down.special);
    let up = stronger(1.05, 1.08).unwrap();
    let doubling = up.of_kind(SpecialOrbitKind::PeriodDoubling).next().unwrap();
    assert!((doubling.parameter - 1.066).abs() < 1e-3, "{}", doubling.parameter);
    assert!((doubling.orbit.multipliers[0].re + 1.0).abs() < 1e-6);
}

/// What a run settles on by itself is a motion of the family, or its mirror image half a period of the drive away.
fn ensure_settled_on(point: &OrbitPoint<System>, periods: u32) {
    let system = System::new(Drive { frequency: 2.0 / 3.0, strength: point.parameter, damping: 0.5 }).unwrap();
    let state = settled(&system, 400).unwrap();
    let steps = 400 * periods as usize;
    let alone = PeriodicOrbit::of(&system)
        .near(state.configuration, state.velocity)
        .driven_for(TAU * f64::from(periods))
        .steps(steps)
        .solve()
        .unwrap();
    let halves: Vec<f64> = (0..2 * periods).map(|half| PI * f64::from(half)).collect();
    let run = Simulation::of(&system)
        .starting_at(point.orbit.state.configuration, point.orbit.state.velocity)
        .step(point.orbit.period / steps as f64)
        .until(halves[halves.len() - 1])
        .sample_at(&halves)
        .run()
        .unwrap();
    let apart = run.states.iter().enumerate().map(|(half, state)| {
        let side = if half % 2 == 0 { 1.0 } else { -1.0 };
        let angle = side * state.configuration.theta - alone.state.configuration.theta;
        let rate = side * state.velocity.x - alone.state.velocity.x;
        (angle - TAU * (angle / TAU).round()).hypot(rate)
    });
    let nearest = apart.fold(f64::INFINITY, f64::min);
    assert!(nearest < 1e-8 && point.unstable == 0, "{nearest} at {}", point.parameter);
}

/// Followed from where they leave, the families of lost symmetry and of twice the period are those that runs settle on.
#[test]
fn families_are_followed_into_those_that_leave_them() {
    let symmetric = stronger(0.95, 1.05).unwrap();
    let one_sided = leaving(&symmetric.special[0], (1.0, 1.08)).unwrap();
    let doubling = one_sided.of_kind(SpecialOrbitKind::PeriodDoubling).next().unwrap();
    let alone = stronger(1.05, 1.08).unwrap();
    let other = alone.of_kind(SpecialOrbitKind::PeriodDoubling).next().unwrap();
    assert!((doubling.parameter - other.parameter).abs() < 1e-8, "{} {}", doubling.parameter, other.parameter);
    let doubled = leaving(doubling, (1.0, 1.08)).unwrap();
    let near = |family: &[OrbitPoint<System>], strength: f64, periods| {
        ensure_settled_on(family.iter().find(|point| point.parameter > strength).unwrap(), periods);
    };
    near(&one_sided.points, 1.02, 1);
    near(&one_sided.points, 1.05, 1);
    near(&doubled.points, 1.07, 2);
    // The next doubling, nearer by a factor that goes to Feigenbaum's.
    let next = doubled.of_kind(SpecialOrbitKind::PeriodDoubling).next().unwrap();
    let twice = leaving(next, (1.0, 1.09)).unwrap();
    let third = twice.of_kind(SpecialOrbitKind::PeriodDoubling).next().unwrap();
    let ratio = (next.parameter - doubling.parameter) / (third.parameter - next.parameter);
    assert!((ratio - 4.669).abs() < 1.0, "{ratio}: {} {}", next.parameter, third.parameter);
}

/// Liouville: the product of both multipliers is exp(−c T) of a damping c, T that of the drive by the time of small motions.
#[test]
fn multipliers_multiply_to_what_is_lost() {
    let family = response(0.14).unwrap();
    assert_eq!(family.of_kind(SpecialOrbitKind::Limit).count(), 2);
    for point in &family.points {
        let product: lie_runtime::nalgebra::Complex<f64> = point.orbit.multipliers.iter().product();
        let exact = (-0.1 * std::f64::consts::TAU / point.parameter).exp();
        assert!((product.re / exact - 1.0).abs() < 1e-7 && product.im.abs() < 1e-9, "{product}");
    }
}
