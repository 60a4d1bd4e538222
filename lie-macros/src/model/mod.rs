//! The checked declaration, after all errors of structure and signature are reported.
//!
//! Invariants of a [`Model`] that `parse` returns without errors: it has exactly one configuration and one kind of inertia, every role
//! function has a valid signature, and all declared sizes agree. A model with errors contains the members and functions without errors, and
//! its [`Gaps`]. Function bodies are read later.

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

/// The treatment of constraints that are dependent or constant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Redundancy {
    /// Reports errors.
    Reported,
    /// `#[mechanical_system(redundant = minimum_norm)]`: multipliers of least norm.
    MinimumNorm,
    /// Reports nothing: the constraints are placeholders, and they are zero.
    Unasked,
}

/// A declared system.
#[derive(Clone)]
pub(crate) struct Model {
    /// The attributes (documentation included), visibility and name of the module.
    pub attributes: Vec<syn::Attribute>,
    pub visibility: syn::Visibility,
    pub name: Ident,
    pub configuration: Configuration,
    /// The structs of groups that are types of members.
    pub bodies: Vec<Body>,
    pub parameters: Option<Parameters>,
    /// The structs of the parameters.
    pub structs: Vec<ParameterStruct>,
    /// Inputs at run time, in the form of parameters but without nested structs.
    pub inputs: Option<Parameters>,
    /// The frames along a chain that terms can select.
    pub kinematics: Option<Kinematics>,
    /// Functions with a role, in the order of declaration.
    pub functions: Vec<RoleFunction>,
    /// In the model of a term: the role functions of other terms, which function bodies can call.
    pub others: Vec<RoleFunction>,
    /// True for the model of a term that is only a part of the declaration.
    pub is_part: bool,
    /// Functions without a role, which function bodies can call: they are inlined.
    pub helpers: Vec<Within<ItemFn>>,
    /// Structs without a role, in canonical form, including the parts of parameters and bodies.
    pub plain_structs: Vec<syn::ItemStruct>,
    /// Functions that the compiler calls without reading them.
    pub opaques: Vec<Opaque>,
    /// `const` items, which are folded.
    pub constants: Vec<Within<syn::ItemConst>>,
    /// Types whose names can come from a glob import: generated code checks that they are the types of the library.
    pub assumed: Vec<Ident>,
    /// `#[mechanical_system(derivative_check)]`: also emits the functions for dual numbers.
    pub derivative_check: bool,
    /// `#[mechanical_system(gradients)]`: emits the kernels of reverse-mode differentiation.
    pub gradients: Option<Ident>,
    /// All items of the user in order, for emission: role attributes and their arguments are removed. Configuration and parameter structs
    /// are *not* in this list, because they are emitted as generic structs.
    pub items: Vec<Item>,
    /// The parts of a robot file that the items do not contain.
    pub ignored: Vec<String>,
    /// `#[mechanical_system(max_operations = N)]`: the limit of scalar operations in one kernel.
    pub max_operations: Option<usize>,
    /// The treatment of dependent constraints.
    pub redundancy: Redundancy,
    /// `#[mechanical_system(crate = lie)]`: the path of the runtime, `lie_runtime` by default.
    pub runtime: Option<syn::Path>,
    /// The missing parts, if errors have been reported.
    pub gaps: Gaps,
}

/// The missing parts of a model with reported errors; a missing part must not cause further errors.
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
    /// The lists of tuples of members that terms select.
    pub connections: Vec<Connections>,
    /// The list of the parents of the frames, unless the frames form a chain.
    pub parents: Option<Ident>,
}

/// A list of tuples of members that is given at run time, for example the members that springs, pins or rods connect.
#[derive(Clone)]
pub(crate) struct Connections {
    pub name: Ident,
    /// The field of each member of a tuple.
    pub fields: Vec<usize>,
}

/// A struct of groups of the declaration, used as the type of members.
#[derive(Clone)]
pub(crate) struct Body {
    /// The struct as written, with one group for each of its fields.
    pub factors: Configuration,
    pub group: Group,
    /// The name of the struct of the velocities.
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
    /// `over = …`: the selections of an element.
    pub over: Option<Vec<Selection>>,
    pub name: Ident,
    /// The declared visibility, which generated items of the function share.
    pub visibility: syn::Visibility,
    pub arguments: Vec<Argument>,
    pub output: Output,
    /// The declared return type (for spans).
    pub output_type: Type,
    /// In canonical form, like the function body.
    pub signature: syn::Signature,
    pub body: Block,
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
pub(crate) enum Output {
    Scalar,
    Vector(usize),
    Matrix(usize, usize),
    /// An element of a group, for quantities and frames.
    Element(Group),
    /// Observables can return any type that converts into a `Value`, symmetries a velocity.
    Other,
}

/// A function that the compiler calls without reading it: `#[opaque] fn f<S: Scalar>(x: S, …) -> S`.
#[derive(Clone)]
pub(crate) struct Opaque {
    pub name: Ident,
    /// The shape of each argument: scalars and vectors.
    pub arguments: Vec<Output>,
    pub output: Output,
    /// `#[opaque(derivative = df)]`: the function with equal arguments that returns the gradient with respect to all of them (a scalar for
    /// one scalar argument). The default is dual numbers.
    pub derivative: Option<Ident>,
}

impl Model {
    /// True if constraints can be dependent.
    pub fn is_redundant(&self) -> bool {
        self.redundancy == Redundancy::MinimumNorm
    }

    /// The first component of each member in a velocity, and the total dimension.
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

    /// The role functions that function bodies can call.
    pub fn callable(&self) -> impl Iterator<Item = &RoleFunction> {
        self.functions.iter().chain(&self.others).chain(self.kinematics.iter().flat_map(Kinematics::functions))
    }

    /// True if the motion cannot gain or lose energy: no force, no dissipation, no dependence on time or inputs. Quantities and called
    /// functions do not affect the motion.
    pub fn conserves_energy(&self) -> bool {
        self.never_gains_energy() && self.with_role(|role| matches!(role, Role::Dissipation)).next().is_none()
    }

    /// True if the motion cannot gain energy: no force, no dependence on time or inputs. Dissipation can only remove energy.
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

    /// True if a declared function that moves the system depends on the time.
    pub fn depends_on_time(&self) -> bool {
        let moves =
            |function: &&RoleFunction| !matches!(function.role, Role::Observable | Role::Symmetry | Role::Event);
        let functions = self.functions.iter().chain(self.kinematics.iter().flat_map(Kinematics::functions));
        functions.filter(moves).any(|function| function.arguments.iter().any(|given| given.kind == ArgumentKind::Time))
    }

    /// Functions with a role for which `test` holds.
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

    /// True if any length is chosen at run time.
    pub fn has_lengths(&self) -> bool {
        self.parents.is_some() || !self.connections.is_empty() || self.members.iter().any(|member| member.is_chain)
    }

    /// The number of velocity components of the slots of an element.
    pub fn dof_of(&self, over: &[Selection]) -> usize {
        over.iter().map(|selection| self.members[selection.field].group.dimension() * selection.part.slots()).sum()
    }
}

impl Member {
    /// True for a power or a chain, false for a single member.
    pub fn is_run(&self) -> bool {
        self.is_chain || self.count.is_some()
    }

    /// The dimension of the member, including all its elements.
    pub fn dof(&self) -> usize {
        self.group.dimension() * self.count.unwrap_or(1)
    }
}
