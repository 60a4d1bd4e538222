//! Periodic motions against closed forms, and their multipliers against quadratures.

use core::f64::consts::TAU;

use approx::assert_relative_eq;
use lie_runtime::analysis::{OrbitError, PeriodicOrbit};
use lie_runtime::prelude::*;
use lie_runtime::scalar::Scalar;

/// x'' = μ (1 − x²) x' − x + a cos ω t.
#[mechanical_system]
pub mod van_der_pol {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
    }

    #[parameters]
    pub struct Oscillator {
        pub mu: f64,
        pub damping: f64,
        pub drive: f64,
        pub frequency: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[potential]
    fn spring(q: &Place) -> f64 {
        0.5 * q.x * q.x
    }

    #[force(on = x)]
    fn feedback(p: &Oscillator, q: &Place, v: &Velocity) -> f64 {
        p.mu * (1.0 - q.x * q.x) * v.x - p.damping * v.x
    }

    #[force(on = x)]
    fn drive(p: &Oscillator, t: f64) -> f64 {
        p.drive * (p.frequency * t).cos()
    }
}

/// A bob on a rod, as a point of space with a constraint.
#[mechanical_system]
pub mod bob {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bob {
        pub x: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[potential]
    fn weight(q: &Bob) -> f64 {
        q.x.z
    }

    #[constraint]
    fn rod(q: &Bob) -> f64 {
        0.5 * (q.x.norm_squared() - 1.0)
    }
}

/// A body that hangs from a point of a horizontal axis.
#[mechanical_system]
pub mod hanging_body {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Attitude {
        pub r: SO3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.r.dot(&Vector3::new(1.0, 1.3, 0.6).component_mul(&v.r))
    }

