//! The error of a step, by formulas of higher order for the same increments.
//!
//! Velocities are compared with Simpson's rule for the accelerations of the index-1 system,
//!
//! ```text
//! v̂ = v_n + h/6 (v'_n + 4 v'(t_n + h/2) + v'_{n+1}),
//! ```
//!
//! with the middle on the cubic through v_n, v_{n+1} and their rates; like Gauss's rule of order 4 it is exact where v' is linear in q and v,
//! and it asks for one evaluation: v'_n and v'_{n+1} are the method's own. Alone these would not do, for ρ∞ near 1 the method differs
//! from the trapezoidal rule by next to nothing.
//!
//! They obey the equations of motion with multipliers that need not be those of the index-1 system. So only that of v̂ − v_{n+1} is
//! asked for which the constraints admit, B (v̂ − v_{n+1}) = 0 with M and B of the middle, whose curvature then does not matter; the rest
//! follows from the error of q, as normals turn with it. In an index-3 formulation v'_n and v'_{n+1} also belong to velocities with a normal
//! part: half of it is taken from v in the middle, whose weight is four times that of an end, which makes up for it in what forces have
//! of it.
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

use super::start::{accelerations, know_normal, normal_velocity, shortest_again};
use super::workspace::Attempt;
use super::{Formulation, GeneralizedAlpha};
use crate::group::TangentVector;
use crate::integrator::implicit::Buffers;
use crate::integrator::{LocalError, State};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{Evaluation, KktError, Linearised};

/// Estimates the error of the step just made.
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
        // T takes h v_n, which is put down in the place of the result.
        increment.assign_scaled(real(h), &work.velocity);
        system.space().tangent(increment, &from.acceleration, reaction);
        let bracket = [(h * h / 6.0, &from.acceleration), (-h * h / 6.0, &*reaction)];
        increment.set_combination(both.into_iter().chain(bracket).map(of_numbers));
    }

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
        shortest_again(system, work)?;
        error.increment_error.axpy(real(-1.0), &work.stage.buffers.correction.increment);
    }

    // Hermite's cubic for v, and for θ with the rates h v_n and h v_{n+1}.
    let ends = [&work.acceleration, &work.next_acceleration];
    let rates = [&from.acceleration, &to.acceleration];
    work.probe.time = from.time + 0.5 * h;
    let eighth = 0.125 * h;
    let own = [(-0.25, &from.velocity), (-0.25, &to.velocity), (eighth, rates[0]), (-eighth, rates[1])];
    let terms = ends.map(|end| (0.75, end)).into_iter().chain(own);
    work.probe.velocity.set_combination(terms.map(of_numbers));
    let Buffers { theta, correction, .. } = &mut work.stage.buffers;
    let terms = [(0.5, &*theta), (eighth, ends[0]), (-eighth, ends[1])];
    correction.increment.set_combination(terms.into_iter().map(of_numbers));
    system.space().compose_exp(&from.configuration, &correction.increment, &mut work.probe.configuration);

    let sixth = h / 6.0;
    let terms = [(1.0, ends[0]), (-1.0, ends[1]), (sixth, rates[0]), (sixth, rates[1])];
    error.velocity_error.set_combination(terms.into_iter().map(of_numbers));
    add_middle(system, 4.0 * sixth, &mut error.velocity_error, work)
}

/// Adds `factor` times the accelerations of the probe, with such reactions that B times the sum is zero.
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
    let Buffers { drift, correction, .. } = &mut stage.buffers;
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

/// A term of a combination, as [`TangentVector::set_combination`] takes it.
fn of_numbers<V: TangentVector>((factor, term): (f64, &V)) -> (V::Scalar, &V) {
    (V::Scalar::from_f64(factor), term)
}
