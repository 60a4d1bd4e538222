//! The reverse pass through a run, from its last state to its initial values.

use core::convert::Infallible;

use num_traits::{One, Zero};

use super::super::Moment;
use super::super::blocks::by_blocks;
use super::super::error::{Attempted, GradientError};
use super::super::lifting;
use super::super::objective::{EvaluationTimes, Objective};
use super::Adjoint;
use super::adjoint_step::{AdjointStep, CONSISTENT, SAME_TIME, Trace};
use super::recording::Checkpoints;
use super::shares::ensure_reactions;
use super::times::Times;
use crate::gradient::adjoint_state::AdjointState;
use crate::group::TangentVector;
use crate::integrator::{State, StepError};
use crate::scalar::{Dual, Scalar};
use crate::simulate::Trajectory;
use crate::space::ConfigurationSpace;
use crate::system::{Liftable, MechanicalSystem, Reverse};

/// Returns the objective of a run with the initial values `given`, and its cotangent there.
///
/// # Errors
/// [`GradientError`].
pub(in crate::gradient) fn gone_back<M: Reverse + Liftable>(
    system: &M,
    objective: &Objective<'_, M>,
    method: Box<dyn AdjointStep<M>>,
    given: &State<M>,
    (trajectory, checkpoints): (&Trajectory<M>, &Checkpoints<M, impl Adjoint<M>>),
) -> Attempted<M, (M::Scalar, AdjointState<M>)> {
    let initial = trajectory.initial;
    let moved = initial.configuration.distance.max(initial.velocity.distance);
    if moved > CONSISTENT {
        return Err(Box::new(GradientError::Inconsistent { moved }));
    }
    let mut schedule = Schedule::of(objective, &checkpoints.times, &[]).map_err(Box::new)?;
    let mut sweep = Sweep::of(system, objective, method);
    let again = |time, error| Box::new(GradientError::Again { time, error });
    checkpoints.back(system, &trajectory.states, schedule.begin(), again, |at, before, state| {
        sweep.evaluate(state, schedule.terms(at))?;
        match before {
            Some((before, h, trace)) => sweep.step((before, state), h, trace),
            None => sweep.start(given, state),
        }
    })?;
    Ok((sweep.value, sweep.cotangent))
}

/// The state of a reverse pass.
pub(super) struct Sweep<'a, M: Reverse + Liftable> {
    pub system: &'a M,
    pub lifted: M::Lifted,
    pub objective: &'a Objective<'a, M>,
    pub method: Box<dyn AdjointStep<M>>,
    /// The value of the evaluated terms of the objective.
    pub value: M::Scalar,
    pub cotangent: AdjointState<M>,
}

impl<'a, M: Reverse + Liftable> Sweep<'a, M> {
    pub fn of(system: &'a M, objective: &'a Objective<'a, M>, method: Box<dyn AdjointStep<M>>) -> Self {
        let (lifted, cotangent) = (system.lift(), AdjointState::zero(system));
        Sweep { system, lifted, objective, method, value: M::Scalar::zero(), cotangent }
    }

    /// Adds the terms of the objective in a state.
    pub fn evaluate(&mut self, state: &State<M>, terms: &[(usize, usize, f64)]) -> Result<(), Box<GradientError<M>>> {
        if terms.is_empty() {
            return Ok(());
        }
        let mut here = M::Scalar::zero();
        let behind = self.system.has_least_norm().then(|| self.cotangent.multipliers.clone());
        for &(term, number, weight) in terms {
            let time = Dual::lift(M::Scalar::from_f64(state.time));
            let function =
                |state: &State<M::Lifted>| (self.objective.terms[term].function)(number, &Moment::of(time, state));
            let weight = M::Scalar::from_f64(weight);
            here += weight * differentiate(self.system, &self.lifted, state, function, weight, &mut self.cotangent);
        }
        if !(here.is_finite() && self.cotangent.is_finite()) {
            return Err(Box::new(GradientError::Objective { time: state.time, value: here.value() }));
        }
        if let Some(behind) = behind {
            let mut own = self.cotangent.multipliers.clone();
            own.axpy(-M::Scalar::one(), &behind);
            ensure_reactions(self.system, state, &own)?;
        }
        self.value += here;
        Ok(())
    }

