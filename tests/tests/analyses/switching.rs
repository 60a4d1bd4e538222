//! Families of periodic motions that leave others, where they are known in closed form.

use core::f64::consts::{PI, TAU};

use approx::assert_relative_eq;
use lie_runtime::analysis::{OrbitBranch, OrbitError, OrbitPoint, PeriodicOrbit, SpecialOrbitKind};
use lie_runtime::prelude::*;

use super::families::shaken;
use super::periodic::{oscillator, van_der_pol};

/// x'' + c x' + (ω² + x² + x'²) x = a (cos 2t x − sin 2t x'), solved exactly by x = A cos(t − φ): as cos 2t cos θ + sin 2t sin θ is
/// cos(2t − θ), no other harmonic comes up, and
///
/// ```text
/// a sin 2φ = c,    a cos 2φ = ω² − 1 + A²,    a² = c² + (ω² − 1 + A²)².
/// ```
#[mechanical_system]
pub mod pumped {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
    }

    #[parameters]
    pub struct Pump {
        pub stiffness: f64,
        pub damping: f64,
        pub strength: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[force(on = x)]
    fn forces(p: &Pump, t: f64, q: &Place, v: &Velocity) -> f64 {
        let pumping = p.strength * ((2.0 * t).cos() * q.x - (2.0 * t).sin() * v.x);
        pumping - (p.stiffness + q.x * q.x + v.x * v.x) * q.x - p.damping * v.x
    }
}

/// x'' + c x' = (a − x) x: rest at 0 and at a.
#[mechanical_system]
pub mod fork {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
    }

    #[parameters]
    pub struct Growth {
        pub rate: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[force(on = x)]
    fn forces(p: &Growth, q: &Place, v: &Velocity) -> f64 {
        (p.rate - q.x) * q.x - v.x
    }
}

/// ω² − 1 and c.
const STIFFENING: f64 = -0.2;
const DAMPING: f64 = 0.2;

fn pumped_system() -> pumped::System {
    pumped::System::new(pumped::Pump { stiffness: 1.0 + STIFFENING, damping: DAMPING, strength: 0.0 }).unwrap()
}

/// Rest, over the strength of the pump, taken for so many of its periods.
fn rest(system: &pumped::System, period: f64) -> OrbitBranch<pumped::System> {
    PeriodicOrbit::of(system)
        .guess(pumped::Place { x: 0.0 }, Vector1::new(0.0))
        .period(period)
        .continuation("strength")
        .parameter_end(0.4)
        .run()
        .unwrap()
}

/// A and cos 2φ of the closed form, from the motion that was found.
fn ensure_exact(point: &OrbitPoint<pumped::System>) {
    let state = &point.orbit.state;
    let (x, v) = (state.configuration.x, state.velocity.x);
    let square = x * x + v * v;
    assert_relative_eq!(point.parameter.powi(2), DAMPING.powi(2) + (STIFFENING + square).powi(2), epsilon = 1e-9);
    // x = A cos φ, v = A sin φ.
    assert_relative_eq!(2.0 * x * v * point.parameter, square * DAMPING, epsilon = 1e-9);
    assert_relative_eq!((x * x - v * v) * point.parameter, square * (STIFFENING + square), epsilon = 1e-9);
    assert_relative_eq!(point.orbit.period, TAU);
    let product: nalgebra::Complex<f64> = point.orbit.multipliers.iter().product();
    assert!(point.orbit.defect < 1e-10 && product.im.abs() < 1e-9, "{product}");
}

/// Rest doubles the period of the pump. The motions of twice the period go to weaker pumps, and back at a = c.
#[test]
fn a_doubled_period_is_that_of_the_closed_form() {
    let system = pumped_system();
    let rest = rest(&system, PI);
    let [doubling] = rest.special.as_slice() else { panic!("{:?}", rest.special) };
    assert_eq!(doubling.kind, SpecialOrbitKind::PeriodDoubling);
    assert_relative_eq!(doubling.parameter, DAMPING.hypot(STIFFENING), epsilon = 1e-9);
    let family = PeriodicOrbit::of(&system)
        .continuation("strength")
        .branch_from(doubling, 1.0)
        .parameter_end(0.4)
        .run()
        .unwrap();
    family.points.iter().for_each(ensure_exact);
    let [limit] = family.special.as_slice() else { panic!("{:?}", family.special) };
    assert_eq!(limit.kind, SpecialOrbitKind::Limit);
    assert_relative_eq!(limit.parameter, DAMPING, epsilon = 1e-9);
    let last = family.points.last().unwrap();
    assert!(last.parameter > 0.4 && last.unstable == 0 && family.points[1].unstable == 1);
    assert_eq!(last.orbit.steps, 800);
}

/// Over two periods of the pump the same motions cross the branch of rest, one on either side.
#[test]
fn families_that_cross_are_those_of_the_closed_form() {
    let system = pumped_system();
    let rest = rest(&system, TAU);
    let [crossing] = rest.special.as_slice() else { panic!("{:?}", rest.special) };
    assert_eq!(crossing.kind, SpecialOrbitKind::Bifurcation);
    let sides = [1.0, -1.0].map(|sign| {
        let family = PeriodicOrbit::of(&system).continuation("strength").branch_from(crossing, sign);
        let family = family.parameter_end(0.4).step(0.1).run().unwrap();
        family.points.iter().for_each(ensure_exact);
        family.points.last().unwrap().orbit.state.configuration.x
    });
    assert!(sides[0] * sides[1] < 0.0, "{sides:?}");
}

