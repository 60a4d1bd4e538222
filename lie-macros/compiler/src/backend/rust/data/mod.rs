//! The data of a system, generic over the scalar type: its structs, their implementations, and conversions between scalar types.

pub(crate) mod configuration;
mod generic;
pub(crate) mod inputs;
pub(crate) mod lift;
pub(crate) mod lists;
pub(crate) mod multipliers;
pub(crate) mod over_scalars;
pub(crate) mod parameter_set;
pub(crate) mod parameters;
pub(crate) mod shared;
pub(crate) mod sliding;
pub(crate) mod structs;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::backend::rust::codegen::names::{ident, scalar_parameter};
use crate::model::Model;

/// Emits the structs of a system that follow from its members.
pub(crate) fn emit(model: &Model) -> TokenStream {
    let s = scalar_parameter(model);
    let configuration = structs::product(&model.configuration.as_written(), &s, "The configuration.");
    let with_states = structs::with_states(&model.configuration, &s);
    let parameters = parameters::definition(model, &s);
    let inputs = inputs::definition(model, &s);
    let velocity = structs::velocity(&model.configuration, &ident("Velocity"), &model.configuration.item.vis, &s);
    let names = names_are_meant(model);
    quote! { #configuration #with_states #parameters #inputs #velocity #names }
}

/// Compile-time checks that assumed names are types of the library.
fn names_are_meant(model: &Model) -> Option<TokenStream> {
    let checks: Vec<TokenStream> = model
        .assumed
        .iter()
        .filter_map(|name| {
            let (written, meant) = crate::syntax::absolute(name)?;
            Some(quote_spanned!(name.span()=> ::lie_runtime::__private::expect_type::<#written, #meant>();))
        })
        .collect();
    (!checks.is_empty()).then(|| {
        quote! {
            #[allow(clippy::all, clippy::pedantic)]
            const _: fn() = || { #(#checks)* };
        }
    })
}
