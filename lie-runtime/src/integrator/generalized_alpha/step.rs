//! One step: paper 2, Table 1, in the scaled variables of [`IterationPoint`](crate::system::IterationPoint).
//!
//! An updated Lagrangian step is the same for x, x' and x'' instead of θ, v and v', which follow from them.

use num_traits::{One, Zero};

use super::method::{GeneralizedAlpha, VECTORS};
use super::workspace::{Attempt, DampedStartWorkspace};
use super::{Formulation, GeneralizedAlphaPredictor, damped, start};
use crate::group::TangentVector;
use crate::integrator::implicit::{IterateBuffers, StageProblem, Weights, keep};
use crate::integrator::{State, StepError};
use crate::scalar::{Mask, Scalar};
use crate::space::{ConfigurationSpace, LocalSpace};
use crate::system::{Linearised, LocalPoint};

/// Makes a step of size h. A first step with an excited fast damped motion is made [in parts](damped).
#[inline]
pub(crate) fn attempt<M: Linearised>(
    method: &GeneralizedAlpha,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    work: &mut Attempt<M>,
) -> Result<(), StepError> {
    start::prepare(method, system, from, h, work).map_err(|error| StepError::of_kkt(error, system, from, h))?;
    if work.excited.any() {
        return if work.excited.all() {
            damped::attempt(method, system, from, h, to, work)
        } else {
            lane_by_lane(method, system, from, h, to, work)
        };
    }
    attempt_prepared(method, system, from, h, to, work)
}

/// Makes a first step of several lanes, some of them with an excited fast damped motion.
#[cold]
#[inline(never)]
fn lane_by_lane<M: Linearised>(
    method: &GeneralizedAlpha,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    work: &mut Attempt<M>,
) -> Result<(), StepError> {
    let excited = work.excited;
    damped::attempt(method, system, from, h, to, work)?;
    let mut buffers = damped::take(system, from, work);
    let DampedStartWorkspace { end, states: [start, _], .. } = &mut *buffers;
    end.clone_from(to);
    // The damped lanes start at rest: the usual step from their velocity can leave the range in which the iteration converges.
    let factor = M::Scalar::select(excited, M::Scalar::zero(), M::Scalar::one());
    start.copy_motion_from(from);
    start.velocity.scale(factor);
    start.acceleration.scale(factor);
    let outcome = attempt_usual(method, system, start, h, to, work);
    let theta = &mut work.stage.buffers.theta;
    system.space().log_difference(&from.configuration, &end.configuration, &mut work.next_acceleration);
    keep(theta, &work.next_acceleration, excited);
    system.space().compose_exp(&from.configuration, theta, &mut to.configuration);
    keep(&mut to.velocity, &end.velocity, excited);
    keep(&mut to.acceleration, &end.acceleration, excited);
    keep(&mut to.multipliers, &end.multipliers, excited);
    keep(to.memory.vector_mut(0), end.memory.vector(0), excited);
    to.remember(method.owner(), h, 1);
    work.damped = Some(buffers);
    outcome
}

/// Makes a step of size h without an excited fast damped motion or with an error estimate.
#[inline]
pub(super) fn attempt_usual<M: Linearised>(
    method: &GeneralizedAlpha,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    work: &mut Attempt<M>,
) -> Result<(), StepError> {
    start::prepare(method, system, from, h, work).map_err(|error| StepError::of_kkt(error, system, from, h))?;
    attempt_prepared(method, system, from, h, to, work)
}

/// Makes a step of size h from v_n and a_n.
#[inline]
fn attempt_prepared<M: Linearised>(
    method: &GeneralizedAlpha,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    work: &mut Attempt<M>,
) -> Result<(), StepError> {
    let p = &method.parameters;
    let problem = StageProblem {
        system,
        from,
        h,
        time: from.time + h,
        weights: Weights { rate: p.damping_weight(), second: p.mass_weight() },
        is_stabilised: method.options.formulation == Formulation::StabilisedIndex2 && system.holonomic_rows() > 0,
        map: method.options.formulation.coordinates(),
        unit: M::Scalar::zero(),
    };
    if problem.is_stabilised {
        let t = M::Scalar::from_f64(from.time);
        system.constraint_jacobian(t, &from.configuration, &mut work.stage.buffers.start_jacobian);
    }
    predict(method, &problem, to, work);
    work.stage.solve(&problem, to)?;
    conclude(method, &problem, to, work);
    Ok(())
}

