//! The weights of both halves of a step of RATTLie, computed by a few iterations with the matrices of the method.

use num_traits::{One, Zero};

use super::buffers::{RattlieBack, add_gyroscopic, add_mean};
use super::variable_mass::Variational;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::integrator::rattlie::matrix_is_of_start;
use crate::scalar::Scalar;
use crate::space::{ConfigurationSpace, ReverseSpace};
use crate::system::{
    Cotangents, IterationCoefficients, IterationCorrection, IterationPoint, IterationResidual, KktError, Reverse,
};

/// The largest number of iterations; the error contracts by |θ|² / 12, or by h times the damping.
pub(super) const TURNS: usize = 60;
/// The coefficients of the iteration matrix of the method, M + ½ h C.
fn coefficients<S: Scalar>(h: f64) -> IterationCoefficients<S> {
    let real = S::from_f64;
    IterationCoefficients {
        mass: S::one(),
        damping: real(0.5 * h),
        stiffness: S::zero(),
        rate: S::one(),
        rate_gradient: real(0.5 * h),
    }
}

/// True if an iteration of weights has converged; `size` is the largest weight.
///
/// The iteration is linear with a constant matrix: for a small contraction factor the error is less than the next change.
fn is_round_off<M: Reverse>(change: f64, previous: f64, size: f64) -> bool {
    let (epsilon, ratio) = (M::Scalar::epsilon(), change / previous);
    let left = if previous.is_finite() && ratio < 0.1 { ratio * change } else { change };
    left <= 4.0 * epsilon * size || (ratio > 0.5 && change <= 1e-9 * size)
}

/// Reasons for missing weights.
pub(super) enum WeightFailure {
    Kkt(KktError),
    /// The iteration does not converge.
    Slow,
}

impl From<KktError> for WeightFailure {
    fn from(error: KktError) -> Self {
        WeightFailure::Kkt(error)
    }
}

impl<M: Variational> RattlieBack<M> {
    /// Computes the weights of the second half: M w + ½ h (D_v (g + ad_vᵀ M v))ᵀ w + Bᵀ μ = −y, B w = 0, for the cotangent y of v. The
    /// second term is absent for variable M, because G depends on Δ, and for velocity-independent forces.
    pub(super) fn weigh_velocity(
        &mut self,
        system: &M,
        to: &State<M>,
        h: f64,
        y: &M::Velocity,
    ) -> Result<(), WeightFailure> {
        let (real, one, zero) = (M::Scalar::from_f64, M::Scalar::one(), M::Scalar::zero());
        let (t, q, v) = (real(to.time), &to.configuration, &to.velocity);
        let RattlieBack {
            mass, matrices, damping, jacobians, end_weights: w, end_rows, rows, vectors, changing, ..
        } = self;
        let [right, before, bracket, unit, column] = vectors;
        let turns = changing.is_none() && system.description().forces_depend_on_velocity;
        if turns {
            system.tangent_damping(t, q, v, damping);
        }
        w.fill(zero);
        rows.fill(zero);
        right.assign_scaled(-one, y);
        let mut previous = f64::INFINITY;
        for _ in 0..TURNS {
            before.assign(w);
            if system.constraint_rows() == 0 {
                system.solve_mass(mass, right, w);
            } else {
                system.solve_kkt(mass, &jacobians[1], &jacobians[1], right, rows, w, end_rows)?;
            }
            before.axpy(-one, w);
            let change = before.reach();
            if !change.is_finite() {
                return Err(KktError::NotFinite.into());
            }
            if !turns || is_round_off::<M>(change, previous, w.reach()) {
                return Ok(());
            }
            previous = change;
            right.fill(zero);
            add_gyroscopic(system, &matrices[0], (t, q, v), w, (real(-0.5 * h), right), [bracket, unit, column]);
            system.matrix_transpose_times(damping, w, column);
            right.axpy(real(-0.5 * h), column);
            // g can contain ad_vᵀ M v up to round-off, for forces that could depend on velocities and do not.
            if right.reach() <= 4.0 * M::Scalar::epsilon() * y.reach() {
                return Ok(());
            }
            right.axpy(-one, y);
        }
        Err(WeightFailure::Slow)
    }

