//! Initial value problems: what can be stepped, what a solution is at one time, and why a step has none.

mod error;
mod memory;
mod parameter;
mod quantity;
mod state;

use core::fmt::Debug;

pub use error::{StepError, StepFailure};
pub use memory::Memory;
pub(crate) use memory::{Owner, Seen};
pub use parameter::ParameterError;
pub use quantity::Quantity;
pub use state::{LocalError, State};

use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// An initial value problem: which system, and what a solution of it is at one time.
///
/// A [`MechanicalSystem`] is one by itself, with the [`State`]s of its motion. A system of first order is read as one in a
/// way that has a name, and the [readings](crate::field::FirstOrder) are the problems: a vector field as
/// [`Intrinsic`](crate::field::Intrinsic), a Hamiltonian as [`Canonical`](crate::field::Canonical), a mechanical system as
/// [`Mechanical`](crate::field::Mechanical), each with the [`FieldState`](crate::field::FieldState)s of its point.
pub trait Problem: Sized {
    /// The system; an argument of all that is done with a state.
    type System: ?Sized;
    /// A solution at one time.
    type State: Solution<System = Self::System>;
}

/// The local error of a step as an embedded method sees it.
pub type Estimate<P> = <<P as Problem>::State as Solution>::Estimate;

/// A solution at one time.
pub trait Solution: Clone + Debug {
    /// The system.
    type System: ?Sized;
    /// The local error of a step as an embedded method sees it.
    type Estimate;

    /// The time t.
    fn time(&self) -> f64;
    /// Says another time.
    fn set_time(&mut self, time: f64);
    /// Brings the numbers back to the space from which round-off has moved them away: defects become their squares.
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
