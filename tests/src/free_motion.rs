//! The motion of a free rigid body in closed form: Ω by Jacobi's elliptic functions, R by one quadrature.

use lie_runtime::nalgebra::{Matrix3, Rotation3, Vector3};

/// sn, cn and dn of u to the modulus k by the arithmetic-geometric mean.
fn jacobi(u: f64, k: f64) -> [f64; 3] {
    let (mut a, mut g, mut c) = (vec![1.0], (1.0 - k * k).sqrt(), vec![k]);
    while c.last().is_some_and(|c| c.abs() > 1e-17) && a.len() < 12 {
        let last = a[a.len() - 1];
        c.push(0.5 * (last - g));
        a.push(0.5 * (last + g));
        g = (last * g).sqrt();
    }
    let n = a.len() - 1;
    let mut phi = 2f64.powi(i32::try_from(n).expect("few")) * a[n] * u;
    for i in (1..=n).rev() {
        phi = 0.5 * (phi + (c[i] / a[i] * phi.sin()).asin());
    }
    [phi.sin(), phi.cos(), (1.0 - (k * phi.sin()).powi(2)).sqrt()]
}

/// The integral of `f` over [0, end] by Gauss's rule of three points on `parts` intervals.
fn integral(f: impl Fn(f64) -> f64, end: f64, parts: u32) -> f64 {
    let h = end / f64::from(parts);
    let offset = 0.5 * (0.6f64).sqrt();
    (0..parts)
        .map(|part| {
            let middle = (f64::from(part) + 0.5) * h;
            h / 18.0 * (5.0 * f(middle - offset * h) + 8.0 * f(middle) + 5.0 * f(middle + offset * h))
        })
        .sum()
}

/// A free body with moments J₁ < J₂ < J₃ that turns about its first axis, |Π|² < 2 E J₂, from R = I.
#[derive(Clone, Debug)]
pub struct FreeMotion {
    moments: Vector3<f64>,
    amplitudes: Vector3<f64>,
    rate: f64,
    phase: f64,
    modulus: f64,
    momentum: f64,
}

impl FreeMotion {
    /// The motion with these moments and this Ω(0), of which no component is negative.
    pub fn new(moments: Vector3<f64>, velocity: Vector3<f64>) -> Self {
        let [first, second, third] = [moments.x, moments.y, moments.z];
        let momentum = moments.component_mul(&velocity);
        let (square, twice_energy) = (momentum.norm_squared(), momentum.dot(&velocity));
        let above = square - twice_energy * first;
        let below = twice_energy * third - square;
        let amplitudes = Vector3::new(
            (below / (first * (third - first))).sqrt(),
            (above / (second * (second - first))).sqrt(),
            (above / (third * (third - first))).sqrt(),
        );
        let modulus = ((third - second) * above / ((second - first) * below)).sqrt();
        let angle = (velocity.y / amplitudes.y).atan2(velocity.z / amplitudes.z);
        FreeMotion {
            moments,
            amplitudes,
            rate: ((second - first) * below / (first * second * third)).sqrt(),
            phase: integral(|theta| 1.0 / (1.0 - (modulus * theta.sin()).powi(2)).sqrt(), angle, 200),
            modulus,
            momentum: square.sqrt(),
        }
    }

    /// Ω(t).
    pub fn velocity(&self, t: f64) -> Vector3<f64> {
        let [sn, cn, dn] = jacobi(self.rate * t + self.phase, self.modulus);
        self.amplitudes.component_mul(&Vector3::new(dn, sn, cn))
    }

    /// R(t): with the angles φ, θ, ψ of the body about the momentum, Π = |Π| (sin θ sin ψ, sin θ cos ψ, cos θ) and
    /// φ' = |Π| (J₁ Ω₁² + J₂ Ω₂²) / (Π₁² + Π₂²).
    pub fn attitude(&self, t: f64) -> Matrix3<f64> {
        let precession = |t: f64| {
            let v = self.velocity(t);
            let p = self.moments.component_mul(&v);
            self.momentum * (p.x * v.x + p.y * v.y) / (p.x * p.x + p.y * p.y)
        };
        let angles = |t: f64| {
            let p = self.moments.component_mul(&self.velocity(t));
            let turn = |axis, angle| Rotation3::from_axis_angle(&axis, angle);
            turn(Vector3::x_axis(), (p.z / self.momentum).acos()) * turn(Vector3::z_axis(), p.x.atan2(p.y))
        };
        let phi = Rotation3::from_axis_angle(&Vector3::z_axis(), integral(precession, t, 4000));
        (angles(0.0).inverse() * phi * angles(t)).into_inner()
    }
}
