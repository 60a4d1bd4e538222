//! A handwritten step of HEDOP5 of the heavy top: no table, no trait, no buffer. Matrices consist of their variable entries, and all values
//! are passed by value.
//!
//! The formulas come from paper 1, section 2.4, with y = Rᵀ x and B = [y~, I].

use std::hint::black_box;

use lie_runtime::nalgebra::{Vector3, Vector6};

use super::{Rotation, Xyz, exponential, tangent_inverse};
use crate::heavy_top::{CENTER, GRAVITY, MASS, MOMENTS};

/// A vector of se(3), the angular part first.
#[derive(Clone, Copy)]
struct Twist(Xyz, Xyz);

impl Twist {
    /// Σ factor · twist of rows without their zeros.
    #[inline(always)]
    fn sum<const N: usize>(terms: [(f64, Twist); N]) -> Twist {
        let (mut angular, mut linear) = (terms[0].1.0 * terms[0].0, terms[0].1.1 * terms[0].0);
        let mut term = 1;
        while term < N {
            let (factor, Twist(first, second)) = terms[term];
            (angular, linear) = (angular + first * factor, linear + second * factor);
            term += 1;
        }
        Twist(angular, linear)
    }
    #[inline(always)]
    fn plus(self, factor: f64, other: Twist) -> Twist {
        Twist(self.0 + other.0 * factor, self.1 + other.1 * factor)
    }
}

/// The data and the values derived from them.
struct Top {
    mass: f64,
    moments: Xyz,
    gravity: Xyz,
    inverse_mass: f64,
    inverse_moments: Xyz,
}

/// The state at the start of a step.
#[derive(Clone, Copy)]
struct State {
    time: f64,
    attitude: Rotation,
    position: Xyz,
    velocity: Twist,
    acceleration: Twist,
    multipliers: Xyz,
}

/// A stage: θ, its pose, y of the pose, and the velocity.
#[derive(Clone, Copy)]
struct Stage {
    theta: Twist,
    attitude: Rotation,
    position: Xyz,
    y: Xyz,
    velocity: Twist,
}

impl Top {
    /// The pose q exp(θ), (exp Ω, T(Ω)ᵀ U), and y.
    #[inline(always)]
    fn moved(from: &State, theta: Twist, velocity: Twist) -> Stage {
        let Twist(omega, u) = theta;
        let (second, third, turn) = exponential(omega);
        let once = omega.cross(u);
        let shift = u + once * second + omega.cross(once) * third;
        let attitude = from.attitude.times(turn);
        let position = from.position + from.attitude.rotate(shift);
        Stage { theta, attitude, position, y: attitude.back(position), velocity }
    }

    /// T(θ)⁻¹ v.
    #[inline(always)]
    fn rate(stage: &Stage) -> Twist {
        let (Twist(omega, shift), Twist(w, u)) = (stage.theta, stage.velocity);
        let (gamma, slope) = tangent_inverse(omega);
        let once = omega.cross(w);
        let twice = omega.cross(once);
        let once_rate = omega.cross(u) + shift.cross(w);
        let twice_rate = omega.cross(once_rate) + shift.cross(once);
        let product = omega.dot(shift);
        let slope = slope * (product + product);
        Twist(w + once * 0.5 + twice * gamma, u + once_rate * 0.5 + twice_rate * gamma + twice * slope)
    }

    /// −g.
    #[inline(always)]
    fn force(&self, stage: &Stage) -> Twist {
        let Twist(w, u) = stage.velocity;
        let weight = stage.attitude.back(self.gravity);
        Twist(w.times(self.moments).cross(w), (weight - w.cross(u)) * self.mass)
    }

    /// Computes V̇ and Λ of a stage. The next stage, with the velocity `aim` plus `last` V̇, satisfies its constraint.
    #[inline(always)]
    fn solved(&self, stage: &Stage, next: Xyz, aim: Twist, last: f64) -> (Twist, Xyz) {
        let Twist(moment, force) = self.force(stage);
        let (Xyz(p, q, r), m, y1, y2) = (self.inverse_moments, self.inverse_mass, stage.y, next);
        let (qx, rx) = (q * y2.0, r * y2.0);
        let (py, ry) = (p * y2.1, r * y2.1);
        let (pz, qz) = (p * y2.2, q * y2.2);
        // −y₂~ J⁻¹ y₁~ + I/m, row by row.
        let a = Xyz(ry * y1.1 + qz * y1.2 + m, -(ry * y1.0), -(qz * y1.0));
        let b = Xyz(-(rx * y1.1), rx * y1.0 + pz * y1.2 + m, -(pz * y1.1));
        let c = Xyz(-(qx * y1.2), -(py * y1.2), qx * y1.0 + py * y1.1 + m);
        let (free, free_linear) = (moment.times(self.inverse_moments), force * m);
        let right = y2.cross(free) + free_linear + (y2.cross(aim.0) + aim.1) * last.recip();
        let (first, second, third) = (b.cross(c), c.cross(a), a.cross(b));
        let inverse = a.dot(first).recip();
        let lambda = (first * right.0 + second * right.1 + third * right.2) * inverse;
        let angular = free - lambda.cross(y1).times(self.inverse_moments);
        (Twist(angular, free_linear - lambda * m), lambda)
    }

