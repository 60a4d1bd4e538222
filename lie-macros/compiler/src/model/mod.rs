//! The checked declaration, after all errors of structure and signature are reported.
//!
//! Invariants of a [`Model`] that `parse` returns without errors: it has exactly one configuration and one kind of inertia, every role
//! function has a valid signature, and all declared sizes agree. A model with errors contains the members and functions without errors, and
//! its [`Gaps`]. Function bodies are read later.

mod configuration;
mod contacts;
mod functions;
mod kinematics;
mod parameters;
mod recursion;
mod selection;
mod term_element;
mod terms;
mod unrolled;
mod within;

use std::collections::BTreeSet;
use std::ops::Deref;
use std::rc::Rc;

use syn::{Ident, Item, ItemFn};

pub(crate) use configuration::{Body, Configuration, Connections, Member, is_of_states};
pub(crate) use contacts::{Contact, ContactFlag, Contacts, Friction, FrictionCoefficient, FrictionPlace, Stribeck};
pub(crate) use functions::{Argument, ArgumentKind, ForceTarget, OutputShape, Role, RoleFunction, targets_of_states};
pub(crate) use kinematics::{FieldJoints, Kinematics, UnrolledFrames};
pub(crate) use parameters::{
    AccessPath, AccessStep, ParameterEntry, ParameterField, ParameterForm, ParameterKind, ParameterStruct,
    ParameterTree, Parameters, entries as parameter_entries,
};
pub(crate) use selection::{Selection, SlotMembers};
pub(crate) use term_element::{ElementMember, TermElement};
pub(crate) use terms::{FrameTerms, TermModel};
pub use unrolled::ModelLengths;
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

/// A declared system, or one term of it.
#[derive(Clone)]
pub(crate) struct Model {
    /// The part that a system shares with its terms.
    pub shared: Rc<SharedModel>,
    pub configuration: Configuration,
    /// Functions with a role, in the order of declaration.
    pub functions: Vec<RoleFunction>,
    /// In the model of a term: the role functions of other terms, which function bodies can call.
    pub others: Vec<RoleFunction>,
    /// True for the model of a term that is only a part of the declaration.
    pub is_part: bool,
}

/// The part of a model that a system shares with its terms.
#[derive(Clone)]
pub(crate) struct SharedModel {
    /// The attributes (documentation included), visibility and name of the module.
    pub attributes: Vec<syn::Attribute>,
    pub visibility: syn::Visibility,
    pub name: Ident,
    /// The structs of groups that are types of members.
    pub bodies: Vec<Body>,
    pub parameters: Option<Parameters>,
    /// The structs of the parameters.
    pub structs: Vec<ParameterStruct>,
    /// Inputs at run time, in the form of parameters but without nested structs.
    pub inputs: Option<Parameters>,
    /// The struct of auxiliary states as written, without its role.
    pub states: Option<syn::ItemStruct>,
    /// The frames along a chain that terms can select.
    pub kinematics: Option<Kinematics>,
    /// The frames of an unrolled declaration.
    pub frames: UnrolledFrames,
    /// The clamped members of an unrolled declaration, by their field and their element. They have no components of a velocity.
    pub held: Vec<[usize; 2]>,
    /// True if lists and frames of the declaration are unrolled.
    pub is_expanded: bool,
    /// Functions without a role, which function bodies can call: they are inlined.
    pub helpers: Vec<Within<ItemFn>>,
    /// Functions that the compiler calls without reading them.
    pub opaques: Vec<Opaque>,
    /// `const` items, which are folded.
    pub constants: Vec<Within<syn::ItemConst>>,
    /// Types whose names can come from a glob import: generated code checks that they are the types of the library.
    pub assumed: Vec<Ident>,
    /// `#[mechanical_system(derivative_check)]`: also emits the declared values on dual numbers.
    pub derivative_check: bool,
    /// `#[mechanical_system(gradients)]`: emits the kernels of reverse-mode differentiation.
    pub gradients: Option<Ident>,
    /// All items of the user in order, for emission: role attributes and their arguments are removed. Configuration and parameter structs
    /// are *not* in this list, because they are emitted as generic structs.
    pub items: Vec<Item>,
    /// The parts of a robot file that the items do not contain.
    pub ignored: Vec<String>,
    /// The names of role attributes, with the positions at which editors show their documentation.
    pub roles: Vec<Ident>,
    /// `#[mechanical_system(max_operations = N)]`: the limit of scalar operations in one kernel.
    pub max_operations: Option<usize>,
    /// The treatment of dependent constraints.
    pub redundancy: Redundancy,
    /// `#[mechanical_system(crate = lie)]`: the path of the runtime, `lie_runtime` by default.
    pub runtime: Option<syn::Path>,
    pub unilateral: Contacts,
    /// The missing parts, if errors have been reported.
    pub gaps: Gaps,
}

impl Deref for Model {
    type Target = SharedModel;

    fn deref(&self) -> &SharedModel {
        &self.shared
    }
}

/// The missing parts of a model with reported errors; a missing part must not cause further errors.
#[derive(Clone, Default)]
pub(crate) struct Gaps {
    /// Names of functions, of their rates and of fields.
    pub names: BTreeSet<String>,
    /// True if a kinetic energy or a mass matrix is missing.
    pub inertia: bool,
}

/// A function that the compiler calls without reading it: `#[opaque] fn f<S: Scalar>(x: S, …) -> S`.
#[derive(Clone)]
pub(crate) struct Opaque {
    pub name: Ident,
    /// The shape of each argument: scalars and vectors.
    pub arguments: Vec<OutputShape>,
    pub output: OutputShape,
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

    /// The quantities at which forces act that read auxiliary states.
    pub fn targets_of_states(&self) -> Vec<Ident> {
        functions::targets_of_states(&self.functions)
    }

    /// True if the motion cannot gain or lose energy: no force, no dissipation, no dependence on time or inputs. Quantities and called
    /// functions do not affect the motion.
    pub fn conserves_energy(&self) -> bool {
        self.never_gains_energy()
            && self.unilateral.frictions.is_empty()
            && self.with_role(|role| matches!(role, Role::Dissipation)).next().is_none()
    }

    /// True if the motion cannot gain energy: no force, no dependence on time or inputs. Dissipation can only remove energy.
    pub fn never_gains_energy(&self) -> bool {
        let is_still = |function: &RoleFunction| {
            let is_given = |argument: &Argument| matches!(argument.kind, ArgumentKind::Time | ArgumentKind::Inputs);
            match function.role {
                Role::Force(ForceTarget::Slip) => !function.arguments.iter().any(is_given),
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

    /// True if the parameters contain real numbers, which become generic.
    pub fn parameters_are_generic(&self) -> bool {
        let fields = self.parameters.iter().flat_map(|parameters| &parameters.fields);
        fields.into_iter().any(|field| field.form.is_generic(&self.structs))
    }
}
