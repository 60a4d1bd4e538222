//! Functions with a role.

use std::rc::Rc;

use syn::{Block, Ident, Type};

use super::{Group, Selection, TermElement};

/// A function with a role.
#[derive(Clone)]
pub(crate) struct RoleFunction {
    pub role: Role,
    /// `over = …`: the selections of an element.
    pub over: Option<Vec<Selection>>,
    /// The members of one element, in an unrolled declaration.
    pub element: Option<TermElement>,
    pub name: Ident,
    /// The declared visibility, which generated items of the function share.
    pub visibility: syn::Visibility,
    pub arguments: Vec<Argument>,
    pub output: OutputShape,
    /// The declared return type (for spans).
    pub output_type: Type,
    /// In canonical form, like the function body.
    pub signature: Rc<syn::Signature>,
    pub body: Rc<Block>,
}

impl RoleFunction {
    /// True for a function of one of several elements, whose members depend on lengths or connections.
    pub fn runs_over_members(&self) -> bool {
        self.element.as_ref().is_some_and(|element| element.number.is_some())
    }

    /// True for functions that read auxiliary states or return their derivatives, and for the quantities at which such forces act. Other
    /// forces at these quantities are in the same term. `targets` are [these quantities](super::Model::targets_of_states).
    pub fn reads_states(&self, targets: &[Ident]) -> bool {
        match &self.role {
            Role::Force(ForceTarget::States) => true,
            Role::Force(ForceTarget::Quantity(target)) if targets.contains(target) => true,
            Role::Quantity => targets.contains(&self.name),
            _ => self.arguments.iter().any(|argument| argument.kind == ArgumentKind::States),
        }
    }
}

/// The quantities at which forces act that read auxiliary states.
pub(crate) fn targets_of_states(functions: &[RoleFunction]) -> Vec<Ident> {
    let reading = functions.iter().filter(|function| function.reads_states(&[]));
    let target = |function: &RoleFunction| match &function.role {
        Role::Force(ForceTarget::Quantity(target)) => Some(target.clone()),
        _ => None,
    };
    reading.filter_map(target).collect()
}

/// The role of a function.
#[derive(Clone, Debug)]
pub(crate) enum Role {
    KineticEnergy,
    MassMatrix,
    Potential,
    Dissipation,
    Force(ForceTarget),
    Constraint,
    VelocityConstraint,
    Observable,
    Quantity,
    Kinematics,
    Symmetry,
    Event,
}

impl Role {
    /// True for functions that are ordinary Rust: they are called, but not read.
    pub fn is_called(&self) -> bool {
        matches!(self, Role::Observable | Role::Symmetry | Role::Event)
    }
}

/// The target of a generalised force.
#[derive(Clone, Debug)]
pub(crate) enum ForceTarget {
    /// `#[force]`: one row for each degree of freedom.
    Velocity,
    /// `#[force(on = attitude)]`, `#[force(on = bodies[1].attitude)]`: rows of that member, counted from its first row.
    Member(usize, std::ops::Range<usize>),
    /// `#[force(at = tip)]`: in the space of the quantity with this name.
    Quantity(Ident),
    /// `#[rate]`: the derivatives of the auxiliary states.
    States,
    /// The friction of a joint with a declared law. Its function returns the force and the velocity u on which the force acts, (∂u/∂v)ᵀ f.
    Slip,
}

/// An argument of a role function.
#[derive(Clone)]
pub(crate) struct Argument {
    /// The name of the binding (`_q` included).
    pub name: Ident,
    /// As written: a name, or `[a, b]` for the members of a window.
    pub pattern: syn::Pat,
    pub kind: ArgumentKind,
}

/// The meaning of an argument, identified by its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgumentKind {
    Parameters,
    Inputs,
    Time,
    Configuration,
    Velocity,
    /// The auxiliary states.
    States,
    /// The multipliers under the names of their constraints, for functions that are called.
    Multipliers,
    /// The members of a selection of `over`.
    Members(usize),
    /// The velocities of the members of a selection.
    Velocities(usize),
    /// `index: usize`, the index of the element.
    Index,
    /// `length: usize`, the length of the chain.
    Length,
}

/// The shape of a returned value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputShape {
    Scalar,
    Vector(usize),
    Matrix(usize, usize),
    /// An element of a group, for quantities and frames.
    Element(Group),
    /// Observables can return any type that converts into a `Value`, symmetries a velocity.
    Other,
}
