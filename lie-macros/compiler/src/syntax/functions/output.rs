//! Return types of functions with a role: the required shape, and the error for another one.

use std::fmt::Write;

use syn::Type;

use super::context::{Context, return_type};
use crate::diagnostics::{error_with_help, source};
use crate::model::{Configuration, ForceTarget, Group, OutputShape, Role, Selection};
use crate::syntax::module::collect::AttributedFunction;
use crate::syntax::role::{Keyword, Returns};
use crate::syntax::rust::shape::{self, describe, square_type, vector_type};

/// The required shape of a return value.
pub(in crate::syntax) enum RequiredShape {
    /// One shape, with the reason.
    Shape { shape: OutputShape, why: String, table: bool },
    /// A scalar or a vector.
    Rows { given: Option<String> },
    /// A velocity with named fields.
    Velocity,
    /// The struct of auxiliary states, with its number of components.
    States { name: String, components: usize },
    /// Any type.
    Any { given: Option<String> },
}

impl RequiredShape {
    pub fn of(
        role: &Role,
        declared: &AttributedFunction,
        element: Option<&[Selection]>,
        context: &Context,
    ) -> Option<Self> {
        let given = || return_type(declared).map(source);
        let dof = || {
            let configuration = context.with_frames.filter(|_| element.is_some()).or(context.configuration)?;
            let whole = configuration.whole();
            Some(configuration.dof_of(element.unwrap_or(&whole)))
        };
        let whose = if element.is_some() { "velocities of the members together have" } else { "velocity has" };
        let table = element.is_none();
        let exactly = |shape, why, table| RequiredShape::Shape { shape, why, table };
        Some(match (declared.keyword.signature()?.returns, role) {
            (Returns::Number, _) => exactly(OutputShape::Scalar, String::new(), false),
            (Returns::Inertia, _) => {
                let n = dof()?;
                let why = format!("the {whose} {}", describe(OutputShape::Vector(n)));
                exactly(OutputShape::Matrix(n, n), why, table)
            }
            (Returns::Force, Role::Force(ForceTarget::Velocity)) => {
                let n = dof()?;
                let why = match return_type(declared) {
                    // A force is not of the type `Velocity`.
                    Some(ty) if shape::is_named(ty, "Velocity") => {
                        format!("a force is a vector of {n} components, not a velocity")
                    }
                    _ => format!("the {whose} {}", describe(OutputShape::Vector(n))),
                };
                exactly(OutputShape::Vector(n), why, table)
            }
            (Returns::Force, Role::Force(ForceTarget::Member(index, rows))) => {
                let member = context.configuration?.members.get(*index)?;
                let is_whole = rows.len() == member.dof();
                let what = if is_whole { format!("`{}`", member.name) } else { "its target".to_owned() };
                let why = format!("{what} has {}", describe(OutputShape::Vector(rows.len())));
                exactly(OutputShape::Vector(rows.len()), why, is_whole)
            }
            (Returns::Force, Role::Force(ForceTarget::Quantity(name))) => {
                let (_, shape, _) = context.quantities.iter().find(|(quantity, ..)| quantity == name)?;
                let why = format!("`{name}` is {}", describe((*shape)?));
                match (*shape)? {
                    shape @ (OutputShape::Scalar | OutputShape::Vector(_)) => exactly(shape, why, false),
                    OutputShape::Element(group) => {
                        let shape = velocity(group);
                        let why = format!("{why}: the force on its velocity has {}", describe(shape));
                        exactly(shape, why, false)
                    }
                    OutputShape::Matrix(..) | OutputShape::Other => return None,
                }
            }
            (Returns::Force, Role::Force(ForceTarget::Slip)) => exactly(OutputShape::Vector(2), String::new(), false),
            (Returns::Force, _) => return None,
            (Returns::Rows, _) => RequiredShape::Rows { given: given() },
            (Returns::Velocity, _) => RequiredShape::Velocity,
            (Returns::States, _) => RequiredShape::States {
                name: context.names.states.as_ref()?.to_string(),
                components: context.configuration?.states()?.group.dimension(),
            },
            (Returns::Anything, _) => RequiredShape::Any { given: given() },
        })
    }

    /// The text of the type.
    pub fn type_text(&self) -> String {
        match self {
            RequiredShape::Shape { shape, .. } => type_text(*shape),
            RequiredShape::Rows { given } => given.clone().unwrap_or_else(|| "Vector3<f64>".to_owned()),
            RequiredShape::Velocity => "Velocity".to_owned(),
            RequiredShape::States { name, .. } => name.clone(),
            RequiredShape::Any { given } => given.clone().unwrap_or_else(|| "f64".to_owned()),
        }
    }
}

