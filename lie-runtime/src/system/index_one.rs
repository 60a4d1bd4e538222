//! Accelerations and multipliers of a state.

use super::{MechanicalSystem, SaddleError};
use crate::group::TangentVector;

/// v' and λ of the index-1 system M v' + Bᵀ λ = −g, B v' = −curvature, where the mass matrix has been factorised; both are of
/// the order of q and v. True if there are constraints. Leaves B in `jacobian`.
///
/// # Errors
/// [`SaddleError`] if the constraints depend on one another.
#[cfg_attr(not(debug_assertions), inline(always))]
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
    if system.constraint_rows() == 0 {
        system.force(t, q, v, force);
        system.solve_mass(mass, force, acceleration);
        return Ok(false);
    }
    system.jacobian_and_force(t, q, jacobian, Some(force));
    system.complete_force(t, q, v, force);
    system.constraint_curvature(t, q, v, curvature);
    curvature.scale(-<M::Scalar as num_traits::One>::one());
    system.solve_saddle(mass, jacobian, jacobian, force, curvature, acceleration, multipliers)?;
    Ok(true)
}
