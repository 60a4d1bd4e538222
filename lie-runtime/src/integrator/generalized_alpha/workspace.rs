//! The buffers of a step.

use super::{Newton, Options};
use crate::integrator::State;
use crate::integrator::implicit::{Factors, Stage};
use crate::system::{Evaluation, Linearised, MassFactorisation};

/// The buffers of a step, for one system with fixed parameters; allocated once.
pub struct Workspace<M: Linearised> {
    pub(crate) attempt: Attempt<M>,
    /// The states between the parts of a step.
    pub(super) parts: [State<M>; 2],
}

/// What one attempt at a step needs.
pub(crate) struct Attempt<M: Linearised> {
    /// v_n, at the start changed by O(h²).
    pub velocity: M::Velocity,
    /// a_n.
    pub acceleration: M::Velocity,
    /// The shortest δ with B δ = B v + b of that v_n, in holonomic rows, if it is known.
    pub normal: M::Velocity,
    pub normal_is_known: bool,
    /// a_{n+1}, and other vectors before and after the step.
    pub next_acceleration: M::Velocity,
    /// The end of the step.
    pub stage: Stage<M>,
    pub inertia: MassFactorisation<M>,
    /// A state near the initial one.
    pub probe: State<M>,
    /// B and −g there, or in the initial one.
    pub at_probe: Evaluation<M>,
    pub steps: u64,
    /// Linear systems besides those of the iterations.
    pub other_solves: u64,
}

impl<M: Linearised> Workspace<M> {
    /// Allocates the buffers; `state` tells the lengths of chains.
    pub(super) fn of(system: &M, state: &State<M>, options: &Options) -> Self {
        let velocity = || system.zero_velocity();
        let factors = match options.newton {
            Newton::Exact => Factors::Exact,
            Newton::Simplified => Factors::OfTheStep,
            Newton::Modified => Factors::Kept,
        };
        Workspace {
            attempt: Attempt {
                velocity: velocity(),
                acceleration: velocity(),
                normal: velocity(),
                normal_is_known: false,
                next_acceleration: velocity(),
                stage: Stage::of(system, options.tolerance, options.maximum_iterations, factors),
                inertia: MassFactorisation::of(system),
                probe: state.clone(),
                at_probe: Evaluation::of(system),
                steps: 0,
                other_solves: 0,
            },
            parts: [state.clone(), state.clone()],
        }
    }

    /// The residuals (h² ‖r‖, and the constraints' in the units of θ) that the iterates of the last step were found to have;
    /// the first 16.
    pub fn residuals(&self) -> &[[f64; 2]] {
        self.attempt.stage.newton.residuals()
    }

    /// How many iteration matrices have been factorised.
    pub fn factorisations(&self) -> u64 {
        self.attempt.stage.newton.factorisations
    }
}
