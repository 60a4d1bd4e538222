//! Back through a step of RATTLie.
//!
//! With P(θ) = T(θ)⁻ᵀ M θ a step of size h solves, for θ and λ⁺ and then for v and λ⁻ at its end,
//!
//! ```text
//! P(−θ) − h M v_n + ½ h² (g + ad_vᵀ M v + B_nᵀ λ⁺) = 0,      Φ(q_{n+1}) = 0,    ½ h (B_n Δ + b_n + B_{n+1} Δ + b_{n+1}) = 0,
//! M v − P(θ) / h + ½ h (g + ad_vᵀ M v + B_{n+1}ᵀ λ⁻) = 0,    B_{n+1} v + b_{n+1} = 0,    θ = h Δ,
//! ```
//!
//! whose third equation is that of the rows of velocities. The weights of both systems, w and μ, are those of the exact derivatives:
//! the matrices of the method's own iterations lead there by a few turns, as they lead the method to its step. All but P and the
//! gyroscopic terms is r at another acceleration, ∓2 v / h and 2 v / h.

mod momenta;
mod weights;

use num_traits::{One, Zero};

use self::momenta::Momenta;
use self::weights::{Failure, TURNS};
use super::super::initial::Saddle;
use super::super::{Cotangent, Retraced, Trace};
use crate::group::TangentVector;
use crate::integrator::implicit::Unsolved;
use crate::integrator::{State, StepError};
use crate::scalar::Scalar;
use crate::space::{ConfigurationSpace, LocalSpace};
use crate::system::{Cotangents, Covectors, IterationCorrection, IterationResidual, Reverse, SaddleError};

/// Turns towards θ, each of which squares what is left of O(h³).
const TURNS_OF_ANGLE: usize = 6;
/// What is left after a correction of this size is its square.
const SQUARED_IS_ROUND_OFF: f64 = 1e-8;

/// The method with the buffers to go back through its steps; allocated once.
pub(in crate::gradient::adjoint) struct RattlieBack<M: Reverse> {
    saddle: Saddle<M>,
    mass: M::Mass,
    mass_matrix: M::Matrix,
    damping: M::Matrix,
    is_factorised: bool,
    /// B where the step starts and where it ends.
    jacobians: [M::Jacobian; 2],
    factorisation: M::Factorisation,
    theta: M::Velocity,
    /// M θ.
    momentum: M::Velocity,
    place: M::Configuration,
    /// λ⁺ and λ⁻.
    multipliers: [M::Multipliers; 2],
    /// w and μ of the first half.
    weights: IterationResidual<M>,
    change: IterationResidual<M>,
    cotangents: IterationCorrection<M>,
    /// Those of the second half.
    end_weights: M::Velocity,
    end_rows: M::Multipliers,
    of_theta: M::Velocity,
    rows: M::Multipliers,
    /// u of the terms u · M x with x = θ, v_n and v_{n+1}.
    of_momenta: [M::Velocity; 3],
    momenta: Momenta<M>,
    vectors: [M::Velocity; 5],
    /// Cotangents of parameters that nobody wants.
    unwanted: Vec<M::Scalar>,
}

/// The gradient of w · ad_vᵀ M v = \[v, w\] · M v, by v added to `out` times `factor`; leaves \[v, w\] in the first of the buffers.
fn add_gyroscopic<M: Reverse + Covectors>(
    system: &M,
    mass: &M::Matrix,
    (t, q, v): (M::Scalar, &M::Configuration, &M::Velocity),
    w: &M::Velocity,
    (factor, out): (M::Scalar, &mut M::Velocity),
    [bracket, momentum, column]: [&mut M::Velocity; 3],
) {
    system.space().bracket(v, w, bracket);
    system.matrix_times(mass, bracket, column);
    out.axpy(factor, column);
    system.momentum(t, q, v, momentum);
    system.space().coadjoint(w, momentum, column);
    out.axpy(-factor, column);
}

