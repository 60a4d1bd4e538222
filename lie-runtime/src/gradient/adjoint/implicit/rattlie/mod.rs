//! The reverse pass through a step of RATTLie.
//!
//! With P(θ) = T(θ)⁻ᵀ M̄ θ, a step of size h solves for θ and λ⁺, and then for v and λ⁻ at its end,
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

mod halves;
mod momenta;
mod retrace;
mod variable_mass;
mod weights;

use num_traits::{One, Zero};

use self::momenta::Momenta;
use self::variable_mass::ChangingMass;
use self::weights::{Failure, TURNS};
use super::super::initial::Saddle;
use super::super::{Retraced, Trace};
use crate::gradient::cotangent::Cotangent;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::integrator::StepError;
use crate::integrator::implicit::Unsolved;
use crate::scalar::Scalar;
use crate::space::{ConfigurationSpace, LocalSpace};
use crate::system::{IterationCorrection, IterationResidual, Liftable, Momentum, MomentumRate, Reverse};

/// A system with reverse passes through momenta and their rates.
pub(in crate::gradient::adjoint) trait Variational:
    Reverse + MomentumRate + Liftable<Lifted: Reverse + Momentum>
{
}

impl<M: Reverse + MomentumRate + Liftable<Lifted: Reverse + Momentum>> Variational for M {}

/// The method with the buffers of its reverse pass; allocated once.
pub(in crate::gradient::adjoint) struct RattlieBack<M: Variational> {
    saddle: Saddle<M>,
    mass: M::Mass,
    /// M at the start and at the end of the step; only the first is used if M is constant.
    matrices: [M::Matrix; 2],
    damping: M::Matrix,
    is_factorised: bool,
    /// B at the start and at the end of the step.
    jacobians: [M::Jacobian; 2],
    factorisation: M::Factorisation,
    theta: M::Velocity,
    /// M̄ θ.
    momentum: M::Velocity,
    place: M::Configuration,
    /// λ⁺ and λ⁻.
    multipliers: [M::Multipliers; 2],
    /// w and μ of the first half.
    weights: IterationResidual<M>,
    change: IterationResidual<M>,
    cotangents: IterationCorrection<M>,
    /// The weights of the second half.
    end_weights: M::Velocity,
    end_rows: M::Multipliers,
    of_theta: M::Velocity,
    rows: M::Multipliers,
    /// u of the terms u · M x with x = θ, v_n and v_{n+1}. Only the first is used if forces do not depend on the velocity or if M is
    /// variable; for variable M it is u of M̄.
    of_momenta: [M::Velocity; 3],
    momenta: Momenta<M>,
    vectors: [M::Velocity; 5],
    /// The velocity zero, at which velocity-independent forces are evaluated, without gyroscopic terms.
    rest: M::Velocity,
    /// A buffer for unused cotangents of parameters.
    unwanted: Vec<M::Scalar>,
    /// The terms for M that depends on q or t.
    changing: Option<ChangingMass<M>>,
}

/// Adds the gradient of w · ad_vᵀ M v = \[v, w\] · M v with respect to v to `out`, times `factor`; leaves \[v, w\] in the first of the
/// buffers.
fn add_gyroscopic<M: Reverse + MomentumRate>(
    system: &M,
    mass: &M::Matrix,
    (t, q, v): (M::Scalar, &M::Configuration, &M::Velocity),
    w: &M::Velocity,
    (factor, out): (M::Scalar, &mut M::Velocity),
    [bracket, momentum, column]: [&mut M::Velocity; 3],
) {
    system.space().bracket(v, w, bracket);
    system.matrix_times(mass, bracket, column);
    out.axpy(factor, column);
    system.momentum(t, q, v, momentum);
    system.space().coadjoint(w, momentum, column);
    out.axpy(-factor, column);
}

