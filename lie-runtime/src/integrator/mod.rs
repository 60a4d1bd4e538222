//! Time integration: one folder a family, a method is data wherever it can be.
//!
//! ```
//! use lie_runtime::integrator::half_explicit::METHODS;
//!
//! let orders: Vec<_> = METHODS.iter().map(|method| (method.id, method.order, method.multiplier_order)).collect();
//! assert_eq!(orders.last(), Some(&("hedop5", 5, 4)));
//! ```
//!
//! An [`Integrator`] takes one state of a [`Problem`] to the next: a [`State`] of a
//! [`MechanicalSystem`](crate::system::MechanicalSystem), a [`FieldState`] of a system that is
//! [read as one of first order](crate::field::FirstOrder). It knows the traits of a system, never a model,
//! and nothing of end times, files or tolerances: those belong to [`simulate`](crate::simulate).

/// Constructors `name: METHOD;` that are named after the methods in a list.
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
pub mod munthe_kaas;
mod on_mechanical;
pub mod rattlie;
pub mod rotation;
mod stiffness;
pub mod symplectic;
pub mod tableau;
pub mod tr_bdf2;

pub use any::AnyMethod;
pub use blie_df::BLieDF;
pub use collocation::Collocation;
pub use commutator_free::CommutatorFree;
pub use controller::{ControllerError, Decision, ErrorComponents, StepController};
pub use first_order::FirstOrderMethod;
pub use generalized_alpha::GeneralizedAlpha;
pub use half_explicit::HalfExplicit;
pub use munthe_kaas::{Differential, MuntheKaas};
pub use on_mechanical::OnMechanical;
pub use rattlie::Rattlie;
pub use rotation::Rotation;
pub use symplectic::SymplecticLieGroup;
pub use tr_bdf2::TrBdf2;

pub use crate::field::{FieldState, LocalEstimate};
pub use crate::problem::{
    Estimate, LocalError, Memory, ParameterError, Problem, Quantity, Solution, State, StepError, StepFailure,
};
pub(crate) use crate::problem::{Owner, Seen};
pub(crate) use stiffness::{FastestRate, largest_rate};

/// What a method makes of the energy of a conservative system over many steps that resolve its motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnergyBehaviour {
    /// An error of the order of the method, which grows with time.
    #[default]
    Drifts,
    /// An error of the order of the method that does not grow: of symplectic and variational methods.
    StaysNear,
    /// Energy is taken out, of fast motions most.
    Decays,
}

/// An estimate of the cost of one step, see [`Integrator::step_cost`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepCost {
    /// Floating-point operations of one step.
    pub operations: f64,
    /// Unknowns of the largest dense system of equations of a step.
    pub unknowns: usize,
    /// The identifier of a method whose cost grows linearly with the length of a chain.
    pub instead: &'static str,
}

/// A method that takes one state of a [`Problem`] to the next: of a mechanical system, of a field, of a Hamiltonian.
#[diagnostic::on_unimplemented(
    message = "`{Self}` takes no steps of `{P}`",
    label = "not a method for this",
    note = "a method that is chosen by its name is one for the system as it is there: `.with_sensitivities([…])` comes before `.method_named(…)`; \
            one that is chosen by its type, `.method(…)`, may come before and after"
)]
pub trait Integrator<P: Problem> {
    /// The buffers of a step, for one system with fixed parameters.
    type Workspace;

    /// The identifier on command lines and in files.
    fn id(&self) -> &'static str;
    /// The order p of the solution, of q and v.
    fn order(&self) -> usize;
    /// The order p̂ of the embedded method, if there is one.
    fn estimate_order(&self) -> Option<usize> {
        None
    }
    /// What it makes of energy that is conserved, where its steps resolve the motion.
    fn energy_behaviour(&self) -> EnergyBehaviour {
        EnergyBehaviour::Drifts
    }
    /// Estimates the cost of one step before any step is made; `None` for methods whose cost is proportional to the size of the system.
    ///
    /// A run announces an expensive step before the first one, see
    /// [`Notice::Costly`](crate::simulate::Notice::Costly).
    fn step_cost(&self, system: &P::System, state: &P::State) -> Option<StepCost> {
        let _ = (system, state);
        None
    }
    /// Allocates the buffers; `state` tells the lengths of chains.
    fn workspace(&self, system: &P::System, state: &P::State) -> Self::Workspace;
    /// How many linear systems have been solved with these buffers.
    fn linear_solves(&self, workspace: &Self::Workspace) -> u64 {
        let _ = workspace;
        0
    }
    /// True if a step of a system with constraints begins with multipliers that the step before has combined of those of its stages.
    fn hands_on_multipliers(&self) -> bool {
        false
    }
    /// The mean number of Newton iterations a step made with these buffers; `None` of explicit methods.
    fn newton_iterations(&self, workspace: &Self::Workspace) -> Option<f64> {
        let _ = workspace;
        None
    }

    /// Prepares the first step from a state that no step has led to: given time, q, v and λ, or the point of a field, it
    /// completes the state.
    ///
    /// # Errors
    /// [`StepError`] if the mass matrix is not positive definite, a field has no value or a number is not finite.
    fn start(&self, system: &P::System, state: &mut P::State, workspace: &mut Self::Workspace)
    -> Result<(), StepError>;

    /// One step of size `h` from `from` into `to`, which may hold anything; allocates nothing but, once in every state, room for
    /// what the method [remembers](Memory).
    ///
    /// On an error `from` is as it was, and `to` holds nothing of use.
    ///
    /// # Errors
    /// [`StepError`] says why the step has no result.
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
    /// [`StepError`]; of the kind [`StepFailure::NoEstimate`] if there is no embedded method.
    fn step_with_estimate(
        &self,
        system: &P::System,
        from: &P::State,
        h: f64,
        to: &mut P::State,
        error: &mut Estimate<P>,
        workspace: &mut Self::Workspace,
    ) -> Result<(), StepError> {
        let _ = (system, to, error, workspace);
        Err(StepError::no_estimate(self.id(), from.time(), h))
    }

    /// The state at a `time` within the step that led from `from` to `to`.
    ///
    /// A one-step method makes its own step of size `time − from.time`: the result has the order of the method in q, v
    /// and λ, lies on the group, and satisfies the constraints as well as the result of any step.
    ///
    /// # Errors
    /// Those of [`step`](Integrator::step).
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
