//! Detection of numerical instability by velocity growth.
//!
//! An unstable method multiplies speeds by a constant factor in every step until an unrelated failure occurs: a stage overflows, the mass
//! matrix is indefinite at a very large coordinate, or a constraint is singular there. It may also continue without a failure: a ball that
//! penetrates a stiff floor in one step leaves it with an unphysical speed. Each checked state is therefore compared with the last *calm*
//! state. If speeds have grown and the potential energy does not explain it, the rates of the equations there,
//!
//! ```text
//! ω² = |D_q v'|,    c = |D_v v'|
//! ```
//!
//! in the norm of the fastest motion, determine if the step resolves this motion and which step would.

use num_traits::{One, Zero};

use crate::group::TangentVector;
use crate::integrator::{FastestRate, State, StepError, StepFailure};
use crate::scalar::{Mask, Scalar};
use crate::simulate::consistent::ConsistentValues;
use crate::simulate::failure::Divergence;
use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// Velocity growth below this factor since the last calm state is ignored.
const IGNORED_GROWTH: f64 = 3.0;
/// Default limit of velocity growth without an identified source of energy.
pub(super) const DEFAULT_GROWTH_LIMIT: f64 = 1e2;
/// Number of times between two checks at which forces are evaluated for impulses.
const TIMES: u32 = 64;
/// Displacement below which a motion counts as at rest; its growth is not limited.
const AT_REST: f64 = 1e-6;
/// Displacement for energy differences, in units of length and relative to the velocity.
const DIFFERENCE: f64 = 1e-3;
/// Velocity growth of a motion.
pub(crate) struct VelocityGrowth<M: MechanicalSystem> {
    /// The last calm state.
    pub calm: State<M>,
    /// The largest speed of a calm state. For a motion from rest, the speed after its first step.
    speed: M::Scalar,
    /// The kinetic energy of this state.
    kinetic: M::Scalar,
    /// The total energies of the last two calm states. A single state may contain an invalid energy.
    energies: [M::Scalar; 2],
    /// The product of all unexplained growth factors.
    pub unexplained: M::Scalar,
    start: f64,
    limit: f64,
}

/// A state in comparison with the last calm state.
pub(crate) struct GrowthSample<S: Scalar> {
    speed: S,
    /// The kinetic energy.
    kinetic: S,
    /// The total energy.
    energy: S,
    /// The velocity growth factor.
    growth: S,
    /// True if the total energy has increased considerably.
    has_stored: S::Mask,
    /// True if speeds or energies have grown without an explanation.
    pub is_suspect: S::Mask,
}

impl<M: MechanicalSystem> VelocityGrowth<M> {
    /// Starts at the first state, which the method has completed.
    pub fn from(system: &M, state: &State<M>, limit: f64) -> Self {
        let (kinetic, potential) = energies(system, state);
        let energies = [kinetic + potential; 2];
        let (speed, start) = (state.velocity.lane_norm(), state.time);
        VelocityGrowth { calm: state.clone(), speed, kinetic, energies, unexplained: M::Scalar::one(), start, limit }
    }

    /// Extracts one lane. `calm` is its last calm state.
    #[cfg(all(feature = "ensemble", feature = "lanes"))]
    pub fn of_lane<T: MechanicalSystem>(together: &VelocityGrowth<T>, lane: usize, calm: State<M>) -> Self {
        let alone = |number: T::Scalar| M::Scalar::from_f64(number.lane(lane));
        VelocityGrowth {
            calm,
            speed: alone(together.speed),
            kinetic: alone(together.kinetic),
            energies: together.energies.map(alone),
            unexplained: alone(together.unexplained),
            start: together.start,
            limit: together.limit,
        }
    }

    /// Checks a state after a step of size h.
    ///
    /// # Errors
    /// [`Divergence`] if the motion has diverged.
    pub fn check(&mut self, system: &M, state: &State<M>, h: f64, is_explicit: bool) -> Result<(), Divergence> {
        let seen = self.compare(system, state, h);
        if seen.is_suspect.any() {
            self.diagnose(system, state, (h, is_explicit), &seen)?;
        }
        self.accept(state, &seen);
        Ok(())
    }

    /// Compares a state after a step of size h with the last calm state, in each lane.
    pub fn compare(&mut self, system: &M, state: &State<M>, h: f64) -> GrowthSample<M::Scalar> {
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
        // Energy changes by round-off are ignored.
        let least = number(M::Scalar::epsilon().sqrt()) * (potential.abs() + self.energy().abs());
        let has_stored = M::Scalar::zero().lt(self.kinetic)
            & least.lt(gained)
            & (number(SIGNIFICANT_GROWTH * SIGNIFICANT_GROWTH) * self.kinetic).lt(gained);
        let mut is_suspect = number(IGNORED_GROWTH).lt(growth) | has_stored;
        if is_suspect.any() {
            is_suspect = is_suspect & !self.is_explained(system, state);
        }
        GrowthSample { speed, kinetic, energy: kinetic + potential, growth, has_stored, is_suspect }
    }

