//! Cotangents go backwards as variations go forwards: their pairing is the same in every state of a run.

use fixtures::systems::heavy_tops::so3xr3::System;
use lie_runtime::gradient::Objective;
use lie_runtime::group::SO3xR3;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;

use crate::tops::top;

const STEP: f64 = 0.01;
const STEPS: usize = 20;

/// A run by RATTLie can restart from each of its states: q and v determine all other values.
#[test]
fn of_a_symplectic_method_is_kept() {
    let (system, q, v) = top!(so3xr3, SO3xR3);
    let method =
        Rattlie::with_options(lie_runtime::integrator::rattlie::RattlieOptions::default().tolerance(1e-15)).unwrap();
    let from = |q, v, steps: usize| Simulation::of(&system).initial(q, v).step(STEP).end_time(steps as f64 * STEP);
    let forwards = from(q, v, STEPS).with_sensitivities(["q", "v"]).method(method).run().unwrap();
    let objective = Objective::<System>::new()
        .at_end(|state| state.velocity[1].sin() + state.velocity[4] * Dual::lift(0.3) + state.velocity[2]);
    let pairings: Vec<Vec<f64>> = (0..STEPS)
        .map(|at| {
            let state = &forwards.trajectory.states[at];
            let run = from(state.configuration, state.velocity, STEPS - at).method(method);
            let gradient = run.gradient_of(&objective).unwrap_or_else(|error| panic!("{error}"));
            let paired = |variation: &lie_runtime::gradient::Variation<System>| {
                gradient.configuration.dot(&variation.configuration) + gradient.velocity.dot(&variation.velocity)
            };
            forwards.variations[at].iter().map(paired).collect()
        })
        .collect();
    let size = pairings[0].iter().fold(0.0, |size: f64, pairing| size.max(pairing.abs()));
    assert!(size > 0.1, "{size}");
    for (at, later) in pairings.iter().enumerate() {
        for (first, later) in pairings[0].iter().zip(later) {
            assert!((first - later).abs() < 1e-11 * size, "state {at}: {first:e} became {later:e}");
        }
    }
}