    pub fn step(
        &mut self,
        (from, to): (&State<M>, &State<M>),
        h: f64,
        trace: Option<Trace<'_, M>>,
    ) -> Result<(), Box<GradientError<M>>> {
        let back = self.method.step_back(self.system, from, to, h, trace, &mut self.cotangent);
        self.ensure(to.time, back)
    }

    pub fn start(&mut self, given: &State<M>, first: &State<M>) -> Result<(), Box<GradientError<M>>> {
        let back = self.method.start_back(self.system, given, first, &mut self.cotangent);
        self.ensure(first.time, back)
    }

    pub fn ensure(&self, time: f64, back: Result<(), StepError>) -> Result<(), Box<GradientError<M>>> {
        let cotangent = &self.cotangent;
        back.map_err(|error| GradientError::Back { time, error, cotangent: Box::new(cotangent.clone()) })?;
        if cotangent.is_finite() { Ok(()) } else { Err(Box::new(GradientError::NotFinite { time })) }
    }
}

/// The evaluation times of the terms of an objective.
pub(super) struct Schedule<'a> {
    evaluations: Vec<&'a EvaluationTimes>,
    times: &'a Times,
    /// For terms at times: the index of the state, of the term and of the time; the last states are at the end.
    at_times: Vec<(usize, usize, usize)>,
    /// The indices of terms and times, and the weights, for one state.
    terms: Vec<(usize, usize, f64)>,
}

impl<'a> Schedule<'a> {
    /// Returns the schedule of a run with these times, and with these events at these states.
    pub fn of<M: Reverse + Liftable>(
        objective: &'a Objective<'_, M>,
        times: &'a Times,
        events: &[(usize, &str)],
    ) -> Result<Self, GradientError<M>> {
        let evaluations: Vec<&EvaluationTimes> = objective.terms.iter().map(|term| &term.times).collect();
        let mut schedule = Schedule { evaluations, times, at_times: Vec::new(), terms: Vec::new() };
        for term in 0..schedule.evaluations.len() {
            match schedule.evaluations[term] {
                EvaluationTimes::Times(wanted) => {
                    for (number, &time) in wanted.iter().enumerate() {
                        let at = schedule.state_at(time).map_err(|near| GradientError::Time { time, near })?;
                        schedule.at_times.push((at, term, number));
                    }
                }
                EvaluationTimes::Event(name) => {
                    let own = events.iter().filter(|(_, event)| event == name).enumerate();
                    let own: Vec<_> = own.map(|(number, &(at, _))| (at, term, number)).collect();
                    if own.is_empty() {
                        let known = events.iter().map(|(_, event)| (*event).to_owned()).collect();
                        return Err(GradientError::NoEvent { name: name.clone(), known });
                    }
                    schedule.at_times.extend(own);
                }
                EvaluationTimes::End | EvaluationTimes::Integral => {}
            }
        }
        schedule.at_times.sort_unstable();
        Ok(schedule)
    }

    /// The last state in which a term is evaluated: the objective does not depend on later states.
    pub fn begin(&self) -> usize {
        let is_of_the_last =
            |times: &&EvaluationTimes| matches!(times, EvaluationTimes::End | EvaluationTimes::Integral);
        let begin = if self.evaluations.iter().any(is_of_the_last) {
            self.times.count().checked_sub(1)
        } else {
            self.at_times.last().map(|&(at, ..)| at)
        };
        begin.unwrap_or(0)
    }

    /// Returns the index of the state at this time, or the adjacent times.
    fn state_at(&self, time: f64) -> Result<usize, [f64; 2]> {
        // The state after an event is selected from two states at one time.
        // NaN is not a time of a state; the error contains the last time.
        let at = if time.is_nan() { self.times.count() } else { self.times.later_than(time) };
        let near = [at.saturating_sub(1), at.min(self.times.count().saturating_sub(1))];
        let is_there = |&&at: &&usize| {
            let size = self.times.step(at).max(at.checked_sub(1).map_or(0.0, |before| self.times.step(before)));
            (self.times.at(at) - time).abs() <= SAME_TIME * size
        };
        near.iter().rev().find(is_there).copied().ok_or_else(|| near.map(|at| self.times.at(at)))
    }

