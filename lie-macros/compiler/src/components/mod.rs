//! Ready-made functions that a declaration can import from `lie_runtime::components`.
//!
//! Invariant: the functions that the compiler interprets, the functions in the expansion and the functions of `lie_runtime::components` have
//! one source text, the files of this folder. A component is a file with plain functions and one line in the list.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{AttrStyle, Ident, Item, ItemMod, ItemUse, Path, UseTree, parse_quote};

/// The name and the source text of each component.
const SOURCES: [(&str, &str); 8] = [
    ("beam_sections", include_str!("beam_sections.rs")),
    ("bushings", include_str!("bushings.rs")),
    ("cables", include_str!("cables.rs")),
    ("cosserat_rods", include_str!("cosserat_rods.rs")),
    ("joint_stops", include_str!("joint_stops.rs")),
    ("log_cholesky", include_str!("log_cholesky.rs")),
    ("solid_inertia", include_str!("solid_inertia.rs")),
    ("tyres", include_str!("tyres.rs")),
];

/// The module of the imported components in an expansion.
const MODULE: &str = "__components";

/// Returns all components as public modules with their documentation.
///
/// # Errors
/// Errors of the source text, which the tests exclude.
pub fn component_modules() -> syn::Result<TokenStream> {
    let modules: syn::Result<Vec<ItemMod>> = SOURCES.iter().map(|(name, text)| module(name, text, None)).collect();
    let modules = modules?;
    Ok(quote!(#(#modules)*))
}

/// Parses a component; `runtime` is the path of the runtime if it has another name.
fn module(name: &str, text: &str, runtime: Option<&Path>) -> syn::Result<ItemMod> {
    let text = match runtime {
        Some(path) => {
            text.replace("lie_runtime::", &format!("{}::", path.to_token_stream().to_string().replace(' ', "")))
        }
        None => text.to_owned(),
    };
    let file = syn::parse_file(&text)?;
    let attributes = file.attrs.into_iter().map(|mut attribute| {
        attribute.style = AttrStyle::Outer;
        attribute
    });
    let (name, items) = (Ident::new(name, Span::call_site()), file.items);
    Ok(parse_quote!(#(#attributes)* pub mod #name { #(#items)* }))
}

/// Adds the components that `items` import, as a nested module, and replaces the imports by imports from this module. `runtime` is the path
/// of the runtime if it has another name than `lie_runtime`.
pub(crate) fn include(items: &mut Vec<Item>, runtime: Option<&Path>) {
    let runtime_name = runtime.map_or_else(|| "lie_runtime".to_owned(), |path| path.to_token_stream().to_string());
    let mut used = BTreeSet::new();
    let mut added = Vec::new();
    items.retain_mut(|item| {
        let Item::Use(import) = item else { return true };
        let UseTree::Path(path) = &mut import.tree else { return true };
        if path.ident != runtime_name {
            return true;
        }
        let (imported, is_empty) = match &mut *path.tree {
            UseTree::Group(group) => {
                let trees = std::mem::take(&mut group.items).into_iter();
                let (own, others): (Vec<_>, Vec<_>) = trees.partition(|tree| below_components(tree).is_some());
                group.items = others.into_iter().collect();
                (own, group.items.is_empty())
            }
            tree => (vec![tree.clone()], below_components(tree).is_some()),
        };
        for below in imported.iter().filter_map(below_components) {
            used.extend(names(&below));
            let module = Ident::new(MODULE, Span::call_site());
            let (attributes, visibility) = (&import.attrs, &import.vis);
            let import: ItemUse = parse_quote!(#(#attributes)* #visibility use self::#module::#below;);
            added.push(Item::Use(import));
        }
        !is_empty
    });
    if added.is_empty() {
        return;
    }
    let sources = SOURCES.iter().filter(|(name, _)| used.contains(*name));
    let modules: Vec<ItemMod> = sources.filter_map(|(name, text)| module(name, text, runtime).ok()).collect();
    let module = Ident::new(MODULE, Span::call_site());
    items.extend(added);
    items.push(parse_quote! {
        #[allow(dead_code, unused_imports, clippy::all, clippy::pedantic)]
        mod #module { #(#modules)* }
    });
}

/// Returns the tree below `components`; `None` for another tree and for an unknown component, which rustc reports.
fn below_components(tree: &UseTree) -> Option<UseTree> {
    let UseTree::Path(path) = tree else { return None };
    let is_known = |name: &String| SOURCES.iter().any(|(known, _)| name == known);
    (path.ident == "components" && names(&path.tree).iter().all(is_known)).then(|| (*path.tree).clone())
}

/// Returns the names of the components in a tree.
fn names(tree: &UseTree) -> Vec<String> {
    let name = match tree {
        UseTree::Path(path) => &path.ident,
        UseTree::Name(name) => &name.ident,
        UseTree::Rename(rename) => &rename.ident,
        UseTree::Group(group) => return group.items.iter().flat_map(names).collect(),
        UseTree::Glob(_) => return SOURCES.map(|(name, _)| name.to_owned()).into(),
    };
    vec![name.to_string()]
}

#[cfg(test)]
#[path = "../../tests/unit/components.rs"]
mod tests;
