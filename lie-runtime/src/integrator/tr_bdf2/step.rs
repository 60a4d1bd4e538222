//! One step: two implicit stages and the third.

use num_traits::Zero;

use super::stage::{self, StageError};
use super::workspace::Workspace;
use super::{Options, Predictor, third_stage};
use crate::group::TangentVector;
use crate::integrator::exact_newton::Unsolved;
use crate::integrator::newton::explain;
use crate::integrator::tableau::TR_BDF2;
use crate::integrator::{State, StepError, StepFailure};
use crate::scalar::Scalar;
use crate::system::{Linearised, SaddleError};

/// v' of the first state.
pub(super) fn start<M: Linearised>(system: &M, state: &mut State<M>, work: &mut Workspace<M>) -> Result<(), StepError> {
    let t = M::Scalar::from_f64(state.time);
    system.mass(t, &state.configuration, &mut work.mass).map_err(|error| explain(error, system, state, 0.0))?;
    system.force(t, &state.configuration, &state.velocity, &mut work.vector);
    if system.constraint_rows() > 0 {
        system.constraint_jacobian(t, &state.configuration, &mut work.jacobian);
        system.jacobian_transpose_times(&work.jacobian, &state.multipliers, &mut work.theta);
        work.vector.axpy(M::Scalar::from_f64(-1.0), &work.theta);
    }
    system.solve_mass(&mut work.mass, &work.vector, &mut state.acceleration);
    if state.acceleration.all_finite() { Ok(()) } else { Err(explain(SaddleError::NotFinite, system, state, 0.0)) }
}

/// A step of size h.
#[inline]
pub(super) fn step<M: Linearised>(
    options: &Options,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    work: &mut Workspace<M>,
) -> Result<(), StepError> {
    work.velocities[0].assign(&from.velocity);
    work.accelerations[0].assign(&from.acceleration);
    work.projections[0].fill(M::Scalar::zero());
    if system.holonomic_rows() > 0 {
        let t = M::Scalar::from_f64(from.time);
        system.constraint_jacobian(t, &from.configuration, &mut work.start_jacobian);
    }
    to.multipliers.assign(&from.multipliers);
    let outcome = stages(options, system, from, h, to, work);
    outcome.map_err(|error| match error {
        StageError::Linear(error) => explain(error, system, from, h),
        StageError::Newton(Unsolved::NotFinite) => explain(SaddleError::NotFinite, system, from, h),
        StageError::Newton(Unsolved::Slow(iterations)) => {
            let residual = work.residual.balance.max_norm() / (h * h);
            let constraint = work.residual.position.max_norm().max(work.residual.velocity.max_norm());
            let failure = StepFailure::NewtonNotConverged { iterations, residual, constraint };
            StepError { time: from.time, step: h, failure }
        }
    })?;
    to.time = from.time + h;
    work.steps += 1;
    Ok(())
}

/// Predictors and stages.
#[inline]
fn stages<M: Linearised>(
    options: &Options,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    work: &mut Workspace<M>,
) -> Result<(), StageError> {
    let real = M::Scalar::from_f64;
    let tau = TR_BDF2.c[1];
    work.velocities[1].assign(&from.velocity);
    if options.predictor == Predictor::Acceleration {
        work.velocities[1].axpy(real(tau * h), &from.acceleration);
    }
    stage::solve(system, from, h, 1, to, work)?;

    // The cubic through v and v' at t_n and t_n + τ h (paper 4, section III.B).
    let by_velocity = (2.0 - 3.0 * tau) / tau.powi(3);
    let by_acceleration = h * (1.0 - tau) / (tau * tau);
    let [_, middle, last] = &mut work.velocities;
    last.assign(&from.velocity);
    last.scale(real(1.0 + by_velocity));
    last.axpy(real(-by_velocity), middle);
    last.axpy(real(by_acceleration * (1.0 - tau)), &from.acceleration);
    last.axpy(real(by_acceleration), &work.accelerations[1]);
    stage::solve(system, from, h, 2, to, work)?;
    third_stage::complete(options, system, from, h, to, work).map_err(StageError::Linear)?;
    let is_finite = system.configuration_is_finite(&to.configuration)
        && to.velocity.all_finite()
        && to.acceleration.all_finite()
        && to.multipliers.all_finite();
    if is_finite { Ok(()) } else { Err(StageError::Newton(Unsolved::NotFinite)) }
}
