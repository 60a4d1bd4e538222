//! The configuration that was meant where none is marked, or several are, and the group that was meant by a member of it whose type is none.

use quote::format_ident;
use syn::{GenericArgument, Ident, Item, ItemStruct, Type};

use super::factors::factor;
use crate::group::{GROUPS, Group};
use crate::parse::data::configuration::clamped;
use crate::parse::role::{Keyword, Recognised, has_role, recognise};
use crate::parse::syntax::items::structs;
use crate::parse::syntax::shape::{generic_arguments, is_wrapper, library_segment};
use crate::parse::syntax::suggest;

/// The struct that was meant for the configuration where none is marked: the first of groups, at least one of which is more than a number.
pub(in crate::parse) fn configuration(items: &[Item]) -> Option<&ItemStruct> {
    structs(items).find(|item| {
        let is_unmarked = item.attrs.iter().all(|attribute| matches!(recognise(attribute), Recognised::Foreign));
        let groups = || item.fields.iter().map(|field| factor(&field.ty, items));
        is_unmarked && groups().all(|group| group.is_some()) && groups().flatten().any(|(group, _)| !group.is_number())
    })
}

/// The name of the configuration, which no other struct is marked as any more.
pub(super) fn only_configuration(items: &mut [Item]) -> Option<Ident> {
    let marks = |attribute: &syn::Attribute| has_role(attribute, Keyword::Configuration);
    let marked = structs(items).find(|item| item.attrs.iter().any(marks)).map(|item| item.ident.clone());
    let name = marked.clone().or_else(|| configuration(items).map(|item| item.ident.clone()))?;
    for item in items {
        if let Item::Struct(item) = item {
            if item.ident != name {
                item.attrs.retain(|attribute| !marks(attribute));
            } else if marked.is_none() {
                item.attrs.push(syn::parse_quote!(#[configuration]));
            }
        }
    }
    Some(name)
}

/// Puts a group in the place of each member of the configuration, and of its bodies, that is none, nor of one of the module's `own` types:
/// the one that was meant, as far as one can tell. Attributes that do not say what is clamped are taken away.
pub(super) fn understand(items: &mut [Item], is_configuration: impl Fn(&ItemStruct) -> bool, own: &[Ident]) {
    let mut bodies: Vec<Ident> = Vec::new();
    let structs = items.iter_mut().filter_map(|item| if let Item::Struct(item) = item { Some(item) } else { None });
    let mut left: Vec<&mut ItemStruct> = structs.collect();
    while let Some(at) = left.iter().position(|item| is_configuration(item) || bodies.contains(&item.ident)) {
        for field in &mut left.remove(at).fields {
            let is_many = match &field.ty {
                Type::Array(_) => true,
                ty => library_segment(ty).is_some_and(|segment| segment.ident == "Vec"),
            };
            if clamped(field, is_many).is_err() {
                field.attrs.retain(|attribute| attribute.path().is_ident("doc"));
            }
            mean(&mut field.ty, own, &mut bodies);
        }
    }
}

/// The same of a type; those that are bodies are told.
fn mean(ty: &mut Type, own: &[Ident], bodies: &mut Vec<Ident>) {
    match ty {
        Type::Array(array) => return mean(&mut array.elem, own, bodies),
        Type::Reference(reference) => {
            *ty = (*reference.elem).clone();
            return mean(ty, own, bodies);
        }
        _ => {}
    }
    let Some(segment) = library_segment(ty) else { return };
    let (name, first) = (segment.ident.to_string(), generic_arguments(segment).first().copied().cloned());
    match (name.as_str(), first) {
        ("Vec", Some(GenericArgument::Type(mut element))) => {
            mean(&mut element, own, bodies);
            *ty = syn::parse_quote!(Vec<#element>);
        }
        (name, Some(GenericArgument::Type(element))) if is_wrapper(name) => {
            *ty = element;
            mean(ty, own, bodies);
        }
        ("f64" | "Rn", _) => {}
        _ if own.contains(&segment.ident) => bodies.push(segment.ident.clone()),
        _ => {
            let meant = match Group::like(&name) {
                _ if Group::named(&name).is_some() => &name,
                Some(_) if name == "SVector" => {
                    if let Some(size) = generic_arguments(segment).get(1) {
                        *ty = syn::parse_quote!(Rn<#size>);
                    }
                    return;
                }
                Some((group, _)) => group,
                None => suggest::nearest(&name, GROUPS.iter().map(|group| group.name)).unwrap_or("R3"),
            };
            let meant = format_ident!("{meant}", span = segment.ident.span());
            *ty = syn::parse_quote!(#meant);
        }
    }
}
