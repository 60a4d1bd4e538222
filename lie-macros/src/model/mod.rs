//! The checked declaration: what the compiler knows once every error of structure and signature is reported.
//!
//! Invariant: a [`Model`] that `parse` returns without errors has exactly one configuration and one kind of inertia, every role
//! function has a valid signature, and all sizes that types state agree. A model that it returns with errors has the members
//! and functions without errors, and its [`Gaps`]. Bodies have not been read.

mod kinematics;
mod parameters;
mod terms;
mod within;

use std::collections::BTreeSet;

use syn::{Block, Ident, Item, ItemFn, Type};

pub(crate) use kinematics::{Joint, Kinematics};
pub(crate) use parameters::{
    ParameterEntry, ParameterField, ParameterForm, ParameterKind, ParameterStruct, ParameterTree, Parameters,
    entries as parameter_entries,
};
pub(crate) use terms::{FrameTerms, Part, Selection, TermModel};
pub(crate) use within::{Within, path_within};

pub(crate) use crate::group::Group;

/// What becomes of constraints that depend on one another, or on nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Redundancy {
    /// They are errors.
    Reported,
    /// `#[mechanical_system(redundant = minimum_norm)]`: multipliers of least norm.
    MinimumNorm,
    /// Nothing is said of them: they stand in for others, and are zeros.
    Unasked,
}

/// A declared system.
#[derive(Clone)]
pub(crate) struct Model {
    /// The module's attributes (documentation included), visibility and name.
    pub attributes: Vec<syn::Attribute>,
    pub visibility: syn::Visibility,
    pub name: Ident,
    pub configuration: Configuration,
    /// The structs of groups that are members of it.
    pub bodies: Vec<Body>,
    pub parameters: Option<Parameters>,
    /// The structs that are in the parameters.
    pub structs: Vec<ParameterStruct>,
    /// What is given at run time: of the form of parameters, without structs inside.
    pub inputs: Option<Parameters>,
    /// The frames along a chain that terms may run over.
    pub kinematics: Option<Kinematics>,
    /// Functions with a role, in the order of declaration.
    pub functions: Vec<RoleFunction>,
    /// Of a term: the role functions of other terms, which bodies may call.
    pub others: Vec<RoleFunction>,
    /// True for the model of a term that is not everything.
    pub is_part: bool,
    /// Functions without a role, which bodies may call: they are inlined.
    pub helpers: Vec<Within<ItemFn>>,
    /// Structs without a role, in canonical form; parts of parameters and bodies are among them.
    pub plain_structs: Vec<syn::ItemStruct>,
    /// Functions the compiler calls without looking inside.
    pub opaques: Vec<Opaque>,
    /// `const` items: folded.
    pub constants: Vec<Within<syn::ItemConst>>,
    /// Types whose names come in by a glob that cannot be seen: the compiler is asked whether they are the library's.
    pub assumed: Vec<Ident>,
    /// `#[mechanical_system(derivative_check)]`: emit twins of the functions on dual numbers.
    pub derivative_check: bool,
    /// `#[mechanical_system(gradients)]`: emit the kernels of reverse differentiation.
    pub gradients: Option<Ident>,
    /// All the user's items in order, as they are to be emitted: role attributes and their arguments removed,
    /// everything else kept. Configuration and parameter structs are *not* in this list: they are emitted generic.
    pub items: Vec<Item>,
    /// The parts of a robot file that the items do not contain.
    pub ignored: Vec<String>,
    /// `#[mechanical_system(max_operations = N)]`: the limit of scalar operations in one kernel.
    pub max_operations: Option<usize>,
    /// What becomes of constraints that depend on one another.
    pub redundancy: Redundancy,
    /// `#[mechanical_system(crate = lie)]`: the runtime, if it is not called `lie_runtime` here.
    pub runtime: Option<syn::Path>,
    /// What is missing, if errors have been reported.
    pub gaps: Gaps,
}

/// What a model lacks because of errors that have been reported: nothing is reported because of it.
#[derive(Clone, Default)]
pub(crate) struct Gaps {
    /// Names of functions, of their rates and of fields.
    pub names: BTreeSet<String>,
    /// True if a kinetic energy or a mass matrix is missing.
    pub inertia: bool,
}

/// The configuration group.
#[derive(Clone)]
pub(crate) struct Configuration {
    /// The struct as written, without the role attribute.
    pub item: syn::ItemStruct,
    pub members: Vec<Member>,
    /// The lists of tuples of members that terms run over.
    pub connections: Vec<Connections>,
    /// The list of what each frame hangs on, if frames are no chain.
    pub parents: Option<Ident>,
}

/// A list of tuples of members that is given at run time: which members springs, pins or rods join.
#[derive(Clone)]
pub(crate) struct Connections {
    pub name: Ident,
    /// The field that each member of a tuple is of.
    pub fields: Vec<usize>,
}

/// A struct of groups of the declaration, of which members of the configuration are.
#[derive(Clone)]
pub(crate) struct Body {
    /// The struct as written and its fields, each of one group.
    pub factors: Configuration,
    pub group: Group,
    /// The name of the struct of its velocities.
    pub velocity: Ident,
}

/// One field of the configuration or of a body.
#[derive(Clone)]
pub(crate) struct Member {
    pub name: Ident,
    pub group: Group,
    /// `Some(n)` for `[G; n]`.
    pub count: Option<usize>,
    /// True for `Vec<G>`.
    pub is_chain: bool,
    /// `#[clamped(first, last)]`: the first and the last member keep their configuration.
    pub clamped: [bool; 2],
}

