//! Errors of steps.

use super::{ParameterError, Quantity};
use crate::group::TangentVector;
use crate::messages::see;
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{
    ConstraintRow, Dependency, Description, Diagnose, KktError, Linearised, MechanicalSystem, ModelError,
};

/// A message compares at most this number of constraint rows.
const COMPARED_ROWS: usize = 600;
/// The distance of the configurations in which the mass matrix is tested, in units of the increment.
const BESIDE: f64 = 0.05;

/// The error of a step without a result; the state at its start is unchanged.
#[derive(Clone, PartialEq, thiserror::Error)]
#[error("at t = {time:?}, step {step:?}: {failure}")]
pub struct StepError {
    /// The time at which the step started.
    pub time: f64,
    /// The step size h.
    pub step: f64,
    /// The cause.
    pub failure: StepFailure,
}

/// The cause of a failed step.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepFailure {
    /// A row of B is linearly dependent on the others.
    #[error("{}", singular_constraints(.row, .dependency.as_deref()))]
    SingularConstraints {
        /// The row.
        row: ConstraintRow,
        /// The rows that the row depends on at the start of the step; `None` if rows are independent there, or too many to be compared.
        dependency: Option<Box<Dependency>>,
    },
    /// The mass matrix has no Cholesky factorisation.
    #[error(
        "the mass matrix is not positive definite in the block of `{member}` (component {component}); set a positive mass or inertia {}",
        see("mass-matrix")
    )]
    MassNotPositiveDefinite {
        /// The member of the configuration whose block fails.
        member: &'static str,
        /// The component of the velocity.
        component: usize,
    },
    /// The mass matrix is singular only in this configuration: it is positive definite in configurations close to it.
    #[error(
        "the mass matrix is singular in this configuration, in the block of `{member}` (component {component}). It is positive definite in \
         configurations close to it, as at gimbal lock. Use a member without such a configuration (`SO3` instead of three angles), or set \
         an inertia of the body between two aligned axes {}",
        see("singular-configuration")
    )]
    SingularConfiguration {
        /// The member of the configuration whose block fails.
        member: &'static str,
        /// The component of the velocity.
        component: usize,
    },
    /// A value is NaN or infinite.
    #[error("{quantity} {}", see("values-that-are-not-finite"))]
    NotFinite {
        /// The first quantity that is not finite.
        quantity: Quantity,
    },
    /// The Newton iteration of an implicit method did not reach its tolerance.
    #[error("{}", not_converged(*.iterations, *.residual, *.constraint))]
    NewtonNotConverged {
        /// The number of iterations.
        iterations: usize,
        /// The largest remaining component of the residual r of the equations of motion.
        residual: f64,
        /// The largest remaining component of the residuals of the constraints.
        constraint: f64,
    },
    /// The sweeps of a time-stepping method did not find the impulses of the contacts and frictions.
    #[error(
        "the impulses of the contacts did not converge in {iterations} iterations: the rate of `{contact}` has an error of {residual:.2e}, \
         and the tolerance is {tolerance:.2e}. Use a smaller step, or increase the tolerance or the maximum number of iterations {}",
        see("impulses-of-contacts")
    )]
    ImpulsesNotConverged {
        /// The contact or the friction with the largest error.
        contact: &'static str,
        /// The number of sweeps.
        iterations: usize,
        /// The error of its rate. It is infinite if an impulse is not finite.
        residual: f64,
        /// The largest permitted error.
        tolerance: f64,
    },
    /// The iteration for the derivatives of an implicit step, forward or adjoint, did not converge.
    #[error(
        "the sensitivity iteration did not converge in {iterations} iterations. Its contraction factor grows with the step: use a smaller \
         step, or a method without this iteration, such as `hedop5` or `lie_alpha` {}",
        see("sensitivity-iteration")
    )]
    DerivativesNotSettled {
        /// The number of iterations.
        iterations: usize,
    },
    /// The multipliers change by more than half of the largest one within a step of a half-explicit method. It applies to constraints
    /// that may be redundant. The constraints are close to a loss of rank, and the stages of the step are not consistent.
    /// [Simulations](crate::simulate) repeat such a step with the equations of index 1.
    #[error(
        "the multipliers change by more than half within the step: the constraints are close to a loss of rank. Use a smaller step, or use \
         `Simulation`, which repeats the step with the equations of index 1 {}",
        see("loss-of-rank")
    )]
    MultipliersJump,
    /// Constraints that may be redundant lose rank here, and a [simulation](crate::simulate) with the equations of index 1 could not
    /// continue.
    #[error(
        "the constraints lose rank here, and steps with the equations of index 1 failed as well. Use a method that solves for positions at \
         the end of its steps, such as `lie_alpha` or `tr_bdf2` {}",
        see("loss-of-rank")
    )]
    RankLost,
    /// Constraints lose rank within a step of an explicit method: their multipliers have a pole, and two half steps have another result.
    #[error(
        "the constraints lose rank within this step: their multipliers are unbounded, and two half steps have another result. \
         Declare `#[mechanical_system(redundant = minimum_norm)]`, or use a method that solves for positions at the end of its \
         steps, such as `lie_alpha` or `tr_bdf2` {}",
        see("loss-of-rank")
    )]
    PoleOfMultipliers,
    /// The vector field is undefined at a point.
    #[error(
        "the vector field is undefined: {reason}; avoid this point, or use smaller steps {}",
        see("values-that-are-not-finite")
    )]
    FieldUndefined {
        /// The reason.
        reason: &'static str,
    },
    /// The state belongs to another system: the length of a chain or of a vector differs.
    #[error(transparent)]
    ForeignState(ModelError),
    /// A multi-step method was called with a step size that differs from its previous steps.
    #[error(
        "method `{method}` requires steps of equal size; the previous step is {expected:?}. Set an end time that is a multiple of the \
         step, or use a one-step method {}",
        see("choice-of-a-method")
    )]
    VariableStep {
        /// The method's identifier.
        method: &'static str,
        /// The size of the previous steps.
        expected: f64,
    },
    /// The method has no embedded error estimate.
    #[error(
        "method `{method}` has no embedded error estimate; set a fixed step, or use a method with an estimate, such as `hedop5` {}",
        see("choice-of-a-method")
    )]
    NoEstimate {
        /// The method's identifier.
        method: &'static str,
    },
    /// A parameter of the method is outside its range.
    #[error(transparent)]
    Parameter(ParameterError),
    /// The method is not applicable to the system.
    #[error(
        "method `{method}` is for systems of {requirement}; use a general method, such as `hedop5` {}",
        see("choice-of-a-method")
    )]
    NotApplicable {
        /// The method's identifier.
        method: &'static str,
        /// The requirement of the method.
        requirement: &'static str,
    },
}

