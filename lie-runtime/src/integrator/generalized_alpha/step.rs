//! One step: paper 2, Table 1, in the scaled variables of [`IterationPoint`].
//!
//! An updated Lagrangian step is the same for x, x' and x'' instead of θ, v and v', which follow from them. Here both
//! are called increment, rate and second.

use num_traits::{One, Zero};

use super::workspace::{Iteration, LOGGED};
use super::{Formulation, GeneralizedAlpha, Newton, Predictor, start};
use crate::group::TangentVector;
use crate::integrator::newton::Convergence;
use crate::integrator::{State, StepError, constraints};
use crate::scalar::Scalar;
use crate::space::{ConfigurationSpace, LocalSpace};
use crate::system::{IterationCoefficients, IterationPoint, Linearised, LocalPoint};

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
    start::prepare(method, system, from, h, work).map_err(|error| StepError::of_saddle(error, system, from, h))?;
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
}

impl<'a, M: Linearised> Step<'a, M> {
    #[inline]
    fn of(method: &'a GeneralizedAlpha, system: &'a M, from: &'a State<M>, h: f64) -> Self {
        let real = M::Scalar::from_f64;
        let p = &method.parameters;
        let is_stabilised = method.options.formulation == Formulation::StabilisedIndex2 && system.holonomic_rows() > 0;
        let coefficients = IterationCoefficients {
            mass: real(p.mass_weight()),
            damping: real(h * p.damping_weight()),
            stiffness: real(h * h),
            rate: real(p.damping_weight()),
            rate_gradient: real(h),
        };
        Step { method, system, from, h, coefficients, is_stabilised }
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
        let scales = [0.0, self.h * self.h * self.from.acceleration.max_norm()];
        let mut convergence = Convergence::new::<M::Scalar>(options.tolerance, options.maximum_iterations, scales);
        loop {
            self.place(to, work);
            if convergence.is_done {
                return Ok(());
            }
            let is_first = convergence.count == 0;
            let left = self.residuals(is_first, to, work);
            if is_first && self.system.constraint_rows() > 0 {
                // Where there are no other forces the reactions set the scale.
                convergence.scales[0] = self.reaction(work);
            }
            if work.logged < LOGGED {
                work.log[work.logged] = left;
                work.logged += 1;
            }
            match convergence.is_solved(left, self.system, self.from, self.h) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(error) => {
                    work.factorised_for = None;
                    return Err(error);
                }
            }
            if options.newton == Newton::Exact || work.factorised_for.is_none() {
                self.factorise(to, work)?;
            }
            self.system.solve_iteration(&mut work.factorisation, &work.residual, &mut work.correction);
            work.iterations += 1;
            self.correct(to, work);
            convergence.correct(work.correction.acceleration.max_norm().max(work.correction.increment.max_norm()));
            if !convergence.contracts {
                work.factorised_for = None;
            }
        }
    }

    /// q, and v and v' where they follow from local coordinates.
    #[inline]
    fn place(&self, to: &mut State<M>, work: &mut Iteration<M>) {
        if let Some(map) = self.method.options.formulation.coordinates() {
            let point = LocalPoint { map, x: &work.local.x, rate: &work.local.rate, second: &work.local.second };
            self.system.space().local_motion(&point, [&mut work.theta, &mut to.velocity, &mut to.acceleration]);
        }
        self.system.space().compose_exp(&self.from.configuration, &work.theta, &mut to.configuration);
    }

    /// The residuals of all equations; returns h² ‖r‖ and the largest one of the constraints, in the units of θ.
    #[inline]
    fn residuals(&self, is_first: bool, to: &State<M>, work: &mut Iteration<M>) -> [f64; 2] {
        let real = M::Scalar::from_f64;
        let (system, h) = (self.system, self.h);
        let t = real(self.from.time + h);
        let (q, v) = (&to.configuration, &to.velocity);
        system.residual(t, q, v, &to.acceleration, &to.multipliers, &mut work.residual.balance);
        work.residual.balance.scale(real(h * h));
        let Iteration { residual, jacobian, drift, .. } = work;
        let constraint =
            constraints::residuals(system, (t, q, v), h, self.is_stabilised, is_first, residual, jacobian, drift);
        [residual.balance.max_norm(), constraint]
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
            .map_err(|error| StepError::of_iteration(error, self.system, self.from, self.h))?;
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
        to.memory.make_room(self.system, &to.configuration, 1, 0);
        let lag = to.memory.vector_mut(0);
        if let Some(map) = self.method.options.formulation.coordinates() {
            // a − v' = T(x) (a₁ − x'').
            let Iteration { local, next_acceleration, reaction, correction, theta, .. } = work;
            reaction.assign(next_acceleration);
            reaction.axpy(real(-1.0), &local.second);
            let point = LocalPoint { map, x: &local.x, rate: &*reaction, second: &local.second };
            self.system.space().local_motion(&point, [theta, lag, &mut correction.increment]);
        } else {
            lag.assign(&work.next_acceleration);
            lag.axpy(real(-1.0), &to.acceleration);
        }
        lag.scale(real(1.0 / self.h));
        to.remember(self.method.owner(), self.h, 1);
        work.steps += 1;
    }
}
