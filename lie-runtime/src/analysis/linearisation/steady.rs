//! Tests of constraints and steadiness of a state.

use nalgebra::DMatrix;

use super::LinearisationError;
use crate::analysis::first_order::{mechanical_speed, state_components};
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
                ("velocity", rates[row], length * mechanical_speed(system, v) + drift.max_norm()),
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

    /// Tests v' = σ v, relative to the effect of a displacement of 1 and of the velocity in the directions of a basis, and to M⁻¹ g, which
    /// the reactions balance. The rates z' of auxiliary states are relative to the effect of a displacement of 1 and of changes of v and z
    /// by their values, at least 1.
    pub fn steadiness(
        &self,
        spin: &DMatrix<f64>,
        directions: &DMatrix<f64>,
        [stiffness, damping]: [&DMatrix<f64>; 2],
        mass: &DMatrix<f64>,
    ) -> Result<(), LinearisationError> {
        let v = dense::components(&self.state.velocity);
        let rest = dense::components(&self.state.acceleration) - spin * &v;
        let states = state_components(self.system);
        let speed = mechanical_speed(self.system, &self.state.velocity);
        let largest = |matrix: DMatrix<f64>| if matrix.is_empty() { 0.0 } else { matrix.amax() };
        let of_states = DMatrix::from_diagonal(&v.rows(states.start, states.len()));
        let by_states = directions.tr_mul(&(damping.columns(states.start, states.len()) * of_states));
        let deviations = largest(directions.tr_mul(&(stiffness * directions))) + largest(by_states);
        let mechanical = speed * speed + deviations + self.unconstrained_acceleration(mass);
        let scale = |row: usize| {
            if row < states.start {
                return mechanical;
            }
            let term = |at: usize| stiffness[(row, at)].abs() + damping[(row, at)].abs() * v[at].abs().max(1.0);
            (0..v.len()).map(term).sum()
        };
        // NaN is outside every limit.
        let is_steady = |row: usize| rest[row].abs() <= STEADY * scale(row);
        let changing = (0..rest.len()).filter(|&row| !is_steady(row));
        match changing.max_by(|&one, &other| rest[one].abs().total_cmp(&rest[other].abs())) {
            None => Ok(()),
            Some(row) => {
                let member = self.system.description().member_of_component(row);
                Err(LinearisationError::NotSteady { member, acceleration: rest[row] })
            }
        }
    }

    /// Returns the largest mechanical component of M⁻¹ g: zero for a singular M.
    fn unconstrained_acceleration(&self, mass: &DMatrix<f64>) -> f64 {
        let State { time, configuration: q, velocity: v, .. } = self.state;
        let mut force = self.system.zero_velocity();
        self.system.force(*time, q, v, &mut force);
        let mut acceleration = dense::components(&force);
        let is_finite = mass.clone().lu().solve_mut(&mut acceleration) && acceleration.iter().all(|x| x.is_finite());
        let mechanical = acceleration.iter().take(state_components(self.system).start);
        if is_finite { mechanical.fold(0.0, |most: f64, part| most.max(part.abs())) } else { 0.0 }
    }

    /// Tests that the rate of B_h, H_h + B_h (ad_v + σ), does not change the null space of B_h.
    pub fn turning(&self, rate: &DMatrix<f64>, space: &NullSpace) -> Result<(), LinearisationError> {
        let moved = rate * &space.basis;
        for row in 0..moved.nrows() {
            let scale = self.jacobian.row(row).norm()
                * space.basis.norm()
                * (1e-9 + mechanical_speed(self.system, &self.state.velocity));
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
