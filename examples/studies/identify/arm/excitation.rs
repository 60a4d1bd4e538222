//! The reference motions of the motors: sums of sines.

use core::f64::consts::PI;

use lie_runtime::inputs::OverTime;
use lie_runtime::prelude::*;

use super::links::Inputs;

/// About these angles, and so far to both sides [rad].
const MIDDLE: [f64; 6] = [0.0, 0.4, 0.9, 0.0, 0.8, 0.0];
const SWING: [f64; 6] = [0.35, 0.3, 0.35, 0.5, 0.5, 0.6];
/// The number of sines for each joint.
const HARMONICS: usize = 3;

/// Σ cₖ cos(k ω t) + sₖ sin(k ω t) about the middle.
pub struct Excitation {
    rate: f64,
    cosines: [Vector6<f64>; HARMONICS],
    sines: [Vector6<f64>; HARMONICS],
}

impl Excitation {
    /// Once around in this time; phases are spread by the golden angle.
    pub fn of_period(period: f64) -> Self {
        let along = |part: fn(f64) -> f64| {
            core::array::from_fn(|at| {
                let harmonic = (at + 1) as f64;
                let phase = |joint: usize| PI * (3.0 - 5.0_f64.sqrt()) * (HARMONICS * joint + at) as f64;
                Vector6::from_fn(|joint, _| SWING[joint] / harmonic.sqrt() * part(phase(joint)))
            })
        };
        Excitation { rate: 2.0 * PI / period, cosines: along(f64::sin), sines: along(f64::cos) }
    }
}

impl OverTime<Inputs> for Excitation {
    fn jet(&self, t: f64) -> [Inputs; 3] {
        let mut derivatives = [Vector6::from(MIDDLE), Vector6::zeros(), Vector6::zeros(), Vector6::zeros()];
        for (at, (along, across)) in self.cosines.iter().zip(&self.sines).enumerate() {
            let rate = (at + 1) as f64 * self.rate;
            let (sine, cosine) = (rate * t).sin_cos();
            let (value, slope) = (along * cosine + across * sine, across * cosine - along * sine);
            derivatives[0] += value;
            derivatives[1] += slope * rate;
            derivatives[2] -= value * (rate * rate);
            derivatives[3] -= slope * (rate * rate * rate);
        }
        [0, 1, 2].map(|order| Inputs { angles: derivatives[order], rates: derivatives[order + 1] })
    }
}
