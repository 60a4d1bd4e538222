//! Errors of the search for equilibria.

use core::fmt;

use nalgebra::DVector;

use crate::inputs::InputError;
use crate::integrator::{Quantity, StepFailure};
use crate::simulate::ConsistencyError;
use crate::system::{DeclarationError, Description, ModelError};

/// A direction without stiffness: a displacement along it preserves the equilibrium to first order.
#[derive(Clone, Debug, PartialEq)]
pub struct LooseDirection {
    /// The members with the largest displacements, in descending order.
    pub members: Vec<&'static str>,
    /// The components, scaled to a largest component of 1.
    pub components: Vec<f64>,
}

impl LooseDirection {
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
        LooseDirection { members, components }
    }
}

/// No equilibrium was found.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum EquilibriumError {
    /// The start does not fit the system: a chain has another length, or a member is not an element of its group.
    ForeignStart(ModelError),
    /// No start was given.
    NoStart,
    /// A setting is not a positive number.
    Setting {
        /// The name of the setting.
        option: &'static str,
        /// The value of the setting.
        value: f64,
    },
    /// A declared function and its generated code differ.
    Declaration(DeclarationError),
    /// The inputs of the system are missing or invalid.
    Inputs(InputError),
    /// The start cannot be projected onto the constraint manifold, or the constraints are linearly dependent there.
    Start(ConsistencyError),
    /// A velocity constraint requires a motion, so that no equilibrium exists.
    NeverAtRest {
        /// The constraint.
        constraint: &'static str,
        /// Its row of B.
        row: usize,
        /// b, which B v must compensate.
        rate: f64,
    },
    /// Some displacements have no stiffness: there is no equilibrium, or it is not unique.
    Loose {
        /// The number of previous iterations.
        iterations: usize,
        /// The largest component of the residual forces.
        force: f64,
        /// The member of this force.
        member: &'static str,
        /// The directions.
        directions: Vec<LooseDirection>,
    },
    /// The linear system of an iteration has no solution.
    Iteration {
        /// The number of previous iterations.
        iterations: usize,
        /// The reason.
        failure: StepFailure,
    },
    /// A force or its derivative is not finite in an iterate.
    NotFinite {
        /// The number of previous iterations.
        iterations: usize,
        /// The quantity that is not finite.
        quantity: Quantity,
    },
    /// Newton's iteration did not converge.
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
    Family {
        /// The value.
        value: f64,
        /// The reason.
        error: ModelError,
    },
    /// A load step failed at the smallest size.
    LoadStep {
        /// The last value of the parameter with an equilibrium; `None` if the first one failed.
        reached: Option<f64>,
        /// The value of the failed step.
        tried: f64,
        /// The reason for the failure.
        error: Box<EquilibriumError>,
    },
    /// The slowest vibrations about an equilibrium on a branch, which determine its stability, were not found.
    Stability {
        /// The parameter of the equilibrium.
        parameter: f64,
        /// The number of vibrations.
        count: usize,
    },
    /// A branch of equilibria ends before the value of `parameter_end`.
    AimNotReached {
        /// The value of `parameter_end`.
        aim: f64,
        /// The parameter at the last point.
        reached: f64,
        /// The number of points.
        points: usize,
    },
    /// The continuation of a branch of equilibria failed at the smallest step.
    Branch {
        /// The last value of the parameter on the branch.
        parameter: f64,
        /// The length of the last step.
        step: f64,
        /// The number of previous points.
        points: usize,
    },
}

