//! Collocation on Lie groups: Gauss and Radau IIA methods of one to three stages (Munthe-Kaas 1999; Hairer, Lubich, Roche 1989).
//!
//! In canonical coordinates about the start of a step, q(t) = q_n exp(Θ(t)), the motion is one of a vector space,
//! Θ' = T(Θ)⁻¹ v, to which an implicit Runge-Kutta method applies as it is:
//!
//! ```text
//! Θ_i = h Σ a_ij Y_j,    Y_i = T(Θ_i)⁻¹ V_i,       V_i = v_n + h Σ a_ij A_j,       M A_i + g(t_i, Q_i, V_i) + Bᵀ Λ_i = 0.
//! ```
//!
//! As (a_ij) is regular all of a stage follows from the increments Θ_i alone. With (ω_ij) = (a_ij)⁻¹ and d = ωᵀ b,
//!
//! ```text
//! h Y_i = Σ ω_ij Θ_j,    V_i = T(Θ_i) Y_i,    h A_i = Σ ω_ij (V_j − v_n),
//! q_{n+1} = q_n exp(Σ d_i Θ_i),               v_{n+1} = v_n + Σ d_i (V_i − v_n),
//! ```
//!
//! so that Newton's iteration has the unknowns x_i = δΘ_i and λ̂_i = h² δΛ_i. It is scaled like that of a
//! [single stage](crate::system::IterationPoint), its exact matrix, with P_i δ = T'(Θ_i)\[δ\] h Y_i, is
//!
//! ```text
//! h δV_i = Σ_j G_ij x_j,     G_ij = ω_ij T(Θ_i) + δ_ij P_i,         h² δA_i = Σ_j D_ij x_j,     D = ω G,
//! Σ_j (M D_ij + h C G_ij + δ_ij h² K T(Θ_i)) x_j + Bᵀ λ̂_i = −h² r_i,
//! ```
//!
//! and the constraints of a stage are one of
//!
//! ```text
//! B T(Θ_i) x_i = −Φ(t_i, Q_i)                                        index 3, positions
//! Σ_j (B G_ij + δ_ij h H T(Θ_i)) x_j = −h (B V_i + b),               index 2, velocities
//! ```
//!
//! **What holds of constraints.** Radau IIA is stiffly accurate: the last stage is the end of the step, with its λ.
//! `radau_iia1` to `radau_iia5` meet B v + b = 0 to round-off, and Φ = 0 up to errors of the order of the method that
//! add up slowly; q and v are of order 2s − 1, λ of order s. Those named `…_index3` meet Φ = 0 to round-off and
//! B v + b = 0 up to O(hˢ); q is of order 2s − 1, v of order s, λ of order s − 1 (Hairer, Lubich, Roche 1989), for s = 1
//! of order 1 where steps are equal, from the second one on. Velocity constraints are met as such by both. The end of a
//! Gauss step is no stage: these methods are for systems without constraints, and there keep invariants that are
//! quadratic in v, such as the energy and the squared angular momentum of a free body.
//!
//! The stages are solved for together, by one dense matrix: at most [`MOST_UNKNOWNS`] unknowns, more is a
//! [`StepFailure::NotApplicable`]. A method is a [tableau](super::tableau) and a line in
//! [`METHODS`].
//!
//! ```
//! use lie_runtime::integrator::Collocation;
//!
//! assert_eq!(Collocation::by_id("gauss6"), Some(Collocation::gauss6()));
//! assert_eq!(Collocation::radau_iia5().method().order, 5);
//! ```

pub(crate) mod matrix;
mod methods;
pub(crate) mod step;
mod workspace;

pub use methods::{Level, METHODS, Method};
pub use workspace::{MOST_UNKNOWNS, Workspace};

use super::{EnergyBehaviour, Integrator, ParameterError, State, StepCost, StepError, StepFailure, accelerations};
use crate::scalar::Scalar;
use crate::solve::lost_pivot;
use crate::system::{Linearised, smallest_singular_value};

/// A collocation method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collocation {
    method: &'static Method,
    options: Options,
}

/// When Newton's iteration ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The residuals have to fall to this multiple of the forces of the step, the constraints to this multiple of
    /// h² ‖v'‖; 1e-12 by default. Corrections at the level of round-off end the iteration as well.
    pub tolerance: f64,
    /// Iterations before a step is given up, 20 by default.
    pub maximum_iterations: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { tolerance: 1e-12, maximum_iterations: 20 }
    }
}

impl Collocation {
    fn listed(method: &'static Method) -> Self {
        Collocation { method, options: Options::default() }
    }

