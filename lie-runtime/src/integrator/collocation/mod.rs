//! Collocation on Lie groups: Gauss and Radau IIA methods of one to three stages (Munthe-Kaas 1999; Hairer, Lubich, Roche 1989).
//!
//! In canonical coordinates about the start of a step, q(t) = q_n exp(Θ(t)), the motion is a curve in a vector space with Θ' = T(Θ)⁻¹ v. An
//! implicit Runge-Kutta method applies without a change:
//!
//! ```text
//! Θ_i = h Σ a_ij Y_j,    Y_i = T(Θ_i)⁻¹ V_i,       V_i = v_n + h Σ a_ij A_j,       M A_i + g(t_i, Q_i, V_i) + Bᵀ Λ_i = 0.
//! ```
//!
//! The matrix (a_ij) is regular, so that the increments Θ_i determine all values of a stage. For (ω_ij) = (a_ij)⁻¹ and d = ωᵀ b,
//!
//! ```text
//! h Y_i = Σ ω_ij Θ_j,    V_i = T(Θ_i) Y_i,    h A_i = Σ ω_ij (V_j − v_n),
//! q_{n+1} = q_n exp(Σ d_i Θ_i),               v_{n+1} = v_n + Σ d_i (V_i − v_n),
//! ```
//!
//! Newton's iteration has the unknowns x_i = δΘ_i and λ̂_i = h² δΛ_i. Its scaling equals the scaling of a [single
//! stage](crate::system::IterationPoint). For P_i δ = T'(Θ_i)\[δ\] h Y_i, its exact matrix is
//!
//! ```text
//! h δV_i = Σ_j G_ij x_j,     G_ij = ω_ij T(Θ_i) + δ_ij P_i,         h² δA_i = Σ_j D_ij x_j,     D = ω G,
//! Σ_j (M D_ij + h C G_ij + δ_ij h² K T(Θ_i)) x_j + Bᵀ λ̂_i = −h² r_i,
//! ```
//!
//! and each stage satisfies one of
//!
//! ```text
//! B T(Θ_i) x_i = −Φ(t_i, Q_i)                                        index 3, positions
//! Σ_j (B G_ij + δ_ij h H T(Θ_i)) x_j = −h (B V_i + b),               index 2, velocities
//! ```
//!
//! **Constraints.** Radau IIA is stiffly accurate: the last stage is the end of the step, including λ. The methods `radau_iia1` to
//! `radau_iia5` satisfy B v + b = 0 to round-off. Errors of Φ = 0 have the order of the method and accumulate slowly. The order is 2s − 1
//! for q and v and s for λ. The `…_index3` methods satisfy Φ = 0 to round-off and B v + b = 0 up to O(hˢ). Their order is 2s − 1 for q, s
//! for v and s − 1 for λ (Hairer, Lubich, Roche 1989). For s = 1 and equal steps, λ has order 1 from the second step on. All Radau IIA
//! methods satisfy velocity constraints at velocity level. The end of a Gauss step is not a stage; Gauss methods are for systems without
//! constraints. They conserve invariants that are quadratic in v, such as the energy and the squared angular momentum of a free body.
//!
//! If the declaration admits [redundant](crate::system::Redundancy) constraints, a row without a gradient does not act, and its multiplier is
//! zero. All other rows must be linearly independent, except for an instant.
//!
//! One dense linear system determines all stages. It has at most [`MOST_UNKNOWNS`] unknowns; a larger system is a
//! [`StepFailure::NotApplicable`]. A method is a [tableau](super::tableau) and an entry of [`METHODS`].
//!
//! ```
//! use lie_runtime::integrator::Collocation;
//! use lie_runtime::integrator::collocation::CollocationOptions;
//!
//! let method = Collocation::radau_iia5().with_options(CollocationOptions::default().tolerance(1e-10))?;
//! assert_ne!(method, Collocation::radau_iia5());
//! # Ok::<(), lie_runtime::integrator::ParameterError>(())
//! ```

pub(crate) mod matrix;
mod method;
mod methods;
pub(crate) mod step;
mod workspace;

pub use method::{Collocation, CollocationOptions};
pub use methods::CollocationMethod;
#[doc(hidden)]
pub use methods::{Level, METHODS};
pub(crate) use workspace::CollocationStep;
#[doc(hidden)]
pub use workspace::CollocationWorkspace;
#[doc(hidden)]
pub use workspace::MOST_UNKNOWNS;

