//! The buffers of a step.

use super::BLieDFOptions;
use super::history::Sums;
use crate::integrator::implicit::{ImplicitStage, MatrixUpdate};
use crate::integrator::{FastestRate, HalfExplicit, Integrator, State};
use crate::integrator::{half_explicit, tr_bdf2};
use crate::system::Linearised;

/// The buffers of a step, for one system with fixed parameters; allocated once.
#[doc(hidden)]
pub struct BLieDFWorkspace<M: Linearised> {
    pub(crate) iteration: Iteration<M>,
    pub(super) sums: Sums<M::Velocity>,
    pub(super) starter: half_explicit::HalfExplicitWorkspace<M>,
    pub(crate) fastest: FastestRate<M>,
    /// The buffers of first steps with stiff motions; `None` before the first of them.
    pub(super) stiff_starter: Option<Box<tr_bdf2::TrBdf2Workspace<M>>>,
    pub(super) parts: [State<M>; 2],
}

/// The data of one step.
pub(crate) struct Iteration<M: Linearised> {
    /// The iterate before a correction.
    pub configuration: M::Configuration,
    /// The end of the step and its θ.
    pub stage: ImplicitStage<M>,
    /// θ*, and scratch space.
    pub extrapolated: M::Velocity,
    /// T(θ*) c.
    pub past: M::Velocity,
    /// c.
    pub sum: M::Velocity,
    /// ψ of a previous state.
    pub coordinates: M::Velocity,
    pub mass: M::Mass,
    pub steps: u64,
}

impl<M: Linearised> BLieDFWorkspace<M> {
    /// Allocates the buffers; `state` provides the lengths of chains.
    pub(super) fn of(system: &M, state: &State<M>, options: &BLieDFOptions) -> Self {
        let velocity = || system.zero_velocity();
        BLieDFWorkspace {
            iteration: Iteration {
                configuration: state.configuration.clone(),
                stage: ImplicitStage::of(system, options.tolerance, options.maximum_iterations, MatrixUpdate::Exact),
                extrapolated: velocity(),
                past: velocity(),
                sum: velocity(),
                coordinates: velocity(),
                mass: system.zero_mass(),
                steps: 0,
            },
            sums: Sums::of(velocity),
            starter: HalfExplicit::hedop5().workspace(system, state),
            fastest: FastestRate::of(system, state),
            stiff_starter: None,
            parts: [state.clone(), state.clone()],
        }
    }
}
