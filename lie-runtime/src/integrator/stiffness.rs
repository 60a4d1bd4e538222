//! The rate of the fastest motion close to a state.

use num_traits::One;

use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::{Scalar, is_single};
use crate::space::ConfigurationSpace;
use crate::system::{Evaluation, MassFactorisation, MechanicalSystem};

/// The number of iterations for the fastest motion; the estimate uses the last half.
const ITERATIONS: u32 = 16;

/// Estimates, by power iteration, the largest ratio between the change of a function and the displacement that causes it. `change` replaces
/// the displacement with the change of the function.
///
/// `scale` is the size of the variable; `direction` can have any content. Returns `None` if the function has no value.
pub(crate) fn largest_rate<V: TangentVector>(
    direction: &mut V,
    scale: f64,
    mut change: impl FnMut(&mut V) -> Option<()>,
) -> Option<f64> {
    let step = scale * if is_single::<V::Scalar>() { 1e-3 } else { 3e-6 };
    for component in 0..direction.component_count() {
        // An arbitrary direction with a component in every motion.
        direction.set_component(component, V::Scalar::from_f64((1.0 + 1.7 * component as f64).sin()));
    }
    let mut sum = 0.0;
    for iteration in 0..ITERATIONS {
        let length = direction.max_norm();
        if !(length > 0.0 && length.is_finite()) {
            return length.is_finite().then_some(0.0);
        }
        direction.scale(V::Scalar::from_f64(step / length));
        change(direction)?;
        if iteration >= ITERATIONS / 2 {
            sum += (direction.max_norm() / step).max(f64::MIN_POSITIVE).ln();
        }
    }
    Some((sum / f64::from(ITERATIONS / 2)).exp())
}

/// The buffers for an estimate of the fastest motion close to a state.
pub(crate) struct FastestRate<M: MechanicalSystem> {
    inertia: MassFactorisation<M>,
    here: Evaluation<M>,
    curvature: M::Multipliers,
    moved: State<M>,
    base: M::Velocity,
    direction: M::Velocity,
}

impl<M: MechanicalSystem> FastestRate<M> {
    /// Allocates the buffers; `state` determines the lengths of chains.
    pub fn of(system: &M, state: &State<M>) -> Self {
        FastestRate {
            inertia: MassFactorisation::of(system),
            here: Evaluation::of(system),
            curvature: system.zero_multipliers(),
            moved: state.clone(),
            base: system.zero_velocity(),
            direction: system.zero_velocity(),
        }
    }

    /// Returns the larger value of √|D_q v'| and |D_v v'|, a reciprocal time; `None` if the equations have no value.
    ///
    /// Uses power iteration on differences of the accelerations of the index-1 system.
    pub fn at(&mut self, system: &M, state: &State<M>) -> Option<f64> {
        let FastestRate { inertia, here, curvature, moved, base, direction } = self;
        let t = M::Scalar::from_f64(state.time);
        let mut accelerate = |at: &mut State<M>| {
            inertia.forget();
            let (point, acceleration) = ((t, &at.configuration, &at.velocity), &mut at.acceleration);
            let solved = here.accelerations(system, point, inertia, curvature, acceleration, &mut at.multipliers);
            (solved.is_ok() && at.acceleration.all_finite()).then_some(())
        };
        moved.copy_motion_from(state);
        accelerate(moved)?;
        base.assign(&moved.acceleration);
        // The sizes of displacements and velocities, independent of the units.
        let (speed, acceleration) = (state.velocity.max_norm(), base.max_norm());
        let extent = system.space().extent(&state.configuration);
        let braking_distance = speed * speed / acceleration;
        let length = [extent, braking_distance, 1.0].into_iter().find(|length| length.is_normal()).unwrap_or(1.0);
        let speed = [speed.max((acceleration * length).sqrt()), length].into_iter().find(|speed| speed.is_normal());
        let mut change = |moved: &mut State<M>, out: &mut M::Velocity| {
            accelerate(moved)?;
            out.assign(&moved.acceleration);
            out.axpy(-M::Scalar::one(), base);
            Some(())
        };
        let stiffness = largest_rate(direction, length, |direction| {
            system.space().compose_exp(&state.configuration, direction, &mut moved.configuration);
            change(moved, direction)
        })?;
        moved.configuration.clone_from(&state.configuration);
        let damping = largest_rate(direction, speed.unwrap_or(1.0), |direction| {
            moved.velocity.assign(&state.velocity);
            moved.velocity.axpy(M::Scalar::one(), direction);
            change(moved, direction)
        })?;
        let rate = stiffness.sqrt().max(damping);
        rate.is_finite().then_some(rate)
    }
}
