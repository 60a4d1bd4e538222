//! The N-four-bar mechanism (A02): upright rods side by side and couplers between their tops. When it is horizontal, B loses rank and
//! the uprights could fold against each other.

use lie_runtime::nalgebra::SVector;
use lie_runtime::prelude::*;

pub use four_bar::System;

/// Rods of length and mass one, uniform; B₀ is the top of the first upright.
#[mechanical_system(redundant = minimum_norm)]
pub mod four_bar {
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

/// For any N, in the positions of the tops: uniform rods between points a and b of the mass m have the kinetic energy
/// m (|a'|² + a' · b' + |b'|²) / 6, and their weights act in the middle.
#[mechanical_system(redundant = minimum_norm)]
pub mod tops {
    /// N + 1 tops.
    #[configuration]
    pub struct Tops {
        /// B₀, B₁, …
        pub tops: Vec<R2>,
    }

    /// An upright turns about its foot.
    #[kinetic_energy(over = tops)]
    fn upright(v: &Vector2<f64>) -> f64 {
        v.norm_squared() / 6.0
    }

    #[kinetic_energy(over = tops.windows(2))]
    fn coupler([a, b]: [&Vector2<f64>; 2]) -> f64 {
        (a.norm_squared() + a.dot(b) + b.norm_squared()) / 6.0
    }

    #[potential(over = tops)]
    fn weight(x: &R2) -> f64 {
        0.5 * 9.81 * x.y
    }

    #[potential(over = tops.windows(2))]
    fn weight_of_coupler([a, b]: [&R2; 2]) -> f64 {
        0.5 * 9.81 * (a.y + b.y)
    }

    #[constraint(over = tops)]
    fn stands(index: usize, x: &R2) -> f64 {
        0.5 * ((x - Vector2::new(index as f64, 0.0)).norm_squared() - 1.0)
    }

    #[constraint(over = tops.windows(2))]
    fn joined([a, b]: [&R2; 2]) -> f64 {
        0.5 * ((b - a).norm_squared() - 1.0)
    }
}

/// For any N, in rods with frames in their middles as in [`four_bar`].
#[mechanical_system(redundant = minimum_norm)]
pub mod rods {
    /// Each rod with its centre and its direction e₁.
    #[configuration]
    pub struct Rods {
        /// From the ground points (i, 0) on.
        pub uprights: Vec<SE2>,
        /// Between the tops.
        pub couplers: Vec<SE2>,
    }

    fn end(rod: &SE2, side: f64) -> Vector2<f64> {
        *rod * Vector2::new(0.5 * side, 0.0)
    }

    fn energy(v: &Vector3<f64>) -> f64 {
        0.5 * v.linear().norm_squared() + v.angular().powi(2) / 24.0
    }

    #[kinetic_energy(over = uprights)]
    fn of_uprights(v: &Vector3<f64>) -> f64 {
        energy(v)
    }

    #[kinetic_energy(over = couplers)]
    fn of_couplers(v: &Vector3<f64>) -> f64 {
        energy(v)
    }

    #[potential(over = uprights)]
    fn weight_of_uprights(rod: &SE2) -> f64 {
        9.81 * rod.translation.y
    }

    #[potential(over = couplers)]
    fn weight_of_couplers(rod: &SE2) -> f64 {
        9.81 * rod.translation.y
    }

    #[constraint(over = uprights)]
    fn foot(index: usize, rod: &SE2) -> Vector2<f64> {
        end(rod, -1.0) - Vector2::new(index as f64, 0.0)
    }

    /// Each coupler with the uprights that it joins.
    #[constraint(over = (couplers, uprights).by(left))]
    fn left_top(coupler: &SE2, upright: &SE2) -> Vector2<f64> {
        end(coupler, -1.0) - end(upright, 1.0)
    }

    #[constraint(over = (couplers, uprights).by(right))]
    fn right_top(coupler: &SE2, upright: &SE2) -> Vector2<f64> {
        end(coupler, 1.0) - end(upright, 1.0)
    }
}

/// N + 1 tops, upright, at 1 m/s, and their velocities.
pub fn upright_tops(n: usize) -> (tops::Tops, Vec<f64>) {
    let tops = (0..=n).map(|i| Vector2::new(i as f64, 1.0)).collect();
    (tops::Tops { tops }, [1.0, 0.0].repeat(n + 1))
}

/// N + 1 upright rods and N couplers, the tops at 1 m/s, and their velocities.
pub fn upright_rods(n: usize) -> (rods::Rods, Vec<f64>) {
    let up = SO2::from_angle(core::f64::consts::FRAC_PI_2);
    let uprights = (0..=n).map(|i| SE2::new(up, Vector2::new(i as f64, 0.5))).collect();
    let couplers = (0..n).map(|i| SE2::new(SO2::identity(), Vector2::new(0.5 + i as f64, 1.0))).collect();
    // The first axis of an upright points up, the second one to the left.
    let mut v = [-1.0, 0.0, -0.5].repeat(n + 1);
    v.extend([0.0, 1.0, 0.0].repeat(n));
    (rods::Rods { uprights, couplers }, v)
}

/// Coupler i stands on the uprights i and i + 1.
pub fn lengths_of_rods(n: usize) -> rods::Lengths {
    let joined = |side: usize| (0..n).map(|i| [i, i + side]).collect();
    rods::Lengths { uprights: n + 1, couplers: n, left: joined(0), right: joined(1) }
}
