//! Rotations for hand-written systems: functions of SO(3) and SE(3) as straight-line code.
//!
//! Steps are small rotations: up to an angle of 1 rad the singular functions are polynomials in x = |w|² (remainder under
//! 1e-17), beyond it closed forms.

use lie_runtime::nalgebra::{Matrix3, Vector3};

/// Coefficients of b in x.
const B: [f64; 8] = [
    1.0 / 2.0,
    -1.0 / 24.0,
    1.0 / 720.0,
    -1.0 / 40_320.0,
    1.0 / 3_628_800.0,
    -1.0 / 479_001_600.0,
    1.0 / 87_178_291_200.0,
    -1.0 / 20_922_789_888_000.0,
];
/// Coefficients of c.
const C: [f64; 8] = [
    1.0 / 6.0,
    -1.0 / 120.0,
    1.0 / 5_040.0,
    -1.0 / 362_880.0,
    1.0 / 39_916_800.0,
    -1.0 / 6_227_020_800.0,
    1.0 / 1_307_674_368_000.0,
    -1.0 / 355_687_428_096_000.0,
];
/// Coefficients of d.
const D: [f64; 8] = [
    1.0 / 24.0,
    -2.0 / 720.0,
    3.0 / 40_320.0,
    -4.0 / 3_628_800.0,
    5.0 / 479_001_600.0,
    -6.0 / 87_178_291_200.0,
    7.0 / 20_922_789_888_000.0,
    -8.0 / 6_402_373_705_728_000.0,
];
/// Coefficients of e.
const E: [f64; 8] = [
    1.0 / 120.0,
    -2.0 / 5_040.0,
    3.0 / 362_880.0,
    -4.0 / 39_916_800.0,
    5.0 / 6_227_020_800.0,
    -6.0 / 1_307_674_368_000.0,
    7.0 / 355_687_428_096_000.0,
    -8.0 / 121_645_100_408_832_000.0,
];

/// A polynomial of degree 7 after Estrin: three levels instead of seven.
#[inline]
fn polynomial(a: &[f64; 8], x: f64) -> f64 {
    let x2 = x * x;
    let low = (a[0] + a[1] * x) + (a[2] + a[3] * x) * x2;
    let high = (a[4] + a[5] * x) + (a[6] + a[7] * x) * x2;
    low + high * (x2 * x2)
}

/// b = (1 − cos ω)/ω², c = (ω − sin ω)/ω³ at x = ω².
#[inline]
pub fn singular(x: f64) -> (f64, f64) {
    if x < 1.0 {
        (polynomial(&B, x), polynomial(&C, x))
    } else {
        let angle = x.sqrt();
        let (sin, cos) = angle.sin_cos();
        ((1.0 - cos) / x, (angle - sin) / (x * angle))
    }
}

/// d = −db/dx, e = −dc/dx.
#[inline]
pub fn singular_slopes(x: f64) -> (f64, f64) {
    if x < 1.0 {
        (polynomial(&D, x), polynomial(&E, x))
    } else {
        let angle = x.sqrt();
        let (sin, cos) = angle.sin_cos();
        ((2.0 - 2.0 * cos - angle * sin) / (2.0 * x * x), (angle * (2.0 + cos) - 3.0 * sin) / (2.0 * x * x * angle))
    }
}

/// exp(w) from b and a = 1 − x c.
#[inline]
pub fn rotation(w: &Vector3<f64>, x: f64, b: f64, c: f64) -> Matrix3<f64> {
    let a = 1.0 - x * c;
    let cos = 1.0 - x * b;
    let (p, q, r) = (w.x, w.y, w.z);
    let (bp, bq, br) = (b * p, b * q, b * r);
    let (ap, aq, ar) = (a * p, a * q, a * r);
    Matrix3::new(
        cos + bp * p,
        bp * q - ar,
        bp * r + aq,
        bp * q + ar,
        cos + bq * q,
        bq * r - ap,
        bp * r - aq,
        bq * r + ap,
        cos + br * r,
    )
}

/// exp of SO(3).
#[inline]
pub fn exp(w: &Vector3<f64>) -> Matrix3<f64> {
    let x = w.norm_squared();
    let (b, c) = singular(x);
    rotation(w, x, b, c)
}

/// T(w)⁻¹ v = v + w × v / 2 + g w × (w × v), g = −b'/b.
#[inline]
pub fn tangent_inverse(w: &Vector3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
    let x = w.norm_squared();
    let (b, _) = singular(x);
    let (d, _) = singular_slopes(x);
    let first = w.cross(v);
    v + 0.5 * first + (d / b) * w.cross(&first)
}

/// T(w) v = v − b w × v + c w × (w × v).
#[inline]
pub fn tangent(w: &Vector3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
    let (b, c) = singular(w.norm_squared());
    let first = w.cross(v);
    v - b * first + c * w.cross(&first)
}

/// The rotation vector of R, angles under π.
pub fn log(rotation: &Matrix3<f64>) -> Vector3<f64> {
    let axis = Vector3::new(
        rotation[(2, 1)] - rotation[(1, 2)],
        rotation[(0, 2)] - rotation[(2, 0)],
        rotation[(1, 0)] - rotation[(0, 1)],
    ) / 2.0;
    let sin = axis.norm();
    let angle = sin.atan2((rotation.trace() - 1.0) / 2.0);
    if sin < 1e-9 { axis } else { axis * (angle / sin) }
}

/// w~.
pub fn tilde(w: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -w.z, w.y, w.z, 0.0, -w.x, -w.y, w.x, 0.0)
}
