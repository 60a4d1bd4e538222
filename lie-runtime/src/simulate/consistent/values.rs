//! Consistent initial values, accelerations and multipliers of full order.

use num_traits::Zero;

use super::closure::{Closure, FixedMembers, MET};
use super::consistency::{Consistency, ConsistencyError, Projection};
use crate::group::TangentVector;
use crate::integrator::{Quantity, State, StepFailure};
use crate::scalar::Scalar;
use crate::simulate::setup::SetupError;
use crate::space::ConfigurationSpace;
use crate::system::{Diagnose, Evaluation, KktError, MassFactorisation, MechanicalSystem};

/// Maximum number of Gauss-Newton iterations.
const MAXIMUM_ITERATIONS: usize = 50;
/// Maximum number of bisections of a Gauss-Newton step that increases the residual.
const MAXIMUM_HALVINGS: usize = 12;
/// Corrections below this part of the [extent](ConfigurationSpace::extent) of q, or of v, are round-off and are not applied.
const NEGLIGIBLE: f64 = 1e-13;
/// Smaller corrections that no longer decrease are round-off of large coordinates or lengths. The iteration ends immediately if they are
/// this part of the extent, and otherwise after this number of iterations.
const STAGNANT: (f64, usize) = (1e-9, 4);
/// Corrections below this part of the extent are applied even if they increase the residual.
const SHORT: f64 = 1e-6;
/// Smallest speed in the comparison of velocity residuals.
const SLOW: f64 = 1e-6;

/// Computes consistent values of a system and holds the buffers.
///
/// Corrections are minimal in the metric of the mass matrix: M δ + Bᵀ μ = 0, B δ = −residual.
#[doc(alias = "DAE initialization")]
#[doc(alias = "consistent initial conditions")]
pub struct ConsistentValues<M: MechanicalSystem> {
    /// Valid for one call because parameters may change between two calls.
    pub(super) inertia: MassFactorisation<M>,
    pub(super) here: Evaluation<M>,
    pub(super) correction: M::Velocity,
    pub(super) residual: M::Multipliers,
    drift: M::Multipliers,
    multipliers: M::Multipliers,
    closure: Option<Closure<M>>,
}

impl<M: MechanicalSystem> ConsistentValues<M> {
    /// Allocates the buffers.
    pub fn of(system: &M) -> Self {
        ConsistentValues {
            inertia: MassFactorisation::of(system),
            here: Evaluation::of(system),
            correction: system.zero_velocity(),
            residual: system.zero_multipliers(),
            drift: system.zero_multipliers(),
            multipliers: system.zero_multipliers(),
            closure: None,
        }
    }

    /// Fixes the values of these members; the other members follow from the loop closure.
    ///
    /// The memory is quadratic in the number of rows and fixed components.
    ///
    /// # Errors
    /// [`SetupError::UnknownMember`].
    #[doc(hidden)]
    pub fn holding(mut self, system: &M, members: &[String]) -> Result<Self, SetupError> {
        let held =
            FixedMembers::of(members, system).map_err(|name| SetupError::unknown_member(name, system.description()))?;
        self.closure = (!held.names.is_empty()).then(|| Closure::new(system, held));
        Ok(self)
    }

    /// Projects q and v onto the constraint manifold and computes λ and v'.
    ///
    /// # Errors
    /// [`ConsistencyError`] with the violated constraint or the value that is not finite.
    pub fn state(
        &mut self,
        system: &M,
        time: f64,
        configuration: M::Configuration,
        velocity: M::Velocity,
    ) -> Result<(State<M>, Consistency), ConsistencyError> {
        let mut state = State::at_rest(system, time, configuration);
        state.velocity = velocity;
        state.check(system).map_err(|error| ConsistencyError::Failed(StepFailure::ForeignState(error)))?;
        let given = state.clone();
        let consistency = self.project(system, &mut state).map_err(|error| match error {
            ConsistencyError::Failed(StepFailure::NotFinite { .. }) => {
                // An iteration with a value that is not finite has changed the state.
                let quantity = match Quantity::find(system, &given) {
                    Quantity::Stage => Quantity::find(system, &state),
                    found => found,
                };
                ConsistencyError::Failed(StepFailure::NotFinite { quantity })
            }
            error => error,
        })?;
        Ok((state, consistency))
    }

