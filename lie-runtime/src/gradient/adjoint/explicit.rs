//! Back through a step of an explicit method on the group.
//!
//! Stage k stands at Θ_k, Q_k = q_n exp(Θ_k), V_k, and gives Θ̇_k = T(Θ_k)⁻¹ V_k and V̇_k; point k + 1 is reached by
//! Θ_{k+1} = h Σ a_{k+1,j} Θ̇_j, V_{k+1} = v_n + h Σ a_{k+1,j} V̇_j. V̇_k and Λ_k solve r = 0 at the stage and, of half-explicit
//! methods, B V_{k+1} + b = 0 at the point after it (paper 1, eqs. 12 to 15), else B V̇_k + curvature = 0 at the stage.
//!
//! With the cotangents a of V̇_k, l of Λ_k and y of V_{k+1}, the weights of the two equations solve the transposed system
//!
//! ```text
//! M w + B_{k+1}ᵀ μ' = −(a + h a_{k+1,k} y),    B_k w = −l,    μ' = h a_{k+1,k} μ.
//! ```

use num_traits::{One, Zero};

use super::initial::Saddle;
use super::{Cotangent, Retraced, Trace};
use crate::group::TangentVector;
use crate::integrator::{State, StepError};
use crate::scalar::Scalar;
use crate::space::{ConfigurationSpace, LocalSpace};
use crate::system::{Cotangents, Evaluation, Inertia, Reverse, SaddleError};

/// An explicit method as rows of numbers.
#[derive(Clone, Debug)]
pub(super) struct Scheme {
    /// The row that leads to each point after the first, with an entry for each stage before it.
    pub rows: Vec<Vec<f64>>,
    /// The nodes of the points.
    pub nodes: Vec<f64>,
    /// The point where the step ends.
    pub end: usize,
    /// What λ is made of.
    pub multipliers: Multipliers,
}

/// Where the multipliers come from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Multipliers {
    /// From the constraints at the velocities of the next point: Σ d_k Λ_k; true if the last stage is the first of the next
    /// step.
    HalfExplicit(Vec<f64>, bool),
    /// From the constraints at the accelerations.
    IndexOne,
}

/// A point of a step, what is there, and the cotangents of that.
struct Point<M: Reverse> {
    theta: M::Velocity,
    configuration: M::Configuration,
    velocity: M::Velocity,
    rate: M::Velocity,
    acceleration: M::Velocity,
    multipliers: M::Multipliers,
    /// B, and −g where the step is computed once more.
    here: Evaluation<M>,
    inertia: Inertia<M>,
    of_theta: M::Velocity,
    of_configuration: M::Velocity,
    of_velocity: M::Velocity,
    of_rate: M::Velocity,
    of_acceleration: M::Velocity,
}

impl<M: Reverse> Point<M> {
    fn of(system: &M, configuration: &M::Configuration) -> Self {
        let zero = || system.zero_velocity();
        Point {
            theta: zero(),
            configuration: configuration.clone(),
            velocity: zero(),
            rate: zero(),
            acceleration: zero(),
            multipliers: system.zero_multipliers(),
            here: Evaluation::of(system),
            inertia: Inertia::of(system),
            of_theta: zero(),
            of_configuration: zero(),
            of_velocity: zero(),
            of_rate: zero(),
            of_acceleration: zero(),
        }
    }

    fn forget_cotangents(&mut self) {
        let zero = M::Scalar::zero();
        let Point { of_theta, of_configuration, of_velocity, of_rate, of_acceleration, .. } = self;
        for cotangent in [of_theta, of_configuration, of_velocity, of_rate, of_acceleration] {
            cotangent.fill(zero);
        }
    }
}

/// A method with the buffers to go back through its steps; allocated once.
pub(super) struct Explicit<M: Reverse> {
    scheme: Scheme,
    points: Vec<Point<M>>,
    force: M::Velocity,
    weights: M::Velocity,
    constraint: M::Multipliers,
    drift: M::Multipliers,
    row_weights: M::Multipliers,
    saddle: Saddle<M>,
}

