//! The buffers of a step.

use num_traits::One;

use super::{GeneralizedAlphaOptions, NewtonUpdate};
use crate::integrator::implicit::{ImplicitStage, MatrixUpdate};
use crate::integrator::{Integrator, State, TrBdf2, tr_bdf2};
use crate::scalar::{Mask, Scalar};
use crate::system::{Evaluation, Linearised, MassFactorisation};

/// The buffers of a step, for one system with fixed parameters; allocated once.
#[doc(hidden)]
pub struct GeneralizedAlphaWorkspace<M: Linearised> {
    pub(crate) attempt: Attempt<M>,
    /// The states between the parts of a step.
    pub(super) parts: [State<M>; 2],
}

/// The buffers of one attempt of a step.
pub(crate) struct Attempt<M: Linearised> {
    /// v_n, at the start changed by O(h²).
    pub velocity: M::Velocity,
    /// a_n.
    pub acceleration: M::Velocity,
    /// The δ of least norm with B δ = B v + b for this v_n, in holonomic rows, if known.
    pub normal: M::Velocity,
    pub normal_is_known: bool,
    /// The lanes with an excited fast damped motion at the start of a run.
    pub excited: <M::Scalar as Scalar>::Mask,
    /// The factor of v'' in a start: 0 in lanes with a motion that the step does not resolve, 1 in other lanes.
    pub resolved: M::Scalar,
    /// The buffers of first steps with an excited fast damped motion; `None` before the first of them.
    pub damped: Option<Box<DampedStartWorkspace<M>>>,
    /// a_{n+1} and scratch space before and after the step.
    pub next_acceleration: M::Velocity,
    /// The end of the step.
    pub stage: ImplicitStage<M>,
    pub inertia: MassFactorisation<M>,
    /// A state close to the initial state.
    pub probe: State<M>,
    /// B and −g in the probe or in the initial state.
    pub at_probe: Evaluation<M>,
    pub steps: u64,
    /// The number of linear systems outside the iterations.
    pub other_solves: u64,
}

/// The buffers of a first step with an excited fast damped motion.
pub(crate) struct DampedStartWorkspace<M: Linearised> {
    pub(super) workspace: tr_bdf2::TrBdf2Workspace<M>,
    /// The ends of the last two parts, the last one first.
    pub(super) states: [State<M>; 2],
    /// The end of the step, if other lanes make an ordinary step.
    pub(super) end: State<M>,
}

impl<M: Linearised> DampedStartWorkspace<M> {
    pub(super) fn of(system: &M, state: &State<M>, method: &TrBdf2) -> Self {
        let states = [state.clone(), state.clone()];
        DampedStartWorkspace { workspace: method.workspace(system, state), states, end: state.clone() }
    }
}

impl<M: Linearised> GeneralizedAlphaWorkspace<M> {
    /// Allocates the buffers; `state` provides the lengths of chains.
    pub(super) fn of(system: &M, state: &State<M>, options: &GeneralizedAlphaOptions) -> Self {
        let velocity = || system.zero_velocity();
        let factors = match options.newton {
            NewtonUpdate::Exact => MatrixUpdate::Exact,
            NewtonUpdate::Simplified => MatrixUpdate::OfTheStep,
            NewtonUpdate::Modified => MatrixUpdate::Kept,
        };
        GeneralizedAlphaWorkspace {
            attempt: Attempt {
                velocity: velocity(),
                acceleration: velocity(),
                normal: velocity(),
                normal_is_known: false,
                excited: Mask::splat(false),
                resolved: M::Scalar::one(),
                damped: None,
                next_acceleration: velocity(),
                stage: ImplicitStage::of(system, options.tolerance, options.maximum_iterations, factors),
                inertia: MassFactorisation::of(system),
                probe: state.clone(),
                at_probe: Evaluation::of(system),
                steps: 0,
                other_solves: 0,
            },
            parts: [state.clone(), state.clone()],
        }
    }

    /// Returns the residuals of the first 16 iterates of the last step: h² ‖r‖, and the constraint residual in the units of θ.
    pub fn residuals(&self) -> &[[f64; 2]] {
        self.attempt.stage.newton.residuals()
    }

    /// Returns the number of factorised iteration matrices.
    pub fn factorisations(&self) -> u64 {
        self.attempt.stage.newton.factorisations
    }
}
