//! The placeholder of a declaration with errors: the same structs, unit inertia, functions that return zero, and no other bodies.
//!
//! Calls of generated code would be further errors without a placeholder. Its expansion is emitted together with the errors, so it never
//! runs. Without a valid configuration there is no placeholder.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident};
use syn::{Block, Ident, ImplItem, Item, ItemFn, ItemMod, Meta, PathArguments, ReturnType, Type};

use crate::model::Model;
use crate::syntax::role::{Keyword, Recognised, recognise};
use crate::syntax::rust::items::attributes;
use crate::syntax::rust::{shape, split_expressions};

/// Returns the module of a declaration with corrected names of roles.
pub(crate) fn with_right_roles(input: &TokenStream) -> Option<ItemMod> {
    let mut module: ItemMod = syn::parse2(split_expressions::cut(input.clone())).ok()?;
    let items = &mut module.content.as_mut()?.1;
    for attribute in items.iter_mut().filter_map(attributes).flatten() {
        let Recognised::Misspelt(keyword) = recognise(attribute) else { continue };
        let role = syn::Path::from(format_ident!("{}", keyword.name()));
        match &mut attribute.meta {
            Meta::Path(path) => *path = role,
            Meta::List(list) => list.path = role,
            Meta::NameValue(value) => value.path = role,
        }
    }
    Some(module)
}

/// Returns the placeholder of `module` with these kinetic energies. `model` contains its valid parts; their functions keep their roles if
/// `keeps_functions` is true.
pub(crate) fn placeholder(
    mut module: ItemMod,
    model: &Model,
    energies: Vec<ItemFn>,
    keeps_functions: bool,
) -> TokenStream {
    let is_kept = |name: &Ident| keeps_functions && model.callable().any(|function| function.name == *name);
    let items = module.content.iter_mut().flat_map(|(_, items)| items.iter_mut());
    for item in items {
        match item {
            Item::Fn(function) => simplify(function, &is_kept),
            Item::Impl(block) if block.trait_.is_none() => {
                for item in &mut block.items {
                    let ImplItem::Fn(method) = item else { continue };
                    method.attrs.retain(|attribute| !matches!(recognise(attribute), Recognised::Role(_)));
                    method.attrs.push(syn::parse_quote!(#[allow(unused)]));
                    if method.sig.constness.is_none() && !returns_opaquely(&method.sig.output) {
                        method.block = empty();
                    }
                }
            }
            _ => {}
        }
    }
    if let Some((_, items)) = &mut module.content {
        items.extend(energies.into_iter().map(Item::Fn));
    }
    module.into_token_stream()
}

/// Lets a function return zero if its role is kept. Otherwise removes its role and its body.
fn simplify(function: &mut ItemFn, is_kept: &impl Fn(&Ident) -> bool) {
    let role = function.attrs.iter().find_map(|attribute| match recognise(attribute) {
        Recognised::Role(role) if !role.is_inertia() && is_kept(&function.sig.ident) => Some(role),
        _ => None,
    });
    if role == Some(Keyword::Kinematics) {
        return;
    }
    let zero = if let ReturnType::Type(_, ty) = &function.sig.output { zero(ty) } else { None };
    if let (Some(_), Some(zero)) = (role, zero) {
        *function.block = zero;
    } else {
        function.attrs.retain(|attribute| attribute.path().is_ident("cfg"));
        if function.sig.constness.is_none() && !returns_opaquely(&function.sig.output) {
            *function.block = empty();
        }
    }
    function.attrs.push(syn::parse_quote!(#[allow(unused)]));
}

/// Returns true for `impl Fn(f64) -> f64`, which must have a concrete type.
fn returns_opaquely(output: &ReturnType) -> bool {
    output.to_token_stream().into_iter().any(|token| token.to_string() == "impl")
}

fn empty() -> Block {
    syn::parse_quote!({ unimplemented!() })
}

/// Returns the zero of a scalar, vector or matrix type.
fn zero(ty: &Type) -> Option<Block> {
    let Type::Path(path) = shape::bare(ty) else { return None };
    if path.path.is_ident("f64") {
        return Some(syn::parse_quote!({ 0.0 }));
    }
    let last = path.path.segments.last()?;
    let (name, PathArguments::AngleBracketed(arguments)) = (&last.ident, &last.arguments) else { return None };
    Some(if arguments.args.len() > 1 {
        let arguments = &arguments.args;
        syn::parse_quote!({ #name::<#arguments>::zeros() })
    } else {
        syn::parse_quote!({ #name::zeros() })
    })
}