impl StepError {
    /// Returns the error of a step of size `h` from `from` whose linear system has no solution, with the names of the declaration.
    #[cold]
    #[inline(never)]
    pub(crate) fn of_kkt<M: MechanicalSystem>(error: KktError, system: &M, from: &super::State<M>, h: f64) -> Self {
        let failure = match error {
            KktError::NotFinite => StepFailure::NotFinite { quantity: Quantity::find(system, from) },
            _ => StepFailure::of_kkt_at(error, system, M::Scalar::from_f64(from.time), &from.configuration),
        };
        StepError { time: from.time, step: h, failure }
    }

    /// Returns the error of a step of size `h` from `from` with a value that is not finite.
    #[cold]
    pub(crate) fn not_finite<M: MechanicalSystem>(system: &M, from: &super::State<M>, h: f64) -> Self {
        Self::of_kkt(KktError::NotFinite, system, from, h)
    }

    /// Returns the error of an implicit step of size `h` from `from` whose linear system has no solution, or that has a value that is not
    /// finite.
    #[cold]
    #[inline(never)]
    pub(crate) fn of_iteration<M: Linearised>(error: KktError, system: &M, from: &super::State<M>, h: f64) -> Self {
        let mut failed = Self::of_kkt(error, system, from, h);
        if failed.failure == (StepFailure::NotFinite { quantity: Quantity::Stage })
            && let Some(quantity) = Quantity::find_derivative(system, from)
        {
            failed.failure = StepFailure::NotFinite { quantity };
        }
        failed
    }

    /// Returns the error of an estimate with a method that has none.
    #[cold]
    pub(crate) fn no_estimate(method: &'static str, time: f64, h: f64) -> Self {
        StepError { time, step: h, failure: StepFailure::NoEstimate { method } }
    }

    /// Returns the error of a method with invalid parameters at `time`.
    #[cold]
    pub(crate) fn of_parameter(error: ParameterError, time: f64) -> Self {
        StepError { time, step: 0.0, failure: StepFailure::Parameter(error) }
    }

    /// Returns an error if the state belongs to another system.
    pub(crate) fn check<M: MechanicalSystem>(system: &M, state: &super::State<M>) -> Result<(), Self> {
        let failed = |error| StepError { time: state.time, step: 0.0, failure: StepFailure::ForeignState(error) };
        state.check(system).map_err(failed)
    }
}

