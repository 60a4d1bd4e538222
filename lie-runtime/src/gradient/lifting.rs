//! Conversion of states to dual numbers and back.

use super::components::part;
use super::{Variable, Variation};
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Dual;
use crate::space::ConfigurationSpace;
use crate::system::{Liftable, MechanicalSystem};

/// Returns the initial state on dual numbers, moved along the given directions: q₀ exp(ε Σ δθ).
pub(super) fn moved<M: Liftable<Scalar = f64>>(
    system: &M,
    by: &M::Lifted,
    state: &State<M>,
    directions: &[(Variable, f64)],
) -> State<M::Lifted> {
    let mut moved = lifted(system, by, state);
    for (direction, size) in directions {
        if let Variable::Velocity(component) = *direction {
            let own = moved.velocity.component(component);
            moved.velocity.set_component(component, own + Dual { re: 0.0, eps: *size });
        }
    }
    if let Some(turn) = turn(by, directions) {
        by.space().compose_exp(&moved.configuration.clone(), &turn, &mut moved.configuration);
    }
    moved
}

/// ε Σ δθ of the directions that move q₀; `None` if there are none.
pub(super) fn turn<L: MechanicalSystem<Scalar = Dual<f64>>>(
    system: &L,
    directions: &[(Variable, f64)],
) -> Option<L::Velocity> {
    let mut turn = None;
    for (direction, size) in directions {
        if let Variable::Configuration(component) = *direction {
            let turn = turn.get_or_insert_with(|| system.zero_velocity());
            turn.set_component(component, turn.component(component) + Dual { re: 0.0, eps: *size });
        }
    }
    turn
}

/// Returns a state without derivatives.
pub(super) fn lifted<M: Liftable>(system: &M, lifted: &M::Lifted, state: &State<M>) -> State<M::Lifted> {
    let mut raised = State::at_rest(lifted, state.time, system.lift_configuration(&state.configuration));
    part(&state.velocity, &mut raised.velocity, Dual::lift);
    part(&state.multipliers, &mut raised.multipliers, Dual::lift);
    part(&state.acceleration, &mut raised.acceleration, Dual::lift);
    raised
}

/// Returns a state with its derivatives.
#[cfg(feature = "estimation")]
pub(crate) fn state_along<M: Liftable<Scalar = f64>>(
    system: &M,
    by: &M::Lifted,
    state: &State<M>,
    along: &Variation<M>,
) -> State<M::Lifted> {
    let derivative = |re: f64| Dual { re: 0.0, eps: re };
    let mut moved = lifted(system, by, state);
    let mut turn = by.zero_velocity();
    part(&along.configuration, &mut turn, derivative);
    by.space().compose_exp(&moved.configuration.clone(), &turn, &mut moved.configuration);
    let mut change = by.zero_velocity();
    let one = Dual { re: 1.0, eps: 0.0 };
    part(&along.velocity, &mut change, derivative);
    moved.velocity.axpy(one, &change);
    part(&along.acceleration, &mut change, derivative);
    moved.acceleration.axpy(one, &change);
    let mut change = by.zero_multipliers();
    part(&along.multipliers, &mut change, derivative);
    moved.multipliers.axpy(one, &change);
    moved
}

/// Returns the values of a state.
pub(super) fn lowered<M: Liftable>(system: &M, state: &State<M::Lifted>) -> State<M> {
    let mut lowered = State::at_rest(system, state.time, system.lowered_configuration(&state.configuration));
    part(&state.velocity, &mut lowered.velocity, |x| x.re);
    part(&state.multipliers, &mut lowered.multipliers, |x| x.re);
    part(&state.acceleration, &mut lowered.acceleration, |x| x.re);
    lowered
}

/// Returns the derivatives of a state; for q, the derivatives of log(q⁻¹ q(ε)).
pub(super) fn variation<M: Liftable>(system: &M, lifted: &M::Lifted, state: &State<M::Lifted>) -> Variation<M> {
    let here = system.lift_configuration(&system.lowered_configuration(&state.configuration));
    let mut turn = lifted.zero_velocity();
    lifted.space().log_difference(&here, &state.configuration, &mut turn);
    let mut variation = Variation {
        configuration: system.zero_velocity(),
        velocity: system.zero_velocity(),
        multipliers: system.zero_multipliers(),
        acceleration: system.zero_velocity(),
    };
    part(&turn, &mut variation.configuration, |x| x.eps);
    part(&state.velocity, &mut variation.velocity, |x| x.eps);
    part(&state.multipliers, &mut variation.multipliers, |x| x.eps);
    part(&state.acceleration, &mut variation.acceleration, |x| x.eps);
    variation
}
