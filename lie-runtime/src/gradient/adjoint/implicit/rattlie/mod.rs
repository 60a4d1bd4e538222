//! The reverse pass through a step of RATTLie.
//!
//! Let P(θ) = T(θ)⁻ᵀ M̄ θ. A step of size h solves for θ and λ⁺, and then for v and λ⁻ at its end,
//!
//! ```text
//! P(−θ) − h M_n v_n + ½ h² (B_nᵀ λ⁺ − G_n) = 0,       Φ(q_{n+1}) = 0,    ½ h (B_n Δ + b_n + B_{n+1} Δ + b_{n+1}) = 0,
//! M v − P(θ) / h + ½ h (B_{n+1}ᵀ λ⁻ − G_{n+1}) = 0,   B_{n+1} v + b_{n+1} = 0,    θ = h Δ,
//! ```
//!
//! The third equation is for the rows of velocity constraints. For constant M, G = −g − ad_xᵀ M x at x = v_n and at x = v, or at rest if
//! it is equal there. For [variable M](variable_mass), G = −g − ad_Δᵀ M Δ + Ṁ Δ at both ends. The weights w and μ of both systems use the
//! exact derivatives. A few iterations with the matrices of the method compute them, as in the step of the method. The system of v is a
//! single linear system if M is variable. All terms except P, the gyroscopic terms and Ṁ are r at another acceleration, ∓2 v / h and 2 v
//! / h.

mod buffers;
mod halves;
mod momenta;
mod retrace;
mod variable_mass;
mod weights;

pub(in crate::gradient::adjoint) use self::buffers::RattlieBack;
use self::variable_mass::Variational;
use self::weights::{TURNS, WeightFailure};
use super::super::adjoint_step::{AdjointStep, Trace};
use crate::gradient::adjoint_state::AdjointState;
use crate::integrator::implicit::Unsolved;
use crate::integrator::{State, StepError};

impl<M: Variational> RattlieBack<M> {
    fn back(
        &mut self,
        system: &M,
        (from, to): (&State<M>, &State<M>),
        h: f64,
        trace: Option<Trace<'_, M>>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), WeightFailure> {
        self.kkt.back_through_accelerations(system, to, cotangent)?;
        self.retrace(system, (from, to), h, trace)?;
        self.weigh_velocity(system, to, h, &cotangent.velocity)?;
        self.back_through_velocity(system, to, h, cotangent);
        self.weigh_increment(system, (from, to), h, &cotangent.configuration)?;
        self.back_through_increment(system, (from, to), h, cotangent);
        if self.changing.is_some() {
            return Ok(());
        }
        let RattlieBack { momenta, of_momenta, theta, .. } = self;
        let terms = if system.description().forces_depend_on_velocity { 3 } else { 1 };
        for (u, x) in of_momenta.iter().zip([&*theta, &from.velocity, &to.velocity]).take(terms) {
            momenta.add(system, u, x, cotangent);
        }
        Ok(())
    }
}

impl<M: Variational> AdjointStep<M> for RattlieBack<M> {
    fn step_back(
        &mut self,
        system: &M,
        from: &State<M>,
        to: &State<M>,
        h: f64,
        trace: Option<Trace<'_, M>>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError> {
        self.back(system, (from, to), h, trace, cotangent).map_err(|failure| match failure {
            WeightFailure::Kkt(error) => StepError::of_kkt(error, system, from, h),
            WeightFailure::Slow => Unsolved::Unsettled(TURNS).explained([f64::NAN; 2], system, from, h),
        })
    }

    fn start_back(
        &mut self,
        system: &M,
        given: &State<M>,
        state: &State<M>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError> {
        match &mut self.changing {
            Some(changing) => changing.finish(&mut cotangent.parameters),
            None => self.momenta.finish(system, cotangent),
        }
        self.kkt.back_to_initial_values(system, given, state, cotangent)
    }
}
