//! One step of any of the methods.

use nalgebra::Vector3;

use super::body::{REQUIREMENT, components, set_components};
use super::method::Rotation;
use super::methods::{Rule, Substep};
use super::munthe_kaas;
use super::workspace::{MapStart, RotationWorkspace};
use crate::integrator::implicit::Unsolved;
use crate::integrator::{State, StepError, StepFailure};
use crate::scalar::Scalar;
use crate::system::Linearised;

/// Makes a step of size h.
#[inline]
pub(super) fn step<M: Linearised>(
    method: &Rotation,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    workspace: &mut RotationWorkspace<M>,
) -> Result<(), StepError> {
    if !workspace.applies {
        let failure = StepFailure::NotApplicable { method: method.id, requirement: REQUIREMENT };
        return Err(StepError { time: from.time, step: h, failure });
    }
    let start = components(&from.velocity);
    let outcome = match method.rule {
        Rule::Composition(maps) => compose(maps, system, from, start, h, &mut to.configuration, workspace),
        Rule::MuntheKaas(tableau) => {
            let motion = MapStart { time: from.time, configuration: &from.configuration, velocity: start };
            munthe_kaas::step(tableau, system, &motion, h, &mut workspace.work, &mut to.configuration)
        }
    };
    let velocity = outcome.map_err(|unsolved| unsolved.explained([workspace.work.residual, 0.0], system, from, h))?;
    to.time = from.time + h;
    set_components(&mut to.velocity, &velocity);
    let t = M::Scalar::from_f64(to.time);
    let acceleration = workspace.work.body.acceleration(system, t, &to.configuration, &to.velocity);
    if !acceleration.iter().all(|component| component.is_finite()) {
        return Err(StepError::not_finite(system, from, h));
    }
    set_components(&mut to.acceleration, &acceleration);
    workspace.steps += 1;
    Ok(())
}

/// Applies the maps in sequence, each over its part of the step.
#[inline]
fn compose<M: Linearised>(
    maps: &[Substep],
    system: &M,
    from: &State<M>,
    start: Vector3<M::Scalar>,
    h: f64,
    q: &mut M::Configuration,
    workspace: &mut RotationWorkspace<M>,
) -> Result<Vector3<M::Scalar>, Unsolved> {
    let RotationWorkspace { work, between: [here, there], .. } = workspace;
    let (mut time, mut velocity) = (from.time, start);
    for (index, substep) in maps.iter().enumerate() {
        let configuration = if index == 0 { &from.configuration } else { &*here };
        let motion = MapStart { time, configuration, velocity };
        let part = substep.part * h;
        let out = if index + 1 == maps.len() { &mut *q } else { &mut *there };
        velocity = substep.map.apply(system, &motion, part, work, out)?;
        time += part;
        core::mem::swap(here, there);
    }
    Ok(velocity)
}
