//! One step: paper 2, Table 1, in the scaled variables of [`IterationPoint`](crate::system::IterationPoint).
//!
//! An updated Lagrangian step is the same for x, x' and x'' instead of θ, v and v', which follow from them.

use num_traits::Zero;

use super::workspace::Attempt;
use super::{Formulation, GeneralizedAlpha, Predictor, VECTORS, start};
use crate::group::TangentVector;
use crate::integrator::implicit::{Buffers, StageProblem, Weights};
use crate::integrator::{State, StepError};
use crate::scalar::Scalar;
use crate::space::LocalSpace;
use crate::system::{Linearised, LocalPoint};

/// A step of size h.
#[inline]
pub(crate) fn attempt<M: Linearised>(
    method: &GeneralizedAlpha,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    work: &mut Attempt<M>,
) -> Result<(), StepError> {
    start::prepare(method, system, from, h, work).map_err(|error| StepError::of_saddle(error, system, from, h))?;
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

/// a_{n+1} of eq. (32) into `next`, where `second` is v'_{n+1} (or x''), zero if there is none.
#[inline]
pub(crate) fn follow<M: Linearised>(
    method: &GeneralizedAlpha,
    from: &State<M>,
    acceleration: &M::Velocity,
    second: Option<&M::Velocity>,
    next: &mut M::Velocity,
) {
    let p = &method.parameters;
    let scale = 1.0 / (1.0 - p.alpha_m);
    let terms = [(p.alpha_f, &from.acceleration), (-p.alpha_m, acceleration)].into_iter();
    let terms = terms.chain(second.map(|second| (1.0 - p.alpha_f, second)));
    next.set_combination(terms.map(|(weight, term)| (M::Scalar::from_f64(weight * scale), term)));
}

/// a − v' (or a₁ − x'') of eq. (32) where a step has ended at v', so many times.
#[inline]
fn lag<M: Linearised>(
    method: &GeneralizedAlpha,
    from: &State<M>,
    acceleration: &M::Velocity,
    second: &M::Velocity,
    factor: f64,
    out: &mut M::Velocity,
) {
    let p = &method.parameters;
    let scale = factor / (1.0 - p.alpha_m);
    let terms = [(p.alpha_f, &from.acceleration), (-p.alpha_m, acceleration), (p.alpha_m - p.alpha_f, second)];
    out.set_combination(terms.into_iter().map(|(weight, term)| (M::Scalar::from_f64(weight * scale), term)));
}

/// The first iterates, which satisfy eqs. (30)-(32).
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
        Predictor::Zero => {
            to.acceleration.fill(M::Scalar::zero());
            to.multipliers.fill(M::Scalar::zero());
            follow(method, from, &work.acceleration, None, &mut work.next_acceleration);
        }
        Predictor::Previous => {
            to.acceleration.assign(&from.acceleration);
            to.multipliers.assign(&from.multipliers);
            follow(method, from, &work.acceleration, Some(&from.acceleration), &mut work.next_acceleration);
        }
    }
    let combine = |out: &mut M::Velocity, [a, b, c]: [f64; 3]| {
        let terms = [(a, &work.velocity), (b, &work.acceleration), (c, &work.next_acceleration)];
        out.set_combination(terms.into_iter().map(|(factor, term)| (real(factor), term)));
    };
    combine(&mut to.velocity, [1.0, h * (1.0 - p.gamma), h * p.gamma]);
    let buffers = &mut work.stage.buffers;
    let increment = if problem.map.is_some() { &mut buffers.local.x } else { &mut buffers.theta };
    combine(increment, [h, h * h * (0.5 - p.beta), h * h * p.beta]);
    if problem.map.is_some() {
        buffers.local.rate.assign(&to.velocity);
        buffers.local.second.assign(&to.acceleration);
    }
}

/// What the next step will want to know: a_{n+1}, by eq. (76) in local coordinates, and h.
#[inline]
fn conclude<M: Linearised>(
    method: &GeneralizedAlpha,
    problem: &StageProblem<'_, M>,
    to: &mut State<M>,
    work: &mut Attempt<M>,
) {
    let StageProblem { system, from, h, time, map, .. } = *problem;
    to.time = time;
    to.memory.make_room(system, &to.configuration, VECTORS, 0);
    let out = to.memory.vector_mut(0);
    if let Some(map) = map {
        // a − v' = T(x) (a₁ − x'').
        let Buffers { local, theta, reaction, correction, .. } = &mut work.stage.buffers;
        lag(method, from, &work.acceleration, &local.second, 1.0, reaction);
        let point = LocalPoint { map, x: &local.x, rate: &*reaction, second: &local.second };
        system.space().local_motion(&point, [theta, out, &mut correction.increment]);
        out.scale(M::Scalar::from_f64(1.0 / h));
    } else {
        lag(method, from, &work.acceleration, &to.acceleration, 1.0 / h, out);
    }
    to.remember(method.owner(), h, 1);
    work.steps += 1;
}
