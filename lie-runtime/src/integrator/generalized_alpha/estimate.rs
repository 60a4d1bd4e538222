//! The error estimate of a step from formulas of higher order for the same increments.
//!
//! Velocities are compared with Simpson's rule for the accelerations of the index-1 system,
//!
//! ```text
//! v̂ = v_n + h/6 (v'_n + 4 v'(t_n + h/2) + v'_{n+1}),
//! ```
//!
//! with the midpoint on the cubic through v_n, v_{n+1} and their rates. Like Gauss's rule of order 4 it is exact if v' is linear in q and
//! v. It needs one evaluation, since v'_n and v'_{n+1} are values of the method. These two values alone are not sufficient: for ρ∞ close to
//! 1 the method differs very little from the trapezoidal rule.
//!
//! They satisfy the equations of motion with multipliers that can differ from the multipliers of the index-1 system. The estimate therefore
//! contains only the admissible part of v̂ − v_{n+1}, B (v̂ − v_{n+1}) = 0 with M and B of the midpoint, and the curvature there does not
//! matter. The rest follows from the error of q, which rotates the normals. In an index-3 formulation v'_n and v'_{n+1} also contain the
//! effect of a normal part of the velocities on the forces. Half of this part is subtracted from v at the midpoint, which has four times
//! the weight of an end, so that the effect cancels.
//!
//! Increments are compared with the Magnus expansion (paper 2, eq. 45),
//!
//! ```text
//! θ̂ = h v_n + h² (v'_n / 3 + v'_{n+1} / 6) + h³/12 [v_n, v'_n],    h/2 [v, v'] = v' − T(h v) v' + O(h²),
//! ```
//!
//! in local coordinates with the same formula for x'' instead of v', without the bracket.
//!
//! In an index-3 formulation θ̂ − θ contains all of l^q of eq. (47). The equation Φ(q_{n+1}) = 0 has removed the part normal to the
//! constraints by accelerations −M⁻¹ Bᵀ μ; the estimate removes the part of this form from θ̂ − θ. Velocities are projected onto B v + b =
//! 0 before the comparison, because their residual O(h²) is not an error that accumulates.

use super::start::{accelerations, know_normal, normal_velocity, shortest_again};
use super::workspace::Attempt;
use super::{Formulation, GeneralizedAlpha};
use crate::group::TangentVector;
use crate::integrator::implicit::IterateBuffers;
use crate::integrator::{LocalError, State};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{Evaluation, KktError, Linearised};

/// Estimates the error of the last step.
pub(super) fn estimate<M: Linearised>(
    method: &GeneralizedAlpha,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    error: &mut LocalError<M>,
    work: &mut Attempt<M>,
) -> Result<(), KktError> {
    let real = M::Scalar::from_f64;
    let is_local = method.options.formulation.coordinates().is_some();
    error.increment.assign(if is_local { &work.stage.buffers.local.x } else { &work.stage.buffers.theta });
    let second = if is_local { &work.stage.buffers.local.second } else { &to.acceleration };
    let increment = &mut error.increment_error;
    let reaction = &mut work.stage.buffers.reaction;
    let both =
        [(h, &work.velocity), (h * h / 3.0, &from.acceleration), (h * h / 6.0, second), (-1.0, &error.increment)];
    if is_local {
        increment.set_combination(both.into_iter().map(of_numbers));
    } else {
        // The argument h v_n of T uses the buffer of the result.
        increment.assign_scaled(real(h), &work.velocity);
        system.space().tangent(increment, &from.acceleration, reaction);
        let bracket = [(h * h / 6.0, &from.acceleration), (-h * h / 6.0, &*reaction)];
        increment.set_combination(both.into_iter().chain(bracket).map(of_numbers));
    }

    // The accelerations a are no longer needed; their buffers store the velocities at both ends.
    work.acceleration.assign(&work.velocity);
    work.next_acceleration.assign(&to.velocity);
    let is_index3 = method.options.formulation != Formulation::StabilisedIndex2 && system.holonomic_rows() > 0;
    if is_index3 {
        know_normal(system, from, work)?;
        work.acceleration.axpy(real(-1.0), &work.normal);
        normal_velocity(system, to.time, &to.configuration, Some(&to.velocity), work)?;
        let normal = &work.stage.buffers.correction.increment;
        work.next_acceleration.axpy(real(-1.0), normal);
        // The start of the next step needs the same value.
        to.memory.vector_mut(1).assign(normal);
        to.memory.set_estimated();
        // M and B at the end of the step are still available.
        system.jacobian_times(&work.stage.buffers.jacobian, &error.increment_error, &mut work.stage.buffers.drift);
        shortest_again(system, work)?;
        error.increment_error.axpy(real(-1.0), &work.stage.buffers.correction.increment);
    }

    // Hermite's cubic for v, and for θ from the rates h v_n and h v_{n+1}.
    let ends = [&work.acceleration, &work.next_acceleration];
    let rates = [&from.acceleration, &to.acceleration];
    work.probe.time = from.time + 0.5 * h;
    let eighth = 0.125 * h;
    let own = [(-0.25, &from.velocity), (-0.25, &to.velocity), (eighth, rates[0]), (-eighth, rates[1])];
    let terms = ends.map(|end| (0.75, end)).into_iter().chain(own);
    work.probe.velocity.set_combination(terms.map(of_numbers));
    let IterateBuffers { theta, correction, .. } = &mut work.stage.buffers;
    let terms = [(0.5, &*theta), (eighth, ends[0]), (-eighth, ends[1])];
    correction.increment.set_combination(terms.into_iter().map(of_numbers));
    system.space().compose_exp(&from.configuration, &correction.increment, &mut work.probe.configuration);

    let sixth = h / 6.0;
    let terms = [(1.0, ends[0]), (-1.0, ends[1]), (sixth, rates[0]), (sixth, rates[1])];
    error.velocity_error.set_combination(terms.into_iter().map(of_numbers));
    add_middle(system, 4.0 * sixth, &mut error.velocity_error, work)
}

/// Adds `factor` times the accelerations of the probe, with reactions that make B times the sum zero.
fn add_middle<M: Linearised>(
    system: &M,
    factor: f64,
    sum: &mut M::Velocity,
    work: &mut Attempt<M>,
) -> Result<(), KktError> {
    let real = M::Scalar::from_f64;
    if system.constraint_rows() == 0 {
        accelerations(system, work)?;
        sum.axpy(real(factor), &work.probe.acceleration);
        return Ok(());
    }
    let Attempt { probe, at_probe, inertia, stage, other_solves, .. } = work;
    let IterateBuffers { drift, correction, .. } = &mut stage.buffers;
    let (t, q) = (real(probe.time), &probe.configuration);
    at_probe.place(system, t, q);
    at_probe.complete(system, (t, q, &probe.velocity), inertia)?;
    let Evaluation { jacobian, force } = at_probe;
    force.scale(real(factor));
    system.jacobian_times(jacobian, sum, drift);
    drift.scale(real(-1.0));
    *other_solves += 1;
    let (increment, multipliers) = (&mut correction.increment, &mut correction.multipliers);
    system.solve_kkt(inertia.factors(), jacobian, jacobian, force, drift, increment, multipliers)?;
    sum.axpy(real(1.0), increment);
    Ok(())
}

/// Converts a term of a combination for [`TangentVector::set_combination`].
fn of_numbers<V: TangentVector>((factor, term): (f64, &V)) -> (V::Scalar, &V) {
    (V::Scalar::from_f64(factor), term)
}
