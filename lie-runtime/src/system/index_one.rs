//! Accelerations and multipliers of a state.

use super::{MechanicalSystem, SaddleError};
use crate::group::TangentVector;

/// v' and λ of the index-1 system M v' + Bᵀ λ = −g, B v' = −curvature; both are of the order of q and v. True if there are constraints.
/// Leaves M factorised, which it may be before, as what is constant is after the first time, and B in `jacobian`.
///
/// # Errors
/// [`SaddleError`] if M is not definite or the constraints depend on one another.
#[cfg_attr(not(debug_assertions), inline(always))]
#[allow(clippy::too_many_arguments)] // Two unknowns, and buffers.
pub(crate) fn index_one<M: MechanicalSystem + ?Sized>(
    system: &M,
    (t, q, v): (M::Scalar, &M::Configuration, &M::Velocity),
    (mass, is_factorised): (&mut M::Mass, &mut bool),
    jacobian: &mut M::Jacobian,
    force: &mut M::Velocity,
    curvature: &mut M::Multipliers,
    acceleration: &mut M::Velocity,
    multipliers: &mut M::Multipliers,
) -> Result<bool, SaddleError> {
    let is_constrained = system.constraint_rows() > 0;
    match (is_constrained, *is_factorised) {
        (false, true) => {
            system.force(t, q, v, force);
            system.solve_mass(mass, force, acceleration);
        }
        (false, false) => system.accelerate(t, q, v, mass, force, acceleration)?,
        (true, is_factorised) => {
            system.jacobian_and_force(t, q, jacobian, Some(force));
            if is_factorised {
                system.complete_force(t, q, v, force);
            } else {
                system.mass_and_force(t, q, v, mass, force)?;
            }
        }
    }
    *is_factorised = system.description().mass_is_constant;
    if !is_constrained {
        return Ok(false);
    }
    system.constraint_curvature(t, q, v, curvature);
    curvature.scale(-<M::Scalar as num_traits::One>::one());
    system.solve_saddle(mass, jacobian, jacobian, force, curvature, acceleration, multipliers)?;
    Ok(true)
}
