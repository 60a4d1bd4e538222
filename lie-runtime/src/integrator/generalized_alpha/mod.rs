//! The generalized-α Lie group method (paper 2, section 4).
//!
//! ```text
//! M(q_{n+1}) v'_{n+1} = −g − B(q_{n+1})ᵀ λ_{n+1},      Φ(q_{n+1}) = 0                                    (27), (28)
//! q_{n+1} = q_n exp(h Δq_n),    Δq_n = v_n + (1/2 − β) h a_n + β h a_{n+1}                               (29), (30)
//! v_{n+1} = v_n + (1 − γ) h a_n + γ h a_{n+1}                                                                  (31)
//! (1 − α_m) a_{n+1} + α_m a_n = (1 − α_f) v'_{n+1} + α_f v'_n                                                  (32)
//! ```
//!
//! Velocity constraints are satisfied as B v_{n+1} + b = 0. The stabilised index-2 formulation also satisfies the holonomic rows at this
//! level. A further multiplier η gives Δq_n the necessary freedom,
//!
//! ```text
//! Δq_n = v_n − B(q_n)ᵀ η_n + (1/2 − β) h a_n + β h a_{n+1},      B(q_{n+1}) v_{n+1} + b(t_{n+1}, q_{n+1}) = 0,
//! ```
//!
//! the discretisation of q' = q (v − Bᵀ η)~ (Gear, Gupta, Leimkuhler; Arnold, Brüls, Cardona 2015).
//!
//! An updated Lagrangian method (section 6) makes the same step in local coordinates x of q = q_n ∘ μ(x), which restart at every step: eqs.
//! (30)-(32) for x, x' and x'', then
//!
//! ```text
//! v_{n+1} = T(x) x',    v'_{n+1} = T(x) x'' + T'(x, x') x',    a_{n+1} = T(x) a₁ + T'(x, x') x'.           (74)-(76)
//! ```
//!
//! μ is a [`CoordinateMap`](crate::group::CoordinateMap), which is data.
//!
//! A step is solved by Newton's method with the exact matrix (34), in unknowns whose matrix has a limit for h → 0 (see
//! [`IterationPoint`](crate::system::IterationPoint)). For small systems without `Vec`, the compiler generates the elimination, and a step
//! costs little more than with one matrix for several corrections. For chains, one matrix for several corrections is cheaper and usually
//! sufficient (see [`NewtonUpdate`]). Between steps a state [stores](super::MethodHistory) (a − v') / h, which tends to (α_m − α_f) v''. A
//! step of another size then starts from a_n = v'_n + h (a − v') / h, of second order for any sequence of sizes.
//!
//! ```
//! use lie_runtime::integrator::GeneralizedAlpha;
//! use lie_runtime::integrator::generalized_alpha::Parameters;
//!
//! let method = GeneralizedAlpha::index3(Parameters::chung_hulbert(0.9)?);
//! assert_eq!(method.parameters().order(), 2);
//! # Ok::<(), lie_runtime::integrator::ParameterError>(())
//! ```

pub(crate) mod damped;
mod estimate;
mod method;
mod options;
mod parameters;
pub(crate) mod start;
pub(crate) mod step;
pub(crate) mod workspace;

pub use method::GeneralizedAlpha;
#[doc(hidden)]
pub use options::METHODS;
pub use options::{
    Formulation, GeneralizedAlphaMethod, GeneralizedAlphaOptions, GeneralizedAlphaPredictor, NewtonUpdate,
    StartingValues,
};
pub use parameters::Parameters;
#[doc(hidden)]
pub use workspace::GeneralizedAlphaWorkspace;

use super::implicit::IterateBuffers;
use super::{EnergyBehaviour, Integrator, LocalError, State, StepError, accelerations};
use crate::system::Linearised;
use method::VECTORS;
use workspace::Attempt;

