//! Models: the names, the layout and the kernels of a declaration.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use lie_compiler::ModelLengths;
use lie_compiler::tape::{
    TapeContact, TapeFriction, TapeFunction, TapeGroup, TapeInputs, TapeMember, TapeModel, TapeParameter,
    TapeParameterKind, TapeShape,
};

use super::DynamicError;
use super::configuration::{DynamicConfiguration, Kind, ScalarLocation};
use super::group_element::{kind_of, notation};
use super::tape::Kernel;
use crate::space::{ChainSpace, Span};
use crate::system::{ConstraintDescription, Description, KernelDescription, MemberDescription};

/// A model that has been compiled at run time.
///
/// ```
/// use lie_runtime::dynamic::DynamicModel;
///
/// let model = DynamicModel::from_text("
///     #[mechanical_system]
///     mod oscillator {
///         #[configuration] pub struct Position { pub x: f64 }
///         #[parameters] pub struct Oscillator { pub stiffness: f64 }
///         #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
///         #[potential] fn spring(p: &Oscillator, q: &Position) -> f64 { 0.5 * p.stiffness * q.x * q.x }
///     }")?;
/// assert_eq!(model.parameter_names(), ["stiffness"]);
/// assert_eq!(model.member_names(), ["x"]);
/// # Ok::<(), lie_runtime::dynamic::DynamicError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DynamicModel {
    pub(super) data: Arc<ModelData>,
}

/// The shared data of all systems of a model.
#[derive(Clone, Debug)]
pub(super) struct ModelData {
    pub description: Description,
    pub spans: Vec<Span>,
    /// The component of a velocity of the space, for each component in the order of the compiler.
    pub components: Vec<usize>,
    /// The position of each output of a kernel with a matrix in `DMatrix`, which stores columns: dof × dof, and rows × dof.
    pub matrix_entries: Vec<usize>,
    pub jacobian_entries: Vec<usize>,
    pub atoms: Vec<Atom>,
    pub members: Vec<MemberFields>,
    pub parameters: Vec<TapeParameter>,
    pub parameter_size: usize,
    /// The names of the real parameters.
    pub settable: &'static [&'static str],
    pub holonomic_rows: usize,
    pub rows: usize,
    pub inputs: Option<TapeInputs>,
    pub contacts: Vec<TapeContact>,
    pub frictions: Vec<TapeFriction>,
    /// True for multipliers of least norm.
    pub is_redundant: bool,
    /// True if a declared function depends on the time.
    pub depends_on_time: bool,
    pub kernels: KernelTable,
    pub observables: Vec<OutputFunction>,
    pub events: Vec<OutputFunction>,
    /// The configurations of a robot file; the first is the default.
    pub configurations: Vec<KeyframeValues>,
    /// The declaration of a robot file.
    #[cfg(feature = "robots")]
    pub declaration: String,
    /// The warnings about a robot file.
    #[cfg(feature = "robots")]
    pub warnings: Vec<String>,
}

/// A configuration by its name, with the scalars of its members.
pub(super) type KeyframeValues = (String, Vec<(String, Vec<f64>)>);

/// The kernels, by the names of [`lie_compiler::tape::TapeKernels`].
#[derive(Clone, Debug)]
pub(super) struct KernelTable {
    pub prepare: Kernel,
    pub all: Vec<Kernel>,
}

/// The position of a kernel in [`KernelTable::all`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KernelName {
    MassMatrix,
    Force,
    Constraint,
    ConstraintJacobian,
    ConstraintDrift,
    ConstraintCurvature,
    KineticEnergy,
    PotentialEnergy,
    Residual,
    TangentStiffness,
    TangentDamping,
    RateGradient,
    /// The first observable; then all observables and all events follow.
    Functions,
}

/// An element of the configuration.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    /// The path: `bodies[1].attitude`.
    pub name: &'static str,
    pub group: TapeGroup,
    pub kind: Kind,
    /// The position in the list of its kind; of the first scalar for vectors. Clamped elements come first.
    pub index: usize,
    /// The number of list entries.
    pub entries: usize,
    /// The first component of a velocity of the space.
    pub component: usize,
    /// True for a clamped element, which has no components.
    pub is_held: bool,
}

