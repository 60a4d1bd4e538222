//! Detection of sliding modes: a force discontinuity holds a motion with fixed steps.
//!
//! Examples are Coulomb friction −μ sgn v without a regularisation, and relays: the force is discontinuous at a position to which the
//! motion is driven from both sides. Steps of size h neither stop there nor pass. Each stage is on either side, and the velocity
//! error is up to h times the discontinuity of the acceleration. Error control [stagnates](crate::simulate::Failure::Stalled) at such a
//! discontinuity; fixed steps continue without an error.
//!
//! For a smooth force and a step that resolves it, the accelerations at both ends are nearly equal, and so is the mean acceleration of the
//! step:
//!
//! ```text
//! d = max(|(v₁ − v₀) / h − (a₀ + a₁) / 2|, |a₁ − a₀| / 2) = O(h)
//! ```
//!
//! is small compared with the accelerations, except in one or two steps in which they change their sign. If the motion crosses a
//! discontinuity, d has their size in one step. In a sliding mode it has this size in all steps. If the states alternate between both
//! sides, the second part is large; if they stay on one side, the mean is zero and a₀ = a₁ are not. After [`SUSPICIOUS_STEPS`] such steps
//! in a row, the force is evaluated along two paths with the initial acceleration,
//!
//! ```text
//! q(s) = q₀ exp(s h v₀) or q₀,    v(s) = v₀ + s h a₀,    0 ≤ s ≤ 2.
//! ```
//!
//! The motion is in a sliding mode under two conditions: the force changes within the step against the change of the velocity, and most of
//! its change is within one sixteenth of the path. A stiff force that the step does not resolve also makes d large, but it changes along
//! the whole path. A rapidly growing force changes most after the step. A steep law with saturation, tanh(v / width) with a width far below
//! h a, counts as a discontinuity because steps do not resolve it. The path with a constant configuration is for sliding in a plane: a body
//! that rotates along the path passes the zero of the sliding velocity at a distance. Systems without a discontinuity are examined after 4,
//! 8, 16, … suspicious steps, so that the cost remains small.
//!
//! The powers p = v·F of the declared forces identify the force that jumps. Each p is extrapolated to the discontinuity from two points on
//! either side. It jumps by v·ΔF. If v·ΔF is zero, as for friction at rest, its derivative jumps by v'·ΔF. The power of the whole force minus
//! all p belongs to forces without a name, such as the gradient of a potential.

use super::discontinuity::{Discontinuity, components, find_discontinuity};
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// Number of consecutive suspicious steps before an examination.
const SUSPICIOUS_STEPS: u32 = 4;
/// A step is suspicious if d exceeds this part of the accelerations.
const SUSPICIOUS: f64 = 0.25;
/// A velocity error h d is significant above this part of the largest velocity of the component so far.
const SHOWS: f64 = 1e-4;

/// Checks the steps of a run for sliding modes.
pub(crate) struct SlidingCheck {
    /// The largest absolute value of each velocity component, in each lane.
    largest: Vec<f64>,
    /// Consecutive suspicious steps, and their number at the next examination.
    steps: u32,
    next: u32,
}

/// A force discontinuity that holds a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct SlidingMode {
    /// The discontinuity.
    pub jump: Discontinuity,
    /// The declared forces and dissipations that may have the discontinuity: one name if it is known; empty if none of them has it.
    pub by: Vec<&'static str>,
    /// The size h d of the velocity error.
    pub error: f64,
}

impl SlidingCheck {
    pub fn new() -> Self {
        SlidingCheck { largest: Vec::new(), steps: 0, next: SUSPICIOUS_STEPS }
    }

    /// Checks a step. Returns the discontinuity if it holds the motion.
    pub fn check<M: MechanicalSystem>(&mut self, system: &M, from: &State<M>, to: &State<M>) -> Option<SlidingMode> {
        let error = self.suspects(from, to)?;
        SlidingMode::ahead(system, from, to.time - from.time, error)
    }

