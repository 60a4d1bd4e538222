//! Hermite interpolation between two states of a motion (dense output).

use super::ConfigurationSpace;
use crate::group::TangentVector;
use crate::scalar::Scalar;

/// The cubic Hermite polynomial in the coordinates θ = log(q₀⁻¹ q) that interpolates q and v at both ends of an interval:
///
/// ```text
/// q(s) = q₀ ∘ exp(θ(s)),   θ(s) = (s − 2s² + s³) h v₀ + (3s² − 2s³) θ₁ + (s³ − s²) h T(θ₁)⁻¹ v₁,   v(s) = T(θ) θ' / h.
/// ```
///
/// The error of q is O(h⁴), the error of v is O(h³) with a sign change in the middle.
pub(crate) struct Cubic<S: ConfigurationSpace> {
    length: S::Scalar,
    /// h v₀, θ₁ and h T(θ₁)⁻¹ v₁.
    controls: [S::Velocity; 3],
    theta: S::Velocity,
    rate: S::Velocity,
}

impl<S: ConfigurationSpace> Cubic<S> {
    /// The interpolation of an empty interval.
    pub fn of(space: &S) -> Self {
        let zero = || space.zero_velocity();
        Cubic { length: S::Scalar::from_f64(0.0), controls: [zero(), zero(), zero()], theta: zero(), rate: zero() }
    }

    /// Sets the interval, with length h > 0.
    pub fn join(
        &mut self,
        space: &S,
        h: f64,
        from: (&S::Configuration, &S::Velocity),
        to: (&S::Configuration, &S::Velocity),
    ) {
        let [first, way, last] = &mut self.controls;
        self.length = S::Scalar::from_f64(h);
        first.assign_scaled(self.length, from.1);
        space.log_difference(from.0, to.0, way);
        space.tangent_inverse(way, to.1, last);
        last.scale(self.length);
    }

    /// Returns q and v at the fraction `s` of the interval that begins at `start`.
    pub fn at(&mut self, space: &S, start: &S::Configuration, s: f64, q: &mut S::Configuration, v: &mut S::Velocity) {
        let Cubic { length, controls, theta, rate } = self;
        let combine = |weights: [f64; 3], out: &mut S::Velocity| {
            out.set_combination(weights.map(S::Scalar::from_f64).into_iter().zip(controls.iter()));
        };
        combine([s * (1.0 - s).powi(2), s * s * (3.0 - 2.0 * s), s * s * (s - 1.0)], theta);
        combine([(1.0 - s) * (1.0 - 3.0 * s), 6.0 * s * (1.0 - s), s * (3.0 * s - 2.0)], rate);
        rate.scale(S::Scalar::from_f64(1.0) / *length);
        space.compose_exp(start, theta, q);
        space.tangent(theta, rate, v);
        space.remove_spins(q, v);
    }
}