    fn project(&mut self, system: &M, state: &mut State<M>) -> Result<Consistency, ConsistencyError> {
        let configuration = self.project_configuration(system, state.time, &mut state.configuration)?;
        let velocity = self.project_velocity(system, state.time, &state.configuration, &mut state.velocity)?;
        self.accelerations(system, state)?;
        Ok(Consistency { configuration, velocity })
    }

    /// Solves Φ(t, q) = 0 by Gauss-Newton iterations on the group. A q that satisfies it up to round-off remains unchanged.
    ///
    /// If there are velocity constraints, q moves along admissible directions.
    ///
    /// # Errors
    /// [`ConsistencyError`].
    #[doc(hidden)]
    pub fn project_configuration(
        &mut self,
        system: &M,
        time: f64,
        q: &mut M::Configuration,
    ) -> Result<Projection, ConsistencyError> {
        let mut report = Projection::default();
        if system.holonomic_rows() == 0 {
            return Ok(report);
        }
        let t = M::Scalar::from_f64(time);
        let origin = q.clone();
        let mut trial = q.clone();
        system.constraint(t, q, &mut self.residual);
        report.residual_before = self.residual.max_norm();
        report.residual = report.residual_before;
        report.constraint = system.description().constraint_of_row(self.worst_row());
        let (mut previous, mut stagnant) = (f64::INFINITY, 0);
        let mut unit = system.space().extent(q).min(1.0);
        loop {
            self.correct(system, t, q)?;
            let size = self.correction.max_norm();
            stagnant = if previous < STAGNANT.0 && size > 0.5 * previous { stagnant + 1 } else { 0 };
            let is_round_off = stagnant > 0 && (previous < STAGNANT.0 * unit || stagnant == STAGNANT.1);
            if size <= NEGLIGIBLE * unit || is_round_off {
                break;
            }
            unit = unit.max(size).min(1.0);
            if report.iterations == MAXIMUM_ITERATIONS {
                return Err(self.not_converged(system, report));
            }
            previous = size;
            for _ in 0..=MAXIMUM_HALVINGS {
                system.space().compose_exp(q, &self.correction, &mut trial);
                system.constraint(t, &trial, &mut self.residual);
                if self.residual.max_norm() < report.residual || size < SHORT * unit {
                    break;
                }
                self.correction.scale(M::Scalar::from_f64(0.5));
            }
            core::mem::swap(q, &mut trial);
            report.residual = self.residual.max_norm();
            report.iterations += 1;
            if !report.residual.is_finite() {
                return Err(self.not_converged(system, report));
            }
        }
        if M::Scalar::HAS_DERIVATIVES {
            // An unchanged q also depends on the differentiated data of the constraints.
            self.residual.keep_derivatives();
            self.correct(system, t, q)?;
            system.space().compose_exp(q, &self.correction, &mut trial);
            core::mem::swap(q, &mut trial);
            system.constraint(t, q, &mut self.residual);
        }
        self.check_closure(system, "configuration", unit)?;
        self.check_redundant(system, (t, q), "configuration", unit)?;
        if report.iterations > 0 {
            system.space().log_difference(&origin, q, &mut self.correction);
            report.distance = norm(&self.correction);
            self.note_largest(system, &mut report);
        }
        Ok(report)
    }

