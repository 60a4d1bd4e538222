//! Whether the stages of a step belong together.

use crate::group::TangentVector;
use crate::scalar::{Mask, Scalar};
use crate::system::MechanicalSystem;

/// Reactions of constraints that may be redundant may change by that part of the largest one within a step.
const GRADUAL: f64 = 0.5;
/// Reactions under this part of the forces are round-off.
const ROUND_OFF: f64 = 1e-6;

/// False if the multipliers of a stage are not those of the start of its step, in the reactions Bᵀ λ that they cause at the stage.
///
/// Where constraints lose rank for a moment, λ of the direction that is lost has a pole, 1 / σ. Stages on different sides of it, or
/// near to it, do not belong together, and what they say about one another is amplified by the quotient of their σ. Multipliers themselves do
/// not tell: of rows that are redundant wherever the constraints hold, a stage, which is off them, knows next to nothing.
/// Simulations look ahead and come here rarely; who makes steps without one is told.
#[inline(never)]
pub(crate) fn is_gradual<M: MechanicalSystem>(
    system: &M,
    here: &M::Jacobian,
    [before, now]: [&M::Multipliers; 2],
    force: &M::Velocity,
    (change, reaction): (&mut M::Multipliers, &mut M::Velocity),
) -> bool {
    let mut reaction_to = |multipliers: &M::Multipliers| {
        system.jacobian_transpose_times(here, multipliers, reaction);
        reaction.lane_norm()
    };
    let round_off = M::Scalar::from_f64(ROUND_OFF) * force.lane_norm();
    let size = round_off.max(reaction_to(before)).max(reaction_to(now));
    change.assign(now);
    change.axpy(M::Scalar::from_f64(-1.0), before);
    reaction_to(change).le(M::Scalar::from_f64(GRADUAL) * size).all()
}