/// Neither family is the one that turns: each leads into the other, on both sides.
#[test]
fn families_that_pass_each_other_lead_into_each_other() {
    let system = fork::System::new(fork::Growth { rate: -0.5 }).unwrap();
    for (start, other) in [(0.0, 1.0), (-0.5, 0.0)] {
        let family = PeriodicOrbit::of(&system)
            .guess(fork::Place { x: start }, Vector1::new(0.0))
            .period(1.0)
            .continuation("rate")
            .parameter_end(0.5)
            .run()
            .unwrap();
        let crossing = family.of_kind(SpecialOrbitKind::Bifurcation).next().unwrap();
        assert!(crossing.parameter.abs() < 1e-8, "{}", crossing.parameter);
        let ends = [1.0, -1.0].map(|sign| {
            let family = PeriodicOrbit::of(&system).continuation("rate").branch_from(crossing, sign);
            // On one side the family leads away from the target.
            let family = family.parameter_end(0.5).run().unwrap_or_else(|unfinished| unfinished.branch);
            for point in &family.points {
                let x = point.orbit.state.configuration.x;
                assert!((x - other * point.parameter).abs() < 1e-8, "{x} at {}", point.parameter);
            }
            family.points.last().unwrap().parameter
        });
        assert!(ends[0] * ends[1] < 0.0, "{ends:?}");
    }
}

/// The shaken pendulum as a point of the plane on a rod.
#[mechanical_system]
pub mod bob {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bob {
        pub x: R2,
    }

    #[parameters]
    pub struct Shaking {
        pub shaking: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[force(on = x)]
    fn forces(p: &Shaking, t: f64, v: &Velocity) -> Vector2<f64> {
        Vector2::new(0.0, -1.0 - p.shaking * (2.1 * t).cos()) - 0.1 * v.x
    }

    #[constraint]
    fn rod(q: &Bob) -> f64 {
        0.5 * (q.x.norm_squared() - 1.0)
    }
}

/// The same result with a constraint: the motions of the angle with twice the period are found automatically.
#[test]
fn what_constraints_do_not_admit_leads_nowhere() {
    let system = bob::System::new(bob::Shaking { shaking: 0.2 }).unwrap();
    let rest = PeriodicOrbit::of(&system)
        .guess(bob::Bob { x: Vector2::new(0.0, -1.0) }, Vector2::zeros())
        .period(TAU / 2.1)
        .continuation("shaking")
        .parameter_end(0.5)
        .run()
        .unwrap();
    let [doubling] = rest.special.as_slice() else { panic!("{:?}", rest.special) };
    let family = PeriodicOrbit::of(&system).continuation("shaking").branch_from(doubling, 1.0);
    let family = family.parameter_end(0.6).step(0.1).run().unwrap();
    assert!(family.points.len() > 5);
    for point in &family.points[1..] {
        let (x, v) = (point.orbit.state.configuration.x, point.orbit.state.velocity);
        let (theta, rate) = (x.x.atan2(-x.y), x.x * v.y - x.y * v.x);
        let drive = shaken::Drive { shaking: point.parameter, torque: 0.0, damping: 0.1, frequency: 2.1 };
        let angle = PeriodicOrbit::of(&shaken::System::new(drive).unwrap())
            .guess(shaken::Angle { theta: theta + 1e-3 }, Vector1::new(rate))
            .period(2.0 * TAU / 2.1)
            .steps(800)
            .solve()
            .unwrap();
        assert_relative_eq!(angle.state.configuration.theta, theta, epsilon = 1e-8);
        assert_relative_eq!(angle.state.velocity.x, rate, epsilon = 1e-8);
        assert_relative_eq!(angle.multipliers[0].re, point.orbit.multipliers[0].re, epsilon = 1e-7);
    }
    assert!(family.points.last().unwrap().orbit.state.velocity.norm() > 0.1);
}

#[test]
fn where_no_family_leaves_is_told() {
    // Where a second frequency comes in.
    let system = oscillator(0.5, 0.0, 3.0, 1.5);
    let family = PeriodicOrbit::of(&system)
        .guess(van_der_pol::Place { x: -2.2 }, Vector1::new(0.0))
        .period(TAU / 1.5)
        .continuation("drive")
        .parameter_end(0.5)
        .run()
        .unwrap();
    let torus = family.of_kind(SpecialOrbitKind::Torus).next().unwrap();
    let leaving = |parameter| PeriodicOrbit::of(&system).continuation(parameter).branch_from(torus, 1.0);
    let error = leaving("drive").run().unwrap_err().error;
    assert!(matches!(error, OrbitError::Crossing { kind: SpecialOrbitKind::Torus, .. }), "{error}");
    assert!(matches!(leaving("nu").run().unwrap_err().error, OrbitError::Parameter(_)));
    let error = leaving("drive").parameter_end(torus.parameter).run().unwrap_err().error;
    assert!(matches!(error, OrbitError::Setting { .. }), "{error}");
    // Where a family turns back by itself.
    let system =
        shaken::System::new(shaken::Drive { shaking: 0.0, torque: 0.0, damping: 0.1, frequency: 0.85 }).unwrap();
    let family = PeriodicOrbit::of(&system)
        .guess(shaken::Angle { theta: 0.0 }, Vector1::new(0.0))
        .period(TAU / 0.85)
        .continuation("torque")
        .parameter_end(0.2)
        .run()
        .unwrap();
    let limit = family.of_kind(SpecialOrbitKind::Limit).next().unwrap();
    let error = PeriodicOrbit::of(&system).continuation("torque").branch_from(limit, 1.0).run().unwrap_err().error;
    assert!(matches!(error, OrbitError::Crossing { kind: SpecialOrbitKind::Limit, others: 0 }), "{error}");
    // Of another parameter.
    let error = PeriodicOrbit::of(&system).continuation("damping").branch_from(limit, 1.0).run().unwrap_err().error;
    assert!(matches!(error, OrbitError::ForeignMotion { defect, .. } if defect > 1e-3), "{error}");
}
