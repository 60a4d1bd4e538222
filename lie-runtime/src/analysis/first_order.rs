//! The split of a velocity of a system with auxiliary states into mechanical and first-order components.
//!
//! The states z are the last components of a velocity (v, z). Their coordinates have no meaning, and no function depends on them. The
//! unknowns of statics are (q, z) at v = 0, and the deviations of a motion are (η, δv, δz).

use core::ops::Range;

use crate::group::TangentVector;
use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// Returns the components of the auxiliary states in a velocity; an empty range after the last component without states.
pub(super) fn state_components<M: MechanicalSystem>(system: &M) -> Range<usize> {
    let dof = system.dof();
    dof - system.description().states..dof
}

/// Returns the largest mechanical component of a velocity.
pub(super) fn mechanical_speed<M: MechanicalSystem<Scalar = f64>>(system: &M, v: &M::Velocity) -> f64 {
    (0..state_components(system).start).fold(0.0, |most: f64, at| most.max(v.component(at).abs()))
}

/// Sets the auxiliary states in `v` to the states of another velocity.
pub(super) fn set_states<M: MechanicalSystem<Scalar = f64>>(system: &M, from: &M::Velocity, v: &mut M::Velocity) {
    for at in state_components(system) {
        v.set_component(at, from.component(at));
    }
}

/// Sets the components of the auxiliary states to zero.
pub(super) fn clear_states<M: MechanicalSystem<Scalar = f64>>(system: &M, vector: &mut M::Velocity) {
    for at in state_components(system) {
        vector.set_component(at, 0.0);
    }
}

/// Adds a displacement (y, δz): writes q ∘ exp(y) to `moved`, and adds δz to the states in `v`.
pub(super) fn displace<M: MechanicalSystem<Scalar = f64>>(
    system: &M,
    (q, v): (&M::Configuration, &mut M::Velocity),
    displacement: &M::Velocity,
    moved: &mut M::Configuration,
) {
    let mut mechanical = displacement.clone();
    clear_states(system, &mut mechanical);
    for at in state_components(system) {
        v.set_component(at, v.component(at) + displacement.component(at));
    }
    system.space().compose_exp(q, &mechanical, moved);
}

/// Returns the largest component of a displacement (y, δz) of (q, z), with δz relative to 1 + |z|.
pub(super) fn displacement_size<M: MechanicalSystem<Scalar = f64>>(
    system: &M,
    v: &M::Velocity,
    displacement: &M::Velocity,
) -> f64 {
    let states = state_components(system).map(|at| displacement.component(at).abs() / (1.0 + v.component(at).abs()));
    let mechanical = (0..state_components(system).start).map(|at| displacement.component(at).abs());
    mechanical.chain(states).fold(0.0, crate::scalar::larger)
}

/// Returns true for the name of auxiliary states in a description: a state, or the states of all elements of a chain.
pub(super) fn is_of_states(member: &str) -> bool {
    member == "states" || member.starts_with("states.") || member.starts_with("states[")
}
