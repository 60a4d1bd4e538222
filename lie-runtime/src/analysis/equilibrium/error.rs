//! Errors of the search for equilibria.

use nalgebra::DVector;

use crate::analysis::first_order::is_of_states;
use crate::inputs::InputError;
use crate::integrator::{Quantity, StepFailure};
use crate::messages::see;
use crate::simulate::ConsistencyError;
use crate::system::{DeclarationError, Description, FunctionElement, LawViolation, ModelError};

/// A direction without stiffness: a displacement along it preserves the equilibrium to first order.
#[derive(Clone, Debug, PartialEq)]
pub struct ZeroStiffnessMode {
    /// The members with the largest displacements, in descending order.
    pub members: Vec<&'static str>,
    /// The components, scaled to a largest component of 1.
    pub components: Vec<f64>,
}

impl ZeroStiffnessMode {
    /// Creates the direction of these components.
    pub(in crate::analysis) fn of(description: &Description, components: &DVector<f64>) -> Self {
        let largest = components.iter().fold(0.0, |m: f64, x| if x.abs() > m.abs() { *x } else { m });
        let components: Vec<f64> = components.iter().map(|x| if largest == 0.0 { 0.0 } else { x / largest }).collect();
        let share = |name: &str| {
            let own = description.members.iter().filter(|member| member.name == name);
            own.flat_map(|member| &components[member.offset..member.offset + member.dof])
                .fold(0.0, |m: f64, x| m.max(x.abs()))
        };
        let mut members: Vec<(f64, &'static str)> = Vec::new();
        for member in description.members.iter() {
            let share = share(member.name);
            if share > 0.1 && members.iter().all(|(_, name)| *name != member.name) {
                members.push((share, member.name));
            }
        }
        members.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let members = members.into_iter().map(|(_, name)| name).collect();
        ZeroStiffnessMode { members, components }
    }
}

/// No equilibrium was found.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EquilibriumError {
    /// The start does not fit the system: a chain has another length, or a member is not an element of its group.
    #[error("the start does not fit the system: {0}")]
    ForeignStart(ModelError),
    /// A contact with friction slides.
    #[error(
        "a contact with friction slides, and a system in equilibrium does not slide. Set `slip` to 0 for a contact that sticks {}",
        see("friction-of-contacts")
    )]
    Sliding,
    /// The equilibrium violates the law of a contact, of a stop or of dry friction.
    #[error("the equilibrium is not possible: {0}")]
    Law(LawViolation),
    /// No start was given.
    #[error("missing initial configuration; call `.guess(q)` {}", see("static-equilibrium"))]
    NoStart,
    /// A setting is not a positive number.
    #[error("the {option} is {value:?}; it must be positive and finite {}", see("static-equilibrium"))]
    Setting {
        /// The name of the setting.
        option: &'static str,
        /// The value of the setting.
        value: f64,
    },
    /// A declared function and its generated code differ.
    #[error(transparent)]
    Declaration(DeclarationError),
    /// The inputs of the system are missing or invalid.
    #[error(transparent)]
    Inputs(InputError),
    /// The start cannot be projected onto the constraint manifold, or the constraints are linearly dependent there.
    #[error("the search cannot start: {0}")]
    Start(ConsistencyError),
    /// A velocity constraint requires a motion, so that no equilibrium exists.
    #[error(
        "velocity constraint `{constraint}` (row {row}) requires a rate of {:.2e}, so that no equilibrium exists. Remove the required rate, or \
         search for a periodic orbit {}",
        -.rate,
        see("static-equilibrium")
    )]
    NeverAtRest {
        /// The constraint.
        constraint: &'static str,
        /// Its row of B.
        row: usize,
        /// b, which B v must compensate.
        rate: f64,
    },
    /// Some displacements have no stiffness: there is no equilibrium, or it is not unique.
    #[error(
        "after {iterations} iterations there is no stiffness against {}, and the residual force on `{member}` is {force:.2e}. Hold floating \
         members by a constraint or `#[clamped(first)]`, start from a configuration that is not close to buckling, or follow the load with \
         `Continuation`. `Linearisation` computes vibrations of floating systems and the effect of inputs that are a function of the state {}",
        displacements(.directions),
        see("static-equilibrium")
    )]
    Loose {
        /// The number of previous iterations.
        iterations: usize,
        /// The largest component of the residual forces.
        force: f64,
        /// The member of this force.
        member: &'static str,
        /// The directions.
        directions: Vec<ZeroStiffnessMode>,
    },
    /// The linear system of an iteration has no solution.
    #[error("iteration {} has no result: {failure}", .iterations + 1)]
    Iteration {
        /// The number of previous iterations.
        iterations: usize,
        /// The reason.
        failure: StepFailure,
    },
    /// A force or its derivative is not finite in an iterate.
    #[error(
        "in iteration {}, {}. The derivative of a norm is not defined at zero, for example between two coincident points. Start from a \
         configuration with distinct points, or write `(d.norm_squared() + s * s).sqrt()` with a small length s instead of `d.norm()` {}",
        .iterations + 1,
        not_finite(*.quantity),
        see("values-that-are-not-finite")
    )]
    NotFinite {
        /// The number of previous iterations.
        iterations: usize,
        /// The quantity that is not finite.
        quantity: Quantity,
    },
    /// Newton's iteration did not converge.
    #[error(
        "{}. Start closer to the equilibrium, or increase the loads step by step with `LoadSteps` {}",
        not_converged(*.iterations, *.correction, .forces, .constraints),
        see("static-equilibrium")
    )]
    NotConverged {
        /// The number of iterations.
        iterations: usize,
        /// The largest component of the last correction.
        correction: f64,
        /// The largest residual force of each member, in descending order.
        forces: Vec<(&'static str, f64)>,
        /// The largest residual of each constraint, in descending order.
        constraints: Vec<(&'static str, f64)>,
    },
    /// The family has no system at a value of the parameter.
    #[error("the family has no system at {value:?}: {error}")]
    Family {
        /// The value.
        value: f64,
        /// The reason.
        error: ModelError,
    },
    /// A load step failed at the smallest size.
    #[error("{} {}", load_step(*.reached, *.tried, .error), see("continuation"))]
    LoadStep {
        /// The last value of the parameter with an equilibrium; `None` if the first one failed.
        reached: Option<f64>,
        /// The value of the failed step.
        tried: f64,
        /// The reason for the failure.
        error: Box<EquilibriumError>,
    },
    /// The slowest vibrations about an equilibrium on a branch, which determine its stability, were not found.
    #[error(
        "at {parameter:?} the {count} slowest vibrations, which determine the stability, could not be separated from the others. Follow the load \
         with `LoadSteps`, which does not compute them {}",
        see("continuation")
    )]
    Stability {
        /// The parameter of the equilibrium.
        parameter: f64,
        /// The number of vibrations.
        count: usize,
    },
    /// A branch of equilibria ends before the value of `parameter_end`.
    #[error(
        "the branch ends at {reached:?} after {points} points, before its target {aim:?}. Set more `.points(…)`, a larger `.step(…)`, or a target \
         on the branch. The field `branch` of the error contains the points so far {}",
        see("continuation")
    )]
    AimNotReached {
        /// The value of `parameter_end`.
        aim: f64,
        /// The parameter at the last point.
        reached: f64,
        /// The number of points.
        points: usize,
    },
    /// The continuation of a branch of equilibria failed at the smallest step.
    #[error(
        "the continuation failed after {points} points at {parameter:?}, with steps down to {step:.1e}. Check that the forces are smooth there, or \
         set a smaller `.step(…)` {}",
        see("continuation")
    )]
    Branch {
        /// The last value of the parameter on the branch.
        parameter: f64,
        /// The length of the last step.
        step: f64,
        /// The number of previous points.
        points: usize,
    },
}

