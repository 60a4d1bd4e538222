//! Time integration methods, one folder per family. A method is data where possible.
//!
//! ```
//! use lie_runtime::integrator::half_explicit::METHODS;
//!
//! let orders: Vec<_> = METHODS.iter().map(|method| (method.id, method.order, method.multiplier_order)).collect();
//! assert_eq!(orders.last(), Some(&("hedop5", 5, 4)));
//! ```
//!
//! An [`Integrator`] computes the next state of a [`Problem`]: a [`State`] of a [`MechanicalSystem`](crate::system::MechanicalSystem), a
//! [`FieldState`] of a system that is [read as one of first order](crate::field::FirstOrder). It uses the traits of a system and does not
//! depend on a model. End times, files and tolerances belong to [`simulate`](crate::simulate).

/// Defines constructors `name: METHOD;` for the methods in a list.
macro_rules! named {
    ($($(#[$doc:meta])* $name:ident: $method:expr;)*) => {
        $(
            $(#[$doc])*
            pub fn $name() -> Self {
                Self::listed(&$method)
            }
        )*
    };
}

mod accelerations;
pub mod any;
pub mod blie_df;
pub mod collocation;
pub mod commutator_free;
mod constraints;
mod controller;
mod first_order;
pub mod generalized_alpha;
pub mod half_explicit;
pub(crate) mod implicit;
pub mod moreau_jean;
pub mod munthe_kaas;
mod on_mechanical;
pub mod rattlie;
pub mod rotation;
mod stiffness;
pub mod symplectic;
#[doc(hidden)]
pub mod tableau;
pub mod tr_bdf2;

pub use any::AnyMethod;
pub use blie_df::BLieDF;
pub use collocation::Collocation;
pub use commutator_free::CommutatorFree;
pub use controller::{ControllerError, Decision, ErrorComponents, StepController};
#[doc(hidden)]
pub use first_order::FirstOrderMethod;
pub use generalized_alpha::GeneralizedAlpha;
pub use half_explicit::HalfExplicit;
pub use moreau_jean::MoreauJean;
pub use munthe_kaas::{Differential, MuntheKaas};
pub use on_mechanical::OnMechanical;
pub use rattlie::Rattlie;
pub use rotation::Rotation;
pub use symplectic::SymplecticLieGroup;
pub use tr_bdf2::TrBdf2;

pub use crate::field::FieldState;
#[doc(hidden)]
pub use crate::field::LocalEstimate;
pub use crate::problem::{
    ErrorEstimate, LocalError, MethodHistory, ParameterError, Problem, Quantity, Solution, State, StepError,
    StepFailure,
};
pub(crate) use crate::problem::{HistoryOwner, ObservedConstraint};
pub(crate) use stiffness::{FastestRate, largest_rate};

use crate::system::ImposedLaws;

/// The long-term behaviour of the energy of a conservative system, for steps that resolve the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub enum EnergyBehaviour {
    /// An error of the order of the method, which grows with time.
    #[default]
    Drifts,
    /// An error of the order of the method that does not grow, as for symplectic and variational methods.
    StaysNear,
    /// The energy decreases, mainly in fast motions.
    Decays,
}

/// An estimate of the cost of one step, see [`Integrator::step_cost`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub struct StepCost {
    /// Floating-point operations of one step.
    pub operations: f64,
    /// Unknowns of the largest dense system of equations of a step.
    pub unknowns: usize,
    /// The identifier of a method whose cost grows linearly with the length of a chain.
    pub instead: &'static str,
}

/// A method that computes the next state of a [`Problem`]: a mechanical system, a vector field or a Hamiltonian system.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integrator for `{P}`",
    label = "not an integrator for this problem",
    note = "a method selected by name belongs to the current system type: call `.with_sensitivities([…])` before `.method_named(…)`. \
            Methods selected by type with `.method(…)` can come before or after it"
)]
pub trait Integrator<P: Problem> {
    /// The buffers of a step, for one system with fixed parameters.
    type Workspace;

