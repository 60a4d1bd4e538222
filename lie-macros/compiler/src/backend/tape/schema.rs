//! The names and the layout of a system.

use syn::ext::IdentExt;

use crate::backend::headings::notation;
use crate::backend::input_needs::InputNeeds;
use crate::backend::layout::{Layout, Layouts};
use crate::diagnostics::{Code, Report, error_with_help};
use crate::model::{Group, Model, ParameterForm, ParameterKind, Parameters, is_of_states};
use crate::scalar::Scalar;
use crate::schedule::{KernelId, Term};

/// The shape of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TapeShape {
    /// A scalar.
    Scalar,
    /// A vector.
    Vector(usize),
    /// Rows and columns.
    Matrix(usize, usize),
    /// Scalars in an array.
    Scalars(usize),
    /// Vectors of a dimension in an array.
    Vectors(usize, usize),
}

impl TapeShape {
    /// The number of scalars.
    pub fn size(self) -> usize {
        match self {
            TapeShape::Scalar => 1,
            TapeShape::Vector(n) | TapeShape::Scalars(n) => n,
            TapeShape::Matrix(rows, columns) | TapeShape::Vectors(rows, columns) => rows * columns,
        }
    }
}

/// The use of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TapeParameterKind {
    /// Real numbers, with derivatives.
    Real(TapeShape),
    /// True or false, as 1 or 0.
    Flag,
    /// An integer of this type.
    Integer(&'static str),
    /// An element of a group.
    Element(TapeGroup),
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TapeParameter {
    /// The name: `mass`, `upper.mass`.
    pub name: String,
    /// The use and the shape.
    pub kind: TapeParameterKind,
    /// The first of its scalars.
    pub first: usize,
}

impl TapeParameter {
    /// The shape of real numbers; the inputs have no others.
    pub fn shape(&self) -> TapeShape {
        match self.kind {
            TapeParameterKind::Real(shape) => shape,
            _ => TapeShape::Scalar,
        }
    }
}

/// A group, as it is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TapeGroup {
    /// `f64`.
    Number,
    /// Rⁿ.
    Vector(usize),
    /// Rotations of the plane: cosine and sine.
    SO2,
    /// Rotations: a matrix by rows.
    SO3,
    /// Rotations: a unit quaternion w, x, y, z.
    S3,
    /// Poses of the plane: rotation, then translation.
    SE2,
    /// Poses: rotation matrix, then translation.
    SE3,
    /// Poses: unit quaternion, then translation.
    S3R3,
    /// Poses: unit dual quaternions, real part first.
    DQ,
    /// SO(3) × R³.
    SO3xR3,
    /// S³ × R³.
    S3xR3,
    /// Directions: unit vectors.
    S2,
}

impl TapeGroup {
    fn of(group: Group) -> Self {
        match group.name {
            "SO2" => TapeGroup::SO2,
            "SO3" => TapeGroup::SO3,
            "S3" => TapeGroup::S3,
            "SE2" => TapeGroup::SE2,
            "SE3" => TapeGroup::SE3,
            "S3R3" => TapeGroup::S3R3,
            "DQ" => TapeGroup::DQ,
            "SO3xR3" => TapeGroup::SO3xR3,
            "S3xR3" => TapeGroup::S3xR3,
            "S2" => TapeGroup::S2,
            _ if group.is_number() => TapeGroup::Number,
            _ if group.is_vector_space() => TapeGroup::Vector(group.dimension()),
            other => bug!("the group `{other}` is missing in the list of tapes"),
        }
    }
}

/// A member of the configuration or a field of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TapeMember {
    /// The name of the field.
    pub name: String,
    /// The number of elements of an array; `None` for one element.
    pub count: Option<usize>,
    /// The clamped elements, which have no velocity; 0 for a clamped member that is not an array.
    pub held: Vec<usize>,
    /// The group; `None` for a struct of groups.
    pub group: Option<TapeGroup>,
    /// The notation of the group of all elements: `SO(3)^2`.
    pub notation: String,
    /// The fields of a struct of groups.
    pub fields: Vec<TapeMember>,
    /// True for the last member of a system with auxiliary states, whose velocity are the states.
    pub is_of_states: bool,
}

