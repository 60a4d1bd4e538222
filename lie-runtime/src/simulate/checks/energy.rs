//! Whether the energy of a motion has come from somewhere.
//!
//! A declaration without forces, dissipation and inputs, in which nothing depends on time and no velocity is prescribed, conserves
//! [Jacobi's integral](crate::system::jacobi_integral), E = T₂ + U; with dissipation E decreases. A method adds an error of its order to it where
//! its steps resolve the motion. Where they do not, energy may grow by a little in every step, too slowly for the [growth of speeds](super::growth) to tell,
//! and the run would end well. What E has gained is compared with what there was to be had, the energy at the start above the lowest potential that the motion has come by,
//!
//! ```text
//! A = E₀ − min U,    p = (E − E₀) / (E − E₀ + A),
//! ```
//!
//! so that motions are up to 1 / √(1 − p) times as fast as they could be, and the part p of their energy has come from nowhere. The
//! lowest potential is looked for in every one of the first steps, which follow fast motions through their whole cycle, and in a random
//! eighth of all later ones, which no rhythm of the motion can evade. Not seen are energy that is lost, energy that passes from one
//! motion to another, and what a motion gains on the way to a potential that no honest one would have come by. Where a potential
//! jumps, U does and T₂ does not.
//!
//! A declared dissipation takes energy: v · ∂R/∂v ≥ 0. One that feeds energy in a state that is noted, as a negative damping does, makes
//! growth possible, and nothing is compared from there on.

use num_traits::Zero;

use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::{Mask, Scalar};
use crate::system::MechanicalSystem;
use crate::system::jacobi_integral::jacobi_integral;

/// How many times as fast as their energy allows motions may become, by default: p = 3/4.
pub(super) const FASTER: f64 = 2.0;
/// A motion that has not gone as far is at rest.
const AT_REST: f64 = 1e-6;
/// The potential is looked at in so many first steps, and in one of [`LATER`] later ones.
const FIRST: u64 = 64;
/// See [`FIRST`].
const LATER: u64 = 8;

/// The energy of a motion that is to keep it.
pub(super) struct EnergyCheck<M: MechanicalSystem> {
    /// −v, and 0.
    turned: M::Velocity,
    started: f64,
    total: M::Scalar,
    /// The lowest U.
    lowest: M::Scalar,
    steps: u64,
    /// The largest (E − E₀) / A.
    limit: f64,
    /// True if there may be dissipation.
    is_dissipative: bool,
    /// The largest p.
    pub gained: M::Scalar,
}

impl<M: MechanicalSystem> EnergyCheck<M> {
    /// That of a motion from `state` on, which may become so many times as fast; `None` of systems that may gain energy.
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

    /// Counts a step; true if the state that it has led to is to be noted.
    pub fn passes(&mut self) -> bool {
        self.steps += 1;
        // The upper bits of multiples of an odd number: steps without a rhythm.
        let mixed = self.steps.wrapping_mul(0xD1B5_4A32_D192_ED03);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        self.steps <= FIRST || mixed.is_multiple_of(LATER)
    }

    /// Takes note of a state.
    pub fn note(&mut self, system: &M, state: &State<M>) {
        self.lowest = self.lowest.min(parts(system, state, &mut self.turned)[1]);
        if self.is_dissipative && self.is_fed(system, state) {
            (self.is_dissipative, self.limit) = (false, f64::INFINITY);
        }
    }

    /// True if a dissipation feeds energy in a state: more than round-off until now.
    fn is_fed(&self, system: &M, state: &State<M>) -> bool {
        let least = M::Scalar::epsilon().sqrt() * (self.total.magnitude() + self.lowest.magnitude());
        let (time, mut is_fed) = (state.time - self.started, false);
        let (t, q, v) = (M::Scalar::from_f64(state.time), &state.configuration, &state.velocity);
        system.powers(t, q, v, &mut |_, power| is_fed |= power * time > least);
        is_fed
    }

    /// Looks at a state, in each lane by itself; p and what it may be, if it is more: of several lanes that of the first one.
    pub fn look(&mut self, system: &M, state: &State<M>) -> Option<(f64, f64)> {
        let [kinetic, potential] = parts(system, state, &mut self.turned);
        self.lowest = self.lowest.min(potential);
        let number = M::Scalar::from_f64;
        let (gained, available) = (kinetic + potential - self.total, M::Scalar::zero().max(self.total - self.lowest));
        // Round-off of the energies is none that is gained, and what is at rest moves by round-off.
        let least = number(M::Scalar::epsilon().sqrt()) * (potential.abs() + self.total.abs());
        let has_moved = number(AT_REST).lt(state.velocity.lane_norm() * number(state.time - self.started));
        let has_gained = has_moved & least.lt(gained);
        if !has_gained.any() {
            return None;
        }
        let part = gained / (gained + available);
        self.gained = M::Scalar::select(has_gained, self.gained.max(part), self.gained);
        let is_too_much = has_gained & (number(self.limit) * available).lt(gained);
        if is_too_much.any() && self.is_dissipative && self.is_fed(system, state) {
            (self.is_dissipative, self.limit) = (false, f64::INFINITY);
            return None;
        }
        is_too_much.any().then(|| (part.value(), self.limit / (1.0 + self.limit)))
    }
}

/// E; `turned` is room for a velocity.
pub(in crate::simulate) fn total<M: MechanicalSystem>(system: &M, state: &State<M>, turned: &mut M::Velocity) -> f64 {
    let [kinetic, potential] = parts(system, state, turned);
    (kinetic + potential).value()
}

/// T₂ and U, whose sum is E; `turned` is room for a velocity.
fn parts<M: MechanicalSystem>(system: &M, state: &State<M>, turned: &mut M::Velocity) -> [M::Scalar; 2] {
    jacobi_integral(system, (M::Scalar::from_f64(state.time), &state.configuration, &state.velocity), turned)
}
