//! The buffers of a step.

use crate::system::{IterationCorrection, IterationResidual, Linearised};

/// The buffers of a step, for one system with fixed parameters; allocated once.
pub struct Workspace<M: Linearised> {
    /// θ.
    pub(super) theta: M::Velocity,
    /// −θ, then Δ.
    pub(super) other: M::Velocity,
    /// h M v_n + (h²/2) F_n, then T(θ)⁻ᵀ M Δ.
    pub(super) momentum: M::Velocity,
    /// M v and M θ.
    pub(super) product: M::Velocity,
    pub(super) force: M::Velocity,
    pub(super) previous_force: M::Velocity,
    pub(super) reaction: M::Velocity,
    /// (h²/2) λ⁺, then (h/2) λ⁻.
    pub(super) impulse: M::Multipliers,
    pub(super) drift: M::Multipliers,
    pub(super) rate: M::Multipliers,
    /// B(q_n).
    pub(super) start_jacobian: M::Jacobian,
    /// B(q_{n+1}).
    pub(super) jacobian: M::Jacobian,
    pub(super) residual: IterationResidual<M>,
    pub(super) correction: IterationCorrection<M>,
    pub(super) factorisation: M::Factorisation,
    pub(super) mass: M::Mass,
    pub(super) mass_is_factorised: bool,
    pub(super) steps: u64,
    pub(super) iterations: u64,
    pub(super) solves: u64,
}

impl<M: Linearised> Workspace<M> {
    /// Allocates the buffers.
    pub(super) fn of(system: &M) -> Self {
        let (velocity, multipliers) = (|| system.zero_velocity(), || system.zero_multipliers());
        Workspace {
            theta: velocity(),
            other: velocity(),
            momentum: velocity(),
            product: velocity(),
            force: velocity(),
            previous_force: velocity(),
            reaction: velocity(),
            impulse: multipliers(),
            drift: multipliers(),
            rate: multipliers(),
            start_jacobian: system.zero_jacobian(),
            jacobian: system.zero_jacobian(),
            residual: IterationResidual::zero(system),
            correction: IterationCorrection::zero(system),
            factorisation: system.zero_factorisation(),
            mass: system.zero_mass(),
            mass_is_factorised: false,
            steps: 0,
            iterations: 0,
            solves: 0,
        }
    }
}