impl StepFailure {
    /// Returns the failure of a linear system at (t, q), or in a step from there, with the names of the declaration. The failure of a
    /// dependent row includes the rows that it depends on.
    ///
    /// A value that is not finite is attributed to a [`Stage`](Quantity::Stage).
    #[cold]
    pub(crate) fn of_kkt_at<M: MechanicalSystem + ?Sized>(
        error: KktError,
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
    ) -> Self {
        let mut failure = Self::of_kkt(error, system.description());
        if let StepFailure::SingularConstraints { row, dependency } = &mut failure
            && system.constraint_rows() <= COMPARED_ROWS
            && let Ok(diagnosis) = system.diagnose(t, q)
            && let Some(found) = diagnosis.dependency_of(row.row_of_jacobian)
        {
            *row = found.row;
            *dependency = Some(Box::new(found.clone()));
        }
        match failure {
            StepFailure::MassNotPositiveDefinite { member, component } if is_singular_at(system, t, q) => {
                StepFailure::SingularConfiguration { member, component }
            }
            failure => failure,
        }
    }

    /// Returns the failure of a linear system at an unknown state.
    #[doc(hidden)]
    pub fn of_kkt(error: KktError, description: &Description) -> Self {
        match error {
            KktError::SingularConstraints { row } => {
                StepFailure::SingularConstraints { row: description.row(row), dependency: None }
            }
            KktError::MassNotPositiveDefinite { component } => {
                StepFailure::MassNotPositiveDefinite { member: description.member_of_component(component), component }
            }
            KktError::NotFinite => StepFailure::NotFinite { quantity: Quantity::Stage },
        }
    }

    /// True if a smaller step from the same state may succeed.
    pub(crate) fn may_pass_with_smaller_step(&self) -> bool {
        matches!(
            self,
            StepFailure::NotFinite { quantity: Quantity::Stage }
                | StepFailure::SingularConstraints { .. }
                | StepFailure::NewtonNotConverged { .. }
                | StepFailure::DerivativesNotSettled { .. }
                | StepFailure::FieldUndefined { .. }
                | StepFailure::MultipliersJump
                | StepFailure::RankLost
                | StepFailure::PoleOfMultipliers
        )
    }

    /// True if a momentary loss of rank of the constraints may be the cause.
    pub(crate) fn may_be_of_lost_rank(&self) -> bool {
        matches!(
            self,
            StepFailure::MultipliersJump
                | StepFailure::RankLost
                | StepFailure::NewtonNotConverged { .. }
                | StepFailure::SingularConstraints { .. }
                | StepFailure::NotFinite { quantity: Quantity::Stage }
        )
    }
}

/// True if the mass matrix is not positive definite at q, but is positive definite on both sides of q.
fn is_singular_at<M: MechanicalSystem + ?Sized>(system: &M, t: M::Scalar, q: &M::Configuration) -> bool {
    let mut mass = system.zero_mass();
    if system.mass(t, q, &mut mass).is_ok() {
        return false;
    }
    let (mut direction, mut beside) = (system.zero_velocity(), q.clone());
    [BESIDE, -BESIDE].into_iter().all(|distance| {
        for component in 0..direction.component_count() {
            // The increments differ: a direction in which members move equally may stay singular.
            let part = M::Scalar::from_f64(distance * [1.0, -0.7, 0.4][component % 3]);
            direction.set_component(component, part);
        }
        system.space().compose_exp(q, &direction, &mut beside);
        system.mass(t, &beside, &mut mass).is_ok()
    })
}

/// The message of a dependent row.
fn singular_constraints(row: &ConstraintRow, dependency: Option<&Dependency>) -> String {
    match dependency {
        Some(dependency) => format!(
            "constraint {dependency}: their multipliers are not unique. Remove the redundant constraints, or declare \
             `#[mechanical_system(redundant = minimum_norm)]` {}",
            see("redundant-constraints")
        ),
        None => format!(
            "the gradient of constraint {row} is zero or linearly dependent on the other constraints. Avoid the singular \
             configuration, use smaller steps, or declare `#[mechanical_system(redundant = minimum_norm)]` {}",
            see("loss-of-rank")
        ),
    }
}

/// The message of a Newton iteration with these residuals.
fn not_converged(iterations: usize, residual: f64, constraint: f64) -> String {
    let see = see("newton-iteration");
    if residual == 0.0 && constraint == 0.0 {
        format!(
            "the Newton iteration did not converge in {iterations} iterations, although the residual is zero: the equations are nearly \
             singular. Check for zero masses and for kinks in a force, such as |v| at rest, or increase the tolerance {see}"
        )
    } else {
        format!(
            "the Newton iteration did not converge in {iterations} iterations: the residuals are {residual:.2e} in the equations of \
             motion and {constraint:.2e} in the constraints; use a smaller step {see}"
        )
    }
}

crate::messages::debug_is_the_message!(StepError);
crate::messages::debug_is_the_message!(StepFailure);
