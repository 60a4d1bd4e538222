//! The buffers of a step.

use super::MAX_STAGES;
use crate::integrator::State;
use crate::system::MechanicalSystem;

/// The buffers of a step, for one system with fixed parameters; allocated once.
pub struct Workspace<M: MechanicalSystem> {
    /// Θ̇_1 … Θ̇_s̄.
    pub(super) theta_rates: [M::Velocity; MAX_STAGES],
    /// V̇_1 … V̇_s̄.
    pub(super) accelerations: [M::Velocity; MAX_STAGES],
    /// Stages i and i + 1, in turn.
    pub(super) stages: [Stage<M>; 2],
    /// −g, at a step's start −g − Bᵀ λ.
    pub(super) force: M::Velocity,
    /// Bᵀ λ, and what else a stage forms for a moment.
    pub(super) reaction: M::Velocity,
    pub(super) mass: M::Mass,
    pub(super) mass_is_factorised: bool,
    pub(super) drift: M::Multipliers,
    pub(super) residual: M::Multipliers,
    /// Λ_i.
    pub(super) multipliers: M::Multipliers,
    pub(super) linear_solves: u64,
}

/// What belongs to one stage.
pub(super) struct Stage<M: MechanicalSystem> {
    /// Θ_i.
    pub theta: M::Velocity,
    /// Q_i.
    pub configuration: M::Configuration,
    /// V_i.
    pub velocity: M::Velocity,
    /// B(t_i, Q_i).
    pub jacobian: M::Jacobian,
}

impl<M: MechanicalSystem> Workspace<M> {
    /// Allocates the buffers; `state` tells the lengths of chains.
    pub(super) fn of(system: &M, state: &State<M>) -> Self {
        let velocities = || core::array::from_fn(|_| system.zero_velocity());
        let stage = || Stage {
            theta: system.zero_velocity(),
            configuration: state.configuration.clone(),
            velocity: system.zero_velocity(),
            jacobian: system.zero_jacobian(),
        };
        Workspace {
            theta_rates: velocities(),
            accelerations: velocities(),
            stages: [stage(), stage()],
            force: system.zero_velocity(),
            reaction: system.zero_velocity(),
            mass: system.zero_mass(),
            mass_is_factorised: false,
            drift: system.zero_multipliers(),
            residual: system.zero_multipliers(),
            multipliers: system.zero_multipliers(),
            linear_solves: 0,
        }
    }
}
