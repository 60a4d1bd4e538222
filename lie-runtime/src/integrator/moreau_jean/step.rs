//! One step.

use num_traits::{One, Zero};

use super::impulses::{Bound, ImpulseProblem, NotSolved};
use super::options::{ID, MoreauJeanOptions};
use crate::group::TangentVector;
use crate::integrator::{State, StepError, StepFailure};
use crate::scalar::{Scalar, larger};
use crate::space::ConfigurationSpace;
use crate::system::{ImposedLaws, KktError, LawRows, MechanicalSystem, RowLaw};

/// The maximum number of iterations of the projection onto the position constraints.
const PROJECTIONS: usize = 20;
/// A correction of the position below this part of the displacement of a step is the last one.
const LAST_CORRECTION: f64 = 1e-9;
/// Corrections and gaps below this multiple of the round-off of the configuration are round-off.
const ROUND_OFF: f64 = 16.0;

/// A row that acts in the current step: its gradient Bᵀ, and the velocities and multipliers that a unit impulse causes.
struct ImpulseRow<M: MechanicalSystem> {
    /// The position in the list of rows.
    number: usize,
    gradient: M::Velocity,
    response: M::Velocity,
    reactions: M::Multipliers,
}

/// The buffers of a step.
#[doc(hidden)]
pub struct MoreauJeanWorkspace<M: MechanicalSystem> {
    /// The laws of contacts and frictions.
    pub(super) laws: ImposedLaws,
    /// The rows of the laws, after the start; `None` for a system without contacts.
    rows: Option<LawRows<M>>,
    /// True if there are bilateral constraints.
    is_constrained: bool,
    mass: M::Mass,
    /// B of the bilateral constraints.
    jacobian: M::Jacobian,
    /// B of each system in which rows act, with its gaps and drifts.
    acting: Vec<(M::Jacobian, M::Multipliers, M::Multipliers)>,
    midpoint: M::Configuration,
    displacement: M::Velocity,
    force: M::Velocity,
    change: M::Velocity,
    rates: M::Multipliers,
    reactions: M::Multipliers,
    /// The rows that act in the current step, in the first places.
    active: Vec<ImpulseRow<M>>,
    problem: ImpulseProblem,
    pub(super) solves: u64,
    pub(super) sweeps: u64,
    pub(super) steps: u64,
}

impl<M: MechanicalSystem> MoreauJeanWorkspace<M> {
    pub(super) fn of(system: &M, state: &State<M>) -> Self {
        MoreauJeanWorkspace {
            laws: ImposedLaws::default(),
            rows: None,
            is_constrained: false,
            mass: system.zero_mass(),
            jacobian: system.zero_jacobian(),
            acting: Vec::new(),
            midpoint: state.configuration.clone(),
            displacement: system.zero_velocity(),
            force: system.zero_velocity(),
            change: system.zero_velocity(),
            rates: system.zero_multipliers(),
            reactions: system.zero_multipliers(),
            active: Vec::new(),
            problem: ImpulseProblem::default(),
            solves: 0,
            sweeps: 0,
            steps: 0,
        }
    }

    /// Determines the rows of the laws. Inputs and parameters may have changed.
    pub(super) fn start(&mut self, system: &M, state: &State<M>) -> Result<(), StepError> {
        let failed = |failure| StepError { time: state.time, step: 0.0, failure };
        self.rows = system.law_rows(&self.laws).map_err(|error| failed(StepFailure::ForeignState(error)))?;
        self.is_constrained = system.constraint_rows() > self.rows.as_ref().map_or(0, LawRows::constraint_rows);
        let Some(LawRows { rows, acting, .. }) = &self.rows else { return Ok(()) };
        if !rows.is_empty() && !M::Scalar::IS_F64 {
            let requirement = "real numbers: contacts and dry friction have no derivatives and no SIMD lanes";
            return Err(failed(StepFailure::NotApplicable { method: ID, requirement }));
        }
        let buffers = || (system.zero_jacobian(), system.zero_multipliers(), system.zero_multipliers());
        self.acting.resize_with(acting.len(), buffers);
        let row = || ImpulseRow {
            number: 0,
            gradient: system.zero_velocity(),
            response: system.zero_velocity(),
            reactions: system.zero_multipliers(),
        };
        self.active.resize_with(rows.len(), row);
        Ok(())
    }

