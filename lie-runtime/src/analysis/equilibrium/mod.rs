//! Static equilibrium: Newton's iteration on the group with constraints.

pub(super) mod branch;
pub(super) mod continuation;
pub(super) mod error;
pub(super) mod load_steps;
pub(super) mod path;
pub(super) mod residual;
mod search;
mod static_state;
pub(super) mod tangent;

pub use branch::{Branch, BranchPoint, SpecialKind, SpecialPoint};
pub use continuation::Continuation;
pub use error::{EquilibriumError, ZeroStiffnessMode};
pub use load_steps::LoadSteps;
pub use static_state::StaticState;

use self::residual::not_finite;
use self::search::EquilibriumSearch;
use crate::analysis::first_order::set_states;
use crate::analysis::one_sided::law_violation;
use crate::group::TangentVector;
use crate::integrator::{State, StepFailure};
use crate::simulate::{ConsistencyError, ConsistentValues};
use crate::system::{Linearised, MechanicalSystem, ModelError};

/// The search for a static equilibrium: g(t, q, 0) + B(t, q)ᵀ λ = 0, Φ(t, q) = 0.
///
/// For a system with auxiliary states z, the unknowns are (q, z, λ), and z' = f(t, q, 0, z, u) = 0 is solved together with the balance of
/// forces.
///
/// Newton's iteration on the group with the exact tangent stiffness,
///
/// ```text
/// K_t y + Bᵀ δλ = −(g + Bᵀ λ),    B y = −Φ,    q ← q ∘ exp(y),    λ ← λ + δλ.
/// ```
///
/// The iteration uses full steps. A line search would fail for a slender rod. The straight displacement y of a rotating node stretches the
/// rod, which costs more energy than bending releases. The next iteration corrects the stretch. If corrections do not shrink, a homotopy
/// removes the initial residual in parts: r(q) = (1 − s) r(q₀) from s = 0 to s = 1. The first multipliers are the multipliers of a release
/// from rest at the start. The linear systems of chains have the band of implicit methods: O(N) per iteration.
///
/// The time is constant: loads and rheonomic constraints are evaluated at [`at_time`](Self::at_time). With velocity constraints, equilibria
/// are not isolated; the search uses admissible displacements from the start.
///
/// The equilibrium can be unstable, because a solution of these equations is not necessarily a minimum.
///
/// ```
/// use lie_runtime::analysis::Equilibrium;
/// use lie_runtime::prelude::*;
///
/// #[mechanical_system]
/// pub mod hanging_weight {
///     #[configuration]
///     pub struct Place { pub position: R3 }
///
///     #[kinetic_energy]
///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.position.norm_squared() }
///
///     #[potential]
///     fn weight(q: &Place) -> f64 { 9.81 * q.position.z }
///
///     /// A string of length 2.
///     #[constraint]
///     fn string(q: &Place) -> f64 { q.position.norm() - 2.0 }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let system = hanging_weight::System::new()?;
/// let aside = hanging_weight::Place { position: Vector3::new(0.5, 0.2, -1.5) };
/// let found = Equilibrium::of(&system).guess(aside).solve()?;
/// assert!((found.state.configuration.position - Vector3::new(0.0, 0.0, -2.0)).norm() < 1e-12);
/// // The string pulls upwards with the weight: −Bᵀ λ, with B along the string from the hook.
/// assert!((found.state.multipliers[0] - 9.81).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "static equilibrium")]
#[doc(alias = "statics")]
pub struct Equilibrium<'a, M: MechanicalSystem> {
    system: &'a M,
    start: Option<M::Configuration>,
    states: Option<M::Velocity>,
    multipliers: Option<M::Multipliers>,
    time: f64,
    tolerance: f64,
    maximum_iterations: usize,
}

impl<'a, M: Linearised<Scalar = f64>> Equilibrium<'a, M> {
    /// Creates a search for an equilibrium of this system.
    pub fn of(system: &'a M) -> Self {
        let (tolerance, maximum_iterations) = (1e-10, 500);
        Equilibrium { system, start: None, states: None, multipliers: None, time: 0.0, tolerance, maximum_iterations }
    }

    /// Sets the initial configuration, which is projected onto the constraint manifold.
    #[must_use]
    pub fn guess(mut self, q: impl Into<M::Configuration>) -> Self {
        self.start = Some(q.into());
        self
    }

    /// Sets the initial values of the auxiliary states to the states of this velocity, zero by default. The other components are not used.
    #[must_use]
    pub fn guess_states(mut self, v: impl Into<M::Velocity>) -> Self {
        self.states = Some(v.into());
        self
    }

