//! Systems as data: the kernels of an unrolled system as lists of operations, for a program that executes them.
//!
//! [`compile_to_tape`](crate::compile_to_tape) returns a [`TapeModel`], which contains everything that a runtime needs: the layout of
//! parameters, configuration and velocity, the names, and one [`Tape`] for each kernel.
//!
//! ```
//! let oscillator = "
//!     #[mechanical_system]
//!     mod oscillator {
//!         #[configuration] pub struct Position { pub x: f64 }
//!         #[parameters] pub struct Oscillator { pub stiffness: f64 }
//!         #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
//!         #[potential] fn spring(p: &Oscillator, q: &Position) -> f64 { 0.5 * p.stiffness * q.x * q.x }
//!     }";
//! let model = lie_compiler::compile_to_tape(oscillator)?;
//! assert_eq!((model.dof, model.members[0].name.as_str()), (1, "x"));
//! // −k x: the registers of a kernel are its constants and parameters, its inputs, and one result for each instruction.
//! assert_eq!(model.kernels.force.instructions.len(), 2);
//! # Ok::<(), lie_compiler::Diagnostics>(())
//! ```

mod builder;
mod c_source;
mod contacts;
mod instruction;
mod lists;
mod schema;

pub use crate::expr::Function;
pub use c_source::C_HEAD;
pub use contacts::{TapeCoefficient, TapeContact, TapeFriction};
pub use instruction::{Instruction, Tape, TapeDatum, TapeInput};
pub use schema::{
    TapeConstraint, TapeFacts, TapeGroup, TapeInputs, TapeMember, TapeParameter, TapeParameterKind, TapeShape,
};

use self::builder::build;
use self::schema::{free_outputs, unsupported};
use super::headings::group_notation;
use super::layout::Layouts;
use crate::diagnostics::Report;
use crate::diff::{Derived, DerivedTerm};
use crate::model::{Model, OutputShape, Role};
use crate::scalar::Scalar;
use crate::schedule::{CallsOpaque, KernelId, Program, Term};
use crate::syntax;

/// The kernels of a system, with the equations M v' = force − Bᵀ λ and B v + drift = 0.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TapeKernels {
    /// The values that depend on parameters only, see [`TapeDatum::Hoisted`].
    pub prepare: Tape,
    /// M, dof × dof.
    pub mass_matrix: Tape,
    /// All forces except those of constraints.
    pub force: Tape,
    /// Φ; zero in the rows of velocity constraints.
    pub constraint: Tape,
    /// B, rows × dof.
    pub constraint_jacobian: Tape,
    /// The part of B v + drift that does not depend on v.
    pub constraint_drift: Tape,
    /// The part of d/dt (B v + drift) that does not depend on v'.
    pub constraint_curvature: Tape,
    /// The kinetic energy.
    pub kinetic_energy: Tape,
    /// The potential energy.
    pub potential_energy: Tape,
    /// The residual r = M v' − force + Bᵀ λ.
    pub residual: Tape,
    /// D_q r, dof × dof.
    pub tangent_stiffness: Tape,
    /// D_v r, dof × dof.
    pub tangent_damping: Tape,
    /// D_q (B v + drift), rows × dof.
    pub rate_gradient: Tape,
}

/// A declared function and the operations that compute it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TapeFunction {
    /// The name.
    pub name: String,
    /// The shape of the result.
    pub shape: TapeShape,
    /// The operations.
    pub tape: Tape,
}

/// A system as data.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TapeModel {
    /// The name of the module.
    pub name: String,
    /// The notation of the configuration space: `SO(3) × R³`.
    pub group: String,
    /// Degrees of freedom before constraints.
    pub dof: usize,
    /// The number of scalars of a configuration.
    pub configuration_size: usize,
    /// The number of scalars of the parameters.
    pub parameter_size: usize,
    /// The parameters, in the order of their scalars.
    pub parameters: Vec<TapeParameter>,
    /// The inputs.
    pub inputs: Option<TapeInputs>,
    /// The members of the configuration, in the order of their scalars.
    pub members: Vec<TapeMember>,
    /// The constraints, holonomic ones first.
    pub constraints: Vec<TapeConstraint>,
    /// The unilateral contacts and stops.
    pub contacts: Vec<TapeContact>,
    /// The frictions of contacts and joints.
    pub frictions: Vec<TapeFriction>,
    /// The observables.
    pub observables: Vec<TapeFunction>,
    /// The events.
    pub events: Vec<TapeFunction>,
    /// The doc comments by name: `parameters.mass`, `configuration.attitude`, `observables.tilt`. Items of lists have no index.
    pub documentation: Vec<(String, String)>,
    /// Properties of the equations.
    pub facts: TapeFacts,
    /// The kernels.
    pub kernels: TapeKernels,
}

/// Makes observables and events functions that the compiler reads, and removes symmetries. Returns their names, with true for events.
pub(crate) fn prepare(model: &mut Model) -> Vec<(String, bool)> {
    model.functions.retain(|function| !matches!(function.role, Role::Symmetry));
    let called = model.with_role(Role::is_called);
    let called = called.map(|function| (schema::text(&function.name), matches!(function.role, Role::Event))).collect();
    for at in 0..model.functions.len() {
        let function = &model.functions[at];
        if function.role.is_called() {
            let shape = syntax::returned_shape(model, &model.functions[at].output_type);
            // Other types are reported below.
            if shape != OutputShape::Other {
                model.functions[at].output = shape;
                model.functions[at].role = Role::Quantity;
            }
        }
    }
    called
}

