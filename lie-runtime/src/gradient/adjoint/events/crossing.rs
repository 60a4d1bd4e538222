//! The reverse pass through an event.
//!
//! The forward pass has the state x⁻ at the end of a step, at the time t, and the parameters p. It moves them to the event, applies the
//! change, and moves them back to t with the flow after the event (see [`saltation`](crate::simulate::event)):
//!
//! ```text
//! (x⁻, p) ↦ (δt, x⁺, p⁺).
//! ```
//!
//! The reverse pass maps the cotangents y⁺ of x⁺, c⁺ of p⁺ and κ of δt to the cotangents of x⁻ and p. They are the products of y⁺, c⁺ and
//! κ with the derivatives of this map with respect to each variable, which are computed with dual numbers. The function and the change
//! are arbitrary user code. The variables that they depend on are [found by blocks](crate::gradient::blocks), because x⁺ − x⁻ and p⁺ − p
//! have zero derivatives with respect to all others.
//!
//! κ is the cotangent of the time of the event. A term φ at the event contributes φ̇ along the flow and ∂φ/∂t. The integral by the
//! trapezoidal rule, with the nodes x⁻ and x⁺, contributes
//!
//! ```text
//! ½ (ψ(x₋₁) + ψ(x⁻)) + ½ (t − t₋₁) ψ̇(x⁻) − ½ (ψ(x⁺) + ψ(x₊₁)) + ½ (t₊₁ − t) ψ̇(x⁺).
//! ```

use super::super::super::blocks::by_blocks;
use super::super::super::error::GradientError;
use super::super::super::events::{numbers_of, with_numbers};
use super::super::super::lifting::{lifted, moved, variation};
use super::super::super::objective::EvaluationTimes;
use super::super::super::{Moment, Variable};
use super::super::sweep::Sweep;
use crate::gradient::adjoint_state::AdjointState;
use crate::group::TangentVector;
use crate::inputs::InputDerivatives;
use crate::integrator::State;
use crate::scalar::Dual;
use crate::simulate::event::Event;
use crate::simulate::{Failure, Motion, Occurrence, Options};
use crate::system::{Reverse, TangentSystem};

/// The events of a run, for the reverse pass.
pub(super) struct ReverseEventPass<'c, 'e, M: TangentSystem> {
    pub events: &'c mut [Event<'e, M::Lifted>],
    pub options: &'c Options,
}

/// A term of the objective, the index of its time, and its weight.
type WeightedTerm = (usize, usize, f64);

/// Half the sum of the integrands in two states.
pub(super) fn half<M: Reverse<Scalar = f64> + TangentSystem>(sweep: &Sweep<'_, M>, states: [&State<M>; 2]) -> f64 {
    let integrals = sweep.objective.terms.iter().filter(|term| term.times == EvaluationTimes::Integral);
    let in_state = |state: &State<M>| {
        let (time, here) = (Dual::lift(state.time), lifted(sweep.system, &sweep.lifted, state));
        integrals.clone().map(|term| (term.function)(0, &Moment::of(time, &here)).re).sum::<f64>()
    };
    0.5 * states.into_iter().map(in_state).sum::<f64>()
}

/// The cotangent of the time of a state from the terms that are evaluated there; a step leads to the state from `other`.
pub(super) fn moment<M: Reverse<Scalar = f64> + TangentSystem>(
    sweep: &Sweep<'_, M>,
    (other, state): (Option<&State<M>>, &State<M>),
    terms: &[WeightedTerm],
) -> Result<f64, Box<GradientError<M>>> {
    let is_fixed = |term: usize| matches!(sweep.objective.terms[term].times, EvaluationTimes::Times(_));
    let moving: Vec<&WeightedTerm> = terms.iter().filter(|(term, ..)| !is_fixed(*term)).collect();
    if moving.is_empty() {
        return Ok(0.0);
    }
    let (time, moment) = (Dual::lift(state.time), Dual { re: 0.0, eps: 1.0 });
    let mut later = lifted(sweep.system, &sweep.lifted, state);
    later.carry(&sweep.lifted, time, moment).map_err(|failure| Box::new(at_event(failure)))?;
    // The values of the state are unchanged.
    let values = lifted(sweep.system, &sweep.lifted, state);
    keep_values(&mut later.multipliers, &values.multipliers);
    keep_values(&mut later.acceleration, &values.acceleration);
    let function = |&&(term, number, weight): &&WeightedTerm| {
        weight * (sweep.objective.terms[term].function)(number, &Moment::of(time + moment, &later)).eps
    };
    let rate = moving.iter().map(function).sum::<f64>();
    Ok(rate + other.map_or(0.0, |other| half(sweep, [other, state])))
}

impl<M: Reverse<Scalar = f64> + TangentSystem> ReverseEventPass<'_, '_, M> {
    /// Maps the cotangents after an event to the cotangents of the state before it, given the cotangent of its time.
    pub fn back(
        &mut self,
        sweep: &mut Sweep<'_, M>,
        state: &State<M>,
        event: &Occurrence<M>,
        moment: f64,
    ) -> Result<(), Box<GradientError<M>>> {
        let system = sweep.system;
        let Sweep { cotangent, .. } = sweep;
        let map = EventMap {
            system,
            state,
            counts: [system.dof(), system.dof(), system.constraint_rows(), system.dof(), system.parameter_count()],
            moment,
            behind: Behind::of(cotangent),
        };
        cotangent.multipliers.fill(0.0);
        cotangent.acceleration.fill(0.0);
        let mut first = 0;
        let groups = map.counts.into_iter().chain([system.input_count()]);
        for (group, count) in groups.enumerate() {
            let slope = |direction: &[(usize, f64)]| {
                let direction: Vec<(usize, f64)> = direction.iter().map(|&(at, size)| (first + at, size)).collect();
                map.slope(&direction, &mut self.events[event.location.event], (event, self.options))
            };
            by_blocks(count, slope, |at, slope| match group {
                0 => add(&mut cotangent.configuration, at, slope),
                1 => add(&mut cotangent.velocity, at, slope),
                2 => add(&mut cotangent.multipliers, at, slope),
                3 => add(&mut cotangent.acceleration, at, slope),
                4 => cotangent.parameters[at] += slope,
                _ => cotangent.parameters[map.counts[4] + at] += slope,
            })
            .map_err(|failure| Box::new(at_event(failure)))?;
            first += count;
        }
        cotangent.note_inputs(system, state.time);
        if cotangent.is_finite() { Ok(()) } else { Err(Box::new(GradientError::NotFinite { time: state.time })) }
    }
}