impl<M: Reverse> Explicit<M> {
    pub fn of(system: &M, state: &State<M>, mut scheme: Scheme) -> Self {
        if system.constraint_rows() == 0 {
            // Without constraints there are the stages alone that lead to the end.
            scheme.rows.truncate(scheme.end);
        }
        Explicit {
            points: (0..=scheme.rows.len()).map(|_| Point::of(system, &state.configuration)).collect(),
            scheme,
            force: system.zero_velocity(),
            weights: system.zero_velocity(),
            constraint: system.zero_multipliers(),
            drift: system.zero_multipliers(),
            row_weights: system.zero_multipliers(),
            saddle: Saddle::of(system),
        }
    }

    /// True if stages look ahead.
    fn is_half_explicit(&self, system: &M) -> bool {
        system.constraint_rows() > 0 && self.scheme.multipliers != Multipliers::IndexOne
    }

    /// The stages of the step once more: where they are by what the step has left, and by the equations what it has not.
    fn retrace(&mut self, system: &M, from: &State<M>, h: f64, trace: Option<Trace<'_, M>>) -> Result<(), SaddleError> {
        if let Some(Trace { vectors, multipliers }) = &trace {
            for (stage, own) in self.points[1..].iter_mut().zip(*vectors) {
                stage.acceleration.assign(own);
            }
            for (stage, own) in self.points[1..].iter_mut().zip(*multipliers) {
                stage.multipliers.assign(own);
            }
        }
        let is_known = trace.is_some();
        let looks_ahead = self.is_half_explicit(system);
        let stages = self.scheme.rows.len();
        let first = &mut self.points[0];
        first.theta.fill(M::Scalar::zero());
        first.configuration.clone_from(&from.configuration);
        for (to, from) in [
            (&mut first.velocity, &from.velocity),
            (&mut first.rate, &from.velocity),
            (&mut first.acceleration, &from.acceleration),
        ] {
            to.assign(from);
        }
        for point in 1..=stages {
            let (before, after) = self.points.split_at_mut(point);
            let (next, row) = (&mut after[0], &self.scheme.rows[point - 1]);
            let t = M::Scalar::from_f64(from.time + self.scheme.nodes[point] * h);
            next.theta.fill(M::Scalar::zero());
            next.velocity.assign(&from.velocity);
            for (at, (&a, stage)) in row.iter().zip(&*before).enumerate() {
                let factor = M::Scalar::from_f64(h * a);
                next.theta.axpy(factor, &stage.rate);
                if is_known || !(looks_ahead && at > 0 && at + 1 == point) {
                    next.velocity.axpy(factor, &stage.acceleration);
                }
            }
            system.space().compose_exp(&from.configuration, &next.theta, &mut next.configuration);
            if looks_ahead {
                // With what the force there has in common with it, as the step has computed it.
                if !is_known && point < stages {
                    next.here.place(system, t, &next.configuration);
                } else {
                    next.here.place_rows(system, t, &next.configuration);
                }
            }
            if looks_ahead && point > 1 && !is_known {
                // The last stage before, whose velocities the constraints here determine.
                let stage = &mut before[point - 1];
                let last = h * row[point - 1];
                system.jacobian_times(&next.here.jacobian, &next.velocity, &mut self.constraint);
                system.constraint_drift(t, &next.configuration, &mut self.drift);
                self.constraint.axpy(M::Scalar::one(), &self.drift);
                self.constraint.scale(M::Scalar::from_f64(-1.0 / last));
                let then = M::Scalar::from_f64(from.time + self.scheme.nodes[point - 1] * h);
                let Point { configuration, velocity, here, inertia, acceleration, multipliers, .. } = stage;
                here.complete(system, (then, configuration, velocity), inertia)?;
                let (mass, Evaluation { jacobian, force }, ahead) = (inertia.factors(), here, &next.here.jacobian);
                system.solve_saddle(mass, jacobian, ahead, force, &self.constraint, acceleration, multipliers)?;
                next.velocity.axpy(M::Scalar::from_f64(last), acceleration);
            }
            if point < stages {
                system.space().tangent_inverse(&next.theta, &next.velocity, &mut next.rate);
                if !looks_ahead && !is_known {
                    self.accelerate(system, t, point)?;
                } else if is_known {
                    next.inertia.at(system, t, &next.configuration)?;
                }
            }
        }
        Ok(())
    }

