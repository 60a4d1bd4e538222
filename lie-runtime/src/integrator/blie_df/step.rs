//! One step, in the scaled variables of [`IterationPoint`](crate::system::IterationPoint).

use num_traits::Zero;

use super::BLieDF;
use super::history::{self, velocity};
use super::workspace::{BLieDFWorkspace, Iteration};
use crate::group::TangentVector;
use crate::integrator::implicit::{StageProblem, Weights};
use crate::integrator::{State, StepError};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::Linearised;

/// Makes a step of size h after k − 1 previous steps and writes its increment to the θ of the stage.
#[inline]
pub(crate) fn attempt<M: Linearised>(
    method: &BLieDF,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    workspace: &mut BLieDFWorkspace<M>,
) -> Result<(), StepError> {
    predict(method, system, from, h, to, workspace);
    let work = &mut workspace.iteration;
    let problem = StageProblem {
        system,
        from,
        h,
        time: from.time + h,
        weights: Weights::of_formula(method.coefficients.derivative[0]),
        is_stabilised: method.is_stabilised(system),
        map: None,
        unit: num_traits::Zero::zero(),
    };
    if problem.is_stabilised {
        let t = M::Scalar::from_f64(from.time);
        system.constraint_jacobian(t, &from.configuration, &mut work.stage.buffers.start_jacobian);
    }
    work.stage.solve(&problem, to)?;
    to.time = problem.time;
    work.steps += 1;
    Ok(())
}

/// Computes the known parts of the formulas and first iterates that satisfy them.
#[inline]
fn predict<M: Linearised>(
    method: &BLieDF,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    workspace: &mut BLieDFWorkspace<M>,
) {
    let real = M::Scalar::from_f64;
    let BLieDFWorkspace { sums, iteration: work, .. } = workspace;
    let (alpha, behind) = (method.coefficients.derivative, &from.memory);
    let Iteration { stage, extrapolated, past, sum, coordinates, .. } = work;
    let theta = &mut stage.buffers.theta;
    past.fill(M::Scalar::zero());
    if method.coefficients.steps > 1 {
        extrapolated.fill(M::Scalar::zero());
        for (i, weight) in method.coefficients.extrapolation.iter().enumerate() {
            extrapolated.axpy(real(*weight), behind.vector(history::increment(i)));
        }
        history::past(system, alpha, behind, (sums, coordinates), sum);
        system.space().tangent(extrapolated, sum, past);
    }
    theta.assign(&from.velocity);
    theta.scale(real(h));
    theta.axpy(real(0.5 * h * h), &from.acceleration);
    to.velocity.assign(past);
    to.velocity.axpy(real(alpha[0]), theta);
    to.velocity.scale(real(1.0 / h));
    to.acceleration.assign(&to.velocity);
    to.acceleration.scale(real(alpha[0] / h));
    for (i, weight) in alpha.iter().enumerate().skip(1) {
        let v = if i == 1 { &from.velocity } else { behind.vector(velocity(i - 2)) };
        to.acceleration.axpy(real(weight / h), v);
    }
    to.multipliers.assign(&from.multipliers);
}