    /// Returns the distance of q from Φ(t, q) = 0, by the first Gauss-Newton correction. The result is empty if the correction does not
    /// exist, for example in singular configurations.
    pub(in crate::simulate) fn configuration_off(&mut self, system: &M, time: f64, q: &M::Configuration) -> Projection {
        let mut report = Projection::default();
        if system.holonomic_rows() == 0 {
            return report;
        }
        let t = M::Scalar::from_f64(time);
        system.constraint(t, q, &mut self.residual);
        report.residual_before = self.residual.max_norm();
        report.constraint = system.description().constraint_of_row(self.worst_row());
        if self.correct(system, t, q).is_ok() {
            report.distance = norm(&self.correction);
            self.note_largest(system, &mut report);
        }
        report
    }

    /// Projects v onto B(t, q) v + b(t, q) = 0. A v that satisfies it up to round-off remains unchanged.
    ///
    /// The angular velocity of a direction about itself is removed.
    ///
    /// # Errors
    /// [`ConsistencyError`].
    #[doc(hidden)]
    pub fn project_velocity(
        &mut self,
        system: &M,
        time: f64,
        q: &M::Configuration,
        v: &mut M::Velocity,
    ) -> Result<Projection, ConsistencyError> {
        let spins = system.space().remove_spins(q, v);
        let mut report = Projection { distance: spins, ..Projection::default() };
        if system.constraint_rows() == 0 {
            return Ok(report);
        }
        let t = M::Scalar::from_f64(time);
        report.residual_before = self.velocity_residual(system, t, q, v);
        report.residual = report.residual_before;
        report.constraint = system.description().constraint_of_row(self.worst_row());
        self.correct(system, t, q)?;
        if self.correction.max_norm() > NEGLIGIBLE * v.max_norm() {
            v.axpy(M::Scalar::from_f64(1.0), &self.correction);
            report.distance = spins.hypot(norm(&self.correction));
            self.note_largest(system, &mut report);
            report.iterations = 1;
            report.residual = self.velocity_residual(system, t, q, v);
        } else if M::Scalar::HAS_DERIVATIVES {
            self.correction.keep_derivatives();
            v.axpy(M::Scalar::from_f64(1.0), &self.correction);
            report.residual = self.velocity_residual(system, t, q, v);
        }
        let speed = v.max_norm().max(SLOW);
        self.check_closure(system, "velocity", speed)?;
        self.check_redundant(system, (t, q), "velocity", speed)?;
        Ok(report)
    }

    /// Returns the jump δ with B δ = −`changes`, and the impulses Λ of M δ = −Bᵀ Λ.
    ///
    /// # Errors
    /// Errors of the KKT system.
    pub(super) fn jump(
        &mut self,
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        changes: &M::Multipliers,
    ) -> Result<(&M::Velocity, &M::Multipliers), ConsistencyError> {
        self.residual.assign(changes);
        self.correct(system, t, q)?;
        Ok((&self.correction, &self.multipliers))
    }

    /// Stores the largest component of the correction and its member.
    fn note_largest(&self, system: &M, report: &mut Projection) {
        let size = |component: usize| self.correction.component(component).value().abs();
        let component = largest(self.correction.component_count(), size);
        (report.largest, report.member) =
            (self.correction.max_norm(), system.description().member_of_component(component));
    }

    /// Fixed members may make constraints infeasible.
    fn check_closure(&self, system: &M, value: &'static str, size: f64) -> Result<(), ConsistencyError> {
        let missed = self.closure.as_ref().and_then(|closure| Some((closure, closure.missed(&self.residual, size)?)));
        missed.map_or(Ok(()), |(closure, row)| Err(self.no_closure(system, closure, value, row)))
    }

