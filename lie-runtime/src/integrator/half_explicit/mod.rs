//! Half-explicit Runge-Kutta Lie group methods (paper 1, section 2).
//!
//! They integrate the index-2 formulation, with the constraints at velocity level, without an iteration. The first stage is explicit, every
//! later stage solves one linear system. Holonomic, time-dependent and nonholonomic constraints are treated in the same way. For systems
//! without constraints, they are Runge-Kutta-Munthe-Kaas methods.
//!
//! A method is a [`Tableau`]; the list of them is [`METHODS`].
//!
//! ```
//! use lie_runtime::integrator::HalfExplicit;
//! use lie_runtime::integrator::half_explicit::METHODS;
//!
//! let tableau = METHODS.into_iter().find(|tableau| tableau.order == 5).unwrap();
//! assert_eq!(HalfExplicit::new(tableau)?, HalfExplicit::hedop5());
//! # Ok::<(), lie_runtime::integrator::half_explicit::TableauError>(())
//! ```

mod methods;
mod multiplier_change;
mod step;
mod tableau;
mod workspace;

pub use methods::METHODS;
#[doc(hidden)]
pub use methods::{
    HEDOP5, HERK2_HEUN, HERK2_HEUN_LAMBDA2, HERK2_MIDPOINT, HERK2_MIDPOINT_LAMBDA2, HERK3, HERK3_LAMBDA3, HERK4,
    HERK4_RATIONAL,
};
pub(crate) use multiplier_change::is_gradual;
pub(crate) use step::Onto;
#[doc(hidden)]
pub use tableau::MAX_STAGES;
pub use tableau::{EmbeddedRow, Tableau, TableauError};
#[doc(hidden)]
pub use workspace::HalfExplicitWorkspace;

use super::{Integrator, LocalError, State, StepError};
use crate::system::MechanicalSystem;

/// A half-explicit Runge-Kutta Lie group method.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "explicit Runge-Kutta")]
#[doc(alias = "RK45")]
#[doc(alias = "Dormand-Prince")]
pub struct HalfExplicit {
    tableau: &'static Tableau,
    first_same_as_last: bool,
}

impl PartialEq for HalfExplicit {
    fn eq(&self, other: &Self) -> bool {
        self.tableau == other.tableau
    }
}

impl HalfExplicit {
    fn listed(tableau: &'static Tableau) -> Self {
        HalfExplicit { tableau, first_same_as_last: tableau.first_same_as_last() }
    }

    /// Creates a method from a tableau.
    ///
    /// # Errors
    /// [`TableauError`] if the tableau has a fault.
    pub fn new(tableau: &'static Tableau) -> Result<Self, TableauError> {
        tableau.check()?;
        Ok(Self::listed(tableau))
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

    /// Returns the method of paper 1 with this order, or `None` for an order other than 2, 3, 4 and 5.
    #[doc(hidden)]
    pub fn of_order(order: usize) -> Option<Self> {
        match order {
            2 => Some(Self::herk2_heun()),
            3 => Some(Self::herk3()),
            4 => Some(Self::herk4()),
            5 => Some(Self::hedop5()),
            _ => None,
        }
    }

    named! {
        /// [`HERK2_HEUN`].
        herk2_heun: HERK2_HEUN;
        /// [`HERK2_MIDPOINT`].
        herk2_midpoint: HERK2_MIDPOINT;
        /// [`HERK2_HEUN_LAMBDA2`].
        herk2_heun_lambda2: HERK2_HEUN_LAMBDA2;
        /// [`HERK2_MIDPOINT_LAMBDA2`].
        herk2_midpoint_lambda2: HERK2_MIDPOINT_LAMBDA2;
        /// [`HERK3`].
        herk3: HERK3;
        /// [`HERK3_LAMBDA3`].
        herk3_lambda3: HERK3_LAMBDA3;
        /// [`HERK4`].
        herk4: HERK4;
        /// [`HERK4_RATIONAL`].
        herk4_rational: HERK4_RATIONAL;
        /// [`HEDOP5`].
        hedop5: HEDOP5;
    }

    /// Makes a step of the index-1 equations; `onto` projects the stages onto the constraint manifold. Such steps cross singular
    /// configurations, at which the stages of a constrained step would be inconsistent.
    ///
    /// v' of `from` must come from [`start_reduced`](Self::start_reduced) or from the previous step.
    pub(crate) fn step_reduced<M: MechanicalSystem>(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        onto: Onto<'_, M>,
        workspace: &mut HalfExplicitWorkspace<M>,
    ) -> Result<(), StepError> {
        step::reduced(self.tableau, system, from, h, to, Some(onto), None, workspace)
    }

    /// Prepares a state for [`step_reduced`](Self::step_reduced).
    pub(crate) fn start_reduced<M: MechanicalSystem>(
        system: &M,
        state: &mut State<M>,
        workspace: &mut HalfExplicitWorkspace<M>,
    ) -> Result<(), StepError> {
        workspace.kept.inertia.forget();
        step::accelerate(system, state, 0.0, workspace)
    }

    /// The coefficients.
    #[doc(hidden)]
    pub fn tableau(&self) -> &'static Tableau {
        self.tableau
    }
}

impl<M: MechanicalSystem> Integrator<M> for HalfExplicit {
    type Workspace = HalfExplicitWorkspace<M>;

    fn id(&self) -> &'static str {
        self.tableau.id
    }

    fn order(&self) -> usize {
        self.tableau.order
    }

    fn estimate_order(&self) -> Option<usize> {
        self.tableau.embedded.map(|embedded| embedded.order)
    }

    fn workspace(&self, system: &M, state: &State<M>) -> HalfExplicitWorkspace<M> {
        HalfExplicitWorkspace::of(system, state)
    }

    fn reuses_stage_multipliers(&self) -> bool {
        !self.first_same_as_last
    }

    fn linear_solves(&self, workspace: &HalfExplicitWorkspace<M>) -> u64 {
        workspace.kept.linear_solves
    }

    fn start(
        &self,
        system: &M,
        state: &mut State<M>,
        workspace: &mut HalfExplicitWorkspace<M>,
    ) -> Result<(), StepError> {
        StepError::check(system, state)?;
        workspace.kept.inertia.forget();
        step::first_stage(system, state, 0.0, workspace)
    }

    fn step(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        workspace: &mut HalfExplicitWorkspace<M>,
    ) -> Result<(), StepError> {
        if system.constraint_rows() == 0 {
            step::reduced(self.tableau, system, from, h, to, None, None, workspace)
        } else {
            step::constrained(self.tableau, self.first_same_as_last, system, from, h, to, None, workspace)
        }
    }

    fn step_with_estimate(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        error: &mut LocalError<M>,
        workspace: &mut HalfExplicitWorkspace<M>,
    ) -> Result<(), StepError> {
        let Some(embedded) = &self.tableau.embedded else {
            return Err(StepError::no_estimate(self.tableau.id, from.time, h));
        };
        let estimate = Some((embedded.row, error));
        if system.constraint_rows() == 0 {
            step::reduced(self.tableau, system, from, h, to, None, estimate, workspace)
        } else {
            step::constrained(self.tableau, self.first_same_as_last, system, from, h, to, estimate, workspace)
        }
    }
}