/// Returns the unrolled system as data. `called` are the names of observables and events, with true for events, `counted` the lists with
/// an item for each element, and `documentation` the doc comments by name.
///
/// # Errors
/// The parts of the declaration that a tape cannot contain.
pub(crate) fn emit(
    model: &Model,
    derived: Derived<'_>,
    called: &[(String, bool)],
    counted: &[String],
    documentation: Vec<(String, String)>,
) -> Result<TapeModel, Report> {
    let name = &model.name;
    let [derived] = <[DerivedTerm; 1]>::try_from(derived.of_members)
        .unwrap_or_else(|terms| bug!("an unrolled system has {} terms", terms.len()));
    let term = &Term::whole(derived);
    if let Some(function) = model.functions.iter().find(|function| function.role.is_called()) {
        let what = format!("the function `{}` with a result of this type", function.name);
        return Err(unsupported(&function.output_type, &what, "return `f64` or a vector"));
    }
    schema::check_parameters(model)?;
    let layouts = Layouts::new(model);
    let tape = |outputs: &[Scalar]| tape(term, model, &layouts, outputs, true);
    let kernel = |id: KernelId| tape(&free_outputs(term, &layouts, id));
    let kernels = TapeKernels {
        prepare: self::tape(term, model, &layouts, &term.hoisted.nodes, false)?,
        mass_matrix: kernel(KernelId::MassMatrix)?,
        force: kernel(KernelId::Force)?,
        constraint: kernel(KernelId::Constraint)?,
        constraint_jacobian: kernel(KernelId::ConstraintJacobian)?,
        constraint_drift: kernel(KernelId::ConstraintDrift)?,
        constraint_curvature: kernel(KernelId::ConstraintCurvature)?,
        kinetic_energy: kernel(KernelId::KineticEnergy)?,
        potential_energy: kernel(KernelId::PotentialEnergy)?,
        residual: kernel(KernelId::Residual)?,
        tangent_stiffness: kernel(KernelId::TangentStiffness)?,
        tangent_damping: kernel(KernelId::TangentDamping)?,
        rate_gradient: kernel(KernelId::RateGradient)?,
    };
    let (mut observables, mut events) = (vec![], vec![]);
    // The elements of one function are adjacent.
    for elements in term.equations.functions.chunk_by(|a, b| {
        let [a, b] = [a, b].map(|function| &term.model.functions[function.function]);
        a.element.is_some() && a.name == b.name
    }) {
        let declared = &term.model.functions[elements[0].function];
        let name = schema::text(&declared.name);
        let Some((_, is_event)) = called.iter().find(|(known, _)| *known == name) else { continue };
        let runs = declared.runs_over_members();
        let shape = match (declared.output, runs) {
            (OutputShape::Scalar, true) => TapeShape::Scalars(elements.len()),
            (OutputShape::Vector(n), true) => TapeShape::Vectors(elements.len(), n),
            (_, true) => {
                let what = format!("the function `{name}` with a result of this type");
                return Err(unsupported(&declared.output_type, &what, "return `f64` or a vector"));
            }
            (OutputShape::Vector(n), false) => TapeShape::Vector(n),
            (OutputShape::Matrix(rows, columns), false) => TapeShape::Matrix(rows, columns),
            _ => TapeShape::Scalar,
        };
        let entries: Vec<Scalar> = elements.iter().flat_map(|function| function.entries.iter().copied()).collect();
        let list = if *is_event { &mut events } else { &mut observables };
        list.push(TapeFunction { name, shape, tape: tape(&entries)? });
    }
    let parameters = schema::entries(model.parameters.as_ref(), &layouts.parameters);
    let functions = observables.iter().chain(&events).map(|function| &function.tape);
    let tapes = [
        &kernels.prepare,
        &kernels.mass_matrix,
        &kernels.residual,
        &kernels.force,
        &kernels.constraint,
        &kernels.constraint_drift,
        &kernels.constraint_jacobian,
        &kernels.kinetic_energy,
        &kernels.potential_energy,
    ];
    lists::check_lists(model, counted, &parameters, &tapes.into_iter().chain(functions).collect::<Vec<_>>())?;
    let (contacts, frictions) = contacts::unilateral(model, &parameters)?;
    Ok(TapeModel {
        name: schema::text(name),
        group: group_notation(model),
        dof: layouts.free.iter().flatten().count(),
        configuration_size: layouts.configuration.size,
        parameter_size: layouts.parameters.size,
        parameters,
        inputs: schema::inputs(model, term, &layouts.inputs),
        members: schema::members(model),
        constraints: schema::constraints(term),
        contacts,
        frictions,
        observables,
        events,
        documentation,
        facts: schema::facts(model, term, &layouts),
        kernels,
    })
}

/// Returns the operations that compute these outputs.
fn tape(term: &Term, model: &Model, layouts: &Layouts, outputs: &[Scalar], hoisted: bool) -> Result<Tape, Report> {
    let program = Program::new(&term.equations.graph, outputs, hoisted.then_some(&term.hoisted));
    let program = program.map_err(|CallsOpaque { function }| {
        let opaque = &model.opaques[function].name;
        let help = "write the function in the subset of Rust, without `#[opaque]`";
        unsupported(opaque, &format!("the opaque function `{opaque}`"), help)
    })?;
    Ok(build(&program, layouts))
}
