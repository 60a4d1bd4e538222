//! The states behind the present one, and the buffers of a step.

use super::coefficients::MAX_STEPS;
use crate::group::TangentVector;
use crate::integrator::half_explicit;
use crate::integrator::{HalfExplicit, Integrator, State, StepError, StepFailure};
use crate::scalar::Scalar;
use crate::system::{IterationCorrection, IterationResidual, Linearised};

/// Steps of a method of order 5 that make one of the first k − 1 steps.
const PARTS: u32 = 4;
/// Sizes and times that differ by less than this part of a step are the same.
const SAME: f64 = 1e-6;

/// The buffers of a step and the states behind it, for one system with fixed parameters; allocated once.
pub struct Workspace<M: Linearised> {
    pub(super) history: History<M>,
    pub(super) iteration: Iteration<M>,
    pub(super) starter: half_explicit::Workspace<M>,
    parts: [State<M>; 2],
}

/// The last k states.
pub(super) struct History<M: Linearised> {
    /// The newest one first.
    states: [State<M>; MAX_STEPS],
    /// log(q_{i+1}⁻¹ q_i) of the i-th state and the one before it, the increment that led to it.
    increments: [M::Velocity; MAX_STEPS],
    /// log(q_0⁻¹ q_i).
    pub coordinates: [M::Velocity; MAX_STEPS],
    count: usize,
    steps: usize,
    size: f64,
    /// True until the second step.
    is_first: bool,
}

/// What Newton's iteration needs.
pub(super) struct Iteration<M: Linearised> {
    /// What a correction starts from.
    pub configuration: M::Configuration,
    /// θ.
    pub theta: M::Velocity,
    /// θ*.
    pub extrapolated: M::Velocity,
    /// T(θ*) c.
    pub past: M::Velocity,
    /// c, and other sums.
    pub sum: M::Velocity,
    pub residual: IterationResidual<M>,
    pub correction: IterationCorrection<M>,
    pub jacobian: M::Jacobian,
    /// B(q_n) of the stabilised formulation.
    pub start_jacobian: M::Jacobian,
    pub drift: M::Multipliers,
    pub reaction: M::Velocity,
    pub factorisation: M::Factorisation,
    pub mass: M::Mass,
    pub steps: u64,
    pub iterations: u64,
}

impl<M: Linearised> Workspace<M> {
    /// Allocates the buffers; `state` tells the lengths of chains.
    pub(super) fn of(steps: usize, system: &M, state: &State<M>) -> Self {
        let velocity = || system.zero_velocity();
        Workspace {
            history: History {
                states: core::array::from_fn(|_| state.clone()),
                increments: core::array::from_fn(|_| velocity()),
                coordinates: core::array::from_fn(|_| velocity()),
                count: 0,
                steps,
                size: 0.0,
                is_first: true,
            },
            iteration: Iteration {
                configuration: state.configuration.clone(),
                theta: velocity(),
                extrapolated: velocity(),
                past: velocity(),
                sum: velocity(),
                residual: IterationResidual::zero(system),
                correction: IterationCorrection::zero(system),
                jacobian: system.zero_jacobian(),
                start_jacobian: system.zero_jacobian(),
                drift: system.zero_multipliers(),
                reaction: velocity(),
                factorisation: system.zero_factorisation(),
                mass: system.zero_mass(),
                steps: 0,
                iterations: 0,
            },
            starter: HalfExplicit::hedop5().workspace(system, state),
            parts: [state.clone(), state.clone()],
        }
    }

    /// One of the first steps, in parts of a method of order 5.
    pub(super) fn start(&mut self, system: &M, from: &State<M>, h: f64, to: &mut State<M>) -> Result<(), StepError> {
        let method = HalfExplicit::hedop5();
        let [current, next] = &mut self.parts;
        current.clone_from(from);
        for part in 1..=PARTS {
            method.step(system, current, h / f64::from(PARTS), next, &mut self.starter)?;
            next.time = from.time + h * f64::from(part) / f64::from(PARTS);
            core::mem::swap(current, next);
        }
        to.clone_from(current);
        Ok(())
    }
}

impl<M: Linearised> History<M> {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The i-th state behind the step that is being made; 0 is the one it starts from.
    pub fn state(&self, i: usize) -> &State<M> {
        &self.states[i]
    }

    /// The increment that led to the i-th state.
    pub fn increment(&self, i: usize) -> &M::Velocity {
        &self.increments[i]
    }

    /// Makes `from` the newest state; a step may be repeated from the same one.
    #[inline]
    pub fn advance(&mut self, method: &'static str, system: &M, from: &State<M>, h: f64) -> Result<(), StepError> {
        let fail = |failure| Err(StepError { time: from.time, step: h, failure });
        let slack = SAME * h.abs() + 16.0 * f64::EPSILON * from.time.abs();
        let is_same = |time: f64| (from.time - time).abs() <= slack;
        if self.count == 0 || (self.is_first && is_same(self.states[0].time)) {
            self.count = 1;
            self.size = h;
            self.is_first = true;
        } else {
            if (h - self.size).abs() > SAME * self.size.abs() {
                return fail(StepFailure::VariableStep { method, expected: self.size });
            }
            if is_same(self.states[0].time + self.size) {
                self.states.rotate_right(1);
                self.increments.rotate_right(1);
                self.count = (self.count + 1).min(self.steps);
                self.is_first = false;
            } else if !is_same(self.states[0].time) {
                return fail(StepFailure::NoHistory { method, newest: self.states[0].time });
            }
        }
        let [newest, behind @ ..] = &mut self.states;
        newest.time = from.time;
        newest.configuration.clone_from(&from.configuration);
        newest.velocity.assign(&from.velocity);
        newest.acceleration.assign(&from.acceleration);
        newest.multipliers.assign(&from.multipliers);
        for (i, state) in (1..self.count).zip(behind.iter()) {
            let coordinates = &mut self.coordinates[i];
            system.log_difference(&newest.configuration, &state.configuration, coordinates);
            if i == 1 {
                self.increments[0].assign(coordinates);
                self.increments[0].scale(M::Scalar::from_f64(-1.0));
            }
        }
        Ok(())
    }
}
