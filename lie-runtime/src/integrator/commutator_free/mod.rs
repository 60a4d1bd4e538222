//! Commutator-free and Crouch-Grossman methods (paper 3, section 2.2): stages and steps are products of exponentials.
//!
//! ```
//! use lie_runtime::simulate::methods;
//!
//! let pairs = methods().into_iter().filter(|method| method.family == "commutator-free" && method.estimates);
//! assert_eq!(pairs.map(|method| method.id).collect::<Vec<_>>(), ["cf3a", "cf3b", "cf4"]);
//! ```

mod coefficients;
mod methods;
mod step;

use crate::field::FirstOrder;
use crate::integrator::{FieldState, FirstOrderMethod, Integrator, LocalEstimate, StepError};

pub use coefficients::CommutatorFreeError;
#[doc(hidden)]
pub use coefficients::{Auxiliary, CommutatorFreeMethod, Composition};
#[doc(hidden)]
pub use methods::METHODS;
#[doc(hidden)]
pub use step::CommutatorFreeWorkspace;

/// A commutator-free method.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "Crouch-Grossman")]
pub struct CommutatorFree {
    method: &'static CommutatorFreeMethod,
}

impl CommutatorFree {
    fn listed(method: &'static CommutatorFreeMethod) -> Self {
        CommutatorFree { method }
    }

    /// Creates a method from coefficients.
    ///
    /// # Errors
    /// [`CommutatorFreeError`] if the coefficients have a fault.
    pub fn new(method: &'static CommutatorFreeMethod) -> Result<Self, CommutatorFreeError> {
        method.check().map(|()| Self::listed(method))
    }

    /// Returns the method with this identifier, or `None` if [`METHODS`] does not contain it.
    #[doc(hidden)]
    pub fn by_id(id: &str) -> Option<Self> {
        METHODS.into_iter().find(|method| method.id == id).map(Self::listed)
    }

    /// All methods.
    #[doc(hidden)]
    pub fn all() -> impl Iterator<Item = Self> {
        METHODS.into_iter().map(Self::listed)
    }

    named! {
        /// Order 3, reusing the second stage; a pair 3(2).
        cf3a: methods::CF3A;
        /// Order 3, reusing the third stage; a pair 3(2).
        cf3b: methods::CF3B;
        /// Order 4 (paper 3, eq. 9); with eq. (34) a pair 4(3).
        cf4: methods::CF4;
        /// Crouch-Grossman of order 2.
        cg2: methods::CG2;
        /// Crouch-Grossman of order 3.
        cg3: methods::CG3;
        /// Crouch-Grossman of order 4.
        cg4: methods::CG4;
    }

    /// The coefficients.
    #[doc(hidden)]
    pub fn method(&self) -> &'static CommutatorFreeMethod {
        self.method
    }
}

impl<F: FirstOrder> Integrator<F> for CommutatorFree {
    type Workspace = CommutatorFreeWorkspace<F>;

    fn id(&self) -> &'static str {
        self.method.id
    }
    fn order(&self) -> usize {
        self.method.order
    }
    fn estimate_order(&self) -> Option<usize> {
        self.method.estimate.map(|auxiliary| auxiliary.order)
    }
    fn workspace(&self, system: &F::System, state: &FieldState<F>) -> CommutatorFreeWorkspace<F> {
        CommutatorFreeWorkspace::of(system, state, self.method)
    }
    fn start(
        &self,
        system: &F::System,
        state: &mut FieldState<F>,
        workspace: &mut CommutatorFreeWorkspace<F>,
    ) -> Result<(), StepError> {
        F::forget(&mut workspace.field);
        state.evaluate(system, 0.0, &mut workspace.field)
    }
    #[inline]
    fn step(
        &self,
        system: &F::System,
        from: &FieldState<F>,
        h: f64,
        to: &mut FieldState<F>,
        workspace: &mut CommutatorFreeWorkspace<F>,
    ) -> Result<(), StepError> {
        step::step(self.method, system, from, h, to, workspace)?;
        to.evaluate(system, h, &mut workspace.field)
    }
    fn step_with_estimate(
        &self,
        system: &F::System,
        from: &FieldState<F>,
        h: f64,
        to: &mut FieldState<F>,
        error: &mut LocalEstimate,
        workspace: &mut CommutatorFreeWorkspace<F>,
    ) -> Result<(), StepError> {
        let Some(auxiliary) = &self.method.estimate else {
            return Err(StepError::no_estimate(self.method.id, from.time, h));
        };
        step::step(self.method, system, from, h, to, workspace)?;
        *error = step::estimate(self.method, auxiliary, system, from, h, to, workspace)?;
        // The last evaluation is at the end of the step.
        to.evaluate(system, h, &mut workspace.field)
    }
}

impl<F: FirstOrder> FirstOrderMethod<F> for CommutatorFree {
    fn evaluation<'a>(&self, workspace: &'a mut CommutatorFreeWorkspace<F>) -> &'a mut F::Workspace {
        &mut workspace.field
    }
    fn auxiliary<'a>(&self, workspace: &'a CommutatorFreeWorkspace<F>) -> &'a F::Point {
        &workspace.auxiliary
    }
}
