//! Rows of B and their rates.

use num_traits::{One, Zero};

use super::law::{Collision, RESTING};
use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::system::MechanicalSystem;

/// Tolerances for a zero rate of rows that are not struck, relative to the largest velocity and to the terms of the row.
const SATISFIED: [f64; 2] = [1e-4, 1e-2];

/// The rows of B and their rates in an impact.
pub(super) struct CollisionRows<'c, M: MechanicalSystem> {
    system: &'c M,
    jacobian: M::Jacobian,
    drift: M::Multipliers,
    /// B v + b.
    pub rates: M::Multipliers,
    unit: M::Multipliers,
    /// The last requested row.
    row: M::Velocity,
}

impl<'c, M: MechanicalSystem> CollisionRows<'c, M> {
    pub fn of(collision: &Collision<'c, M>, t: M::Scalar, v: &M::Velocity) -> Self {
        let (system, q) = (collision.system, collision.configuration);
        let (mut jacobian, mut drift) = (system.zero_jacobian(), system.zero_multipliers());
        let mut rates = system.zero_multipliers();
        system.constraint_jacobian(t, q, &mut jacobian);
        system.jacobian_times(&jacobian, v, &mut rates);
        system.constraint_drift(t, q, &mut drift);
        rates.axpy(M::Scalar::one(), &drift);
        CollisionRows { system, jacobian, drift, rates, unit: system.zero_multipliers(), row: system.zero_velocity() }
    }

    /// Returns a row of B.
    pub fn row(&mut self, row: usize) -> &M::Velocity {
        self.unit.fill(M::Scalar::zero());
        self.unit.set_component(row, M::Scalar::one());
        self.system.jacobian_transpose_times(&self.jacobian, &self.unit, &mut self.row);
        &self.row
    }

    /// Returns the rate of a row without derivatives.
    pub fn rate(&self, row: usize) -> f64 {
        self.rates.component(row).value()
    }

    /// Returns the sum of the absolute terms of the rate of a row.
    pub fn terms(&mut self, row: usize, v: &M::Velocity) -> f64 {
        let drift = self.drift.component(row).value().abs();
        let own = self.row(row);
        let terms = (0..v.component_count()).map(|at| (own.component(at) * v.component(at)).value().abs());
        terms.sum::<f64>() + drift
    }

    /// Returns true if the rate of a row is zero up to round-off and to method errors.
    pub fn is_satisfied(&mut self, row: usize, v: &M::Velocity) -> bool {
        let rate = self.rate(row).abs();
        // Most of many rows may have a zero rate.
        if rate == 0.0 {
            return true;
        }
        let [of_velocity, of_terms] = SATISFIED;
        rate <= of_terms * self.terms(row, v)
            || rate <= (of_velocity * v.max_norm() + RESTING) * self.row(row).max_norm()
    }
}
