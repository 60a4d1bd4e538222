//! The explicit third stage, and the way back to the constraints.

use num_traits::{One, Zero};

use super::workspace::Workspace;
use super::{Completion, Options};
use crate::group::TangentVector;
use crate::integrator::implicit::Buffers;
use crate::integrator::tableau::TR_BDF2;
use crate::integrator::{State, accelerations};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{Linearised, SaddleError};

/// Corrections towards Φ = 0; each squares what is left of O(h³).
pub(crate) const CORRECTIONS: usize = 3;
/// A correction under this size is round-off.
pub(crate) const NEGLIGIBLE: f64 = 1e-15;

/// θ and v with the weights of order 3 (paper 4, eqs. 18 to 20).
#[inline]
pub(crate) fn combine<M: Linearised>(options: &Options, system: &M, h: f64, work: &mut Workspace<M>) {
    let real = M::Scalar::from_f64;
    let weights = TR_BDF2.embedded.map_or(TR_BDF2.b, |embedded| embedded.b);
    let tau = TR_BDF2.c[1];
    // u = h v_n and w = τ² v_{n+1} − v_{n+τ}; T(−u) w − T(u) w = [u, w] (1 + O(h²)). In angles Corr counts twice.
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

/// Sets what the third stage sets.
#[inline]
pub(super) fn complete<M: Linearised>(
    options: &Options,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    work: &mut Workspace<M>,
) -> Result<(), SaddleError> {
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
        project(system, to, work)?;
    }
    if !is_full {
        return Ok(());
    }
    let t = M::Scalar::from_f64(to.time);
    let (q, v) = (&to.configuration, &to.velocity);
    let Workspace { mass, vector, stage, .. } = work;
    let Buffers { jacobian, drift, .. } = &mut stage.buffers;
    let (at, mass) = ((t, q, v), (mass, &mut false));
    let (acceleration, multipliers) = (&mut to.acceleration, &mut to.multipliers);
    accelerations::index_one(system, at, mass, jacobian, vector, drift, acceleration, multipliers)?;
    Ok(())
}

/// The shortest corrections in the metric of M to Φ = 0 and B v + b = 0; leaves B at the configuration.
fn project<M: Linearised>(system: &M, to: &mut State<M>, work: &mut Workspace<M>) -> Result<(), SaddleError> {
    let t = M::Scalar::from_f64(to.time);
    let minus = -M::Scalar::one();
    work.vector.fill(M::Scalar::zero());
    if system.holonomic_rows() > 0 {
        for _ in 0..CORRECTIONS {
            system.mass(t, &to.configuration, &mut work.mass)?;
            system.constraint_jacobian(t, &to.configuration, &mut work.stage.buffers.jacobian);
            system.constraint(t, &to.configuration, &mut work.stage.buffers.drift);
            work.stage.buffers.drift.scale(minus);
            let Workspace { mass, vector, stage, .. } = &mut *work;
            let Buffers { jacobian, drift, correction, .. } = &mut stage.buffers;
            let (change, reaction) = (&mut correction.increment, &mut correction.multipliers);
            system.solve_saddle(mass, jacobian, jacobian, vector, drift, change, reaction)?;
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
    system.mass(t, &to.configuration, &mut work.mass)?;
    system.constraint_jacobian(t, &to.configuration, &mut work.stage.buffers.jacobian);
    system.jacobian_times(&work.stage.buffers.jacobian, &to.velocity, &mut work.stage.buffers.drift);
    system.constraint_drift(t, &to.configuration, &mut work.stage.buffers.correction.projection);
    work.stage.buffers.drift.axpy(M::Scalar::one(), &work.stage.buffers.correction.projection);
    work.stage.buffers.drift.scale(minus);
    let Workspace { mass, vector, stage, .. } = &mut *work;
    let Buffers { jacobian, drift, correction, .. } = &mut stage.buffers;
    let (change, reaction) = (&mut correction.increment, &mut correction.multipliers);
    system.solve_saddle(mass, jacobian, jacobian, vector, drift, change, reaction)?;
    to.velocity.axpy(M::Scalar::one(), &work.stage.buffers.correction.increment);
    Ok(())
}
