//! The reverse pass through a step of an explicit method on the group.
//!
//! Stage k is at Θ_k, Q_k = q_n exp(Θ_k), V_k, and computes Θ̇_k = T(Θ_k)⁻¹ V_k and V̇_k. Point k + 1 is Θ_{k+1} = h Σ a_{k+1,j} Θ̇_j,
//! V_{k+1} = v_n + h Σ a_{k+1,j} V̇_j. V̇_k and Λ_k solve r = 0 at the stage. The constraint is B V_{k+1} + b = 0 at the next point for
//! half-explicit methods (paper 1, eqs. 12 to 15), and B V̇_k + curvature = 0 at the stage for other methods.
//!
//! Let a, l and y be the cotangents of V̇_k, Λ_k and V_{k+1}. The weights of the two equations solve the transposed system
//!
//! ```text
//! M w + B_{k+1}ᵀ μ' = −(a + h a_{k+1,k} y),    B_k w = −l,    μ' = h a_{k+1,k} μ.
//! ```

use num_traits::{One, Zero};

use super::adjoint_step::{AdjointStep, Trace};
use super::initial::KktWorkspace;
use crate::gradient::adjoint_state::AdjointState;
use crate::group::TangentVector;
use crate::integrator::{HalfExplicit, State, StepError};
use crate::scalar::Scalar;
use crate::space::{ConfigurationSpace, ReverseSpace};
use crate::system::{Cotangents, Evaluation, KktError, MassFactorisation, Reverse};

/// An explicit method as a tableau.
#[derive(Clone, Debug)]
pub(super) struct Scheme {
    /// The row of each point after the first, with an entry for each stage before it.
    pub rows: Vec<Vec<f64>>,
    /// The nodes of the points.
    pub nodes: Vec<f64>,
    /// The index of the point at the end of the step.
    pub end: usize,
    /// The definition of the multipliers λ.
    pub multipliers: MultiplierDefinition,
}

/// The definition of the multipliers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum MultiplierDefinition {
    /// From the constraints at the velocities of the next point: Σ d_k Λ_k; true if the last stage is the first stage of the next step.
    HalfExplicit(Vec<f64>, bool),
    /// From the constraints on the accelerations.
    IndexOne,
}

/// A half-explicit method as a tableau.
pub(super) fn scheme(method: &HalfExplicit) -> Scheme {
    let tableau = method.tableau();
    Scheme {
        rows: tableau.a[1..].iter().map(|row| row.to_vec()).collect(),
        nodes: tableau.c.to_vec(),
        end: tableau.stages,
        multipliers: MultiplierDefinition::HalfExplicit(tableau.d.to_vec(), tableau.first_same_as_last()),
    }
}

/// A point of a step after the first, and its data.
struct ReversePoint<M: Reverse> {
    theta: M::Velocity,
    configuration: M::Configuration,
    velocity: M::Velocity,
    /// B; also −g if the step is repeated.
    here: Evaluation<M>,
}

impl<M: Reverse> ReversePoint<M> {
    fn of(system: &M, configuration: &M::Configuration) -> Self {
        ReversePoint {
            theta: system.zero_velocity(),
            configuration: configuration.clone(),
            velocity: system.zero_velocity(),
            here: Evaluation::of(system),
        }
    }
}

/// The results of the stages, if the step has not stored them.
struct ExplicitStages<M: Reverse> {
    /// V̇ of the stages after the first; V̇ of the first stage is part of the state.
    accelerations: Vec<M::Velocity>,
    multipliers: Vec<M::Multipliers>,
}

impl<M: Reverse> ExplicitStages<M> {
    /// V̇ and Λ of a stage after the first, stored by the step or computed again.
    fn of<'s>(&'s self, stage: usize, trace: Option<Trace<'s, M>>) -> (&'s M::Velocity, &'s M::Multipliers) {
        let (accelerations, multipliers) = match trace {
            // Steps without constraints store no multipliers.
            Some(trace) if trace.multipliers.is_empty() => (trace.vectors, &*self.multipliers),
            Some(trace) => (trace.vectors, trace.multipliers),
            None => (&*self.accelerations, &*self.multipliers),
        };
        (&accelerations[stage - 1], &multipliers[stage - 1])
    }
}

/// h Σ coefficient · vector, without the zero terms.
fn terms<'a, V: TangentVector>(
    h: f64,
    coefficients: &'a [f64],
    vectors: &'a [V],
) -> impl Iterator<Item = (V::Scalar, &'a V)> + Clone {
    let terms = coefficients.iter().zip(vectors).filter(|(coefficient, _)| **coefficient != 0.0);
    terms.map(move |(coefficient, vector)| (V::Scalar::from_f64(h * coefficient), vector))
}