impl Atom {
    /// The number of components of a velocity.
    pub fn dof(&self) -> usize {
        if self.is_held { 0 } else { self.entries * self.kind.dof() }
    }
}

/// A member of the declaration; the elements are the atoms from `first`.
#[derive(Clone, Debug)]
pub(super) struct MemberFields {
    pub name: &'static str,
    pub count: Option<usize>,
    /// The fields of a struct of groups; an element has none.
    pub fields: Vec<MemberFields>,
    /// True for the auxiliary states.
    pub is_of_states: bool,
}

/// An observable or an event.
#[derive(Clone, Debug)]
pub(super) struct OutputFunction {
    pub name: &'static str,
    pub shape: TapeShape,
}

/// Returns a name that lives as long as the program: descriptions have static names. Equal names are stored once.
pub(super) fn interned(name: &str) -> &'static str {
    static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(name) = known.get(name) {
        return name;
    }
    let name: &'static str = Box::leak(name.into());
    known.insert(name);
    name
}

/// The same for lists of names.
pub(super) fn interned_list(names: Vec<&'static str>) -> &'static [&'static str] {
    static KNOWN: Mutex<BTreeSet<&'static [&'static str]>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(names) = known.get(&names[..]) {
        return names;
    }
    let names: &'static [&'static str] = Box::leak(names.into());
    known.insert(names);
    names
}

/// The operation counts of a model.
fn interned_kernels(kernels: Vec<KernelDescription>) -> &'static [KernelDescription] {
    static KNOWN: Mutex<Vec<&'static [KernelDescription]>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kernels) = known.iter().find(|known| ***known == *kernels) {
        return kernels;
    }
    let kernels: &'static [KernelDescription] = Box::leak(kernels.into());
    known.push(kernels);
    kernels
}

/// The elements of a list of members, with their paths.
struct AtomLayout {
    atoms: Vec<Atom>,
    /// The numbers of free and of clamped list entries of each kind.
    lengths: Vec<[usize; 2]>,
}

impl AtomLayout {
    fn member(&mut self, member: &TapeMember, prefix: &str, [is_of_states, is_held]: [bool; 2]) -> MemberFields {
        let name = format!("{prefix}{}", member.name);
        let mut fields = vec![];
        for element in 0..member.count.unwrap_or(1) {
            let is_held = is_held || member.held.contains(&element);
            let path = if member.count.is_some() { format!("{name}[{element}]") } else { name.clone() };
            match member.group {
                Some(group) => {
                    let (kind, entries) = kind_of(group);
                    // The auxiliary states are the last components of a velocity.
                    let kind = if is_of_states { Kind::State } else { kind };
                    let length = &mut self.lengths[kind as usize][usize::from(is_held)];
                    let index = *length;
                    *length += entries;
                    let name = interned(&path);
                    self.atoms.push(Atom { name, group, kind, index, entries, component: 0, is_held });
                }
                None => {
                    let inner = member.fields.iter();
                    let inner = inner.map(|field| self.member(field, &format!("{path}."), [is_of_states, is_held]));
                    fields = inner.collect();
                }
            }
        }
        MemberFields { name: interned(&member.name), count: member.count, fields, is_of_states }
    }
}

impl From<TapeModel> for DynamicModel {
    fn from(model: TapeModel) -> Self {
        DynamicModel { data: Arc::new(ModelData::new(model)) }
    }
}

impl DynamicModel {
    /// Compiles a Rust text with one module `#[mechanical_system]`, the same that the macro takes.
    ///
    /// # Errors
    /// [`DynamicError::Declaration`] with the messages of the macro. Opaque functions need the macro.
    /// Lists (`Vec`) need [`from_text_with`](Self::from_text_with).
    pub fn from_text(text: &str) -> Result<Self, DynamicError> {
        Self::from_text_with(text, &ModelLengths::new())
    }