/// The shape of the velocity of a group that is not a struct.
fn velocity(group: Group) -> OutputShape {
    if group.has_scalar_velocity() { OutputShape::Scalar } else { OutputShape::Vector(group.dimension()) }
}

fn type_text(shape: OutputShape) -> String {
    match shape {
        OutputShape::Vector(n) => vector_type(n),
        OutputShape::Matrix(rows, columns) if rows == columns => square_type(rows),
        OutputShape::Matrix(rows, columns) => format!("SMatrix<f64, {rows}, {columns}>"),
        OutputShape::Element(group) => group.written(),
        OutputShape::Scalar | OutputShape::Other => "f64".to_owned(),
    }
}

pub(in crate::syntax) fn default_output(declared: &AttributedFunction) -> String {
    return_type(declared).map_or_else(|| "Vector3<f64>".to_owned(), source)
}

/// Checks the return type of a function; `expected` is the correct signature.
pub(in crate::syntax) fn output(
    declared: &AttributedFunction,
    wanted: Option<&RequiredShape>,
    context: &Context,
    expected: &dyn Fn() -> String,
) -> syn::Result<OutputShape> {
    let (name, role) = (&declared.item.sig.ident, declared.keyword.name());
    let Some(ty) = return_type(declared) else {
        return Err(error_with_help(name, format_args!("missing return type of `{name}`"), expected()));
    };
    if let Type::ImplTrait(_) | Type::Never(_) | Type::Infer(_) = shape::bare(ty) {
        return Err(error_with_help(ty, format_args!("unsupported return type of `{name}`"), expected()));
    }
    if let Some(RequiredShape::Velocity) = wanted {
        if shape::is_named(ty, "Velocity") {
            return Ok(OutputShape::Other);
        }
        let message = format!("`{name}` returns `{}`: a `#[{role}]` returns a `Velocity`", source(ty));
        return Err(error_with_help(ty, message, expected()));
    }
    if let Some(RequiredShape::States { name: states, components }) = wanted {
        if shape::own_segment(ty).is_some_and(|segment| segment.ident == states) {
            return Ok(OutputShape::Vector(*components));
        }
        let message = format!("`{name}` returns `{}`: a `#[{role}]` returns the derivatives of `{states}`", source(ty));
        return Err(error_with_help(ty, message, expected()));
    }
    let is_quantity = declared.keyword == Keyword::Quantity;
    let read = if is_quantity { shape::of_quantity } else { |ty: &_, constants: &_| shape::read(ty, "f64", constants) };
    let found = match read(ty, context.constants) {
        Err(error) if declared.keyword != Keyword::Observable => return Err(error),
        found => found.unwrap_or(OutputShape::Other),
    };
    let differs = || format!("`{name}` returns `{}`", source(ty));
    match wanted {
        None | Some(RequiredShape::Any { .. } | RequiredShape::Velocity | RequiredShape::States { .. }) => Ok(found),
        Some(RequiredShape::Rows { .. }) => match found {
            OutputShape::Vector(0) => {
                Err(error_with_help(ty, format_args!("`{name}` returns a vector of length 0"), "remove the function"))
            }
            OutputShape::Scalar | OutputShape::Vector(_) | OutputShape::Element(_) => Ok(found),
            OutputShape::Matrix(1, 1) => Ok(OutputShape::Vector(1)),
            OutputShape::Matrix(..) | OutputShape::Other => {
                let or = if is_quantity {
                    "`f64`, a vector of fixed size or a pose"
                } else {
                    "`f64` or a vector of fixed size"
                };
                let message = format!("{}: a `#[{role}]` returns {or}", differs());
                let help = if is_quantity { parts_of(ty, context) } else { None };
                Err(error_with_help(ty, message, help.unwrap_or_else(|| rows_of(ty, context))))
            }
        },
        Some(RequiredShape::Shape { shape, why, table }) => {
            if found == *shape || (is_single(found) && is_single(*shape)) {
                return Ok(*shape);
            }
            // A scalar is accepted for a single row.
            if found == OutputShape::Scalar && is_single(*shape) {
                return Ok(found);
            }
            let mut help = expected();
            let is_of_force = matches!(declared.keyword, Keyword::Potential | Keyword::Dissipation);
            let message = match (shape, found) {
                (OutputShape::Scalar, OutputShape::Vector(_)) if is_of_force => {
                    help.push_str("\nuse `#[force]` for a force");
                    format!("{}: a {role} returns a scalar", differs())
                }
                (OutputShape::Scalar, _) if why.is_empty() => format!("{}: a `#[{role}]` returns a scalar", differs()),
                _ => format!("{}, but {why}", differs()),
            };
            if let Some(configuration) = context.configuration.filter(|_| *table) {
                help.push_str(&rows(configuration));
            }
            Err(error_with_help(ty, message, help))
        }
    }
}

