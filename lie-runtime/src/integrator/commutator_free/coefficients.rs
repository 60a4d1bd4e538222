//! The coefficients of a method.

use crate::messages::see;

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
