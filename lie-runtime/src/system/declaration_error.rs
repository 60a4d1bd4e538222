//! Errors of the comparison between declared functions and generated code.

use core::fmt;

/// The number of components of a state that a message prints.
const SHOWN: usize = 12;

/// A declared function and the generated code differ, or the function cannot be evaluated.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum DeclarationError {
    /// The function and the generated code return different values.
    Disagrees {
        /// The function and both values.
        disagreement: Disagreement,
        /// The state of the comparison.
        state: Box<CheckedState>,
    },
    /// The function panics at the given state.
    Panics {
        /// The function.
        function: &'static str,
        /// The number of the member, if the function runs over many members.
        element: Option<usize>,
        /// The message of the panic.
        message: String,
        /// The state of the evaluation.
        state: Box<CheckedState>,
    },
    /// The system does not have a declared symmetry.
    NotSymmetric(SymmetryViolation),
}

/// A declared value and a generated value that differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement {
    /// The function; for a sum, all functions that contribute.
    pub functions: Vec<&'static str>,
    /// The number of the member, if the function runs over many members.
    pub element: Option<usize>,
    /// The component of the value; 0 for a scalar. Matrices are counted by rows.
    pub component: usize,
    /// The compared quantity.
    pub what: ComparedQuantity,
    /// The value that the function returns when Rust runs it.
    pub declared: f64,
    /// The value of the generated code.
    pub generated: f64,
}

/// A quantity that the check compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ComparedQuantity {
    /// The value.
    Value,
    /// The derivative of an opaque function: `declared` is a finite difference of values.
    Derivative,
    /// The kinetic energy, a sum of functions.
    KineticEnergy,
    /// The potential energy, a sum of functions.
    PotentialEnergy,
    /// v · M v of a velocity: `declared` is twice the part of the kinetic energy that is quadratic in it.
    Mass,
    /// M⁻¹ M v − v: `generated` is its v · M v, and `declared` is v · M v of the velocity itself.
    MassInverse,
    /// The power of all forces except the constraint forces, at zero acceleration: `declared` is the declared power
    /// minus the change of the energies, by finite differences.
    Power,
    /// The rate of a holonomic constraint, B v + b: `declared` is a finite difference of its residual.
    ConstraintRate,
    /// The curvature terms of a constraint: `declared` is a finite difference of B v + b.
    ConstraintCurvature,
}

/// A declared symmetry that does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct SymmetryViolation {
    /// The symmetry.
    pub symmetry: &'static str,
    /// `the Lagrangian`, or the name of a constraint, which changes along the symmetry.
    pub what: String,
    /// Its derivative along ξ.
    pub change: f64,
    /// The size of the terms that must cancel for a symmetry.
    pub scale: f64,
    /// ξ in components.
    pub along: Vec<f64>,
    /// The state of the comparison.
    pub state: Box<CheckedState>,
}

/// The state of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedState {
    /// True for the given state, false for a state close to it.
    pub is_given: bool,
    /// The time.
    pub time: f64,
    /// The components of the configuration in the order of its members.
    pub configuration: Vec<f64>,
    /// The components of the velocity.
    pub velocity: Vec<f64>,
}

/// A list of which a message prints the first components.
struct TruncatedList<'a>(&'a [f64]);

impl fmt::Display for TruncatedList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (at, number) in self.0.iter().take(SHOWN).enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{number:?}")?;
        }
        if self.0.len() > SHOWN {
            write!(f, ", … {} numbers", self.0.len())?;
        }
        f.write_str("]")
    }
}

impl fmt::Display for CheckedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (q, v) = (TruncatedList(&self.configuration), TruncatedList(&self.velocity));
        let near = if self.is_given { "" } else { ", near the given state" };
        write!(f, "t = {:?}, q = {q}, v = {v}{near}", self.time)
    }
}

/// `` `f` `` or ``component 2 of `f` for member 7``.
fn subject(f: &mut fmt::Formatter<'_>, functions: &[&str], element: Option<usize>, component: usize) -> fmt::Result {
    if component > 0 {
        write!(f, "component {component} of ")?;
    }
    write!(f, "`{}`", functions.join("` + `"))?;
    element.map_or(Ok(()), |element| write!(f, " for member {element}"))
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.what {
            ComparedQuantity::Value => {}
            ComparedQuantity::Derivative => f.write_str("the rate of ")?,
            ComparedQuantity::KineticEnergy => f.write_str("the kinetic energy ")?,
            ComparedQuantity::PotentialEnergy => f.write_str("the potential energy ")?,
            ComparedQuantity::Mass => f.write_str("v · M v of the mass matrix of ")?,
            ComparedQuantity::MassInverse => f.write_str("v · M v after a solution with the mass matrix of ")?,
            ComparedQuantity::Power => f.write_str("the power of the forces of ")?,
            ComparedQuantity::ConstraintRate => f.write_str("the rate B v + b of ")?,
            ComparedQuantity::ConstraintCurvature => f.write_str("the curvature, the rate of B v + b, of ")?,
        }
        subject(f, &self.functions, self.element, self.component)?;
        let by = match self.what {
            ComparedQuantity::Value | ComparedQuantity::KineticEnergy | ComparedQuantity::PotentialEnergy => {
                "as declared"
            }
            ComparedQuantity::Mass => "by the kinetic energy",
            ComparedQuantity::MassInverse => return write!(f, " is {:?} of {:?}", self.generated, self.declared),
            ComparedQuantity::Derivative => "by differences of the function",
            ComparedQuantity::Power => "by differences of the energies",
            ComparedQuantity::ConstraintRate | ComparedQuantity::ConstraintCurvature => "by differences",
        };
        write!(f, " is {:?} {by} and {:?} in the generated code", self.declared, self.generated)
    }
}

impl fmt::Display for DeclarationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeclarationError::Disagrees { disagreement, state } => {
                write!(f, "{disagreement} (at {state}); ")?;
                f.write_str(match disagreement.what {
                    ComparedQuantity::Derivative => {
                        "an opaque function must compute with its generic scalars throughout, because a value extracted from one has no \
                         derivative; a hand-written derivative must be the derivative of the function"
                    }
                    ComparedQuantity::Mass | ComparedQuantity::MassInverse | ComparedQuantity::Power | ComparedQuantity::ConstraintRate | ComparedQuantity::ConstraintCurvature => {
                        "an opaque function must compute with its generic scalars throughout, and a hand-written derivative must be the \
                         derivative of the function; otherwise report this error of the macro"
                    }
                    ComparedQuantity::Value | ComparedQuantity::KineticEnergy | ComparedQuantity::PotentialEnergy => {
                        "the macro has misread the body of the function: report this error of the macro, and rewrite the body meanwhile"
                    }
                })
            }
            DeclarationError::Panics { function, element, message, state } => {
                subject(f, &[function], *element, 0)?;
                write!(f, " panics (at {state}): {message}; start where the function has a value")
            }
            DeclarationError::NotSymmetric(SymmetryViolation { symmetry, what, change, scale, along, state }) => {
                write!(
                    f,
                    "the system does not have the symmetry `{symmetry}`: along its velocity {} {what} changes at a rate of {change:.3e}, \
                     although terms of {scale:.1e} should cancel (at {state}); return the velocity of a motion of all members, in the \
                     components of `Velocity`: body-fixed for angular velocities and poses",
                    TruncatedList(along)
                )
            }
        }
    }
}

crate::messages::debug_is_the_message!(DeclarationError);
impl std::error::Error for DeclarationError {}
