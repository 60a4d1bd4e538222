//! A first step in which a fast damped motion is excited.
//!
//! A damper of rate c that decelerates a velocity v₀ = u gives v' = −c u and v'' = c² u. For h c ≫ 1 a step of size h must not contain
//! these derivatives. The a₀ of [`start`](super::start) would be (α_m − α_f) h c² u. Summation of eqs. (30)-(32) over all steps gives the
//! resulting displacement,
//!
//! ```text
//! Σ Δq = u (1/2 − α_f) h + h² a₀ (γ/2 − β) + O(u / c)        instead of u / c,
//! ```
//!
//! for any later step size. For example, u = 1 m/s, c = 10⁶ 1/s and h = 0.01 s give about 36 m. No a₀ of bounded size removes the first
//! term. An L-stable method makes the step instead: TR-BDF2 in three parts. It reduces the velocity to u / (h c)³. Runge-Kutta methods
//! conserve q + v / c exactly, so that the displacement is u / c. The accelerations at the ends of the last two parts, which do not contain
//! the fast motion, give a₁:
//!
//! ```text
//! a₁ = v'₁ + (α_m − α_f) h v''₁,    v''₁ = 3 (v'₁ − v'_{2/3}) / h + O(h),
//! ```
//!
//! The value is of second order like a₀. Starts without such a motion are unchanged.

use super::method::{GeneralizedAlpha, VECTORS};
use super::start::{begin, is_settled};
use super::workspace::{Attempt, DampedStartWorkspace};
use crate::group::TangentVector;
use crate::integrator::{Integrator, State, StepError, TrBdf2};
use crate::scalar::Scalar;
use crate::system::Linearised;

/// The number of parts of the step; the difference of the last two accelerations needs three.
pub(crate) const PARTS: u32 = 3;

/// The number of steps of the method that a state stores after such a step.
const COUNT: usize = 0;

/// Returns true if a state is the end of such a step.
pub(crate) fn has_led_to<M: Linearised>(method: &GeneralizedAlpha, state: &State<M>) -> bool {
    state.memory_of(&method.owner()).is_some_and(|memory| memory.count() == COUNT)
}

/// The L-stable method of the parts. Its first iterates do not contain the accelerations of the fast motion.
pub(crate) fn method() -> TrBdf2 {
    TrBdf2::from_previous_stages()
}

/// The buffers, which the step returns.
pub(super) fn take<M: Linearised>(system: &M, state: &State<M>, work: &mut Attempt<M>) -> Box<DampedStartWorkspace<M>> {
    work.damped.take().unwrap_or_else(|| Box::new(DampedStartWorkspace::of(system, state, &method())))
}

/// Makes a first step of size h in parts.
#[cold]
#[inline(never)]
pub(super) fn attempt<M: Linearised>(
    method: &GeneralizedAlpha,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    work: &mut Attempt<M>,
) -> Result<(), StepError> {
    let mut damped = take(system, from, work);
    let outcome = in_parts(method, system, from, h, to, (work, &mut damped));
    work.damped = Some(damped);
    outcome
}

fn in_parts<M: Linearised>(
    method: &GeneralizedAlpha,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    (work, damped): (&mut Attempt<M>, &mut DampedStartWorkspace<M>),
) -> Result<(), StepError> {
    let (real, part) = (M::Scalar::from_f64, h / f64::from(PARTS));
    let DampedStartWorkspace { workspace, states: [current, before], .. } = damped;
    current.copy_motion_from(from);
    for n in 1..=PARTS {
        self::method().step(system, current, part, before, workspace)?;
        before.time = from.time + f64::from(n) * part;
        core::mem::swap(current, before);
    }
    to.copy_motion_from(current);
    conclude(method, system, (before, to), h, work)?;
    to.time = from.time + h;
    to.velocity.assign(&work.velocity);
    to.memory.make_room(system, &to.configuration, VECTORS, 0);
    let lag = to.memory.vector_mut(0);
    lag.assign(&work.acceleration);
    lag.axpy(real(-1.0), &to.acceleration);
    lag.scale(real(1.0 / h));
    to.remember(method.owner(), h, COUNT);
    work.steps += 1;
    Ok(())
}

/// Computes a₁ and v₁, from which the method continues, from the states at the ends of the last two parts.
pub(crate) fn conclude<M: Linearised>(
    method: &GeneralizedAlpha,
    system: &M,
    (before, end): (&State<M>, &State<M>),
    h: f64,
    work: &mut Attempt<M>,
) -> Result<(), StepError> {
    let real = M::Scalar::from_f64;
    work.velocity.assign(&end.velocity);
    work.acceleration.assign(&end.acceleration);
    work.next_acceleration.assign(&end.acceleration);
    work.next_acceleration.axpy(real(-1.0), &before.acceleration);
    work.next_acceleration.scale(real(f64::from(PARTS) / h));
    begin(method, system, end, h, is_settled(method, system), work)
        .map_err(|error| StepError::of_kkt(error, system, end, h))
}
