//! One step: two implicit stages and the third stage.

use num_traits::Zero;

use super::workspace::TrBdf2Workspace;
use super::{TrBdf2Options, TrBdf2Predictor, stage, third_stage};
use crate::group::TangentVector;
use crate::integrator::implicit::IterateBuffers;
use crate::integrator::tableau::TR_BDF2;
use crate::integrator::{HistoryOwner, State, StepError, accelerations};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{KktError, Linearised};

/// v' of the first state.
pub(super) fn start<M: Linearised>(
    owner: HistoryOwner,
    system: &M,
    state: &mut State<M>,
    work: &mut TrBdf2Workspace<M>,
) -> Result<(), StepError> {
    StepError::check(system, state)?;
    let TrBdf2Workspace { inertia, at_end, vector, stage, .. } = work;
    inertia.forget();
    let IterateBuffers { theta, .. } = &mut stage.buffers;
    // The residual of Newton's iteration in v', divided by h², is larger than round-off. The v' of the method is therefore kept.
    let is_known = state.remembered(&owner, system, theta).is_some();
    if is_known {
        return Ok(());
    }
    state.memory.forget();
    state.memory.make_room(system, &state.configuration, 0, 0);
    accelerations::from_multipliers(system, state, 0.0, inertia, at_end, vector)
}

/// Makes a step of size h.
#[inline]
pub(super) fn step<M: Linearised>(
    options: &TrBdf2Options,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    work: &mut TrBdf2Workspace<M>,
) -> Result<(), StepError> {
    first_stage(options, system, from, h, to, work)?;
    second_stage(options, system, from, h, to, work)?;
    third_stage::complete(options, system, from, h, to, work)
        .map_err(|error| StepError::of_iteration(error, system, from, h))?;
    let is_finite = system.space().is_finite(&to.configuration)
        && to.velocity.all_finite()
        && to.acceleration.all_finite()
        && to.multipliers.all_finite();
    if !is_finite {
        return Err(StepError::of_iteration(KktError::NotFinite, system, from, h));
    }
    to.time = from.time + h;
    work.steps += 1;
    Ok(())
}

/// Computes the stage at t_n + τ h in `to`.
#[inline]
pub(crate) fn first_stage<M: Linearised>(
    options: &TrBdf2Options,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    work: &mut TrBdf2Workspace<M>,
) -> Result<(), StepError> {
    let real = M::Scalar::from_f64;
    work.velocities[0].assign(&from.velocity);
    work.accelerations[0].assign(&from.acceleration);
    work.projections[0].fill(M::Scalar::zero());
    if system.holonomic_rows() > 0 {
        let t = real(from.time);
        system.constraint_jacobian(t, &from.configuration, &mut work.stage.buffers.start_jacobian);
    }
    to.multipliers.assign(&from.multipliers);
    work.velocities[1].assign(&from.velocity);
    if options.predictor == TrBdf2Predictor::Acceleration {
        work.velocities[1].axpy(real(TR_BDF2.c[1] * h), &from.acceleration);
    }
    stage::solve(system, from, h, 1, to, work)
}

/// Computes the stage at t_n + h after the first stage in `to`.
#[inline]
pub(crate) fn second_stage<M: Linearised>(
    options: &TrBdf2Options,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    work: &mut TrBdf2Workspace<M>,
) -> Result<(), StepError> {
    let real = M::Scalar::from_f64;
    if options.predictor == TrBdf2Predictor::PreviousStage {
        let [_, middle, last] = &mut work.velocities;
        last.assign(middle);
        return stage::solve(system, from, h, 2, to, work);
    }
    // The cubic through v and v' at t_n and t_n + τ h (paper 4, section III.B).
    let tau = TR_BDF2.c[1];
    let by_velocity = (2.0 - 3.0 * tau) / tau.powi(3);
    let by_acceleration = h * (1.0 - tau) / (tau * tau);
    let [_, middle, last] = &mut work.velocities;
    last.assign(&from.velocity);
    last.scale(real(1.0 + by_velocity));
    last.axpy(real(-by_velocity), middle);
    last.axpy(real(by_acceleration * (1.0 - tau)), &from.acceleration);
    last.axpy(real(by_acceleration), &work.accelerations[1]);
    stage::solve(system, from, h, 2, to, work)
}
