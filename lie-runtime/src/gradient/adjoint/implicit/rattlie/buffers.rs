//! The buffers of a reverse pass, and products with M at the ends of a step.

use num_traits::{One, Zero};

use super::super::super::initial::KktWorkspace;
use super::momenta::Momenta;
use super::variable_mass::{ChangingMass, Variational};
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::space::{ConfigurationSpace, ReverseSpace};
use crate::system::{IterationCorrection, IterationResidual, Momentum, MomentumRate, Reverse};

/// The method with the buffers of its reverse pass; allocated once.
pub(in crate::gradient::adjoint) struct RattlieBack<M: Variational> {
    pub(super) kkt: KktWorkspace<M>,
    pub(super) mass: M::Mass,
    /// M at the start and at the end of the step; only the first is used if M is constant.
    pub(super) matrices: [M::Matrix; 2],
    pub(super) damping: M::Matrix,
    pub(super) is_factorised: bool,
    /// B at the start and at the end of the step.
    pub(super) jacobians: [M::Jacobian; 2],
    pub(super) factorisation: M::Factorisation,
    pub(super) theta: M::Velocity,
    /// M̄ θ.
    pub(super) momentum: M::Velocity,
    pub(super) place: M::Configuration,
    /// λ⁺ and λ⁻.
    pub(super) multipliers: [M::Multipliers; 2],
    /// w and μ of the first half.
    pub(super) weights: IterationResidual<M>,
    pub(super) change: IterationResidual<M>,
    pub(super) cotangents: IterationCorrection<M>,
    /// The weights of the second half.
    pub(super) end_weights: M::Velocity,
    pub(super) end_rows: M::Multipliers,
    pub(super) of_theta: M::Velocity,
    pub(super) rows: M::Multipliers,
    /// u of the terms u · M x with x = θ, v_n and v_{n+1}. Only the first is used if forces do not depend on the velocity or if M is
    /// variable; for variable M it is u of M̄.
    pub(super) of_momenta: [M::Velocity; 3],
    pub(super) momenta: Momenta<M>,
    pub(super) vectors: [M::Velocity; 5],
    /// The velocity zero, at which velocity-independent forces are evaluated, without gyroscopic terms.
    pub(super) rest: M::Velocity,
    /// A buffer for unused cotangents of parameters.
    pub(super) unwanted: Vec<M::Scalar>,
    /// The terms for M that depends on q or t.
    pub(super) changing: Option<ChangingMass<M>>,
}

impl<M: Variational> RattlieBack<M> {
    pub fn of(system: &M, state: &State<M>) -> Self {
        let zero = || system.zero_velocity();
        RattlieBack {
            kkt: KktWorkspace::of(system),
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
}

/// Adds the gradient of w · ad_vᵀ M v = \[v, w\] · M v with respect to v to `out`, times `factor`; leaves \[v, w\] in the first of the
/// buffers.
pub(super) fn add_gyroscopic<M: Reverse + MomentumRate>(
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
pub(super) fn mean_momentum<M: Momentum>(
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
pub(super) fn add_mean<M: Reverse + Momentum>(
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
