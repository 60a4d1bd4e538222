//! Dual numbers: derivatives of the elementary functions, and bodies written for `f64`.

#![allow(clippy::redundant_closure_for_method_calls)] // Closures show the calls that users write.

use lie_runtime::nalgebra::{Matrix3, Vector3};
use lie_runtime::scalar::{Dual, DualMatrix, Scalar};

type Twice = Dual<Dual<f64>>;

/// f, f', f'' at x.
fn jet(f: impl Fn(Twice) -> Twice, x: f64) -> [f64; 3] {
    let result = f(Twice::variable(Dual::variable(x, 1.0), Dual::constant(1.0)));
    assert_eq!(result.re.eps, result.eps.re, "both first derivatives are the same");
    [result.re.re, result.eps.re, result.eps.eps]
}

#[test]
fn elementary_functions_have_their_derivatives() {
    let x = 0.6_f64;
    let (s, c) = x.sin_cos();
    let close = |name: &str, found: [f64; 3], expected: [f64; 3]| {
        for (a, b) in found.into_iter().zip(expected) {
            assert!((a - b).abs() <= 4e-15 * b.abs().max(1.0), "{name}: {found:?}, expected {expected:?}");
        }
    };
    close("sin", jet(|x| x.sin(), x), [s, c, -s]);
    close("cos", jet(|x| x.cos(), x), [c, -s, -c]);
    close("tan", jet(|x| x.tan(), x), [s / c, 1.0 / (c * c), 2.0 * s / (c * c * c)]);
    close("exp", jet(|x| x.exp(), x), [x.exp(); 3]);
    close("ln", jet(|x| x.ln(), x), [x.ln(), 1.0 / x, -1.0 / (x * x)]);
    close("sqrt", jet(|x| x.sqrt(), x), [x.sqrt(), 0.5 / x.sqrt(), -0.25 / (x * x.sqrt())]);
    close("powi", jet(|x| x.powi(3), x), [x.powi(3), 3.0 * x * x, 6.0 * x]);
    close("powi -1", jet(|x| x.powi(-1), x), jet(|x| x.recip(), x));
    close("powf", jet(|x| x.powf(Twice::constant(2.5)), x), [x.powf(2.5), 2.5 * x.powf(1.5), 3.75 * x.sqrt()]);
    close("x^x", jet(|x| x.powf(x), x), jet(|x| (x * x.ln()).exp(), x));
    close("asin", jet(|x| x.asin(), x), [x.asin(), 1.25, 0.6 * 1.25_f64.powi(3)]);
    close("acos", jet(|x| x.acos(), x), [x.acos(), -1.25, -0.6 * 1.25_f64.powi(3)]);
    close("atan", jet(|x| x.atan(), x), jet(|x| x.atan2(Twice::constant(1.0)), x));
    close("atan2", jet(|x| x.sin().atan2(x.cos()), x), [x, 1.0, 0.0]);
    close("sinh", jet(|x| x.sinh(), x), [x.sinh(), x.cosh(), x.sinh()]);
    close("cosh", jet(|x| x.cosh(), x), [x.cosh(), x.sinh(), x.cosh()]);
    close("tanh", jet(|x| x.tanh(), x), jet(|x| x.sinh() / x.cosh(), x));
    close("hypot", jet(|x| x.hypot(Twice::constant(0.0)), x), [x, 1.0, 0.0]);
    close("abs", jet(|x| (-x).abs(), x), [x, 1.0, 0.0]);
    close("signum", jet(|x| x.signum(), x), [1.0, 0.0, 0.0]);
    close("min", jet(|x| x.min(Twice::constant(0.5)), x), [0.5, 0.0, 0.0]);
    close("max", jet(|x| x.max(Twice::constant(0.5)), x), [x, 1.0, 0.0]);
    close("mul_add", jet(|x| x.mul_add(x, x), x), [x * x + x, 2.0 * x + 1.0, 2.0]);
}

#[test]
fn edges_are_sensible() {
    let rest = Dual::variable(0.0, 0.0);
    assert_eq!((rest.sqrt().re, rest.sqrt().eps), (0.0, 0.0), "the norm of a constant");
    assert_eq!(Dual::variable(0.0, 1.0).sqrt().eps, f64::INFINITY);
    assert_eq!(Dual::variable(0.0, 1.0).powi(0).eps, 0.0);
    assert_eq!(Dual::variable(0.0, 1.0).powi(1).eps, 1.0);
    assert_eq!(Dual::variable(-2.0, 1.0).powi(3).eps, 12.0);
    assert_eq!(Dual::variable(-2.0, 1.0).powf(Dual::constant(2.0)).eps, -4.0, "no logarithm of a fixed exponent");
    assert!(Dual::variable(1.0, 5.0) == Dual::constant(1.0), "branches look at values");
    assert!(Dual::variable(1.0, 5.0) < Dual::constant(2.0));
}

/// A body written for `f64` with the number type replaced and its literals wrapped, for any scalar.
fn body<S: Scalar>(matrix: &Matrix3<Dual<S>>, v: Vector3<Dual<S>>, stiffness: Dual<S>) -> (Dual<S>, Vector3<Dual<S>>) {
    let stretch = v.norm() - Dual::constant(1.0);
    let scaled = Dual::constant(0.5) * (matrix * v);
    let energy = Dual::constant(0.5) * stiffness * stretch.powi(2) + v.dot(&scaled) + v.norm_squared();
    let direction = v.normalize() * stiffness.min(Dual::constant(3.0)).sqrt();
    let mut sum = Dual::constant(2.0) * (stiffness * (matrix * v).cross(&v)) - direction / Dual::constant(4.0);
    if v.x > Dual::constant(0.0) {
        sum += stiffness * v;
    }
    sum *= Dual::constant(2.0);
    (energy.abs().hypot(v.x), -sum)
}

#[test]
fn bodies_written_for_numbers_compile_and_differentiate() {
    let matrix = Matrix3::new(2.0, 0.1, 0.0, 0.1, 3.0, 0.2, 0.0, 0.2, 4.0);
    let (x, w) = (Vector3::new(0.3, -0.4, 1.2), Vector3::new(1.0, 0.5, -0.2));
    let value = |h: f64| body(&matrix.map(Dual::<f64>::constant), (x + w * h).map(Dual::constant), Dual::constant(7.0));
    let moving = x.zip_map(&w, Dual::variable);
    let (energy, vector) = body(&matrix.map(Dual::constant), moving, Dual::constant(7.0));
    let h = 1e-5;
    let difference = (value(h).0.re - value(-h).0.re) / (2.0 * h);
    assert!((energy.eps - difference).abs() < 1e-8, "{} and {difference}", energy.eps);
    for i in 0..3 {
        let difference = (value(h).1[i].re - value(-h).1[i].re) / (2.0 * h);
        assert!((vector[i].eps - difference).abs() < 1e-7);
    }
}

#[test]
fn references_to_vectors_have_norms_too() {
    let v = Vector3::new(3.0, 0.0, 4.0).map(Dual::<f64>::constant);
    let reference = &v;
    assert_eq!(DualMatrix::norm(*reference).re, 5.0);
    assert_eq!(DualMatrix::norm(reference).re, 5.0);
    assert_eq!((*reference).normalize().x.re, 0.6);
    assert_eq!(v.xy().norm().re, 3.0);
}
