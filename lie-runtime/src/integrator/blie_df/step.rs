//! One step, in the scaled variables of [`IterationPoint`].

use num_traits::{One, Zero};

use super::BLieDF;
use super::past::{self, velocity};
use super::workspace::{Iteration, Workspace};
use crate::group::TangentVector;
use crate::integrator::newton::Convergence;
use crate::integrator::{State, StepError, constraints};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{IterationCoefficients, IterationPoint, Linearised};

/// A step of size h with k − 1 steps behind it; leaves its increment in `iteration.theta`.
#[inline]
pub(super) fn attempt<M: Linearised>(
    method: &BLieDF,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    workspace: &mut Workspace<M>,
) -> Result<(), StepError> {
    predict(method, system, from, h, to, workspace);
    let work = &mut workspace.iteration;
    if method.is_stabilised(system) {
        let t = M::Scalar::from_f64(from.time);
        system.constraint_jacobian(t, &from.configuration, &mut work.start_jacobian);
    }
    solve(method, system, from, h, to, work)?;
    to.time = from.time + h;
    work.steps += 1;
    Ok(())
}

/// The parts of the formulas that are known, and first iterates that satisfy them.
#[inline]
fn predict<M: Linearised>(
    method: &BLieDF,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    workspace: &mut Workspace<M>,
) {
    let real = M::Scalar::from_f64;
    let Workspace { sums, iteration: work, .. } = workspace;
    let (alpha, behind) = (method.coefficients.derivative, &from.memory);
    let Iteration { theta, extrapolated, past, sum, coordinates, .. } = work;
    past.fill(M::Scalar::zero());
    if method.coefficients.steps > 1 {
        extrapolated.fill(M::Scalar::zero());
        for (i, weight) in method.coefficients.extrapolation.iter().enumerate() {
            extrapolated.axpy(real(*weight), behind.vector(past::increment(i)));
        }
        past::past(system, alpha, behind, (sums, coordinates), sum);
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

/// Newton's iteration.
#[inline]
fn solve<M: Linearised>(
    method: &BLieDF,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    work: &mut Iteration<M>,
) -> Result<(), StepError> {
    let real = M::Scalar::from_f64;
    let (options, leading) = (&method.options, method.coefficients.derivative[0]);
    let t = real(from.time + h);
    let is_stabilised = method.is_stabilised(system);
    // x = h δv / α_0, hence δv' = α_0² / h² x.
    let coefficients = IterationCoefficients {
        mass: real(leading * leading),
        damping: real(h * leading),
        stiffness: real(h * h),
        rate: real(leading),
        rate_gradient: real(h),
    };
    // Where there are no other forces the reactions set the scale.
    let mut reactions = 0.0;
    if system.constraint_rows() > 0 {
        system.constraint_jacobian(real(from.time), &from.configuration, &mut work.jacobian);
        system.jacobian_transpose_times(&work.jacobian, &from.multipliers, &mut work.reaction);
        reactions = h * h * work.reaction.max_norm();
    }
    let scales = [reactions, h * h * from.acceleration.max_norm()];
    let mut convergence = Convergence::new::<M::Scalar>(options.tolerance, options.maximum_iterations, scales);
    loop {
        system.space().compose_exp(&from.configuration, &work.theta, &mut to.configuration);
        if convergence.is_done {
            return Ok(());
        }
        let residuals = residuals(system, t, h, is_stabilised, to, work);
        if convergence.is_solved(residuals, system, from, h)? {
            return Ok(());
        }
        let (q, v, acceleration) = (&to.configuration, &to.velocity, &to.acceleration);
        let (multipliers, theta) = (&to.multipliers, &work.theta);
        let point = IterationPoint { t, q, v, acceleration, multipliers, theta, local: None, reactions: None };
        let projection = is_stabilised.then_some(&work.start_jacobian);
        system
            .factorise_iteration(&point, &coefficients, projection, &mut work.factorisation)
            .map_err(|error| StepError::of_iteration(error, system, from, h))?;
        system.solve_iteration(&mut work.factorisation, &work.residual, &mut work.correction);
        work.iterations += 1;
        let correction = &work.correction;
        work.theta.axpy(M::Scalar::one(), &correction.increment);
        to.velocity.axpy(real(leading / h), &correction.acceleration);
        to.acceleration.axpy(real(leading * leading / (h * h)), &correction.acceleration);
        to.multipliers.axpy(real(1.0 / (h * h)), &correction.multipliers);
        convergence.correct(correction.acceleration.max_norm().max(correction.increment.max_norm()));
    }
}

/// The scaled residuals of an iterate and their norms: forces, constraints.
#[inline]
fn residuals<M: Linearised>(
    system: &M,
    t: M::Scalar,
    h: f64,
    is_stabilised: bool,
    to: &State<M>,
    work: &mut Iteration<M>,
) -> [f64; 2] {
    let real = M::Scalar::from_f64;
    let (q, v) = (&to.configuration, &to.velocity);
    system.residual(t, q, v, &to.acceleration, &to.multipliers, &mut work.residual.balance);
    work.residual.balance.scale(real(h * h));
    let Iteration { residual, jacobian, drift, .. } = work;
    let constraint = constraints::residuals(system, (t, q, v), h, is_stabilised, false, residual, jacobian, drift);
    [residual.balance.max_norm(), constraint]
}
