//! The buffers of a step.

use super::past::Sums;
use crate::integrator::half_explicit;
use crate::integrator::{HalfExplicit, Integrator, State};
use crate::system::{IterationCorrection, IterationResidual, Linearised};

/// The buffers of a step, for one system with fixed parameters; allocated once.
pub struct Workspace<M: Linearised> {
    pub(super) iteration: Iteration<M>,
    pub(super) sums: Sums<M::Velocity>,
    pub(super) starter: half_explicit::Workspace<M>,
    pub(super) parts: [State<M>; 2],
}

/// What Newton's iteration needs.
pub(super) struct Iteration<M: Linearised> {
    /// What a correction starts from.
    pub configuration: M::Configuration,
    /// θ.
    pub theta: M::Velocity,
    /// θ*, and other vectors for a moment.
    pub extrapolated: M::Velocity,
    /// T(θ*) c.
    pub past: M::Velocity,
    /// c.
    pub sum: M::Velocity,
    /// ψ of a state behind.
    pub coordinates: M::Velocity,
    pub residual: IterationResidual<M>,
    pub correction: IterationCorrection<M>,
    pub jacobian: M::Jacobian,
    /// B(q_n) of the stabilised formulation.
    pub start_jacobian: M::Jacobian,
    pub drift: M::Multipliers,
    pub reaction: M::Velocity,
    pub factorisation: M::Factorisation,
    pub mass: M::Mass,
    pub steps: u64,
    pub iterations: u64,
}

impl<M: Linearised> Workspace<M> {
    /// Allocates the buffers; `state` tells the lengths of chains.
    pub(super) fn of(system: &M, state: &State<M>) -> Self {
        let velocity = || system.zero_velocity();
        Workspace {
            iteration: Iteration {
                configuration: state.configuration.clone(),
                theta: velocity(),
                extrapolated: velocity(),
                past: velocity(),
                sum: velocity(),
                coordinates: velocity(),
                residual: IterationResidual::zero(system),
                correction: IterationCorrection::zero(system),
                jacobian: system.zero_jacobian(),
                start_jacobian: system.zero_jacobian(),
                drift: system.zero_multipliers(),
                reaction: velocity(),
                factorisation: system.zero_factorisation(),
                mass: system.zero_mass(),
                steps: 0,
                iterations: 0,
            },
            sums: Sums::of(velocity),
            starter: HalfExplicit::hedop5().workspace(system, state),
            parts: [state.clone(), state.clone()],
        }
    }
}