use super::{EnergyBehaviour, Integrator, State, StepCost, StepError, StepFailure, accelerations};
use crate::scalar::Scalar;
use crate::solve::lost_pivot;
use crate::system::{Linearised, smallest_singular_value_of_acting_rows};

impl Collocation {
    fn check<M: Linearised>(&self, workspace: &CollocationWorkspace<M>, time: f64, h: f64) -> Result<(), StepError> {
        workspace.refusal.map_or(Ok(()), |requirement| Err(self.refused(requirement, time, h)))
    }

    fn refused(&self, requirement: &'static str, time: f64, step: f64) -> StepError {
        StepError { time, step, failure: StepFailure::NotApplicable { method: self.method.id, requirement } }
    }

    /// Returns an error for constraint rows that are linearly dependent for longer than an instant. The matrix of the stages is singular
    /// there, except for rows of zeros, which do not act. If dependent rows were allowed, the method that crosses singular configurations would make every step.
    fn ensure_independent_rows<M: Linearised>(
        &self,
        system: &M,
        state: &State<M>,
        workspace: &mut CollocationWorkspace<M>,
    ) -> Result<(), StepError> {
        if !system.has_least_norm() || system.constraint_rows() == 0 {
            return Ok(());
        }
        let t = M::Scalar::from_f64(state.time);
        let smallest = smallest_singular_value_of_acting_rows(system, t, &state.configuration)
            .map_err(|error| StepError::of_kkt(error, system, state, 0.0))?;
        let is_dependent = smallest < lost_pivot::<M::Scalar>().sqrt();
        let before = core::mem::replace(&mut workspace.dependent_at, is_dependent.then_some(state.time));
        match before {
            Some(time) if is_dependent && time != state.time => Err(self.refused(INDEPENDENT_ROWS, state.time, 0.0)),
            _ => Ok(()),
        }
    }
}

/// The approximate number of Newton iterations of a step.
const ITERATIONS: f64 = 4.0;
/// The requirement that constraint rows are linearly independent except at an instant.
const INDEPENDENT_ROWS: &str =
    "linearly independent constraints (use `lie_alpha` or `tr_bdf2` for redundant constraints)";

impl<M: Linearised> Integrator<M> for Collocation {
    type Workspace = CollocationWorkspace<M>;

    fn id(&self) -> &'static str {
        self.method.id
    }

    fn order(&self) -> usize {
        self.method.order
    }

    fn energy_behaviour(&self) -> EnergyBehaviour {
        match self.method.level {
            Level::Unconstrained => EnergyBehaviour::Drifts,
            Level::Velocities | Level::Positions => EnergyBehaviour::Decays,
        }
    }

    fn workspace(&self, system: &M, state: &State<M>) -> CollocationWorkspace<M> {
        CollocationWorkspace::of(system, state, self)
    }

    /// Operations for one triangular factorisation of the matrix of all stages in each iteration.
    fn step_cost(&self, system: &M, _: &State<M>) -> Option<StepCost> {
        let unknowns = self.method.tableau.stages() * (system.dof() + system.constraint_rows());
        let operations = ITERATIONS * 2.0 / 3.0 * (unknowns as f64).powi(3);
        Some(StepCost { operations, unknowns, instead: "tr_bdf2" })
    }

    fn linear_solves(&self, workspace: &CollocationWorkspace<M>) -> u64 {
        workspace.newton.iterations
    }

    fn newton_iterations(&self, workspace: &CollocationWorkspace<M>) -> Option<f64> {
        Some(workspace.newton.iterations as f64 / workspace.steps.max(1) as f64)
    }

    fn start(
        &self,
        system: &M,
        state: &mut State<M>,
        workspace: &mut CollocationWorkspace<M>,
    ) -> Result<(), StepError> {
        self.check(workspace, state.time, 0.0)?;
        StepError::check(system, state)?;
        self.ensure_independent_rows(system, state, workspace)?;
        workspace.inertia.forget();
        workspace.complete(system, state, 0.0)
    }

    #[inline]
    fn step(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        workspace: &mut CollocationWorkspace<M>,
    ) -> Result<(), StepError> {
        self.check(workspace, from.time, h)?;
        step::attempt(self, system, from, h, to, workspace)
    }
}

impl<M: Linearised> CollocationWorkspace<M> {
    /// Computes v' of a state from its λ.
    fn complete(&mut self, system: &M, state: &mut State<M>, h: f64) -> Result<(), StepError> {
        let CollocationWorkspace { buffers, inertia, at_end, .. } = self;
        accelerations::from_multipliers(system, state, h, inertia, at_end, &mut buffers.image)
    }
}
