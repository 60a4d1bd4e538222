//! The results of a step, from its stored data or from its equations.

use super::super::super::adjoint_step::Trace;
use super::buffers::{RattlieBack, mean_momentum};
use super::variable_mass::Variational;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::KktError;
use num_traits::{One, Zero};

/// The largest number of iterations for θ, each of which squares the remaining error O(h³).
const TURNS_OF_ANGLE: usize = 6;
/// The error after a correction of this size is its square.
const SQUARED_IS_ROUND_OFF: f64 = 1e-8;

impl<M: Variational> RattlieBack<M> {
    /// Computes θ, M, B at both ends and the λ of both halves; factorises M at the end of the step.
    pub(super) fn retrace(
        &mut self,
        system: &M,
        (from, to): (&State<M>, &State<M>),
        h: f64,
        trace: Option<Trace<'_, M>>,
    ) -> Result<(), KktError> {
        let real = M::Scalar::from_f64;
        let ends = [from, to].map(|state| (real(state.time), &state.configuration));
        if system.constraint_rows() > 0 {
            for (jacobian, (t, q)) in self.jacobians.iter_mut().zip(ends) {
                system.constraint_jacobian(t, q, jacobian);
            }
        }
        let kept = match trace {
            Some(Trace { vectors: [theta], multipliers: [plus, minus] }) => {
                self.theta.assign(theta);
                self.multipliers[0].assign_scaled(real(2.0 / (h * h)), plus);
                self.multipliers[1].assign_scaled(real(2.0 / h), minus);
                true
            }
            _ => {
                self.find_angle(system, from, to, h)?;
                false
            }
        };
        let changes = self.changing.is_some();
        if let Some(changing) = &mut self.changing {
            changing.begin(&self.theta, h);
        }
        if changes || !self.is_factorised {
            for (matrix, (t, q)) in self.matrices.iter_mut().zip(ends).take(if changes { 2 } else { 1 }) {
                system.mass_matrix(t, q, matrix);
            }
        }
        mean_momentum(system, ends, &self.theta, (&mut self.momentum, &mut self.vectors[0]), changes);
        for side in 0..2 {
            let wanted = if changes { side == 1 || !kept } else { !self.is_factorised };
            if wanted {
                system.mass(ends[side].0, ends[side].1, &mut self.mass)?;
                self.is_factorised = true;
            }
            if !kept {
                self.find_multipliers(system, [from, to][side], side, h)?;
            }
        }
        Ok(())
    }

    /// Computes θ from the initial values of the step.
    fn find_angle(&mut self, system: &M, from: &State<M>, to: &State<M>, h: f64) -> Result<(), KktError> {
        let (real, one) = (M::Scalar::from_f64, M::Scalar::one());
        let RattlieBack { theta, place, vectors: [left, change, ..], .. } = self;
        theta.assign_scaled(real(h), &from.velocity);
        theta.axpy(real(0.5 * h * h), &from.acceleration);
        for _ in 0..TURNS_OF_ANGLE {
            system.space().compose_exp(&from.configuration, theta, place);
            system.space().log_difference(place, &to.configuration, left);
            system.space().tangent_inverse(theta, left, change);
            theta.axpy(one, change);
            if change.reach() <= SQUARED_IS_ROUND_OFF {
                break;
            }
        }
        if theta.all_finite() { Ok(()) } else { Err(KktError::NotFinite) }
    }

    /// Computes λ of a half from the momenta at its end of the step.
    fn find_multipliers(&mut self, system: &M, state: &State<M>, side: usize, h: f64) -> Result<(), KktError> {
        if system.constraint_rows() == 0 {
            return Ok(());
        }
        let (real, one) = (M::Scalar::from_f64, M::Scalar::one());
        let RattlieBack { theta, changing, vectors: [left, momentum, force, scratch, _], .. } = self;
        let (t, q, v) = (real(state.time), &state.configuration, &state.velocity);
        // G − (P(−θ) − h M v_n) 2 / h², and G − (M v − P(θ) / h) 2 / h.
        let x = changing.as_ref().map_or(v, |changing| changing.rate());
        system.force(t, q, x, force);
        system.momentum(t, q, x, momentum);
        system.space().coadjoint(x, momentum, scratch);
        force.axpy(-one, scratch);
        if let Some(changing) = changing {
            left.assign(changing.rate());
            changing.place(system, (t, q));
            changing.momentum_rate(left, scratch);
            force.axpy(one, scratch);
            system.momentum(t, q, v, momentum);
        }
        let (sign, scale) = if side == 0 { (-1.0, 2.0 / h) } else { (1.0, -2.0 / h) };
        force.axpy(real(scale), momentum);
        left.assign_scaled(real(sign), theta);
        system.space().tangent_inverse_transpose(left, &self.momentum, scratch);
        force.axpy(real(sign * 2.0 / (h * h)), scratch);
        self.rows.fill(M::Scalar::zero());
        let (jacobian, multipliers) = (&self.jacobians[side], &mut self.multipliers[side]);
        system.solve_kkt(&mut self.mass, jacobian, jacobian, force, &self.rows, scratch, multipliers)
    }
}
