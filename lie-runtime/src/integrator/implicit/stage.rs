//! A stage: r = 0 and the constraints at one point, in the scaled variables of [`IterationPoint`].
//!
//! In local coordinates the stage has the same form for x, x' and x'', which determine θ, v and v'. In this module both are called
//! increment, rate and second.

use num_traits::One;

use super::least_norm::LeastNorm;
use super::{IterateEquations, MatrixUpdate, NewtonIteration, Scales, Unsolved, leave};
use crate::group::{CoordinateMap, TangentVector};
use crate::integrator::{State, StepError, constraints};
use crate::scalar::{Scalar, larger};
use crate::space::{ConfigurationSpace, LocalSpace};
use crate::system::{
    IterationCoefficients, IterationCorrection, IterationPoint, IterationResidual, KktError, Linearised, LocalPoint,
};

/// The derivatives of v and v' with respect to the increment: h δv = w₁ δθ, h² δv' = w₂ δθ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weights {
    /// w₁.
    pub rate: f64,
    /// w₂.
    pub second: f64,
}

impl Weights {
    /// Returns the weights of a formula y' = w y / h + … that maps increments to velocities and velocities to accelerations.
    pub fn of_formula(w: f64) -> Self {
        Weights { rate: w, second: w * w }
    }

    /// Returns the scaled coefficients of the linear systems of a step of size h.
    #[inline]
    pub fn coefficients<S: Scalar>(self, h: f64) -> IterationCoefficients<S> {
        let real = S::from_f64;
        IterationCoefficients {
            mass: real(self.second),
            damping: real(h * self.rate),
            stiffness: real(h * h),
            rate: real(self.rate),
            rate_gradient: real(h),
        }
    }
}

/// The constant data of a stage.
pub(crate) struct StageProblem<'a, M: Linearised> {
    pub system: &'a M,
    /// The start of the step.
    pub from: &'a State<M>,
    /// The size of the step.
    pub h: f64,
    /// The time of the stage.
    pub time: f64,
    pub weights: Weights,
    /// True if q and v both satisfy holonomic rows. `start_jacobian` of the stage must then contain B at the start of the step.
    pub is_stabilised: bool,
    /// The local coordinates, if used instead of θ.
    pub map: Option<&'a CoordinateMap>,
    /// The unit of corrections; zero if only residuals are tested.
    pub unit: M::Scalar,
}

impl<M: Linearised> StageProblem<'_, M> {
    /// The point of linearisation of the equations at an iterate.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn point<'b>(
        &'b self,
        to: &'b State<M>,
        theta: &'b M::Velocity,
        local: &'b Local<M::Velocity>,
    ) -> IterationPoint<'b, M> {
        let State { configuration: q, velocity: v, acceleration, multipliers, .. } = to;
        let local = self.map.map(|map| LocalPoint { map, x: &local.x, rate: &local.rate, second: &local.second });
        let t = M::Scalar::from_f64(self.time);
        IterationPoint { t, q, v, acceleration, multipliers, theta, local, reactions: None }
    }
}

/// Local coordinates and their rates.
pub(crate) struct Local<V> {
    /// x.
    pub x: V,
    /// x'.
    pub rate: V,
    /// x''.
    pub second: V,
}

/// The buffers of a stage; allocated once.
pub(crate) struct ImplicitStage<M: Linearised> {
    pub newton: NewtonIteration,
    pub buffers: IterateBuffers<M>,
    /// The buffers of systems with possibly redundant constraints.
    least_norm: Option<Box<LeastNorm<M>>>,
}

/// The data of an iterate in addition to its state.
pub(crate) struct IterateBuffers<M: Linearised> {
    /// θ.
    pub theta: M::Velocity,
    /// The unknowns in local coordinates.
    pub local: Local<M::Velocity>,
    pub residual: IterationResidual<M>,
    pub correction: IterationCorrection<M>,
    /// B(q) of the iterate.
    pub jacobian: M::Jacobian,
    /// B(q_n) of a stabilised stage.
    pub start_jacobian: M::Jacobian,
    /// B(q_n) of the stage with the current factors, and true if that is another stage.
    factored_jacobian: M::Jacobian,
    is_foreign: bool,
    pub drift: M::Multipliers,
    pub reaction: M::Velocity,
    factorisation: M::Factorisation,
}

