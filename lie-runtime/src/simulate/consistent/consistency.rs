//! Corrections of initial values, and errors of inconsistent initial values.

use crate::integrator::StepFailure;
use crate::messages::{Remedy, alternatives, always, listed, see};
use crate::system::{ConstraintRow, Dependency};

/// The correction of a value by the projection onto the constraint manifold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Projection {
    /// The number of Gauss-Newton iterations.
    pub iterations: usize,
    /// The largest residual of a constraint before.
    pub residual_before: f64,
    /// The largest residual of a constraint after.
    pub residual: f64,
    /// The constraint with the largest residual before; empty without constraints.
    pub constraint: &'static str,
    /// The Euclidean norm of the change: of log(q₀⁻¹ q), or of v − v₀.
    pub distance: f64,
    /// The largest component of the correction.
    pub largest: f64,
    /// The member of this component; empty without a correction.
    pub member: &'static str,
}

/// The corrections of the initial values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Consistency {
    /// The projection of q₀ onto Φ(t, q) = 0.
    pub configuration: Projection,
    /// The projection of v₀ onto B v + b = 0.
    pub velocity: Projection,
}

impl Consistency {
    /// Checks that the correction of the configuration is at most `limit`, and of a velocity of size `speed` at most `limit` (1 + speed).
    pub(in crate::simulate) fn check(&self, limit: f64, speed: f64) -> Result<(), ConsistencyError> {
        let limits = [limit, limit * (1.0 + speed)];
        let projections = [("configuration", self.configuration), ("velocity", self.velocity)];
        // NaN exceeds every limit.
        let is_within = |projection: &Projection, limit: f64| projection.largest <= limit;
        match projections.into_iter().zip(limits).find(|((_, projection), limit)| !is_within(projection, *limit)) {
            Some(((value, projection), limit)) => Err(ConsistencyError::TooFar { value, projection, limit }),
            None => Ok(()),
        }
    }
}

/// The error of initial values that cannot be made consistent within the limit of the correction.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConsistencyError {
    /// The correction to the closest consistent values exceeds the limit.
    #[error("{} {}", too_far(.value, .projection, *.limit), see("initial-values"))]
    TooFar {
        /// `configuration` or `velocity`.
        value: &'static str,
        /// The correction.
        projection: Projection,
        /// The limit of the largest component of the correction.
        limit: f64,
    },
    /// The correction of a restart state exceeds the limit, and no run has recorded this state.
    #[error(
        "the restart state violates constraint `{}` (residual {:.2e}) and is not a recorded state: the closest consistent configuration differs \
         by {:.2e} in `{}`, more than the limit {limit:.2e}. {} {}",
        .projection.constraint,
        .projection.residual_before,
        .projection.largest,
        .projection.member,
        alternatives([
            always("Restart from a recorded state"),
            always("start with `initial`, which corrects the configuration"),
            larger_correction(.projection.largest)
        ]),
        see("initial-values")
    )]
    OffToGoOn {
        /// The correction.
        projection: Projection,
        /// The limit of the largest component of the correction.
        limit: f64,
    },
    /// The other members cannot satisfy the constraint while some members are fixed.
    #[error(
        "no {value} close to the given one, with {} fixed, satisfies constraint {row} (residual {residual:.2e}). Fix fewer members, or change their \
         values {}",
        listed(.held),
        see("initial-values")
    )]
    NoClosure {
        /// The fixed members.
        held: Vec<String>,
        /// `configuration` or `velocity`.
        value: &'static str,
        /// The violated row.
        row: ConstraintRow,
        /// Its residual.
        residual: f64,
    },
    /// Redundant constraints contradict each other: no value close to the given one satisfies them all.
    #[error(
        "no {value} close to the given one satisfies constraint {row} (residual {residual:.2e}) and the constraints that it depends on: they \
         contradict each other{}. Correct a constraint, or start from a state that satisfies all {}",
        .dependency.as_ref().map_or_else(String::new, |dependency| format!(" ({dependency})")),
        see("redundant-constraints")
    )]
    Contradiction {
        /// `configuration` or `velocity`.
        value: &'static str,
        /// The row with the largest residual.
        row: ConstraintRow,
        /// Its residual.
        residual: f64,
        /// The linear dependency of the row.
        dependency: Option<Box<Dependency>>,
    },
    /// The projection of q₀ did not reach the constraint.
    #[error(
        "the projection of the initial configuration onto constraint `{constraint}` did not converge in {iterations} iterations (residual \
         {residual:.2e}). Start from a configuration closer to the constraint {}",
        see("initial-values")
    )]
    NotConverged {
        /// The constraint with the largest residual.
        constraint: &'static str,
        /// The number of iterations.
        iterations: usize,
        /// The largest remaining residual.
        residual: f64,
    },
    /// A linear system has no solution, or a value is not finite.
    #[error("the initial values are inconsistent: {0}")]
    Failed(StepFailure),
}

crate::messages::debug_is_the_message!(ConsistencyError);

/// The remedy of a correction that is intended.
fn larger_correction(largest: f64) -> Option<String> {
    let value = format!("{:.0e}", 2.0 * largest);
    Remedy::Setting { name: "max_initial_correction", value: &value }.after("set")
}

/// The message of a correction above the limit.
fn too_far(value: &str, projection: &Projection, limit: f64) -> String {
    let Projection { residual_before, constraint, largest, member, .. } = projection;
    format!(
        "the initial {value} violates constraint `{constraint}` (residual {residual_before:.2e}): the closest consistent {value} differs by \
         {largest:.2e} in `{member}`, more than the limit {limit:.2e}. {}",
        alternatives([
            Some(format!("Set a consistent {value}")),
            Remedy::Setting { name: "fix_initial", value: "[…]" }.after("fix members with"),
            larger_correction(*largest)
        ])
    )
}
