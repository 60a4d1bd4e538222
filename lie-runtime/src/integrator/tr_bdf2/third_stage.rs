//! The explicit third stage and the projection onto the constraint manifold.

use num_traits::{One, Zero};

use super::workspace::TrBdf2Workspace;
use super::{Completion, TrBdf2Options};
use crate::group::TangentVector;
use crate::integrator::State;
use crate::integrator::implicit::IterateBuffers;
use crate::integrator::tableau::TR_BDF2;
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{KktError, Linearised};

/// The number of corrections towards Φ = 0; each squares the residual O(h³).
pub(crate) const CORRECTIONS: usize = 3;
/// A correction below this size is round-off.
pub(crate) const NEGLIGIBLE: f64 = 1e-15;

/// Computes θ and v with the weights of order 3 (paper 4, eqs. 18 to 20).
#[inline]
pub(crate) fn combine<M: Linearised>(options: &TrBdf2Options, system: &M, h: f64, work: &mut TrBdf2Workspace<M>) {
    let real = M::Scalar::from_f64;
    let weights = TR_BDF2.embedded.map_or(TR_BDF2.b, |embedded| embedded.b);
    let tau = TR_BDF2.c[1];
    // u = h v_n and w = τ² v_{n+1} − v_{n+τ}; T(−u) w − T(u) w = [u, w] (1 + O(h²)). Angles use twice the Corr.
    work.completed.assign(&work.velocities[2]);
    work.completed.scale(real(tau * tau));
    work.completed.axpy(real(-1.0), &work.velocities[1]);
    let factor = real(2.0 * options.correction * h / (tau * (tau - 1.0)));
    work.vector.assign(&work.velocities[0]);
    work.vector.scale(real(-h));
    system.space().tangent(&work.vector, &work.completed, &mut work.completed_velocity);
    work.vector.scale(real(-1.0));
    system.space().tangent(&work.vector, &work.completed, &mut work.stage.buffers.correction.increment);
    work.completed.assign(&work.completed_velocity);
    work.completed.axpy(real(-1.0), &work.stage.buffers.correction.increment);
    work.completed.scale(factor);
    work.completed_velocity.assign(&work.velocities[0]);
    for (j, &b) in weights.iter().enumerate() {
        work.completed.axpy(real(h * b), &work.velocities[j]);
        work.completed_velocity.axpy(real(h * b), &work.accelerations[j]);
    }
}

/// Writes the result of the third stage.
#[inline]
pub(super) fn complete<M: Linearised>(
    options: &TrBdf2Options,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    work: &mut TrBdf2Workspace<M>,
) -> Result<(), KktError> {
    if options.completion == Completion::Nothing {
        return Ok(());
    }
    combine(options, system, h, work);
    system.space().compose_exp(&from.configuration, &work.completed, &mut to.configuration);
    let is_full = options.completion == Completion::Full;
    if is_full {
        to.velocity.assign(&work.completed_velocity);
    }
    if system.constraint_rows() > 0 {
        project(system, is_full, to, work)?;
    }
    if !is_full {
        return Ok(());
    }
    let t = M::Scalar::from_f64(to.time);
    let (q, v) = (&to.configuration, &to.velocity);
    let TrBdf2Workspace { inertia, at_end, stage, .. } = work;
    let (acceleration, multipliers) = (&mut to.acceleration, &mut to.multipliers);
    let (at, curvature) = ((t, q, v), &mut stage.buffers.drift);
    if system.constraint_rows() > 0 {
        return at_end.accelerations_from_place(system, at, inertia, curvature, acceleration, multipliers);
    }
    at_end.accelerations(system, at, inertia, curvature, acceleration, multipliers)?;
    Ok(())
}

/// Applies the corrections of least norm in the metric of M to Φ = 0 and B v + b = 0. Evaluates M and B at the configuration and, if the
/// point `is_completed`, the common parts of B and −g.
fn project<M: Linearised>(
    system: &M,
    is_completed: bool,
    to: &mut State<M>,
    work: &mut TrBdf2Workspace<M>,
) -> Result<(), KktError> {
    let t = M::Scalar::from_f64(to.time);
    let minus = -M::Scalar::one();
    work.vector.fill(M::Scalar::zero());
    if system.holonomic_rows() > 0 {
        for _ in 0..CORRECTIONS {
            work.inertia.at(system, t, &to.configuration)?;
            system.constraint_jacobian(t, &to.configuration, &mut work.stage.buffers.jacobian);
            system.constraint(t, &to.configuration, &mut work.stage.buffers.drift);
            work.stage.buffers.drift.scale(minus);
            let TrBdf2Workspace { inertia, vector, stage, .. } = &mut *work;
            let IterateBuffers { jacobian, drift, correction, .. } = &mut stage.buffers;
            let (change, reaction) = (&mut correction.increment, &mut correction.multipliers);
            system.solve_kkt(inertia.factors(), jacobian, jacobian, vector, drift, change, reaction)?;
            work.configuration.clone_from(&to.configuration);
            system.space().compose_exp(
                &work.configuration,
                &work.stage.buffers.correction.increment,
                &mut to.configuration,
            );
            if work.stage.buffers.correction.increment.max_norm() <= NEGLIGIBLE {
                break;
            }
        }
    }
    work.inertia.at(system, t, &to.configuration)?;
    if is_completed {
        work.at_end.place(system, t, &to.configuration);
    } else {
        work.at_end.place_rows(system, t, &to.configuration);
    }
    system.jacobian_times(&work.at_end.jacobian, &to.velocity, &mut work.stage.buffers.drift);
    system.constraint_drift(t, &to.configuration, &mut work.stage.buffers.correction.projection);
    work.stage.buffers.drift.axpy(M::Scalar::one(), &work.stage.buffers.correction.projection);
    work.stage.buffers.drift.scale(minus);
    let TrBdf2Workspace { inertia, at_end, vector, stage, .. } = &mut *work;
    let IterateBuffers { drift, correction, .. } = &mut stage.buffers;
    let jacobian = &at_end.jacobian;
    let (change, reaction) = (&mut correction.increment, &mut correction.multipliers);
    system.solve_kkt(inertia.factors(), jacobian, jacobian, vector, drift, change, reaction)?;
    to.velocity.axpy(M::Scalar::one(), &work.stage.buffers.correction.increment);
    Ok(())
}