    /// Starts from another equilibrium with its auxiliary states and multipliers.
    #[must_use]
    pub fn restart_from(mut self, known: &StaticState<M>) -> Self {
        self.start = Some(known.state.configuration.clone());
        self.states = Some(known.state.velocity.clone());
        self.multipliers = Some(known.state.multipliers.clone());
        self
    }

    /// Sets the time of loads and constraints, 0 by default.
    #[must_use]
    pub fn at_time(mut self, time: f64) -> Self {
        self.time = time;
        self
    }

    /// Sets the largest final correction in the units of q, 1e-10 by default. The correction of an auxiliary state z is relative to 1 + |z|.
    ///
    /// Convergence is quadratic: the error after the correction is about its square. A correction below 1e-6 of the total displacement that
    /// no longer shrinks counts as round-off.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Sets the maximum number of iterations, 500 by default.
    #[must_use]
    pub fn max_iterations(mut self, iterations: usize) -> Self {
        self.maximum_iterations = iterations;
        self
    }

    /// Runs the search.
    ///
    /// # Errors
    /// [`EquilibriumError`] for a start that does not fit, for an iteration without convergence (with the residual forces and constraints),
    /// or for directions without stiffness. [`EquilibriumError::Law`] for an equilibrium that violates the law of a contact, of a stop or of
    /// dry friction: the search does not change which of them are active.
    pub fn solve(self) -> Result<StaticState<M>, EquilibriumError> {
        let Equilibrium { system, start, states, multipliers, time, tolerance, maximum_iterations } = self;
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            return Err(EquilibriumError::Setting { option: "tolerance", value: tolerance });
        }
        let mut state = State::at_rest(system, time, start.ok_or(EquilibriumError::NoStart)?);
        if let Some(states) = &states {
            let (expected, given) = (system.dof(), states.component_count());
            if given != expected {
                let vector = "velocity";
                return Err(EquilibriumError::ForeignStart(ModelError::VectorLength { vector, expected, given }));
            }
            set_states(system, states, &mut state.velocity);
        }
        check(system, &state)?;
        let mut consistent = ConsistentValues::of(system);
        let mut projected = state.configuration.clone();
        match consistent.project_configuration(system, time, &mut projected) {
            Ok(_) => state.configuration = projected,
            // The iteration also satisfies constraints, in parts if necessary.
            Err(ConsistencyError::NotConverged { .. }) => {}
            Err(error) => return Err(EquilibriumError::Start(error)),
        }
        match multipliers {
            Some(multipliers) => state.multipliers = multipliers,
            None => {
                consistent.accelerations(system, &mut state).map_err(|error| match error {
                    ConsistencyError::Failed(StepFailure::NotFinite { .. }) => {
                        EquilibriumError::NotFinite { iterations: 0, quantity: not_finite(system, &state) }
                    }
                    error => EquilibriumError::Start(error),
                })?;
                state.acceleration.fill(0.0);
            }
        }
        ensure_rest(system, &state)?;
        let found = EquilibriumSearch::new(system, state, tolerance, maximum_iterations).run()?;
        law_violation(system, &found.state).map_or(Ok(found), |violation| Err(EquilibriumError::Law(violation)))
    }
}

/// Checks the requirements that do not depend on the search.
pub(super) fn check<M: Linearised<Scalar = f64>>(system: &M, state: &State<M>) -> Result<(), EquilibriumError> {
    if system.is_sliding() {
        return Err(EquilibriumError::Sliding);
    }
    state.check(system).map_err(EquilibriumError::ForeignStart)?;
    system.ensure_inputs(state.time, state.time).map_err(EquilibriumError::Inputs)?;
    let (t, q, v) = (state.time, &state.configuration, &state.velocity);
    system.ensure_finite_inputs(t, q, v).map_err(EquilibriumError::Inputs)?;
    system.check_against_declaration(t, q, v).map_err(EquilibriumError::Declaration)
}

/// Velocity constraints must not require a motion.
fn ensure_rest<M: Linearised<Scalar = f64>>(system: &M, state: &State<M>) -> Result<(), EquilibriumError> {
    let mut drift = system.zero_multipliers();
    system.constraint_drift(state.time, &state.configuration, &mut drift);
    let moving = (system.holonomic_rows()..system.constraint_rows()).find(|&row| drift.component(row).abs() > 1e-14);
    moving.map_or(Ok(()), |row| {
        let constraint = system.description().constraint_of_row(row);
        Err(EquilibriumError::NeverAtRest { constraint, row, rate: drift.component(row) })
    })
}
