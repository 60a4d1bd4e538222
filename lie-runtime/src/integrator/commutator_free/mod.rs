//! Commutator-free and Crouch-Grossman methods (paper 3, section 2.2): stages and steps are products of exponentials.
//!
//! ```
//! use lie_runtime::integrator::CommutatorFree;
//!
//! let pairs: Vec<_> = CommutatorFree::all().filter(|method| method.method().estimate.is_some()).collect();
//! assert_eq!(pairs, [CommutatorFree::cf3a(), CommutatorFree::cf3b(), CommutatorFree::cf4()]);
//! ```

mod methods;
mod step;

use crate::field::FirstOrder;
use crate::integrator::{FieldState, FirstOrderMethod, Integrator, LocalEstimate, StepError};
use crate::messages::see;

pub use methods::METHODS;
pub use step::Workspace;

/// exp(h Σ_k row_J^k f_k) ⋯ exp(h Σ_k row_1^k f_k) applied to a stage or to y_n.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Composition {
    /// The index of the reused stage; stage 0 is y_n.
    pub from: usize,
    /// The rows, in the order in which their exponentials are applied.
    pub exponentials: &'static [&'static [f64]],
}

/// The coefficients of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommutatorFreeMethod {
    /// The identifier in command lines and files.
    pub id: &'static str,
    /// The descriptive name.
    pub name: &'static str,
    /// The order p.
    pub order: usize,
    /// Stages 1, 2, …; stage 0 is y_n.
    pub stages: &'static [Composition],
    /// The nodes c of these stages.
    pub c: &'static [f64],
    /// y_{n+1}.
    pub step: Composition,
    /// The auxiliary method.
    pub estimate: Option<Auxiliary>,
}

/// An embedded method, which shares the stages of the main method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Auxiliary {
    /// The order p̃.
    pub order: usize,
    /// Further stages.
    pub stages: &'static [Composition],
    /// The nodes of the further stages.
    pub c: &'static [f64],
    /// ỹ_{n+1}.
    pub step: Composition,
}

/// An error of the coefficients of a method.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommutatorFreeError {
    /// The number of nodes differs from the number of stages.
    #[error("expected one node per stage {}", see("method-coefficients"))]
    Nodes,
    /// A stage uses a later stage.
    #[error("stage {stage} uses a later stage {}", see("method-coefficients"))]
    Order {
        /// The index of the stage from 0; the two steps are numbered after all stages.
        stage: usize,
    },
    /// A coefficient is NaN or infinite.
    #[error("a coefficient is not finite {}", see("method-coefficients"))]
    NotFinite,
}

crate::messages::debug_is_the_message!(CommutatorFreeError);
impl CommutatorFreeMethod {
    /// Checks the coefficients.
    ///
    /// # Errors
    /// [`CommutatorFreeError`] names the first fault. Orders are not checked.
    pub fn check(&self) -> Result<(), CommutatorFreeError> {
        let (more, more_nodes, last) = match &self.estimate {
            Some(auxiliary) => (auxiliary.stages, auxiliary.c, Some(&auxiliary.step)),
            None => (&[][..], &[][..], None),
        };
        if self.c.len() != self.stages.len() || more_nodes.len() != more.len() {
            return Err(CommutatorFreeError::Nodes);
        }
        let count = self.stages.len();
        let checked = |composition: &Composition, available: usize| {
            let rows = composition.exponentials;
            if composition.from >= available || rows.iter().any(|row| row.len() > available) {
                return Err(CommutatorFreeError::Order { stage: available });
            }
            let is_finite = rows.iter().copied().flatten().all(|coefficient| coefficient.is_finite());
            if is_finite { Ok(()) } else { Err(CommutatorFreeError::NotFinite) }
        };
        for (i, stage) in self.stages.iter().chain(more).enumerate() {
            checked(stage, i + 1)?;
        }
        checked(&self.step, count + 1)?;
        last.map_or(Ok(()), |step| checked(step, count + more.len() + 1))?;
        let is_finite = self.c.iter().chain(more_nodes).all(|node| node.is_finite());
        if is_finite { Ok(()) } else { Err(CommutatorFreeError::NotFinite) }
    }
}

/// A commutator-free method.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    pub fn by_id(id: &str) -> Option<Self> {
        METHODS.into_iter().find(|method| method.id == id).map(Self::listed)
    }

    /// All methods.
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
    pub fn method(&self) -> &'static CommutatorFreeMethod {
        self.method
    }
}

impl<F: FirstOrder> Integrator<F> for CommutatorFree {
    type Workspace = Workspace<F>;

    fn id(&self) -> &'static str {
        self.method.id
    }
    fn order(&self) -> usize {
        self.method.order
    }
    fn estimate_order(&self) -> Option<usize> {
        self.method.estimate.map(|auxiliary| auxiliary.order)
    }
    fn workspace(&self, system: &F::System, state: &FieldState<F>) -> Workspace<F> {
        Workspace::of(system, state, self.method)
    }
    fn start(
        &self,
        system: &F::System,
        state: &mut FieldState<F>,
        workspace: &mut Workspace<F>,
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
        workspace: &mut Workspace<F>,
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
        workspace: &mut Workspace<F>,
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
    fn evaluation<'a>(&self, workspace: &'a mut Workspace<F>) -> &'a mut F::Workspace {
        &mut workspace.field
    }
    fn auxiliary<'a>(&self, workspace: &'a Workspace<F>) -> &'a F::Point {
        &workspace.auxiliary
    }
}