    /// Checks a step in all lanes. Returns the velocity error if the forces are to be examined.
    pub fn suspects<M: MechanicalSystem>(&mut self, from: &State<M>, to: &State<M>) -> Option<f64> {
        let h = to.time - from.time;
        let lanes = M::Scalar::LANES;
        self.largest.resize(lanes * from.velocity.component_count(), 0.0);
        let mut error = 0.0_f64;
        for (at, largest) in self.largest.iter_mut().enumerate() {
            let (component, lane) = (at / lanes, at % lanes);
            let entry = |vector: &M::Velocity| vector.component(component).lane(lane);
            let (v0, v1) = (entry(&from.velocity), entry(&to.velocity));
            let (a0, a1) = (entry(&from.acceleration), entry(&to.acceleration));
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
        Some(error)
    }
}

impl SlidingMode {
    /// Returns the discontinuity along the path of a step if it holds the motion, with this velocity error.
    pub(crate) fn ahead<M: MechanicalSystem>(system: &M, from: &State<M>, h: f64, error: f64) -> Option<Self> {
        reversal_ahead(system, from, h).map(|(jump, by)| SlidingMode { jump, by, error })
    }
}

/// Number of intervals of the path; half of them are within the step.
const PARTS: usize = 16;
/// Part of all force changes that falls into one interval at a discontinuity.
const CONCENTRATED: f64 = 0.4;

/// Returns a force discontinuity along the path of a step that acts against the change of the velocity, and the declared forces that may
/// have it.
fn reversal_ahead<M: MechanicalSystem>(
    system: &M,
    from: &State<M>,
    h: f64,
) -> Option<(Discontinuity, Vec<&'static str>)> {
    [true, false].into_iter().find_map(|moves| {
        let mut force = force_ahead(system, from, h, moves);
        let forces: Vec<Vec<f64>> = (0..=PARTS).map(|k| force(end_of_part(k))).collect();
        (0..forces[0].len()).find_map(|component| {
            let change = |part: usize| forces[part + 1][component] - forces[part][component];
            let largest = (0..PARTS).max_by(|a, b| change(*a).abs().total_cmp(&change(*b).abs()))?;
            let all: f64 = (0..PARTS).map(|part| change(part).abs()).sum();
            let size = change(largest);
            let is_against = size * from.acceleration.component(component).value() < 0.0;
            let is_jump = 2 * largest < PARTS
                && size.abs() > CONCENTRATED * all
                && size.abs() > ROUND_OFF * forces[0][component].abs();
            (is_jump && is_against).then(|| {
                let jump = Discontinuity { component, size };
                (jump, jumping(system, from, (h, moves), (component, largest)))
            })
        })
    })
}

/// Returns s at the end of an interval of the path; the step ends at s = 1.
fn end_of_part(part: usize) -> f64 {
    2.0 * part as f64 / PARTS as f64
}

/// Number of bisections of the interval with the discontinuity.
const HALVINGS: usize = 24;
/// Distance from the discontinuity at which powers are compared, as a part of the step.
const NEAR: f64 = 1e-2;

/// Returns the declared forces that may have the discontinuity of a component in an interval of the path.
///
/// The result is one name if the discontinuity belongs to one force, and all names if it belongs to several forces. It is empty if the
/// discontinuity belongs to a force without a name.
fn jumping<M: MechanicalSystem>(
    system: &M,
    from: &State<M>,
    (h, moves): (f64, bool),
    (component, part): (usize, usize),
) -> Vec<&'static str> {
    let mut force = force_ahead(system, from, h, moves);
    let mut force = |s: f64| force(s)[component];
    let [mut low, mut high] = [end_of_part(part), end_of_part(part + 1)];
    let [mut below, mut above] = [force(low), force(high)];
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        let between = force(middle);
        if (between - below).abs() > (above - between).abs() {
            (high, above) = (middle, between);
        } else {
            (low, below) = (middle, between);
        }
    }
    let [far, near, next, last] =
        [-2.0, -1.0, 1.0, 2.0].map(|at| powers_ahead(system, from, (h, moves), low + at * NEAR));
    // The jump of each power, and the jump of its derivative times the distance of the points.
    let sizes = far.iter().zip(&near).zip(next.iter().zip(&last)).map(|((far, near), (next, last))| {
        let jump = (2.0 * next.1 - last.1) - (2.0 * near.1 - far.1);
        let kink = (last.1 - next.1) - (near.1 - far.1);
        jump.abs() + kink.abs()
    });
    let sizes: Vec<f64> = sizes.collect();
    let most = 0.5 * sizes.iter().sum::<f64>();
    match near.iter().zip(&sizes).find(|(_, size)| **size > most) {
        Some(((Some(name), _), _)) => vec![name],
        Some(((None, _), _)) => Vec::new(),
        None => near.iter().filter_map(|(name, _)| *name).collect(),
    }
}