/// Suggests a vector with the same number of rows in place of an array, a tuple or a boolean.
fn rows_of(ty: &Type, context: &Context) -> String {
    let vector = |rows: usize, entries: &str| {
        let made = if (1..=6).contains(&rows) {
            format!("Vector{rows}::new({entries})")
        } else {
            format!("SVector::<f64, {rows}>::from([{entries}])")
        };
        format!("write `{}`, and return `{made}`", vector_type(rows))
    };
    let scalar = |ty: &Type| shape::is_named(ty, "f64");
    match shape::bare(ty) {
        Type::Array(array) if scalar(&array.elem) => match context.constants.length(&array.len) {
            Ok(rows) => vector(rows, "…"),
            Err(_) => "write `SVector<f64, 8>`, with the number of rows".to_owned(),
        },
        Type::Tuple(tuple) if tuple.elems.len() > 1 && tuple.elems.iter().all(scalar) => vector(tuple.elems.len(), "…"),
        Type::Tuple(tuple) if tuple.elems.len() > 1 => {
            "declare one function for each part: constraints are stacked in the order of declaration".to_owned()
        }
        Type::Path(_) if let Some(inner) = wrapped(ty) => {
            format!("write `{}`, and return the value itself", source(inner))
        }
        bare if shape::is_named(bare, "bool") => {
            "write `f64`, and return the difference that must vanish, as in `a - b`".to_owned()
        }
        bare => {
            let name = shape::library_segment(bare).map_or_else(String::new, |segment| segment.ident.to_string());
            let rows = name.strip_prefix("Vector").filter(|rows| rows.parse::<usize>().is_ok());
            match (Group::named(&name), rows) {
                (Some(group), _) if !group.is_vector_space() => {
                    let written = vector_type(group.dimension());
                    format!("write `{written}`, and return `.log()` of the element that must be the identity")
                }
                (Some(group), _) if !group.is_number() => format!("write `{}`", vector_type(group.dimension())),
                (_, Some(rows)) => format!("write `SVector<f64, {rows}>`"),
                _ => "write `Vector3<f64>`, or `SVector<f64, 8>` with the number of rows".to_owned(),
            }
        }
    }
}

/// Suggests a return type in place of a direction or a body, for a quantity.
fn parts_of(ty: &Type, context: &Context) -> Option<String> {
    if shape::is_named(ty, "S2") {
        return Some("write `Vector3<f64>`, and return `.direction()` of the point".to_owned());
    }
    let is_struct = match shape::bare(ty) {
        Type::Tuple(tuple) => tuple.elems.len() > 1,
        ty => context.names.bodies.contains(&shape::own_segment(ty)?.ident.to_string()),
    };
    is_struct.then(|| "declare one quantity for each part, or return a pose such as `SO3xR3`".to_owned())
}

fn is_single(shape: OutputShape) -> bool {
    matches!(shape, OutputShape::Vector(1) | OutputShape::Matrix(1, 1))
}

/// Formats the table of members and their rows in the velocity.
fn rows(configuration: &Configuration) -> String {
    let members = || configuration.members.iter().filter(|member| !member.is_chain);
    let width = members().map(|member| member.name.to_string().len()).max().unwrap_or(0);
    let mut text = "\nrows of the velocity:".to_owned();
    let mut start = 0;
    for member in members() {
        let end = start + member.dof();
        let rows = if end == start + 1 { format!("row {start}") } else { format!("rows {start} to {}", end - 1) };
        let _ = write!(text, "\n  {:width$}  {rows}", member.name.to_string());
        start = end;
    }
    text
}

/// Returns the type inside `Result` or `Option`.
fn wrapped(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = shape::bare(ty) else { return None };
    let segment = path.path.segments.last().filter(|last| last.ident == "Result" || last.ident == "Option")?;
    match shape::generic_arguments(segment).first() {
        Some(syn::GenericArgument::Type(inner)) => Some(inner),
        _ => None,
    }
}
