//! The N-four-bar mechanism of the IFToMM library, N = 2: upright rods side by side and couplers between their tops. When it is
//! horizontal, B loses rank and the uprights could fold against each other.

use lie_runtime::prelude::*;

pub use four_bar::System;

/// Rods of length and mass one, uniform; B₀ is the top of the first upright.
#[mechanical_system(redundant = minimum_norm)]
pub mod four_bar {
    use lie_runtime::prelude::*;

    const GRAVITY: f64 = 9.81;

    /// Each rod with its centre and its direction e₁.
    #[configuration]
    pub struct Rods {
        /// From the ground points (i, 0) on.
        pub uprights: [SE2; 3],
        /// Between the tops.
        pub couplers: [SE2; 2],
    }

    fn end(rod: &SE2, side: f64) -> Vector2<f64> {
        *rod * Vector2::new(0.5 * side, 0.0)
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let mut sum = 0.0;
        for i in 0..3 {
            sum += 0.5 * v.uprights[i].linear().norm_squared() + v.uprights[i].angular().powi(2) / 24.0;
        }
        for i in 0..2 {
            sum += 0.5 * v.couplers[i].linear().norm_squared() + v.couplers[i].angular().powi(2) / 24.0;
        }
        sum
    }

    #[potential]
    fn weight(q: &Rods) -> f64 {
        let mut sum = 0.0;
        for i in 0..3 {
            sum += GRAVITY * q.uprights[i].translation.y;
        }
        for i in 0..2 {
            sum += GRAVITY * q.couplers[i].translation.y;
        }
        sum
    }

    #[constraint]
    fn feet(q: &Rods) -> Vector6<f64> {
        let [a, b, c] = [end(&q.uprights[0], -1.0), end(&q.uprights[1], -1.0), end(&q.uprights[2], -1.0)];
        Vector6::new(a.x, a.y, b.x - 1.0, b.y, c.x - 2.0, c.y)
    }

    #[constraint]
    fn left_tops(q: &Rods) -> Vector4<f64> {
        let a = end(&q.couplers[0], -1.0) - end(&q.uprights[0], 1.0);
        let b = end(&q.couplers[1], -1.0) - end(&q.uprights[1], 1.0);
        Vector4::new(a.x, a.y, b.x, b.y)
    }

    #[constraint]
    fn right_tops(q: &Rods) -> Vector4<f64> {
        let a = end(&q.couplers[0], 1.0) - end(&q.uprights[1], 1.0);
        let b = end(&q.couplers[1], 1.0) - end(&q.uprights[2], 1.0);
        Vector4::new(a.x, a.y, b.x, b.y)
    }

    /// B₀.
    #[observable]
    fn top(q: &Rods) -> Vector2<f64> {
        end(&q.uprights[0], 1.0)
    }
}

/// The rods where the uprights have the angle `theta` from the horizontal, and their velocities at its rate.
pub fn at(theta: f64, rate: f64) -> (four_bar::Rods, SVector<f64, 15>) {
    let (sin, cos) = theta.sin_cos();
    let rods = four_bar::Rods {
        uprights: [0.0, 1.0, 2.0].map(|x| SE2 {
            rotation: SO2::exp(&Vector1::new(theta)),
            translation: Vector2::new(x + 0.5 * cos, 0.5 * sin),
        }),
        couplers: [0.5, 1.5].map(|x| SE2 { rotation: SO2::identity(), translation: Vector2::new(x + cos, sin) }),
    };
    let mut v = SVector::zeros();
    for i in 0..3 {
        (v[3 * i], v[3 * i + 2]) = (rate, 0.5 * rate);
    }
    for i in 3..5 {
        (v[3 * i + 1], v[3 * i + 2]) = (-sin * rate, cos * rate);
    }
    (rods, v)
}

/// Upright, the tops at 1 m/s.
pub fn start() -> (four_bar::Rods, SVector<f64, 15>) {
    at(core::f64::consts::FRAC_PI_2, -1.0)
}

/// Times, and x, y, x', y' of B₀ then: of ((N + 1) / 3 + N) θ'' = −((N + 1) / 2 + N) g cos θ with N = 2, to 1e-12.
pub const REFERENCE: [(f64, [f64; 4]); 3] = [
    (1.0, [-0.195_020_301_949, -0.980_799_205_662, -6.676_678_036_881, 1.327_578_325_161]),
    (5.0, [-0.811_310_461_000, -0.584_615_545_356, -3.569_117_397_245, 4.953_105_171_292]),
    (10.0, [0.328_458_111_533, 0.944_518_538_181, 1.423_051_470_190, -0.494_868_845_469]),
];

/// x, y, x', y' of B₀.
pub fn top(state: &State<System>) -> [f64; 4] {
    let upright = &state.configuration.uprights[0];
    let p = *upright * Vector2::new(0.5, 0.0);
    let v = &state.velocity;
    let rate = upright.rotation * Vector2::new(v[1], v[2] + 0.5 * v[0]);
    [p.x, p.y, rate.x, rate.y]
}
