//! Access to parameters by name.
//!
//! Examples of names are `mass`, `upper.mass` and `links[1].inertia`; for lists `sections.area` (all items) and `sections[3].area`.

use proc_macro2::TokenStream;
use quote::quote;

use super::over_scalars;
use crate::backend::rust::codegen::names::own;
use crate::model::Model;

/// Emits the maps of the structs and the names of the entries that can be set.
pub(crate) fn emit(model: &Model) -> TokenStream {
    let Some(parameters) = &model.parameters else { return quote!() };
    let (maps, name) = (over_scalars::of_parameters(model), own(&parameters.item.ident));
    let ty = if model.parameters_are_generic() { quote!(#name<f64>) } else { quote!(#name) };
    let names = parameters.entries.iter().filter(|entry| entry.kind.is_settable()).map(|entry| &entry.name);
    quote! {
        #maps
        impl rt::NamedEntries for #ty {
            const NAMES: &'static [&'static str] = &[#(#names),*];
        }
    }
}
