//! The buffers of a step.

use super::MAX_STAGES;
use crate::integrator::State;
use crate::system::{Evaluation, MassFactorisation, MechanicalSystem};

/// The buffers of a step, for one system with fixed parameters; allocated once.
#[doc(hidden)]
pub struct HalfExplicitWorkspace<M: MechanicalSystem> {
    pub(super) kept: SharedStageValues<M>,
    pub(super) stage: HalfExplicitStage<M>,
}

/// The values that all stages use.
pub(super) struct SharedStageValues<M: MechanicalSystem> {
    /// Θ̇_1 … Θ̇_s̄.
    pub theta_rates: [M::Velocity; MAX_STAGES],
    /// V̇_1 … V̇_s̄.
    pub accelerations: [M::Velocity; MAX_STAGES],
    /// Λ_1 … Λ_s̄.
    pub multipliers: [M::Multipliers; MAX_STAGES],
    pub inertia: MassFactorisation<M>,
    pub linear_solves: u64,
}

/// The values that one stage passes to the next, and scratch space.
pub(super) struct HalfExplicitStage<M: MechanicalSystem> {
    /// Θ_i.
    pub theta: M::Velocity,
    /// Q_i.
    pub configuration: M::Configuration,
    /// V_i.
    pub velocity: M::Velocity,
    /// Θ̇_i.
    pub rate: M::Velocity,
    /// V̇_i.
    pub acceleration: M::Velocity,
    /// B and −g at (t_i, Q_i, V_i); −g − Bᵀ λ at the start of a step.
    pub here: Evaluation<M>,
    /// B at (t_{i+1}, Q_{i+1}) and the common parts of −g.
    pub there: Evaluation<M>,
    /// Bᵀ λ.
    pub reaction: M::Velocity,
    pub drift: M::Multipliers,
    /// Λ_i.
    pub multipliers: M::Multipliers,
}

impl<M: MechanicalSystem> Clone for HalfExplicitStage<M> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clone(&self) -> Self {
        HalfExplicitStage {
            theta: self.theta.clone(),
            configuration: self.configuration.clone(),
            velocity: self.velocity.clone(),
            rate: self.rate.clone(),
            acceleration: self.acceleration.clone(),
            here: self.here.clone(),
            there: self.there.clone(),
            reaction: self.reaction.clone(),
            drift: self.drift.clone(),
            multipliers: self.multipliers.clone(),
        }
    }
}

impl<M: MechanicalSystem> HalfExplicitWorkspace<M> {
    /// Returns V̇ and Λ of the first stages of the last step; the values of stage 1 are in the state.
    pub(crate) fn stages(&self, count: usize) -> (&[M::Velocity], &[M::Multipliers]) {
        (&self.kept.accelerations[1..count], &self.kept.multipliers[1..count])
    }

    /// Allocates the buffers; `state` provides the lengths of chains.
    pub(super) fn of(system: &M, state: &State<M>) -> Self {
        let velocities = || core::array::from_fn(|_| system.zero_velocity());
        HalfExplicitWorkspace {
            kept: SharedStageValues {
                theta_rates: velocities(),
                accelerations: velocities(),
                multipliers: core::array::from_fn(|_| system.zero_multipliers()),
                inertia: MassFactorisation::of(system),
                linear_solves: 0,
            },
            stage: HalfExplicitStage {
                theta: system.zero_velocity(),
                configuration: state.configuration.clone(),
                velocity: system.zero_velocity(),
                rate: system.zero_velocity(),
                acceleration: system.zero_velocity(),
                here: Evaluation::of(system),
                there: Evaluation::of(system),
                reaction: system.zero_velocity(),
                drift: system.zero_multipliers(),
                multipliers: system.zero_multipliers(),
            },
        }
    }
}
