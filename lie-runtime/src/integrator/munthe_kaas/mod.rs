//! Runge-Kutta-Munthe-Kaas methods (paper 3, section 2.2): a Runge-Kutta method for σ' = dexp⁻¹_σ(f(exp(σ)·y_n)).
//!
//! A method is a [`ButcherTableau`] and an evaluation of dexp⁻¹: exact, by a few terms of its series, or by a few commutators chosen for
//! the method. Any explicit tableau is possible:
//!
//! ```
//! use lie_runtime::integrator::{Differential, MuntheKaas, tableau};
//!
//! let exact = MuntheKaas::new("rkmk_bs", &tableau::BOGACKI_SHAMPINE, Differential::Exact)?;
//! assert_eq!((exact.method().tableau.order, MuntheKaas::by_id("rkmk4")), (3, Some(MuntheKaas::rkmk4())));
//! # Ok::<(), tableau::ButcherTableauError>(())
//! ```

mod methods;
mod step;

use crate::field::FirstOrder;
use crate::integrator::tableau::{ButcherTableau, ButcherTableauError};
use crate::integrator::{FieldState, FirstOrderMethod, Integrator, LocalEstimate, StepError};

pub use methods::METHODS;
pub use step::Workspace;

/// The maximum number of stages.
pub const MAX_STAGES: usize = 16;

/// The evaluation of dexp⁻¹_σ(f).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Differential {
    /// The closed form of the group.
    Exact,
    /// The terms of the series Σ B_k/k! ad_σ^k up to this k, at most 6. A method of order p needs k = p − 2.
    Truncated(usize),
    /// None: stages combine values of f and their commutators.
    Commutators {
        /// The commutators of each stage.
        stages: &'static [&'static [Commutator]],
        /// The commutators of the step.
        step: &'static [Commutator],
    },
}

/// The term h² c [f_i, f_j].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Commutator {
    /// i, from 0 on.
    pub left: usize,
    /// j, from 0 on.
    pub right: usize,
    /// c.
    pub coefficient: f64,
}

/// The coefficients of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MuntheKaasMethod {
    /// The identifier in command lines and files.
    pub id: &'static str,
    /// The descriptive name.
    pub name: &'static str,
    /// The Runge-Kutta method for σ.
    pub tableau: &'static ButcherTableau,
    /// The evaluation of dexp⁻¹.
    pub differential: Differential,
}

/// A Runge-Kutta-Munthe-Kaas method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MuntheKaas {
    method: MuntheKaasMethod,
    first_same_as_last: bool,
}

impl MuntheKaas {
    fn listed(method: &MuntheKaasMethod) -> Self {
        MuntheKaas { method: *method, first_same_as_last: method.tableau.first_same_as_last() }
    }

    /// Creates the method of an explicit tableau with a user-defined identifier.
    ///
    /// # Errors
    /// [`ButcherTableauError`] if the tableau has a fault.
    pub fn new(
        id: &'static str,
        tableau: &'static ButcherTableau,
        differential: Differential,
    ) -> Result<Self, ButcherTableauError> {
        tableau.check_explicit(MAX_STAGES)?;
        let stages = tableau.stages();
        match differential {
            Differential::Truncated(terms) if terms >= step::SERIES.len() => {
                return Err(ButcherTableauError::Length { list: "series of dexp^-1" });
            }
            Differential::Commutators { stages: rows, step } => {
                let early = |row: &[Commutator], before: usize| {
                    row.iter().all(|term| term.left < before && term.right < before && term.coefficient.is_finite())
                };
                if rows.len() != stages
                    || !rows.iter().enumerate().all(|(i, row)| early(row, i))
                    || !early(step, stages)
                {
                    return Err(ButcherTableauError::Length { list: "commutators" });
                }
            }
            _ => {}
        }
        Ok(Self::listed(&MuntheKaasMethod { id, name: tableau.name, tableau, differential }))
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
        /// The Lie-Euler method.
        lie_euler: methods::LIE_EULER;
        /// The Lie-Heun method of order 2.
        lie_heun: methods::LIE_HEUN;
        /// Order 3 after Kutta.
        rkmk3: methods::RKMK3;
        /// Order 4 after the classical method, dexp⁻¹ exact.
        rkmk4: methods::RKMK4;
        /// Order 4 with two terms of the series of dexp⁻¹.
        rkmk4_truncated: methods::RKMK4_TRUNCATED;
        /// Order 4 with two commutators (paper 3, section 2.2).
        rkmk4_two_commutators: methods::RKMK4_TWO_COMMUTATORS;
        /// Order 5 after Butcher.
        rkmk5: methods::RKMK5;
        /// The pair 3(2) after Bogacki and Shampine.
        rkmk32: methods::RKMK32;
        /// The pair 5(4) after Dormand and Prince.
        rkmk54: methods::RKMK54;
    }

    /// The coefficients.
    pub fn method(&self) -> &MuntheKaasMethod {
        &self.method
    }
}

impl<F: FirstOrder> Integrator<F> for MuntheKaas {
    type Workspace = Workspace<F>;

    fn id(&self) -> &'static str {
        self.method.id
    }
    fn order(&self) -> usize {
        self.method.tableau.order
    }
    fn estimate_order(&self) -> Option<usize> {
        self.method.tableau.embedded.map(|embedded| embedded.order)
    }
    fn workspace(&self, system: &F::System, state: &FieldState<F>) -> Workspace<F> {
        Workspace::of(system, state, self.method.tableau.stages())
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
        step::step(self, system, from, h, to, workspace)
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
        let Some(embedded) = &self.method.tableau.embedded else {
            return Err(StepError::no_estimate(self.method.id, from.time, h));
        };
        step::step(self, system, from, h, to, workspace)?;
        *error = step::estimate(self, embedded.b, system, from, h, to, workspace);
        Ok(())
    }
}

impl<F: FirstOrder> FirstOrderMethod<F> for MuntheKaas {
    fn evaluation<'a>(&self, workspace: &'a mut Workspace<F>) -> &'a mut F::Workspace {
        &mut workspace.field
    }
    fn auxiliary<'a>(&self, workspace: &'a Workspace<F>) -> &'a F::Point {
        workspace.auxiliary()
    }
}
