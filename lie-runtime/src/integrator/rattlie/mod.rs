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
//! λ⁺ is found with θ by Newton's iteration, λ⁻ by one linear system. G are the forces and ∂/∂q of the kinetic energy, all that changes
//! a momentum (M v)' = ad_vᵀ M v + G but the Euler-Poincaré term, which θ stands for: G(t, q, v) = −g − ad_vᵀ M v + Ṁ v.
//!
//! * Where M is constant in the declared velocities, G is the force F. Forces F(t, q, v) that depend on the velocity are taken at v_n and
//!   at v_{n+1}.
//! * Where M depends on q, as in the coordinates of joints, ∂/∂q of ½ Δᵀ M Δ stands in both momenta: G is taken at (q_n, Δ) and at
//!   (q_{n+1}, Δ), with the forces in it, after Lagrange and d'Alembert; Ṁ v by dual numbers ([`MomentumRate`]).
//!
//! Exchanging the ends and the sign of h gives the same equations either way: the method stays symmetric with forces that depend on the
//! velocity, or parts of L that are linear in it, but it is variational without them only. Velocity constraints hold for v_{n+1}, and
//! for Δ in the symmetric form ½ (B(q_n) + B(q_{n+1})) Δ + ½ (b_n + b_{n+1}) = 0, a discretisation after Lagrange and d'Alembert.
//!
//! λ of a state is that of the index-1 system in it, of order 2 like q and v, which satisfy the constraints at both levels.
//! The matrix of the iteration is M + (h/2) C(v = Δ), which has the derivative of T(−θ)⁻ᵀ M θ up to O(|θ|²), and is formed
//! once a step: corrections shrink by about |θ|² / 12. Where M depends on q the derivative has M(q_n) in the place of M(q_{n+1}): without
//! constraints the matrix is formed at q_n, which leaves out as little; with them, whose rows are those of q_{n+1}, corrections shrink by
//! about |θ|. A step of negative size goes back where the method came from.

mod options;
mod step;
mod velocity;
mod workspace;

pub use options::Options;
pub use workspace::Workspace;

use super::{EnergyBehaviour, Integrator, ParameterError, State, StepError};
use crate::group::TangentVector;
use crate::system::{KktError, Linearised, MomentumRate};

/// True if the matrix of the iteration is that of the start of the step, as where M changes and no rows of q_{n+1} are in it.
pub(crate) fn matrix_is_of_start<M: Linearised>(system: &M) -> bool {
    !system.description().mass_is_constant && system.constraint_rows() == 0
}

/// The RATTLie method.
///
/// ```
/// use lie_runtime::integrator::Rattlie;
/// use lie_runtime::integrator::rattlie::Options;
///
/// let method = Rattlie::with_options(Options { tolerance: 1e-10, ..Options::default() })?;
/// assert_eq!(method.options().tolerance, 1e-10);
/// assert!(Rattlie::with_options(Options { tolerance: f64::NAN, ..Options::default() }).is_err());
/// # Ok::<(), lie_runtime::integrator::ParameterError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rattlie {
    options: Options,
}

impl Rattlie {
    /// The identifier.
    pub const ID: &'static str = "rattlie";

    /// The method with its default choices.
    pub fn new() -> Self {
        Self::default()
    }

    /// The method with these choices.
    ///
    /// # Errors
    /// [`ParameterError`] if one is out of its range.
    pub fn with_options(options: Options) -> Result<Self, ParameterError> {
        ParameterError::check_iteration(Self::ID, options.tolerance, options.maximum_iterations)?;
        Ok(Rattlie { options })
    }

    /// The choices.
    pub fn options(&self) -> &Options {
        &self.options
    }
}

impl<M: Linearised + MomentumRate> Integrator<M> for Rattlie {
    type Workspace = Workspace<M>;

    fn id(&self) -> &'static str {
        Self::ID
    }

    fn order(&self) -> usize {
        2
    }

    fn energy_behaviour(&self) -> EnergyBehaviour {
        EnergyBehaviour::StaysNear
    }

    fn workspace(&self, system: &M, state: &State<M>) -> Workspace<M> {
        Workspace::of(system, &state.configuration, &self.options)
    }

    fn linear_solves(&self, workspace: &Workspace<M>) -> u64 {
        workspace.newton.iterations + workspace.buffers.solves
    }

    fn newton_iterations(&self, workspace: &Workspace<M>) -> Option<f64> {
        Some(workspace.newton.iterations as f64 / workspace.steps.max(1) as f64)
    }

    fn start(&self, system: &M, state: &mut State<M>, workspace: &mut Workspace<M>) -> Result<(), StepError> {
        StepError::check(system, state)?;
        workspace.buffers.inertia.forget();
        let failed = |error, state: &State<M>| StepError::of_saddle(error, system, state, 0.0);
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
        workspace: &mut Workspace<M>,
    ) -> Result<(), StepError> {
        step::attempt(self, system, from, h, to, workspace)
    }
}
