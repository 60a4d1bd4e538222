//! Whether a motion blows up, and which step it would have taken.
//!
//! A method that is unstable at its step size multiplies speeds by the same factor in every step, until something fails
//! that has nothing to do with the cause: a stage overflows, a mass matrix of absurd coordinates is indefinite, a constraint
//! is singular a million radians away. Or nothing fails: a ball that one step has carried deep into a stiff floor leaves it
//! at a million metres a second. So each state that is looked at is compared with the last *calm* one. Where speeds have
//! grown and potential energy does not account for it, the rates of the equations there,
//!
//! ```text
//! ω² = |D_q v'|,    c = |D_v v'|
//! ```
//!
//! in the norm of their fastest motion, say whether the step resolves them, and which one would.

use num_traits::{One, Zero};

use crate::group::TangentVector;
use crate::integrator::{FastestRate, State, StepError, StepFailure};
use crate::scalar::{Mask, Scalar};
use crate::simulate::consistent::ConsistentValues;
use crate::simulate::failure::Divergence;
use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// Speeds that have grown by less since the last calm state say nothing at all.
const NOTED: f64 = 3.0;
/// Growth by more than this is a blow-up where the equations show nothing that could be its cause, by default.
pub(super) const UNACCOUNTED: f64 = 1e2;
/// Times between two looks at which forces are evaluated for blows.
const TIMES: u32 = 64;
/// A motion that has not gone as far is at rest, and may be set off by anything.
const AT_REST: f64 = 1e-6;
/// How far a state is moved for a difference of energies, in units of length and parts of its velocity.
const DIFFERENCE: f64 = 1e-3;
/// The growth of a motion.
pub(crate) struct VelocityGrowth<M: MechanicalSystem> {
    /// The last calm state.
    pub calm: State<M>,
    /// The largest speed of a calm state; of a motion from rest, that which its first step aims at.
    speed: M::Scalar,
    /// Its kinetic energy.
    kinetic: M::Scalar,
    /// The total energy of the calm state, and that of the one before: what a single state stores may be false.
    energies: [M::Scalar; 2],
    /// The product of all growth that nothing accounts for.
    pub unaccounted: M::Scalar,
    start: f64,
    limit: f64,
}

/// What is seen of a state beside the last calm one.
pub(crate) struct GrowthSample<S: Scalar> {
    speed: S,
    /// The kinetic energy.
    kinetic: S,
    /// The total energy.
    energy: S,
    /// How many times as fast as before.
    growth: S,
    /// Where there is more energy than there was, by far.
    has_stored: S::Mask,
    /// Where speeds or energies have grown, and nothing accounts for it.
    pub is_suspect: S::Mask,
}

impl<M: MechanicalSystem> VelocityGrowth<M> {
    /// From the first state on, which the method has completed.
    pub fn from(system: &M, state: &State<M>, limit: f64) -> Self {
        let (kinetic, potential) = energies(system, state);
        let energies = [kinetic + potential; 2];
        let (speed, start) = (state.velocity.lane_norm(), state.time);
        VelocityGrowth { calm: state.clone(), speed, kinetic, energies, unaccounted: M::Scalar::one(), start, limit }
    }

    /// That of one lane of several, which were at `calm` there last.
    #[cfg(all(feature = "ensemble", feature = "lanes"))]
    pub fn of_lane<T: MechanicalSystem>(together: &VelocityGrowth<T>, lane: usize, calm: State<M>) -> Self {
        let alone = |number: T::Scalar| M::Scalar::from_f64(number.lane(lane));
        VelocityGrowth {
            calm,
            speed: alone(together.speed),
            kinetic: alone(together.kinetic),
            energies: together.energies.map(alone),
            unaccounted: alone(together.unaccounted),
            start: together.start,
            limit: together.limit,
        }
    }

    /// Looks at a state after a step of size h.
    ///
    /// # Errors
    /// [`Divergence`] of a motion that has blown up.
    pub fn look(&mut self, system: &M, state: &State<M>, h: f64, is_explicit: bool) -> Result<(), Divergence> {
        let seen = self.see(system, state, h);
        if seen.is_suspect.any() {
            self.judge(system, state, (h, is_explicit), &seen)?;
        }
        self.go_on(state, &seen);
        Ok(())
    }

