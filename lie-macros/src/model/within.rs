//! Items of modules and of `impl` blocks in a declaration.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Ident, Item, Path};

use super::Model;

/// An item and its position.
#[derive(Clone)]
pub(crate) struct Within<T> {
    /// The path of the item in the declaration: `rest_length`, `limits::COUNT`, `Body::weight`.
    pub path: String,
    /// The type of the `impl` block; a method has `self` as an ordinary first argument.
    pub owner: Option<Ident>,
    pub item: T,
}

impl<T> Within<T> {
    /// Creates an item of these modules, the outermost one first.
    pub fn new(modules: &[String], name: &Ident, item: T) -> Self {
        let path = modules.iter().cloned().chain([name.to_string()]).collect::<Vec<_>>().join("::");
        Self { path, owner: None, item }
    }

    /// Creates an item of an `impl` block of the declaration.
    pub fn of_type(owner: &Ident, name: &Ident, item: T) -> Self {
        Self { path: format!("{owner}::{name}"), owner: Some(owner.clone()), item }
    }

    /// The modules that contain the item, the outermost one first.
    pub fn modules(&self) -> Vec<String> {
        let mut names: Vec<String> = self.path.split("::").map(str::to_owned).collect();
        names.truncate(names.len() - if self.owner.is_some() { 2 } else { 1 });
        names
    }
}

/// The path in the declaration for a canonical path; `None` if the item is outside of the declaration.
pub(crate) fn path_within(path: &Path) -> Option<String> {
    if path.leading_colon.is_some() {
        return None;
    }
    let mut names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    match names[0].as_str() {
        "crate" | "super" => return None,
        "self" => drop(names.remove(0)),
        _ => {}
    }
    Some(names.join("::"))
}

impl Model {
    /// True if the type `owner` of the declaration, or every type, implements a trait for which `is_meant` holds.
    pub fn implements(&self, owner: &str, is_meant: impl Fn(&Ident) -> bool) -> bool {
        self.items.iter().any(|item| {
            let Item::Impl(block) = item else { return false };
            let Some((_, path, _)) = &block.trait_ else { return false };
            let is_it = |name: &Ident| *name == owner || block.generics.type_params().any(|any| any.ident == *name);
            path.segments.last().is_some_and(|last| is_meant(&last.ident))
                && names(block.self_ty.to_token_stream(), &is_it)
        })
    }
}

/// True if `is_it` holds for one of the identifiers among the tokens.
fn names(tokens: TokenStream, is_it: &impl Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => is_it(&ident),
        TokenTree::Group(group) => names(group.stream(), is_it),
        _ => false,
    })
}
