//! One step: θ with λ⁺, then [v_{n+1} with λ⁻](super::velocity), then λ and v' of the index-1 system.

use num_traits::{One, Zero};

use super::momenta::{applied_force, mean_momentum, rate_of_step, supplied_force};
use super::velocity::solve_velocity;
use super::workspace::RattlieBuffers;
use super::{Rattlie, RattlieWorkspace, matrix_is_of_start};
use crate::group::TangentVector;
use crate::integrator::implicit::{IterateEquations, Scales, Unsolved, leave};
use crate::integrator::{State, StepError};
use crate::scalar::{Scalar, larger};
use crate::space::ConfigurationSpace;
use crate::system::{IterationCoefficients, IterationPoint, KktError, Linearised, MomentumRate};

/// Makes a step of size h, which may be negative.
pub(super) fn attempt<M: Linearised + MomentumRate>(
    method: &Rattlie,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    workspace: &mut RattlieWorkspace<M>,
) -> Result<(), StepError> {
    let RattlieWorkspace { newton, buffers: work, steps } = workspace;
    begin(system, from, h, work);
    newton.forget();
    newton.solve(h, &mut Increment { system, from, h, to, work })?;
    to.time = from.time + h;
    solve_velocity(method, system, from, h, to, work)?;
    complete(system, to, work).map_err(|error| StepError::of_kkt(error, system, from, h))?;
    *steps += 1;
    if to.velocity.all_finite() && to.acceleration.all_finite() && system.space().is_finite(&to.configuration) {
        Ok(())
    } else {
        Err(StepError::not_finite(system, from, h))
    }
}

/// Computes the first iterates of θ and (h²/2) λ⁺ and the reference value for the momentum at the end of the step.
#[inline]
fn begin<M: Linearised + MomentumRate>(system: &M, from: &State<M>, h: f64, work: &mut RattlieBuffers<M>) {
    let real = M::Scalar::from_f64;
    let start = real(from.time);
    if work.rates.is_some() {
        system.momentum(start, &from.configuration, &from.velocity, &mut work.momentum);
        work.momentum.scale(real(h));
    } else {
        applied_force(system, start, &from.configuration, &from.velocity, work);
        work.momentum.assign(&work.product);
        work.momentum.scale(real(h));
        work.momentum.axpy(real(0.5 * h * h), &work.force);
    }
    work.theta.assign(&from.velocity);
    work.theta.scale(real(h));
    work.theta.axpy(real(0.5 * h * h), &from.acceleration);
    work.impulses[0].assign(&from.multipliers);
    work.impulses[0].scale(real(0.5 * h * h));
    if system.constraint_rows() > 0 {
        system.constraint_jacobian(start, &from.configuration, &mut work.start_jacobian);
    }
}

/// Solves the first half: θ and (h²/2) λ⁺ from the momentum at the start and the constraint at the end.
struct Increment<'a, M: Linearised + MomentumRate> {
    system: &'a M,
    from: &'a State<M>,
    h: f64,
    to: &'a mut State<M>,
    work: &'a mut RattlieBuffers<M>,
}

impl<M: Linearised + MomentumRate> IterateEquations for Increment<'_, M> {
    type Error = StepError;
    type Scalar = M::Scalar;

    #[inline]
    fn place(&mut self) {
        self.system.space().compose_exp(&self.from.configuration, &self.work.theta, &mut self.to.configuration);
    }

    #[inline]
    fn residuals(&mut self, _: bool) -> Option<[M::Scalar; 2]> {
        let Increment { system, from, h, to, work } = self;
        if work.rates.is_some() {
            rate_of_step(*h, to, work);
            supplied_force(*system, M::Scalar::from_f64(from.time), &from.configuration, &to.velocity, work);
            work.supply.assign(&work.force);
            work.supply.scale(M::Scalar::from_f64(*h * *h));
        }
        Some(residuals(*system, from, *h, to, work))
    }

    #[inline]
    fn scales(&mut self) -> Scales<M::Scalar> {
        let momenta = self.work.momentum.lane_norm() + M::Scalar::from_f64(0.5) * self.work.supply.lane_norm();
        let residuals = [momenta, self.work.theta.lane_norm()];
        let extent = self.system.space().extent(&self.from.configuration).min(1.0);
        Scales { residuals, corrections: M::Scalar::zero(), extent }
    }

    #[inline]
    fn factorise(&mut self) -> Result<(), StepError> {
        let Increment { system, from, h, to, work } = self;
        let real = M::Scalar::from_f64;
        // The derivative of T(−θ)⁻ᵀ M θ is M − ½ (ad_θᵀ M · + ad_·ᵀ M θ) up to O(|θ|²), and C = D_v g has the same terms.
        let coefficients = IterationCoefficients {
            mass: M::Scalar::one(),
            damping: real(0.5 * *h),
            stiffness: M::Scalar::zero(),
            rate: M::Scalar::one(),
            rate_gradient: real(0.5 * *h),
        };
        work.other.assign(&work.theta);
        work.other.scale(real(1.0 / *h));
        let (t, q) = if matrix_is_of_start(*system) {
            (from.time, &from.configuration)
        } else {
            (from.time + *h, &to.configuration)
        };
        let point = IterationPoint {
            t: real(t),
            q,
            v: &work.other,
            acceleration: &from.acceleration,
            multipliers: &from.multipliers,
            theta: &work.theta,
            local: None,
            reactions: Some(&work.start_jacobian),
        };
        system
            .factorise_iteration(&point, &coefficients, None, &mut work.factorisation)
            .map_err(|error| StepError::of_iteration(error, *system, from, *h))
    }

    #[inline]
    fn correct(&mut self, resting: <M::Scalar as Scalar>::Mask) -> Result<M::Scalar, StepError> {
        let work = &mut *self.work;
        self.system.solve_iteration(&mut work.factorisation, &work.residual, &mut work.correction);
        leave(&mut work.correction.increment, resting);
        leave(&mut work.correction.multipliers, resting);
        work.theta.axpy(M::Scalar::one(), &work.correction.increment);
        work.impulses[0].axpy(M::Scalar::one(), &work.correction.multipliers);
        Ok(work.correction.increment.lane_norm())
    }

    #[cold]
    fn unsolved(&self, why: Unsolved, [momenta, constraints]: [f64; 2]) -> StepError {
        why.explained([momenta / (self.h * self.h), constraints], self.system, self.from, self.h)
    }

    fn keep_derivatives(&mut self) {
        self.work.residual.keep_derivatives();
    }

    fn variations(&mut self) -> Option<[f64; 2]> {
        let RattlieBuffers { correction, theta, impulses: [impulse, _], start_jacobian, reaction, .. } =
            &mut *self.work;
        let change = correction.variation(self.system, start_jacobian, reaction);
        Some([change, larger(theta.variation(), impulse.variation())])
    }
}

