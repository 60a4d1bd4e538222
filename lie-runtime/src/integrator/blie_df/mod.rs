//! BLieDF: backward differentiation formulas on Lie groups, k = 1 … 4 (Wieloch and Arnold 2021).
//!
//! In canonical coordinates around the last configuration, q(t) = q_n exp(ψ(t)), the motion is a smooth curve in a vector
//! space, with ψ' = T(ψ)⁻¹ v. The k-step formula with the coefficients α_i, applied to ψ at t_{n+1}, reads
//!
//! ```text
//! v_{n+1} = T(θ) (1/h) Σ α_i ψ_{n+1−i} + O(hᵏ) = (α_0 θ + T(θ) c) / h + O(hᵏ),      q_{n+1} = q_n exp(θ),
//! c = Σ_{i=2}^k α_i ψ_{n+1−i},
//! ```
//!
//! for ψ_{n+1} = θ, T(θ) θ = θ and ψ_n = 0. As c = O(h), T may be taken at any θ* = θ + O(hᵏ): at the value that the
//! increments of the last k − 1 steps extrapolate to. The relation of v_{n+1} and θ is then linear,
//!
//! ```text
//! h v_{n+1} = α_0 θ + T(θ*) c,          h v'_{n+1} = Σ α_i v_{n+1−i},
//! M v'_{n+1} = −g − Bᵀ λ_{n+1},         Φ(t_{n+1}, q_{n+1}) = 0,          B v_{n+1} + b = 0 in rows of velocity constraints.
//! ```
//!
//! For k = 1 the relation is θ = h v_{n+1}. For k = 2, where θ* is the last increment and T(θ*) θ* = θ*, the relation is the published
//! formula (3/2) θ_n − (1/2) θ_{n−1} = h v_{n+1}. For k ≥ 3, T(θ*) c contains commutators; a formula for vector spaces without them has
//! order 2 on a group.
//!
//! The stabilised index-2 formulation has (α_0 θ + T(θ*) c) / h = v_{n+1} − B(q_n)ᵀ η and all constraints at both levels,
//! after Gear, Gupta and Leimkuhler.
//!
//! Steps must have equal size; another size is a [`StepFailure::VariableStep`](super::StepFailure::VariableStep). Each of the first k − 1
//! steps consists of four steps of [`hedop5`](super::HalfExplicit::hedop5). For stiff motions, [`TrBdf2`] with extrapolation
//! makes these steps, with λ of second order. The index-3 formulation has errors O(h^{k−1}) in λ during k steps after the start, because
//! exact starting values differ from the values of the method. The stabilised formulation does not have these errors. The coordinates ψ of
//! the points before q_n are sums of the increments θ of the steps, not logarithms of configurations. They include full rotations.
//!
//! A state [stores](super::MethodHistory) the previous steps, so that a run that continues from it equals a run without an interruption.
//! From a state that was changed in between, the method makes its first steps again.

mod coefficients;
pub(crate) mod history;
mod method;
mod sample;
pub(crate) mod start;
pub(crate) mod step;
mod workspace;

pub use coefficients::BdfCoefficients;
#[doc(hidden)]
pub use coefficients::{FORMULAS, MAX_STEPS};
pub use method::{BLieDF, BLieDFOptions};
#[doc(hidden)]
pub use workspace::BLieDFWorkspace;

use super::{EnergyBehaviour, HalfExplicit, Integrator, State, StepError, TrBdf2};
use crate::system::Linearised;

impl<M: Linearised> Integrator<M> for BLieDF {
    type Workspace = BLieDFWorkspace<M>;

    fn id(&self) -> &'static str {
        BLieDF::id(self)
    }

    fn order(&self) -> usize {
        self.coefficients.steps
    }

    fn energy_behaviour(&self) -> EnergyBehaviour {
        EnergyBehaviour::Decays
    }

    fn workspace(&self, system: &M, state: &State<M>) -> BLieDFWorkspace<M> {
        BLieDFWorkspace::of(system, state, &self.options)
    }

    fn linear_solves(&self, workspace: &BLieDFWorkspace<M>) -> u64 {
        let stiff = workspace.stiff_starter.as_ref();
        workspace.iteration.stage.newton.iterations
            + HalfExplicit::hedop5().linear_solves(&workspace.starter)
            + stiff.map_or(0, |starter| TrBdf2::new().linear_solves(starter))
    }

    fn newton_iterations(&self, workspace: &BLieDFWorkspace<M>) -> Option<f64> {
        Some(workspace.iteration.stage.newton.iterations as f64 / workspace.iteration.steps.max(1) as f64)
    }

    fn start(&self, system: &M, state: &mut State<M>, workspace: &mut BLieDFWorkspace<M>) -> Result<(), StepError> {
        let work = &mut workspace.iteration;
        let is_known = state.remembered(&self.owner(), system, &mut work.stage.buffers.theta).is_some();
        if is_known {
            // Either no first steps are needed any more, or the remaining ones start from the current v'.
            return Ok(());
        }
        state.memory.forget();
        history::make_room(system, self.coefficients.steps, state);
        HalfExplicit::hedop5().start(system, state, &mut workspace.starter)
    }

    #[inline]
    fn step(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        workspace: &mut BLieDFWorkspace<M>,
    ) -> Result<(), StepError> {
        let (owner, k) = (self.owner(), self.coefficients.steps);
        let count = history::count(&owner, from, h)?;
        if count + 1 < k {
            workspace.start(system, from, h, to)?;
        } else {
            step::attempt(self, system, from, h, to, workspace)?;
        }
        history::advance(owner, system, (from, count), h, &workspace.iteration.stage.buffers.theta, k, to);
        Ok(())
    }

    /// Interpolates between steps with the polynomial in canonical coordinates through the last k + 1 states and projects q onto the
    /// constraint manifold. The result has the order of the method in q, v and λ.
    fn sample(
        &self,
        system: &M,
        from: &State<M>,
        to: &State<M>,
        time: f64,
        out: &mut State<M>,
        workspace: &mut BLieDFWorkspace<M>,
    ) -> Result<(), StepError> {
        let memory = to.memory_of(&self.owner());
        if memory.is_none_or(|memory| memory.count() < self.coefficients.steps) {
            return workspace.start(system, from, time - from.time, out);
        }
        sample::interpolate(self, system, to, time, out, workspace)
    }
}
