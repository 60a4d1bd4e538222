//! The parameter struct: what each field is in an expression.

use syn::Type;

use super::collect::{Declaration, conditional_error};
use super::configuration::named_fields;
use super::constants::Constants;
use super::scope::{Rewriter, Scope};
use super::shape::{self, MAXIMUM};
use crate::diagnostics::Diagnostics;
use crate::model::{Output, ParameterField, ParameterKind, Parameters};

/// Reads the parameters, if there are any.
pub(super) fn read(
    declaration: &Declaration,
    scope: &Scope,
    constants: &Constants,
    sink: &mut Diagnostics,
) -> Option<Parameters> {
    let item = declaration.parameters.as_ref()?;
    let mut fields = vec![];
    for field in named_fields(item, "struct of parameters", "mass: f64", sink)? {
        let name = field.ident.clone()?;
        if let Some(attribute) = field.attrs.iter().find(|attribute| attribute.path().is_ident("cfg")) {
            sink.push(conditional_error(attribute));
        }
        if let Type::Reference(reference) = shape::bare(&field.ty) {
            sink.error_with_help(
                &field.ty,
                format_args!("the parameter `{name}` is a reference"),
                format_args!("parameters are owned: write `{}`", crate::diagnostics::source(&reference.elem)),
            );
            continue;
        }
        fields.push(ParameterField {
            kind: kind(&Rewriter::new(scope, 0).ty(&field.ty), constants),
            name,
            ty: field.ty.clone(),
        });
    }
    Some(Parameters { item: item.clone(), fields })
}

/// What a field is. A type that is not understood, or a table too large to unroll, may still be used where nothing is differentiated.
fn kind(ty: &Type, constants: &Constants) -> ParameterKind {
    if let Type::Array(array) = shape::bare(ty) {
        let Some(count) = constants.length(&array.len).ok().filter(|count| *count <= MAXIMUM) else {
            return ParameterKind::Opaque;
        };
        return match shape::read(&array.elem, "f64", constants) {
            Ok(Output::Scalar) => ParameterKind::ScalarArray(count),
            Ok(Output::Vector(n)) => ParameterKind::VectorArray(n, count),
            _ => ParameterKind::Opaque,
        };
    }
    match shape::read(ty, "f64", constants) {
        Ok(Output::Scalar) => ParameterKind::Scalar,
        Ok(Output::Vector(n)) => ParameterKind::Vector(n),
        Ok(Output::Matrix(rows, columns)) => ParameterKind::Matrix(rows, columns),
        Ok(Output::Other) | Err(_) => ParameterKind::Opaque,
    }
}
