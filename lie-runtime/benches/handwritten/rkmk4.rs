//! A handwritten step of RKMK4 of the heavy top on SO(3).

use std::hint::black_box;

use lie_runtime::nalgebra::Vector3;

use super::{Rotation, Xyz, exponential, tangent_inverse};
use crate::fixed_point_top::OMEGA;
use hand_written::top_hamiltonian::TopHamiltonian;

/// The data and the values derived from them.
struct Top {
    moments: Xyz,
    inverse_moments: Xyz,
    weight: Xyz,
    axis: Xyz,
}

#[derive(Clone, Copy)]
struct State {
    time: f64,
    attitude: Rotation,
    velocity: Xyz,
    acceleration: Xyz,
}

/// T(θ)⁻¹ Ω.
#[inline(always)]
fn rate(theta: Xyz, velocity: Xyz) -> Xyz {
    let (gamma, _) = tangent_inverse(theta);
    let once = theta.cross(velocity);
    velocity + once * 0.5 + theta.cross(once) * gamma
}

impl Top {
    /// Euler's equations.
    #[inline(always)]
    fn acceleration(&self, attitude: Rotation, velocity: Xyz) -> Xyz {
        let moment = velocity.times(self.moments).cross(velocity) + attitude.back(self.weight).cross(self.axis);
        moment.times(self.inverse_moments)
    }

    #[inline(never)]
    fn step(&self, from: &State, h: f64, to: &mut State) -> Result<(), ()> {
        let half = 0.5 * h;
        let stage = |factor: f64, rate: Xyz, acceleration: Xyz| {
            let (theta, velocity) = (rate * factor, from.velocity + acceleration * factor);
            let attitude = from.attitude.times(exponential(theta).2);
            (theta, velocity, self.acceleration(attitude, velocity))
        };
        let (d1, a1) = (from.velocity, from.acceleration);
        let (theta, velocity, a2) = stage(half, d1, a1);
        let d2 = rate(theta, velocity);
        let (theta, velocity, a3) = stage(half, d2, a2);
        let d3 = rate(theta, velocity);
        let (theta, velocity, a4) = stage(h, d3, a3);
        let d4 = rate(theta, velocity);
        let (outer, inner) = (h * (1.0 / 6.0), h * (1.0 / 3.0));
        let theta = d1 * outer + d2 * inner + d3 * inner + d4 * outer;
        let velocity = from.velocity + (a1 * outer + a2 * inner + a3 * inner + a4 * outer);
        let attitude = from.attitude.times(exponential(theta).2);
        let acceleration = self.acceleration(attitude, velocity);
        *to = State { time: from.time + h, attitude, velocity, acceleration };
        // The acceleration at the end depends on every value of the step.
        if acceleration.sum().is_finite() { Ok(()) } else { Err(()) }
    }
}

/// Repeats steps of 1e-3 s over the first second; returns the last velocity.
pub fn steps(acceleration: Vector3<f64>) -> impl FnMut(u64) -> Vector3<f64> {
    let of = |v: &Vector3<f64>| Xyz(v.x, v.y, v.z);
    let TopHamiltonian { moments, weight, axis } = TopHamiltonian::of_the_paper();
    let top = Top {
        moments: of(&moments),
        inverse_moments: of(&moments.map(f64::recip)),
        weight: of(&weight),
        axis: of(&axis),
    };
    let (velocity, acceleration) = (of(&OMEGA), of(&acceleration));
    let first = State { time: 0.0, attitude: Rotation::identity(), velocity, acceleration };
    let mut states = [first; 2];
    move |times| {
        let [from, to] = &mut states;
        let (mut from, mut to) = (from, to);
        for _ in 0..times {
            if from.time > 0.9995 {
                *from = first;
            }
            black_box(&top).step(from, black_box(1e-3), to).expect("no step fails");
            core::mem::swap(&mut from, &mut to);
        }
        Vector3::new(from.velocity.0, from.velocity.1, from.velocity.2)
    }
}
