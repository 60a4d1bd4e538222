//! Emission of Rust. Invariant: nothing here can fail; every error was reported before.
//!
//! Generated items are in the module of the user. Their implementations are in an anonymous constant with its own imports, so that names
//! such as `f64`, `Vec` or `Option` in the module of the user have no effect.

mod assembled;
mod codegen;
mod data;
mod declaration;
mod dual_model;
mod reverse;
mod system;
mod terms;
mod unrolled;

use proc_macro2::TokenStream;
use quote::quote;

pub(crate) use codegen::names::with_runtime;

use data::{configuration, inputs, multipliers, parameter_set, parameters, structs};
use terms::rates;

use crate::identifier::declaration_names;
use crate::model::Model;
use crate::schedule::Plan;

/// Emits the module with all derived items.
pub(crate) fn emit(plan: &Plan<'_>) -> TokenStream {
    let model = plan.model;
    let (attributes, visibility, name) = (&model.attributes, &model.visibility, &model.name);
    let items = model.items.iter().map(|item| kept(model, item));
    let structs = data::emit(model);
    let multipliers = multipliers::definition(plan);
    let definition = system::definition(plan);
    let contacts = system::contacts::emit(&model.unilateral);
    let rates = rates::emit(plan);
    let names = declaration_names(None);
    let imports = codegen::names::imports();
    // Editors resolve a role attribute by the token that it leaves in the expansion.
    let roles = &model.roles;
    let implementations = [
        configuration::emit(plan),
        system::emit(plan),
        reverse::emit(plan),
        multipliers::conversions(plan).unwrap_or_default(),
        inputs::emit(plan),
        system::report::emit(plan),
        parameter_set::emit(model),
        declaration::emit(plan),
        dual_model::emit(plan).unwrap_or_default(),
    ];
    quote! {
        #(#attributes)*
        // A glob of the user with another item of an imported name: rustc only warns.
        #[deny(ambiguous_glob_imports)]
        // A unit in a doc comment, `Length [m]`, is not a link.
        #[allow(rustdoc::broken_intra_doc_links)]
        #visibility mod #name {
            #names
            #(#items)*
            #structs
            #multipliers
            #definition
            #contacts
            #(#rates)*
            #[allow(
                clippy::all, clippy::pedantic, clippy::nursery, unused_variables, unused_imports, unused_parens,
                unused_mut, non_snake_case, unused_qualifications, missing_docs
            )]
            const _: () = {
                #imports
                #(use ::lie_runtime::roles::#roles as _;)*
                #(#implementations)*
            };
        }
    }
}

/// Emits an item of the user.
///
/// Generated code reads functions instead of calling them, and names types by absolute paths. Such functions and imports must not cause
/// warnings of rustc about unused items.
fn kept(model: &Model, item: &syn::Item) -> TokenStream {
    match item {
        syn::Item::Use(import) => quote!(#[allow(unused_imports)] #import),
        syn::Item::Fn(function) if model.callable().any(|known| known.name == function.sig.ident) => {
            quote! {
                #[allow(dead_code, clippy::trivially_copy_pass_by_ref, clippy::needless_range_loop)]
                #function
            }
        }
        syn::Item::Struct(item) => {
            let body = model.bodies.iter().find(|body| body.factors.item.ident == item.ident);
            let inner = model.structs.iter().find(|inner| inner.item.ident == item.ident);
            match (body, inner) {
                (Some(body), _) => structs::body(model, body),
                (None, Some(inner)) => parameters::inner(model, inner),
                (None, None) => quote!(#item),
            }
        }
        item => quote!(#item),
    }
}
