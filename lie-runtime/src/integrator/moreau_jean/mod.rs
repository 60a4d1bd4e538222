//! Moreau-Jean time stepping on Lie groups (Moreau 1988, Jean 1999): contacts, joint stops and dry friction in steps of fixed size.
//!
//! Moreau's midpoint rule moves the configuration with the velocity of the start for half a step, and with the velocity of the end for the
//! other half. The forces and the gaps g are evaluated between them:
//!
//! ```text
//! q_m     = q_k exp(h/2 v_k),                                     t_m = t_k + h/2,
//! M(q_m) (v_{k+1} − v_k) = h f(t_m, q_m, v_k) + B(q_m)ᵀ p,        p = −h λ,
//! q_{k+1} = q_m exp(h/2 v_{k+1}).
//! ```
//!
//! The impulses p of all rows follow from one problem. The rate of a row is u = B v + b, with u⁻ at v_k and u⁺ at v_{k+1}:
//!
//! ```text
//! bilateral constraint:       u⁺ = 0,
//! contact with g(q_m) ≤ 0:    0 ≤ p ⟂ u⁺ + e u⁻ ≥ 0                  (Newton's impact law),
//! friction of a contact:      |p| ≤ μ pₙ,  u⁺ = 0 or p = −μ pₙ sign u⁺,
//! friction of a joint:        |p| ≤ h τ,   u⁺ = 0 or p = −h τ sign u⁺.
//! ```
//!
//! The Stribeck law evaluates τ at the velocity u⁻ at the start of the step.
//!
//! The bilateral constraints are eliminated with the KKT system. The problem of the other rows has the Delassus matrix of the contacts with
//! g(q_m) ≤ 0. At the end of the step, q_{k+1} and v_{k+1} are projected onto the bilateral constraints, in the metric of M.
//!
//! The order is 1: the time of an impact has an error of up to one step, and f is evaluated at v_k. Contacts are satisfied at the level of
//! velocities, so that a gap can be as negative as −h |u|, and a negative gap remains. λ of a state is the mean over the step that ends in
//! this state.

mod impulses;
mod options;
mod step;

pub use options::MoreauJeanOptions;
#[doc(hidden)]
pub use step::MoreauJeanWorkspace;

use super::{Integrator, ParameterError, State, StepError};
use crate::system::{ImposedLaws, MechanicalSystem};

/// The Moreau-Jean time-stepping method for many contacts.
///
/// It uses the contacts of [`Simulation::contact`](crate::simulate::Simulation::contact) and
/// [`Simulation::dry_friction`](crate::simulate::Simulation::dry_friction) without their events.
///
/// ```
/// use lie_runtime::integrator::MoreauJean;
/// use lie_runtime::integrator::moreau_jean::MoreauJeanOptions;
///
/// let options = MoreauJeanOptions::default().tolerance(1e-8);
/// assert_eq!(*MoreauJean::with_options(options)?.options(), options);
/// assert!(MoreauJean::with_options(MoreauJeanOptions::default().tolerance(0.0)).is_err());
/// # Ok::<(), lie_runtime::integrator::ParameterError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[doc(alias = "time stepping")]
#[doc(alias = "nonsmooth contact dynamics")]
#[doc(alias = "LCP")]
pub struct MoreauJean {
    options: MoreauJeanOptions,
}

impl MoreauJean {
    /// The identifier.
    pub const ID: &'static str = options::ID;

    /// Creates the method with its default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates the method with these options.
    ///
    /// # Errors
    /// [`ParameterError`] if an option is out of its range.
    pub fn with_options(options: MoreauJeanOptions) -> Result<Self, ParameterError> {
        ParameterError::check_iteration(Self::ID, options.tolerance, options.maximum_iterations)?;
        Ok(MoreauJean { options })
    }

    /// The options.
    pub fn options(&self) -> &MoreauJeanOptions {
        &self.options
    }
}

impl<M: MechanicalSystem> Integrator<M> for MoreauJean {
    type Workspace = MoreauJeanWorkspace<M>;

    fn id(&self) -> &'static str {
        Self::ID
    }
    fn order(&self) -> usize {
        1
    }
    fn imposes_laws(&self) -> bool {
        true
    }
    fn impose_laws(&self, laws: &ImposedLaws, workspace: &mut MoreauJeanWorkspace<M>) {
        workspace.laws = laws.clone();
    }
    fn linear_solves(&self, workspace: &MoreauJeanWorkspace<M>) -> u64 {
        workspace.solves
    }
    /// The mean number of sweeps.
    fn newton_iterations(&self, workspace: &MoreauJeanWorkspace<M>) -> Option<f64> {
        Some(workspace.sweeps as f64 / workspace.steps.max(1) as f64)
    }
    fn workspace(&self, system: &M, state: &State<M>) -> MoreauJeanWorkspace<M> {
        MoreauJeanWorkspace::of(system, state)
    }
    fn start(&self, system: &M, state: &mut State<M>, workspace: &mut MoreauJeanWorkspace<M>) -> Result<(), StepError> {
        StepError::check(system, state)?;
        workspace.start(system, state)
    }
    fn step(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        workspace: &mut MoreauJeanWorkspace<M>,
    ) -> Result<(), StepError> {
        workspace.step(&self.options, system, from, h, to)
    }
}
