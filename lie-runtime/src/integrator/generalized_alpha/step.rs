//! One step: paper 2, Table 1, in the scaled variables of [`IterationPoint`].

use num_traits::{One, Zero};

use super::workspace::{Iteration, LOGGED};
use super::{Formulation, GeneralizedAlpha, Newton, Predictor, Start, start};
use crate::group::TangentVector;
use crate::integrator::{Quantity, State, StepError, StepFailure};
use crate::scalar::Scalar;
use crate::system::{IterationCoefficients, IterationPoint, Linearised, SaddleError};

/// A correction under this size is round-off of the group operations.
const NEGLIGIBLE: f64 = 2.0 * f64::EPSILON;
/// A correction under this size that no longer shrinks is round-off of large coordinates.
const STAGNANT: f64 = 1e-9;
/// Factors are kept while corrections shrink by this factor.
const GOOD_CONTRACTION: f64 = 0.1;

/// A linear system has failed: says so in the names of the declaration.
#[cold]
#[inline(never)]
pub(super) fn explain<M: Linearised>(error: SaddleError, system: &M, from: &State<M>, h: f64) -> StepError {
    let failure = match error {
        SaddleError::NotFinite => StepFailure::NotFinite { quantity: Quantity::find(system, from) },
        _ => StepFailure::of_saddle(error, system.description()),
    };
    StepError { time: from.time, step: h, failure }
}

/// A step of size h.
#[inline]
pub(super) fn attempt<M: Linearised>(
    method: &GeneralizedAlpha,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    work: &mut Iteration<M>,
) -> Result<(), StepError> {
    work.velocity.assign(&from.velocity);
    work.acceleration.assign(&from.acceleration);
    work.acceleration.axpy(M::Scalar::from_f64(h), &from.acceleration_lag);
    if work.start_time == Some(from.time) && method.options.start != Start::FirstOrder {
        start::prepare(method, system, from, h, work).map_err(|error| explain(error, system, from, h))?;
    }
    let step = Step { method, system, from, h };
    if method.options.formulation == Formulation::StabilisedIndex2 {
        let t = M::Scalar::from_f64(from.time);
        system.constraint_jacobian(t, &from.configuration, &mut work.start_jacobian);
    }
    step.predict(to, work);
    step.solve(to, work)?;
    to.time = from.time + h;
    // a_{n+1} as the next step will want it.
    to.acceleration_lag.assign(&work.next_acceleration);
    to.acceleration_lag.axpy(-M::Scalar::one(), &to.acceleration);
    to.acceleration_lag.scale(M::Scalar::from_f64(1.0 / h));
    work.steps += 1;
    Ok(())
}

/// What does not change within a step.
struct Step<'a, M: Linearised> {
    method: &'a GeneralizedAlpha,
    system: &'a M,
    from: &'a State<M>,
    h: f64,
}

