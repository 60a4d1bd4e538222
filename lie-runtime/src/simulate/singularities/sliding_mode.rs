//! Whether steps of fixed size hold a motion at a jump of a force.
//!
//! Dry friction by hand, −μ sgn v, or a relay: the force jumps where the motion is driven to from both sides. Steps of size h neither come to rest
//! there nor pass. Each stage is on one side or on the other, and the velocity is off by up to h times the jump of the acceleration for as long as this
//! lasts. Error control sees that and [stalls](crate::simulate::Failure::Stalled); fixed steps go on and end well.
//!
//! For a smooth force and a step that resolves it the accelerations at both ends are nearly the same, and their mean is nearly that of the step:
//!
//! ```text
//! d = max(|(v₁ − v₀) / h − (a₀ + a₁) / 2|, |a₁ − a₀| / 2) = O(h)
//! ```
//!
//! is small beside them, but for one or two steps in which they pass zero. At a jump that is passed, d is of their size in one step. At a jump that
//! holds the motion it is in all steps: if the states alternate between both sides, by the second part; if they stay on one side, the mean is zero
//! and a₀ = a₁ are not. After [`SUSPICIOUS_STEPS`] such steps in a row the force is compared along the ways that a step would take with the acceleration of its
//! beginning,
//!
//! ```text
//! q(s) = q₀ exp(s h v₀) or q₀,    v(s) = v₀ + s h a₀,    0 ≤ s ≤ 2.
//! ```
//!
//! The motion is held if the force changes there against the change of the velocity, within the step, and most of all its changes on the way fall
//! into one sixteenth of it. A stiff force that the step does not resolve makes d large as well, but it changes all along the way; one that grows fast
//! changes most behind the step. A law that is steep and saturates, tanh(v / width) with a width far below h a, counts as a jump: steps treat it as
//! one. The constant configuration is for the direction of a slip in a plane: a body that turns on the way passes its zero at a
//! distance. Systems without a jump are compared after 4, 8, 16, … suspicious steps, so that the comparisons cost nothing in the end.

use super::discontinuity::{Discontinuity, components, find_discontinuity};
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// So many suspicious steps in a row are compared.
const SUSPICIOUS_STEPS: u32 = 4;
/// A difference d of a larger part of the accelerations is suspicious.
const SUSPICIOUS: f64 = 0.25;
/// An error h d of the velocity shows if it is a larger part of the largest velocity of this component so far.
const SHOWS: f64 = 1e-4;

/// Looks at the steps of a run.
pub(super) struct SlidingCheck {
    /// The largest size of each component of the velocity.
    largest: Vec<f64>,
    /// Suspicious steps in a row, and the number of them at the next comparison.
    steps: u32,
    next: u32,
}

/// A jump of a force that holds a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlidingMode {
    /// The jump.
    pub jump: Discontinuity,
    /// The size h d of the error of the velocity.
    pub error: f64,
}

impl SlidingCheck {
    pub fn new() -> Self {
        SlidingCheck { largest: Vec::new(), steps: 0, next: SUSPICIOUS_STEPS }
    }

    /// Looks at a step; the jump if there is one that holds the motion.
    pub fn look<M: MechanicalSystem>(&mut self, system: &M, from: &State<M>, to: &State<M>) -> Option<SlidingMode> {
        let h = to.time - from.time;
        self.largest.resize(from.velocity.component_count(), 0.0);
        let mut error = 0.0_f64;
        for (component, largest) in self.largest.iter_mut().enumerate() {
            let [v0, v1] = [from, to].map(|state| state.velocity.component(component).value());
            let [a0, a1] = [from, to].map(|state| state.acceleration.component(component).value());
            *largest = largest.max(v0.abs());
            let d = ((v1 - v0) / h - 0.5 * (a0 + a1)).abs().max(0.5 * (a1 - a0).abs());
            if d > SUSPICIOUS * (a0.abs() + a1.abs()) && h * d > SHOWS * *largest {
                error = error.max(h * d);
            }
        }
        if error == 0.0 {
            (self.steps, self.next) = (0, SUSPICIOUS_STEPS);
            return None;
        }
        self.steps += 1;
        if self.steps < self.next {
            return None;
        }
        self.next = self.next.saturating_mul(2);
        reversal_ahead(system, from, h).map(|jump| SlidingMode { jump, error })
    }
}

/// The parts of the way on which forces are compared; half of them are within the step.
const PARTS: usize = 16;
/// Of a jump, more than this part of all changes of the force falls into one part of the way.
const CONCENTRATED: f64 = 0.4;

/// Where most of the change of a force on the way of a step from a state is in one place, and against the change of the velocity.
fn reversal_ahead<M: MechanicalSystem>(system: &M, from: &State<M>, h: f64) -> Option<Discontinuity> {
    [true, false].into_iter().find_map(|moves| {
        let mut force = force_ahead(system, from, h, moves);
        let forces: Vec<Vec<f64>> = (0..=PARTS).map(|k| force(2.0 * k as f64 / PARTS as f64)).collect();
        (0..forces[0].len()).find_map(|component| {
            let change = |part: usize| forces[part + 1][component] - forces[part][component];
            let largest = (0..PARTS).max_by(|a, b| change(*a).abs().total_cmp(&change(*b).abs()))?;
            let all: f64 = (0..PARTS).map(|part| change(part).abs()).sum();
            let size = change(largest);
            let is_against = size * from.acceleration.component(component).value() < 0.0;
            let is_jump = 2 * largest < PARTS
                && size.abs() > CONCENTRATED * all
                && size.abs() > ROUND_OFF * forces[0][component].abs();
            (is_jump && is_against).then_some(Discontinuity { component, size })
        })
    })
}

/// A change of a smaller part of a force is round-off.
const ROUND_OFF: f64 = 1e-6;

/// Where the force jumps against the change of the velocity, on the way of a step from a state.
pub(crate) fn discontinuity_ahead<M: MechanicalSystem>(system: &M, from: &State<M>, h: f64) -> Option<Discontinuity> {
    let mut force = force_ahead(system, from, h, true);
    let jump = find_discontinuity(&mut |s| Some(force(s)))?;
    // A jump of the force against v' drives the motion back.
    let driven_back = jump.size * from.acceleration.component(jump.component).value() < 0.0;
    driven_back.then_some(jump)
}

/// The force at a part s of the way of a step from a state, at its time; the configuration moves or does not.
fn force_ahead<'a, M: MechanicalSystem>(
    system: &'a M,
    from: &'a State<M>,
    h: f64,
    moves: bool,
) -> impl FnMut(f64) -> Vec<f64> + 'a {
    let mut q = from.configuration.clone();
    move |s| {
        let (part, mut v) = (M::Scalar::from_f64(s * h), from.velocity.clone());
        if moves {
            let mut way = from.velocity.clone();
            way.scale(part);
            system.space().compose_exp(&from.configuration, &way, &mut q);
        }
        v.axpy(part, &from.acceleration);
        let mut force = system.zero_velocity();
        system.force(M::Scalar::from_f64(from.time), &q, &v, &mut force);
        components(&force)
    }
}
