//! Initial value problems, their states, and the errors of their steps.

mod error;
mod parameter;
mod quantity;
mod state;

use core::fmt::Debug;

pub use error::{StepError, StepFailure};
pub use parameter::ParameterError;
pub use quantity::Quantity;
pub(crate) use state::{HistoryOwner, ObservedConstraint};
pub use state::{LocalError, MethodHistory, State};

use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// An initial value problem: a system and the type of its states.
///
/// A [`MechanicalSystem`] is a problem; its states are [`State`]s. A system of first order becomes a problem through a
/// [formulation](crate::field::FirstOrder) that has a name. A vector field has the formulation
/// [`VectorFieldProblem`](crate::field::VectorFieldProblem), a Hamiltonian [`HamiltonianProblem`](crate::field::HamiltonianProblem), and a
/// mechanical system [`Mechanical`](crate::field::MechanicalField). The states of all three are [`FieldState`](crate::field::FieldState)s.
pub trait Problem: Sized {
    /// The system; an argument of every function of a state.
    type System: ?Sized;
    /// The state of a solution at one time.
    type State: Solution<System = Self::System>;
}

/// The local error of a step, estimated by an embedded method.
pub type ErrorEstimate<P> = <<P as Problem>::State as Solution>::Estimate;

/// The state of a solution at one time.
pub trait Solution: Clone + Debug {
    /// The system.
    type System: ?Sized;
    /// The local error of a step, estimated by an embedded method.
    type Estimate;

    /// The time t.
    fn time(&self) -> f64;
    /// Sets the time.
    #[doc(hidden)]
    fn set_time(&mut self, time: f64);
    /// Projects the configuration to its space, to remove round-off; the defect becomes its square.
    #[doc(hidden)]
    fn renormalize(&mut self, system: &Self::System);
}

impl<M: MechanicalSystem> Problem for M {
    type System = M;
    type State = State<M>;
}

impl<M: MechanicalSystem> Solution for State<M> {
    type System = M;
    type Estimate = LocalError<M>;

    fn time(&self) -> f64 {
        self.time
    }
    fn set_time(&mut self, time: f64) {
        self.time = time;
    }
    fn renormalize(&mut self, system: &M) {
        system.space().renormalize(&mut self.configuration);
    }
}
