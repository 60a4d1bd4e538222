//! The reverse pass through an implicit stage of any method.
//!
//! A stage starts with values θ̂, v̂, â, which are functions of previous results. It computes x, λ and, with stabilisation, η̂ such that
//!
//! ```text
//! θ = θ̂ + x − B₀ᵀ η̂,    h v = h v̂ + w₁ x,    h² v' = h² â + w₂ x,    q = q_n exp(θ),
//! ρ = (h² r, Φ, h (B v + b)) = 0.
//! ```
//!
//! Newton's exact matrix F satisfies δρ + F δ(x, η̂, λ̂) = 0 for a change δρ of the residuals at fixed unknowns. The cotangents of ρ are
//! therefore −F⁻ᵀ c for the cotangents c of the unknowns: one transposed solution. The reverse-mode kernels map the cotangents of ρ to q,
//! v, v' and the parameters. The values θ̂, v̂ and â are added to θ, v and v'. In local coordinates, x, x' and x'' replace θ, v and v',
//! which are functions of them.

use num_traits::{One, Zero};

use super::super::initial::KktWorkspace;
use crate::gradient::adjoint_state::AdjointState;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::integrator::implicit::Weights;
use crate::scalar::Scalar;
use crate::space::{LocalPoint, ReverseSpace};
use crate::system::{Cotangents, IterationCorrection, IterationPoint, IterationResidual, KktError, Reverse};

/// A solved stage.
pub(super) struct Solved<'a, M: Reverse> {
    /// The state at the start of the step.
    pub from: &'a State<M>,
    /// The stage.
    pub to: &'a State<M>,
    /// The size of the step.
    pub h: f64,
    pub weights: Weights,
    /// θ.
    pub theta: &'a M::Velocity,
    /// The coordinates, if they differ from θ.
    pub local: Option<LocalPoint<'a, M::Velocity>>,
    /// −B₀ᵀ η̂ of a stabilised stage.
    pub projection: Option<&'a M::Velocity>,
}

/// The buffers of the reverse pass through a stage; allocated once.
pub(super) struct StageBack<M: Reverse> {
    /// The direct cotangents of θ, v and v' (x, x' and x''), and later the cotangents of θ̂, v̂ and â.
    pub of: [M::Velocity; 3],
    /// The cotangents of q, v and v'.
    of_end: [M::Velocity; 3],
    correction: IterationCorrection<M>,
    residual: IterationResidual<M>,
    factorisation: M::Factorisation,
    mass: M::Matrix,
    start_jacobian: M::Jacobian,
    vector: M::Velocity,
}

impl<M: Reverse> StageBack<M> {
    pub fn of(system: &M) -> Self {
        let velocities = || [system.zero_velocity(), system.zero_velocity(), system.zero_velocity()];
        StageBack {
            of: velocities(),
            of_end: velocities(),
            correction: IterationCorrection::zero(system),
            residual: IterationResidual::zero(system),
            factorisation: system.zero_factorisation(),
            mass: system.zero_matrix(),
            start_jacobian: system.zero_jacobian(),
            vector: system.zero_velocity(),
        }
    }

    /// Maps the cotangents of q, v, v' and λ of the stage to q_n, whose cotangent replaces the cotangent of q; the others become zero.
    pub fn back(
        &mut self,
        system: &M,
        stage: &Solved<'_, M>,
        cotangent: &mut AdjointState<M>,
        kkt: &mut KktWorkspace<M>,
    ) -> Result<(), KktError> {
        let real = M::Scalar::from_f64;
        let (h, rows) = (stage.h, system.constraint_rows());
        for (of_end, own) in self.of_end.iter_mut().zip([
            &mut cotangent.configuration,
            &mut cotangent.velocity,
            &mut cotangent.acceleration,
        ]) {
            of_end.assign(own);
            own.fill(M::Scalar::zero());
        }
        self.hand_back(system, stage, cotangent);

        let [of_increment, of_rate, of_second] = &self.of;
        self.correction.increment.assign(of_increment);
        self.correction.acceleration.assign_scaled(real(stage.weights.rate / h), of_rate);
        self.correction.acceleration.axpy(real(stage.weights.second / (h * h)), of_second);
        self.correction.multipliers.assign_scaled(real(1.0 / (h * h)), &cotangent.multipliers);
        self.correction.projection.fill(M::Scalar::zero());
        cotangent.multipliers.fill(M::Scalar::zero());
        self.factorise(system, stage)?;
        system.solve_iteration_transposed(&mut self.factorisation, &self.correction, &mut self.residual);

        let State { configuration: q, velocity: v, acceleration, multipliers, .. } = stage.to;
        let t = real(stage.to.time);
        let IterationResidual { balance, position, velocity } = &mut self.residual;
        balance.scale(real(h * h));
        velocity.scale(real(h));
        let [of_configuration, of_velocity, of_acceleration] = &mut self.of_end;
        of_configuration.fill(M::Scalar::zero());
        of_velocity.fill(M::Scalar::zero());
        system.mass_matrix(t, q, &mut self.mass);
        system.matrix_times(&self.mass, balance, of_acceleration);
        let out = &mut Cotangents { of_configuration, of_velocity, of_parameters: &mut cotangent.parameters };
        system.residual_pullback(t, q, v, acceleration, multipliers, balance, out);
        if rows > 0 {
            system.constraint_pullback(t, q, position, out);
            system.rate_pullback(t, q, v, velocity, out);
        }
        cotangent.note_inputs(system, stage.to.time);
        self.hand_back(system, stage, cotangent);
        match stage.projection {
            Some(projection) => kkt.back_through_reactions(system, stage.from, projection, &self.of[0], cotangent),
            None => Ok(()),
        }
    }

    /// Maps the cotangents of q, v and v' to q_n and the unknowns.
    fn hand_back(&mut self, system: &M, stage: &Solved<'_, M>, cotangent: &mut AdjointState<M>) {
        let [of_configuration, of_velocity, of_acceleration] = &self.of_end;
        let of_start = &mut cotangent.configuration;
        if let Some(point) = &stage.local {
            self.vector.fill(M::Scalar::zero());
            system.space().motion_pullback(stage.theta, of_configuration, of_start, &mut self.vector);
            let cotangents = [of_configuration, of_velocity, of_acceleration];
            system.space().local_motion_pullback(point, cotangents, self.of.each_mut());
        } else {
            let [of_theta, of_rate, of_second] = &mut self.of;
            system.space().motion_pullback(stage.theta, of_configuration, of_start, of_theta);
            of_rate.axpy(M::Scalar::one(), of_velocity);
            of_second.axpy(M::Scalar::one(), of_acceleration);
        }
    }

    fn factorise(&mut self, system: &M, stage: &Solved<'_, M>) -> Result<(), KktError> {
        let real = M::Scalar::from_f64;
        let State { time, configuration: q, velocity: v, acceleration, multipliers, .. } = stage.to;
        let Solved { theta, local, .. } = *stage;
        let point = IterationPoint { t: real(*time), q, v, acceleration, multipliers, theta, local, reactions: None };
        let projection = stage.projection.map(|_| {
            let t = real(stage.from.time);
            system.constraint_jacobian(t, &stage.from.configuration, &mut self.start_jacobian);
            &self.start_jacobian
        });
        system.factorise_iteration(&point, &stage.weights.coefficients(stage.h), projection, &mut self.factorisation)
    }
}