/// A function with a role.
#[derive(Clone)]
pub(crate) struct RoleFunction {
    pub role: Role,
    /// `over = …`: what the element runs over.
    pub over: Option<Vec<Selection>>,
    pub name: Ident,
    /// As declared; what is generated from the function has the same.
    pub visibility: syn::Visibility,
    pub arguments: Vec<Argument>,
    pub output: Output,
    /// The declared return type (for spans).
    pub output_type: Type,
    /// In canonical form, like the body.
    pub signature: syn::Signature,
    pub body: Block,
}

/// What a function declares.
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
    /// True of functions that are ordinary Rust: called as they are, never read.
    pub fn is_called(&self) -> bool {
        matches!(self, Role::Observable | Role::Symmetry | Role::Event)
    }
}

/// What a generalised force acts on.
#[derive(Clone, Debug)]
pub(crate) enum ForceTarget {
    /// `#[force]`: one row for each degree of freedom.
    Velocity,
    /// `#[force(on = attitude)]`, `#[force(on = bodies[1].attitude)]`: rows of that member, counted from its first one.
    Member(usize, std::ops::Range<usize>),
    /// `#[force(at = tip)]`: in the space of the quantity of that name.
    Quantity(Ident),
}

/// An argument of a role function.
#[derive(Clone)]
pub(crate) struct Argument {
    /// The binding's name (`_q` included).
    pub name: Ident,
    /// As written: a name, or `[a, b]` for the members of a window.
    pub pattern: syn::Pat,
    pub kind: ArgumentKind,
}

/// What an argument is, told by its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgumentKind {
    Parameters,
    Inputs,
    Time,
    Configuration,
    Velocity,
    /// The multipliers under the names of their constraints: of functions that are called.
    Multipliers,
    /// The members of a selection of `over`.
    Members(usize),
    /// Their velocities.
    Velocities(usize),
    /// `index: usize`, the number of the element.
    Index,
    /// `length: usize`, the length of the chain.
    Length,
}

/// The shape of a returned value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    Scalar,
    Vector(usize),
    Matrix(usize, usize),
    /// An element of a group: what quantities and frames may be.
    Element(Group),
    /// Observables may return anything that converts into a `Value`, symmetries a velocity.
    Other,
}

/// A function the compiler calls without looking inside: `#[opaque] fn f<S: Scalar>(x: S, …) -> S`.
#[derive(Clone)]
pub(crate) struct Opaque {
    pub name: Ident,
    /// The shape of each argument: scalars and vectors.
    pub arguments: Vec<Output>,
    pub output: Output,
    /// `#[opaque(derivative = df)]`: the function of the same arguments that returns the gradient with respect to
    /// all of them (a scalar for one scalar argument); without it, dual numbers.
    pub derivative: Option<Ident>,
}

impl Model {
    /// True if constraints may depend on one another.
    pub fn is_redundant(&self) -> bool {
        self.redundancy == Redundancy::MinimumNorm
    }

    /// The first component of each member in a velocity, and the total.
    pub fn offsets(&self) -> (Vec<usize>, usize) {
        let mut total = 0;
        let offsets = self
            .configuration
            .members
            .iter()
            .map(|member| {
                let offset = total;
                total += member.dof();
                offset
            })
            .collect();
        (offsets, total)
    }

    /// The role functions that bodies may call.
    pub fn callable(&self) -> impl Iterator<Item = &RoleFunction> {
        self.functions.iter().chain(&self.others).chain(self.kinematics.iter().flat_map(Kinematics::functions))
    }

    /// True if nothing that moves the system can feed or take energy: there is no force and no dissipation, and nothing depends on
    /// time or on inputs. Quantities and what is called as it is move nothing.
    pub fn conserves_energy(&self) -> bool {
        self.never_gains_energy() && self.with_role(|role| matches!(role, Role::Dissipation)).next().is_none()
    }

    /// True if nothing that moves the system can feed energy: there is no force, and nothing depends on time or on inputs. Dissipation
    /// takes energy.
    pub fn never_gains_energy(&self) -> bool {
        let is_still = |function: &RoleFunction| {
            let is_given = |argument: &Argument| matches!(argument.kind, ArgumentKind::Time | ArgumentKind::Inputs);
            match function.role {
                Role::Force(_) => false,
                Role::Quantity | Role::Observable | Role::Symmetry | Role::Event => true,
                _ => !function.arguments.iter().any(is_given),
            }
        };
        self.functions.iter().chain(self.kinematics.iter().flat_map(Kinematics::functions)).all(is_still)
    }

    /// Functions of one kind of role.
    pub fn with_role<'a>(&'a self, test: impl Fn(&Role) -> bool + 'a) -> impl Iterator<Item = &'a RoleFunction> {
        self.functions.iter().filter(move |function| test(&function.role))
    }
}

impl Configuration {
    /// The dimension of the group.
    pub fn dof(&self) -> usize {
        self.members.iter().map(Member::dof).sum()
    }
}

impl Configuration {
    /// A product of these members, without lists.
    pub fn of(item: syn::ItemStruct, members: Vec<Member>) -> Self {
        Configuration { item, members, connections: vec![], parents: None }
    }

    /// True if there is anything whose length is chosen at run time.
    pub fn has_lengths(&self) -> bool {
        self.parents.is_some() || !self.connections.is_empty() || self.members.iter().any(|member| member.is_chain)
    }

    /// The components of velocity of the slots of an element.
    pub fn dof_of(&self, over: &[Selection]) -> usize {
        over.iter().map(|selection| self.members[selection.field].group.dimension() * selection.part.slots()).sum()
    }
}

impl Member {
    /// True for a power or a chain, false for a single member.
    pub fn is_run(&self) -> bool {
        self.is_chain || self.count.is_some()
    }

    /// The dimension of the member: of all its elements together.
    pub fn dof(&self) -> usize {
        self.group.dimension() * self.count.unwrap_or(1)
    }
}