impl<M: Linearised> ImplicitStage<M> {
    /// Allocates the buffers.
    pub fn of(system: &M, tolerance: f64, maximum_iterations: usize, factors: MatrixUpdate) -> Self {
        let velocity = || system.zero_velocity();
        ImplicitStage {
            newton: NewtonIteration::new::<M::Scalar>(tolerance, maximum_iterations, factors),
            buffers: IterateBuffers {
                theta: velocity(),
                local: Local { x: velocity(), rate: velocity(), second: velocity() },
                residual: IterationResidual::zero(system),
                correction: IterationCorrection::zero(system),
                jacobian: system.zero_jacobian(),
                start_jacobian: system.zero_jacobian(),
                factored_jacobian: system.zero_jacobian(),
                is_foreign: false,
                drift: system.zero_multipliers(),
                reaction: velocity(),
                factorisation: system.zero_factorisation(),
            },
            least_norm: LeastNorm::of(system),
        }
    }

    /// Solves a stage. The first iterate consists of θ (or the local coordinates) and of v, v' and λ of `to`, and must satisfy the formulas
    /// of the method. The function writes q, v, v' and λ of the stage to `to`.
    #[inline]
    pub fn solve(&mut self, problem: &StageProblem<'_, M>, to: &mut State<M>) -> Result<(), StepError> {
        let ImplicitStage { newton, buffers, least_norm } = self;
        buffers.is_foreign = true;
        newton.solve(problem.h, &mut Iterate { problem, buffers, to })?;
        // The size of a correction is the size of its increment, without multipliers.
        if !(to.acceleration.all_finite() && to.multipliers.all_finite()) {
            let StageProblem { system, from, h, .. } = *problem;
            return Err(StepError::of_iteration(KktError::NotFinite, system, from, h));
        }
        if const { M::REDUNDANCY.is_minimum_norm() }
            && let Some(least_norm) = least_norm
        {
            least_norm.settle(problem.system, problem.from, (problem.time, problem.h), to)?;
        }
        Ok(())
    }
}

/// A stage at an iterate.
struct Iterate<'a, 'p, M: Linearised> {
    problem: &'a StageProblem<'p, M>,
    buffers: &'a mut IterateBuffers<M>,
    to: &'a mut State<M>,
}

impl<M: Linearised> IterateEquations for Iterate<'_, '_, M> {
    type Error = StepError;
    type Scalar = M::Scalar;

