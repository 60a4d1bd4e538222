//! Generalized-α on vector spaces is the classical method: the damping that its parameters promise.

use lie_runtime::integrator::Integrator;
use lie_runtime::integrator::generalized_alpha::{
    GeneralizedAlpha, GeneralizedAlphaOptions, METHODS, Parameters, StartingValues,
};
use lie_runtime::nalgebra::{DMatrix, DVector};
use lie_runtime::prelude::*;

/// x'' + ω² x = 0.
#[mechanical_system]
pub mod oscillator {
    use lie_runtime::prelude::*;

    /// The place.
    #[configuration]
    pub struct Place {
        /// x.
        pub x: R1,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// ω².
        pub stiffness: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[potential]
    fn spring(data: &Data, q: &Place) -> f64 {
        0.5 * data.stiffness * q.x.norm_squared()
    }
}

type System = oscillator::System;

/// One step of size 1 from (x, v, a), the acceleration of which is consistent: (x, v, a) again.
fn step(system: &System, method: GeneralizedAlpha, [x, v, a]: [f64; 3], stiffness: f64) -> [f64; 3] {
    let mut from = State::at_rest(system, 1.0, oscillator::Place { x: Vector1::new(x) });
    from.velocity[0] = v;
    from.acceleration[0] = -stiffness * x;
    method.set_auxiliary_acceleration(system, &mut from, 1.0, &Vector1::new(a));
    let mut to = from.clone();
    let mut workspace = Integrator::<System>::workspace(&method, system, &from);
    method.step(system, &from, 1.0, &mut to, &mut workspace).unwrap();
    let a = method.auxiliary_acceleration(system, &to).expect("the method's own state");
    [to.configuration.x[0], to.velocity[0], a[0]]
}

/// The amplification matrix by its columns.
fn amplification(method: GeneralizedAlpha, stiffness: f64) -> DMatrix<f64> {
    let system = System::new(oscillator::Data { stiffness }).unwrap();
    let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|y| step(&system, method, y, stiffness));
    DMatrix::from_fn(3, 3, |row, column| columns[column][row])
}

fn spectral_radius(method: GeneralizedAlpha, stiffness: f64) -> f64 {
    // In x, v, a / ω² no entry is large. For ω → ∞ three eigenvalues meet, and differ by some (h ω)^(-2/3).
    let scaling = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, 1.0, 1.0 / stiffness]));
    let inverse = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, 1.0, stiffness]));
    let matrix = scaling * amplification(method, stiffness) * inverse;
    matrix.complex_eigenvalues().iter().map(|eigenvalue| eigenvalue.norm()).fold(0.0, f64::max)
}

#[test]
fn spectral_radius_at_infinity() {
    for rho_inf in [0.5, 0.8, 0.9, 1.0] {
        for listed in METHODS {
            let method = GeneralizedAlpha::by_id(listed.id, Parameters::chung_hulbert(rho_inf).unwrap()).unwrap();
            let found = spectral_radius(method, 1e10);
            println!("{} {rho_inf}: {found}", listed.id);
            assert!((found - rho_inf).abs() < 1e-3, "{}: {found} instead of {rho_inf}", listed.id);
        }
    }
    // Low frequencies are kept.
    let method = GeneralizedAlpha::index3(Parameters::chung_hulbert(0.5).unwrap());
    assert!((spectral_radius(method, 1e-2) - 1.0).abs() < 1e-4);
    // Hilber, Hughes, Taylor: paper 2 gives 0.905 for α = 0.05; without damping the trapezoidal rule.
    let radius = |parameters| spectral_radius(GeneralizedAlpha::index3(parameters), 1e10);
    assert!((radius(Parameters::hht(0.05).unwrap()) - 0.905).abs() < 1e-3);
    for undamped in [Parameters::hht(0.0).unwrap(), Parameters::simo_vu_quoc(), Parameters::newmark(0.25, 0.5).unwrap()]
    {
        assert!((radius(undamped) - 1.0).abs() < 1e-3);
        assert!((spectral_radius(GeneralizedAlpha::index3(undamped), 1.0) - 1.0).abs() < 1e-4);
    }
}

/// The formulas of Chung and Hulbert's method on R, written out.
#[test]
fn classical_method() {
    let stiffness = 7.0;
    let system = System::new(oscillator::Data { stiffness }).unwrap();
    let p = Parameters::chung_hulbert(0.7).unwrap();
    let [x, v, a] = [0.3, -1.1, 2.0];
    // (1 − α_m) a₁ = (1 − α_f) (−ω² x₁) + α_f (−ω² x) − α_m a, x₁ = x + v + (1/2 − β) a + β a₁, h = 1.
    let known = x + v + (0.5 - p.beta) * a;
    let right = -(1.0 - p.alpha_f) * stiffness * known - p.alpha_f * stiffness * x - p.alpha_m * a;
    let next = right / (1.0 - p.alpha_m + (1.0 - p.alpha_f) * stiffness * p.beta);
    let expected = [known + p.beta * next, v + (1.0 - p.gamma) * a + p.gamma * next, next];
    for listed in METHODS {
        let options =
            GeneralizedAlphaOptions::default().formulation(listed.formulation).start(StartingValues::FirstOrder);
        let found = step(&system, GeneralizedAlpha::new(p, options).unwrap(), [x, v, a], stiffness);
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-13, "{}: {found} instead of {expected}", listed.id);
        }
    }
}
