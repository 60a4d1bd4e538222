//! The laws of contacts, stops and dry friction in the states of analyses.

use crate::group::TangentVector;
use crate::integrator::State;
use crate::space::ConfigurationSpace;
use crate::system::{LawViolation, Linearised, MechanicalSystem};

/// The tolerance of reactions, relative to the largest force.
const NEGLIGIBLE: f64 = 1e-9;
/// The round-off of a configuration in units of its extent, which changes the forces of stiff springs.
const ROUND_OFF: f64 = 1e-14;

/// Returns the first law that a state in the balance M v' + g + Bᵀ λ = 0 violates.
pub(super) fn law_violation<M: Linearised<Scalar = f64>>(system: &M, state: &State<M>) -> Option<LawViolation> {
    // Without a violation at the exact limits, the round-off is not needed.
    first(system, state, 0.0)?;
    let State { time, configuration: q, velocity: v, acceleration, multipliers, .. } = state;
    let (mut residual, mut change, mut matrix) = (system.zero_velocity(), system.zero_velocity(), system.zero_matrix());
    system.residual(*time, q, v, acceleration, multipliers, &mut residual);
    system.tangent_stiffness(*time, q, v, acceleration, multipliers, &mut matrix);
    let (mut displacement, extent) = (system.zero_velocity(), system.space().extent(q));
    for component in 0..displacement.component_count() {
        // The displacements differ, because a uniform displacement can have no effect.
        displacement.set_component(component, extent * [1.0, -0.7, 0.4][component % 3]);
    }
    system.matrix_times(&matrix, &displacement, &mut change);
    let round_off = 10.0 * residual.max_norm() + ROUND_OFF * change.max_norm();
    first(system, state, NEGLIGIBLE * largest_force(system, state) + round_off)
}

/// Returns the first law that a state of a motion violates.
pub(super) fn law_violation_in_motion<M: MechanicalSystem<Scalar = f64>>(
    system: &M,
    state: &State<M>,
) -> Option<LawViolation> {
    first(system, state, 0.0)?;
    first(system, state, NEGLIGIBLE * largest_force(system, state))
}

/// Returns the largest component of the applied forces and of the reactions.
fn largest_force<M: MechanicalSystem<Scalar = f64>>(system: &M, state: &State<M>) -> f64 {
    let State { time, configuration: q, velocity: v, multipliers, .. } = state;
    let (mut applied, mut reactions, mut jacobian) =
        (system.zero_velocity(), system.zero_velocity(), system.zero_jacobian());
    system.force(*time, q, v, &mut applied);
    system.constraint_jacobian(*time, q, &mut jacobian);
    system.jacobian_transpose_times(&jacobian, multipliers, &mut reactions);
    applied.max_norm().max(reactions.max_norm())
}

/// Returns the first law that a state violates, with forces up to `round_off` as zero.
fn first<M: MechanicalSystem<Scalar = f64>>(system: &M, state: &State<M>, round_off: f64) -> Option<LawViolation> {
    let State { time, configuration, velocity, multipliers, .. } = state;
    system.law_violation(*time, configuration, velocity, multipliers, round_off)
}
