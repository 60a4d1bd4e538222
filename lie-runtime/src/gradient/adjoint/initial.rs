//! Back through what makes a state: its accelerations and multipliers, and the projection onto the constraints.

use num_traits::{One, Zero};

use super::Cotangent;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::system::{Reverse, SaddleError};

/// The buffers of a linear system at a state.
pub(super) struct Saddle<M: Reverse> {
    mass: M::Mass,
    jacobian: M::Jacobian,
    force: M::Velocity,
    constraint: M::Multipliers,
    /// w.
    weights: M::Velocity,
    /// μ.
    row_weights: M::Multipliers,
}

impl<M: Reverse> Saddle<M> {
    pub fn of(system: &M) -> Self {
        Saddle {
            mass: system.zero_mass(),
            jacobian: system.zero_jacobian(),
            force: system.zero_velocity(),
            constraint: system.zero_multipliers(),
            weights: system.zero_velocity(),
            row_weights: system.zero_multipliers(),
        }
    }

    /// M and B at a state.
    fn prepare(&mut self, system: &M, state: &State<M>) -> Result<M::Scalar, SaddleError> {
        let t = M::Scalar::from_f64(state.time);
        system.mass(t, &state.configuration, &mut self.mass)?;
        if system.constraint_rows() > 0 {
            system.constraint_jacobian(t, &state.configuration, &mut self.jacobian);
        }
        Ok(t)
    }

    /// Back through r = 0, B v' + curvature = 0, which v' and λ of `state` solve: their cotangents become those of q, v and
    /// the parameters.
    ///
    /// With the cotangents a and l, the weights solve M w + Bᵀ μ = −a, B w = −l.
    pub fn back_through_accelerations(
        &mut self,
        system: &M,
        state: &State<M>,
        cotangent: &mut Cotangent<M>,
    ) -> Result<(), SaddleError> {
        let minus = -M::Scalar::one();
        let t = self.prepare(system, state)?;
        let (q, v, acceleration) = (&state.configuration, &state.velocity, &state.acceleration);
        self.force.assign_scaled(minus, &cotangent.acceleration);
        if system.constraint_rows() == 0 {
            system.solve_mass(&mut self.mass, &self.force, &mut self.weights);
        } else {
            self.constraint.assign_scaled(minus, &cotangent.multipliers);
            let Saddle { mass, jacobian, force, constraint, weights, row_weights } = self;
            system.solve_saddle(mass, jacobian, jacobian, force, constraint, weights, row_weights)?;
        }
        let out = &mut cotangent.of_motion();
        system.residual_pullback(t, q, v, acceleration, &state.multipliers, &self.weights, out);
        if system.constraint_rows() > 0 {
            system.curvature_pullback(t, q, v, &self.row_weights, out);
            // D_q (B v') is what B v + b has at v = v' and not at rest.
            system.rate_pullback(t, q, acceleration, &self.row_weights, out);
            self.force.fill(M::Scalar::zero());
            self.row_weights.scale(minus);
            system.rate_pullback(t, q, &self.force, &self.row_weights, out);
        }
        cotangent.acceleration.fill(M::Scalar::zero());
        cotangent.multipliers.fill(M::Scalar::zero());
        Ok(())
    }

    /// Back through v' = M⁻¹(−g − Bᵀ λ), at a λ that is given.
    pub fn back_through_first_stage(
        &mut self,
        system: &M,
        state: &State<M>,
        cotangent: &mut Cotangent<M>,
    ) -> Result<(), SaddleError> {
        let t = self.prepare(system, state)?;
        self.force.assign_scaled(-M::Scalar::one(), &cotangent.acceleration);
        system.solve_mass(&mut self.mass, &self.force, &mut self.weights);
        let (q, v) = (&state.configuration, &state.velocity);
        let out = &mut cotangent.of_motion();
        system.residual_pullback(t, q, v, &state.acceleration, &state.multipliers, &self.weights, out);
        if system.constraint_rows() > 0 {
            system.jacobian_times(&self.jacobian, &self.weights, &mut self.row_weights);
            cotangent.multipliers.axpy(M::Scalar::one(), &self.row_weights);
        }
        cotangent.acceleration.fill(M::Scalar::zero());
        Ok(())
    }

    /// Back through the projection of initial values that were consistent up to round-off: v and then q are moved along the
    /// constraints alone, and with the constraints as their parameters move these.
    ///
    /// Of the shortest correction M δ + Bᵀ ν = 0, B δ = −ρ the cotangent y is that of the values, y − Bᵀ ν, and −ν that of
    /// the residual ρ, where B M⁻¹ Bᵀ ν = B M⁻¹ y.
    pub fn back_through_projection(
        &mut self,
        system: &M,
        state: &State<M>,
        cotangent: &mut Cotangent<M>,
    ) -> Result<(), SaddleError> {
        if system.constraint_rows() == 0 {
            return Ok(());
        }
        let minus = -M::Scalar::one();
        let t = self.prepare(system, state)?;
        self.project(system, &cotangent.velocity)?;
        self.row_weights.scale(minus);
        let (q, v) = (&state.configuration, &state.velocity);
        system.rate_pullback(t, q, v, &self.row_weights, &mut cotangent.of_motion());
        self.project(system, &cotangent.configuration)?;
        for row in system.holonomic_rows()..system.constraint_rows() {
            self.row_weights.set_component(row, M::Scalar::zero());
        }
        self.row_weights.scale(minus);
        system.constraint_pullback(t, q, &self.row_weights, &mut cotangent.of_motion());
        Ok(())
    }

    /// ν of a cotangent.
    fn project(&mut self, system: &M, cotangent: &M::Velocity) -> Result<(), SaddleError> {
        self.constraint.fill(M::Scalar::zero());
        let Saddle { mass, jacobian, constraint, weights, row_weights, .. } = self;
        system.solve_saddle(mass, jacobian, jacobian, cotangent, constraint, weights, row_weights)
    }
}
