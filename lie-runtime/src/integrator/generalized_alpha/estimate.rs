//! The error of a step, by formulas of higher order for the same increments.
//!
//! Velocities are compared with Gauss's rule of order 4 for the accelerations of the index-1 system,
//!
//! ```text
//! v̂ = v_n + h/2 (v'(t_n + c₁ h) + v'(t_n + c₂ h)),    c = ½ ∓ √3/6,
//! ```
//!
//! on the cubic through v_n, v_{n+1} and their rates. The method's own v'_n and v'_{n+1} would not do: for ρ∞ near 1 it
//! differs from the trapezoidal rule by next to nothing, and in an index-3 formulation they are as wrong as λ.
//!
//! Increments are compared with the Magnus expansion (paper 2, eq. 45),
//!
//! ```text
//! θ̂ = h v_n + h² (v'_n / 3 + v'_{n+1} / 6) + h³/12 [v_n, v'_n],    h/2 [v, v'] = v' − T(h v) v' + O(h²),
//! ```
//!
//! in local coordinates with the same without the bracket for x'' instead of v'.
//!
//! In an index-3 formulation θ̂ − θ holds all of l^q of eq. (47), of which Φ(q_{n+1}) = 0 has removed, by accelerations
//! −M⁻¹ Bᵀ μ, what is normal to the constraints: θ̂ − θ is freed of its part of that form. Velocities are brought onto
//! B v + b = 0 before they are compared, because the residual O(h²) that they keep is no error that accumulates.

use super::start::{accelerations, know_normal, normal_velocity, shortest};
use super::workspace::Attempt;
use super::{Formulation, GeneralizedAlpha};
use crate::group::TangentVector;
use crate::integrator::{LocalError, State};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{Linearised, SaddleError};

/// Estimates the error of the step just made.
pub(super) fn estimate<M: Linearised>(
    method: &GeneralizedAlpha,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    error: &mut LocalError<M>,
    work: &mut Attempt<M>,
) -> Result<(), SaddleError> {
    let real = M::Scalar::from_f64;
    let is_local = method.options.formulation.coordinates().is_some();
    error.increment.assign(if is_local { &work.stage.buffers.local.x } else { &work.stage.buffers.theta });
    let second = if is_local { &work.stage.buffers.local.second } else { &to.acceleration };
    let increment = &mut error.increment_error;
    increment.assign(&work.velocity);
    increment.scale(real(h));
    if !is_local {
        system.space().tangent(increment, &from.acceleration, &mut work.stage.buffers.reaction);
        increment.axpy(real(h * h / 6.0), &from.acceleration);
        increment.axpy(real(-h * h / 6.0), &work.stage.buffers.reaction);
    }
    increment.axpy(real(h * h / 3.0), &from.acceleration);
    increment.axpy(real(h * h / 6.0), second);
    increment.axpy(real(-1.0), &error.increment);

    // The accelerations a have done their work; their places take the velocities at both ends.
    work.acceleration.assign(&work.velocity);
    work.next_acceleration.assign(&to.velocity);
    let is_index3 = method.options.formulation != Formulation::StabilisedIndex2 && system.holonomic_rows() > 0;
    if is_index3 {
        know_normal(system, from, work)?;
        work.acceleration.axpy(real(-1.0), &work.normal);
        normal_velocity(system, to.time, &to.configuration, Some(&to.velocity), work)?;
        let normal = &work.stage.buffers.correction.increment;
        work.next_acceleration.axpy(real(-1.0), normal);
        // It is that at the start of the next step.
        to.memory.vector_mut(1).assign(normal);
        to.memory.set_estimated();
        // With M and B at the end of the step still at hand.
        system.jacobian_times(&work.stage.buffers.jacobian, &error.increment_error, &mut work.stage.buffers.drift);
        shortest(system, work)?;
        error.increment_error.axpy(real(-1.0), &work.stage.buffers.correction.increment);
    }

    let velocity = &mut error.velocity_error;
    velocity.assign(&work.acceleration);
    velocity.axpy(real(-1.0), &work.next_acceleration);
    let half_distance = 0.5 / 3.0_f64.sqrt();
    for part in [0.5 - half_distance, 0.5 + half_distance] {
        let rest = 1.0 - part;
        work.probe.time = from.time + part * h;
        // Hermite's cubic for v, and for θ with the rates h v_n and h v_{n+1}.
        let (start, end) = (rest * rest * (1.0 + 2.0 * part), part * part * (3.0 - 2.0 * part));
        let (start_rate, end_rate) = (h * part * rest * rest, -h * part * part * rest);
        let v = &mut work.probe.velocity;
        v.assign(&work.acceleration);
        v.scale(real(start));
        v.axpy(real(end), &work.next_acceleration);
        v.axpy(real(start_rate), &from.acceleration);
        v.axpy(real(end_rate), &to.acceleration);
        work.stage.buffers.correction.increment.assign(&work.stage.buffers.theta);
        work.stage.buffers.correction.increment.scale(real(end));
        work.stage.buffers.correction.increment.axpy(real(start_rate), &work.acceleration);
        work.stage.buffers.correction.increment.axpy(real(end_rate), &work.next_acceleration);
        system.space().compose_exp(
            &from.configuration,
            &work.stage.buffers.correction.increment,
            &mut work.probe.configuration,
        );
        accelerations(system, work)?;
        velocity.axpy(real(0.5 * h), &work.probe.acceleration);
    }
    Ok(())
}