    /// The terms that are evaluated in a state: their indices, the index of the time, and the weight. The states must be requested from
    /// the last to the first.
    pub fn terms(&mut self, at: usize) -> &[(usize, usize, f64)] {
        self.terms.clear();
        for (term, when) in self.evaluations.iter().enumerate() {
            match when {
                EvaluationTimes::End if at + 1 == self.times.count() => self.terms.push((term, 0, 1.0)),
                EvaluationTimes::Integral => {
                    let before = at.checked_sub(1).map_or(0.0, |before| self.times.step(before));
                    self.terms.push((term, 0, 0.5 * (before + self.times.step(at))));
                }
                EvaluationTimes::End | EvaluationTimes::Times(_) | EvaluationTimes::Event(_) => {}
            }
        }
        while let Some((_, term, number)) = self.at_times.pop_if(|(state, ..)| *state == at) {
            self.terms.push((term, number, 1.0));
        }
        &self.terms
    }
}

/// The value of a function in a state; adds its gradient, times a weight, to the cotangent.
fn differentiate<M: Reverse + Liftable>(
    system: &M,
    lifted: &M::Lifted,
    state: &State<M>,
    function: impl Fn(&State<M::Lifted>) -> Dual<M::Scalar>,
    weight: M::Scalar,
    cotangent: &mut AdjointState<M>,
) -> M::Scalar {
    let zero = M::Scalar::zero();
    let mut here = lifting::lifted(system, lifted, state);
    let value = function(&here).re;
    let (start, mut turn) = (here.configuration.clone(), lifted.zero_velocity());
    let of_configuration = |direction: &[(usize, f64)]| {
        let mut turned = |here: &mut State<M::Lifted>, part: f64| {
            for &(at, size) in direction {
                turn.set_component(at, Dual { re: zero, eps: M::Scalar::from_f64(part * size) });
                lifted.space().compose_exp_at(at, &start, &turn, &mut here.configuration);
            }
        };
        turned(&mut here, 1.0);
        let slope = function(&here).eps;
        turned(&mut here, 0.0);
        Ok::<_, Infallible>(slope)
    };
    let Ok(()) =
        by_blocks(system.dof(), of_configuration, |at, slope| add(&mut cotangent.configuration, at, weight * slope));
    let vectors: [(usize, SetDerivative<M>); 3] = [
        (system.dof(), |state, at, slope| set_slope(&mut state.velocity, at, slope)),
        (system.constraint_rows(), |state, at, slope| set_slope(&mut state.multipliers, at, slope)),
        (system.dof(), |state, at, slope| set_slope(&mut state.acceleration, at, slope)),
    ];
    for (number, (count, set)) in vectors.into_iter().enumerate() {
        let of_vector = |direction: &[(usize, f64)]| {
            for &(at, size) in direction {
                set(&mut here, at, M::Scalar::from_f64(size));
            }
            let slope = function(&here).eps;
            for &(at, _) in direction {
                set(&mut here, at, zero);
            }
            Ok::<_, Infallible>(slope)
        };
        let Ok(()) = by_blocks(count, of_vector, |at, slope| match number {
            0 => add(&mut cotangent.velocity, at, weight * slope),
            1 => add(&mut cotangent.multipliers, at, weight * slope),
            _ => add(&mut cotangent.acceleration, at, weight * slope),
        });
    }
    value
}

/// Sets the derivative of a component of a state.
type SetDerivative<M> = fn(&mut State<<M as Liftable>::Lifted>, usize, <M as MechanicalSystem>::Scalar);

fn set_slope<S: Scalar, V: TangentVector<Scalar = Dual<S>>>(vector: &mut V, at: usize, slope: S) {
    vector.set_component(at, Dual { eps: slope, ..vector.component(at) });
}

fn add<V: TangentVector>(vector: &mut V, at: usize, more: V::Scalar) {
    vector.set_component(at, vector.component(at) + more);
}
