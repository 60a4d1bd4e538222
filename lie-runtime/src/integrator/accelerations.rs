//! The linear systems that give a state its accelerations, in buffers of the caller.

use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::system::MechanicalSystem;
pub(crate) use crate::system::index_one::index_one;

use super::{State, StepError};

/// v' = M⁻¹(−g − Bᵀ λ) of a state with its λ, where the mass matrix has been factorised; `h`, the step that led to the state,
/// is for messages.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn from_multipliers<M: MechanicalSystem>(
    system: &M,
    state: &mut State<M>,
    h: f64,
    mass: &mut M::Mass,
    jacobian: &mut M::Jacobian,
    [force, reaction]: [&mut M::Velocity; 2],
) -> Result<(), StepError> {
    let t = M::Scalar::from_f64(state.time);
    let (q, v) = (&state.configuration, &state.velocity);
    if system.constraint_rows() == 0 {
        system.force(t, q, v, force);
    } else {
        system.jacobian_and_force(t, q, jacobian, Some(force));
        system.complete_force(t, q, v, force);
        system.jacobian_transpose_times(jacobian, &state.multipliers, reaction);
        force.axpy(-<M::Scalar as num_traits::One>::one(), reaction);
    }
    system.solve_mass(mass, force, &mut state.acceleration);
    if state.acceleration.all_finite() { Ok(()) } else { Err(StepError::not_finite(system, state, h)) }
}
