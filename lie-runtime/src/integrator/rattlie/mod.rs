//! RATTLie: the RATTLE method on Lie groups (Hante and Arnold 2021), variational and symmetric, of order 2.
//!
//! The discrete Lagrangian (h/2) (L(q_n, Δ) + L(q_{n+1}, Δ)) of L = ½ vᵀ M(q) v − V(q), with q_{n+1} = q_n exp(θ), θ = h Δ, is varied
//! with q_n exp(ε w_n~): from T(θ) δθ = w_{n+1} − Ad_{exp(−θ)} w_n and T(θ)⁻¹ Ad_{exp(−θ)} = T(−θ)⁻¹,
//!
//! ```text
//! δθ = T(θ)⁻¹ w_{n+1} − T(−θ)⁻¹ w_n,
//! ```
//!
//! so that the momenta M v at both ends of a step are, with forces and reactions by the trapezoidal rule and with M̄ the mean of M(q_n)
//! and M(q_{n+1}),
//!
//! ```text
//! T(−θ)⁻ᵀ M̄ Δ            = M(q_n) v_n + (h/2) (G_n − B(q_n)ᵀ λ⁺_n),                      Φ(t_{n+1}, q_{n+1}) = 0,
//! M(q_{n+1}) v_{n+1}     = T(θ)⁻ᵀ M̄ Δ + (h/2) (G_{n+1} − B(q_{n+1})ᵀ λ⁻_{n+1}),         B(q_{n+1}) v_{n+1} + b = 0.
//! ```
//!
//! Newton's iteration solves for θ and λ⁺, one linear system gives λ⁻. G contains the forces and ∂/∂q of the kinetic energy. In the rate (M
//! v)' = ad_vᵀ M v + G, θ accounts for the Euler-Poincaré term, so that G(t, q, v) = −g − ad_vᵀ M v + Ṁ v.
//!
//! * If M is constant in the declared velocities, G is the force F. Forces F(t, q, v) that depend on the velocity are evaluated at v_n and
//!   at v_{n+1}.
//! * If M depends on q, as in joint coordinates, both momenta contain ∂/∂q of ½ Δᵀ M Δ. G, including the forces, is evaluated at (q_n, Δ)
//!   and at (q_{n+1}, Δ) after Lagrange and d'Alembert. Dual numbers give Ṁ v ([`MomentumRate`]).
//!
//! In both cases an exchange of the ends and of the sign of h gives the same equations. The method is therefore symmetric, also for forces
//! that depend on the velocity and for parts of L that are linear in the velocity. It is variational only without them. Velocity
//! constraints are satisfied by v_{n+1}, and by Δ in the symmetric form ½ (B(q_n) + B(q_{n+1})) Δ + ½ (b_n + b_{n+1}) = 0, a discretisation
//! after Lagrange and d'Alembert.
//!
//! λ of a state is the multiplier of the index-1 system, of order 2 like q and v, which satisfy the constraints at both levels. The matrix
//! of the iteration is M + (h/2) C(v = Δ), which equals the derivative of T(−θ)⁻ᵀ M θ up to O(|θ|²). It is formed once per step, and
//! corrections shrink by about |θ|² / 12. If M depends on q, the derivative contains M(q_n) instead of M(q_{n+1}). For systems without
//! constraints, the matrix is therefore formed at q_n with the same accuracy. For systems with constraints, the rows are taken at q_{n+1},
//! and corrections shrink by about |θ|. A step of negative size reverses the previous step.

mod method;
mod momenta;
mod options;
mod step;
mod velocity;
mod workspace;

pub use method::Rattlie;
pub(crate) use method::matrix_is_of_start;
pub use options::RattlieOptions;
#[doc(hidden)]
pub use workspace::RattlieWorkspace;

use super::{EnergyBehaviour, Integrator, State, StepError};
use crate::group::TangentVector;
use crate::system::{KktError, Linearised, MomentumRate};

impl<M: Linearised + MomentumRate> Integrator<M> for Rattlie {
    type Workspace = RattlieWorkspace<M>;

    fn id(&self) -> &'static str {
        Self::ID
    }

    fn order(&self) -> usize {
        2
    }

    fn energy_behaviour(&self) -> EnergyBehaviour {
        EnergyBehaviour::StaysNear
    }

    fn workspace(&self, system: &M, state: &State<M>) -> RattlieWorkspace<M> {
        RattlieWorkspace::of(system, &state.configuration, &self.options)
    }

    fn linear_solves(&self, workspace: &RattlieWorkspace<M>) -> u64 {
        workspace.newton.iterations + workspace.buffers.solves
    }

    fn newton_iterations(&self, workspace: &RattlieWorkspace<M>) -> Option<f64> {
        Some(workspace.newton.iterations as f64 / workspace.steps.max(1) as f64)
    }

    fn start(&self, system: &M, state: &mut State<M>, workspace: &mut RattlieWorkspace<M>) -> Result<(), StepError> {
        StepError::check(system, state)?;
        workspace.buffers.inertia.forget();
        let failed = |error, state: &State<M>| StepError::of_kkt(error, system, state, 0.0);
        step::complete_first(system, state, &mut workspace.buffers).map_err(|error| failed(error, state))?;
        if state.acceleration.all_finite() { Ok(()) } else { Err(failed(KktError::NotFinite, state)) }
    }

    #[inline]
    fn step(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        workspace: &mut RattlieWorkspace<M>,
    ) -> Result<(), StepError> {
        step::attempt(self, system, from, h, to, workspace)
    }
}
