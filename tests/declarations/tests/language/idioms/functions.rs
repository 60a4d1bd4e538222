//! Elementary functions and constants of `f64`.

super::family! { body:
    logarithms exponentials roots inverse_hyperbolic rounding remainders signs angles products limits constants powers fraction
    euclid arcs float_blocks folded_constants sign_tests evaluated_once lerped;

    const HALF: f64 = 1.0 / 2.0;
    const ROOT: f64 = HALF * 3.0 + std::f64::consts::SQRT_2;

    pub fn logarithms(_: &Data, q: &Pose) -> f64 {
        let x = 2.0 + q.position.x;
        x.ln() + x.log10() * 2.0 + x.log2() + x.log(3.0) + (x - 1.0).abs().ln_1p()
    }
    pub fn exponentials(_: &Data, q: &Pose) -> f64 { let x = q.position.x; x.exp() + x.exp2() + x.exp_m1() * 0.5 }
    pub fn roots(_: &Data, q: &Pose) -> f64 { let x = q.position.x; (x * x + 0.3).sqrt() + (x + 4.0).cbrt() + x.hypot(0.7) }
    pub fn inverse_hyperbolic(_: &Data, q: &Pose) -> f64 {
        let x = q.position.x;
        x.asinh() + (2.0 + x * x).acosh() + (0.3 * x).atanh() + x.sinh() * x.cosh() + x.tanh()
    }
    pub fn rounding(_: &Data, q: &Pose) -> f64 {
        let x = 3.0 * q.position.x;
        x.floor() + 10.0 * x.ceil() + 100.0 * x.round() + 1000.0 * x.trunc() + x
    }
    pub fn remainders(_: &Data, q: &Pose) -> f64 { (7.0 * q.position.x) % 1.3 + 5.5 % 2.0 + (q.position.y * 3.0) % q.position.x.hypot(0.5) }
    pub fn signs(_: &Data, q: &Pose) -> f64 { let x = q.position.x; x.signum() * x * x + x.abs() + x.copysign(q.position.y) * 0.5 }
    pub fn angles(_: &Data, q: &Pose) -> f64 {
        let a = (40.0 * q.position.x).to_radians();
        let (s, c) = a.sin_cos();
        s * 2.0 + c + a.to_degrees() + q.position.y.atan2(q.position.z + 3.0)
    }
    pub fn products(_: &Data, q: &Pose) -> f64 { q.position.x.mul_add(2.0, q.position.y) + (q.position.z + 4.0).recip() }
    pub fn limits(_: &Data, q: &Pose) -> f64 {
        let x = q.position.x;
        x / (x.abs() + f64::EPSILON) * 2.0 + x.max(f64::MIN_POSITIVE) + x.min(f64::MAX) + x.max(f64::NEG_INFINITY)
    }
    pub fn constants(_: &Data, q: &Pose) -> f64 { ROOT * q.position.x + std::f64::consts::PI + std::f64::consts::LN_2 * q.position.y }
    pub fn powers(_: &Data, q: &Pose) -> f64 {
        let x = q.position.x;
        x.powi(5) + x.powi(0) + (x * x + 1.0).powf(1.5) + (x + 3.0).powi(-2) + (x * x + 0.5).powf(x)
    }
    pub fn fraction(_: &Data, q: &Pose) -> f64 { (4.0 * q.position.x).fract() + q.position.x }
    pub fn euclid(_: &Data, q: &Pose) -> f64 {
        let x = 5.0 * q.position.x;
        x.rem_euclid(1.1) + (x.div_euclid(1.1)) * 0.01 + x.rem_euclid(-0.7) + x.div_euclid(-0.7)
    }
    pub fn arcs(_: &Data, q: &Pose) -> f64 { let x = 0.5 * q.position.x; x.asin() + x.acos() * 2.0 + x.atan() + x.tan() }
    pub fn float_blocks(_: &Data, q: &Pose) -> f64 { let x = { let y = q.position.x; y * y }; x + { x * 2.0 } }
    pub fn folded_constants(_: &Data, q: &Pose) -> f64 { (2.0_f64.sqrt() + 3f64.ln() + 8.0_f64.log2() + 1e-3_f64.cbrt()) * q.position.x }
    pub fn sign_tests(_: &Data, q: &Pose) -> f64 { if q.position.x.is_sign_negative() { q.position.y } else { 2.0 * q.position.z } }
    pub fn evaluated_once(_: &Data, q: &Pose) -> f64 {
        let mut n = 0.0;
        let x = f64::sin({ n += 1.0; q.position.x });
        let y = f64::max({ n += 1.0; 0.3 }, q.position.y);
        x + y + n
    }
    pub fn lerped(p: &Data, q: &Pose) -> f64 { p.points[0].lerp(&q.position, 0.3).norm_squared() }
}