    #[potential]
    fn weight(q: &Attitude) -> f64 {
        -(q.r * Vector3::z()).z
    }
}

pub fn oscillator(mu: f64, damping: f64, drive: f64, frequency: f64) -> van_der_pol::System {
    van_der_pol::System::new(van_der_pol::Oscillator { mu, damping, drive, frequency }).unwrap()
}

/// The period equals the published value, and the multiplier satisfies Liouville's formula.
#[test]
fn a_limit_cycle_attracts_as_its_divergence_says() {
    let system = oscillator(1.0, 0.0, 0.0, 1.0);
    let orbit = PeriodicOrbit::of(&system)
        .guess(van_der_pol::Place { x: 2.0 }, Vector1::new(0.0))
        .period_guess(6.5)
        .steps(1000)
        .solve()
        .unwrap();
    assert_relative_eq!(orbit.period, 6.663_286_859_323_13, epsilon = 1e-9);
    assert_eq!(orbit.multipliers.len(), 2);
    assert_relative_eq!(orbit.multipliers[0].re, 1.0, epsilon = 1e-9);
    let (q, v) = (orbit.state.configuration, orbit.state.velocity);
    let run = Simulation::of(&system).initial(q, v).step(orbit.period / 1000.0).end_time(orbit.period).run().unwrap();
    // The trapezoidal rule is exact of periodic functions.
    let divergence: f64 = run.states[1..].iter().map(|state| 1.0 - state.configuration.x.powi(2)).sum();
    assert_relative_eq!(orbit.growth(), (divergence * orbit.period / 1000.0).exp(), max_relative = 1e-8);
    assert!(orbit.growth() < 1e-3);
}

#[test]
fn a_driven_oscillator_answers_as_the_formula_says() {
    let (damping, frequency) = (0.1_f64, 1.7_f64);
    let system = oscillator(0.0, damping, 0.5, frequency);
    let orbit = PeriodicOrbit::of(&system)
        .guess(van_der_pol::Place { x: 0.0 }, Vector1::new(0.0))
        .period(TAU / frequency)
        .solve()
        .unwrap();
    // (1 − ω² + i c ω) x = a.
    let (stiff, lag) = (1.0 - frequency * frequency, damping * frequency);
    let size = 0.5 / (stiff * stiff + lag * lag);
    assert_relative_eq!(orbit.state.configuration.x, size * stiff, epsilon = 1e-10);
    assert_relative_eq!(orbit.state.velocity.x, size * lag * frequency, epsilon = 1e-10);
    assert_relative_eq!(orbit.growth(), (-0.5 * damping * orbit.period).exp(), epsilon = 1e-10);
    assert_eq!(orbit.iterations, 1);
}

/// Small circles about the rest of a pendulum with a constraint: four deviations, of which a conservative system has two along
/// its family.
#[test]
fn constraints_leave_the_deviations_that_they_admit() {
    let system = bob::System::new().unwrap();
    let (angle, quarter) = (1.0_f64, Vector3::new(1.0_f64.sin(), 0.0, -(1.0_f64.cos())));
    let orbit = PeriodicOrbit::of(&system)
        .guess(bob::Bob { x: quarter }, Vector3::zeros())
        .period_guess(6.6)
        .steps(1000)
        .solve()
        .unwrap();
    // 4 K(sin(θ/2)) by the arithmetic-geometric mean, at the amplitude that was found.
    let found = (-orbit.state.configuration.x.z).acos();
    assert!((found - angle).abs() < 0.1, "{found}");
    let energy = 0.5 * orbit.state.velocity.norm_squared() + orbit.state.configuration.x.z;
    let (mut a, mut g) = (1.0_f64, (0.5 * (1.0 - energy)).sqrt());
    for _ in 0..6 {
        (a, g) = (0.5 * (a + g), (a * g).sqrt());
    }
    assert_relative_eq!(orbit.period, TAU / a, epsilon = 1e-8);
    assert_eq!(orbit.multipliers.len(), 4);
    let product = orbit.multipliers.iter().product::<nalgebra::Complex<f64>>();
    assert_relative_eq!(product.re, 1.0, epsilon = 1e-6);
    assert!(orbit.multipliers.iter().all(|multiplier| (multiplier.norm() - 1.0).abs() < 1e-3), "{orbit:?}");
}

/// Swings on SO(3) about the axis with inertia 1 equal the swings of a pendulum; a tilt out of the plane is a deviation.
#[test]
fn a_body_swings_on_the_group() {
    let system = hanging_body::System::new().unwrap();
    let start = hanging_body::Attitude { r: SO3::exp(&Vector3::new(std::f64::consts::FRAC_PI_2, 0.0, 0.0)) };
    let orbit =
        PeriodicOrbit::of(&system).guess(start, Vector3::zeros()).period_guess(7.4).steps(1000).solve().unwrap();
    assert_relative_eq!(orbit.period, 7.416_298_709_205_487, epsilon = 0.05);
    let height = (orbit.state.configuration.r * Vector3::z()).z;
    let energy = 0.5 * orbit.state.velocity.x.powi(2) - height;
    let (mut a, mut g) = (1.0_f64, (0.5 * (1.0 - energy)).sqrt());
    for _ in 0..6 {
        (a, g) = (0.5 * (a + g), (a * g).sqrt());
    }
    assert_relative_eq!(orbit.period, TAU / a, epsilon = 1e-8);
    // Of a Hamiltonian system they come in pairs s, 1/s.
    assert_eq!(orbit.multipliers.len(), 6);
    let product = orbit.multipliers.iter().product::<nalgebra::Complex<f64>>();
    assert_relative_eq!(product.re, 1.0, epsilon = 1e-6);
}

/// A ball on a table that is shaken.
#[mechanical_system(redundant = minimum_norm)]
pub mod table {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Height {
        pub z: f64,
    }

    #[parameters]
    pub struct Table {
        pub restitution: f64,
        pub amplitude: f64,
        pub frequency: f64,
        pub touches: bool,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.z * v.z
    }

    #[potential]
    fn weight(q: &Height) -> f64 {
        9.81 * q.z
    }

