//! The planar pendulum (A01): a mass of 1 kg on a rod of 1 m without mass, released at rest from the horizontal. The N-four-bar mechanism
//! has the same closed-form motion.

use lie_runtime::prelude::*;

/// The acceleration of gravity.
pub const GRAVITY: f64 = 9.81;

/// In positions.
#[mechanical_system]
pub mod point {
    /// The mass.
    #[configuration]
    pub struct Mass {
        /// x to the right, y up.
        pub position: R2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.position.norm_squared()
    }

    #[potential]
    fn weight(q: &Mass) -> f64 {
        9.81 * q.position.y
    }

    #[constraint]
    fn rod(q: &Mass) -> f64 {
        0.5 * (q.position.norm_squared() - 1.0)
    }
}

/// In the angle from the lowest point.
#[mechanical_system]
pub mod hinge {
    /// The hinge.
    #[configuration]
    pub struct Hinge {
        /// The rod hangs down at zero.
        pub turn: SO2,
    }

    /// The mass.
    #[quantity]
    pub fn mass(q: &Hinge) -> Vector2<f64> {
        q.turn * Vector2::new(0.0, -1.0)
    }

    #[kinetic_energy]
    fn kinetic(q: &Hinge, v: &Velocity) -> f64 {
        0.5 * mass_rate(q, v).norm_squared()
    }

    #[potential]
    fn weight(q: &Hinge) -> f64 {
        9.81 * mass(q).y
    }
}

/// The amplitude am(u | k²) of Jacobi's functions and dn, and the complete integral K, by the arithmetic-geometric mean.
fn amplitude(u: impl Fn(f64) -> f64, k: f64) -> (f64, f64) {
    let (mut a, mut b, mut means) = (1.0_f64, (1.0 - k * k).sqrt(), Vec::new());
    while (a - b).abs() > 1e-15 * a {
        means.push((0.5 * (a + b), 0.5 * (a - b)));
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let complete = 0.5 * core::f64::consts::PI / a;
    let mut angle = f64::powi(2.0, i32::try_from(means.len()).unwrap_or(0)) * a * u(complete);
    for (mean, difference) in means.into_iter().rev() {
        angle = 0.5 * (angle + (difference / mean * angle.sin()).asin());
    }
    (angle, (1.0 - (k * angle.sin()).powi(2)).sqrt())
}

/// x and y of the mass that starts at (−1, 0): sin(φ/2) = k cd(√g t), k² = 1/2, with φ from the lowest point.
pub fn position(t: f64) -> [f64; 2] {
    let k = core::f64::consts::FRAC_1_SQRT_2;
    let (angle, _) = amplitude(|complete| complete + GRAVITY.sqrt() * t, k);
    let phi = 2.0 * (k * angle.sin()).asin();
    [-phi.sin(), -phi.cos()]
}

/// The angle θ from the horizontal of the uprights of the N-four-bar mechanism, and its rate: θ'' = −κ cos θ from upright with θ' = −1.
pub fn upright(n: usize, t: f64) -> [f64; 2] {
    let (uprights, couplers) = ((n + 1) as f64, n as f64);
    let kappa = GRAVITY * (0.5 * uprights + couplers) / (uprights / 3.0 + couplers);
    // With φ = θ + π/2 from the lowest point: φ'²/4 = κ (1/k² − sin²(φ/2)).
    let k = (1.0 + 0.25 / kappa).sqrt().recip();
    let rate = kappa.sqrt() / k;
    let (half, dn) = amplitude(|complete| complete - rate * t, k);
    [2.0 * half - core::f64::consts::FRAC_PI_2, -2.0 * rate * dn]
}
