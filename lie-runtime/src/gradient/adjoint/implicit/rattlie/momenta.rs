//! The terms u · M x of all steps, of which the parameters alone have derivatives, for M is constant.
//!
//! Of few components Σ u · M x = Σ_j (Σ x_j u) · M e_j: n sums are kept, and gone back through where the run begins. Of many each term
//! is gone back through by itself. What r has at rest besides M x is taken away once, at the end.

use num_traits::{One, Zero};

use crate::gradient::cotangent::Cotangent;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::system::{Cotangents, Reverse};

/// So many components are few.
const FEW: usize = 16;

pub(super) struct Momenta<M: Reverse> {
    /// Any place.
    t: M::Scalar,
    q: M::Configuration,
    /// Σ x_j u of few components.
    sums: Vec<M::Velocity>,
    /// Σ u of many.
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

    /// Takes a term u · M x.
    pub fn add(&mut self, system: &M, u: &M::Velocity, x: &M::Velocity, cotangent: &mut Cotangent<M>) {
        if self.sums.is_empty() {
            self.back(system, u, x, cotangent);
            self.at_rest.axpy(M::Scalar::one(), u);
        }
        for (at, sum) in self.sums.iter_mut().enumerate() {
            sum.axpy(x.component(at), u);
        }
    }

    /// Adds what u · (M x + g), at rest, makes of the parameters.
    fn back(&mut self, system: &M, u: &M::Velocity, x: &M::Velocity, cotangent: &mut Cotangent<M>) {
        let [of_configuration, of_velocity] = &mut self.unwanted;
        let out = &mut Cotangents { of_configuration, of_velocity, of_parameters: &mut cotangent.parameters };
        system.residual_pullback(self.t, &self.q, &self.rest, x, &self.rows, u, out);
    }

    /// Adds what all terms since the last time make of the parameters.
    pub fn finish(&mut self, system: &M, cotangent: &mut Cotangent<M>) {
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