    /// v' and λ of a stage by itself.
    fn accelerate(&mut self, system: &M, t: M::Scalar, at: usize) -> Result<(), SaddleError> {
        let Point { configuration, velocity, here, inertia, acceleration, multipliers, .. } = &mut self.points[at];
        here.accelerations(
            system,
            (t, configuration, velocity),
            inertia,
            &mut self.constraint,
            acceleration,
            multipliers,
        )?;
        Ok(())
    }

    /// Hands the cotangents of a point's Q and V on to where the step starts and to the stages before it; of a stage that is
    /// eliminated with the constraints at the point, V̇ has been accounted for.
    fn distribute(&mut self, system: &M, h: f64, point: usize, eliminates: bool, cotangent: &mut Cotangent<M>) {
        let (before, after) = self.points.split_at_mut(point);
        let Point { theta, of_theta, of_configuration, of_velocity, .. } = &mut after[0];
        cotangent.velocity.axpy(M::Scalar::one(), of_velocity);
        system.space().motion_pullback(theta, of_configuration, &mut cotangent.configuration, of_theta);
        for (at, (&a, stage)) in self.scheme.rows[point - 1].iter().zip(before).enumerate() {
            let factor = M::Scalar::from_f64(h * a);
            stage.of_rate.axpy(factor, of_theta);
            if !(eliminates && at > 0 && at + 1 == point) {
                stage.of_acceleration.axpy(factor, of_velocity);
            }
        }
    }

