//! How far initial values were from consistent ones, and why some cannot be made so.

use core::fmt;

use crate::integrator::StepFailure;
use crate::messages::listed;
use crate::system::{ConstraintRow, Dependency};

/// How far a given value was from the constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Projection {
    /// Gauss-Newton corrections made.
    pub iterations: usize,
    /// The largest residual of a constraint before.
    pub residual_before: f64,
    /// The largest residual of a constraint after.
    pub residual: f64,
    /// The constraint with the largest residual before; empty without constraints.
    pub constraint: &'static str,
    /// The Euclidean norm of the change: of log(q₀⁻¹ q), or of v − v₀.
    pub distance: f64,
    /// The largest component of the change that the constraints asked for.
    pub largest: f64,
    /// The member of the configuration that it belongs to; empty if nothing was changed.
    pub member: &'static str,
}

/// How far the given initial values were from consistent ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Consistency {
    /// The projection of q₀ onto Φ(t, q) = 0.
    pub configuration: Projection,
    /// The projection of v₀ onto B v + b = 0.
    pub velocity: Projection,
}

impl Consistency {
    /// Refuses changes of the configuration above `limit`, and of a velocity of size `speed` above `limit` (1 + speed).
    pub(in crate::simulate) fn check(&self, limit: f64, speed: f64) -> Result<(), ConsistencyError> {
        let limits = [limit, limit * (1.0 + speed)];
        let projections = [("configuration", self.configuration), ("velocity", self.velocity)];
        // What is NaN is within no limit.
        let is_within = |projection: &Projection, limit: f64| projection.largest <= limit;
        match projections.into_iter().zip(limits).find(|((_, projection), limit)| !is_within(projection, *limit)) {
            Some(((value, projection), limit)) => Err(ConsistencyError::TooFar { value, projection, limit }),
            None => Ok(()),
        }
    }
}

/// Initial values that cannot be made consistent, or only by changing them more than is allowed.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum ConsistencyError {
    /// The nearest consistent values are farther away than a simulation moves them of itself.
    TooFar {
        /// `configuration` or `velocity`.
        value: &'static str,
        /// The change that would be made.
        projection: Projection,
        /// The largest component of a change that is allowed.
        limit: f64,
    },
    /// A state to go on from is farther off the constraints than is allowed, and no run has recorded it so.
    OffToGoOn {
        /// The change that would bring it onto the constraints.
        projection: Projection,
        /// The largest component of a change that is allowed.
        limit: f64,
    },
    /// With these members held, the others cannot be moved such that the constraint is met.
    NoClosure {
        /// The members held.
        held: Vec<String>,
        /// `configuration` or `velocity`.
        value: &'static str,
        /// The row that is missed.
        row: ConstraintRow,
        /// Its residual.
        residual: f64,
    },
    /// Redundant constraints contradict each other: no value near the given one meets them all.
    Contradiction {
        /// `configuration` or `velocity`.
        value: &'static str,
        /// The row that is missed most.
        row: ConstraintRow,
        /// Its residual.
        residual: f64,
        /// What the row follows from, or what follows from it.
        dependency: Option<Box<Dependency>>,
    },
    /// The projection of q₀ did not reach the constraint.
    NotConverged {
        /// The constraint with the largest residual.
        constraint: &'static str,
        /// The iterations made.
        iterations: usize,
        /// The largest residual left.
        residual: f64,
    },
    /// A linear system could not be solved, or a number is not finite.
    Failed(StepFailure),
}

impl fmt::Display for ConsistencyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConsistencyError::TooFar { value, projection, limit } => {
                let Projection { residual_before, constraint, largest, member, .. } = projection;
                write!(
                    f,
                    "the initial {value} misses constraint `{constraint}` (residual {residual_before:.2e}): the nearest \
                     one that meets it differs by {largest:.2e} in `{member}`, more than the {limit:.2e} that are \
                     corrected unasked; give a {value} on the constraints, say which members are certain by \
                     `.fix_initial([…])`, or accept the change by `.max_initial_correction({:.0e})`",
                    2.0 * largest
                )
            }
            ConsistencyError::OffToGoOn { projection, limit } => {
                let Projection { residual_before, constraint, largest, member, .. } = projection;
                write!(
                    f,
                    "the state to go on from misses constraint `{constraint}` (residual {residual_before:.2e}), and no run has \
                     recorded it so: the nearest configuration that meets it differs by {largest:.2e} in `{member}`, more \
                     than the allowed {limit:.2e}; go on from a recorded state as it is, begin with `initial`, which \
                     corrects the configuration, or accept it by `.max_initial_correction({:.0e})`",
                    2.0 * largest
                )
            }
            ConsistencyError::NoClosure { held, value, row, residual } => write!(
                f,
                "with {} held, no {value} of the other members next to the given one meets constraint {row} \
                 (residual {residual:.2e}); hold fewer members, or give others values",
                listed(held)
            ),
            ConsistencyError::Contradiction { value, row, residual, dependency } => {
                write!(
                    f,
                    "no {value} next to the given one meets constraint {row} (residual {residual:.2e}) and those it \
                     depends on: they contradict each other"
                )?;
                if let Some(dependency) = dependency {
                    write!(f, "; {dependency}")?;
                }
                f.write_str("; correct one of them, or give a state that meets all")
            }
            ConsistencyError::NotConverged { constraint, iterations, residual } => write!(
                f,
                "the initial configuration could not be brought onto constraint `{constraint}`: a residual of \
                 {residual:.2e} is left after {iterations} iterations; start from a configuration that is closer to it"
            ),
            ConsistencyError::Failed(failure) => {
                write!(f, "the initial values are not consistent: {failure}")
            }
        }
    }
}

crate::messages::debug_is_the_message!(ConsistencyError);
impl std::error::Error for ConsistencyError {}
