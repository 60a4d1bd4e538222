//! The groups of members, determined from their types without name resolution.

use syn::{GenericArgument, Item, PathArguments, Type};

use crate::group::Group;
use crate::syntax::rust::shape::{generic_arguments, library_segment};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum FactorKind {
    Single,
    Power,
    Chain,
}

/// Returns the group of a member and its multiplicity.
pub(super) fn factor(ty: &Type, items: &[Item]) -> Option<(Group, FactorKind)> {
    match ty {
        Type::Array(array) => Some((factor(&array.elem, items)?.0, FactorKind::Power)),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            match &last.arguments {
                PathArguments::AngleBracketed(arguments) if last.ident == "Vec" => match arguments.args.first()? {
                    GenericArgument::Type(inner) => Some((factor(inner, items)?.0, FactorKind::Chain)),
                    _ => None,
                },
                PathArguments::AngleBracketed(arguments) if last.ident == "Rn" => match arguments.args.first()? {
                    GenericArgument::Const(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(size), .. })) => {
                        Some((Group::vector_space(size.base10_parse().ok()?), FactorKind::Single))
                    }
                    _ => None,
                },
                PathArguments::None if last.ident == "f64" => Some((Group::NUMBER, FactorKind::Single)),
                PathArguments::None => match Group::named(&last.ident.to_string()) {
                    Some(group) => Some((group, FactorKind::Single)),
                    None => Some((body(&last.ident, items)?, FactorKind::Single)),
                },
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the element type of a chain or a power.
pub(super) fn member_type(ty: &Type) -> Option<&Type> {
    if let Type::Array(array) = ty {
        return Some(&array.elem);
    }
    match library_segment(ty).filter(|segment| segment.ident == "Vec").map(generic_arguments)?.first()? {
        GenericArgument::Type(member) => Some(member),
        _ => None,
    }
}

/// Returns the group of a struct among the items.
fn body(name: &syn::Ident, items: &[Item]) -> Option<Group> {
    let (at, item) = items.iter().enumerate().find_map(|(at, item)| match item {
        Item::Struct(item) if item.ident == *name => Some((at, item)),
        _ => None,
    })?;
    // A struct that contains itself is not a group.
    let others = [&items[..at], &items[at + 1..]].concat();
    let fields = item.fields.iter().map(|field| match factor(&field.ty, &others)? {
        (group, FactorKind::Single) => Some((field.ident.as_ref()?.to_string(), group)),
        _ => None,
    });
    let fields: Vec<_> = fields.collect::<Option<_>>()?;
    (!fields.is_empty()).then(|| Group::of_struct(&name.to_string(), fields))
}
