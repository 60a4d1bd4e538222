//! Families of periodic motions over a parameter: limits, crossings, doublings and second frequencies where theory has them.

use core::f64::consts::TAU;

use approx::assert_relative_eq;
use lie_runtime::analysis::{Orbit, OrbitBranch, OrbitError, PeriodicOrbit, SpecialOrbit, SpecialOrbitKind};
use lie_runtime::prelude::*;

use super::periodic::{oscillator, van_der_pol};
use super::relative;

/// A pendulum whose hook is shaken up and down, and which a motor may drive.
#[mechanical_system]
pub mod shaken {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Angle {
        pub theta: f64,
    }

    #[parameters]
    pub struct Drive {
        pub shaking: f64,
        pub torque: f64,
        pub damping: f64,
        pub frequency: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.theta * v.theta
    }

    #[force(on = theta)]
    fn forces(p: &Drive, t: f64, q: &Angle, v: &Velocity) -> f64 {
        let phase = p.frequency * t;
        p.torque * phase.cos() - (1.0 + p.shaking * phase.cos()) * q.theta.sin() - p.damping * v.theta
    }
}

fn only<M: lie_runtime::system::TangentSystem>(
    family: &OrbitBranch<M>,
    kind: SpecialOrbitKind,
) -> Vec<&SpecialOrbit<M>> {
    family.of_kind(kind).collect()
}

/// Mean of a function of the state over a period of the drive; of a smooth periodic one the trapezoidal rule is exact.
fn mean(system: &van_der_pol::System, orbit: &Orbit<van_der_pol::System>, of: impl Fn(f64) -> f64) -> f64 {
    let run = Simulation::of(system)
        .initial(orbit.state.configuration, orbit.state.velocity)
        .method(HalfExplicit::hedop5())
        .step(orbit.period / 400.0)
        .end_time(orbit.period)
        .run()
        .unwrap();
    run.states[1..].iter().map(|state| of(state.configuration.x)).sum::<f64>() / (run.states.len() - 1) as f64
}

/// Its period is found with it, from 2π at small μ to the published period at μ = 1.
#[test]
fn a_limit_cycle_is_followed() {
    let system = oscillator(0.01, 0.0, 0.0, 1.0);
    let family = PeriodicOrbit::of(&system)
        .guess(van_der_pol::Place { x: 2.0 }, Vector1::new(0.0))
        .period_guess(TAU)
        .continuation("mu")
        .parameter_end(1.0)
        .run()
        .unwrap();
    assert_relative_eq!(family.points[0].orbit.period, TAU * (1.0 + 0.0001 / 16.0), epsilon = 1e-8);
    assert!(family.special.is_empty(), "{:?}", family.special);
    for pair in family.points.windows(2) {
        assert!(pair[0].parameter < pair[1].parameter && pair[0].orbit.period < pair[1].orbit.period);
        assert!(pair[1].unstable == 0 && pair[1].orbit.defect < 1e-10);
    }
    let last = family.points.last().unwrap();
    let alone = oscillator(last.parameter, 0.0, 0.0, 1.0);
    let alone = PeriodicOrbit::of(&alone)
        .guess(last.orbit.state.configuration, last.orbit.state.velocity)
        .period_guess(6.7)
        .solve()
        .unwrap();
    assert_relative_eq!(last.orbit.period, alone.period, epsilon = 1e-9);
}

/// If the multipliers are a pair on the unit circle, the mean of the divergence is zero (Liouville), and the mean of x² is one.
#[test]
fn a_driven_oscillator_takes_up_a_second_frequency() {
    let system = oscillator(0.5, 0.0, 3.0, 1.5);
    let family = PeriodicOrbit::of(&system)
        .guess(van_der_pol::Place { x: -2.2 }, Vector1::new(0.0))
        .period(TAU / 1.5)
        .continuation("drive")
        .parameter_end(0.5)
        .run()
        .unwrap();
    let [found] = only(&family, SpecialOrbitKind::Torus)[..] else { panic!("{:?}", family.special) };
    let there = oscillator(0.5, 0.0, found.parameter, 1.5);
    assert_relative_eq!(mean(&there, &found.orbit, |x| x * x), 1.0, epsilon = 1e-7);
    assert_eq!([family.points[0].unstable, family.points.last().unwrap().unstable], [0, 2]);
}

/// The hanging pendulum doubles the period of the excitation; its strength follows from the largest eigenvalue of Hill's matrix of the
/// linear equation with period 2T.
#[test]
fn a_shaken_pendulum_doubles_the_period() {
    let (damping, frequency) = (0.1_f64, 2.1_f64);
    let system = shaken::System::new(shaken::Drive { shaking: 0.0, torque: 0.0, damping, frequency }).unwrap();
    let family = PeriodicOrbit::of(&system)
        .guess(shaken::Angle { theta: 0.0 }, Vector1::new(0.0))
        .period(TAU / frequency)
        .continuation("shaking")
        .parameter_end(0.5)
        .run()
        .unwrap();
    let [found] = only(&family, SpecialOrbitKind::PeriodDoubling)[..] else { panic!("{:?}", family.special) };
    // θ = Σ θ_k exp(i k ω t / 2), k odd: (1 − (k ω/2)² + i c k ω/2) θ_k + a/2 (θ_{k−2} + θ_{k+2}) = 0.
    let count = 20;
    let number = |row: usize| (row as f64 - 0.5 * (count as f64 - 1.0)) * frequency;
    let own = |row: usize| nalgebra::Complex::new(1.0 - number(row).powi(2), damping * number(row));
    // Rows divided by their own entries: (−2/a) is an eigenvalue of what is left.
    let matrix = nalgebra::DMatrix::from_fn(count, count, |row, column| {
        if row.abs_diff(column) == 1 { own(row).inv() } else { nalgebra::Complex::from(0.0) }
    });
    let values = matrix.schur().eigenvalues().unwrap();
    let real = values.iter().filter(|value| value.im.abs() < 1e-9).map(|value| value.re.abs());
    assert_relative_eq!(found.parameter, 2.0 / real.fold(0.0, f64::max), epsilon = 1e-8);
    assert_relative_eq!(found.orbit.multipliers[0].re, -1.0, epsilon = 1e-7);
}