    /// Compiles a declaration with lists (`Vec`), for these lengths. Terms over members and frames are unrolled: the time grows with
    /// the number of elements.
    ///
    /// ```
    /// use lie_runtime::dynamic::{DynamicModel, ModelLengths};
    ///
    /// let model = DynamicModel::from_text_with("
    ///     #[mechanical_system]
    ///     mod rope {
    ///         #[configuration] pub struct Rope { pub nodes: Vec<R3> }
    ///         #[parameters] pub struct Data { pub masses: Vec<f64>, pub stiffness: f64 }
    ///         #[kinetic_energy(over = nodes)]
    ///         fn kinetic(p: &Data, index: usize, v: &Vector3<f64>) -> f64 { 0.5 * p.masses[index] * v.norm_squared() }
    ///         #[potential(over = nodes.windows(2))]
    ///         fn spring(p: &Data, [a, b]: [&R3; 2]) -> f64 { 0.5 * p.stiffness * (b - a).norm_squared() }
    ///     }", &ModelLengths::new().length("nodes", 3).length("masses", 3))?;
    /// assert_eq!(model.member_names(), ["nodes[0]", "nodes[1]", "nodes[2]"]);
    /// # Ok::<(), lie_runtime::dynamic::DynamicError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`from_text`](Self::from_text), and [`DynamicError::Declaration`] for missing or wrong lengths,
    /// and for too many elements.
    pub fn from_text_with(text: &str, lengths: &ModelLengths) -> Result<Self, DynamicError> {
        Ok(lie_compiler::compile_to_tape_with(text, lengths).map_err(DynamicError::Declaration)?.into())
    }

    /// The name of the module.
    pub fn name(&self) -> &'static str {
        self.data.description.name
    }

    /// The names of the parameters: `mass`, `upper.inertia`, `stiffness[1]`.
    pub fn parameter_names(&self) -> Vec<&str> {
        self.data.parameters.iter().map(|parameter| parameter.name.as_str()).collect()
    }

    /// The paths of the elements of a configuration: `attitude`, `bodies[1].position`.
    pub fn member_names(&self) -> Vec<&'static str> {
        self.data.atoms.iter().map(|atom| atom.name).collect()
    }
}

/// The number of scalars of a parameter.
pub(super) fn size_of(parameter: &TapeParameter) -> usize {
    match parameter.kind {
        TapeParameterKind::Real(shape) => shape.size(),
        TapeParameterKind::Element(group) => {
            let (kind, entries) = kind_of(group);
            kind.scalars() * entries
        }
        TapeParameterKind::Flag | TapeParameterKind::Integer(_) => 1,
    }
}