    /// The identifier in command lines and files.
    fn id(&self) -> &'static str;
    /// The order p of the solution (of q and v).
    fn order(&self) -> usize;
    /// The order p̂ of the embedded method, if there is one.
    fn estimate_order(&self) -> Option<usize> {
        None
    }
    /// The behaviour of a conserved energy, for steps that resolve the motion.
    #[doc(hidden)]
    fn energy_behaviour(&self) -> EnergyBehaviour {
        EnergyBehaviour::Drifts
    }
    /// True for a time-stepping method, which imposes contacts and dry friction in every step instead of at their events.
    #[doc(hidden)]
    fn imposes_laws(&self) -> bool {
        false
    }
    /// Sets the laws that a time-stepping method imposes after the next [`start`](Integrator::start).
    #[doc(hidden)]
    fn impose_laws(&self, laws: &ImposedLaws, workspace: &mut Self::Workspace) {
        let _ = (laws, workspace);
    }
    /// Estimates the cost of one step before any step is made; `None` if the cost is proportional to the size of the system.
    ///
    /// A run reports expensive steps before the first step, see [`Warning::Costly`](crate::simulate::Warning::Costly).
    #[doc(hidden)]
    fn step_cost(&self, system: &P::System, state: &P::State) -> Option<StepCost> {
        let _ = (system, state);
        None
    }
    /// Allocates the buffers; `state` provides the lengths of chains.
    fn workspace(&self, system: &P::System, state: &P::State) -> Self::Workspace;
    /// The number of linear systems that have been solved with these buffers.
    #[doc(hidden)]
    fn linear_solves(&self, workspace: &Self::Workspace) -> u64 {
        let _ = workspace;
        0
    }
    /// True if a step of a system with constraints starts with multipliers that the previous step has combined from its stages.
    #[doc(hidden)]
    fn reuses_stage_multipliers(&self) -> bool {
        false
    }
    /// True if the steps of this method remove accumulated round-off from the configuration.
    #[doc(hidden)]
    fn removes_round_off(&self) -> bool {
        false
    }
    /// The mean number of Newton iterations per step with these buffers; `None` for explicit methods.
    #[doc(hidden)]
    fn newton_iterations(&self, workspace: &Self::Workspace) -> Option<f64> {
        let _ = workspace;
        None
    }

    /// Prepares the first step of a run. Completes a state from its time, q, v and λ, or from the point of a field.
    ///
    /// # Errors
    /// [`StepError`] if the mass matrix is not positive definite, a field has no value or a value is not finite.
    fn start(&self, system: &P::System, state: &mut P::State, workspace: &mut Self::Workspace)
    -> Result<(), StepError>;

    /// Makes one step of size `h` from `from` and writes the result to `to`, which can have any content. Allocates no memory, except the
    /// [history](MethodHistory) of the method once in every state.
    ///
    /// After an error `from` is unchanged and the content of `to` is unspecified.
    ///
    /// # Errors
    /// [`StepError`] with the reason for the failure.
    fn step(
        &self,
        system: &P::System,
        from: &P::State,
        h: f64,
        to: &mut P::State,
        workspace: &mut Self::Workspace,
    ) -> Result<(), StepError>;

    /// Like [`step`](Integrator::step), with the local error estimated by the embedded method.
    ///
    /// # Errors
    /// [`StepError`], with [`StepFailure::NoEstimate`] for a method without an embedded method.
    fn step_with_estimate(
        &self,
        system: &P::System,
        from: &P::State,
        h: f64,
        to: &mut P::State,
        error: &mut ErrorEstimate<P>,
        workspace: &mut Self::Workspace,
    ) -> Result<(), StepError> {
        let _ = (system, to, error, workspace);
        Err(StepError::no_estimate(self.id(), from.time(), h))
    }

    /// Computes the state at a `time` within the step from `from` to `to` (dense output).
    ///
    /// A one-step method makes a step of size `time − from.time`. The result has the order of the method in q, v and λ, lies on the group,
    /// and satisfies the constraints like the result of any step.
    ///
    /// # Errors
    /// The errors of [`step`](Integrator::step).
    fn sample(
        &self,
        system: &P::System,
        from: &P::State,
        to: &P::State,
        time: f64,
        out: &mut P::State,
        workspace: &mut Self::Workspace,
    ) -> Result<(), StepError> {
        let _ = to;
        self.step(system, from, time - from.time(), out, workspace)
    }
}
