//! The buffers of a step.

use super::Options;
use crate::integrator::State;
use crate::integrator::newton::Newton;
use crate::system::{IterationCorrection, IterationResidual, Linearised};

/// The buffers of a step, for one system with fixed parameters; allocated once.
pub struct Workspace<M: Linearised> {
    /// v of the stages; the first is that of the state.
    pub(super) velocities: [M::Velocity; 3],
    /// v' of the stages.
    pub(super) accelerations: [M::Velocity; 3],
    /// B(q_n)ᵀ η of the stages.
    pub(super) projections: [M::Velocity; 3],
    /// θ of the stage.
    pub(super) theta: M::Velocity,
    /// θ and v of the third stage.
    pub(super) completed: M::Velocity,
    pub(super) completed_velocity: M::Velocity,
    pub(super) residual: IterationResidual<M>,
    pub(super) correction: IterationCorrection<M>,
    pub(super) jacobian: M::Jacobian,
    /// B(q_n).
    pub(super) start_jacobian: M::Jacobian,
    pub(super) drift: M::Multipliers,
    pub(super) vector: M::Velocity,
    pub(super) factorisation: M::Factorisation,
    pub(super) mass: M::Mass,
    pub(super) configuration: M::Configuration,
    pub(super) newton: Newton,
    pub(super) steps: u64,
}

impl<M: Linearised> Workspace<M> {
    pub(super) fn of(system: &M, state: &State<M>, options: &Options) -> Self {
        let velocity = || system.zero_velocity();
        Workspace {
            velocities: [velocity(), velocity(), velocity()],
            accelerations: [velocity(), velocity(), velocity()],
            projections: [velocity(), velocity(), velocity()],
            theta: velocity(),
            completed: velocity(),
            completed_velocity: velocity(),
            residual: IterationResidual::zero(system),
            correction: IterationCorrection::zero(system),
            jacobian: system.zero_jacobian(),
            start_jacobian: system.zero_jacobian(),
            drift: system.zero_multipliers(),
            vector: velocity(),
            factorisation: system.zero_factorisation(),
            mass: system.zero_mass(),
            configuration: state.configuration.clone(),
            newton: Newton::new::<M::Scalar>(options.tolerance, options.maximum_iterations),
            steps: 0,
        }
    }

    /// The corrections of the second stage of the last step, relative to its increment; the first 16.
    pub fn corrections(&self) -> &[f64] {
        self.newton.corrections()
    }
}