crate::messages::debug_is_the_message!(EquilibriumError);

/// Returns `` 1.2e3 on `a`, 4.5e0 on `b` ``.
fn sizes(entries: &[(&'static str, f64)], joint: &str) -> String {
    let entries: Vec<String> =
        entries.iter().take(3).map(|(name, size)| format!("{size:.2e} {joint} `{name}`")).collect();
    entries.join(", ")
}

/// The residuals of an iteration that did not converge.
fn not_converged(
    iterations: usize,
    correction: f64,
    forces: &[(&'static str, f64)],
    constraints: &[(&'static str, f64)],
) -> String {
    let constraints = if constraints.iter().any(|(_, residual)| *residual > 0.0) {
        format!(", constraint residuals: {}", sizes(constraints, "in"))
    } else {
        String::new()
    };
    format!(
        "no equilibrium after {iterations} iterations, the last correction {correction:.2e}; residual forces: {}{constraints}",
        sizes(forces, "on")
    )
}

/// The displacements without stiffness.
fn displacements(directions: &[ZeroStiffnessMode]) -> String {
    let names = |members: &[&str]| members.join("`, `");
    let mut states = directions.iter().flat_map(|direction| &direction.members).filter(|name| is_of_states(name));
    if let Some(state) = states.next() {
        return format!("a change of `{state}`, which its `#[rate]` does not determine");
    }
    if let [direction] = directions {
        return format!("a displacement of `{}`", names(&direction.members));
    }
    let mut members: Vec<&str> = directions.iter().flat_map(|direction| direction.members.clone()).collect();
    members.sort_unstable();
    members.dedup();
    format!("{} displacements, of `{}`", directions.len(), names(&members))
}

/// The quantity that is not finite.
fn not_finite(quantity: Quantity) -> String {
    let by =
        |function: Option<FunctionElement>| function.map_or_else(String::new, |function| format!(" by {function}"));
    match quantity {
        Quantity::Force { member, function } => format!("the force on `{member}`{} is not finite", by(function)),
        Quantity::Derivative { member, function } => {
            format!("the derivative of the force on `{member}`{}, the tangent stiffness, is not finite", by(function))
        }
        Quantity::Jacobian { row } => format!("the Jacobian of constraint {row} is not finite"),
        _ => "a force or a constraint is not finite".to_owned(),
    }
}

/// The message of a failed load step, without the remedies for a single load.
fn load_step(reached: Option<f64>, tried: f64, error: &EquilibriumError) -> String {
    let reason = match error {
        EquilibriumError::NotConverged { iterations, correction, forces, constraints } => {
            not_converged(*iterations, *correction, forces, constraints)
        }
        error => error.to_string(),
    };
    let remedy = match reached {
        Some(reached) if matches!(error, EquilibriumError::Law(_)) => {
            format!(
                "The last load with an equilibrium in this state of the contacts is {reached:?}. Continue from there with other parameters"
            )
        }
        Some(reached) => format!(
            "The last load with an equilibrium is {reached:?}. If the load has a limit point there, follow the branch by its arc length with \
             `Continuation`"
        ),
        None => "Start closer to the equilibrium or with a smaller load".to_owned(),
    };
    format!("no equilibrium was found at the load {tried:?}: {reason}. {remedy}")
}
