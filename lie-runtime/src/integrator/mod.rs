//! Time integration: one folder a family, a method is data wherever it can be.
//!
//! ```
//! use lie_runtime::integrator::half_explicit::METHODS;
//!
//! let orders: Vec<_> = METHODS.iter().map(|method| (method.id, method.order, method.multiplier_order)).collect();
//! assert_eq!(orders.last(), Some(&("hedop5", 5, 4)));
//! ```
//!
//! An [`Integrator`] takes one state of a [`Problem`] to the next: a [`State`] of a [`MechanicalSystem`], a [`FieldState`] of
//! a system that is [read as one of first order](crate::field::FirstOrder). It knows the traits of a system, never a model,
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

pub(crate) mod accelerations;
pub mod any;
pub mod blie_df;
pub mod collocation;
pub mod commutator_free;
mod constraints;
mod controller;
mod error;
mod field;
pub mod generalized_alpha;
pub mod half_explicit;
pub(crate) mod implicit;
mod memory;
pub mod munthe_kaas;
mod on_mechanical;
mod parameter;
mod problem;
mod quantity;
pub mod rattlie;
pub mod rotation;
pub mod symplectic;
pub mod tableau;
pub mod tr_bdf2;

use core::fmt;

pub use any::AnyMethod;
pub use blie_df::BLieDF;
pub use collocation::Collocation;
pub use commutator_free::CommutatorFree;
pub use controller::{ControllerError, Decision, ErrorComponents, StepController};
pub use error::{StepError, StepFailure};
pub use field::{FieldState, FirstOrderMethod, LocalEstimate};
pub use generalized_alpha::GeneralizedAlpha;
pub use half_explicit::HalfExplicit;
pub use memory::Memory;
pub(crate) use memory::{Owner, Seen};
pub use munthe_kaas::{Differential, MuntheKaas};
pub use on_mechanical::OnMechanical;
pub use parameter::ParameterError;
pub use problem::{Estimate, Problem, Solution};
pub use quantity::Quantity;
pub use rattlie::Rattlie;
pub use rotation::Rotation;
pub use symplectic::SymplecticLieGroup;
pub use tr_bdf2::TrBdf2;

use crate::group::TangentVector;
use crate::space::ConfigurationSpace;
use crate::system::{MechanicalSystem, ModelError};

/// A motion at one time.
///
/// Velocity, acceleration and multipliers are vectors of all components; `Velocity::from(state.velocity)` and
/// `Multipliers::from(state.multipliers)` of a generated module give them their names, of systems with chains
/// `system.velocity(&state.velocity)` and `system.multipliers(&state.multipliers)`. The sign of λ is that of the force −Bᵀ λ.
pub struct State<M: MechanicalSystem + ?Sized> {
    /// The time t.
    pub time: f64,
    /// The configuration q.
    pub configuration: M::Configuration,
    /// The velocity v, left-trivialised.
    pub velocity: M::Velocity,
    /// The multipliers λ.
    pub multipliers: M::Multipliers,
    /// v' = M⁻¹(−g − Bᵀ λ) at this time, with the λ above (paper 1, eq. 5b).
    pub acceleration: M::Velocity,
    /// What the method that led here remembers besides; nothing in a state that no method has led to.
    pub memory: Memory<M>,
}

impl<M: MechanicalSystem> State<M> {
    /// A state at rest in `configuration`, without forces.
    pub fn at_rest(system: &M, time: f64, configuration: M::Configuration) -> Self {
        State {
            time,
            configuration,
            velocity: system.zero_velocity(),
            multipliers: system.zero_multipliers(),
            acceleration: system.zero_velocity(),
            memory: Memory::none(),
        }
    }

    /// Checks that the state belongs to this system: the lengths of its chains and of its vectors, and that the numbers of
    /// its configuration represent an element of the group to 1e-8.
    ///
    /// # Errors
    /// [`ModelError::ChainLength`], [`ModelError::NotAnElement`] or [`ModelError::VectorLength`].
    pub fn check(&self, system: &M) -> Result<(), ModelError> {
        use crate::scalar::Scalar;
        system.space().check(&self.configuration)?;
        // NaN is for the checks of finiteness.
        let tolerance = f64::max(1e-8, 1e3 * M::Scalar::epsilon());
        if let Some(worst) = system.space().worst_member(&self.configuration).filter(|worst| worst.defect > tolerance) {
            return Err(ModelError::NotAnElement(worst));
        }
        for (vector, given, expected) in [
            ("velocity", self.velocity.component_count(), system.dof()),
            ("vector of multipliers", self.multipliers.component_count(), system.constraint_rows()),
            ("acceleration", self.acceleration.component_count(), system.dof()),
        ] {
            if given != expected {
                return Err(ModelError::VectorLength { vector, expected, given });
            }
        }
        Ok(())
    }
}

impl<M: MechanicalSystem + ?Sized> Clone for State<M> {
    fn clone(&self) -> Self {
        State {
            time: self.time,
            configuration: self.configuration.clone(),
            velocity: self.velocity.clone(),
            multipliers: self.multipliers.clone(),
            acceleration: self.acceleration.clone(),
            memory: self.memory.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.copy_motion_from(source);
        self.memory.clone_from(&source.memory);
    }
}

impl<M: MechanicalSystem + ?Sized> State<M> {
    /// Copies everything but the memory, of which nothing is left but its room.
    pub(crate) fn copy_motion_from(&mut self, source: &Self) {
        self.time = source.time;
        self.configuration.clone_from(&source.configuration);
        copy(&mut self.velocity, &source.velocity);
        copy(&mut self.multipliers, &source.multipliers);
        copy(&mut self.acceleration, &source.acceleration);
        self.memory.forget();
    }
}

/// Vectors of a length known at run time are not cloned in place by themselves.
fn copy<V: TangentVector>(to: &mut V, from: &V) {
    if to.component_count() == from.component_count() {
        to.assign(from);
    } else {
        *to = from.clone();
    }
}

impl<M: MechanicalSystem + ?Sized> fmt::Debug for State<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("time", &self.time)
            .field("configuration", &self.configuration)
            .field("velocity", &self.velocity)
            .field("multipliers", &self.multipliers)
            .field("acceleration", &self.acceleration)
            .field("memory", &self.memory)
            .finish()
    }
}

/// The local error of a step as an embedded method sees it: in y = (θ, v) (paper 1, section 3).
pub struct LocalError<M: MechanicalSystem + ?Sized> {
    /// θ of the step, q_{n+1} = q_n ∘ exp(θ).
    pub increment: M::Velocity,
    /// θ̂ − θ.
    pub increment_error: M::Velocity,
    /// v̂ − v.
    pub velocity_error: M::Velocity,
}

impl<M: MechanicalSystem> LocalError<M> {
    /// Buffers for the estimates of `system`.
    pub fn of(system: &M) -> Self {
        LocalError {
            increment: system.zero_velocity(),
            increment_error: system.zero_velocity(),
            velocity_error: system.zero_velocity(),
        }
    }
}

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

/// A method that takes one state of a [`Problem`] to the next: of a mechanical system, of a field, of a Hamiltonian.
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
