//! The states of the check: the given state and a few states close to it, the same in every run.

use super::declared::Declared;
use crate::group::TangentVector;
use crate::space::ConfigurationSpace;
use crate::system::CheckedState;

/// The distances of the states from the given one, in the units of the increments: seconds, radians, metres.
const DISTANCES: [f64; 4] = [0.0, 1e-3, 0.1, 0.1];

/// Pseudo-random numbers in [−1, 1), the same in every run (xorshift64*, Vigna 2016).
#[derive(Clone, Debug)]
pub(super) struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Noise(0x9E37_79B9_7F4A_7C15 ^ (seed + 1).wrapping_mul(0xD1B5_4A32_D192_ED03))
    }

    pub fn number(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 12;
        f64::from_bits(bits | 0x4000_0000_0000_0000) - 3.0
    }
}

/// A state of the comparison.
pub(super) struct NearbyState<M: Declared> {
    pub is_given: bool,
    pub t: f64,
    pub q: M::Configuration,
    pub v: M::Velocity,
}

/// Returns the given state and states close to it.
pub(super) fn nearby_states<'a, M: Declared>(
    system: &'a M,
    t: f64,
    q: &'a M::Configuration,
    v: &'a M::Velocity,
) -> impl Iterator<Item = NearbyState<M>> + 'a {
    DISTANCES.iter().zip(0..).map(move |(&distance, seed)| {
        if distance == 0.0 {
            return NearbyState { is_given: true, t, q: q.clone(), v: v.clone() };
        }
        let mut noise = Noise::new(seed);
        let mut at: NearbyState<M> =
            NearbyState { is_given: false, t: t + distance * noise.number().abs(), q: q.clone(), v: v.clone() };
        let mut increment = system.zero_velocity();
        for component in 0..system.dof() {
            increment.set_component(component, distance * noise.number());
            let own = v.component(component);
            at.v.set_component(component, own + distance * noise.number() * (1.0 + own.abs()));
        }
        system.space().compose_exp(q, &increment, &mut at.q);
        system.space().remove_spins(&at.q, &mut at.v);
        at
    })
}

impl<M: Declared> NearbyState<M> {
    /// Returns the components of the state.
    pub fn checked_state(&self, system: &M) -> CheckedState {
        CheckedState {
            is_given: self.is_given,
            time: self.t,
            configuration: system.report_configuration(&self.q).numbers(),
            velocity: system.report_velocity(&self.v).numbers(),
        }
    }

    /// Returns the same system and state, perturbed by round-off: t, v and the parameters by a few units in the last
    /// place, q by the distance from its group after a long run.
    pub fn perturbed(&self, system: &M, seed: u64) -> (M, Self) {
        const LAST_PLACES: f64 = 4.0 * f64::EPSILON;
        const OFF_THE_GROUP: f64 = 1e-12;

        let mut noise = Noise::new(seed);
        let perturbed = system.perturbed(&mut |number| number * (1.0 + LAST_PLACES * noise.number()));
        let mut at: NearbyState<M> = NearbyState {
            is_given: self.is_given,
            t: self.t * (1.0 + LAST_PLACES * noise.number()),
            q: self.q.clone(),
            v: self.v.clone(),
        };
        let largest = system.report_configuration(&self.q).numbers().into_iter().fold(1.0, |a: f64, b| a.max(b.abs()));
        let mut increment = system.zero_velocity();
        for component in 0..system.dof() {
            increment.set_component(component, OFF_THE_GROUP * largest * noise.number());
            let own = self.v.component(component);
            at.v.set_component(component, own * (1.0 + LAST_PLACES * noise.number()));
        }
        system.space().compose_exp(&self.q, &increment, &mut at.q);
        (perturbed, at)
    }
}