/// The method with the buffers of its reverse pass; allocated once.
pub(super) struct Explicit<M: Reverse> {
    scheme: Scheme,
    /// The columns of the tableau, from the first nonzero entry on.
    columns: Vec<Vec<f64>>,
    /// The k-th point belongs to row k.
    points: Vec<ReversePoint<M>>,
    of_thetas: Vec<M::Velocity>,
    of_velocities: Vec<M::Velocity>,
    /// Θ̇ of the stages.
    rates: Vec<M::Velocity>,
    stages: ExplicitStages<M>,
    /// M of each stage; one entry if M is constant.
    inertias: Vec<MassFactorisation<M>>,
    /// The cotangent of Q of the current point.
    of_configuration: M::Velocity,
    /// The cotangent of Θ̇ of a stage.
    of_rate: M::Velocity,
    /// The cotangents of q and v at the end of the step.
    of_end: [M::Velocity; 2],
    force: M::Velocity,
    weights: M::Velocity,
    constraint: M::Multipliers,
    drift: M::Multipliers,
    row_weights: M::Multipliers,
    kkt: KktWorkspace<M>,
}

/// The mass matrix of a stage.
fn inertia_of<M: Reverse>(inertias: &mut [MassFactorisation<M>], stage: usize) -> &mut MassFactorisation<M> {
    let last = inertias.len() - 1;
    &mut inertias[stage.min(last)]
}

impl<M: Reverse> Explicit<M> {
    pub fn of(system: &M, state: &State<M>, mut scheme: Scheme) -> Self {
        if system.constraint_rows() == 0 {
            // Only the stages before the end are needed without constraints.
            scheme.rows.truncate(scheme.end);
        }
        let zero = || system.zero_velocity();
        let stages = scheme.rows.len();
        let inertias = if system.description().mass_is_constant { 1 } else { stages };
        Explicit {
            columns: (0..stages).map(|stage| scheme.rows[stage..].iter().map(|row| row[stage]).collect()).collect(),
            points: scheme.rows.iter().map(|_| ReversePoint::of(system, &state.configuration)).collect(),
            of_thetas: scheme.rows.iter().map(|_| zero()).collect(),
            of_velocities: scheme.rows.iter().map(|_| zero()).collect(),
            rates: scheme.rows.iter().map(|_| zero()).collect(),
            stages: ExplicitStages {
                accelerations: (1..stages).map(|_| zero()).collect(),
                multipliers: (1..stages).map(|_| system.zero_multipliers()).collect(),
            },
            inertias: (0..inertias).map(|_| MassFactorisation::of(system)).collect(),
            scheme,
            of_configuration: zero(),
            of_rate: zero(),
            of_end: [zero(), zero()],
            force: zero(),
            weights: zero(),
            constraint: system.zero_multipliers(),
            drift: system.zero_multipliers(),
            row_weights: system.zero_multipliers(),
            kkt: KktWorkspace::of(system),
        }
    }

    /// True if stages use the constraints of the next point.
    fn is_half_explicit(&self, system: &M) -> bool {
        system.constraint_rows() > 0 && self.scheme.multipliers != MultiplierDefinition::IndexOne
    }

