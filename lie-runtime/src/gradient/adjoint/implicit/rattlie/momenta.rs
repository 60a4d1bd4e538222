//! The terms u · M x of all steps for constant M: they depend only on the parameters.
//!
//! For systems with few components, Σ u · M x = Σ_j (Σ x_j u) · M e_j: n sums are stored, and one reverse pass at the start of the run
//! processes them. For systems with many components each term has its own reverse pass. The terms of r at rest, in addition to M x, are
//! subtracted once at the end.

use num_traits::{One, Zero};

use crate::gradient::adjoint_state::AdjointState;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::system::{Cotangents, Reverse};

/// The largest number of components for stored sums.
const FEW: usize = 16;

pub(super) struct Momenta<M: Reverse> {
    /// An arbitrary configuration.
    t: M::Scalar,
    q: M::Configuration,
    /// Σ x_j u for few components.
    sums: Vec<M::Velocity>,
    /// Σ u for many components.
    at_rest: M::Velocity,
    rest: M::Velocity,
    rows: M::Multipliers,
    unwanted: [M::Velocity; 2],
}

impl<M: Reverse> Momenta<M> {
    pub fn of(system: &M, state: &State<M>) -> Self {
        let (count, zero) = (system.dof(), || system.zero_velocity());
        Momenta {
            t: M::Scalar::from_f64(state.time),
            q: state.configuration.clone(),
            sums: (0..if count <= FEW { count } else { 0 }).map(|_| zero()).collect(),
            at_rest: zero(),
            rest: zero(),
            rows: system.zero_multipliers(),
            unwanted: [zero(), zero()],
        }
    }

    /// Adds a term u · M x.
    pub fn add(&mut self, system: &M, u: &M::Velocity, x: &M::Velocity, cotangent: &mut AdjointState<M>) {
        if self.sums.is_empty() {
            self.back(system, u, x, cotangent);
            self.at_rest.axpy(M::Scalar::one(), u);
        }
        for (at, sum) in self.sums.iter_mut().enumerate() {
            sum.axpy(x.component(at), u);
        }
    }

    /// Adds the gradient of u · (M x + g), at rest, with respect to the parameters.
    fn back(&mut self, system: &M, u: &M::Velocity, x: &M::Velocity, cotangent: &mut AdjointState<M>) {
        let [of_configuration, of_velocity] = &mut self.unwanted;
        let out = &mut Cotangents { of_configuration, of_velocity, of_parameters: &mut cotangent.parameters };
        system.residual_pullback(self.t, &self.q, &self.rest, x, &self.rows, u, out);
    }

    /// Adds the gradients of all terms since the last call with respect to the parameters.
    pub fn finish(&mut self, system: &M, cotangent: &mut AdjointState<M>) {
        let (mut sums, mut unit) = (core::mem::take(&mut self.sums), system.zero_velocity());
        for (at, sum) in sums.iter_mut().enumerate() {
            unit.set_component(at, M::Scalar::one());
            self.back(system, sum, &unit, cotangent);
            unit.set_component(at, M::Scalar::zero());
            self.at_rest.axpy(M::Scalar::one(), sum);
            sum.fill(M::Scalar::zero());
        }
        self.sums = sums;
        let mut away = self.at_rest.clone();
        away.scale(-M::Scalar::one());
        self.back(system, &away, &unit, cotangent);
        self.at_rest.fill(M::Scalar::zero());
        cotangent.note_inputs(system, self.t.value());
    }
}
