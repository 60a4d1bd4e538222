//! Why there is no equilibrium to be found.

use core::fmt;

use nalgebra::DVector;

use crate::inputs::InputError;
use crate::integrator::{Quantity, StepFailure};
use crate::simulate::ConsistencyError;
use crate::system::{DeclarationError, Description, ModelError};

/// A direction in which nothing resists: displaced along it, a system stays in equilibrium to first order.
#[derive(Clone, Debug, PartialEq)]
pub struct LooseDirection {
    /// The members that it moves most, the largest share first.
    pub members: Vec<&'static str>,
    /// Its components, the largest one 1.
    pub components: Vec<f64>,
}

impl LooseDirection {
    /// That of some components.
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
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EquilibriumError {
    /// The start belongs to another system: a chain of another length, or a member that is no element of its group.
    ForeignStart(ModelError),
    /// No start was given.
    NoStart,
    /// A setting is not a positive number.
    Setting {
        /// What says it.
        option: &'static str,
        /// Its value.
        value: f64,
    },
    /// A declared function and the code that was generated from it disagree.
    Declaration(DeclarationError),
    /// The inputs that the system takes are not given, or not as they have to be.
    Inputs(InputError),
    /// The start cannot be brought onto the constraints, or they depend on one another there.
    Start(ConsistencyError),
    /// A velocity constraint asks for a motion: nothing is at rest.
    NeverAtRest {
        /// The constraint.
        constraint: &'static str,
        /// Its row of B.
        row: usize,
        /// b, what B v has to make up for.
        rate: f64,
    },
    /// Nothing resists some displacements: there is no equilibrium, or it is one of many.
    Loose {
        /// The iterations made before.
        iterations: usize,
        /// The largest component of the forces that are left.
        force: f64,
        /// The member it acts on.
        member: &'static str,
        /// The directions.
        directions: Vec<LooseDirection>,
    },
    /// The linear system of an iteration has no solution.
    Iteration {
        /// The iterations made before.
        iterations: usize,
        /// Why.
        failure: StepFailure,
    },
    /// A force or its derivative is not finite in an iterate.
    NotFinite {
        /// The iterations made before.
        iterations: usize,
        /// What is not finite.
        quantity: Quantity,
    },
    /// Newton's iteration did not come to an end.
    NotConverged {
        /// The iterations made.
        iterations: usize,
        /// The largest component of the last correction.
        correction: f64,
        /// The largest component of the force that is left on each member, the largest first.
        forces: Vec<(&'static str, f64)>,
        /// The largest residual that is left of each constraint, the largest first.
        constraints: Vec<(&'static str, f64)>,
    },
    /// There is no system at a value of the parameter.
    Family {
        /// The value.
        value: f64,
        /// Why.
        error: ModelError,
    },
    /// A load step failed however small it was made.
    LoadStep {
        /// The last value of the parameter at which an equilibrium was found; `None` if the first one failed.
        reached: Option<f64>,
        /// The value that was tried.
        tried: f64,
        /// Why that failed.
        error: Box<EquilibriumError>,
    },
    /// The slowest vibrations about an equilibrium on a branch, which tell of its stability, were not found.
    Stability {
        /// The parameter there.
        parameter: f64,
        /// How many are looked for.
        count: usize,
    },
    /// A branch of equilibria ends before the aim that `parameter_end` has set.
    AimNotReached {
        /// The aim.
        aim: f64,
        /// The parameter at the last point.
        reached: f64,
        /// The number of points.
        points: usize,
    },
    /// A branch of equilibria could not be followed on, however short the step was made.
    Branch {
        /// The last value of the parameter on the branch.
        parameter: f64,
        /// The length of the last step that was tried.
        step: f64,
        /// The points found before.
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
    /// The message without advice that a search over several loads has followed already.
    fn reason(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EquilibriumError::NotConverged { iterations, correction, forces, constraints } = self else {
            return fmt::Display::fmt(self, f);
        };
        write!(f, "no equilibrium after {iterations} iterations, the last correction {correction:.2e}")?;
        write!(f, "; forces of {} are left", listed(forces, "on"))?;
        if constraints.iter().any(|(_, residual)| *residual > 0.0) {
            write!(f, ", residuals of {}", listed(constraints, "in"))?;
        }
        Ok(())
    }
}

impl fmt::Display for EquilibriumError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EquilibriumError::ForeignStart(error) => write!(f, "the start is not of this system: {error}"),
            EquilibriumError::NoStart => f.write_str("no configuration to start from: say `.guess(q)`"),
            EquilibriumError::Setting { option, value } => {
                write!(f, "the {option} is {value:?}; it has to be a positive number")
            }
            EquilibriumError::Declaration(error) => error.fmt(f),
            EquilibriumError::Inputs(error) => error.fmt(f),
            EquilibriumError::Start(error) => write!(f, "the search cannot begin: {error}"),
            EquilibriumError::NeverAtRest { constraint, row, rate } => write!(
                f,
                "velocity constraint `{constraint}` (row {row}) asks for a rate of {:.2e} and is never at rest",
                -rate
            ),
            EquilibriumError::Loose { iterations, force, member, directions } => {
                write!(f, "after {iterations} iterations nothing resists ")?;
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
                    ", and a force of {force:.2e} is left on `{member}`: hold what floats by a constraint or \
                     `#[clamped(first)]`, start from a configuration that is not on the verge of buckling, or \
                     follow the load by `Continuation`; how what floats vibrates, and what inputs hold that are a function \
                     of the state, is told by `Linearisation`"
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
                    "in iteration {}, {of}: the derivative of a norm is not defined where the norm is zero, as between two coincident \
                     points; start from a configuration in which they are apart, or write `(d.norm_squared() + s * s).sqrt()` with a \
                     small length s instead of `d.norm()`",
                    iterations + 1
                )
            }
            EquilibriumError::NotConverged { .. } => {
                self.reason(f)?;
                f.write_str("; start closer to the equilibrium, or increase the loads step by step with `LoadSteps`")
            }
            EquilibriumError::Family { value, error } => write!(f, "there is no system at {value:?}: {error}"),
            EquilibriumError::LoadStep { reached, tried, error } => {
                write!(f, "no equilibrium was found at the load {tried:?}: ")?;
                error.reason(f)?;
                match reached {
                    Some(reached) => write!(
                        f,
                        "; the last load with an equilibrium is {reached:?}. If the load has a limit point there, follow the branch by its \
                         arc length with `Continuation`"
                    ),
                    None => f.write_str("; start closer to the equilibrium, or begin with a smaller load"),
                }
            }
            EquilibriumError::Stability { parameter, count } => write!(
                f,
                "at {parameter:?} the {count} slowest vibrations, which tell whether the equilibrium is stable, were not told from the others: \
                 follow the load by `LoadSteps`, which does not ask for them"
            ),
            EquilibriumError::AimNotReached { aim, reached, points } => write!(
                f,
                "the branch ends at {reached:?} after {points} points, before its aim of {aim:?}: set more `.points(…)` or a larger `.step(…)`, \
                 or an aim on the branch; the points so far are in the `branch` of the error"
            ),
            EquilibriumError::Branch { parameter, step, points } => write!(
                f,
                "the branch could not be followed beyond its {points} points, from {parameter:?} on, by steps down to \
                 {step:.1e}: look for a force that is not smooth there, or say a smaller `.step(…)`"
            ),
        }
    }
}

impl std::error::Error for EquilibriumError {}