    /// Computes the stages again: their points from the stored results of the step, and missing results from the equations.
    fn retrace(&mut self, system: &M, from: &State<M>, h: f64, trace: Option<Trace<'_, M>>) -> Result<(), KktError> {
        let (looks_ahead, is_known) = (self.is_half_explicit(system), trace.is_some());
        let Explicit { scheme, points, rates, stages, inertias, constraint, drift, .. } = self;
        let (count, real) = (points.len(), M::Scalar::from_f64);
        rates[0].assign(&from.velocity);
        for (at, row) in scheme.rows.iter().enumerate() {
            let (before, after) = points.split_at_mut(at);
            let next = &mut after[0];
            let t = real(from.time + scheme.nodes[at + 1] * h);
            // V̇ of the previous stage is not known yet: the constraints at this point determine its velocities.
            let determines = looks_ahead && !is_known && at > 0;
            next.theta.set_combination(terms(h, row, rates));
            next.velocity.assign_sum(&from.velocity, real(h * row[0]), &from.acceleration);
            let accelerations = trace.map_or(&*stages.accelerations, |trace| trace.vectors);
            next.velocity.add_combination(h, &row[1..row.len() - usize::from(determines)], accelerations);
            system.space().compose_exp(&from.configuration, &next.theta, &mut next.configuration);
            let is_stage = at + 1 < count;
            if looks_ahead {
                // The common subexpressions of the force are shared, as in the step.
                if is_stage && !is_known {
                    next.here.place(system, t, &next.configuration);
                } else {
                    next.here.place_rows(system, t, &next.configuration);
                }
            }
            if determines {
                let (last, then) = (h * row[at], real(from.time + scheme.nodes[at] * h));
                system.constraint_drift(t, &next.configuration, drift);
                let ReversePoint { configuration, velocity, here, .. } = &mut before[at - 1];
                let inertia = inertia_of(inertias, at);
                here.complete(system, (then, configuration, velocity), inertia)?;
                let (acceleration, multipliers) = (&mut stages.accelerations[at - 1], &mut stages.multipliers[at - 1]);
                let (mass, Evaluation { jacobian, force }) = (inertia.factors(), here);
                let (there, ahead) = (&next.here.jacobian, (&next.velocity, last));
                system.solve_kkt_end_velocity(mass, jacobian, there, force, ahead, drift, acceleration, multipliers)?;
                next.velocity.axpy(real(last), acceleration);
            }
            if is_stage {
                let ReversePoint { theta, configuration, velocity, here, .. } = next;
                system.space().tangent_inverse(theta, velocity, &mut rates[at + 1]);
                let inertia = inertia_of(inertias, at + 1);
                if is_known {
                    inertia.at(system, t, configuration)?;
                } else if !looks_ahead {
                    let (acceleration, multipliers) = (&mut stages.accelerations[at], &mut stages.multipliers[at]);
                    let there = (t, &*configuration, &*velocity);
                    here.accelerations(system, there, inertia, constraint, acceleration, multipliers)?;
                }
            }
        }
        Ok(())
    }

    /// Starts with the cotangents of a point: the cotangents of the end of the step, or zero.
    fn begin(&mut self, at: usize) {
        let zero = M::Scalar::zero();
        let Explicit { scheme, of_thetas, of_velocities, of_configuration, of_end, .. } = self;
        let ([of_end, of_end_velocity], of_velocity) = (of_end, &mut of_velocities[at]);
        of_thetas[at].fill(zero);
        if at + 1 == scheme.end {
            of_configuration.assign(of_end);
            of_velocity.assign(of_end_velocity);
        } else {
            of_configuration.fill(zero);
            of_velocity.fill(zero);
        }
    }

    /// Maps the cotangent of Q of a point to the start of the step and to Θ.
    fn pass(&mut self, system: &M, at: usize, cotangent: &mut AdjointState<M>) {
        let (theta, of_theta) = (&self.points[at].theta, &mut self.of_thetas[at]);
        system.space().motion_pullback(theta, &self.of_configuration, &mut cotangent.configuration, of_theta);
    }