impl GeneralizedAlpha {
    /// Repeats a failed step in 2, 4, … parts.
    #[cold]
    #[inline(never)]
    fn step_in_parts<M: Linearised>(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        workspace: &mut GeneralizedAlphaWorkspace<M>,
        mut failed: StepError,
    ) -> Result<(), StepError> {
        let GeneralizedAlphaWorkspace { attempt, parts: [current, next] } = workspace;
        for halvings in 1..=self.options.maximum_halvings {
            let parts = 2_u32.pow(halvings);
            let part = h / f64::from(parts);
            current.clone_from(from);
            let mut outcome = Ok(());
            for n in 1..=parts {
                outcome = step::attempt(self, system, current, part, next, attempt);
                if outcome.is_err() {
                    break;
                }
                next.time = from.time + f64::from(n) * part;
                core::mem::swap(current, next);
            }
            match outcome {
                Ok(()) => {
                    to.clone_from(current);
                    to.time = from.time + h;
                    return Ok(());
                }
                Err(error) if error.failure.may_pass_with_smaller_step() => failed = error,
                Err(error) => return Err(error),
            }
        }
        Err(failed)
    }
}

impl<M: Linearised> Integrator<M> for GeneralizedAlpha {
    type Workspace = GeneralizedAlphaWorkspace<M>;

    fn id(&self) -> &'static str {
        GeneralizedAlpha::id(self)
    }

    fn order(&self) -> usize {
        self.parameters.order()
    }

    fn energy_behaviour(&self) -> EnergyBehaviour {
        if self.parameters.gamma > 0.5 { EnergyBehaviour::Decays } else { EnergyBehaviour::Drifts }
    }

    fn estimate_order(&self) -> Option<usize> {
        Some(self.parameters.order())
    }

    fn workspace(&self, system: &M, state: &State<M>) -> GeneralizedAlphaWorkspace<M> {
        GeneralizedAlphaWorkspace::of(system, state, &self.options)
    }

    fn linear_solves(&self, workspace: &GeneralizedAlphaWorkspace<M>) -> u64 {
        let Attempt { stage, damped, other_solves, .. } = &workspace.attempt;
        let in_parts =
            damped.as_ref().map_or(0, |damped| Integrator::<M>::linear_solves(&damped::method(), &damped.workspace));
        stage.newton.iterations + in_parts + other_solves
    }

    fn newton_iterations(&self, workspace: &GeneralizedAlphaWorkspace<M>) -> Option<f64> {
        let Attempt { stage, steps, .. } = &workspace.attempt;
        Some(stage.newton.iterations as f64 / (*steps).max(1) as f64)
    }

    fn start(
        &self,
        system: &M,
        state: &mut State<M>,
        workspace: &mut GeneralizedAlphaWorkspace<M>,
    ) -> Result<(), StepError> {
        StepError::check(system, state)?;
        self.check().map_err(|error| StepError::of_parameter(error, state.time))?;
        let Attempt { stage, inertia, at_probe, .. } = &mut workspace.attempt;
        stage.newton.forget();
        inertia.forget();
        let IterateBuffers { theta, reaction, .. } = &mut stage.buffers;
        let is_known = state.remembered(&self.owner(), system, theta).is_some();
        if is_known {
            return Ok(());
        }
        state.memory.forget();
        state.memory.make_room(system, &state.configuration, VECTORS, 0);
        accelerations::from_multipliers(system, state, 0.0, inertia, at_probe, reaction)
    }

    #[inline]
    fn step(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        workspace: &mut GeneralizedAlphaWorkspace<M>,
    ) -> Result<(), StepError> {
        match step::attempt(self, system, from, h, to, &mut workspace.attempt) {
            Err(error) if error.failure.may_pass_with_smaller_step() => {
                self.step_in_parts(system, from, h, to, workspace, error)
            }
            outcome => outcome,
        }
    }

    fn step_with_estimate(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        error: &mut LocalError<M>,
        workspace: &mut GeneralizedAlphaWorkspace<M>,
    ) -> Result<(), StepError> {
        let work = &mut workspace.attempt;
        step::attempt_usual(self, system, from, h, to, work)?;
        estimate::estimate(self, system, from, h, to, error, work)
            .map_err(|error| StepError::of_kkt(error, system, from, h))
    }
}
