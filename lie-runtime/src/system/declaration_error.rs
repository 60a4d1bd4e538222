//! Errors of the comparison between declared functions and generated code.

use core::fmt;

use crate::messages::see;

/// The number of components of a state that a message prints.
const SHOWN: usize = 12;

/// A declared function and the generated code differ, or the function cannot be evaluated.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DeclarationError {
    /// The function and the generated code return different values.
    #[error("{disagreement} (at {state}); {} {}", remedy(.disagreement.what), see("declaration-check"))]
    Disagrees {
        /// The function and both values.
        disagreement: Disagreement,
        /// The state of the comparison.
        state: Box<CheckedState>,
    },
    /// The function panics at the given state.
    #[error(
        "{} panics (at {state}): {message}; start at a state where the function is defined {}",
        subject(&[.function], *.element, 0),
        see("declaration-check")
    )]
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
    #[error(
        "the system does not have the symmetry `{}`: along its velocity {} {} changes at a rate of {:.3e}, although terms of {:.1e} \
         should cancel (at {}). Return the velocity of a motion of all members, in the components of `Velocity`: body-fixed for angular \
         velocities and poses {}",
        .0.symmetry,
        TruncatedList(&.0.along),
        .0.what,
        .0.change,
        .0.scale,
        .0.state,
        see("symmetries")
    )]
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

/// Returns `` `f` `` or ``component 2 of `f` for member 7``.
fn subject(functions: &[&str], element: Option<usize>, component: usize) -> String {
    let component = if component > 0 { format!("component {component} of ") } else { String::new() };
    let element = element.map_or_else(String::new, |element| format!(" for member {element}"));
    format!("{component}`{}`{element}", functions.join("` + `"))
}

/// The remedy of a difference in this quantity.
fn remedy(quantity: ComparedQuantity) -> &'static str {
    match quantity {
        ComparedQuantity::Derivative => {
            "compute with the generic scalars throughout an opaque function, because a value extracted from one has no derivative, and \
             return the derivative of the function from a hand-written derivative"
        }
        ComparedQuantity::Mass
        | ComparedQuantity::MassInverse
        | ComparedQuantity::Power
        | ComparedQuantity::ConstraintRate
        | ComparedQuantity::ConstraintCurvature => {
            "compute with the generic scalars throughout an opaque function, and return the derivative of the function from a \
             hand-written derivative; otherwise report this error of the macro"
        }
        ComparedQuantity::Value | ComparedQuantity::KineticEnergy | ComparedQuantity::PotentialEnergy => {
            "the macro has misread the body of the function: report this error of the macro, and rewrite the body meanwhile"
        }
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { functions, element, component, what, declared, generated } = self;
        let subject = subject(functions, *element, *component);
        let (quantity, source) = match what {
            ComparedQuantity::Value => ("", "as declared"),
            ComparedQuantity::Derivative => ("the rate of ", "by differences of the function"),
            ComparedQuantity::KineticEnergy => ("the kinetic energy ", "as declared"),
            ComparedQuantity::PotentialEnergy => ("the potential energy ", "as declared"),
            ComparedQuantity::Mass => ("v · M v of the mass matrix of ", "by the kinetic energy"),
            ComparedQuantity::MassInverse => {
                ("v · M v after a solution with the mass matrix of ", "before the solution")
            }
            ComparedQuantity::Power => ("the power of the forces of ", "by differences of the energies"),
            ComparedQuantity::ConstraintRate => ("the rate B v + b of ", "by differences"),
            ComparedQuantity::ConstraintCurvature => ("the curvature, the rate of B v + b, of ", "by differences"),
        };
        write!(f, "{quantity}{subject} is {declared:?} {source} and {generated:?} in the generated code")
    }
}

crate::messages::debug_is_the_message!(DeclarationError);
