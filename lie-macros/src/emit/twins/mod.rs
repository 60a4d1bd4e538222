//! Twins of the user's functions on dual numbers: the independent path of the derivative check.
//!
//! A twin is the function as written, with `f64` replaced by `Dual<S>` and every number lifted. It is not used by any
//! kernel; it exists where `#[mechanical_system(derivative_check)]` asks for it.

mod declared;
mod elements;
mod lifter;
mod whole;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit_mut::VisitMut;

use crate::model::{Model, Role};
use lifter::Lifter;

pub(super) use elements::emit as emit_elements;
pub(super) use whole::emit as emit_whole;

/// The hidden module of twins.
pub(super) fn functions(model: &Model) -> TokenStream {
    let declared = model
        .functions
        .iter()
        .filter(|function| !matches!(function.role, Role::Observable))
        .filter_map(|function| model.items.iter().find_map(|item| function_named(item, &function.name)))
        .chain(model.helpers.iter());
    let functions = declared.map(|function| twin(model, function));
    quote! {
        #[doc(hidden)]
        #[allow(clippy::all, clippy::pedantic, unused, missing_docs)]
        mod __twins {
            use super::*;
            use ::lie_runtime::scalar::DualMatrix as _;
            #(#functions)*
        }
    }
}

fn function_named<'a>(item: &'a syn::Item, name: &syn::Ident) -> Option<&'a syn::ItemFn> {
    match item {
        syn::Item::Fn(function) if function.sig.ident == *name => Some(function),
        _ => None,
    }
}

/// The function on dual numbers.
fn twin(model: &Model, function: &syn::ItemFn) -> TokenStream {
    let mut function = function.clone();
    function.attrs.clear();
    function.vis = syn::parse_quote!(pub(super));
    Lifter::new(model).visit_item_fn_mut(&mut function);
    function.sig.generics.params.push(syn::parse_quote!(S: ::lie_runtime::scalar::Scalar));
    function.into_token_stream()
}