/// Replaces the values of dual numbers by the given values.
fn keep_values<V: TangentVector<Scalar = Dual<f64>>>(numbers: &mut V, values: &V) {
    for at in 0..numbers.component_count() {
        numbers.set_component(at, Dual { re: values.component(at).re, ..numbers.component(at) });
    }
}

fn at_event<M: Reverse>(failure: Failure) -> GradientError<M> {
    GradientError::AtEvent(Box::new(failure))
}

fn add<V: TangentVector<Scalar = f64>>(vector: &mut V, at: usize, more: f64) {
    vector.set_component(at, vector.component(at) + more);
}

/// The cotangents after an event.
struct Behind<M: Reverse> {
    configuration: M::Velocity,
    velocity: M::Velocity,
    multipliers: M::Multipliers,
    acceleration: M::Velocity,
    parameters: Vec<f64>,
}

impl<M: Reverse<Scalar = f64>> Behind<M> {
    fn of(cotangent: &AdjointState<M>) -> Self {
        Behind {
            configuration: cotangent.configuration.clone(),
            velocity: cotangent.velocity.clone(),
            multipliers: cotangent.multipliers.clone(),
            acceleration: cotangent.acceleration.clone(),
            parameters: cotangent.parameters.clone(),
        }
    }
}

/// The map of an event.
struct EventMap<'m, M: Reverse> {
    system: &'m M,
    state: &'m State<M>,
    /// The numbers of components of q, v, λ, v' and the parameters; the inputs follow.
    counts: [usize; 5],
    moment: f64,
    behind: Behind<M>,
}

impl<M: Reverse<Scalar = f64> + TangentSystem> EventMap<'_, M> {
    /// The product of y⁺, c⁺ and κ with the derivatives of x⁺ − x⁻, p⁺ − p and δt along a direction.
    fn slope(
        &self,
        direction: &[(usize, f64)],
        event: &mut Event<'_, M::Lifted>,
        (taken, options): (&Occurrence<M>, &Options),
    ) -> Result<f64, Failure> {
        let EventMap { system, state, counts: [dof, _, rows, _, count], behind, .. } = self;
        let own = system.parameters();
        let (mut moves, mut multipliers, mut accelerations) = (Vec::new(), Vec::new(), Vec::new());
        let (mut numbers, mut inputs) = (vec![0.0; *count], vec![0.0; system.input_count()]);
        let mut unmoved = 0.0;
        for &(at, size) in direction {
            if at < *dof {
                moves.push((Variable::Configuration(at), size));
                unmoved += size * behind.configuration.component(at);
            } else if at < 2 * dof {
                moves.push((Variable::Velocity(at - dof), size));
                unmoved += size * behind.velocity.component(at - dof);
            } else if at < 2 * dof + rows {
                multipliers.push((at - 2 * dof, size));
            } else if at < 3 * dof + rows {
                accelerations.push((at - 2 * dof - rows, size));
            } else if at < 3 * dof + rows + count {
                numbers[at - 3 * dof - rows] = size;
            } else {
                inputs[at - 3 * dof - rows - count] = size;
            }
        }
        let failed = |error| taken.failed(crate::simulate::event::EventError::Parameters(error));
        let mut varied = if numbers.iter().all(|&number| number == 0.0) {
            system.lift()
        } else {
            system.varied(&with_numbers(own, &numbers)).map_err(failed)?
        };
        if inputs.iter().any(|&number| number != 0.0) {
            varied = system.with_input_slopes(varied, &InputDerivatives::new(&[f64::MIN], &[inputs]));
        }
        let mut before = moved(*system, &varied, state, &moves);
        for (at, size) in multipliers {
            let number = Dual { eps: size, ..before.multipliers.component(at) };
            before.multipliers.set_component(at, number);
        }
        for (at, size) in accelerations {
            let number = Dual { eps: size, ..before.acceleration.component(at) };
            before.acceleration.set_component(at, number);
        }
        let crossed = event.cross(&varied, before, &taken.location, options)?;
        let mut sum = self.moment * crossed.by.eps;
        if let Some((after, led_to)) = crossed.after {
            let variation = variation(*system, &led_to, &after);
            sum +=
                behind.configuration.dot(&variation.configuration) + behind.velocity.dot(&variation.velocity) - unmoved;
            sum += behind.multipliers.dot(&variation.multipliers);
            sum += (0..*dof)
                .map(|at| behind.acceleration.component(at) * after.acceleration.component(at).eps)
                .sum::<f64>();
            let [_, slopes] = M::lowered_parameters(&led_to);
            let changes = numbers_of(&slopes).into_iter().zip(&numbers).map(|(after, before)| after - before);
            sum += behind.parameters.iter().zip(changes).map(|(own, change)| own * change).sum::<f64>();
        }
        Ok(sum)
    }
}
