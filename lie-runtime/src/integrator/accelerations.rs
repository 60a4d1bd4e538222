//! The linear systems that give a state its accelerations, in buffers of the caller.

use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::system::{MechanicalSystem, SaddleError};

use super::{State, StepError};

/// v' = M⁻¹(−g − Bᵀ λ) of a state with its λ, where the mass matrix has been factorised; `h`, the step that led to the state,
/// is for messages.
#[inline(always)]
pub(super) fn from_multipliers<M: MechanicalSystem>(
    system: &M,
    state: &mut State<M>,
    h: f64,
    mass: &mut M::Mass,
    jacobian: &mut M::Jacobian,
    [force, reaction]: [&mut M::Velocity; 2],
) -> Result<(), StepError> {
    let t = M::Scalar::from_f64(state.time);
    system.force(t, &state.configuration, &state.velocity, force);
    if system.constraint_rows() > 0 {
        system.constraint_jacobian(t, &state.configuration, jacobian);
        system.jacobian_transpose_times(jacobian, &state.multipliers, reaction);
        force.axpy(-<M::Scalar as num_traits::One>::one(), reaction);
    }
    system.solve_mass(mass, force, &mut state.acceleration);
    if state.acceleration.all_finite() { Ok(()) } else { Err(StepError::not_finite(system, state, h)) }
}

/// v' and λ of the index-1 system M v' + Bᵀ λ = −g, B v' = −curvature, where the mass matrix has been factorised; both are of
/// the order of q and v. True if there are constraints. Leaves B in `jacobian`.
///
/// # Errors
/// [`SaddleError`] if the constraints depend on one another.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // Two unknowns, and buffers.
pub(crate) fn index_one<M: MechanicalSystem + ?Sized>(
    system: &M,
    (t, q, v): (M::Scalar, &M::Configuration, &M::Velocity),
    mass: &mut M::Mass,
    jacobian: &mut M::Jacobian,
    force: &mut M::Velocity,
    curvature: &mut M::Multipliers,
    acceleration: &mut M::Velocity,
    multipliers: &mut M::Multipliers,
) -> Result<bool, SaddleError> {
    system.force(t, q, v, force);
    if system.constraint_rows() == 0 {
        system.solve_mass(mass, force, acceleration);
        return Ok(false);
    }
    system.constraint_jacobian(t, q, jacobian);
    system.constraint_curvature(t, q, v, curvature);
    curvature.scale(-<M::Scalar as num_traits::One>::one());
    system.solve_saddle(mass, jacobian, jacobian, force, curvature, acceleration, multipliers)?;
    Ok(true)
}