    /// Runs the reverse pass through the step.
    ///
    /// The contributions of later points to a stage are summed when the stage is processed. Each vector is written once, which determines
    /// the cost of a step of a long chain.
    fn back(
        &mut self,
        system: &M,
        (from, to): (&State<M>, &State<M>),
        h: f64,
        trace: Option<Trace<'_, M>>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), KktError> {
        let looks_ahead = self.is_half_explicit(system);
        let (one, count) = (M::Scalar::one(), self.points.len());
        let is_same_as_last =
            matches!(self.scheme.multipliers, MultiplierDefinition::HalfExplicit(_, true)) && looks_ahead;
        match self.scheme.multipliers {
            MultiplierDefinition::IndexOne => self.kkt.back_through_accelerations(system, to, cotangent)?,
            MultiplierDefinition::HalfExplicit(..) if is_same_as_last => {}
            MultiplierDefinition::HalfExplicit(..) => self.kkt.back_through_first_stage(system, to, cotangent)?,
        }
        self.retrace(system, from, h, trace)?;
        self.of_end[0].assign(&cotangent.configuration);
        self.of_end[1].assign(&cotangent.velocity);
        cotangent.configuration.fill(M::Scalar::zero());
        self.begin(count - 1);
        for stage in (1..count).rev() {
            let t = M::Scalar::from_f64(from.time + self.scheme.nodes[stage] * h);
            let of_last = (is_same_as_last && stage + 1 == count).then_some(&cotangent.acceleration);
            self.weigh(system, stage, h, of_last, &cotangent.multipliers)?;
            if looks_ahead {
                let later = M::Scalar::from_f64(from.time + self.scheme.nodes[stage + 1] * h);
                let ReversePoint { configuration, velocity, .. } = &self.points[stage];
                let out = &mut Cotangents {
                    of_configuration: &mut self.of_configuration,
                    of_velocity: &mut self.of_velocities[stage],
                    of_parameters: &mut cotangent.parameters,
                };
                system.rate_pullback(later, configuration, velocity, &self.row_weights, out);
                cotangent.note_inputs(system, later.value());
            }
            self.pass(system, stage, cotangent);
            self.begin(stage - 1);
            let Explicit { columns, of_rate, of_configuration, weights, row_weights, force, .. } = self;
            let ReversePoint { theta, configuration, velocity, .. } = &self.points[stage - 1];
            let (own, behind) = self.of_thetas.split_at_mut(stage);
            of_rate.set_combination(terms(h, &columns[stage], behind));
            let (of_theta, of_velocity) = (&mut own[stage - 1], &mut self.of_velocities[stage - 1]);
            let out = &mut Cotangents { of_configuration, of_velocity, of_parameters: &mut cotangent.parameters };
            let (acceleration, multipliers) = self.stages.of(stage, trace);
            system.residual_pullback(t, configuration, velocity, acceleration, multipliers, weights, out);
            if !looks_ahead && system.constraint_rows() > 0 {
                system.curvature_pullback(t, configuration, velocity, row_weights, out);
                // D_q (B v') is the gradient of B v + b at v = v', minus the gradient at v = 0.
                system.rate_pullback(t, configuration, acceleration, row_weights, out);
                force.fill(M::Scalar::zero());
                row_weights.scale(-one);
                system.rate_pullback(t, configuration, force, row_weights, out);
            }
            system.space().coordinate_rate_pullback([theta, velocity], of_rate, of_theta, out.of_velocity);
            cotangent.note_inputs(system, t.value());
        }
        self.pass(system, 0, cotangent);
        let of_rate = terms(h, &self.columns[0], &self.of_thetas);
        cotangent.velocity.set_combination(self.of_velocities.iter().map(|vector| (one, vector)).chain(of_rate));
        cotangent.acceleration.set_combination(terms(h, &self.columns[0], &self.of_velocities));
        match &self.scheme.multipliers {
            MultiplierDefinition::HalfExplicit(d, _) if looks_ahead => {
                cotangent.multipliers.scale(M::Scalar::from_f64(d.first().copied().unwrap_or(0.0)));
            }
            // There are no multipliers without constraints, and the multipliers of the start are not used.
            _ => cotangent.multipliers.fill(M::Scalar::zero()),
        }
        Ok(())
    }

    /// Computes the weights w and μ of a stage from the cotangents of λ and, for the last stage only, of v' at the end.
    fn weigh(
        &mut self,
        system: &M,
        stage: usize,
        h: f64,
        of_last: Option<&M::Velocity>,
        of_lambda: &M::Multipliers,
    ) -> Result<(), KktError> {
        let (real, looks_ahead) = (M::Scalar::from_f64, self.is_half_explicit(system));
        let Explicit { scheme, points, inertias, force, constraint, weights, row_weights, .. } = self;
        force.set_combination(terms(-h, &self.columns[stage], &self.of_velocities[stage..]));
        if let Some(of_last) = of_last {
            force.axpy(-M::Scalar::one(), of_last);
        }
        let mass = inertia_of(inertias, stage).factors();
        if system.constraint_rows() == 0 {
            system.solve_mass(mass, force, weights);
            return Ok(());
        }
        let jacobian = &points[stage - 1].here.jacobian;
        if !looks_ahead {
            constraint.fill(M::Scalar::zero());
            return system.solve_kkt(mass, jacobian, jacobian, force, constraint, weights, row_weights);
        }
        let part = match &scheme.multipliers {
            MultiplierDefinition::HalfExplicit(d, _) => d.get(stage).copied().unwrap_or(0.0),
            MultiplierDefinition::IndexOne => 0.0,
        };
        constraint.assign_scaled(real(-part), of_lambda);
        let ahead = &points[stage].here.jacobian;
        system.solve_kkt(mass, ahead, jacobian, force, constraint, weights, row_weights)?;
        row_weights.scale(real(1.0 / (h * scheme.rows[stage][stage])));
        Ok(())
    }
}

impl<M: Reverse> AdjointStep<M> for Explicit<M> {
    fn step_back(
        &mut self,
        system: &M,
        from: &State<M>,
        to: &State<M>,
        h: f64,
        trace: Option<Trace<'_, M>>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError> {
        self.back(system, (from, to), h, trace, cotangent).map_err(|error| StepError::of_kkt(error, system, from, h))
    }

    fn start_back(
        &mut self,
        system: &M,
        given: &State<M>,
        state: &State<M>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError> {
        self.kkt.back_to_initial_values(system, given, state, cotangent)
    }
}