    /// Redundant constraints may be contradictory. Residuals are compared with values of this `size`.
    fn check_redundant(
        &mut self,
        system: &M,
        (t, q): (M::Scalar, &M::Configuration),
        value: &'static str,
        size: f64,
    ) -> Result<(), ConsistencyError> {
        if !system.has_least_norm() || self.closure.is_some() {
            return Ok(());
        }
        let row = self.worst_row();
        let residual = self.residual.component(row).value();
        self.multipliers.fill(M::Scalar::zero());
        self.multipliers.set_component(row, M::Scalar::from_f64(1.0));
        system.jacobian_transpose_times(&self.here.jacobian, &self.multipliers, &mut self.here.force);
        let limit = MET.max(1e3 * M::Scalar::epsilon()) * size * norm(&self.here.force).max(f64::MIN_POSITIVE);
        if residual.abs() <= limit && limit.is_finite() {
            return Ok(());
        }
        let found = system.diagnose(t, q).ok();
        Err(ConsistencyError::Contradiction {
            value,
            row: system.description().row(row),
            residual,
            dependency: found.and_then(|diagnosis| diagnosis.dependency_of(row).cloned()).map(Box::new),
        })
    }

    fn no_closure(&self, system: &M, closure: &Closure<M>, value: &'static str, row: usize) -> ConsistencyError {
        ConsistencyError::NoClosure {
            held: closure.held.names.clone(),
            value,
            row: system.description().row(row),
            residual: self.residual.component(row).value(),
        }
    }

    /// Returns the largest component of B v + b, which remains in `self.residual`.
    fn velocity_residual(&mut self, system: &M, t: M::Scalar, q: &M::Configuration, v: &M::Velocity) -> f64 {
        system.constraint_jacobian(t, q, &mut self.here.jacobian);
        system.jacobian_times(&self.here.jacobian, v, &mut self.residual);
        system.constraint_drift(t, q, &mut self.drift);
        self.residual.axpy(M::Scalar::from_f64(1.0), &self.drift);
        self.residual.max_norm()
    }

    /// Computes the minimal correction δ with B δ = −residual.
    fn correct(&mut self, system: &M, t: M::Scalar, q: &M::Configuration) -> Result<(), ConsistencyError> {
        let failed = |error| ConsistencyError::Failed(StepFailure::of_kkt_at(error, system, t, q));
        self.inertia.forget();
        self.inertia.at(system, t, q).map_err(failed)?;
        system.constraint_jacobian(t, q, &mut self.here.jacobian);
        self.here.force.fill(M::Scalar::zero());
        self.drift.assign(&self.residual);
        self.drift.scale(M::Scalar::from_f64(-1.0));
        let (mass, Evaluation { jacobian, force }) = (self.inertia.factors(), &self.here);
        if let Some(closure) = &mut self.closure {
            closure.correct(system, mass, jacobian, &self.drift, &[], &mut self.correction);
            return if self.correction.all_finite() { Ok(()) } else { Err(failed(KktError::NotFinite)) };
        }
        let Self { drift, correction, multipliers, .. } = self;
        system.solve_kkt(mass, jacobian, jacobian, force, drift, correction, multipliers).map_err(failed)?;
        if self.correction.all_finite() { Ok(()) } else { Err(failed(KktError::NotFinite)) }
    }

    /// Creates the error for the row with the largest residual.
    fn not_converged(&self, system: &M, report: Projection) -> ConsistencyError {
        if let Some(closure) = &self.closure {
            return self.no_closure(system, closure, "configuration", self.worst_row());
        }
        ConsistencyError::NotConverged {
            constraint: system.description().constraint_of_row(self.worst_row()),
            iterations: report.iterations,
            residual: report.residual,
        }
    }

    /// Returns the row with the largest residual.
    fn worst_row(&self) -> usize {
        largest(self.residual.component_count(), |row| self.residual.component(row).value().abs())
    }
}

/// Returns the index of the largest size; NaN counts as the largest.
fn largest(count: usize, size: impl Fn(usize) -> f64) -> usize {
    (0..count).fold(0, |worst, at| if size(at).total_cmp(&size(worst)).is_gt() { at } else { worst })
}

fn norm<V: TangentVector>(v: &V) -> f64 {
    v.dot(v).value().sqrt()
}