    #[constraint]
    fn table(p: &Table, t: f64, q: &Height) -> f64 {
        if p.touches { q.z - p.amplitude * (p.frequency * t).sin() } else { 0.0 }
    }
}

/// Once a period, at the phase φ: the velocity of the table w is (1 − e) / (1 + e) times the velocity of the ball, g T / 2, and the
/// multipliers are the roots of μ² − (1 + e² − (1 + e)² A ω² sin φ / g) μ + e².
#[test]
fn a_ball_on_a_shaken_table_bounces_once_a_period() {
    let (e, amplitude, frequency, g) = (0.5_f64, 0.03_f64, 20.0_f64, 9.81_f64);
    let system = table::System::new(table::Table { restitution: e, amplitude, frequency, touches: false }).unwrap();
    let period = TAU / frequency;
    let speed = 0.5 * g * period;
    let phase = (speed * (1.0 - e) / (1.0 + e) / (amplitude * frequency)).acos();
    let apex = amplitude * phase.sin() + 0.5 * speed * speed / g;
    let orbit = PeriodicOrbit::of(&system)
        .guess(table::Height { z: apex + 0.005 }, Vector1::new(0.05))
        .start_time(phase / frequency + 0.5 * period)
        .period(period)
        .events(|run| {
            run.event("strikes", |system, at| {
                let p = system.parameters();
                at.configuration.z - p.amplitude * Scalar::sin(p.frequency * at.time)
            })
            .falling()
            .apply(|at| {
                let restitution = at.system().parameters().restitution;
                at.set(|p| p.touches = true);
                at.impact(["table"], restitution);
                at.set(|p| p.touches = false);
            })
        })
        .solve()
        .unwrap();
    assert_relative_eq!(orbit.state.configuration.z, apex, epsilon = 1e-9);
    assert_relative_eq!(orbit.state.velocity.x, 0.0, epsilon = 1e-9);
    let trace = 1.0 + e * e - (1.0 + e).powi(2) * amplitude * frequency * frequency * phase.sin() / g;
    let sum: nalgebra::Complex<f64> = orbit.multipliers.iter().sum();
    let product: nalgebra::Complex<f64> = orbit.multipliers.iter().product();
    assert_relative_eq!(sum.re, trace, epsilon = 1e-8);
    assert_relative_eq!(product.re, e * e, epsilon = 1e-8);
    assert_relative_eq!(orbit.growth(), e, epsilon = 1e-8);
}

#[test]
fn what_is_no_orbit_is_told() {
    let system = oscillator(1.0, 0.0, 0.0, 1.0);
    let near = |x: f64| PeriodicOrbit::of(&system).guess(van_der_pol::Place { x }, Vector1::new(0.0));
    let error = near(0.0).period_guess(6.0).solve().unwrap_err();
    assert!(matches!(error, OrbitError::AtRest), "{error}");
    let error = near(1.0).solve().unwrap_err();
    assert!(error.to_string().contains("`.period_guess(period)` or `.period(period)`"), "{error}");
    for period in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = near(1.0).period_guess(period).solve().unwrap_err();
        assert!(matches!(error, OrbitError::Setting { option: "period", .. }), "{error}");
    }
    assert!(matches!(
        near(1.0).period_guess(6.0).steps(0).solve(),
        Err(OrbitError::Setting { option: "number of steps", .. })
    ));
    assert!(matches!(near(f64::NAN).period_guess(6.0).solve(), Err(OrbitError::Run(_))));
    // Decays: no motion but rest comes back.
    let damped = oscillator(0.0, 0.3, 0.0, 1.0);
    let start = (van_der_pol::Place { x: 1.0 }, Vector1::new(0.0));
    let error = PeriodicOrbit::of(&damped).guess(start.0, start.1).period_guess(6.0).solve().unwrap_err();
    assert!(matches!(error, OrbitError::AtRest | OrbitError::NotConverged { .. }), "{error}");
}