    /// Computes the weights of the first half, for the cotangents of q at the end and of θ.
    pub(super) fn weigh_increment(
        &mut self,
        system: &M,
        (from, to): (&State<M>, &State<M>),
        h: f64,
        of_end: &M::Velocity,
    ) -> Result<(), WeightFailure> {
        let (real, one, zero) = (M::Scalar::from_f64, M::Scalar::one(), M::Scalar::zero());
        let RattlieBack {
            factorisation,
            jacobians,
            theta,
            weights,
            cotangents,
            of_theta,
            vectors,
            changing,
            damping,
            ..
        } = self;
        let [scratch, rate, ..] = vectors;
        system.space().motion_pullback(theta, of_end, scratch, of_theta);
        rate.assign_scaled(real(1.0 / h), theta);
        // As in the method.
        let place = if matrix_is_of_start(system) { from } else { to };
        let point = IterationPoint {
            t: real(place.time),
            q: &place.configuration,
            v: rate,
            acceleration: &from.acceleration,
            multipliers: &from.multipliers,
            theta,
            local: None,
            reactions: (system.constraint_rows() > 0).then_some(&jacobians[0]),
        };
        system.factorise_iteration(&point, &coefficients(h), None, factorisation)?;
        if let Some(changing) = changing {
            let start = (real(from.time), &from.configuration);
            changing.place(system, start);
            changing.find_slopes(system, [start, (real(to.time), &to.configuration)]);
            system.tangent_damping(start.0, start.1, changing.rate(), damping);
        }
        for vector in [&mut weights.position, &mut weights.velocity] {
            vector.fill(zero);
        }
        weights.balance.fill(zero);
        cotangents.increment.fill(zero);
        cotangents.projection.fill(zero);
        cotangents.acceleration.assign(of_theta);
        cotangents.multipliers.fill(zero);
        let (mut previous, mut size) = (f64::INFINITY, None);
        for _ in 0..TURNS {
            let RattlieBack { factorisation, weights, change, cotangents, .. } = &mut *self;
            system.solve_iteration_transposed(factorisation, cotangents, change);
            weights.balance.axpy(one, &change.balance);
            weights.position.axpy(one, &change.position);
            weights.velocity.axpy(one, &change.velocity);
            let reach = |residual: &IterationResidual<M>| {
                let of_rows = residual.position.reach().max(residual.velocity.reach());
                residual.balance.reach().max(of_rows)
            };
            let change = reach(change);
            if !change.is_finite() {
                return Err(KktError::NotFinite.into());
            }
            // The first change contains all but a small part of the weights.
            let size = *size.get_or_insert(change);
            if is_round_off::<M>(change, previous, size) {
                return Ok(());
            }
            previous = change;
            self.hand_back(system, (from, to), h);
        }
        Err(WeightFailure::Slow)
    }

    /// Adds the contributions of a change of the weights of the first half to the cotangents of θ and λ⁺.
    fn hand_back(&mut self, system: &M, (from, to): (&State<M>, &State<M>), h: f64) {
        let (real, one, zero) = (M::Scalar::from_f64, M::Scalar::one(), M::Scalar::zero());
        let RattlieBack {
            matrices,
            damping,
            jacobians,
            theta,
            momentum,
            change,
            cotangents,
            rows,
            vectors,
            unwanted,
            changing,
            ..
        } = self;
        let [back, turned, of_end, of_rate, column] = vectors;
        let IterationCorrection { acceleration: of_angle, multipliers: of_reactions, .. } = cotangents;
        // The contribution of P(−θ).
        back.assign_scaled(-one, theta);
        system.space().tangent_inverse(back, &change.balance, turned);
        of_end.fill(zero);
        system.space().coordinate_rate_pullback([back, &change.balance], momentum, of_end, of_rate);
        of_angle.axpy(-one, of_end);
        let end = (real(to.time), &to.configuration);
        add_mean(system, end, matrices, turned, of_angle, column, changing.is_some());
        of_end.fill(zero);
        if let Some(changing) = changing {
            changing.add_slope(system, 1, turned, 0.5, of_end);
            changing.add_slope(system, 0, &change.balance, -0.5, of_angle);
            changing.momentum_rate(&change.balance, column);
            of_angle.axpy(real(-0.5 * h), column);
            system.matrix_transpose_times(damping, &change.balance, column);
            of_angle.axpy(real(0.5 * h), column);
            let start = (real(from.time), &from.configuration, changing.rate());
            let of_motion = (real(0.5 * h), &mut *of_angle);
            add_gyroscopic(system, &matrices[0], start, &change.balance, of_motion, [back, turned, column]);
        } else if system.constraint_rows() == 0 {
            return;
        }
        if system.constraint_rows() > 0 {
            system.jacobian_times(&jacobians[0], &change.balance, rows);
            of_reactions.axpy(one, rows);
            system.jacobian_transpose_times(&jacobians[1], &change.position, column);
            of_end.axpy(one, column);
        }
        if system.holonomic_rows() < system.constraint_rows() {
            rows.assign_scaled(real(0.5), &change.velocity);
            system.jacobian_transpose_times(&jacobians[0], rows, column);
            of_angle.axpy(one, column);
            rows.scale(real(h));
            column.assign_scaled(real(1.0 / h), theta);
            of_rate.fill(zero);
            let out = &mut Cotangents { of_configuration: of_end, of_velocity: of_rate, of_parameters: unwanted };
            system.rate_pullback(real(to.time), &to.configuration, column, rows, out);
            of_angle.axpy(real(1.0 / h), of_rate);
        }
        back.fill(zero);
        system.space().motion_pullback(theta, of_end, back, of_angle);
    }
}
