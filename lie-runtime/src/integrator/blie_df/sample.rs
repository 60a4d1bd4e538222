//! States between the steps.

use num_traits::Zero;

use super::BLieDF;
use super::history::{acceleration, increment, velocity};
use super::workspace::{BLieDFWorkspace, Iteration};
use crate::group::TangentVector;
use crate::integrator::implicit::IterateBuffers;
use crate::integrator::{State, StepError};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{KktError, Linearised};

/// The maximum number of corrections of an interpolated state; its residual is O(h^{k+1}), and every correction squares it.
const CORRECTIONS: usize = 4;
/// A correction below this size is round-off.
const NEGLIGIBLE: f64 = 1e-14;

/// Interpolates the state at `time` through `to` and the k previous states.
///
/// In the coordinates ψ of q(t) = q_{n+1} exp(ψ) the polynomial of degree k has the error O(h^{k+1}) in q; v, v' and λ are interpolated in
/// the same way. Then q is projected onto the constraint manifold, and v onto B v + b = 0 if the method satisfies that equation.
pub(super) fn interpolate<M: Linearised>(
    method: &BLieDF,
    system: &M,
    to: &State<M>,
    time: f64,
    out: &mut State<M>,
    workspace: &mut BLieDFWorkspace<M>,
) -> Result<(), StepError> {
    let real = M::Scalar::from_f64;
    let BLieDFWorkspace { sums, iteration: work, .. } = workspace;
    let (k, behind) = (method.coefficients.steps, &to.memory);
    // The time in steps from t_{n+1}; the nodes are 0, −1, …, −k.
    let at = (time - to.time) / behind.step();
    out.time = time;
    out.memory.forget();
    for vector in [&mut work.stage.buffers.theta, &mut work.coordinates, &mut out.velocity, &mut out.acceleration] {
        vector.fill(M::Scalar::zero());
    }
    out.multipliers.fill(M::Scalar::zero());
    for i in 0..=k {
        let others = (0..=k).filter(|&j| j != i);
        let weight = real(others.map(|j| (at + j as f64) / (j as f64 - i as f64)).product());
        let (v, rate, multipliers) = if i == 0 {
            (&to.velocity, &to.acceleration, &to.multipliers)
        } else {
            sums.go_back(system, &mut work.coordinates, behind.vector(increment(i - 1)));
            work.stage.buffers.theta.axpy(weight, &work.coordinates);
            (behind.vector(velocity(i - 1)), behind.vector(acceleration(i - 1)), behind.multipliers(i - 1))
        };
        out.velocity.axpy(weight, v);
        out.acceleration.axpy(weight, rate);
        out.multipliers.axpy(weight, multipliers);
    }
    system.space().compose_exp(&to.configuration, &work.stage.buffers.theta, &mut out.configuration);
    let failed = |error| StepError::of_kkt(error, system, to, time - to.time);
    project_configuration(system, out, work).map_err(failed)?;
    if method.is_stabilised(system) || system.holonomic_rows() < system.constraint_rows() {
        project_velocity(system, out, work).map_err(failed)?;
    }
    Ok(())
}

/// Projects q onto Φ(t, q) = 0 by corrections of least norm in the metric of M.
fn project_configuration<M: Linearised>(
    system: &M,
    out: &mut State<M>,
    work: &mut Iteration<M>,
) -> Result<(), KktError> {
    if system.holonomic_rows() == 0 {
        return Ok(());
    }
    let t = M::Scalar::from_f64(out.time);
    for _ in 0..CORRECTIONS {
        system.constraint(t, &out.configuration, &mut work.stage.buffers.drift);
        correct(system, t, &out.configuration, work)?;
        if work.stage.buffers.correction.increment.max_norm() <= NEGLIGIBLE {
            break;
        }
        work.configuration.clone_from(&out.configuration);
        system.space().compose_exp(
            &work.configuration,
            &work.stage.buffers.correction.increment,
            &mut out.configuration,
        );
    }
    Ok(())
}

/// Projects v onto B v + b = 0.
fn project_velocity<M: Linearised>(system: &M, out: &mut State<M>, work: &mut Iteration<M>) -> Result<(), KktError> {
    let real = M::Scalar::from_f64;
    let (t, q) = (real(out.time), &out.configuration);
    system.constraint_jacobian(t, q, &mut work.stage.buffers.jacobian);
    system.jacobian_times(&work.stage.buffers.jacobian, &out.velocity, &mut work.stage.buffers.drift);
    system.constraint_drift(t, q, &mut work.stage.buffers.residual.velocity);
    work.stage.buffers.drift.axpy(real(1.0), &work.stage.buffers.residual.velocity);
    correct(system, t, q, work)?;
    out.velocity.axpy(real(1.0), &work.stage.buffers.correction.increment);
    Ok(())
}

/// Writes the δ of least norm with B δ = −`drift` into `correction.increment`.
fn correct<M: Linearised>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    work: &mut Iteration<M>,
) -> Result<(), KktError> {
    let Iteration { mass, stage, .. } = work;
    let IterateBuffers { jacobian, reaction, drift, correction, .. } = &mut stage.buffers;
    system.mass(t, q, mass)?;
    system.constraint_jacobian(t, q, jacobian);
    reaction.fill(M::Scalar::zero());
    drift.scale(M::Scalar::from_f64(-1.0));
    let (delta, multipliers) = (&mut correction.increment, &mut correction.multipliers);
    system.solve_kkt(mass, jacobian, jacobian, reaction, drift, delta, multipliers)
}
