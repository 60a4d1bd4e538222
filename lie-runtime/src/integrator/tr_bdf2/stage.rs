//! An implicit stage: Newton's iteration with the exact matrix.
//!
//! θ_k = … + h γ v_k, v_k = … + h γ v'_k with γ = a_kk, so that x = δθ means δv = x / (γ h) and δv' = x / (γ h)².

use num_traits::{One, Zero};

use super::workspace::Workspace;
use crate::group::TangentVector;
use crate::integrator::newton::Unsolved;
use crate::integrator::tableau::TR_BDF2;
use crate::integrator::{State, constraints};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{IterationCoefficients, IterationPoint, Linearised, SaddleError};

/// Shorter increments, as from rest under loads that begin with zero, are drowned by the round-off of coordinates of size 1
/// before their own corrections are relatively small.
const SHORT: f64 = 1e-5;

/// Why a stage has no result.
pub(super) enum StageError {
    Linear(SaddleError),
    Newton(Unsolved),
}

/// Solves stage `k` from the velocity that is in `velocities[k]`; q, v, v' and λ of the stage go to `to`.
#[inline]
pub(super) fn solve<M: Linearised>(
    system: &M,
    from: &State<M>,
    h: f64,
    k: usize,
    to: &mut State<M>,
    work: &mut Workspace<M>,
) -> Result<(), StageError> {
    let real = M::Scalar::from_f64;
    let time = from.time + TR_BDF2.c[k] * h;
    let t = real(time);
    let gamma = TR_BDF2.entry(k, k);
    let coefficients = IterationCoefficients {
        mass: real(1.0 / (gamma * gamma)),
        damping: real(h / gamma),
        stiffness: real(h * h),
        rate: real(1.0 / gamma),
        rate_gradient: real(h),
    };
    let holonomic = system.holonomic_rows();
    begin(from, h, k, to, work);
    let (mut newton, mut failure) = (work.newton, None);
    let outcome = newton.iterate(|| {
        system.space().compose_exp(&from.configuration, &work.theta, &mut to.configuration);
        let (q, v) = (&to.configuration, &to.velocity);
        system.residual(t, q, v, &to.acceleration, &to.multipliers, &mut work.residual.balance);
        work.residual.balance.scale(real(h * h));
        let Workspace { residual, jacobian, drift, .. } = &mut *work;
        constraints::residuals(system, (t, q, v), h, true, false, residual, jacobian, drift);
        let (acceleration, multipliers, theta) = (&to.acceleration, &to.multipliers, &work.theta);
        let point = IterationPoint { t, q, v, acceleration, multipliers, theta, local: None, reactions: None };
        let projection = (holonomic > 0).then_some(&work.start_jacobian);
        if let Err(error) = system.factorise_iteration(&point, &coefficients, projection, &mut work.factorisation) {
            failure = Some(error);
            return None;
        }
        system.solve_iteration(&mut work.factorisation, &work.residual, &mut work.correction);
        let correction = &work.correction;
        work.theta.axpy(M::Scalar::one(), &correction.increment);
        to.velocity.axpy(real(1.0 / (gamma * h)), &correction.acceleration);
        to.acceleration.axpy(real(1.0 / (gamma * gamma * h * h)), &correction.acceleration);
        to.multipliers.axpy(real(1.0 / (h * h)), &correction.multipliers);
        if holonomic > 0 {
            // ζ = x − B₀ᵀ η̂: what the projection has added to the increment.
            work.projections[k].axpy(real(1.0 / (gamma * h)), &correction.increment);
            work.projections[k].axpy(real(-1.0 / (gamma * h)), &correction.acceleration);
        }
        let size = correction.acceleration.max_norm().max(correction.increment.max_norm());
        let scale = work.theta.max_norm() + h * h * to.acceleration.max_norm();
        // A NaN stays one.
        Some(size / if scale < SHORT { SHORT } else { scale })
    });
    work.newton = newton;
    if let Some(error) = failure {
        return Err(StageError::Linear(error));
    }
    outcome.map_err(StageError::Newton)?;
    system.space().compose_exp(&from.configuration, &work.theta, &mut to.configuration);
    work.velocities[k].assign(&to.velocity);
    work.accelerations[k].assign(&to.acceleration);
    to.time = time;
    Ok(())
}

/// The first iterates: v' and θ that belong to the predicted velocity.
#[inline]
fn begin<M: Linearised>(from: &State<M>, h: f64, k: usize, to: &mut State<M>, work: &mut Workspace<M>) {
    let real = M::Scalar::from_f64;
    let gamma = TR_BDF2.entry(k, k);
    to.velocity.assign(&work.velocities[k]);
    to.acceleration.assign(&to.velocity);
    to.acceleration.axpy(real(-1.0), &from.velocity);
    work.theta.assign(&to.velocity);
    work.theta.scale(real(gamma * h));
    for j in 0..k {
        let weight = real(TR_BDF2.entry(k, j) * h);
        to.acceleration.axpy(-weight, &work.accelerations[j]);
        work.theta.axpy(weight, &work.velocities[j]);
        work.theta.axpy(weight, &work.projections[j]);
    }
    to.acceleration.scale(real(1.0 / (gamma * h)));
    work.projections[k].fill(M::Scalar::zero());
}