impl<M: Linearised> Step<'_, M> {
    /// The first iterates, which satisfy eqs. (30)-(32).
    #[inline]
    fn predict(&self, to: &mut State<M>, work: &mut Iteration<M>) {
        let real = M::Scalar::from_f64;
        let (p, h) = (&self.method.parameters, self.h);
        let scale = 1.0 / (1.0 - p.alpha_m);
        work.next_acceleration.assign(&self.from.acceleration);
        work.next_acceleration.scale(real(p.alpha_f * scale));
        work.next_acceleration.axpy(real(-p.alpha_m * scale), &work.acceleration);
        match self.method.options.predictor {
            Predictor::Zero => {
                to.acceleration.fill(M::Scalar::zero());
                to.multipliers.fill(M::Scalar::zero());
            }
            Predictor::Previous => {
                to.acceleration.assign(&self.from.acceleration);
                to.multipliers.assign(&self.from.multipliers);
                work.next_acceleration.axpy(real((1.0 - p.alpha_f) * scale), &to.acceleration);
            }
        }
        to.velocity.assign(&work.velocity);
        to.velocity.axpy(real(h * (1.0 - p.gamma)), &work.acceleration);
        to.velocity.axpy(real(h * p.gamma), &work.next_acceleration);
        work.theta.assign(&work.velocity);
        work.theta.scale(real(h));
        work.theta.axpy(real(h * h * (0.5 - p.beta)), &work.acceleration);
        work.theta.axpy(real(h * h * p.beta), &work.next_acceleration);
    }

    /// Newton's iteration for eqs. (27)-(32).
    #[inline]
    #[allow(clippy::too_many_lines)] // Table 1 of paper 2, in its order.
    fn solve(&self, to: &mut State<M>, work: &mut Iteration<M>) -> Result<(), StepError> {
        let real = M::Scalar::from_f64;
        let (method, system, h) = (self.method, self.system, self.h);
        let (p, options) = (&method.parameters, &method.options);
        let t = real(self.from.time + h);
        let is_stabilised = options.formulation == Formulation::StabilisedIndex2 && system.holonomic_rows() > 0;
        let (rows, holonomic) = (system.constraint_rows(), system.holonomic_rows());
        let (mass, damping) = (p.mass_weight(), p.damping_weight());
        let coefficients = IterationCoefficients {
            mass: real(mass),
            damping: real(h * damping),
            stiffness: real(h * h),
            rate: real(damping),
            rate_gradient: real(h),
        };
        if options.newton == Newton::Exact || work.factorised_for != Some(h) {
            work.factorised_for = None;
        }
        work.logged = 0;
        let constraint_scale = h * h * self.from.acceleration.max_norm();
        let (mut force_scale, mut position_scale) = (0.0_f64, constraint_scale);
        let (mut previous, mut count, mut is_done) = (f64::INFINITY, 0, false);
        loop {
            system.compose_exp(&self.from.configuration, &work.theta, &mut to.configuration);
            if is_done {
                return Ok(());
            }
            let (q, v) = (&to.configuration, &to.velocity);
            system.residual(t, q, v, &to.acceleration, &to.multipliers, &mut work.residual.balance);
            work.residual.balance.scale(real(h * h));
            let balance = work.residual.balance.max_norm();
            let mut constraint = 0.0;
            if rows > 0 {
                system.constraint(t, q, &mut work.residual.position);
                constraint = work.residual.position.max_norm();
                if count == 0 || is_stabilised || holonomic < rows {
                    system.constraint_jacobian(t, q, &mut work.jacobian);
                }
                if count == 0 {
                    // Where there are no other forces the reactions set the scale.
                    system.jacobian_transpose_times(&work.jacobian, &self.from.multipliers, &mut work.reaction);
                    force_scale = h * h * work.reaction.max_norm();
                }
                if is_stabilised || holonomic < rows {
                    let rate = &mut work.residual.velocity;
                    system.jacobian_times(&work.jacobian, v, rate);
                    system.constraint_drift(t, q, &mut work.drift);
                    rate.axpy(M::Scalar::one(), &work.drift);
                    rate.scale(real(h));
                    if !is_stabilised {
                        for row in 0..holonomic {
                            rate.set_component(row, M::Scalar::zero());
                        }
                    }
                    constraint = constraint.max(rate.max_norm());
                }
            }
            if count == 0 {
                force_scale = force_scale.max(balance);
                position_scale = position_scale.max(constraint);
            }
            if work.logged < LOGGED {
                work.log[work.logged] = [balance, constraint];
                work.logged += 1;
            }
            // NaN is not under any tolerance.
            if balance <= options.tolerance * force_scale && constraint <= options.tolerance * position_scale {
                return Ok(());
            }
            if !(balance.is_finite() && constraint.is_finite()) {
                return Err(explain(SaddleError::NotFinite, system, self.from, h));
            }
            if count == options.maximum_iterations {
                work.factorised_for = None;
                let residual = balance / (h * h);
                let failure = StepFailure::NewtonNotConverged { iterations: count, residual, constraint };
                return Err(StepError { time: self.from.time, step: h, failure });
            }
            if options.newton == Newton::Exact || work.factorised_for.is_none() {
                let (acceleration, multipliers, theta) = (&to.acceleration, &to.multipliers, &work.theta);
                let point = IterationPoint { t, q, v, acceleration, multipliers, theta, reactions: None };
                let projection = is_stabilised.then_some(&work.start_jacobian);
                system
                    .factorise_iteration(&point, &coefficients, projection, &mut work.factorisation)
                    .map_err(|error| explain(error, system, self.from, h))?;
                work.factorised_for = Some(h);
                work.factorisations += 1;
            }
            system.solve_iteration(&work.factorisation, &work.residual, &mut work.correction);
            count += 1;
            work.iterations += 1;
            // x = β h² δa, hence δv = γ / (β h) x and δv' = β' x.
            let correction = &work.correction;
            work.theta.axpy(M::Scalar::one(), &correction.increment);
            to.velocity.axpy(real(damping / h), &correction.acceleration);
            to.acceleration.axpy(real(mass / (h * h)), &correction.acceleration);
            to.multipliers.axpy(real(1.0 / (h * h)), &correction.multipliers);
            work.next_acceleration.axpy(real(1.0 / (p.beta * h * h)), &correction.acceleration);
            let size = correction.acceleration.max_norm().max(correction.increment.max_norm());
            is_done = size <= NEGLIGIBLE || (previous < STAGNANT && size > 0.5 * previous && size < STAGNANT);
            if size > GOOD_CONTRACTION * previous {
                work.factorised_for = None;
            }
            previous = size;
        }
    }
}
