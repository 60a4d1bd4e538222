//! The start: a_0 of second order, and v_0 as the method settles at it.
//!
//! **a_0.** a_n approximates v' at t_n + (α_m − α_f) h (paper 2, eq. 48), hence a_0 = v'_0 + (α_m − α_f) h v''_0. The
//! derivative is a difference of second order of the accelerations of the index-1 system, at the times 0, s, 2s with
//! s = h / 16 along q_0 exp(s v_0 + s²/2 v'_0), v_0 + s v'_0: the error −s²/2 v''_0 of the velocity enters
//! (−3 v'(0) + 4 v'(s) − v'(2s)) / 2s as 4 c s² − 4 c s² = 0.
//!
//! **v_0.** A step of the index-3 formulation from exact values misses the constraint by B l^q,
//!
//! ```text
//! l^q = h³/6 ((6β + 3 (α_m − α_f) − 1) v'' − ½ [v, v'])                                        (paper 2, eq. 47)
//! ```
//!
//! and has to make up for it by accelerations that are wrong by l^q / (β h²) = O(h), which shows in λ. After many steps
//! the velocities carry the difference instead, B v_n = −B l^q / h = O(h²), and λ is of second order. A start with that
//! residual, v_0 − δ with the shortest δ in the metric of M such that B δ = B l^q / h, has no transient (Arnold, Brüls,
//! Cardona 2015). The stabilised formulation needs no such thing: η takes the difference up.

use super::workspace::Iteration;
use super::{Formulation, GeneralizedAlpha, Start};
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::system::{Linearised, SaddleError};

/// The differences are taken over this part of the first step.
const PART: f64 = 1.0 / 16.0;

/// v'(t, q, v) of the index-1 system into the probe.
fn accelerations<M: Linearised>(system: &M, work: &mut Iteration<M>) -> Result<(), SaddleError> {
    let Iteration { probe, mass, jacobian, reaction, drift, .. } = work;
    let t = M::Scalar::from_f64(probe.time);
    let (q, v) = (&probe.configuration, &probe.velocity);
    system.mass(t, q, mass)?;
    system.force(t, q, v, reaction);
    if system.constraint_rows() == 0 {
        system.solve_mass(mass, reaction, &mut probe.acceleration);
        return Ok(());
    }
    system.constraint_jacobian(t, q, jacobian);
    system.constraint_curvature(t, q, v, drift);
    drift.scale(M::Scalar::from_f64(-1.0));
    system.solve_saddle(mass, jacobian, jacobian, reaction, drift, &mut probe.acceleration, &mut probe.multipliers)
}

/// Sets a_0 and v_0 of a first step of size h.
pub(super) fn prepare<M: Linearised>(
    method: &GeneralizedAlpha,
    system: &M,
    from: &State<M>,
    h: f64,
    work: &mut Iteration<M>,
) -> Result<(), SaddleError> {
    let real = M::Scalar::from_f64;
    let (parameters, options) = (&method.parameters, &method.options);
    let s = PART * h;
    // v''_0 into `next_acceleration`.
    work.next_acceleration.assign(&from.acceleration);
    work.next_acceleration.scale(real(-1.5 / s));
    for (time, weight) in [(s, 2.0 / s), (2.0 * s, -0.5 / s)] {
        work.probe.time = from.time + time;
        work.theta.assign(&from.velocity);
        work.theta.scale(real(time));
        work.theta.axpy(real(0.5 * time * time), &from.acceleration);
        system.compose_exp(&from.configuration, &work.theta, &mut work.probe.configuration);
        work.probe.velocity.assign(&from.velocity);
        work.probe.velocity.axpy(real(time), &from.acceleration);
        accelerations(system, work)?;
        work.next_acceleration.axpy(real(weight), &work.probe.acceleration);
    }
    work.acceleration.axpy(real(parameters.shift() * h), &work.next_acceleration);
    let is_settled = options.start == Start::Settled && options.formulation == Formulation::Index3;
    if !is_settled || system.holonomic_rows() == 0 {
        return Ok(());
    }

    // l^q / h, with ½ [v, v'] = (T(−s v) − T(s v)) v' / 2s up to O(s²).
    work.theta.assign(&from.velocity);
    work.theta.scale(real(s));
    system.tangent(&work.theta, &from.acceleration, &mut work.reaction);
    work.theta.scale(real(-1.0));
    system.tangent(&work.theta, &from.acceleration, &mut work.correction.increment);
    let error = &mut work.next_acceleration;
    error.scale(real(h * h / 6.0 * (6.0 * parameters.beta + 3.0 * parameters.shift() - 1.0)));
    error.axpy(real(h * h / 6.0 / (2.0 * s)), &work.reaction);
    error.axpy(real(-h * h / 6.0 / (2.0 * s)), &work.correction.increment);
    let t = real(from.time);
    system.mass(t, &from.configuration, &mut work.mass)?;
    system.constraint_jacobian(t, &from.configuration, &mut work.jacobian);
    system.jacobian_times(&work.jacobian, error, &mut work.drift);
    for row in system.holonomic_rows()..system.constraint_rows() {
        work.drift.set_component(row, num_traits::Zero::zero());
    }
    work.reaction.fill(num_traits::Zero::zero());
    let Iteration { mass, jacobian, reaction, drift, correction, velocity, .. } = work;
    system.solve_saddle(
        mass,
        jacobian,
        jacobian,
        reaction,
        drift,
        &mut correction.increment,
        &mut correction.multipliers,
    )?;
    velocity.axpy(real(-1.0), &correction.increment);
    Ok(())
}