/// Computes M̄ x into `out`, where M̄ is the mean of both ends for variable M.
fn mean_momentum<M: Momentum>(
    system: &M,
    ends: [(M::Scalar, &M::Configuration); 2],
    x: &M::Velocity,
    (out, scratch): (&mut M::Velocity, &mut M::Velocity),
    changes: bool,
) {
    let [(start, q_start), (end, q_end)] = ends;
    system.momentum(start, q_start, x, out);
    if changes {
        system.momentum(end, q_end, x, scratch);
        out.axpy(M::Scalar::one(), scratch);
        out.scale(M::Scalar::from_f64(0.5));
    }
}

/// Adds M̄ x, with the matrices at both ends for variable M, and otherwise with the kernel of momenta, which uses the sparsity of M.
fn add_mean<M: Reverse + Momentum>(
    system: &M,
    (t, q): (M::Scalar, &M::Configuration),
    matrices: &[M::Matrix; 2],
    x: &M::Velocity,
    out: &mut M::Velocity,
    scratch: &mut M::Velocity,
    changes: bool,
) {
    if !changes {
        system.momentum(t, q, x, scratch);
        out.axpy(M::Scalar::one(), scratch);
        return;
    }
    for matrix in matrices {
        system.matrix_times(matrix, x, scratch);
        out.axpy(M::Scalar::from_f64(0.5), scratch);
    }
}

impl<M: Variational> RattlieBack<M> {
    pub fn of(system: &M, state: &State<M>) -> Self {
        let zero = || system.zero_velocity();
        RattlieBack {
            saddle: Saddle::of(system),
            mass: system.zero_mass(),
            matrices: [system.zero_matrix(), system.zero_matrix()],
            damping: system.zero_matrix(),
            is_factorised: false,
            jacobians: [system.zero_jacobian(), system.zero_jacobian()],
            factorisation: system.zero_factorisation(),
            theta: zero(),
            momentum: zero(),
            place: state.configuration.clone(),
            multipliers: [system.zero_multipliers(), system.zero_multipliers()],
            weights: IterationResidual::zero(system),
            change: IterationResidual::zero(system),
            cotangents: IterationCorrection::zero(system),
            end_weights: zero(),
            end_rows: system.zero_multipliers(),
            of_theta: zero(),
            rows: system.zero_multipliers(),
            of_momenta: [zero(), zero(), zero()],
            momenta: Momenta::of(system, state),
            vectors: [zero(), zero(), zero(), zero(), zero()],
            rest: zero(),
            unwanted: vec![M::Scalar::zero(); system.parameter_count() + system.input_count()],
            changing: (!system.description().mass_is_constant).then(|| ChangingMass::of(system, &state.configuration)),
        }
    }

    fn back(
        &mut self,
        system: &M,
        (from, to): (&State<M>, &State<M>),
        h: f64,
        trace: Option<Trace<'_, M>>,
        cotangent: &mut Cotangent<M>,
    ) -> Result<(), Failure> {
        self.saddle.back_through_accelerations(system, to, cotangent)?;
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

impl<M: Variational> Retraced<M> for RattlieBack<M> {
    fn step_back(
        &mut self,
        system: &M,
        from: &State<M>,
        to: &State<M>,
        h: f64,
        trace: Option<Trace<'_, M>>,
        cotangent: &mut Cotangent<M>,
    ) -> Result<(), StepError> {
        self.back(system, (from, to), h, trace, cotangent).map_err(|failure| match failure {
            Failure::Saddle(error) => StepError::of_saddle(error, system, from, h),
            Failure::Slow => Unsolved::Unsettled(TURNS).explained([f64::NAN; 2], system, from, h),
        })
    }

    fn start_back(
        &mut self,
        system: &M,
        given: &State<M>,
        state: &State<M>,
        cotangent: &mut Cotangent<M>,
    ) -> Result<(), StepError> {
        match &mut self.changing {
            Some(changing) => changing.finish(&mut cotangent.parameters),
            None => self.momenta.finish(system, cotangent),
        }
        self.saddle.back_to_initial_values(system, given, state, cotangent)
    }
}
