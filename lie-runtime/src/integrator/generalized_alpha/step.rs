//! One step: paper 2, Table 1, in the scaled variables of [`IterationPoint`].
//!
//! An updated Lagrangian step is the same for x, x' and x'' instead of θ, v and v', which follow from them. Here both
//! are called increment, rate and second.

use num_traits::{One, Zero};

use super::workspace::{Iteration, LOGGED};
use super::{Formulation, GeneralizedAlpha, Newton, Predictor, start};
use crate::group::TangentVector;
use crate::integrator::{Quantity, State, StepError, StepFailure};
use crate::scalar::Scalar;
use crate::system::{IterationCoefficients, IterationPoint, Linearised, LocalPoint, SaddleError};

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
    start::prepare(method, system, from, h, work).map_err(|error| explain(error, system, from, h))?;
    let step = Step::of(method, system, from, h);
    if step.is_stabilised {
        let t = M::Scalar::from_f64(from.time);
        system.constraint_jacobian(t, &from.configuration, &mut work.start_jacobian);
    }
    step.predict(to, work);
    step.solve(to, work)?;
    step.conclude(to, work);
    Ok(())
}

/// What does not change within a step.
struct Step<'a, M: Linearised> {
    method: &'a GeneralizedAlpha,
    system: &'a M,
    from: &'a State<M>,
    h: f64,
    coefficients: IterationCoefficients<M::Scalar>,
    /// True if holonomic rows are met by q and by v.
    is_stabilised: bool,
    /// True if there are rows that v has to meet.
    has_rates: bool,
}

/// The largest residuals: h² ‖r‖, and those of the constraints in the units of θ.
#[derive(Clone, Copy)]
struct Residuals {
    balance: f64,
    constraint: f64,
}