/// Between two limits there are three motions, and the one in the middle is not stable; all are found by themselves as well.
#[test]
fn a_pendulum_swings_far_or_near() {
    let drive = shaken::Drive { shaking: 0.0, torque: 0.0, damping: 0.1, frequency: 0.85 };
    let system = shaken::System::new(drive.clone()).unwrap();
    let family = PeriodicOrbit::of(&system)
        .guess(shaken::Angle { theta: 0.0 }, Vector1::new(0.0))
        .period(TAU / 0.85)
        .continuation("torque")
        .parameter_end(0.2)
        .run()
        .unwrap();
    let limits: Vec<f64> = only(&family, SpecialOrbitKind::Limit).iter().map(|found| found.parameter).collect();
    let [upper, lower] = limits[..] else { panic!("{:?}", family.special) };
    assert!(lower < upper, "{limits:?}");
    for found in &family.special {
        assert_relative_eq!(found.orbit.multipliers[0].re, 1.0, epsilon = 1e-6);
    }
    let torque = 0.5 * (lower + upper);
    let here = shaken::System::new(shaken::Drive { torque, ..drive }).unwrap();
    let crossings =
        family.points.windows(2).filter(|pair| (pair[0].parameter - torque) * (pair[1].parameter - torque) < 0.0);
    let found: Vec<(f64, bool)> = crossings
        .map(|pair| {
            let near = &pair[1].orbit.state;
            let orbit =
                PeriodicOrbit::of(&here).guess(near.configuration, near.velocity).period(TAU / 0.85).solve().unwrap();
            (orbit.state.configuration.theta.hypot(orbit.state.velocity.x / 0.85), orbit.growth() < 1.0)
        })
        .collect();
    assert_eq!(found.iter().map(|(_, is_stable)| *is_stable).collect::<Vec<_>>(), [true, false, true], "{found:?}");
    assert!(found[0].0 < found[1].0 && found[1].0 < found[2].0, "{found:?}");
}

#[test]
fn what_is_no_family_is_told() {
    let system = oscillator(1.0, 0.0, 0.0, 1.0);
    let near = || PeriodicOrbit::of(&system).guess(van_der_pol::Place { x: 2.0 }, Vector1::new(0.0)).period_guess(6.6);
    let error = near().continuation("nu").run().unwrap_err().error;
    assert!(
        matches!(error, OrbitError::Parameter(_)) && error.to_string().contains("the parameters are `mu`, `damping`"),
        "{error}"
    );
    for step in [0.0, -1.0, f64::NAN] {
        let error = near().continuation("mu").step(step).run().unwrap_err().error;
        assert!(matches!(error, OrbitError::Setting { option: "step", .. }), "{error}");
    }
    for to in [1.0, f64::NAN, f64::INFINITY] {
        let error = near().continuation("mu").parameter_end(to).run().unwrap_err().error;
        assert!(matches!(error, OrbitError::Setting { .. }), "{error}");
    }
    // No number but three.
    let top = relative::a_top();
    let (q, v, _) = relative::start();
    let error =
        PeriodicOrbit::of(&top).guess(q, v.into()).period_guess(1.0).continuation("inertia").run().unwrap_err().error;
    assert!(matches!(error, OrbitError::Parameter(_)), "{error}");
}

/// A conservative pendulum has an orbit of every amplitude; the search finds a nearby orbit, with the period 2π / agm(1, cos(α/2)).
#[test]
fn what_conserves_energy_is_found_as_well() {
    let system =
        shaken::System::new(shaken::Drive { shaking: 0.0, torque: 0.0, damping: 0.0, frequency: 1.0 }).unwrap();
    for theta in [1.0, 1.4, 1.5, 1.6] {
        for period in [7.0, 7.3, 7.5] {
            let start = shaken::Angle { theta };
            let orbit = PeriodicOrbit::of(&system)
                .guess(start, Vector1::new(0.0))
                .period_guess(period)
                .steps(1000)
                .solve()
                .unwrap();
            let energy = 0.5 * orbit.state.velocity.x.powi(2) - orbit.state.configuration.theta.cos();
            let (mut a, mut b) = (1.0, (0.5 * (1.0 - energy)).sqrt());
            for _ in 0..30 {
                (a, b) = (0.5 * (a + b), (a * b).sqrt());
            }
            assert_relative_eq!(orbit.period, TAU / a, epsilon = 1e-8);
        }
    }
}
