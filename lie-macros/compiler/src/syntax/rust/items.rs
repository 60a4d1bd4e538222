//! Properties of items of any kind: attributes, names and conditions.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Ident, Item, ItemStruct, Signature};

use crate::diagnostics::error_with_help;

/// The attributes of an item.
pub(in crate::syntax) fn attributes(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        Item::Const(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        Item::ExternCrate(item) => &mut item.attrs,
        Item::Fn(item) => &mut item.attrs,
        Item::ForeignMod(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Macro(item) => &mut item.attrs,
        Item::Mod(item) => &mut item.attrs,
        Item::Static(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Trait(item) => &mut item.attrs,
        Item::TraitAlias(item) => &mut item.attrs,
        Item::Type(item) => &mut item.attrs,
        Item::Union(item) => &mut item.attrs,
        Item::Use(item) => &mut item.attrs,
        _ => return None,
    })
}

/// The structs among items.
pub(in crate::syntax) fn structs(items: &[Item]) -> impl Iterator<Item = &ItemStruct> {
    items.iter().filter_map(|item| if let Item::Struct(item) = item { Some(item) } else { None })
}

/// The name that an item declares.
pub(in crate::syntax) fn name(item: &Item) -> Option<&Ident> {
    Some(match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Mod(item) => &item.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    })
}

/// The qualifiers of a function: `async`, `const`, `unsafe`, `extern`.
pub(in crate::syntax) fn qualifiers(signature: &Signature) -> impl Iterator<Item = (TokenStream, &'static str)> {
    let Signature { asyncness, constness, unsafety, abi, .. } = signature;
    let qualifiers = [
        (asyncness.to_token_stream(), "async"),
        (constness.to_token_stream(), "const"),
        (unsafety.to_token_stream(), "unsafe"),
        (abi.to_token_stream(), "extern"),
    ];
    qualifiers.into_iter().filter(|(token, _)| !token.is_empty())
}

/// Returns true if the tokens contain a name.
pub(crate) fn mentions(tokens: &impl ToTokens, name: &str) -> bool {
    fn walk(tokens: TokenStream, name: &str) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => ident == name,
            TokenTree::Group(group) => walk(group.stream(), name),
            _ => false,
        })
    }
    walk(tokens.to_token_stream(), name)
}

/// Returns a `#[cfg]` on an item that the macro reads: it would have no effect.
pub(in crate::syntax) fn conditional(item: &Item, has_role: bool) -> Option<&Attribute> {
    match item {
        Item::Fn(item) => cfg(&item.attrs),
        Item::Const(item) => cfg(&item.attrs),
        Item::Struct(item) if has_role => cfg(&item.attrs),
        Item::Impl(block) if block.trait_.is_none() => cfg(&block.attrs).or_else(|| {
            block.items.iter().find_map(|item| match item {
                syn::ImplItem::Fn(item) => cfg(&item.attrs),
                syn::ImplItem::Const(item) => cfg(&item.attrs),
                _ => None,
            })
        }),
        // A module with `#[cfg]` is not read.
        Item::Mod(inner) if cfg(&inner.attrs).is_none() => {
            inner.content.iter().flat_map(|(_, items)| items).find_map(|item| conditional(item, false))
        }
        _ => None,
    }
}

/// Returns the `#[cfg]` among attributes.
pub(in crate::syntax) fn cfg(attributes: &[Attribute]) -> Option<&Attribute> {
    attributes.iter().find(|attribute| attribute.path().is_ident("cfg"))
}

/// The error for a `#[cfg]` on an item that the macro reads.
pub(in crate::syntax) fn conditional_error(attribute: &Attribute) -> syn::Error {
    error_with_help(
        attribute,
        "`#[cfg]` cannot be used here: the macro runs before the condition is evaluated",
        "put `#[cfg]` on the whole module and declare one module for each case",
    )
}

pub(in crate::syntax) fn kind(item: &Item) -> &'static str {
    match item {
        Item::Const(_) => "a constant",
        Item::Enum(_) => "an enum",
        Item::Fn(_) => "a function",
        Item::Impl(_) => "an impl",
        Item::Macro(_) => "a macro",
        Item::Mod(_) => "a module",
        Item::Static(_) => "a static",
        Item::Struct(_) => "a struct",
        Item::Trait(_) => "a trait",
        Item::Type(_) => "a type alias",
        Item::Union(_) => "a union",
        Item::Use(_) => "a `use`",
        _ => "an item of another kind",
    }
}