impl<'a, M: Linearised> Step<'a, M> {
    #[inline]
    fn of(method: &'a GeneralizedAlpha, system: &'a M, from: &'a State<M>, h: f64) -> Self {
        let real = M::Scalar::from_f64;
        let p = &method.parameters;
        let (rows, holonomic) = (system.constraint_rows(), system.holonomic_rows());
        let is_stabilised = method.options.formulation == Formulation::StabilisedIndex2 && holonomic > 0;
        let coefficients = IterationCoefficients {
            mass: real(p.mass_weight()),
            damping: real(h * p.damping_weight()),
            stiffness: real(h * h),
            rate: real(p.damping_weight()),
            rate_gradient: real(h),
        };
        Step { method, system, from, h, coefficients, is_stabilised, has_rates: is_stabilised || holonomic < rows }
    }

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
        if self.method.options.formulation.coordinates().is_some() {
            work.local.x.assign(&work.theta);
            work.local.rate.assign(&to.velocity);
            work.local.second.assign(&to.acceleration);
        }
    }

    /// Newton's iteration for eqs. (27)-(32), or (71)-(79).
    #[inline]
    fn solve(&self, to: &mut State<M>, work: &mut Iteration<M>) -> Result<(), StepError> {
        let options = &self.method.options;
        if options.newton == Newton::Exact || work.factorised_for != Some(self.h) {
            work.factorised_for = None;
        }
        work.logged = 0;
        let mut scale = Residuals { balance: 0.0, constraint: self.h * self.h * self.from.acceleration.max_norm() };
        let (mut previous, mut count, mut is_done) = (f64::INFINITY, 0, false);
        loop {
            self.place(to, work);
            if is_done {
                return Ok(());
            }
            let left = self.residuals(count == 0, to, work);
            if count == 0 {
                // Where there are no other forces the reactions set the scale.
                let reaction = if self.system.constraint_rows() > 0 { self.reaction(work) } else { 0.0 };
                scale.balance = reaction.max(left.balance);
                scale.constraint = scale.constraint.max(left.constraint);
            }
            if work.logged < LOGGED {
                work.log[work.logged] = [left.balance, left.constraint];
                work.logged += 1;
            }
            // NaN is not under any tolerance.
            if left.balance <= options.tolerance * scale.balance
                && left.constraint <= options.tolerance * scale.constraint
            {
                return Ok(());
            }
            if !(left.balance.is_finite() && left.constraint.is_finite()) {
                return Err(explain(SaddleError::NotFinite, self.system, self.from, self.h));
            }
            if count == options.maximum_iterations {
                work.factorised_for = None;
                return Err(self.not_converged(count, left));
            }
            if options.newton == Newton::Exact || work.factorised_for.is_none() {
                self.factorise(to, work)?;
            }
            self.system.solve_iteration(&mut work.factorisation, &work.residual, &mut work.correction);
            count += 1;
            work.iterations += 1;
            self.correct(to, work);
            let size = work.correction.acceleration.max_norm().max(work.correction.increment.max_norm());
            is_done = size <= NEGLIGIBLE || (previous < STAGNANT && size > 0.5 * previous && size < STAGNANT);
            // Round-off, which does not contract, says nothing about the factors.
            if size > GOOD_CONTRACTION * previous && previous >= STAGNANT {
                work.factorised_for = None;
            }
            previous = size;
        }
    }

    /// q, and v and v' where they follow from local coordinates.
    #[inline]
    fn place(&self, to: &mut State<M>, work: &mut Iteration<M>) {
        if let Some(map) = self.method.options.formulation.coordinates() {
            let point = LocalPoint { map, x: &work.local.x, rate: &work.local.rate, second: &work.local.second };
            self.system.local_motion(&point, &mut work.theta, &mut to.velocity, &mut to.acceleration);
        }
        self.system.compose_exp(&self.from.configuration, &work.theta, &mut to.configuration);
    }

    /// The residuals of all equations.
    #[inline]
    fn residuals(&self, is_first: bool, to: &State<M>, work: &mut Iteration<M>) -> Residuals {
        let real = M::Scalar::from_f64;
        let (system, h) = (self.system, self.h);
        let t = real(self.from.time + h);
        let (q, v) = (&to.configuration, &to.velocity);
        system.residual(t, q, v, &to.acceleration, &to.multipliers, &mut work.residual.balance);
        work.residual.balance.scale(real(h * h));
        let balance = work.residual.balance.max_norm();
        let mut constraint = 0.0;
        if system.constraint_rows() > 0 {
            system.constraint(t, q, &mut work.residual.position);
            constraint = work.residual.position.max_norm();
            if is_first || self.has_rates {
                system.constraint_jacobian(t, q, &mut work.jacobian);
            }
            if self.has_rates {
                let rate = &mut work.residual.velocity;
                system.jacobian_times(&work.jacobian, v, rate);
                system.constraint_drift(t, q, &mut work.drift);
                rate.axpy(M::Scalar::one(), &work.drift);
                rate.scale(real(h));
                if !self.is_stabilised {
                    for row in 0..system.holonomic_rows() {
                        rate.set_component(row, M::Scalar::zero());
                    }
                }
                constraint = constraint.max(rate.max_norm());
            }
        }
        Residuals { balance, constraint }
    }

    /// h² ‖Bᵀ λ_n‖.
    #[inline]
    fn reaction(&self, work: &mut Iteration<M>) -> f64 {
        self.system.jacobian_transpose_times(&work.jacobian, &self.from.multipliers, &mut work.reaction);
        self.h * self.h * work.reaction.max_norm()
    }

    /// Factorises the matrix (34).
    #[inline]
    fn factorise(&self, to: &State<M>, work: &mut Iteration<M>) -> Result<(), StepError> {
        work.factorised_for = None;
        let (local, options) = (&work.local, &self.method.options);
        let point = IterationPoint {
            t: M::Scalar::from_f64(self.from.time + self.h),
            q: &to.configuration,
            v: &to.velocity,
            acceleration: &to.acceleration,
            multipliers: &to.multipliers,
            theta: &work.theta,
            local: options.formulation.coordinates().map(|map| LocalPoint {
                map,
                x: &local.x,
                rate: &local.rate,
                second: &local.second,
            }),
            reactions: None,
        };
        let projection = self.is_stabilised.then_some(&work.start_jacobian);
        self.system
            .factorise_iteration(&point, &self.coefficients, projection, &mut work.factorisation)
            .map_err(|error| explain(error, self.system, self.from, self.h))?;
        work.factorised_for = Some(self.h);
        work.factorisations += 1;
        Ok(())
    }

    /// Applies the correction x = β h² δa: δv = γ / (β h) x and δv' = β' x.
    #[inline]
    fn correct(&self, to: &mut State<M>, work: &mut Iteration<M>) {
        let real = M::Scalar::from_f64;
        let (p, h) = (&self.method.parameters, self.h);
        let Iteration { correction, theta, local, next_acceleration, .. } = work;
        let (increment, rate, second) = if self.method.options.formulation.coordinates().is_some() {
            (&mut local.x, &mut local.rate, &mut local.second)
        } else {
            (theta, &mut to.velocity, &mut to.acceleration)
        };
        increment.axpy(M::Scalar::one(), &correction.increment);
        rate.axpy(real(p.damping_weight() / h), &correction.acceleration);
        second.axpy(real(p.mass_weight() / (h * h)), &correction.acceleration);
        to.multipliers.axpy(real(1.0 / (h * h)), &correction.multipliers);
        next_acceleration.axpy(real(1.0 / (p.beta * h * h)), &correction.acceleration);
    }

    /// What the next step will want to know: a_{n+1}, by eq. (76) in local coordinates, and h.
    #[inline]
    fn conclude(&self, to: &mut State<M>, work: &mut Iteration<M>) {
        let real = M::Scalar::from_f64;
        to.time = self.from.time + self.h;
        to.step = self.h;
        if let Some(map) = self.method.options.formulation.coordinates() {
            // a − v' = T(x) (a₁ − x'').
            let Iteration { local, next_acceleration, reaction, correction, theta, .. } = work;
            reaction.assign(next_acceleration);
            reaction.axpy(real(-1.0), &local.second);
            let point = LocalPoint { map, x: &local.x, rate: &*reaction, second: &local.second };
            self.system.local_motion(&point, theta, &mut to.acceleration_lag, &mut correction.increment);
        } else {
            to.acceleration_lag.assign(&work.next_acceleration);
            to.acceleration_lag.axpy(real(-1.0), &to.acceleration);
        }
        to.acceleration_lag.scale(real(1.0 / self.h));
        work.steps += 1;
    }

    #[cold]
    #[inline(never)]
    fn not_converged(&self, iterations: usize, left: Residuals) -> StepError {
        let Residuals { balance, constraint } = left;
        let failure = StepFailure::NewtonNotConverged { iterations, residual: balance / (self.h * self.h), constraint };
        StepError { time: self.from.time, step: self.h, failure }
    }
}
