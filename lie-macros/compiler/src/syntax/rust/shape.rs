//! Types as shapes: `f64`, vectors and matrices of fixed size.
//!
//! Types are in canonical form (see `scope`): library types are single names.

use syn::{GenericArgument, PathArguments, PathSegment, Type};

use crate::diagnostics::{error_with_help, source};
use crate::model::{Group, OutputShape};
use crate::syntax::rust::constants::Constants;

/// Maximum dimension and length in unrolled code.
pub(in crate::syntax) const MAXIMUM: usize = crate::group::LARGEST;

/// Returns a type without enclosing parentheses and invisible groups.
pub(in crate::syntax) fn bare(mut ty: &Type) -> &Type {
    loop {
        ty = match ty {
            Type::Paren(inner) => &inner.elem,
            Type::Group(inner) => &inner.elem,
            _ => return ty,
        };
    }
}

/// Returns the segment of a library type.
pub(in crate::syntax) fn library_segment(ty: &Type) -> Option<&PathSegment> {
    match bare(ty) {
        Type::Path(path) if path.qself.is_none() && path.path.segments.len() == 1 => path.path.segments.first(),
        _ => None,
    }
}

/// Returns the segment of a declared type: a single name, or `self::Vector3` for a name that is also a library type.
pub(in crate::syntax) fn own_segment(ty: &Type) -> Option<&PathSegment> {
    match bare(ty) {
        Type::Path(path) if path.qself.is_none() && path.path.leading_colon.is_none() => {
            let mut segments = path.path.segments.iter();
            match (segments.next(), segments.next(), segments.next()) {
                (Some(name), None, None) => Some(name),
                (Some(module), Some(name), None) if module.ident == "self" => Some(name),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the generic arguments of a segment.
pub(in crate::syntax) fn generic_arguments(segment: &PathSegment) -> Vec<&GenericArgument> {
    match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
        _ => vec![],
    }
}

/// Returns the element type of `Vec<…>`.
pub(in crate::syntax) fn item_of_list(ty: &Type) -> Option<&Type> {
    let segment = library_segment(ty).filter(|segment| segment.ident == "Vec")?;
    match generic_arguments(segment).as_slice() {
        [GenericArgument::Type(item)] => Some(item),
        _ => None,
    }
}

/// Returns true for types that contain another type, which is usually the intended one.
pub(in crate::syntax) fn is_wrapper(name: &str) -> bool {
    matches!(name, "Box" | "Option" | "Rc" | "Arc" | "Cell" | "RefCell" | "Cow")
}

/// Returns true if `ty` is the type `name` without generic arguments.
pub(in crate::syntax) fn is_named(ty: &Type, name: &str) -> bool {
    library_segment(ty).is_some_and(|segment| segment.ident == name && segment.arguments.is_none())
}

/// Returns the shape of `ty` with entries of type `scalar`; [`OutputShape::Other`] for types that are not scalars, vectors or matrices. A
/// wrong size or scalar type is an error.
pub(in crate::syntax) fn read(ty: &Type, scalar: &str, constants: &Constants) -> syn::Result<OutputShape> {
    if is_named(ty, scalar) {
        return Ok(OutputShape::Scalar);
    }
    let Some(segment) = library_segment(ty) else { return Ok(OutputShape::Other) };
    let name = segment.ident.to_string();
    let arguments = generic_arguments(segment);
    let (shape, sizes) = match named(&name) {
        Some(shape) => (shape, 0),
        None if name == "SVector" => (OutputShape::Vector(0), 1),
        None if name == "SMatrix" => (OutputShape::Matrix(0, 0), 2),
        None => return Ok(OutputShape::Other),
    };
    let Some((first, dimensions)) = arguments.split_first() else {
        let full = match sizes {
            0 => format!("{name}<{scalar}>"),
            1 => format!("{name}<{scalar}, 3>"),
            _ => format!("{name}<{scalar}, 3, 3>"),
        };
        return Err(error_with_help(ty, format_args!("missing arguments of `{name}`"), format_args!("write `{full}`")));
    };
    if !matches!(first, GenericArgument::Type(ty) if is_named(ty, scalar)) {
        return Err(error_with_help(
            first,
            format_args!("unexpected entries of type `{}` in `{name}`", source(first)),
            format_args!("write `{scalar}`"),
        ));
    }
    let dimension = |argument: &GenericArgument| match constants.dimension(argument)? {
        n if n > MAXIMUM => Err(error_with_help(
            argument,
            format_args!("`{name}` of dimension {n} is too large for unrolled code"),
            format_args!("use at most {MAXIMUM}"),
        )),
        n => Ok(n),
    };
    match (shape, dimensions) {
        (OutputShape::Vector(_), [n]) if sizes == 1 => Ok(OutputShape::Vector(dimension(n)?)),
        (OutputShape::Matrix(..), [rows, columns]) if sizes == 2 => Ok(match (dimension(rows)?, dimension(columns)?) {
            (1, 1) => OutputShape::Matrix(1, 1),
            (rows, 1) => OutputShape::Vector(rows),
            (rows, columns) => OutputShape::Matrix(rows, columns),
        }),
        (_, []) if sizes == 0 => Ok(shape),
        _ => Ok(OutputShape::Other),
    }
}

/// Returns the shape of a quantity, which can be an element of a group, `SE3` or `SO2`. Elements of `R3` and other vector spaces are
/// vectors.
pub(in crate::syntax) fn of_quantity(ty: &Type, constants: &Constants) -> syn::Result<OutputShape> {
    let found = read(ty, "f64", constants)?;
    let group = || {
        let segment = library_segment(ty)?;
        let is_real = match generic_arguments(segment).as_slice() {
            [] => true,
            [GenericArgument::Type(scalar)] => is_named(scalar, "f64"),
            _ => false,
        };
        Group::named(&segment.ident.to_string()).filter(|group| is_real && !group.has_sphere())
    };
    Ok(match (found, group()) {
        (OutputShape::Other, Some(group)) if group.is_vector_space() => OutputShape::Vector(group.dimension()),
        (OutputShape::Other, Some(group)) => OutputShape::Element(group),
        (found, _) => found,
    })
}

/// `Vector1` to `Vector6`, `RowVector1` to `RowVector6`, `Matrix1` to `Matrix6`, `Matrix2x3`.
pub(crate) fn named(name: &str) -> Option<OutputShape> {
    let size = |digits: &str| match digits.as_bytes() {
        [digit @ b'1'..=b'6'] => Some(usize::from(digit - b'0')),
        _ => None,
    };
    if let Some(digits) = name.strip_prefix("Vector") {
        return size(digits).map(OutputShape::Vector);
    }
    if let Some(digits) = name.strip_prefix("RowVector") {
        return size(digits).map(|n| OutputShape::Matrix(1, n));
    }
    let digits = name.strip_prefix("Matrix")?;
    match digits.split_once('x') {
        Some((rows, columns)) => Some(OutputShape::Matrix(size(rows)?, size(columns)?)),
        None => size(digits).map(|n| OutputShape::Matrix(n, n)),
    }
}

/// Formats a vector type.
pub(in crate::syntax) fn vector_type(n: usize) -> String {
    if (1..=6).contains(&n) { format!("Vector{n}<f64>") } else { format!("SVector<f64, {n}>") }
}

/// Formats a square matrix type.
pub(in crate::syntax) fn square_type(n: usize) -> String {
    if (1..=6).contains(&n) { format!("Matrix{n}<f64>") } else { format!("SMatrix<f64, {n}, {n}>") }
}

/// Describes a shape.
pub(in crate::syntax) fn describe(output: OutputShape) -> String {
    match output {
        OutputShape::Scalar => "a scalar".to_owned(),
        OutputShape::Vector(1) => "1 component".to_owned(),
        OutputShape::Vector(n) => format!("{n} components"),
        OutputShape::Matrix(rows, columns) => format!("a {rows} x {columns} matrix"),
        OutputShape::Element(group) => format!("an element of {}", group.notation),
        OutputShape::Other => "a value of another kind".to_owned(),
    }
}
