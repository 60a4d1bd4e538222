//! Infers intended roles and types: corrects misspelt roles, finds the configuration and the parameters if none or several structs have the
//! role, and replaces invalid member types by groups.

use quote::format_ident;
use syn::visit_mut::VisitMut;
use syn::{GenericArgument, Ident, Item, ItemFn, ItemStruct, Meta, PathArguments, PathSegment, Type};

use super::factors::factor;
use crate::group::{GROUPS, Group};
use crate::syntax::data::configuration::clamped;
use crate::syntax::data::fields;
use crate::syntax::functions::argument_types::{argument_types, returned, unmarked};
use crate::syntax::role::{Keyword, Recognised, has_role, recognise};
use crate::syntax::rust::items::{attributes, mentions, structs};
use crate::syntax::rust::shape::{bare, generic_arguments, is_wrapper, library_segment};
use crate::syntax::rust::suggest;

/// Corrects misspelt roles.
pub(super) fn roles(items: &mut [Item]) {
    for attribute in items.iter_mut().filter_map(attributes).flatten() {
        let Recognised::Misspelt(keyword) = recognise(attribute) else { continue };
        let role = syn::Path::from(format_ident!("{}", keyword.name()));
        match &mut attribute.meta {
            Meta::Path(path) => *path = role,
            Meta::List(list) => list.path = role,
            Meta::NameValue(value) => value.path = role,
        }
    }
}

/// The role of a function.
pub(super) fn role(function: &ItemFn) -> Option<Keyword> {
    function.attrs.iter().find_map(|attribute| match recognise(attribute) {
        Recognised::Role(role) => Some(role),
        _ => None,
    })
}

/// Marks the intended structs of parameters and inputs if none is marked, and removes references from their fields.
pub(super) fn data(items: &mut [Item], configuration: &Ident) {
    for keyword in [Keyword::Parameters, Keyword::Inputs] {
        let is_marked = |item: &ItemStruct| item.attrs.iter().any(|attribute| has_role(attribute, keyword));
        let meant = if structs(items).any(is_marked) { None } else { taken(items, configuration) };
        let role = format_ident!("{}", keyword.name());
        for item in items.iter_mut() {
            let Item::Struct(item) = item else { continue };
            if meant.as_ref() == Some(&item.ident) {
                item.attrs.push(syn::parse_quote!(#[#role]));
            } else if !is_marked(item) {
                continue;
            }
            for field in &mut item.fields {
                if let Type::Reference(reference) = bare(&field.ty) {
                    field.ty = (*reference.elem).clone();
                }
            }
        }
    }
}

/// Removes the generics of structs with a role, and their generic arguments wherever they are used.
pub(super) fn without_generics(items: &mut [Item]) {
    let has_role = |item: &ItemStruct| item.attrs.iter().any(|own| matches!(recognise(own), Recognised::Role(_)));
    let mut plain = GenericsRemover { names: Vec::new() };
    for item in items.iter_mut() {
        let Item::Struct(item) = item else { continue };
        if item.generics.lt_token.is_some() && has_role(item) {
            *item = fields::without_generics(item);
            plain.names.push(item.ident.clone());
        }
    }
    for item in items {
        plain.visit_item_mut(item);
    }
}

/// Removes the generic arguments of these structs.
struct GenericsRemover {
    names: Vec<Ident>,
}

impl VisitMut for GenericsRemover {
    fn visit_path_segment_mut(&mut self, segment: &mut PathSegment) {
        if self.names.contains(&segment.ident) {
            segment.arguments = PathArguments::None;
        }
        syn::visit_mut::visit_path_segment_mut(self, segment);
    }
}

/// Returns a struct without a role that role functions have as an argument, and that is neither a frame nor a body.
fn taken(items: &[Item], configuration: &Ident) -> Option<Ident> {
    let is_free =
        |item: &&ItemStruct| item.attrs.iter().all(|attribute| matches!(recognise(attribute), Recognised::Foreign));
    let names: Vec<String> = structs(items).filter(is_free).map(|item| item.ident.to_string()).collect();
    let functions = || {
        items.iter().filter_map(|item| match item {
            Item::Fn(function) => Some((role(function)?, function)),
            _ => None,
        })
    };
    let frames = || functions().filter(|(role, _)| *role == Keyword::Kinematics);
    let is_told = |name: &Ident| {
        name == configuration
            || structs(items).any(|item| item.ident == *configuration && mentions(&item.fields, &name.to_string()))
            || frames().any(|(_, function)| returned(function) == Some(name))
    };
    let types = functions().flat_map(|(_, function)| argument_types(function));
    unmarked(types, &names, is_told).map(|(_, name)| name.clone())
}

/// Returns the intended configuration if none is marked: the first struct of groups that are not all scalars.
pub(in crate::syntax) fn configuration(items: &[Item]) -> Option<&ItemStruct> {
    structs(items).find(|item| {
        let is_unmarked = item.attrs.iter().all(|attribute| matches!(recognise(attribute), Recognised::Foreign));
        let groups = || item.fields.iter().map(|field| factor(&field.ty, items));
        is_unmarked && groups().all(|group| group.is_some()) && groups().flatten().any(|(group, _)| !group.is_number())
    })
}

/// Returns the name of the configuration, and removes the role from all other structs.
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

/// Replaces the type of each invalid member of the configuration and its bodies by the intended group, except for the module's `own` types.
/// Invalid attributes `#[clamped]` are removed.
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

/// Replaces an invalid type by the intended group and collects the names of bodies.
fn mean(ty: &mut Type, own: &[Ident], bodies: &mut Vec<Ident>) {
    match ty {
        Type::Array(array) => return mean(&mut array.elem, own, bodies),
        Type::Reference(reference) => {
            *ty = (*reference.elem).clone();
            return mean(ty, own, bodies);
        }
        Type::Slice(slice) => {
            let element = &slice.elem;
            *ty = syn::parse_quote!(Vec<#element>);
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
