//! Accelerations of a state with its multipliers.

use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::system::{Evaluation, MassFactorisation, MechanicalSystem};

use super::{State, StepError};

/// Computes v' = M⁻¹(−g − Bᵀ λ) of a state with its λ. Error messages report `h`, the step that led to the state.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn from_multipliers<M: MechanicalSystem>(
    system: &M,
    state: &mut State<M>,
    h: f64,
    inertia: &mut MassFactorisation<M>,
    here: &mut Evaluation<M>,
    reaction: &mut M::Velocity,
) -> Result<(), StepError> {
    let t = M::Scalar::from_f64(state.time);
    let (at, acceleration) = ((t, &state.configuration, &state.velocity), &mut state.acceleration);
    if let Err(error) = here.accelerations_under(system, at, inertia, &state.multipliers, reaction, acceleration) {
        return Err(StepError::of_kkt(error, system, state, h));
    }
    if state.acceleration.all_finite() { Ok(()) } else { Err(StepError::not_finite(system, state, h)) }
}
