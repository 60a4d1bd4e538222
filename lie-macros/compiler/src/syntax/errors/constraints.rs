//! Placeholder constraints: rows of zeros, in the intended number, so that multipliers have the intended sizes.

use quote::format_ident;
use syn::{Attribute, Field, Ident, ItemFn, ItemStruct, ReturnType, Type};

use super::factors::member_type;
use crate::group::Group;
use crate::syntax::role::{Keyword, Recognised, over, recognise};
use crate::syntax::rust::shape::{self, generic_arguments, library_segment};

/// Returns true for roles that have multipliers.
pub(super) fn is_constraint(role: Keyword) -> bool {
    matches!(role, Keyword::Constraint | Keyword::VelocityConstraint)
}

/// Replaces the signature of a constraint by the intended signature: arguments are the whole configuration unless the constraint has
/// `over`, and the result is a scalar or a vector.
pub(super) fn mean(function: &mut ItemFn, configuration: &Ident) {
    let role = function.attrs.iter().find_map(|attribute| match recognise(attribute) {
        Recognised::Role(keyword) if is_constraint(keyword) => Some((keyword, over(keyword, attribute).is_some())),
        _ => None,
    });
    match role {
        Some((Keyword::Constraint, false)) => function.sig.inputs = syn::parse_quote!(q: &#configuration),
        Some((_, false)) => function.sig.inputs = syn::parse_quote!(q: &#configuration, v: &Velocity),
        Some((_, true)) => {}
        None => return,
    }
    match &mut function.sig.output {
        ReturnType::Type(_, ty) => {
            if let Some(meant) = rows(ty) {
                **ty = meant;
            }
        }
        output @ ReturnType::Default => *output = syn::parse_quote!(-> f64),
    }
}

/// Makes a constraint over invalid members run over the first list of members, so that its multipliers are also a list.
pub(super) fn run_over_all(function: &mut ItemFn, configuration: &ItemStruct) {
    let list = |field: &Field| Some((field.ident.clone()?, member_type(&field.ty)?.clone()));
    let Some((list, member)) = configuration.fields.iter().find_map(list) else { return };
    let runs = |attribute: &Attribute| match recognise(attribute) {
        Recognised::Role(keyword) => is_constraint(keyword) && over(keyword, attribute).is_some(),
        _ => false,
    };
    let Some(attribute) = function.attrs.iter_mut().find(|attribute| runs(attribute)) else { return };
    *attribute = syn::parse_quote!(#[constraint(over = #list)]);
    function.sig.inputs = syn::parse_quote!(member: &#member);
}

/// Returns the intended vector type for an invalid type of rows.
fn rows(ty: &Type) -> Option<Type> {
    if let Type::Array(array) = shape::bare(ty) {
        let length = &array.len;
        return Some(syn::parse_quote!(SVector<f64, #length>));
    }
    if let Type::Tuple(tuple) = shape::bare(ty) {
        return Some(match tuple.elems.len() {
            0 => syn::parse_quote!(f64),
            length => syn::parse_quote!(SVector<f64, #length>),
        });
    }
    let segment = library_segment(ty)?;
    let name = segment.ident.to_string();
    match Group::named(&name) {
        Some(group) if group.is_vector_space() && !group.is_number() => {
            let vector = format_ident!("Vector{}", group.dimension());
            Some(syn::parse_quote!(#vector<f64>))
        }
        _ if shape::named(&name).is_some() && generic_arguments(segment).is_empty() => {
            Some(syn::parse_quote!(#segment<f64>))
        }
        _ => None,
    }
}
