//! Tests of constraints and steadiness of a state.

use nalgebra::DMatrix;

use super::LinearisationError;
use crate::analysis::matrices::dense;
use crate::analysis::matrices::null_space::NullSpace;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::system::{Linearised, MechanicalSystem};

/// The tolerance of constraints and steadiness, relative to the acting terms.
const STEADY: f64 = 1e-7;

/// A state to be tested.
pub(super) struct SteadyCheck<'a, M: MechanicalSystem> {
    pub system: &'a M,
    pub state: &'a State<M>,
    pub jacobian: &'a DMatrix<f64>,
}

impl<M: Linearised<Scalar = f64>> SteadyCheck<'_, M> {
    /// Tests Φ = 0 and B v + b = 0, in units of a displacement of 1 and of the velocity.
    pub fn constraints(&self) -> Result<(), LinearisationError> {
        let State { time, configuration: q, velocity: v, .. } = self.state;
        let system = self.system;
        let (mut position, mut drift) = (system.zero_multipliers(), system.zero_multipliers());
        system.constraint(*time, q, &mut position);
        system.constraint_drift(*time, q, &mut drift);
        let rates = self.jacobian * dense::components(v) + dense::components(&drift);
        for row in 0..self.jacobian.nrows() {
            let length = self.jacobian.row(row).norm();
            let missed = [
                ("position", if row < system.holonomic_rows() { position.component(row) } else { 0.0 }, length),
                ("velocity", rates[row], length * (v.max_norm() + drift.max_norm() / length)),
            ];
            for (level, residual, scale) in missed {
                // NaN is outside every limit.
                let is_met = residual.abs() <= STEADY * scale;
                if !is_met {
                    let constraint = system.description().constraint_of_row(row);
                    return Err(LinearisationError::OffConstraints { constraint, level, residual });
                }
            }
        }
        Ok(())
    }

    /// Tests v' = σ v, relative to the effect of a displacement of 1 and of the velocity.
    pub fn steadiness(&self, spin: &DMatrix<f64>, stiffness: &DMatrix<f64>) -> Result<(), LinearisationError> {
        let v = dense::components(&self.state.velocity);
        let rest = dense::components(&self.state.acceleration) - spin * &v;
        let scale = v.amax() * v.amax() + if stiffness.is_empty() { 0.0 } else { stiffness.amax() };
        let worst = rest.iamax();
        let is_steady = rest.is_empty() || rest[worst].abs() <= STEADY * scale;
        if is_steady {
            return Ok(());
        }
        let member = self.system.description().member_of_component(worst);
        Err(LinearisationError::NotSteady { member, acceleration: rest[worst] })
    }

    /// Tests that the rate of B_h, H_h + B_h (ad_v + σ), does not change the null space of B_h.
    pub fn turning(&self, rate: &DMatrix<f64>, space: &NullSpace) -> Result<(), LinearisationError> {
        let moved = rate * &space.basis;
        for row in 0..moved.nrows() {
            let scale = self.jacobian.row(row).norm() * space.basis.norm() * (1e-9 + self.state.velocity.max_norm());
            let turned = moved.row(row).norm();
            let is_fixed = turned <= STEADY * scale;
            if !is_fixed {
                let constraint = self.system.description().constraint_of_row(row);
                return Err(LinearisationError::ConstraintTurns {
                    constraint,
                    rate: turned / self.jacobian.row(row).norm(),
                });
            }
        }
        Ok(())
    }
}
