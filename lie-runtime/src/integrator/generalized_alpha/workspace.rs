//! The buffers of a step.

use crate::integrator::State;
use crate::system::{IterationCorrection, IterationResidual, Linearised};

/// Residuals of the last step that are kept for inspection.
pub(super) const LOGGED: usize = 32;

/// The buffers of a step, for one system with fixed parameters; allocated once.
pub struct Workspace<M: Linearised> {
    pub(super) newton: Iteration<M>,
    /// The states between the parts of a step.
    pub(super) parts: [State<M>; 2],
}

/// Local coordinates and their rates.
pub(super) struct Local<V> {
    /// x.
    pub x: V,
    /// x'.
    pub rate: V,
    /// x''.
    pub second: V,
}

/// What one attempt at a step needs.
pub(super) struct Iteration<M: Linearised> {
    /// v_n, at the start changed by O(h²).
    pub velocity: M::Velocity,
    /// a_n.
    pub acceleration: M::Velocity,
    /// a_{n+1}.
    pub next_acceleration: M::Velocity,
    /// h Δq_n, or θ with exp(θ) = μ(x).
    pub theta: M::Velocity,
    /// The unknowns of an updated Lagrangian step.
    pub local: Local<M::Velocity>,
    pub residual: IterationResidual<M>,
    pub correction: IterationCorrection<M>,
    /// B(q_{n+1}).
    pub jacobian: M::Jacobian,
    /// B(q_n) of the stabilised formulation.
    pub start_jacobian: M::Jacobian,
    pub drift: M::Multipliers,
    pub reaction: M::Velocity,
    pub factorisation: M::Factorisation,
    /// The h of the factors at hand.
    pub factorised_for: Option<f64>,
    pub mass: M::Mass,
    /// A state near the initial one.
    pub probe: State<M>,
    pub steps: u64,
    pub iterations: u64,
    pub factorisations: u64,
    /// Linear systems besides those of the iterations.
    pub other_solves: u64,
    pub log: [[f64; 2]; LOGGED],
    pub logged: usize,
}

impl<M: Linearised> Workspace<M> {
    /// Allocates the buffers; `state` tells the lengths of chains.
    pub(super) fn of(system: &M, state: &State<M>) -> Self {
        let velocity = || system.zero_velocity();
        Workspace {
            newton: Iteration {
                velocity: velocity(),
                acceleration: velocity(),
                next_acceleration: velocity(),
                theta: velocity(),
                local: Local { x: velocity(), rate: velocity(), second: velocity() },
                residual: IterationResidual::zero(system),
                correction: IterationCorrection::zero(system),
                jacobian: system.zero_jacobian(),
                start_jacobian: system.zero_jacobian(),
                drift: system.zero_multipliers(),
                reaction: velocity(),
                factorisation: system.zero_factorisation(),
                factorised_for: None,
                mass: system.zero_mass(),
                probe: state.clone(),
                steps: 0,
                iterations: 0,
                factorisations: 0,
                other_solves: 0,
                log: [[0.0; 2]; LOGGED],
                logged: 0,
            },
            parts: [state.clone(), state.clone()],
        }
    }

    /// The residuals (h² ‖r‖, and the constraints' in the units of θ) that the iterations of the last step began with
    /// and the one it ended with; the first 32.
    pub fn residuals(&self) -> &[[f64; 2]] {
        &self.newton.log[..self.newton.logged]
    }

    /// How many iteration matrices have been factorised.
    pub fn factorisations(&self) -> u64 {
        self.newton.factorisations
    }
}
