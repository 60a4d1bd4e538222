//! Warnings that are known before the first step of a run.

use crate::integrator::any::Erased;
use crate::integrator::{EnergyBehaviour, Solution, StepCost};
use crate::simulate::motion::{Motion, Simulated};
use crate::simulate::notice::Notice;
use crate::simulate::setup::{Plan, StepSize};

/// Operations that are made in a second, in order of magnitude.
const OPERATIONS: f64 = 1e9;
/// Steps of a run whose number is not known.
const EXPECTED: f64 = 1e3;
/// A run that takes longer is expensive, s.
const LONG: f64 = 20.0;

/// The warning of expensive steps, of so many as are known.
fn cost(method: &'static str, cost: &StepCost, steps: Option<f64>) -> Option<Notice> {
    let StepCost { operations, unknowns, instead } = *cost;
    let seconds = operations / OPERATIONS;
    let notice = Notice::Costly { method, unknowns, seconds, steps, instead };
    (seconds * steps.unwrap_or(EXPECTED) > LONG).then_some(notice)
}

/// Warnings that are known before the first step: whether a method suits a system, and the cost of its steps.
pub(super) fn before_the_first_step<P: Simulated>(
    (system, state): (&P::System, &P::State),
    method: &dyn Erased<P>,
    plan: &Plan,
) -> Vec<Notice> {
    let id = method.id();
    let steps = match plan.size {
        StepSize::Fixed(h) => Some(((plan.end - state.time()) / h).ceil()),
        StepSize::Controlled(_) => None,
    };
    let costly = method.step_cost(system, state).and_then(|estimated| cost(id, &estimated, steps));
    let conserves_energy = P::State::description(system).map(|description| description.conserves_energy);
    let unsuited = match (method.energy_behaviour(), conserves_energy) {
        (EnergyBehaviour::StaysNear, Some(false)) => {
            Some(Notice::NothingToKeep { method: id, by: state.powers(system) })
        }
        (EnergyBehaviour::Decays, Some(true)) => Some(Notice::TakesEnergy { method: id }),
        _ => None,
    };
    costly.into_iter().chain(unsuited).collect()
}