/// Writes a_{n+1} of eq. (32) to `next`; `second` is v'_{n+1} or x'', and zero by default.
#[inline]
pub(crate) fn follow<M: Linearised>(
    method: &GeneralizedAlpha,
    from: &State<M>,
    acceleration: &M::Velocity,
    second: Option<&M::Velocity>,
    next: &mut M::Velocity,
) {
    let real = M::Scalar::from_f64;
    let p = &method.parameters;
    let scale = 1.0 / (1.0 - p.alpha_m);
    next.assign(&from.acceleration);
    next.scale(real(p.alpha_f * scale));
    next.axpy(real(-p.alpha_m * scale), acceleration);
    if let Some(second) = second {
        next.axpy(real((1.0 - p.alpha_f) * scale), second);
    }
}

/// Computes the first iterates, which satisfy eqs. (30)-(32).
#[inline]
fn predict<M: Linearised>(
    method: &GeneralizedAlpha,
    problem: &StageProblem<'_, M>,
    to: &mut State<M>,
    work: &mut Attempt<M>,
) {
    let real = M::Scalar::from_f64;
    let (p, h, from) = (&method.parameters, problem.h, problem.from);
    match method.options.predictor {
        GeneralizedAlphaPredictor::Zero => {
            to.acceleration.fill(M::Scalar::zero());
            to.multipliers.fill(M::Scalar::zero());
            follow(method, from, &work.acceleration, None, &mut work.next_acceleration);
        }
        GeneralizedAlphaPredictor::Previous => {
            to.acceleration.assign(&from.acceleration);
            to.multipliers.assign(&from.multipliers);
            follow(method, from, &work.acceleration, Some(&from.acceleration), &mut work.next_acceleration);
        }
    }
    to.velocity.assign(&work.velocity);
    to.velocity.axpy(real(h * (1.0 - p.gamma)), &work.acceleration);
    to.velocity.axpy(real(h * p.gamma), &work.next_acceleration);
    let buffers = &mut work.stage.buffers;
    let increment = if problem.map.is_some() { &mut buffers.local.x } else { &mut buffers.theta };
    increment.assign(&work.velocity);
    increment.scale(real(h));
    increment.axpy(real(h * h * (0.5 - p.beta)), &work.acceleration);
    increment.axpy(real(h * h * p.beta), &work.next_acceleration);
    if problem.map.is_some() {
        buffers.local.rate.assign(&to.velocity);
        buffers.local.second.assign(&to.acceleration);
    }
}

/// Stores the data of the next step: a_{n+1}, from eq. (76) in local coordinates, and h.
#[inline]
fn conclude<M: Linearised>(
    method: &GeneralizedAlpha,
    problem: &StageProblem<'_, M>,
    to: &mut State<M>,
    work: &mut Attempt<M>,
) {
    let real = M::Scalar::from_f64;
    let StageProblem { system, from, h, time, map, .. } = *problem;
    to.time = time;
    to.memory.make_room(system, &to.configuration, VECTORS, 0);
    let lag = to.memory.vector_mut(0);
    if let Some(map) = map {
        // a − v' = T(x) (a₁ − x'').
        let IterateBuffers { local, theta, reaction, correction, .. } = &mut work.stage.buffers;
        follow(method, from, &work.acceleration, Some(&local.second), reaction);
        reaction.axpy(real(-1.0), &local.second);
        let point = LocalPoint { map, x: &local.x, rate: &*reaction, second: &local.second };
        system.space().local_motion(&point, [theta, lag, &mut correction.increment]);
    } else {
        follow(method, from, &work.acceleration, Some(&to.acceleration), lag);
        lag.axpy(real(-1.0), &to.acceleration);
    }
    lag.scale(real(1.0 / h));
    to.remember(method.owner(), h, 1);
    work.steps += 1;
}