    /// Computes q, and v and v' from local coordinates.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn place(&mut self) {
        let (StageProblem { system, from, map, .. }, IterateBuffers { theta, local, .. }) =
            (self.problem, &mut *self.buffers);
        if let Some(map) = map {
            let point = LocalPoint { map, x: &local.x, rate: &local.rate, second: &local.second };
            system.space().local_motion(&point, [theta, &mut self.to.velocity, &mut self.to.acceleration]);
        }
        system.space().compose_exp(&from.configuration, theta, &mut self.to.configuration);
    }

    /// Returns h² ‖r‖ and the largest residual of the constraints, in the units of θ.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn residuals(&mut self, is_first: bool) -> Option<[M::Scalar; 2]> {
        let StageProblem { system, h, time, is_stabilised, .. } = *self.problem;
        let real = M::Scalar::from_f64;
        let t = real(time);
        let State { configuration: q, velocity: v, acceleration, multipliers, .. } = &*self.to;
        let IterateBuffers { residual, jacobian, drift, .. } = &mut *self.buffers;
        let IterationResidual { balance, position, .. } = residual;
        system.residual_and_constraint(t, q, v, acceleration, multipliers, balance, position);
        residual.balance.scale(real(h * h));
        let constraint = constraints::largest(system, (t, q, v), h, is_stabilised, is_first, residual, jacobian, drift);
        Some([residual.balance.lane_norm(), constraint])
    }

    /// Without other forces the reactions determine the scale.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scales(&mut self) -> Scales<M::Scalar> {
        let StageProblem { system, from, h, unit, .. } = *self.problem;
        let real = M::Scalar::from_f64;
        let mut reactions = real(0.0);
        if system.constraint_rows() > 0 {
            let IterateBuffers { jacobian, reaction, .. } = &mut *self.buffers;
            system.jacobian_transpose_times(jacobian, &from.multipliers, reaction);
            reactions = real(h * h) * reaction.lane_norm();
        }
        let extent = system.space().extent(&from.configuration).min(1.0);
        Scales { residuals: [reactions, real(h * h) * from.acceleration.lane_norm()], corrections: unit, extent }
    }

    #[inline]
    fn factorise(&mut self) -> Result<(), StepError> {
        let StageProblem { system, from, h, weights, is_stabilised, .. } = *self.problem;
        let IterateBuffers { theta, local, start_jacobian, factored_jacobian, is_foreign, factorisation, .. } =
            &mut *self.buffers;
        let point = self.problem.point(self.to, theta, local);
        let projection = is_stabilised.then_some(&*start_jacobian);
        if is_stabilised {
            factored_jacobian.clone_from(start_jacobian);
            *is_foreign = false;
        }
        system
            .factorise_iteration(&point, &weights.coefficients(h), projection, factorisation)
            .map_err(|error| StepError::of_iteration(error, system, from, h))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn correct(&mut self, resting: <M::Scalar as Scalar>::Mask) -> Result<M::Scalar, StepError> {
        let StageProblem { system, is_stabilised, .. } = *self.problem;
        let IterateBuffers {
            residual,
            correction,
            reaction,
            factorisation,
            start_jacobian,
            factored_jacobian,
            is_foreign,
            ..
        } = &mut *self.buffers;
        system.solve_iteration(factorisation, residual, correction);
        if is_stabilised && *is_foreign {
            // Factors of another step only slow the iteration. B₀ᵀ of another step would change the solution.
            for (of, sign) in [(&*factored_jacobian, 1.0), (&*start_jacobian, -1.0)] {
                system.jacobian_transpose_times(of, &correction.projection, reaction);
                correction.increment.axpy(M::Scalar::from_f64(sign), reaction);
            }
        }
        Ok(self.apply(resting))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn correct_at_once(&mut self, resting: <M::Scalar as Scalar>::Mask) -> Option<M::Scalar> {
        let StageProblem { system, h, weights, is_stabilised, .. } = *self.problem;
        let IterateBuffers { theta, local, residual, correction, .. } = &mut *self.buffers;
        let point = self.problem.point(self.to, theta, local);
        let is_solved =
            !is_stabilised && system.correct_iteration(&point, &weights.coefficients(h), residual, correction);
        is_solved.then(|| self.apply(resting))
    }

    fn keep_derivatives(&mut self) {
        self.buffers.residual.keep_derivatives();
    }

    fn variations(&mut self) -> Option<[f64; 2]> {
        let StageProblem { system, h, map, .. } = *self.problem;
        let IterateBuffers { theta, local, correction, jacobian, reaction, .. } = &mut *self.buffers;
        let change = correction.variation(system, jacobian, reaction);
        let increment = if map.is_some() { &local.x } else { theta };
        Some([change, larger(increment.variation(), h * h * self.to.multipliers.variation())])
    }

    #[cold]
    fn unsolved(&self, why: Unsolved, [forces, constraints]: [f64; 2]) -> StepError {
        let StageProblem { system, from, h, .. } = *self.problem;
        why.explained([forces / (h * h), constraints], system, from, h)
    }
}

impl<M: Linearised> Iterate<'_, '_, M> {
    /// Adds the correction except in converged lanes and returns its size.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn apply(&mut self, resting: <M::Scalar as Scalar>::Mask) -> M::Scalar {
        let StageProblem { h, weights, map, .. } = *self.problem;
        let IterateBuffers { theta, local, correction, .. } = &mut *self.buffers;
        let real = M::Scalar::from_f64;
        leave(&mut correction.increment, resting);
        leave(&mut correction.acceleration, resting);
        leave(&mut correction.multipliers, resting);
        let (increment, rate, second) = if map.is_some() {
            (&mut local.x, &mut local.rate, &mut local.second)
        } else {
            (theta, &mut self.to.velocity, &mut self.to.acceleration)
        };
        increment.axpy(M::Scalar::one(), &correction.increment);
        rate.axpy(real(weights.rate / h), &correction.acceleration);
        second.axpy(real(weights.second / (h * h)), &correction.acceleration);
        self.to.multipliers.axpy(real(1.0 / (h * h)), &correction.multipliers);
        Scalar::max(correction.acceleration.lane_norm(), correction.increment.lane_norm())
    }
}