    /// Back through the step.
    fn back(
        &mut self,
        system: &M,
        (from, to): (&State<M>, &State<M>),
        h: f64,
        trace: Option<Trace<'_, M>>,
        cotangent: &mut Cotangent<M>,
    ) -> Result<(), SaddleError> {
        let looks_ahead = self.is_half_explicit(system);
        let (minus, stages) = (-M::Scalar::one(), self.scheme.rows.len());
        let is_same_as_last = matches!(self.scheme.multipliers, Multipliers::HalfExplicit(_, true)) && looks_ahead;
        match self.scheme.multipliers {
            Multipliers::IndexOne => self.saddle.back_through_accelerations(system, to, cotangent)?,
            Multipliers::HalfExplicit(..) if is_same_as_last => {}
            Multipliers::HalfExplicit(..) => self.saddle.back_through_first_stage(system, to, cotangent)?,
        }
        self.retrace(system, from, h, trace)?;
        for point in &mut self.points {
            point.forget_cotangents();
        }
        if is_same_as_last {
            self.points[stages - 1].of_acceleration.assign(&cotangent.acceleration);
        }
        let end = &mut self.points[self.scheme.end];
        end.of_configuration.assign(&cotangent.configuration);
        end.of_velocity.assign(&cotangent.velocity);
        cotangent.configuration.fill(M::Scalar::zero());
        cotangent.velocity.fill(M::Scalar::zero());
        for stage in (1..stages).rev() {
            let next = stage + 1;
            let [t, later] = [stage, next].map(|point| M::Scalar::from_f64(from.time + self.scheme.nodes[point] * h));
            if looks_ahead {
                let (before, after) = self.points.split_at_mut(next);
                let (here, there) = (&mut before[stage], &mut after[0]);
                let last = h * self.scheme.rows[next - 1][stage];
                self.force.assign_scaled(minus, &here.of_acceleration);
                self.force.axpy(M::Scalar::from_f64(-last), &there.of_velocity);
                let of_lambda = match &self.scheme.multipliers {
                    Multipliers::HalfExplicit(d, _) => d.get(stage).copied().unwrap_or(0.0),
                    Multipliers::IndexOne => 0.0,
                };
                self.constraint.assign_scaled(M::Scalar::from_f64(-of_lambda), &cotangent.multipliers);
                system.solve_saddle(
                    here.inertia.factors(),
                    &there.here.jacobian,
                    &here.here.jacobian,
                    &self.force,
                    &self.constraint,
                    &mut self.weights,
                    &mut self.row_weights,
                )?;
                self.row_weights.scale(M::Scalar::from_f64(1.0 / last));
                let out = &mut Cotangents {
                    of_configuration: &mut there.of_configuration,
                    of_velocity: &mut there.of_velocity,
                    of_parameters: &mut cotangent.parameters,
                };
                system.rate_pullback(later, &there.configuration, &there.velocity, &self.row_weights, out);
                cotangent.note_inputs(system, later.value());
                self.distribute(system, h, next, true, cotangent);
            } else {
                self.distribute(system, h, next, false, cotangent);
                self.weigh(system, stage)?;
            }
            let Point {
                theta,
                configuration,
                velocity,
                acceleration,
                multipliers,
                of_theta,
                of_configuration,
                of_velocity,
                of_rate,
                ..
            } = &mut self.points[stage];
            let out = &mut Cotangents { of_configuration, of_velocity, of_parameters: &mut cotangent.parameters };
            system.residual_pullback(t, configuration, velocity, acceleration, multipliers, &self.weights, out);
            if !looks_ahead && system.constraint_rows() > 0 {
                system.curvature_pullback(t, configuration, velocity, &self.row_weights, out);
                // D_q (B v') is what B v + b has at v = v' and not at rest.
                system.rate_pullback(t, configuration, acceleration, &self.row_weights, out);
                self.force.fill(M::Scalar::zero());
                self.row_weights.scale(minus);
                system.rate_pullback(t, configuration, &self.force, &self.row_weights, out);
            }
            system.space().coordinate_rate_pullback([theta, velocity], of_rate, of_theta, out.of_velocity);
            cotangent.note_inputs(system, t.value());
        }
        self.distribute(system, h, 1, looks_ahead, cotangent);
        let Point { of_rate, of_acceleration, .. } = &self.points[0];
        cotangent.velocity.axpy(M::Scalar::one(), of_rate);
        cotangent.acceleration.assign(of_acceleration);
        match &self.scheme.multipliers {
            Multipliers::HalfExplicit(d, _) if looks_ahead => {
                cotangent.multipliers.scale(M::Scalar::from_f64(d.first().copied().unwrap_or(0.0)));
            }
            // Without constraints there are none; else nothing reads those of the start.
            _ => cotangent.multipliers.fill(M::Scalar::zero()),
        }
        Ok(())
    }

    /// The weights w and μ of a stage by itself.
    fn weigh(&mut self, system: &M, stage: usize) -> Result<(), SaddleError> {
        let Point { inertia, here: Evaluation { jacobian, .. }, of_acceleration, .. } = &mut self.points[stage];
        let mass = inertia.factors();
        self.force.assign_scaled(-M::Scalar::one(), of_acceleration);
        if system.constraint_rows() == 0 {
            system.solve_mass(mass, &self.force, &mut self.weights);
            return Ok(());
        }
        self.constraint.fill(M::Scalar::zero());
        let (weights, rows) = (&mut self.weights, &mut self.row_weights);
        system.solve_saddle(mass, jacobian, jacobian, &self.force, &self.constraint, weights, rows)
    }
}

impl<M: Reverse> Retraced<M> for Explicit<M> {
    fn step_back(
        &mut self,
        system: &M,
        from: &State<M>,
        to: &State<M>,
        h: f64,
        trace: Option<Trace<'_, M>>,
        cotangent: &mut Cotangent<M>,
    ) -> Result<(), StepError> {
        self.back(system, (from, to), h, trace, cotangent).map_err(|error| StepError::of_saddle(error, system, from, h))
    }

    fn start_back(
        &mut self,
        system: &M,
        given: &State<M>,
        state: &State<M>,
        cotangent: &mut Cotangent<M>,
    ) -> Result<(), StepError> {
        self.saddle.back_to_initial_values(system, given, state, cotangent)
    }
}