    /// What is seen of a state after a step of size h, in each lane by itself.
    pub fn see(&mut self, system: &M, state: &State<M>, h: f64) -> GrowthSample<M::Scalar> {
        let number = M::Scalar::from_f64;
        let speed = state.velocity.lane_norm();
        let (kinetic, potential) = energies(system, state);
        if self.calm.time <= self.start {
            let mut first = self.calm.clone();
            first.velocity.assign(&self.calm.acceleration);
            first.velocity.scale(number(h));
            self.speed = self.speed.max(first.velocity.lane_norm());
            self.kinetic = self.kinetic.max(energies(system, &first).0);
        }
        let was_moving = M::Scalar::zero().lt(self.speed);
        let growth = M::Scalar::select(was_moving, speed / self.speed, M::Scalar::one());
        let gained = kinetic + potential - self.energy();
        // Round-off of the energies is none that is stored.
        let least = number(M::Scalar::epsilon().sqrt()) * (potential.abs() + self.energy().abs());
        let has_stored =
            M::Scalar::zero().lt(self.kinetic) & least.lt(gained) & (number(GROWN * GROWN) * self.kinetic).lt(gained);
        let mut is_suspect = number(NOTED).lt(growth) | has_stored;
        if is_suspect.any() {
            is_suspect = is_suspect & !self.is_accounted_for(system, state);
        }
        GrowthSample { speed, kinetic, energy: kinetic + potential, growth, has_stored, is_suspect }
    }

    /// Says what is behind the growth of a state that is suspect, of a single lane.
    ///
    /// # Errors
    /// [`Divergence`] of a motion that has blown up.
    fn judge(
        &mut self,
        system: &M,
        state: &State<M>,
        (h, is_explicit): (f64, bool),
        seen: &GrowthSample<M::Scalar>,
    ) -> Result<(), Divergence> {
        let [speed, growth, before] = [seen.speed, seen.growth, self.speed].map(Scalar::value);
        let driven = self.driven(system, state);
        // Units of the fastest motion; that of the calm state as well: of absurd coordinates all derivatives are round-off.
        let (here, calm) = (fastest(system, state), fastest(system, &self.calm));
        let units = [here, calm].map(|rate| rate.map_or(f64::INFINITY, |rate| rate * h));
        let units = units[0].max(units[1]);
        let has_grown = growth > GROWN || seen.has_stored.any();
        let is_reached = |change: f64| change >= 0.1 * (speed - before);
        let is_unstable = is_explicit
            && has_grown
            && (units > HOPELESS || (units > 1.0 && growth > 10.0 * self.limit && !is_reached(driven)));
        let was_moving = before * (state.time - self.start) > AT_REST;
        let reached = driven + (state.time - self.calm.time) * speeding(system, state);
        if was_moving && growth > NOTED && !is_reached(reached) {
            self.unaccounted *= seen.growth;
        }
        let is_sudden = self.unaccounted.value() > self.limit;
        if is_unstable || is_sudden {
            let rate = calm.filter(|rate| rate * h > 1.0).or(here).or(calm);
            return Err(Divergence { rate, ..self.divergence(system, speed, h, is_explicit, None) });
        }
        Ok(())
    }

    /// Takes a state for calm.
    pub fn go_on(&mut self, state: &State<M>, seen: &GrowthSample<M::Scalar>) {
        self.speed = self.speed.max(seen.speed);
        self.kinetic = self.kinetic.max(seen.kinetic);
        self.energies = [seen.energy, self.energies[0]];
        self.calm.clone_from(state);
    }

    /// The total energy that a motion may spend.
    fn energy(&self) -> M::Scalar {
        let [last, before] = self.energies;
        // What is NaN is the smaller one of nothing.
        M::Scalar::select(last.le(last), last.min(before), before)
    }

    /// True where potential energy has turned into the kinetic energy gained since the calm state, or more than half of it.
    fn is_accounted_for(&self, system: &M, state: &State<M>) -> <M::Scalar as Scalar>::Mask {
        let ((kinetic, potential), (before, _)) = (energies(system, state), energies(system, &self.calm));
        (kinetic - before).le(M::Scalar::from_f64(2.0) * (self.energy() - before - potential))
    }

    /// The speed that the changes of forces with time make of the calm state, were it held, until the time of `state`.
    ///
    /// What does not change is potential, or still seen in `state`.
    fn driven(&self, system: &M, state: &State<M>) -> f64 {
        let (mut consistent, mut at) = (ConsistentValues::of(system), self.calm.clone());
        if consistent.accelerations(system, &mut at).is_err() {
            return 0.0;
        }
        let base = at.acceleration.clone();
        let part = (state.time - self.calm.time) / f64::from(TIMES);
        let mut reached = 0.0;
        for time in 1..=TIMES {
            at.time = self.calm.time + f64::from(time) * part;
            if consistent.accelerations(system, &mut at).is_ok() {
                at.acceleration.axpy(-M::Scalar::one(), &base);
                reached += part * at.acceleration.max_norm();
            }
        }
        reached
    }

