//! Emission of Rust. Invariant: nothing here can fail; every error was reported before.
//!
//! Generated items live beside the user's; their implementations stand in an anonymous constant with its own imports, so
//! that whatever the user's module calls `f64`, `Vec` or `Option` does not matter.

mod algebra;
mod blocks;
mod card;
mod covectors;
mod declaration;
mod elements;
mod environment;
mod iteration;
mod lift;
mod names;
mod parameters;
mod print;
mod rates;
mod report;
mod structs;
mod system;
mod twins;

use proc_macro2::TokenStream;
use quote::quote;

pub(crate) use elements::{DerivedFrames, emit as emit_elements};
pub(crate) use environment::Environment;
pub(crate) use names::with_runtime;

use crate::derive::Equations;
use crate::model::Model;
use crate::plan::{Hoisted, Kernels, Structure};

/// The module with everything that was derived.
pub(crate) fn emit(model: &Model, equations: &mut Equations, warnings: &[TokenStream]) -> TokenStream {
    let (attributes, visibility, name) = (&model.attributes, &model.visibility, &model.name);
    let structure = Structure::new(equations);
    let kernels = Kernels::of_system(equations, &structure);
    let hoisted = Hoisted::new(&equations.graph, kernels.all());
    let context = Context { model, equations, structure: &structure, kernels: &kernels, hoisted: &hoisted };
    let items = model.items.iter().map(|item| kept(model, item));
    let structs = structs::emit(model, Some(equations.constraints.rows()));
    let definition = system::definition(&context);
    let system = system::emit(&context);
    let covectors = covectors::emit(&context);
    let rates = rates::emit(&context);
    let report = report::emit(&context);
    let comparison = declaration::emit_whole(&context);
    let twins = model.derivative_check.then(|| {
        let (functions, implementation) = (twins::functions(model), twins::emit_whole(&context));
        quote!(#functions #implementation)
    });
    let imports = names::imports();
    quote! {
        #(#attributes)*
        #visibility mod #name {
            #(#items)*
            #structs
            #definition
            #(#rates)*
            #twins
            #(#warnings)*
            #[allow(
                clippy::all, clippy::pedantic, clippy::nursery, unused_variables, unused_imports, unused_parens,
                unused_mut, non_snake_case, unused_qualifications, missing_docs
            )]
            const _: () = {
                #imports
                #system
                #covectors
                #report
                #comparison
            };
        }
    }
}

/// An item of the user's.
///
/// That generated code reads a function instead of calling it, and names types by absolute paths, is no reason for rustc
/// to say that the function or an import is unused.
fn kept(model: &Model, item: &syn::Item) -> TokenStream {
    match item {
        syn::Item::Use(import) => quote!(#[allow(unused_imports)] #import),
        syn::Item::Fn(function)
            if model.functions.iter().any(|role| role.name == function.sig.ident)
                || model.kinematics.iter().any(|kinematics| kinematics.function.name == function.sig.ident) =>
        {
            quote! {
                #[allow(dead_code, clippy::trivially_copy_pass_by_ref, clippy::needless_range_loop)]
                #function
            }
        }
        syn::Item::Struct(item) => match model.structs.iter().find(|inner| inner.item.ident == item.ident) {
            Some(inner) => parameters::inner(model, inner),
            None => quote!(#item),
        },
        item => quote!(#item),
    }
}

/// What every part of the emission looks at.
pub(crate) struct Context<'a> {
    pub model: &'a Model,
    pub equations: &'a Equations,
    pub structure: &'a Structure,
    pub kernels: &'a Kernels,
    pub hoisted: &'a Hoisted,
}
