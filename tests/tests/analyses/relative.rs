//! Motions that come back up to symmetries, against quadratures of the top's cubic.

use core::f64::consts::{PI, TAU};

use approx::assert_relative_eq;
use lie_runtime::analysis::{OrbitError, PeriodicOrbit};
use lie_runtime::prelude::*;

use super::symmetries::top;

/// m g l, the inertia across the axis about the tip, and that about the axis.
const WEIGHT: f64 = 2.0 * 9.81;
const ACROSS: f64 = 2.7;
const ALONG: f64 = 1.2;

/// A period of the nutation: T, the precession and the rotation about the axis.
///
/// Substitution u = cos θ: u'² = (α − β u)(1 − u²) − (b − a u)² = β (u − u₁)(u₂ − u)(u₃ − u); u = ½ (u₁ + u₂) + ½ (u₂ − u₁) cos s makes
/// periodic functions of the integrands, of which the midpoint rule is exact.
fn nutation(attitude: &SO3, spin: &Vector3<f64>) -> [f64; 3] {
    let axis = attitude.inverse() * Vector3::z();
    let u = axis.z;
    let turning = 0.5 * ACROSS * (spin.x * spin.x + spin.y * spin.y);
    let (alpha, beta) = (2.0 * (turning + WEIGHT * u) / ACROSS, 2.0 * WEIGHT / ACROSS);
    let a = ALONG * spin.z / ACROSS;
    let b = axis.x * spin.x + axis.y * spin.y + a * u;
    let cubic = |u: f64| (alpha - beta * u) * (1.0 - u * u) - (b - a * u).powi(2);
    let slope = |u: f64| -beta * (1.0 - u * u) - 2.0 * u * (alpha - beta * u) + 2.0 * a * (b - a * u);
    // It is negative at ±1, positive between, and grows in the end: the third root is beyond 1.
    let root = |mut inside: f64, mut outside: f64| {
        for _ in 0..200 {
            let middle = 0.5 * (inside + outside);
            if (cubic(middle) > 0.0) == (cubic(inside) > 0.0) { inside = middle } else { outside = middle }
        }
        inside - cubic(inside) / slope(inside)
    };
    let inside =
        (0..2000).map(|at| -1.0 + f64::from(at) * 1e-3).max_by(|x, y| cubic(*x).total_cmp(&cubic(*y))).unwrap();
    let (low, high) = (root(inside, -1.0), root(inside, 1.0));
    let third = (alpha + a * a) / beta - low - high;
    let count = 4000;
    let mut all = [0.0; 3];
    for at in 0..count {
        let s = PI * (f64::from(at) + 0.5) / f64::from(count);
        let u = 0.5 * (low + high) + 0.5 * (high - low) * s.cos();
        let time = 2.0 * PI / f64::from(count) / (beta * (third - u)).sqrt();
        let precession = (b - a * u) / (1.0 - u * u);
        for (sum, rate) in all.iter_mut().zip([1.0, precession, spin.z - precession * u]) {
            *sum += rate * time;
        }
    }
    all
}

pub fn a_top() -> top::System {
    top::System::new(top::Top { inertia: Vector3::new(0.7, 0.7, ALONG), wind: 0.0 }).expect("a top")
}

pub fn start() -> (top::Pose, top::Velocity, Vector3<f64>) {
    let (attitude, spin) = (SO3::exp(&Vector3::new(0.5, 0.0, 0.0)), Vector3::new(0.3, 0.8, 12.0));
    let q = top::Pose { attitude, position: attitude * Vector3::z() };
    (q, top::Velocity { attitude: spin, position: attitude * spin.cross(&Vector3::z()) }, spin)
}

#[test]
pub fn a_top_nutates_as_its_cubic_says() {
    let (q, v, spin) = start();
    let system = a_top();
    let [period, precession, turn] = nutation(&q.attitude, &spin);
    let orbit = PeriodicOrbit::of(&system)
        .guess(q, v.into())
        .period_guess(1.01 * period)
        .modulo_symmetry("about_the_vertical", precession + 0.03)
        .modulo_symmetry("about_its_axis", turn - 0.03)
        .steps(600)
        .solve()
        .unwrap();
    let found = top::Velocity::from(orbit.state.velocity);
    let expected = nutation(&orbit.state.configuration.attitude, &found.attitude);
    assert_relative_eq!(orbit.period, expected[0], max_relative = 1e-9);
    assert_eq!(orbit.ways.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["about_the_vertical", "about_its_axis"]);
    assert_relative_eq!(orbit.ways[0].1, expected[1], epsilon = 1e-8);
    assert_relative_eq!(orbit.ways[1].1, expected[2], epsilon = 1e-8 * spin.z);
    assert!(orbit.defect < 1e-10 && orbit.iterations > 0, "{orbit:?}");
    // Every top nutates: what grows, grows with time, not by a factor.
    assert_eq!(orbit.multipliers.len(), 6);
    let product: nalgebra::Complex<f64> = orbit.multipliers.iter().product();
    assert_relative_eq!(product.re, 1.0, epsilon = 1e-6);
    assert!(orbit.multipliers.iter().all(|multiplier| (multiplier - 1.0).norm() < 2e-2), "{:?}", orbit.multipliers);
}

/// A symmetry that is not there, a way that is no number, and a steady turn, which comes back after any period.
#[test]
fn what_is_no_relative_orbit_is_told() {
    let (q, v, spin) = start();
    let system = a_top();
    let [period, ..] = nutation(&q.attitude, &spin);
    let near = || PeriodicOrbit::of(&system).guess(q, v.into()).period_guess(period);
    let error = near().modulo_symmetry("about_the_axis", 0.0).solve().unwrap_err();
    assert!(matches!(error, OrbitError::NoSymmetry { name: "about_the_axis", .. }), "{error}");
    assert!(error.to_string().contains("the declaration has `about_the_vertical`, `about_its_axis`"), "{error}");
    let error = near().modulo_symmetry("about_its_axis", f64::NAN).solve().unwrap_err();
    assert!(matches!(error, OrbitError::Setting { .. }), "{error}");

    // A sleeping top turns about both axes at once, which are one.
    let upright = top::Pose { attitude: SO3::identity(), position: Vector3::z() };
    let sleeping = top::Velocity { attitude: Vector3::new(0.0, 0.0, 12.0), position: Vector3::zeros() };
    let error = PeriodicOrbit::of(&system)
        .guess(upright, sleeping.into())
        .period_guess(TAU / 12.0)
        .modulo_symmetry("about_its_axis", TAU)
        .solve()
        .unwrap_err();
    assert!(matches!(error, OrbitError::AtRest), "{error}");
}
