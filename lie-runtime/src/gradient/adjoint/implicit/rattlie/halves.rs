//! The reverse pass through both halves of a step, with given weights.

use num_traits::{One, Zero};

use super::buffers::{RattlieBack, add_gyroscopic, add_mean};
use super::variable_mass::Variational;
use crate::gradient::adjoint_state::AdjointState;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::space::{ConfigurationSpace, ReverseSpace};
use crate::system::Cotangents;

impl<M: Variational> RattlieBack<M> {
    /// Runs the reverse pass through the second half: adds the cotangents of q at its end and of θ.
    pub(super) fn back_through_velocity(&mut self, system: &M, to: &State<M>, h: f64, cotangent: &mut AdjointState<M>) {
        let (real, one, zero) = (M::Scalar::from_f64, M::Scalar::one(), M::Scalar::zero());
        let (t, q, v) = (real(to.time), &to.configuration, &to.velocity);
        let RattlieBack {
            matrices,
            multipliers,
            theta,
            momentum,
            end_weights: w,
            end_rows,
            of_theta,
            vectors,
            of_momenta,
            rest,
            changing,
            ..
        } = self;
        let [of_rate, turned, bracket, column, unit] = vectors;
        let out = &mut Cotangents {
            of_configuration: &mut cotangent.configuration,
            of_velocity: of_rate,
            of_parameters: &mut cotangent.parameters,
        };
        if system.constraint_rows() > 0 {
            system.rate_pullback(t, q, v, end_rows, out);
        }
        // The weight of P(θ) / h is −w.
        turned.assign_scaled(real(-1.0 / h), w);
        system.space().tangent_inverse(theta, turned, column);
        of_theta.fill(zero);
        system.space().coordinate_rate_pullback([theta, turned], momentum, of_theta, out.of_velocity);
        of_momenta[0].assign(column);
        add_mean(system, (t, q), matrices, column, of_theta, turned, changing.is_some());
        let Some(changing) = changing else {
            let of_velocity = system.description().forces_depend_on_velocity;
            if of_velocity {
                system.space().bracket(v, w, bracket);
                of_momenta[2].assign_scaled(real(0.5 * h), bracket);
            }
            w.scale(real(0.5 * h));
            turned.assign_scaled(real(2.0 / h), v);
            system.residual_pullback(t, q, if of_velocity { v } else { rest }, turned, &multipliers[1], w, out);
            cotangent.note_inputs(system, to.time);
            return;
        };
        changing.place(system, (t, q));
        out.of_velocity.fill(zero);
        let of_velocity = (real(0.5 * h), &mut *out.of_velocity);
        add_gyroscopic(system, &matrices[1], (t, q, changing.rate()), w, of_velocity, [bracket, unit, column]);
        w.scale(real(0.5 * h));
        turned.assign_scaled(real(2.0 / h), v);
        system.residual_pullback(t, q, changing.rate(), turned, &multipliers[1], w, out);
        // ½ h [Δ, w] · M Δ = ½ [Δ, w] · M θ.
        column.assign_scaled(real(0.5), &of_momenta[0]);
        column.axpy(real(0.5), bracket);
        w.scale(-one);
        changing.back(system, [w, column], out);
        of_theta.axpy(real(1.0 / h), of_rate);
        cotangent.note_inputs(system, to.time);
    }

    /// Runs the reverse pass through the first half: maps the cotangent of q at its end to q and v at its start.
    pub(super) fn back_through_increment(
        &mut self,
        system: &M,
        (from, to): (&State<M>, &State<M>),
        h: f64,
        cotangent: &mut AdjointState<M>,
    ) {
        let (real, one, zero) = (M::Scalar::from_f64, M::Scalar::one(), M::Scalar::zero());
        let RattlieBack {
            matrices,
            multipliers,
            theta,
            weights,
            rows,
            of_theta,
            vectors,
            of_momenta,
            rest,
            changing,
            ..
        } = self;
        let [of_end, rate, bracket, unit, column] = vectors;
        let (start, end) = (real(from.time), real(to.time));
        let (q, v) = (&from.configuration, &from.velocity);
        of_end.assign(&cotangent.configuration);
        cotangent.configuration.fill(zero);
        cotangent.velocity.fill(zero);
        rate.assign_scaled(real(1.0 / h), theta);
        let w = &mut weights.balance;
        if let Some(changing) = changing {
            bracket.assign_scaled(-one, theta);
            system.space().tangent_inverse(bracket, w, unit);
            of_momenta[0].axpy(one, unit);
            unit.scale(real(0.5));
            let at_end = &mut Cotangents {
                of_configuration: of_end,
                of_velocity: column,
                of_parameters: &mut cotangent.parameters,
            };
            changing.back_through_momentum(system, (end, &to.configuration), unit, at_end);
            cotangent.note_inputs(system, to.time);
        }
        if system.constraint_rows() > 0 {
            let at_end = &mut Cotangents {
                of_configuration: of_end,
                of_velocity: column,
                of_parameters: &mut cotangent.parameters,
            };
            system.constraint_pullback(end, &to.configuration, &weights.position, at_end);
            let has_rates = system.holonomic_rows() < system.constraint_rows();
            if has_rates {
                rows.assign_scaled(real(0.5 * h), &weights.velocity);
                system.rate_pullback(end, &to.configuration, rate, rows, at_end);
            }
            cotangent.note_inputs(system, to.time);
            if has_rates {
                let at_start = &mut Cotangents {
                    of_configuration: &mut cotangent.configuration,
                    of_velocity: column,
                    of_parameters: &mut cotangent.parameters,
                };
                system.rate_pullback(start, q, rate, rows, at_start);
            }
        }
        system.space().motion_pullback(theta, of_end, &mut cotangent.configuration, of_theta);

        if changing.is_some() {
            system.matrix_times(&matrices[0], w, column);
        } else {
            system.momentum(start, q, w, column);
        }
        cotangent.velocity.axpy(real(-h), column);
        let factor = real(0.5 * h * h);
        match changing {
            None => {
                of_end.assign_scaled(-one, theta);
                system.space().tangent_inverse(of_end, w, column);
                of_momenta[0].axpy(one, column);
                let of_velocity = system.description().forces_depend_on_velocity;
                if of_velocity {
                    let of_velocity = (factor, &mut cotangent.velocity);
                    add_gyroscopic(system, &matrices[0], (start, q, v), w, of_velocity, [bracket, unit, column]);
                    of_momenta[1].assign_scaled(factor, bracket);
                }
                w.scale(factor);
                rate.assign_scaled(real(-2.0 / h), v);
                let v = if of_velocity { v } else { rest };
                system.residual_pullback(start, q, v, rate, &multipliers[0], w, &mut cotangent.of_motion());
            }
            Some(changing) => {
                // ½ h² [Δ, w] · M Δ = ½ h [Δ, w] · M θ.
                system.space().bracket(rate, w, bracket);
                of_momenta[0].scale(real(0.5));
                of_momenta[0].axpy(real(0.5 * h), bracket);
                w.scale(factor);
                rate.assign_scaled(real(-2.0 / h), v);
                let out = &mut Cotangents {
                    of_configuration: &mut cotangent.configuration,
                    of_velocity: column,
                    of_parameters: &mut cotangent.parameters,
                };
                system.residual_pullback(start, q, changing.rate(), rate, &multipliers[0], w, out);
                w.scale(-one);
                changing.back(system, [w, &of_momenta[0]], out);
            }
        }
        cotangent.note_inputs(system, from.time);
    }
}
