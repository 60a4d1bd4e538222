//! An implicit stage: θ_k = … + h γ v_k, v_k = … + h γ v'_k with γ = a_kk.

use num_traits::Zero;

use super::workspace::TrBdf2Workspace;
use crate::group::TangentVector;
use crate::integrator::implicit::{StageProblem, Weights};
use crate::integrator::tableau::TR_BDF2;
use crate::integrator::{State, StepError};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::Linearised;

/// The smallest scale of increments relative to the extent. Shorter increments, for example from rest under loads that start at zero, reach
/// the round-off of the coordinates before their own corrections are relatively small.
const SHORT: f64 = 1e-5;

/// Solves stage `k` from the velocity in `velocities[k]` and writes q, v, v' and λ of the stage to `to`.
pub(super) fn solve<M: Linearised>(
    system: &M,
    from: &State<M>,
    h: f64,
    k: usize,
    to: &mut State<M>,
    work: &mut TrBdf2Workspace<M>,
) -> Result<(), StepError> {
    let gamma = TR_BDF2.entry(k, k);
    begin(from, h, k, to, work);
    let real = M::Scalar::from_f64;
    let size = work.stage.buffers.theta.lane_norm() + real(h * h) * to.acceleration.lane_norm();
    let unit = Scalar::max(real(SHORT * system.space().extent(&from.configuration).min(1.0)), size);
    let problem = StageProblem {
        system,
        from,
        h,
        time: from.time + TR_BDF2.c[k] * h,
        weights: Weights::of_formula(1.0 / gamma),
        is_stabilised: system.holonomic_rows() > 0,
        map: None,
        unit,
    };
    work.stage.solve(&problem, to)?;
    work.velocities[k].assign(&to.velocity);
    work.accelerations[k].assign(&to.acceleration);
    to.time = problem.time;
    if problem.is_stabilised {
        project(h, k, to, work);
    }
    Ok(())
}

/// Computes the first iterates: v' and θ for the predicted velocity.
#[inline]
fn begin<M: Linearised>(from: &State<M>, h: f64, k: usize, to: &mut State<M>, work: &mut TrBdf2Workspace<M>) {
    let real = M::Scalar::from_f64;
    let gamma = TR_BDF2.entry(k, k);
    let theta = &mut work.stage.buffers.theta;
    to.velocity.assign(&work.velocities[k]);
    to.acceleration.assign(&to.velocity);
    to.acceleration.axpy(real(-1.0), &from.velocity);
    theta.assign(&to.velocity);
    theta.scale(real(gamma * h));
    for j in 0..k {
        let weight = real(TR_BDF2.entry(k, j) * h);
        to.acceleration.axpy(-weight, &work.accelerations[j]);
        theta.axpy(weight, &work.velocities[j]);
        theta.axpy(weight, &work.projections[j]);
    }
    to.acceleration.scale(real(1.0 / (gamma * h)));
    work.projections[k].fill(M::Scalar::zero());
}

/// −B(q_n)ᵀ η_k = (θ_k / h − Σ_{j<k} a_kj (v_j − B(q_n)ᵀ η_j)) / γ − v_k.
#[inline]
fn project<M: Linearised>(h: f64, k: usize, to: &State<M>, work: &mut TrBdf2Workspace<M>) {
    let real = M::Scalar::from_f64;
    let gamma = TR_BDF2.entry(k, k);
    let (known, unknown) = work.projections.split_at_mut(k);
    let projection = &mut unknown[0];
    projection.axpy(real(1.0 / (gamma * h)), &work.stage.buffers.theta);
    projection.axpy(real(-1.0), &to.velocity);
    for (j, known) in known.iter().enumerate() {
        let weight = real(-TR_BDF2.entry(k, j) / gamma);
        projection.axpy(weight, &work.velocities[j]);
        projection.axpy(weight, known);
    }
}