    named! {
        /// Gauss, one stage: the implicit midpoint rule.
        gauss2: methods::GAUSS_ONE;
        /// Gauss, two stages, of order 4.
        gauss4: methods::GAUSS_TWO;
        /// Gauss, three stages, of order 6.
        gauss6: methods::GAUSS_THREE;
        /// Radau IIA, one stage: backward Euler.
        radau_iia1: methods::RADAU_ONE;
        /// Radau IIA, two stages, of order 3.
        radau_iia3: methods::RADAU_TWO;
        /// Radau IIA, three stages, of order 5.
        radau_iia5: methods::RADAU_THREE;
        /// Radau IIA, one stage, of index 3.
        radau_iia1_index3: methods::RADAU_ONE_INDEX_3;
        /// Radau IIA, two stages, of index 3.
        radau_iia3_index3: methods::RADAU_TWO_INDEX_3;
        /// Radau IIA, three stages, of index 3.
        radau_iia5_index3: methods::RADAU_THREE_INDEX_3;
    }

    /// All methods.
    pub fn all() -> impl Iterator<Item = Self> {
        METHODS.iter().map(Self::listed)
    }

    /// The method with that identifier; `None` if there is none among [`METHODS`].
    pub fn by_id(id: &str) -> Option<Self> {
        METHODS.iter().find(|method| method.id == id).map(Self::listed)
    }

    /// The same method with other choices.
    ///
    /// # Errors
    /// [`ParameterError`] if one is out of its range.
    pub fn with_options(self, options: Options) -> Result<Self, ParameterError> {
        ParameterError::check_iteration(self.method.id, options.tolerance, options.maximum_iterations)?;
        Ok(Collocation { options, ..self })
    }

    /// The method as data.
    pub fn method(&self) -> &'static Method {
        self.method
    }

    /// The choices.
    pub fn options(&self) -> &Options {
        &self.options
    }

    fn check<M: Linearised>(&self, workspace: &Workspace<M>, time: f64, h: f64) -> Result<(), StepError> {
        workspace.refusal.map_or(Ok(()), |requirement| Err(self.refused(requirement, time, h)))
    }

    fn refused(&self, requirement: &'static str, time: f64, step: f64) -> StepError {
        StepError { time, step, failure: StepFailure::NotApplicable { method: self.method.id, requirement } }
    }

    /// Refuses rows that depend on one another for longer than a moment. The matrix of the stages is singular there; where such rows are allowed,
    /// what passes through a moment would make every step, and none of them was of this method.
    fn ensure_independent_rows<M: Linearised>(
        &self,
        system: &M,
        state: &State<M>,
        workspace: &mut Workspace<M>,
    ) -> Result<(), StepError> {
        if const { !M::REDUNDANCY.is_minimum_norm() } || system.constraint_rows() == 0 {
            return Ok(());
        }
        let smallest = smallest_singular_value(system, M::Scalar::from_f64(state.time), &state.configuration)
            .map_err(|error| StepError::of_saddle(error, system, state, 0.0))?;
        let is_dependent = smallest < lost_pivot::<M::Scalar>().sqrt();
        let before = core::mem::replace(&mut workspace.dependent_at, is_dependent.then_some(state.time));
        match before {
            Some(time) if is_dependent && time != state.time => Err(self.refused(INDEPENDENT_ROWS, state.time, 0.0)),
            _ => Ok(()),
        }
    }
}

/// Newton iterations of a step, in order of magnitude.
const ITERATIONS: f64 = 4.0;
/// What systems have whose rows do not depend on one another for longer than a moment.
const INDEPENDENT_ROWS: &str =
    "constraints that do not depend on one another (`lie_alpha` and `tr_bdf2` are for others as well)";

impl<M: Linearised> Integrator<M> for Collocation {
    type Workspace = Workspace<M>;

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

    fn workspace(&self, system: &M, state: &State<M>) -> Workspace<M> {
        Workspace::of(system, state, self)
    }

    /// Of the triangular factors of the matrix of all stages, one for each iteration.
    fn step_cost(&self, system: &M, _: &State<M>) -> Option<StepCost> {
        let unknowns = self.method.tableau.stages() * (system.dof() + system.constraint_rows());
        let operations = ITERATIONS * 2.0 / 3.0 * (unknowns as f64).powi(3);
        Some(StepCost { operations, unknowns, instead: "tr_bdf2" })
    }

    fn linear_solves(&self, workspace: &Workspace<M>) -> u64 {
        workspace.newton.iterations
    }

    fn newton_iterations(&self, workspace: &Workspace<M>) -> Option<f64> {
        Some(workspace.newton.iterations as f64 / workspace.steps.max(1) as f64)
    }

    fn start(&self, system: &M, state: &mut State<M>, workspace: &mut Workspace<M>) -> Result<(), StepError> {
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
        workspace: &mut Workspace<M>,
    ) -> Result<(), StepError> {
        self.check(workspace, from.time, h)?;
        step::attempt(self, system, from, h, to, workspace)
    }
}

impl<M: Linearised> Workspace<M> {
    /// v' of a state by its λ.
    fn complete(&mut self, system: &M, state: &mut State<M>, h: f64) -> Result<(), StepError> {
        let Workspace { buffers, inertia, at_end, .. } = self;
        accelerations::from_multipliers(system, state, h, inertia, at_end, &mut buffers.image)
    }
}