    pub(super) fn step(
        &mut self,
        options: &MoreauJeanOptions,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
    ) -> Result<(), StepError> {
        let failed = |error| StepError::of_kkt(error, system, from, h);
        self.velocity_without_laws(system, from, h, to).map_err(failed)?;
        to.memory.forget();
        if !(to.velocity.all_finite() && to.multipliers.all_finite()) {
            return Err(failed(KktError::NotFinite));
        }
        let count = self.activate(from, h, to).map_err(failed)?;
        if count > 0 {
            self.apply_impulses(options, count, to).map_err(|failure| StepError {
                time: from.time,
                step: h,
                failure,
            })?;
        }
        self.displacement.assign_scaled(M::Scalar::from_f64(0.5 * h), &to.velocity);
        system.space().compose_exp(&self.midpoint, &self.displacement, &mut to.configuration);
        to.time = from.time + h;
        if self.is_constrained {
            self.project(system, from, h, to)?;
        }
        let per_step = M::Scalar::from_f64(1.0 / h);
        to.multipliers.scale(per_step);
        to.acceleration.assign_sum(&to.velocity, -M::Scalar::one(), &from.velocity);
        to.acceleration.scale(per_step);
        self.steps += 1;
        if to.velocity.all_finite() && to.multipliers.all_finite() && system.space().is_finite(&to.configuration) {
            Ok(())
        } else {
            Err(StepError::not_finite(system, from, h))
        }
    }

    /// Computes q_m, and the velocity and the impulses h λ of the bilateral constraints at the end of a step without the laws.
    fn velocity_without_laws(
        &mut self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
    ) -> Result<(), KktError> {
        let half = M::Scalar::from_f64(0.5 * h);
        let t = M::Scalar::from_f64(from.time + 0.5 * h);
        let (free, source) = self.rows.as_ref().map_or((system, system), |rows| (&rows.free, &rows.acting[0]));
        self.displacement.assign_scaled(half, &from.velocity);
        system.space().compose_exp(&from.configuration, &self.displacement, &mut self.midpoint);
        free.mass(t, &self.midpoint, &mut self.mass)?;
        source.force(t, &self.midpoint, &from.velocity, &mut self.force);
        self.force.scale(M::Scalar::from_f64(h));
        self.solves += 1;
        if self.is_constrained {
            free.constraint_jacobian(t, &self.midpoint, &mut self.jacobian);
            free.constraint_drift(t, &self.midpoint, &mut self.rates);
            free.jacobian_times(&self.jacobian, &from.velocity, &mut self.reactions);
            self.rates.axpy(M::Scalar::one(), &self.reactions);
            self.rates.scale(-M::Scalar::one());
            let (mass, jacobian) = (&mut self.mass, &self.jacobian);
            free.solve_kkt(mass, jacobian, jacobian, &self.force, &self.rates, &mut self.change, &mut to.multipliers)?;
        } else {
            to.multipliers.fill(M::Scalar::zero());
            free.solve_mass(&mut self.mass, &self.force, &mut self.change);
        }
        to.velocity.assign_sum(&from.velocity, M::Scalar::one(), &self.change);
        Ok(())
    }

    /// Collects the rows that act in the step and the problem of their impulses. Returns the number of rows. `to` contains the velocity
    /// without impulses.
    fn activate(&mut self, from: &State<M>, h: f64, to: &State<M>) -> Result<usize, KktError> {
        let t = M::Scalar::from_f64(from.time + 0.5 * h);
        let Some(LawRows { free, acting, rows }) = &self.rows else { return Ok(0) };
        for (place, (system, (jacobian, gaps, drifts))) in acting.iter().zip(&mut self.acting).enumerate() {
            if rows.iter().any(|row| row.acting == place) {
                system.constraint_jacobian(t, &self.midpoint, jacobian);
                system.constraint(t, &self.midpoint, gaps);
                system.constraint_drift(t, &self.midpoint, drifts);
            }
        }
        self.problem.rates.clear();
        self.problem.bounds.clear();
        // A contact at rest would open for a step if round-off made its gap positive.
        let closed = ROUND_OFF * M::Scalar::epsilon() * free.space().extent(&self.midpoint);
        let mut count = 0;
        for (number, row) in rows.iter().enumerate() {
            let (jacobian, gaps, drifts) = &self.acting[row.acting];
            let bound = match row.law {
                RowLaw::Contact { .. } => {
                    let gap = gaps.component(row.row).value();
                    if !gap.is_finite() {
                        return Err(KktError::NotFinite);
                    }
                    (gap <= closed).then_some(Bound::Contact)
                }
                RowLaw::ContactFriction { contact, coefficient } => {
                    let place = self.active[..count].iter().position(|known| known.number == contact);
                    place.map(|place| Bound::Friction(place, coefficient))
                }
                RowLaw::JointFriction { bound, .. } => Some(Bound::Constant(h * bound)),
            };
            let Some(mut bound) = bound else { continue };
            let ImpulseRow { number: own, gradient, response, reactions } = &mut self.active[count];
            *own = number;
            self.rates.fill(M::Scalar::zero());
            self.rates.set_component(row.row, M::Scalar::one());
            acting[row.acting].jacobian_transpose_times(jacobian, &self.rates, gradient);
            self.solves += 1;
            if self.is_constrained {
                self.rates.fill(M::Scalar::zero());
                let (mass, jacobian) = (&mut self.mass, &self.jacobian);
                free.solve_kkt(mass, jacobian, jacobian, gradient, &self.rates, response, reactions)?;
            } else {
                reactions.fill(M::Scalar::zero());
                free.solve_mass(&mut self.mass, gradient, response);
            }
            let drift = drifts.component(row.row);
            let mut rate = (gradient.dot(&to.velocity) + drift).value();
            let before = || (gradient.dot(&from.velocity) + drift).value();
            match row.law {
                RowLaw::Contact { restitution } => rate += restitution * before(),
                RowLaw::JointFriction { bound: largest, stribeck: Some([sliding, velocity]) } => {
                    let decay = (-(before() / velocity).powi(2)).exp();
                    bound = Bound::Constant(h * (sliding + (largest - sliding) * decay));
                }
                _ => {}
            }
            self.problem.rates.push(rate);
            self.problem.bounds.push(bound);
            count += 1;
        }
        self.problem.delassus.clear();
        for row in &self.active[..count] {
            let entries = self.active[..count].iter().map(|column| row.gradient.dot(&column.response).value());
            self.problem.delassus.extend(entries);
        }
        let values = [&self.problem.rates, &self.problem.delassus];
        if values.into_iter().flatten().all(|value| value.is_finite()) { Ok(count) } else { Err(KktError::NotFinite) }
    }

