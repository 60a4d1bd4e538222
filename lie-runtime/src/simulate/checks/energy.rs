//! Check of numerical energy gain.
//!
//! A declaration without forces, dissipation and inputs conserves [Jacobi's integral](crate::system::jacobi_integral) E = T₂ + U if nothing
//! depends on time and no velocity is prescribed. Dissipation reduces E. The error of E has the order of the method if the steps resolve
//! the motion. Otherwise the energy may grow slowly in every step, without detection by the [velocity growth](super::growth). The gain of E
//! is compared with the available energy: the initial energy above the lowest potential energy of the motion,
//!
//! ```text
//! A = E₀ − min U,    p = (E − E₀) / (E − E₀ + A),
//! ```
//!
//! The motion is then up to 1 / √(1 − p) times too fast, and the part p of its energy is a numerical gain. The lowest potential is updated
//! in all initial steps, which follow fast motions through a complete period. Later it is updated in a random eighth of the steps,
//! independent of any period of the motion. The check does not detect energy losses, energy exchange between motions, or a gain on a path
//! to a potential that the exact motion does not reach. At a discontinuity of the potential, U changes and T₂ does not.
//!
//! A declared dissipation removes energy: v · ∂R/∂v ≥ 0. If a dissipation supplies energy in a recorded state, for example by negative
//! damping, the check ends.

use num_traits::Zero;

use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::{Mask, Scalar};
use crate::simulate::warning::Warning;
use crate::system::MechanicalSystem;
use crate::system::jacobi_integral::jacobi_integral;

/// Default factor by which the speed may exceed the exact one: p = 3/4.
pub(super) const DEFAULT_SPEED_FACTOR: f64 = 2.0;
/// A gain from this part of the energy is reported as a warning.
const REPORTED: f64 = 1e-2;
/// Displacement below which a motion counts as at rest.
const AT_REST: f64 = 1e-6;
/// The potential is evaluated in this number of initial steps, and in every [`LATER`]-th later step on average.
const FIRST: u64 = 64;
/// See [`FIRST`].
const LATER: u64 = 8;

/// The energy of a motion that cannot gain energy.
pub(super) struct EnergyCheck<M: MechanicalSystem> {
    /// Buffer for a velocity.
    turned: M::Velocity,
    started: f64,
    total: M::Scalar,
    /// The lowest U so far.
    lowest: M::Scalar,
    steps: u64,
    /// The limit of (E − E₀) / A.
    limit: f64,
    /// True if dissipation is possible.
    is_dissipative: bool,
    /// The largest p so far.
    pub gained: M::Scalar,
}

impl<M: MechanicalSystem> EnergyCheck<M> {
    /// Starts at `state` with a limit of the speed factor. Returns `None` for systems that may gain energy.
    pub fn of(system: &M, state: &State<M>, faster: f64) -> Option<Self> {
        let description = system.description();
        description.never_gains_energy.then(|| {
            let mut turned = state.velocity.clone();
            let [kinetic, potential] = parts(system, state, &mut turned);
            let (total, limit) = (kinetic + potential, (faster.powi(2) - 1.0).max(0.0));
            let gained = M::Scalar::zero();
            let is_dissipative = !description.conserves_energy;
            EnergyCheck {
                turned,
                started: state.time,
                total,
                lowest: potential,
                steps: 0,
                limit,
                is_dissipative,
                gained,
            }
        })
    }

    /// Returns the warning of a numerical energy gain; for several lanes with the value of the first lane.
    pub fn warning(&self) -> Option<Warning> {
        let is_reported = M::Scalar::from_f64(REPORTED).le(self.gained).any();
        is_reported.then(|| Warning::EnergyGain { part: self.gained.value() })
    }

    /// Counts a step. Returns true if the state after the step must be recorded.
    pub fn count_step(&mut self) -> bool {
        self.steps += 1;
        // The upper bits of multiples of an odd number form a pseudo-random sequence.
        let mixed = self.steps.wrapping_mul(0xD1B5_4A32_D192_ED03);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        self.steps <= FIRST || mixed.is_multiple_of(LATER)
    }

    /// Records a state.
    pub fn note(&mut self, system: &M, state: &State<M>) {
        self.lowest = self.lowest.min(parts(system, state, &mut self.turned)[1]);
        if self.is_dissipative && self.is_supplied(system, state) {
            (self.is_dissipative, self.limit) = (false, f64::INFINITY);
        }
    }

    /// Returns true if a dissipation supplies energy in a state, above the round-off.
    fn is_supplied(&self, system: &M, state: &State<M>) -> bool {
        let least = M::Scalar::epsilon().sqrt() * (self.total.magnitude() + self.lowest.magnitude());
        let (time, mut is_supplied) = (state.time - self.started, false);
        let (t, q, v) = (M::Scalar::from_f64(state.time), &state.configuration, &state.velocity);
        system.powers(t, q, v, &mut |_, power| is_supplied |= power * time > least);
        is_supplied
    }

    /// Checks a state in each lane. Returns p and its limit if p exceeds it; for several lanes the values of the first lane.
    pub fn check(&mut self, system: &M, state: &State<M>) -> Option<(f64, f64)> {
        let [kinetic, potential] = parts(system, state, &mut self.turned);
        self.lowest = self.lowest.min(potential);
        let number = M::Scalar::from_f64;
        let (gained, available) = (kinetic + potential - self.total, M::Scalar::zero().max(self.total - self.lowest));
        // Energy changes by round-off are ignored; a system at rest moves by round-off.
        let least = number(M::Scalar::epsilon().sqrt()) * (potential.abs() + self.total.abs());
        let has_moved = number(AT_REST).lt(state.velocity.lane_norm() * number(state.time - self.started));
        let has_gained = has_moved & least.lt(gained);
        if !has_gained.any() {
            return None;
        }
        let part = gained / (gained + available);
        self.gained = M::Scalar::select(has_gained, self.gained.max(part), self.gained);
        let is_too_much = has_gained & (number(self.limit) * available).lt(gained);
        if is_too_much.any() && self.is_dissipative && self.is_supplied(system, state) {
            (self.is_dissipative, self.limit) = (false, f64::INFINITY);
            return None;
        }
        is_too_much.any().then(|| (part.value(), self.limit / (1.0 + self.limit)))
    }
}

/// Returns E. `turned` is a buffer.
pub(in crate::simulate) fn total<M: MechanicalSystem>(system: &M, state: &State<M>, turned: &mut M::Velocity) -> f64 {
    let [kinetic, potential] = parts(system, state, turned);
    (kinetic + potential).value()
}

/// Returns T₂ and U, whose sum is E. `turned` is a buffer.
fn parts<M: MechanicalSystem>(system: &M, state: &State<M>, turned: &mut M::Velocity) -> [M::Scalar; 2] {
    jacobi_integral(system, (M::Scalar::from_f64(state.time), &state.configuration, &state.velocity), turned)
}
