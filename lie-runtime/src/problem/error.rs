//! Why a step has no result.

use core::fmt;

use super::{ParameterError, Quantity};
use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{
    ConstraintRow, Dependency, Description, Diagnose, KktError, Linearised, MechanicalSystem, ModelError,
};

/// More constraint rows than that are not compared with one another for a message.
const COMPARED_ROWS: usize = 600;
/// How far beside a configuration the mass matrix is looked at, in units of the increment.
const BESIDE: f64 = 0.05;

/// A step that has no result; the state it started from is untouched.
#[derive(Clone, Debug, PartialEq)]
pub struct StepError {
    /// The time at which the step started.
    pub time: f64,
    /// The step size h.
    pub step: f64,
    /// What went wrong.
    pub failure: StepFailure,
}

/// What went wrong within a step.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StepFailure {
    /// A row of B depends on the others.
    SingularConstraints {
        /// The row.
        row: ConstraintRow,
        /// What the row follows from where the step starts; `None` if rows are independent there, or too many to be compared.
        dependency: Option<Box<Dependency>>,
    },
    /// The mass matrix has no Cholesky factorisation.
    MassNotPositiveDefinite {
        /// The member of the configuration whose block fails.
        member: &'static str,
        /// The component of the velocity.
        component: usize,
    },
    /// The mass matrix is singular in this configuration alone: it is positive definite in those close to it.
    SingularConfiguration {
        /// The member of the configuration whose block fails.
        member: &'static str,
        /// The component of the velocity.
        component: usize,
    },
    /// A NaN or an infinity.
    NotFinite {
        /// Where it was met first.
        quantity: Quantity,
    },
    /// Newton's iteration of an implicit method did not reach its tolerance.
    NewtonNotConverged {
        /// The iterations made.
        iterations: usize,
        /// The largest component left of the residual r of the equations of motion.
        residual: f64,
        /// The largest component left of the residuals of the constraints.
        constraint: f64,
    },
    /// The derivatives of an implicit step, forwards or backwards, do not come to rest.
    DerivativesNotSettled {
        /// The turns made.
        turns: usize,
    },
    /// Multipliers of constraints that may be redundant change by more than half of the largest one within a step of a half-explicit
    /// method: the constraints come near to losing rank, and stages that far apart do not belong together.
    /// [Simulations](crate::simulate) go through such a step by the equations of index 1.
    MultipliersJump,
    /// Constraints that may be redundant lose rank here, and no [simulation](crate::simulate) has come through by the equations of index 1.
    RankLost,
    /// Constraints lose rank within a step of an explicit method, where their multipliers have a pole, and two halves of the step lead
    /// elsewhere.
    PoleOfMultipliers,
    /// The vector field has no value at a point.
    FieldUndefined {
        /// Why.
        reason: &'static str,
    },
    /// The state belongs to another system: a chain or a vector of another length.
    ForeignState(ModelError),
    /// A multi-step method was asked for a step of another size than those behind it.
    VariableStep {
        /// The method's identifier.
        method: &'static str,
        /// The size of the steps behind.
        expected: f64,
    },
    /// The method has no embedded method to estimate the error with.
    NoEstimate {
        /// The method's identifier.
        method: &'static str,
    },
    /// A parameter of the method is out of its range.
    Parameter(ParameterError),
    /// The method is for other systems.
    NotApplicable {
        /// The method's identifier.
        method: &'static str,
        /// What it asks for.
        requirement: &'static str,
    },
}

impl StepError {
    /// A step of size `h` from `from` has failed by a linear system: says so in the names of the declaration.
    #[cold]
    #[inline(never)]
    pub(crate) fn of_saddle<M: MechanicalSystem>(error: KktError, system: &M, from: &super::State<M>, h: f64) -> Self {
        let failure = match error {
            KktError::NotFinite => StepFailure::NotFinite { quantity: Quantity::find(system, from) },
            _ => StepFailure::of_saddle_at(error, system, M::Scalar::from_f64(from.time), &from.configuration),
        };
        StepError { time: from.time, step: h, failure }
    }

    /// A step of size `h` from `from` has led to a number that is not finite.
    #[cold]
    pub(crate) fn not_finite<M: MechanicalSystem>(system: &M, from: &super::State<M>, h: f64) -> Self {
        Self::of_saddle(KktError::NotFinite, system, from, h)
    }

    /// An implicit step of size `h` from `from` has failed by its linear system, or by a number that is not finite.
    #[cold]
    #[inline(never)]
    pub(crate) fn of_iteration<M: Linearised>(error: KktError, system: &M, from: &super::State<M>, h: f64) -> Self {
        let mut failed = Self::of_saddle(error, system, from, h);
        if failed.failure == (StepFailure::NotFinite { quantity: Quantity::Stage })
            && let Some(quantity) = Quantity::find_derivative(system, from)
        {
            failed.failure = StepFailure::NotFinite { quantity };
        }
        failed
    }

    /// An estimate was asked for of a method that has none.
    #[cold]
    pub(crate) fn no_estimate(method: &'static str, time: f64, h: f64) -> Self {
        StepError { time, step: h, failure: StepFailure::NoEstimate { method } }
    }

    /// A method cannot begin at `time` with its parameters.
    #[cold]
    pub(crate) fn of_parameter(error: ParameterError, time: f64) -> Self {
        StepError { time, step: 0.0, failure: StepFailure::Parameter(error) }
    }

    /// Refuses a state of another system.
    pub(crate) fn check<M: MechanicalSystem>(system: &M, state: &super::State<M>) -> Result<(), Self> {
        let failed = |error| StepError { time: state.time, step: 0.0, failure: StepFailure::ForeignState(error) };
        state.check(system).map_err(failed)
    }
}