impl<M: Reverse + Covectors> RattlieBack<M> {
    pub fn of(system: &M, state: &State<M>) -> Self {
        let zero = || system.zero_velocity();
        RattlieBack {
            saddle: Saddle::of(system),
            mass: system.zero_mass(),
            mass_matrix: system.zero_matrix(),
            damping: system.zero_matrix(),
            is_factorised: false,
            jacobians: [system.zero_jacobian(), system.zero_jacobian()],
            factorisation: system.zero_factorisation(),
            theta: zero(),
            momentum: zero(),
            place: state.configuration.clone(),
            multipliers: [system.zero_multipliers(), system.zero_multipliers()],
            weights: IterationResidual::zero(system),
            change: IterationResidual::zero(system),
            cotangents: IterationCorrection::zero(system),
            end_weights: zero(),
            end_rows: system.zero_multipliers(),
            of_theta: zero(),
            rows: system.zero_multipliers(),
            of_momenta: [zero(), zero(), zero()],
            momenta: Momenta::of(system, state),
            vectors: [zero(), zero(), zero(), zero(), zero()],
            unwanted: vec![M::Scalar::zero(); system.parameter_count() + system.input_count()],
        }
    }

    /// θ, M, B at both ends and the λ of both halves, by what the step has left or by its equations.
    fn retrace(
        &mut self,
        system: &M,
        (from, to): (&State<M>, &State<M>),
        h: f64,
        trace: Option<Trace<'_, M>>,
    ) -> Result<(), SaddleError> {
        let real = M::Scalar::from_f64;
        let ends = [from, to].map(|state| (real(state.time), &state.configuration));
        if !self.is_factorised {
            system.mass(ends[0].0, ends[0].1, &mut self.mass)?;
            system.mass_matrix(ends[0].0, ends[0].1, &mut self.mass_matrix);
            self.is_factorised = true;
        }
        if system.constraint_rows() > 0 {
            for (jacobian, (t, q)) in self.jacobians.iter_mut().zip(ends) {
                system.constraint_jacobian(t, q, jacobian);
            }
        }
        if let Some(Trace { vectors: [theta], multipliers: [plus, minus] }) = trace {
            self.theta.assign(theta);
            system.momentum(ends[0].0, ends[0].1, theta, &mut self.momentum);
            self.multipliers[0].assign_scaled(real(2.0 / (h * h)), plus);
            self.multipliers[1].assign_scaled(real(2.0 / h), minus);
            return Ok(());
        }
        self.find_angle(system, from, to, h)?;
        system.momentum(ends[0].0, ends[0].1, &self.theta, &mut self.momentum);
        self.find_multipliers(system, [from, to], h)
    }

    /// θ, from what the step begins with.
    fn find_angle(&mut self, system: &M, from: &State<M>, to: &State<M>, h: f64) -> Result<(), SaddleError> {
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
        if theta.all_finite() { Ok(()) } else { Err(SaddleError::NotFinite) }
    }

    /// The λ of both halves, from the momenta at the ends.
    fn find_multipliers(&mut self, system: &M, ends: [&State<M>; 2], h: f64) -> Result<(), SaddleError> {
        if system.constraint_rows() == 0 {
            return Ok(());
        }
        let (real, one) = (M::Scalar::from_f64, M::Scalar::one());
        let RattlieBack { theta, vectors: [left, momentum, force, scratch, _], .. } = self;
        for (side, state) in ends.into_iter().enumerate() {
            let (t, q) = (real(state.time), &state.configuration);
            // F − (P(−θ) − h M v_n) 2 / h², and F − (M v − P(θ) / h) 2 / h.
            system.force(t, q, &state.velocity, force);
            system.momentum(t, q, &state.velocity, momentum);
            system.space().coadjoint(&state.velocity, momentum, scratch);
            force.axpy(-one, scratch);
            let (sign, scale) = if side == 0 { (-1.0, 2.0 / h) } else { (1.0, -2.0 / h) };
            force.axpy(real(scale), momentum);
            left.assign_scaled(real(sign), theta);
            system.space().tangent_inverse_transpose(left, &self.momentum, scratch);
            force.axpy(real(sign * 2.0 / (h * h)), scratch);
            self.rows.fill(M::Scalar::zero());
            let (jacobian, multipliers) = (&self.jacobians[side], &mut self.multipliers[side]);
            system.solve_saddle(&mut self.mass, jacobian, jacobian, force, &self.rows, scratch, multipliers)?;
        }
        Ok(())
    }