    #[inline(never)]
    fn step(&self, from: &State, h: f64, to: &mut State) -> Result<(), ()> {
        let (v, d1, a1) = (from.velocity, from.velocity, from.acceleration);
        let moved = |theta, velocity| Self::moved(from, theta, velocity);

        let c = h * (1.0 / 5.0);
        let stage = moved(Twist::sum([(c, d1)]), v.plus(c, a1));
        let d2 = Self::rate(&stage);
        let (c1, last) = (h * (3.0 / 40.0), h * (9.0 / 40.0));
        let next = moved(Twist::sum([(c1, d1), (last, d2)]), v.plus(c1, a1));
        let (a2, _) = self.solved(&stage, next.y, next.velocity, last);

        let stage = Stage { velocity: next.velocity.plus(last, a2), ..next };
        let d3 = Self::rate(&stage);
        let (c1, c2, last) = (h * (44.0 / 45.0), h * (-56.0 / 15.0), h * (32.0 / 9.0));
        let next = moved(Twist::sum([(c1, d1), (c2, d2), (last, d3)]), v.plus(c1, a1).plus(c2, a2));
        let (a3, _) = self.solved(&stage, next.y, next.velocity, last);

        let stage = Stage { velocity: next.velocity.plus(last, a3), ..next };
        let d4 = Self::rate(&stage);
        let (c1, c2) = (h * (19_372.0 / 6_561.0), h * (-25_360.0 / 2_187.0));
        let (c3, last) = (h * (64_448.0 / 6_561.0), h * (-212.0 / 729.0));
        let velocity = v.plus(c1, a1).plus(c2, a2).plus(c3, a3);
        let next = moved(Twist::sum([(c1, d1), (c2, d2), (c3, d3), (last, d4)]), velocity);
        let (a4, _) = self.solved(&stage, next.y, next.velocity, last);

        let stage = Stage { velocity: next.velocity.plus(last, a4), ..next };
        let d5 = Self::rate(&stage);
        let (c1, c2, c3) = (h * (9_017.0 / 3_168.0), h * (-355.0 / 33.0), h * (46_732.0 / 5_247.0));
        let (c4, last) = (h * (49.0 / 176.0), h * (-5_103.0 / 18_656.0));
        let velocity = v.plus(c1, a1).plus(c2, a2).plus(c3, a3).plus(c4, a4);
        let next = moved(Twist::sum([(c1, d1), (c2, d2), (c3, d3), (c4, d4), (last, d5)]), velocity);
        let (a5, _) = self.solved(&stage, next.y, next.velocity, last);

        let stage = Stage { velocity: next.velocity.plus(last, a5), ..next };
        let d6 = Self::rate(&stage);
        let (c1, c3, c4) = (h * (35.0 / 384.0), h * (500.0 / 1_113.0), h * (125.0 / 192.0));
        let (c5, last) = (h * (-2_187.0 / 6_784.0), h * (11.0 / 84.0));
        let velocity = v.plus(c1, a1).plus(c3, a3).plus(c4, a4).plus(c5, a5);
        let next = moved(Twist::sum([(c1, d1), (c3, d3), (c4, d4), (c5, d5), (last, d6)]), velocity);
        let (a6, _) = self.solved(&stage, next.y, next.velocity, last);

        let stage = Stage { velocity: next.velocity.plus(last, a6), ..next };
        let d7 = Self::rate(&stage);
        let c1 = h * (-18_611_506_045_861.0 / 19_738_176_307_200.0);
        let c2 = h * (59_332_529.0 / 14_479_296.0);
        let c3 = h * (-2_509_441_598_627.0 / 893_904_224_850.0);
        let c4 = h * (2_763_523_204_159.0 / 3_289_696_051_200.0);
        let c5 = h * (-41_262_869_588_913.0 / 116_235_927_142_400.0);
        let (c6, last) = (h * (46_310_205_821.0 / 287_848_404_480.0), h * (-3_280.0 / 75_413.0));
        let velocity = v.plus(c1, a1).plus(c2, a2).plus(c3, a3).plus(c4, a4).plus(c5, a5).plus(c6, a6);
        let rates = [(c1, d1), (c2, d2), (c3, d3), (c4, d4), (c5, d5), (c6, d6), (last, d7)];
        let next = moved(Twist::sum(rates), velocity);
        let (a7, multipliers) = self.solved(&stage, next.y, next.velocity, last);

        let Stage { attitude, position, velocity, .. } = stage;
        *to = State { time: from.time + h, attitude, position, velocity, acceleration: a7, multipliers };
        // The accelerations at the end depend on every value of the step.
        if (a7.0 + a7.1).sum().is_finite() { Ok(()) } else { Err(()) }
    }
}

/// Repeats steps of 1e-3 s over the first second, like the other versions; returns the last velocity.
pub fn steps(acceleration: Vector6<f64>, multipliers: Vector3<f64>) -> impl FnMut(u64) -> Vector6<f64> {
    let of = |v: &Vector3<f64>| Xyz(v.x, v.y, v.z);
    let top = Top {
        mass: MASS,
        moments: of(&MOMENTS),
        gravity: of(&GRAVITY),
        inverse_mass: MASS.recip(),
        inverse_moments: of(&MOMENTS.map(f64::recip)),
    };
    let twist = |v: &Vector6<f64>| Twist(Xyz(v[0], v[1], v[2]), Xyz(v[3], v[4], v[5]));
    let first = State {
        time: 0.0,
        attitude: Rotation::identity(),
        position: of(&CENTER),
        velocity: twist(&Vector6::new(0.0, 150.0, -4.61538, 4.61538, 0.0, 0.0)),
        acceleration: twist(&acceleration),
        multipliers: of(&multipliers),
    };
    let mut states = [first; 2];
    move |times| {
        let [from, to] = &mut states;
        let (mut from, mut to) = (from, to);
        for _ in 0..times {
            if from.time > 1.0 - 0.5e-3 {
                *from = first;
            }
            black_box(&top).step(from, black_box(1e-3), to).expect("no step fails");
            core::mem::swap(&mut from, &mut to);
        }
        let Twist(w, u) = from.velocity;
        black_box(from.multipliers);
        Vector6::new(w.0, w.1, w.2, u.0, u.1, u.2)
    }
}