impl StepFailure {
    /// The failure of a linear system at (t, q), or in a step from there, in the names of the declaration: of a row that follows
    /// from others there, with these.
    ///
    /// A number that is not finite is put down to a [`Stage`](Quantity::Stage).
    #[cold]
    pub fn of_saddle_at<M: MechanicalSystem + ?Sized>(
        error: KktError,
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
    ) -> Self {
        let mut failure = Self::of_saddle(error, system.description());
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

    /// The same where nothing is known but the names.
    pub fn of_saddle(error: KktError, description: &Description) -> Self {
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
    pub fn may_pass_with_smaller_step(&self) -> bool {
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

    /// True if constraints that lose rank for a moment may be the cause.
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

/// True if the mass matrix is not positive definite at q, and is on both sides of it.
fn is_singular_at<M: MechanicalSystem + ?Sized>(system: &M, t: M::Scalar, q: &M::Configuration) -> bool {
    let mut mass = system.zero_mass();
    if system.mass(t, q, &mut mass).is_ok() {
        return false;
    }
    let (mut direction, mut beside) = (system.zero_velocity(), q.clone());
    [BESIDE, -BESIDE].into_iter().all(|distance| {
        for component in 0..direction.component_count() {
            // Unlike ones: what moves alike may stay singular.
            let part = M::Scalar::from_f64(distance * [1.0, -0.7, 0.4][component % 3]);
            direction.set_component(component, part);
        }
        system.space().compose_exp(q, &direction, &mut beside);
        system.mass(t, &beside, &mut mass).is_ok()
    })
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at t = {:?}, step {:?})", self.failure, self.time, self.step)
    }
}

impl std::error::Error for StepError {}

impl fmt::Display for StepFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepFailure::SingularConstraints { dependency: Some(dependency), .. } => write!(
                f,
                "constraint {dependency}: their multipliers are not unique; remove what is redundant, or run with it by \
                 `#[mechanical_system(redundant = minimum_norm)]`"
            ),
            StepFailure::SingularConstraints { row, dependency: None } => write!(
                f,
                "constraint {row} has no gradient there, or one that depends on the other constraints; keep away \
                 from the singular configuration, take smaller steps, or pass through it by \
                 `#[mechanical_system(redundant = minimum_norm)]`"
            ),
            StepFailure::MassNotPositiveDefinite { member, component } => write!(
                f,
                "the mass matrix is not positive definite in the block of `{member}` (component {component}); give it \
                 a positive mass or inertia"
            ),
            StepFailure::SingularConfiguration { member, component } => write!(
                f,
                "the mass matrix is singular in this configuration, in the block of `{member}` (component {component}), and positive definite \
                 in configurations close to it: the velocity of `{member}` does not determine a motion there, as at gimbal lock. Use a \
                 member without such a configuration (`SO3` instead of three angles), or give the body between two aligned axes an inertia"
            ),
            StepFailure::NotFinite { quantity } => quantity.fmt(f),
            StepFailure::ForeignState(error) => error.fmt(f),
            StepFailure::NewtonNotConverged { iterations, residual: 0.0, constraint: 0.0 } => write!(
                f,
                "Newton's iteration has not come to rest in {iterations} iterations, although no residual is left: the \
                 equations hardly determine the solution; look for masses of zero and for kinks in a force, such as |v| at \
                 rest, or loosen the tolerance"
            ),
            StepFailure::NewtonNotConverged { iterations, residual, constraint } => write!(
                f,
                "Newton's iteration has not converged in {iterations} iterations: residuals of {residual:.2e} in the \
                 equations of motion and {constraint:.2e} in the constraints are left; take a smaller step"
            ),
            StepFailure::DerivativesNotSettled { turns } => write!(
                f,
                "the derivatives of the step have not come to rest in {turns} turns, each of which leaves a part of them that grows with \
                 the step: take a smaller step, or a method that needs no turns, such as `hedop5` or `lie_alpha`"
            ),
            StepFailure::MultipliersJump => f.write_str(
                "the multipliers change by more than half within the step: the constraints come near to losing rank; take a smaller \
                 step, or let a simulation pass through",
            ),
            StepFailure::RankLost => f.write_str(
                "the constraints lose rank here, and accelerations do not lead through; take a method that meets positions at the end of \
                 its steps, such as `lie_alpha` or `tr_bdf2`",
            ),
            StepFailure::PoleOfMultipliers => f.write_str(
                "the constraints lose rank within this step, where their multipliers grow beyond bounds, and two halves of the step lead \
                 elsewhere; pass through by `#[mechanical_system(redundant = minimum_norm)]`, or take a method that meets positions at the \
                 end of its steps, such as `lie_alpha` or `tr_bdf2`",
            ),
            StepFailure::FieldUndefined { reason } => {
                write!(f, "the vector field has no value: {reason}; keep away from there, or take smaller steps")
            }
            StepFailure::VariableStep { method, expected } => write!(
                f,
                "method `{method}` makes steps of equal size, so far of {expected:?}; let the end be a multiple of the \
                 step, or take a one-step method"
            ),
            StepFailure::NoEstimate { method } => write!(
                f,
                "method `{method}` has no embedded error estimate; give a fixed step, or take a method that has one, \
                 such as `hedop5`"
            ),
            StepFailure::Parameter(error) => error.fmt(f),
            StepFailure::NotApplicable { method, requirement } => {
                write!(f, "method `{method}` is for systems of {requirement}; take a general method, such as `hedop5`")
            }
        }
    }
}