    /// Back through the second half: adds the cotangents of q at its end and of θ.
    fn back_through_velocity(&mut self, system: &M, to: &State<M>, h: f64, cotangent: &mut Cotangent<M>) {
        let (real, one, zero) = (M::Scalar::from_f64, M::Scalar::one(), M::Scalar::zero());
        let (t, q, v) = (real(to.time), &to.configuration, &to.velocity);
        let RattlieBack {
            mass_matrix,
            multipliers,
            theta,
            momentum,
            end_weights: w,
            end_rows,
            of_theta,
            vectors,
            of_momenta,
            ..
        } = self;
        let [scaled, turned, bracket, column, _] = vectors;
        let out = &mut Cotangents {
            of_configuration: &mut cotangent.configuration,
            of_velocity: scaled,
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
        system.matrix_times(mass_matrix, column, turned);
        of_theta.axpy(one, turned);
        system.space().bracket(v, w, bracket);
        of_momenta[2].assign_scaled(real(0.5 * h), bracket);
        w.scale(real(0.5 * h));
        turned.assign_scaled(real(2.0 / h), v);
        system.residual_pullback(t, q, v, turned, &multipliers[1], w, out);
        cotangent.note_inputs(system, to.time);
    }

    /// Back through the first half: from the cotangent of q at its end to those of q and v at its start.
    fn back_through_increment(
        &mut self,
        system: &M,
        (from, to): (&State<M>, &State<M>),
        h: f64,
        cotangent: &mut Cotangent<M>,
    ) {
        let (real, one, zero) = (M::Scalar::from_f64, M::Scalar::one(), M::Scalar::zero());
        let RattlieBack { mass_matrix, multipliers, theta, weights, rows, of_theta, vectors, of_momenta, .. } = self;
        let [of_end, rate, bracket, unit, column] = vectors;
        let (start, end) = (real(from.time), real(to.time));
        let (q, v) = (&from.configuration, &from.velocity);
        of_end.assign(&cotangent.configuration);
        cotangent.configuration.fill(zero);
        cotangent.velocity.fill(zero);
        rate.assign_scaled(real(1.0 / h), theta);
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

        let w = &mut weights.balance;
        of_end.assign_scaled(-one, theta);
        system.space().tangent_inverse(of_end, w, column);
        of_momenta[0].axpy(one, column);
        system.matrix_times(mass_matrix, w, column);
        cotangent.velocity.axpy(real(-h), column);
        let factor = real(0.5 * h * h);
        let of_velocity = (factor, &mut cotangent.velocity);
        add_gyroscopic(system, mass_matrix, (start, q, v), w, of_velocity, [bracket, unit, column]);
        of_momenta[1].assign_scaled(factor, bracket);
        w.scale(factor);
        rate.assign_scaled(real(-2.0 / h), v);
        system.residual_pullback(start, q, v, rate, &multipliers[0], w, &mut cotangent.of_motion());
        cotangent.note_inputs(system, from.time);
    }

    fn back(
        &mut self,
        system: &M,
        (from, to): (&State<M>, &State<M>),
        h: f64,
        trace: Option<Trace<'_, M>>,
        cotangent: &mut Cotangent<M>,
    ) -> Result<(), Failure> {
        self.saddle.back_through_accelerations(system, to, cotangent)?;
        self.retrace(system, (from, to), h, trace)?;
        self.weigh_velocity(system, to, h, &cotangent.velocity)?;
        self.back_through_velocity(system, to, h, cotangent);
        self.weigh_increment(system, (from, to), h, &cotangent.configuration)?;
        self.back_through_increment(system, (from, to), h, cotangent);
        let RattlieBack { momenta, of_momenta, theta, .. } = self;
        for (u, x) in of_momenta.iter().zip([&*theta, &from.velocity, &to.velocity]) {
            momenta.add(system, u, x, cotangent);
        }
        Ok(())
    }
}

impl<M: Reverse + Covectors> Retraced<M> for RattlieBack<M> {
    fn step_back(
        &mut self,
        system: &M,
        from: &State<M>,
        to: &State<M>,
        h: f64,
        trace: Option<Trace<'_, M>>,
        cotangent: &mut Cotangent<M>,
    ) -> Result<(), StepError> {
        self.back(system, (from, to), h, trace, cotangent).map_err(|failure| match failure {
            Failure::Saddle(error) => StepError::of_saddle(error, system, from, h),
            Failure::Slow => Unsolved::Unsettled(TURNS).explained([f64::NAN; 2], system, from, h),
        })
    }

    fn start_back(
        &mut self,
        system: &M,
        given: &State<M>,
        state: &State<M>,
        cotangent: &mut Cotangent<M>,
    ) -> Result<(), StepError> {
        self.momenta.finish(system, cotangent);
        self.saddle.back_to_initial_values(system, given, state, cotangent)
    }
}
