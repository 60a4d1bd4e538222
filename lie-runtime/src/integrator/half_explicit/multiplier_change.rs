//! The change of the multipliers within a step.

use crate::group::TangentVector;
use crate::scalar::{Mask, Scalar};
use crate::system::MechanicalSystem;

/// The largest relative change, within a step, of the reactions of constraints that may be redundant.
const GRADUAL: f64 = 0.5;
/// Reactions below this fraction of the forces are round-off.
const ROUND_OFF: f64 = 1e-6;

/// Returns false if the reactions Bᵀ λ at a stage differ too much between the multipliers of the stage and of the start of the step.
///
/// At a singular configuration the multiplier of the lost direction has a pole, 1 / σ. Stages on different sides of the pole, or close to
/// it, are inconsistent: errors are multiplied by the ratio of their σ. The test uses reactions, because the multipliers of redundant rows
/// are ill-conditioned at a stage that does not lie on the constraint manifold. Simulations detect singular configurations in advance, so
/// that this test seldom fails; it reports the fault in steps without a simulation.
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