    /// Solves the problem of the impulses and adds them to the velocity and to the multipliers.
    fn apply_impulses(
        &mut self,
        options: &MoreauJeanOptions,
        count: usize,
        to: &mut State<M>,
    ) -> Result<(), StepFailure> {
        let Some(LawRows { rows, .. }) = &self.rows else { return Ok(()) };
        let largest = self.problem.rates.iter().fold(0.0_f64, |largest, rate| larger(largest, rate.abs()));
        let tolerance = options.tolerance * largest;
        let solved = self.problem.solve(tolerance, options.maximum_iterations);
        let sweeps = solved.map_err(|NotSolved { row, residual, sweeps }| StepFailure::ImpulsesNotConverged {
            contact: rows[self.active[row].number].name,
            iterations: sweeps,
            residual,
            tolerance,
        })?;
        self.sweeps += sweeps as u64;
        for (row, impulse) in self.active[..count].iter().zip(&self.problem.impulses) {
            let impulse = M::Scalar::from_f64(*impulse);
            to.velocity.axpy(impulse, &row.response);
            to.multipliers.axpy(impulse, &row.reactions);
            let own = rows[row.number].row;
            to.multipliers.set_component(own, to.multipliers.component(own) - impulse);
        }
        Ok(())
    }

    /// Projects the configuration and the velocity at the end of a step onto the bilateral constraints.
    fn project(&mut self, system: &M, from: &State<M>, h: f64, to: &mut State<M>) -> Result<(), StepError> {
        let failed = |error| StepError::of_kkt(error, system, from, h);
        let free = self.rows.as_ref().map_or(system, |rows| &rows.free);
        let t = M::Scalar::from_f64(to.time);
        let round_off = ROUND_OFF * M::Scalar::epsilon() * system.space().extent(&to.configuration);
        let last = (LAST_CORRECTION * h * to.velocity.max_norm()).max(round_off);
        free.mass(t, &to.configuration, &mut self.mass).map_err(failed)?;
        self.force.fill(M::Scalar::zero());
        let mut iterations = 0;
        while free.holonomic_rows() > 0 {
            free.constraint(t, &to.configuration, &mut self.rates);
            self.rates.scale(-M::Scalar::one());
            free.constraint_jacobian(t, &to.configuration, &mut self.jacobian);
            let (mass, jacobian) = (&mut self.mass, &self.jacobian);
            let (correction, reactions) = (&mut self.change, &mut self.reactions);
            free.solve_kkt(mass, jacobian, jacobian, &self.force, &self.rates, correction, reactions)
                .map_err(failed)?;
            self.midpoint.clone_from(&to.configuration);
            system.space().compose_exp(&self.midpoint, &self.change, &mut to.configuration);
            self.solves += 1;
            iterations += 1;
            if self.change.reach() <= last {
                break;
            }
            if iterations == PROJECTIONS || !self.change.all_finite() {
                let failure =
                    StepFailure::NewtonNotConverged { iterations, residual: 0.0, constraint: self.rates.max_norm() };
                return Err(StepError { time: from.time, step: h, failure });
            }
        }
        free.constraint_jacobian(t, &to.configuration, &mut self.jacobian);
        free.constraint_drift(t, &to.configuration, &mut self.rates);
        free.jacobian_times(&self.jacobian, &to.velocity, &mut self.reactions);
        self.rates.axpy(M::Scalar::one(), &self.reactions);
        self.rates.scale(-M::Scalar::one());
        let (mass, jacobian) = (&mut self.mass, &self.jacobian);
        let (correction, reactions) = (&mut self.change, &mut self.reactions);
        free.solve_kkt(mass, jacobian, jacobian, &self.force, &self.rates, correction, reactions).map_err(failed)?;
        self.solves += 1;
        to.velocity.axpy(M::Scalar::one(), &self.change);
        to.multipliers.axpy(M::Scalar::one(), &self.reactions);
        Ok(())
    }
}
