//! The buffers of a step.

use super::TrBdf2Options;
use crate::integrator::State;
use crate::integrator::implicit::{ImplicitStage, MatrixUpdate};
use crate::system::{Evaluation, Linearised, MassFactorisation};

/// The buffers of a step, for one system with fixed parameters; allocated once.
#[doc(hidden)]
pub struct TrBdf2Workspace<M: Linearised> {
    /// v of the stages; the first is v of the state.
    pub(crate) velocities: [M::Velocity; 3],
    /// v' of the stages.
    pub(super) accelerations: [M::Velocity; 3],
    /// B(q_n)ᵀ η of the stages.
    pub(crate) projections: [M::Velocity; 3],
    /// The current stage.
    pub(crate) stage: ImplicitStage<M>,
    /// θ and v of the third stage.
    pub(crate) completed: M::Velocity,
    pub(crate) completed_velocity: M::Velocity,
    pub(super) vector: M::Velocity,
    pub(super) inertia: MassFactorisation<M>,
    /// B and −g at the start of a run and at the end of the third stage.
    pub(super) at_end: Evaluation<M>,
    pub(super) configuration: M::Configuration,
    pub(super) steps: u64,
}

impl<M: Linearised> TrBdf2Workspace<M> {
    pub(super) fn of(system: &M, state: &State<M>, options: &TrBdf2Options) -> Self {
        let velocity = || system.zero_velocity();
        TrBdf2Workspace {
            velocities: [velocity(), velocity(), velocity()],
            accelerations: [velocity(), velocity(), velocity()],
            projections: [velocity(), velocity(), velocity()],
            stage: ImplicitStage::of(system, options.tolerance, options.maximum_iterations, MatrixUpdate::Exact),
            completed: velocity(),
            completed_velocity: velocity(),
            vector: velocity(),
            inertia: MassFactorisation::of(system),
            at_end: Evaluation::of(system),
            configuration: state.configuration.clone(),
            steps: 0,
        }
    }

    /// Returns θ of the last step, unless a third stage replaces it.
    pub(crate) fn increment(&self) -> &M::Velocity {
        &self.stage.buffers.theta
    }

    /// Returns the first 16 corrections of the second stage of the last step, relative to its increment.
    pub fn corrections(&self) -> &[f64] {
        self.stage.newton.corrections()
    }
}