/// A constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TapeConstraint {
    /// The name of the function.
    pub name: String,
    /// The first row.
    pub offset: usize,
    /// The number of rows.
    pub rows: usize,
    /// The number of rows of one element, for a constraint over members.
    pub rows_of_element: Option<usize>,
    /// True for a constraint on the configuration.
    pub holonomic: bool,
    /// True if the constraint can be discontinuous.
    pub jumps: bool,
}

/// The inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TapeInputs {
    /// The name of the struct.
    pub name: String,
    /// The fields, in the order of their scalars.
    pub fields: Vec<TapeParameter>,
    /// The number of scalars.
    pub size: usize,
    /// A potential that reads the inputs: they must be functions of time.
    pub over_time: Option<String>,
    /// A constraint that reads the inputs: they must be functions of time with two derivatives.
    pub smooth: Option<String>,
    /// The fields that constraints and potentials read.
    pub prescribed: Vec<usize>,
}

/// Properties of the equations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[allow(clippy::struct_excessive_bools)] // What is true of a system is no state of one.
pub struct TapeFacts {
    /// Structural nonzeros of M, B and K.
    pub nonzeros: [usize; 3],
    /// True if M is constant.
    pub mass_is_constant: bool,
    /// True if the forces depend on the velocity.
    pub forces_depend_on_velocity: bool,
    /// True if the energy is constant.
    pub conserves_energy: bool,
    /// True if the energy cannot grow.
    pub never_gains_energy: bool,
    /// True if the potential can be discontinuous.
    pub potential_jumps: bool,
    /// True if a declared function depends on the time.
    pub depends_on_time: bool,
    /// True for multipliers of least norm: constraints can be dependent.
    pub is_redundant: bool,
    /// The kernels with operations, and the number of scalar operations.
    pub operations: Vec<(&'static str, usize)>,
}

/// Returns a name for messages and columns.
pub(super) fn text(name: &syn::Ident) -> String {
    name.unraw().to_string()
}

/// Returns an error for the first parameter that is or contains a list.
pub(super) fn check_parameters(model: &Model) -> Result<(), Report> {
    fn is_known(form: &ParameterForm, model: &Model) -> bool {
        match form {
            // No function that the compiler reads can use an opaque one.
            ParameterForm::Entry(_) | ParameterForm::Opaque => true,
            ParameterForm::Array(inner, _) => is_known(inner, model),
            ParameterForm::List(_) => false,
            ParameterForm::Struct(name) => {
                let known = model.structs.iter().find(|known| known.item.ident == *name);
                known.is_some_and(|known| known.fields.iter().all(|field| is_known(&field.form, model)))
            }
        }
    }
    let fields = model.parameters.iter().flat_map(|parameters| &parameters.fields);
    match fields.into_iter().find(|field| !is_known(&field.form, model)) {
        None => Ok(()),
        Some(field) => {
            let what = format!("the parameter `{}` of this type", field.name);
            let help = "use numbers, vectors, matrices, group elements, and arrays with a fixed length";
            Err(unsupported(&field.ty, &what, help))
        }
    }
}

/// Returns the entries of the parameters or of the inputs.
pub(super) fn entries(declared: Option<&Parameters>, layout: &Layout) -> Vec<TapeParameter> {
    let Some(declared) = declared else { return vec![] };
    let entries = declared.entries.iter().enumerate();
    let all = entries.map(|(field, entry)| {
        let kind = match entry.kind {
            ParameterKind::Scalar => TapeParameterKind::Real(TapeShape::Scalar),
            ParameterKind::Vector(n) => TapeParameterKind::Real(TapeShape::Vector(n)),
            ParameterKind::Matrix(rows, columns) => TapeParameterKind::Real(TapeShape::Matrix(rows, columns)),
            ParameterKind::ScalarArray(n) => TapeParameterKind::Real(TapeShape::Scalars(n)),
            ParameterKind::VectorArray(dimension, n) => TapeParameterKind::Real(TapeShape::Vectors(n, dimension)),
            ParameterKind::Flag => TapeParameterKind::Flag,
            ParameterKind::Whole(name) => TapeParameterKind::Integer(name),
            ParameterKind::Group(group) => TapeParameterKind::Element(TapeGroup::of(group)),
        };
        TapeParameter { name: entry.name.clone(), kind, first: layout.first_of(field) }
    });
    all.collect()
}

pub(super) fn inputs(model: &Model, term: &Term, layout: &Layout) -> Option<TapeInputs> {
    let inputs = model.inputs.as_ref()?;
    let InputNeeds { over_time, smooth, prescribed } = InputNeeds::of(std::iter::once(term));
    Some(TapeInputs {
        name: text(&inputs.item.ident),
        fields: entries(Some(inputs), layout),
        size: layout.size,
        over_time,
        smooth,
        prescribed: prescribed.into_iter().map(|field| field as usize).collect(),
    })
}

pub(super) fn members(model: &Model) -> Vec<TapeMember> {
    let members = model.configuration.members.iter().enumerate();
    let all = members.map(|(field, member)| {
        let name = text(&member.name);
        TapeMember {
            notation: notation(member),
            count: member.count,
            held: model.held.iter().filter(|held| held[0] == field).map(|held| held[1]).collect(),
            is_of_states: is_of_states(member),
            ..of_group(name, member.group)
        }
    });
    all.collect()
}

fn of_group(name: String, group: Group) -> TapeMember {
    let fields = group.structure().map_or_else(Vec::new, |structure| {
        let fields = structure.fields.iter();
        fields.map(|(name, group)| of_group(name.trim_start_matches("r#").to_owned(), *group)).collect()
    });
    TapeMember {
        name,
        count: None,
        held: vec![],
        group: group.structure().is_none().then(|| TapeGroup::of(group)),
        notation: group.formula(),
        fields,
        is_of_states: false,
    }
}

pub(super) fn constraints(term: &Term) -> Vec<TapeConstraint> {
    let mut all: Vec<TapeConstraint> = vec![];
    for constraint in &term.equations.constraints.declared {
        let function = &term.model.functions[constraint.function];
        let runs = function.runs_over_members();
        let (name, rows_of_element) = (text(&function.name), runs.then_some(constraint.rows));
        match all.last_mut() {
            // The elements of one function are adjacent.
            Some(last) if runs && last.name == name => {
                last.rows += constraint.rows;
                last.jumps |= constraint.jumps;
            }
            _ => all.push(TapeConstraint {
                name,
                offset: constraint.offset,
                rows: constraint.rows,
                rows_of_element,
                holonomic: constraint.holonomic,
                jumps: constraint.jumps,
            }),
        }
    }
    all
}

pub(super) fn facts(model: &Model, term: &Term, layouts: &Layouts) -> TapeFacts {
    let equations = &term.equations;
    let is_led = equations.constraints.drift.iter().any(|&entry| !equations.graph.is_zero(entry));
    let constant = equations.inertia.is_constant;
    let operations = term.operations().into_iter().filter(|(_, operations)| *operations > 0);
    TapeFacts {
        nonzeros: [KernelId::MassMatrix, KernelId::ConstraintJacobian, KernelId::TangentStiffness].map(|id| {
            free_outputs(term, layouts, id).iter().filter(|&&output| !equations.graph.is_zero(output)).count()
        }),
        mass_is_constant: constant,
        forces_depend_on_velocity: !constant || equations.force_is_of_velocity,
        conserves_energy: model.conserves_energy() && !is_led,
        never_gains_energy: model.never_gains_energy() && !is_led,
        potential_jumps: equations.potential_jumps,
        depends_on_time: model.depends_on_time(),
        is_redundant: model.is_redundant(),
        operations: operations.map(|(id, operations)| (id.name(), operations)).collect(),
    }
}

pub(super) fn unsupported(node: impl quote::ToTokens, what: &str, help: &str) -> Report {
    Report { code: Code::BackEnd, error: error_with_help(node, format!("{what} is not supported on a tape"), help) }
}

/// Returns the outputs of a kernel without the rows and columns of clamped members.
pub(super) fn free_outputs(term: &Term, layouts: &Layouts, id: KernelId) -> Vec<Scalar> {
    use KernelId::{ConstraintJacobian, Force, MassMatrix, RateGradient, Residual, TangentDamping, TangentStiffness};
    let (all, dof) = (term.kernels.outputs(id), layouts.free.len());
    let is_free = |component: usize| layouts.free[component].is_some();
    let is_wanted = |at: usize| match id {
        Force | Residual => is_free(at),
        MassMatrix | TangentStiffness | TangentDamping => is_free(at / dof) && is_free(at % dof),
        ConstraintJacobian | RateGradient => is_free(at % dof),
        _ => true,
    };
    (0..all.len()).filter(|&at| is_wanted(at)).map(|at| all[at]).collect()
}