    /// The divergence that a failed step from `state` is due to, if it is.
    pub fn explain(&self, system: &M, state: &State<M>, error: &StepError, is_explicit: bool) -> Option<Divergence> {
        if !may_follow_a_blow_up(&error.failure) || error.step <= 0.0 {
            return None;
        }
        let (speed, change) = (state.velocity.max_norm(), error.step * state.acceleration.max_norm());
        let found = self.divergence(system, speed, error.step, is_explicit, Some(error.failure.clone()));
        let units = found.rate.map_or(0.0, |rate| rate * error.step);
        let has_grown = found.growth > GROWN
            && (change > speed || (is_explicit && units > 1.0))
            && !self.is_accounted_for(system, state).any();
        (has_grown || (is_explicit && units > HOPELESS)).then_some(found)
    }

    fn divergence(
        &self,
        system: &M,
        speed: f64,
        step: f64,
        is_explicit: bool,
        failure: Option<StepFailure>,
    ) -> Divergence {
        let first = step * self.calm.acceleration.max_norm();
        let before = self.speed.value();
        let before = if self.calm.time <= self.start { before.max(first) } else { before };
        let growth = if before > 0.0 { speed / before } else { 1.0 };
        let rate = fastest(system, &self.calm);
        Divergence { since: self.calm.time, step, growth, rate, is_explicit, is_first_order: false, failure }
    }
}

/// Kinetic and potential energy.
fn energies<M: MechanicalSystem>(system: &M, state: &State<M>) -> (M::Scalar, M::Scalar) {
    let (t, q, v) = (M::Scalar::from_f64(state.time), &state.configuration, &state.velocity);
    (system.kinetic_energy(t, q, v), system.potential_energy(t, q))
}

/// How fast forces without a potential change the speed of a state, |v| |d(T + V)/dt| / 2T: the part of its acceleration that
/// feeds energy. That of a spinning body that flies, ω × v as seen from the body, feeds none, however large. The acceleration is
/// that of the equations: the one that an implicit method carries with it may be what has blown up.
fn speeding<M: MechanicalSystem>(system: &M, state: &State<M>) -> f64 {
    let mut state = state.clone();
    let method = state.acceleration.clone();
    if ConsistentValues::of(system).accelerations(system, &mut state).is_err() {
        state.acceleration = method;
    }
    let (speed, acceleration) = (state.velocity.max_norm(), state.acceleration.max_norm());
    let (kinetic, potential) = energies(system, &state);
    let (kinetic, potential) = (kinetic.value(), potential.value());
    let time = DIFFERENCE / speed.max(acceleration / speed);
    if !(kinetic > 0.0 && time > 0.0) {
        return acceleration;
    }
    let at = |time: f64| {
        let (mut moved, part) = (state.clone(), M::Scalar::from_f64(time));
        let mut turn = state.velocity.clone();
        turn.scale(part);
        system.space().compose_exp(&state.configuration, &turn, &mut moved.configuration);
        moved.velocity.axpy(part, &state.acceleration);
        let (kinetic, potential) = energies(system, &moved);
        (kinetic + potential).value()
    };
    // What round-off of the energies leaves of their difference is none.
    let (difference, least) = ((at(time) - at(-time)).abs(), 64.0 * M::Scalar::epsilon() * (kinetic + potential.abs()));
    if difference <= least { 0.0 } else { 0.25 * speed * difference / (time * kinetic) }
}

/// The rate of the fastest motion near a state.
fn fastest<M: MechanicalSystem>(system: &M, state: &State<M>) -> Option<f64> {
    FastestRate::of(system, state).at(system, state)
}

/// Speeds that have grown by less since the last calm state say nothing of its stability.
pub(in crate::simulate) const GROWN: f64 = 10.0;
/// No explicit method is stable at steps of so many units of the fastest motion.
pub(in crate::simulate) const HOPELESS: f64 = 3.4;

/// True of failures that a blow-up may be the cause of.
pub(in crate::simulate) fn may_follow_a_blow_up(failure: &StepFailure) -> bool {
    matches!(
        failure,
        StepFailure::NotFinite { .. }
            | StepFailure::SingularConstraints { .. }
            | StepFailure::MassNotPositiveDefinite { .. }
            | StepFailure::SingularConfiguration { .. }
            | StepFailure::NewtonNotConverged { .. }
            | StepFailure::PoleOfMultipliers
    )
}