/// Returns the powers of the declared forces at a part s of the path, by name, and the power of all others together.
fn powers_ahead<M: MechanicalSystem>(
    system: &M,
    from: &State<M>,
    (h, moves): (f64, bool),
    s: f64,
) -> Vec<(Option<&'static str>, f64)> {
    let (q, v) = place_ahead(system, from, (h, moves), s);
    let mut powers: Vec<(Option<&'static str>, f64)> = Vec::new();
    let t = M::Scalar::from_f64(from.time);
    system.powers(t, &q, &v, &mut |name, power| match powers.iter_mut().find(|(own, _)| *own == Some(name)) {
        Some((_, sum)) => *sum += power,
        None => powers.push((Some(name), power)),
    });
    let mut force = system.zero_velocity();
    system.force(t, &q, &v, &mut force);
    let declared: f64 = powers.iter().map(|(_, power)| power).sum();
    powers.push((None, force.dot(&v).value() - declared));
    powers
}

/// A relative change of the force below this limit is round-off.
const ROUND_OFF: f64 = 1e-6;

/// Returns a force discontinuity along the path of a step that acts against the change of the velocity.
pub(crate) fn discontinuity_ahead<M: MechanicalSystem>(system: &M, from: &State<M>, h: f64) -> Option<Discontinuity> {
    let mut force = force_ahead(system, from, h, true);
    let jump = find_discontinuity(&mut |s| Some(force(s)))?;
    // A discontinuity of the force against v' drives the motion back.
    let driven_back = jump.size * from.acceleration.component(jump.component).value() < 0.0;
    driven_back.then_some(jump)
}

/// Returns the force as a function of the part s of the path of a step, at a constant time. The configuration moves if `moves` is true.
fn force_ahead<'a, M: MechanicalSystem>(
    system: &'a M,
    from: &'a State<M>,
    h: f64,
    moves: bool,
) -> impl FnMut(f64) -> Vec<f64> + 'a {
    move |s| {
        let (q, v) = place_ahead(system, from, (h, moves), s);
        let mut force = system.zero_velocity();
        system.force(M::Scalar::from_f64(from.time), &q, &v, &mut force);
        components(&force)
    }
}

/// The configuration and the velocity at a part s of the way of a step from a state.
fn place_ahead<M: MechanicalSystem>(
    system: &M,
    from: &State<M>,
    (h, moves): (f64, bool),
    s: f64,
) -> (M::Configuration, M::Velocity) {
    let (part, mut q, mut v) = (M::Scalar::from_f64(s * h), from.configuration.clone(), from.velocity.clone());
    if moves {
        let mut way = from.velocity.clone();
        way.scale(part);
        system.space().compose_exp(&from.configuration, &way, &mut q);
    }
    v.axpy(part, &from.acceleration);
    (q, v)
}