/// Computes the residuals of the first half and their norms: momenta, constraints.
fn residuals<M: Linearised + MomentumRate>(
    system: &M,
    from: &State<M>,
    h: f64,
    to: &State<M>,
    work: &mut RattlieBuffers<M>,
) -> [M::Scalar; 2] {
    let real = M::Scalar::from_f64;
    let t = real(from.time + h);
    let q = &to.configuration;
    mean_momentum(system, from, h, to, work);
    let balance = &mut work.residual.balance;
    work.other.assign(&work.theta);
    work.other.scale(real(-1.0));
    system.space().tangent_inverse_transpose(&work.other, &work.product, balance);
    balance.axpy(real(-1.0), &work.momentum);
    if work.rates.is_some() {
        balance.axpy(real(-0.5), &work.supply);
    }
    let (rows, holonomic) = (system.constraint_rows(), system.holonomic_rows());
    let mut constraint = M::Scalar::zero();
    if rows > 0 {
        system.jacobian_transpose_times(&work.start_jacobian, &work.impulses[0], &mut work.reaction);
        balance.axpy(M::Scalar::one(), &work.reaction);
        system.constraint(t, q, &mut work.residual.position);
        constraint = work.residual.position.lane_norm();
    }
    if holonomic < rows {
        let rate = &mut work.residual.velocity;
        system.jacobian_times(&work.start_jacobian, &work.theta, rate);
        system.constraint_drift(real(from.time), &from.configuration, &mut work.drift);
        rate.axpy(real(h), &work.drift);
        work.end.place_rows(system, t, q);
        system.jacobian_times(&work.end.jacobian, &work.theta, &mut work.drift);
        rate.axpy(M::Scalar::one(), &work.drift);
        system.constraint_drift(t, q, &mut work.drift);
        rate.axpy(real(h), &work.drift);
        rate.scale(real(0.5));
        for row in 0..holonomic {
            rate.set_component(row, M::Scalar::zero());
        }
        constraint = Scalar::max(constraint, rate.lane_norm());
    }
    [work.residual.balance.lane_norm(), constraint]
}

/// Computes λ and v' of the index-1 system in `state` with the B and M of the velocity solution.
fn complete<M: Linearised + MomentumRate>(
    system: &M,
    state: &mut State<M>,
    work: &mut RattlieBuffers<M>,
) -> Result<(), KktError> {
    let (t, q, v) = (M::Scalar::from_f64(state.time), &state.configuration, &state.velocity);
    let RattlieBuffers { inertia, end, rate, solves, .. } = work;
    let (acceleration, multipliers) = (&mut state.acceleration, &mut state.multipliers);
    if system.constraint_rows() == 0 {
        system.force(t, q, v, &mut end.force);
        system.solve_mass(inertia.factors(), &end.force, acceleration);
        return Ok(());
    }
    *solves += 1;
    end.accelerations_from_place(system, (t, q, v), inertia, rate, acceleration, multipliers)
}

/// Computes λ and v' of the initial state.
pub(super) fn complete_first<M: Linearised + MomentumRate>(
    system: &M,
    state: &mut State<M>,
    work: &mut RattlieBuffers<M>,
) -> Result<(), KktError> {
    let at = (M::Scalar::from_f64(state.time), &state.configuration, &state.velocity);
    let RattlieBuffers { inertia, end, rate, solves, .. } = work;
    let (acceleration, multipliers) = (&mut state.acceleration, &mut state.multipliers);
    *solves += u64::from(end.accelerations(system, at, inertia, rate, acceleration, multipliers)?);
    Ok(())
}