impl ModelData {
    pub fn new(model: TapeModel) -> Self {
        let mut layout = AtomLayout { atoms: vec![], lengths: vec![[0; 2]; Kind::ALL.len()] };
        let members = model.members.iter();
        let members = members.map(|member| layout.member(member, "", [member.is_of_states, false])).collect();
        let [states, _] = layout.lengths[Kind::State as usize];
        let AtomLayout { mut atoms, lengths } = layout;
        for atom in atoms.iter_mut().filter(|atom| !atom.is_held) {
            atom.index += lengths[atom.kind as usize][1];
        }
        let of_kind = |kind: Kind| {
            let mut own: Vec<&Atom> = atoms.iter().filter(|atom| atom.kind == kind).collect();
            own.sort_by_key(|atom| atom.index);
            let names: Vec<&str> = own.into_iter().map(|atom| atom.name).collect();
            let [free, clamped_first] = lengths[kind as usize];
            let span = Span::new(interned(&names.join(", ")), kind.dof(), free + clamped_first, [false; 2]);
            Span { clamped_first, ..span }
        };
        let space = ChainSpace::<DynamicConfiguration>::new(Kind::ALL.iter().map(|&kind| of_kind(kind)));
        let spans = space.spans().to_vec();
        let (mut scalars, mut components) = (vec![], vec![]);
        let mut next: Vec<usize> = spans.iter().map(|span| span.offset).collect();
        for atom in &mut atoms {
            atom.component = next[atom.kind as usize];
            next[atom.kind as usize] += atom.dof();
            for index in atom.index..atom.index + atom.entries {
                scalars.extend((0..atom.kind.scalars()).map(|component| ScalarLocation {
                    kind: atom.kind,
                    index,
                    component,
                }));
            }
            components.extend(atom.component..atom.component + atom.dof());
        }
        debug_assert_eq!((scalars.len(), components.len()), (model.configuration_size, model.dof));
        let kernel = |tape| Kernel::new(tape, &scalars, &components);
        let function =
            |function: &TapeFunction| OutputFunction { name: interned(&function.name), shape: function.shape };
        let observables: Vec<OutputFunction> = model.observables.iter().map(function).collect();
        let events: Vec<OutputFunction> = model.events.iter().map(function).collect();
        let description = Description { states, ..describe(&model, &atoms, &observables, &events) };
        let rows = |holonomic: bool| {
            let constraints = model.constraints.iter().filter(|one| one.holonomic || !holonomic);
            constraints.map(|one| one.rows).sum::<usize>()
        };
        let (holonomic_rows, rows) = (rows(true), rows(false));
        let settable = model.parameters.iter().filter(|parameter| matches!(parameter.kind, TapeParameterKind::Real(_)));
        let settable = interned_list(settable.map(|parameter| interned(&parameter.name)).collect());
        let tapes = model.kernels;
        let functions = model.observables.into_iter().chain(model.events).map(|function| function.tape);
        // In the order of `KernelName`.
        let all = [
            tapes.mass_matrix,
            tapes.force,
            tapes.constraint,
            tapes.constraint_jacobian,
            tapes.constraint_drift,
            tapes.constraint_curvature,
            tapes.kinetic_energy,
            tapes.potential_energy,
            tapes.residual,
            tapes.tangent_stiffness,
            tapes.tangent_damping,
            tapes.rate_gradient,
        ];
        let all = all.into_iter().chain(functions).map(kernel).collect();
        let kernels = KernelTable { prepare: kernel(tapes.prepare), all };
        let entries = |rows: usize, row: &dyn Fn(usize) -> usize| {
            let row_of = |at: usize| row(at / model.dof) + components[at % model.dof] * rows;
            (0..rows * model.dof).map(row_of).collect::<Vec<_>>()
        };
        let matrix_entries = entries(model.dof, &|row| components[row]);
        let jacobian_entries = entries(rows, &|row| row);
        ModelData {
            description,
            spans,
            matrix_entries,
            jacobian_entries,
            components,
            atoms,
            members,
            parameters: model.parameters,
            parameter_size: model.parameter_size,
            settable,
            holonomic_rows,
            rows,
            inputs: model.inputs,
            contacts: model.contacts,
            frictions: model.frictions,
            is_redundant: model.facts.is_redundant,
            depends_on_time: model.facts.depends_on_time,
            kernels,
            observables,
            events,
            configurations: vec![],
            #[cfg(feature = "robots")]
            declaration: String::new(),
            #[cfg(feature = "robots")]
            warnings: vec![],
        }
    }
}

/// Returns the description of a model.
fn describe(
    model: &TapeModel,
    atoms: &[Atom],
    observables: &[OutputFunction],
    events: &[OutputFunction],
) -> Description {
    let described = atoms.iter().map(|atom| MemberDescription {
        name: atom.name,
        group: notation(atom.group).0,
        offset: atom.component,
        dof: atom.dof(),
    });
    let constraints = model.constraints.iter().map(|constraint| ConstraintDescription {
        name: interned(&constraint.name),
        offset: constraint.offset,
        rows: constraint.rows,
        rows_of_element: constraint.rows_of_element,
        holonomic: constraint.holonomic,
        jumps: constraint.jumps,
    });
    let constraints: Vec<ConstraintDescription> = constraints.collect();
    let documented = model.documentation.iter().map(|(name, text)| (interned(name), interned(text)));
    let facts = &model.facts;
    let operations = facts.operations.iter();
    let kernels = operations.map(|&(name, operations)| KernelDescription { name, operations }).collect();
    Description {
        name: interned(&model.name),
        group: interned(&model.group),
        dof: model.dof,
        members: described.collect::<Vec<_>>().into(),
        constraints: constraints.into(),
        observables: interned_list(observables.iter().map(|function| function.name).collect()),
        symmetries: &[],
        events: interned_list(events.iter().map(|function| function.name).collect()),
        ignored: &[],
        documentation: documented.collect(),
        mass_nonzeros: facts.nonzeros[0],
        jacobian_nonzeros: facts.nonzeros[1],
        stiffness_nonzeros: facts.nonzeros[2],
        mass_is_constant: facts.mass_is_constant,
        forces_depend_on_velocity: facts.forces_depend_on_velocity,
        conserves_energy: facts.conserves_energy,
        never_gains_energy: facts.never_gains_energy,
        states: 0,
        potential_jumps: facts.potential_jumps,
        kernels: interned_kernels(kernels),
    }
}
