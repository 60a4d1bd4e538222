//! Warnings before the first step of a run.

use super::COINCIDE;
use crate::integrator::any::Erased;
use crate::integrator::{EnergyBehaviour, Solution, StepCost};
use crate::simulate::event::{Action, Event};
use crate::simulate::motion::{Motion, Simulated};
use crate::simulate::setup::{Plan, StepSize};
use crate::simulate::warning::Warning;
use crate::system::OneSidedLaw;

/// Approximate number of operations per second.
const OPERATIONS: f64 = 1e9;
/// Number of steps if it is unknown in advance.
const EXPECTED: f64 = 1e3;
/// Duration of an expensive run, s.
const LONG: f64 = 20.0;

/// Returns the warning of expensive steps.
fn cost(method: &'static str, cost: &StepCost, steps: Option<f64>) -> Option<Warning> {
    let StepCost { operations, unknowns, instead } = *cost;
    let seconds = operations / OPERATIONS;
    let warning = Warning::Costly { method, unknowns, seconds, steps, instead };
    (seconds * steps.unwrap_or(EXPECTED) > LONG).then_some(warning)
}

/// Tolerance at which a step resolves a table, as a part of the range of the table.
const RESOLVED: f64 = 1e-2;

/// Returns a warning if inputs change within less than a step of size h.
fn between_steps<P: Simulated>(system: &P::System, state: &P::State, end: f64, step: f64) -> Option<Warning> {
    let mut state = state.clone();
    loop {
        let time = state.time();
        let until = state.smooth_until(system, end, RESOLVED).until;
        if until >= end || until <= time {
            return None;
        }
        let distance = until - time;
        if distance < step * (1.0 - COINCIDE) {
            return Some(Warning::InputsBetweenSteps { time, distance, step });
        }
        state.set_time(until);
    }
}

/// Returns the warnings before the first step: the suitability of the method and the cost of its steps.
pub(super) fn before_the_first_step<P: Simulated>(
    (system, state): (&P::System, &P::State),
    method: &dyn Erased<P>,
    plan: &Plan,
) -> Vec<Warning> {
    let id = method.id();
    let steps = match plan.size {
        StepSize::Fixed(h) => Some(((plan.end - state.time()) / h).ceil()),
        StepSize::Controlled(_) => None,
    };
    let costly = method.step_cost(system, state).and_then(|estimated| cost(id, &estimated, steps));
    let conserves_energy = P::State::description(system).map(|description| description.conserves_energy);
    let unsuited = match (method.energy_behaviour(), conserves_energy) {
        (EnergyBehaviour::StaysNear, Some(false)) => {
            Some(Warning::NotConservative { method: id, by: state.powers(system) })
        }
        (EnergyBehaviour::Decays, Some(true)) => Some(Warning::NumericalDissipation { method: id }),
        _ => None,
    };
    let hidden = match plan.size {
        StepSize::Fixed(h) => between_steps::<P>(system, state, plan.end, h),
        StepSize::Controlled(_) => None,
    };
    let named = |(rows, of): (Vec<usize>, usize)| {
        let description = P::State::description(system).filter(|_| !rows.is_empty())?;
        Some(Warning::RedundantRows {
            rows: rows.into_iter().map(|row| description.row(row).to_string()).collect(),
            of,
        })
    };
    let redundant = state.redundant_rows(system).and_then(named);
    costly.into_iter().chain(unsuited).chain(hidden).chain(redundant).collect()
}

/// Returns the warning of a contact without events, which can pull or penetrate, or of a friction without events, which has no bound.
pub(super) fn law_without_events<P: Simulated>(system: &P::System, events: &[Event<'_, P>]) -> Option<Warning> {
    // Events with actions can be the events of contacts.
    if events.iter().any(|event| matches!(event.action, Action::Change(_)) && event.settings.one_sided.is_none()) {
        return None;
    }
    let is_missing = |name: &str| events.iter().all(|event| event.settings.name != name);
    P::State::one_sided_laws(system).into_iter().find_map(|law| match law {
        OneSidedLaw::Contact { name: contact, is_active } => is_missing(contact).then_some(if is_active {
            Warning::BilateralContact { contact }
        } else {
            Warning::ContactWithoutEvents { contact }
        }),
        OneSidedLaw::Friction(friction) => {
            is_missing(&format!("{friction} slip")).then_some(Warning::FrictionWithoutEvents { friction })
        }
    })
}