/// `` 1.2e3 on `a`, 4.5e0 on `b` ``.
fn listed(entries: &[(&'static str, f64)], joint: &str) -> String {
    let entries: Vec<String> =
        entries.iter().take(3).map(|(name, size)| format!("{size:.2e} {joint} `{name}`")).collect();
    entries.join(", ")
}

impl EquilibriumError {
    /// Writes the message without the advice that does not apply to a search over several loads.
    fn reason(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EquilibriumError::NotConverged { iterations, correction, forces, constraints } = self else {
            return fmt::Display::fmt(self, f);
        };
        write!(f, "no equilibrium after {iterations} iterations, the last correction {correction:.2e}")?;
        write!(f, "; residual forces: {}", listed(forces, "on"))?;
        if constraints.iter().any(|(_, residual)| *residual > 0.0) {
            write!(f, ", constraint residuals: {}", listed(constraints, "in"))?;
        }
        Ok(())
    }
}

impl fmt::Display for EquilibriumError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EquilibriumError::ForeignStart(error) => write!(f, "the start does not fit the system: {error}"),
            EquilibriumError::NoStart => f.write_str("missing initial configuration: call `.guess(q)`"),
            EquilibriumError::Setting { option, value } => {
                write!(f, "the {option} is {value:?}; it must be positive and finite")
            }
            EquilibriumError::Declaration(error) => error.fmt(f),
            EquilibriumError::Inputs(error) => error.fmt(f),
            EquilibriumError::Start(error) => write!(f, "the search cannot start: {error}"),
            EquilibriumError::NeverAtRest { constraint, row, rate } => write!(
                f,
                "velocity constraint `{constraint}` (row {row}) requires a rate of {:.2e}, so that no equilibrium exists",
                -rate
            ),
            EquilibriumError::Loose { iterations, force, member, directions } => {
                write!(f, "after {iterations} iterations there is no stiffness against ")?;
                match &directions[..] {
                    [direction] => write!(f, "a displacement of `{}`", direction.members.join("`, `"))?,
                    several => {
                        write!(f, "{} displacements, of ", several.len())?;
                        let mut members: Vec<&str> = several.iter().flat_map(|one| one.members.clone()).collect();
                        members.sort_unstable();
                        members.dedup();
                        write!(f, "`{}`", members.join("`, `"))?;
                    }
                }
                write!(
                    f,
                    ", and the residual force on `{member}` is {force:.2e}. Hold floating members by a constraint or \
                     `#[clamped(first)]`, start from a configuration that is not close to buckling, or \
                     follow the load with `Continuation`. `Linearisation` computes vibrations of floating systems and the effect \
                     of inputs that are a function of the state"
                )
            }
            EquilibriumError::Iteration { iterations, failure } => {
                write!(f, "iteration {} has no result: {failure}", iterations + 1)
            }
            EquilibriumError::NotFinite { iterations, quantity } => {
                let of = match quantity {
                    Quantity::Force { member } => format!("the force on `{member}` is not finite"),
                    Quantity::Derivative { member } => {
                        format!("the derivative of the force on `{member}`, the tangent stiffness, is not finite")
                    }
                    Quantity::Jacobian { constraint } => {
                        format!("the Jacobian of constraint `{constraint}` is not finite")
                    }
                    _ => "a force or a constraint is not finite".to_owned(),
                };
                write!(
                    f,
                    "in iteration {}, {of}. The derivative of a norm is not defined at zero, for example between two coincident \
                     points. Start from a configuration with distinct points, or write `(d.norm_squared() + s * s).sqrt()` with a \
                     small length s instead of `d.norm()`",
                    iterations + 1
                )
            }
            EquilibriumError::NotConverged { .. } => {
                self.reason(f)?;
                f.write_str("; start closer to the equilibrium, or increase the loads step by step with `LoadSteps`")
            }
            EquilibriumError::Family { value, error } => write!(f, "the family has no system at {value:?}: {error}"),
            EquilibriumError::LoadStep { reached, tried, error } => {
                write!(f, "no equilibrium was found at the load {tried:?}: ")?;
                error.reason(f)?;
                match reached {
                    Some(reached) => write!(
                        f,
                        "; the last load with an equilibrium is {reached:?}. If the load has a limit point there, follow the branch by its \
                         arc length with `Continuation`"
                    ),
                    None => f.write_str("; start closer to the equilibrium or with a smaller load"),
                }
            }
            EquilibriumError::Stability { parameter, count } => write!(
                f,
                "at {parameter:?} the {count} slowest vibrations, which determine the stability, could not be separated from the others: \
                 follow the load with `LoadSteps`, which does not compute them"
            ),
            EquilibriumError::AimNotReached { aim, reached, points } => write!(
                f,
                "the branch ends at {reached:?} after {points} points, before its target {aim:?}. Set more `.points(…)`, a larger `.step(…)`, \
                 or a target on the branch. The field `branch` of the error contains the points so far"
            ),
            EquilibriumError::Branch { parameter, step, points } => write!(
                f,
                "the continuation failed after {points} points at {parameter:?}, with steps down to \
                 {step:.1e}. Check that the forces are smooth there, or set a smaller `.step(…)`"
            ),
        }
    }
}

crate::messages::debug_is_the_message!(EquilibriumError);
impl std::error::Error for EquilibriumError {}
