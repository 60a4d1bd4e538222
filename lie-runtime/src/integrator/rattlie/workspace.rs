//! The buffers of a step.

use super::RattlieOptions;
use crate::integrator::implicit::{MatrixUpdate, NewtonIteration};
use crate::system::{Evaluation, IterationCorrection, IterationResidual, Linearised, MassFactorisation, MomentumRate};

/// The buffers of a step, for one system with fixed parameters; allocated once.
#[doc(hidden)]
pub struct RattlieWorkspace<M: Linearised + MomentumRate> {
    /// The iteration for θ and λ⁺, with one matrix per step.
    pub(super) newton: NewtonIteration,
    pub(super) buffers: RattlieBuffers<M>,
    pub(super) steps: u64,
}

/// The common data of the parts of a step.
pub(super) struct RattlieBuffers<M: Linearised + MomentumRate> {
    /// θ.
    pub theta: M::Velocity,
    /// −θ, then Δ.
    pub other: M::Velocity,
    /// h M v_n + (h²/2) F_n, or h M v_n where M depends on q; then T(θ)⁻ᵀ M̄ Δ.
    pub momentum: M::Velocity,
    /// M v and M θ.
    pub product: M::Velocity,
    pub force: M::Velocity,
    pub previous_force: M::Velocity,
    /// h² G(q_n, Δ).
    pub supply: M::Velocity,
    pub reaction: M::Velocity,
    /// (h²/2) λ⁺ and (h/2) λ⁻.
    pub impulses: [M::Multipliers; 2],
    pub drift: M::Multipliers,
    pub rate: M::Multipliers,
    /// B(q_n).
    pub start_jacobian: M::Jacobian,
    /// The end of the step: B is known before v_{n+1}, and v_{n+1} before −g.
    pub end: Evaluation<M>,
    pub residual: IterationResidual<M>,
    pub correction: IterationCorrection<M>,
    pub factorisation: M::Factorisation,
    pub inertia: MassFactorisation<M>,
    /// The buffers for rates of momenta, if M depends on q or t.
    pub rates: Option<M::Rates>,
    /// The number of linear systems outside the iterations.
    pub solves: u64,
}

impl<M: Linearised + MomentumRate> RattlieWorkspace<M> {
    /// θ, (h²/2) λ⁺ and (h/2) λ⁻ of the last step.
    pub(crate) fn found(&self) -> (&M::Velocity, &[M::Multipliers; 2]) {
        (&self.buffers.theta, &self.buffers.impulses)
    }

    /// Allocates the buffers.
    pub(super) fn of(system: &M, q: &M::Configuration, options: &RattlieOptions) -> Self {
        let (velocity, multipliers) = (|| system.zero_velocity(), || system.zero_multipliers());
        RattlieWorkspace {
            newton: NewtonIteration::new::<M::Scalar>(
                options.tolerance,
                options.maximum_iterations,
                MatrixUpdate::Kept,
            ),
            buffers: RattlieBuffers {
                theta: velocity(),
                other: velocity(),
                momentum: velocity(),
                product: velocity(),
                force: velocity(),
                previous_force: velocity(),
                supply: velocity(),
                reaction: velocity(),
                impulses: [multipliers(), multipliers()],
                drift: multipliers(),
                rate: multipliers(),
                start_jacobian: system.zero_jacobian(),
                end: Evaluation::of(system),
                residual: IterationResidual::zero(system),
                correction: IterationCorrection::zero(system),
                factorisation: system.zero_factorisation(),
                inertia: MassFactorisation::of(system),
                rates: (!system.description().mass_is_constant).then(|| system.rates(q)),
                solves: 0,
            },
            steps: 0,
        }
    }
}
