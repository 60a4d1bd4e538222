//! The second half of a step: v_{n+1} with λ⁻.

use super::Rattlie;
use super::momenta::{applied_force, mean_momentum, rate_of_step, supplied_force};
use super::workspace::RattlieBuffers;
use crate::group::TangentVector;
use crate::integrator::implicit::{Unsolved, keep};
use crate::integrator::{State, StepError};
use crate::scalar::{Mask, Scalar};
use crate::space::ConfigurationSpace;
use crate::system::{Linearised, MomentumRate};

/// Solves the second half: v_{n+1} and (h/2) λ⁻ from the momentum at the end. Iterates if forces depend on v_{n+1}.
pub(super) fn solve_velocity<M: Linearised + MomentumRate>(
    method: &Rattlie,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    work: &mut RattlieBuffers<M>,
) -> Result<(), StepError> {
    let real = M::Scalar::from_f64;
    let t = real(to.time);
    mean_momentum(system, from, h, to, work);
    system.space().tangent_inverse_transpose(&work.theta, &work.product, &mut work.momentum);
    work.momentum.scale(real(1.0 / h));
    if system.constraint_rows() > 0 {
        work.end.place(system, t, &to.configuration);
        system.constraint_drift(t, &to.configuration, &mut work.rate);
        work.rate.scale(real(-1.0));
    }
    work.inertia.at(system, t, &to.configuration).map_err(|error| StepError::of_kkt(error, system, from, h))?;
    if work.rates.is_some() {
        rate_of_step(h, to, work);
        supplied_force(system, t, &to.configuration, &to.velocity, work);
        return velocity_of_momentum(system, from, h, &mut to.velocity, work);
    }
    to.velocity.assign(&from.velocity);
    to.velocity.axpy(real(h), &from.acceleration);
    applied_force(system, t, &to.configuration, &to.velocity, work);
    if !system.description().forces_depend_on_velocity {
        return velocity_of_momentum(system, from, h, &mut to.velocity, work);
    }
    let tolerance = method.options.tolerance.max(4.0 * M::Scalar::epsilon());
    let mut resting = <M::Scalar as Scalar>::Mask::splat(false);
    for _ in 0..method.options.maximum_iterations {
        work.previous_force.assign(&work.force);
        work.other.assign(&to.velocity);
        velocity_of_momentum(system, from, h, &mut to.velocity, work)?;
        keep(&mut to.velocity, &work.other, resting);
        applied_force(system, t, &to.configuration, &to.velocity, work);
        work.previous_force.axpy(real(-1.0), &work.force);
        let change = real(0.5 * h.abs()) * work.previous_force.lane_norm();
        let size = Scalar::max(work.momentum.lane_norm(), real(h.abs()) * work.force.lane_norm());
        // This test precedes the tolerance, because an infinite change is below an infinite size.
        if !(change.magnitude().is_finite() && size.magnitude().is_finite()) {
            return Err(StepError::not_finite(system, from, h));
        }
        resting = resting | change.le(real(tolerance) * size);
        if resting.all() {
            return if M::Scalar::HAS_DERIVATIVES {
                differentiate_velocity(method, system, from, h, to, work)
            } else {
                Ok(())
            };
        }
    }
    let left = [work.previous_force.max_norm(), 0.0];
    Err(Unsolved::Slow(method.options.maximum_iterations).explained(left, system, from, h))
}

/// Computes the velocity at the end from the momentum, the force and the constraints there.
#[inline]
fn velocity_of_momentum<M: Linearised + MomentumRate>(
    system: &M,
    from: &State<M>,
    h: f64,
    velocity: &mut M::Velocity,
    work: &mut RattlieBuffers<M>,
) -> Result<(), StepError> {
    let RattlieBuffers { inertia, end, reaction, rate, impulses: [_, impulse], momentum, force, solves, .. } = work;
    reaction.assign(momentum);
    reaction.axpy(M::Scalar::from_f64(0.5 * h), force);
    *solves += 1;
    if system.constraint_rows() > 0 {
        let (mass, jacobian) = (inertia.factors(), &end.jacobian);
        system
            .solve_kkt(mass, jacobian, jacobian, reaction, rate, velocity, impulse)
            .map_err(|error| StepError::of_kkt(error, system, from, h))
    } else {
        system.solve_mass(inertia.factors(), reaction, velocity);
        Ok(())
    }
}

/// Computes the derivatives of v_{n+1}, which converge one iteration later than the value: more iterations with the value fixed until the
/// derivatives no longer change.
fn differentiate_velocity<M: Linearised + MomentumRate>(
    method: &Rattlie,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    work: &mut RattlieBuffers<M>,
) -> Result<(), StepError> {
    let real = M::Scalar::from_f64;
    let t = real(to.time);
    let mut previous = f64::INFINITY;
    for _ in 0..method.options.maximum_iterations {
        work.previous_force.assign(&work.force);
        work.other.assign(&to.velocity);
        velocity_of_momentum(system, from, h, &mut to.velocity, work)?;
        // Keeps the new derivatives and restores the previous values.
        core::mem::swap(&mut to.velocity, &mut work.other);
        to.velocity.take_derivatives(&work.other);
        applied_force(system, t, &to.configuration, &to.velocity, work);
        work.previous_force.axpy(real(-1.0), &work.force);
        let change = work.previous_force.variation();
        if !change.is_finite() {
            return Err(StepError::not_finite(system, from, h));
        }
        if change <= 4.0 * M::Scalar::epsilon() * work.force.variation() || change > 0.5 * previous {
            return Ok(());
        }
        previous = change;
    }
    Err(Unsolved::Unsettled(method.options.maximum_iterations).explained([f64::NAN; 2], system, from, h))
}