    /// Determines the cause of suspicious growth in a single lane.
    ///
    /// # Errors
    /// [`Divergence`] if the motion has diverged.
    fn diagnose(
        &mut self,
        system: &M,
        state: &State<M>,
        (h, is_explicit): (f64, bool),
        seen: &GrowthSample<M::Scalar>,
    ) -> Result<(), Divergence> {
        let [speed, growth, before] = [seen.speed, seen.growth, self.speed].map(Scalar::value);
        let driven = self.time_driven_speed(system, state);
        // Step size in units of the fastest motion, of both states: derivatives at a diverged state are round-off.
        let (here, calm) = (fastest_rate(system, state), fastest_rate(system, &self.calm));
        let units = [here, calm].map(|rate| rate.map_or(f64::INFINITY, |rate| rate * h));
        let units = units[0].max(units[1]);
        let has_grown = growth > SIGNIFICANT_GROWTH || seen.has_stored.any();
        let is_reached = |change: f64| change >= 0.1 * (speed - before);
        let is_unstable = is_explicit
            && has_grown
            && (units > STABILITY_LIMIT || (units > 1.0 && growth > 10.0 * self.limit && !is_reached(driven)));
        let was_moving = before * (state.time - self.start) > AT_REST;
        let reached = driven + (state.time - self.calm.time) * non_potential_acceleration(system, state);
        if was_moving && growth > IGNORED_GROWTH && !is_reached(reached) {
            self.unexplained *= seen.growth;
        }
        let is_sudden = self.unexplained.value() > self.limit;
        if is_unstable || is_sudden {
            let rate = calm.filter(|rate| rate * h > 1.0).or(here).or(calm);
            return Err(Divergence { rate, ..self.divergence(system, speed, h, is_explicit, None) });
        }
        Ok(())
    }

    /// Accepts a state as calm.
    pub fn accept(&mut self, state: &State<M>, seen: &GrowthSample<M::Scalar>) {
        self.speed = self.speed.max(seen.speed);
        self.kinetic = self.kinetic.max(seen.kinetic);
        self.energies = [seen.energy, self.energies[0]];
        self.calm.clone_from(state);
    }

    /// Returns the total energy that can be converted into motion.
    fn energy(&self) -> M::Scalar {
        let [last, before] = self.energies;
        // A comparison with NaN is false.
        M::Scalar::select(last.le(last), last.min(before), before)
    }

    /// Returns true if at least half of the kinetic energy since the calm state results from potential energy.
    fn is_explained(&self, system: &M, state: &State<M>) -> <M::Scalar as Scalar>::Mask {
        let ((kinetic, potential), (before, _)) = (energies(system, state), energies(system, &self.calm));
        (kinetic - before).le(M::Scalar::from_f64(2.0) * (self.energy() - before - potential))
    }

    /// Returns the speed that the time-dependent change of forces generates from the calm state until the time of `state`, at a constant
    /// configuration.
    ///
    /// Constant forces are derivatives of the potential, or they are visible in `state`.
    fn time_driven_speed(&self, system: &M, state: &State<M>) -> f64 {
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

    /// Returns the divergence that caused a failed step from `state`, if it did.
    pub fn explain(&self, system: &M, state: &State<M>, error: &StepError, is_explicit: bool) -> Option<Divergence> {
        if !may_result_from_instability(&error.failure) || error.step <= 0.0 {
            return None;
        }
        let (speed, change) = (state.velocity.max_norm(), error.step * state.acceleration.max_norm());
        let found = self.divergence(system, speed, error.step, is_explicit, Some(error.failure.clone()));
        let units = found.rate.map_or(0.0, |rate| rate * error.step);
        let has_grown = found.growth > SIGNIFICANT_GROWTH
            && (change > speed || (is_explicit && units > 1.0))
            && !self.is_explained(system, state).any();
        (has_grown || (is_explicit && units > STABILITY_LIMIT)).then_some(found)
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
        let rate = fastest_rate(system, &self.calm);
        Divergence { since: self.calm.time, step, growth, rate, is_explicit, is_first_order: false, failure }
    }
}

/// Returns the kinetic and the potential energy.
fn energies<M: MechanicalSystem>(system: &M, state: &State<M>) -> (M::Scalar, M::Scalar) {
    let (t, q, v) = (M::Scalar::from_f64(state.time), &state.configuration, &state.velocity);
    (system.kinetic_energy(t, q, v), system.potential_energy(t, q))
}

/// Returns the rate at which non-potential forces change the speed of a state, |v| |d(T + V)/dt| / 2T. This is the part of the acceleration
/// that supplies energy; the term ω × v of a flying, spinning body does not contribute. The acceleration is evaluated from the equations
/// because the acceleration variable of an implicit method may have diverged.
fn non_potential_acceleration<M: MechanicalSystem>(system: &M, state: &State<M>) -> f64 {
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
    // An energy difference by round-off is ignored.
    let (difference, least) = ((at(time) - at(-time)).abs(), 64.0 * M::Scalar::epsilon() * (kinetic + potential.abs()));
    if difference <= least { 0.0 } else { 0.25 * speed * difference / (time * kinetic) }
}

/// Returns the rate of the fastest motion close to a state.
fn fastest_rate<M: MechanicalSystem>(system: &M, state: &State<M>) -> Option<f64> {
    FastestRate::of(system, state).at(system, state)
}

/// Velocity growth below this factor since the last calm state does not indicate an instability.
pub(in crate::simulate) const SIGNIFICANT_GROWTH: f64 = 10.0;
/// Stability limit of all explicit methods, in units of the fastest motion.
pub(in crate::simulate) const STABILITY_LIMIT: f64 = 3.4;

/// Returns true for failures that an instability can cause.
pub(in crate::simulate) fn may_result_from_instability(failure: &StepFailure) -> bool {
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
