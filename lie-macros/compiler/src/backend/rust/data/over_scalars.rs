//! The map of the scalars of a struct: the runtime derives from it all conversions between scalar types, and the access to parameters by name.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::sliding;
use crate::backend::rust::codegen::environment::hoisted_field;
use crate::backend::rust::codegen::names::{ident, own};
use crate::model::{Configuration, Model, ParameterField, ParameterForm};
use crate::schedule::Plan;

/// Returns a configuration with these fields, one for each member.
pub(super) fn literal(configuration: &Configuration, fields: impl IntoIterator<Item = TokenStream>) -> TokenStream {
    let point = own(&configuration.point());
    let mut fields: Vec<TokenStream> = fields.into_iter().collect();
    if configuration.states().is_none() {
        return quote!(#point { #(#fields),* });
    }
    let (written, states) = (own(&configuration.item.ident), fields.pop());
    quote!(#point { __configuration: #written { #(#fields),* }, #states })
}

/// Emits the implementation for a struct; `map` returns a struct whose fields are mapped. The scalar type of a struct without scalars is free.
fn implementation(name: &TokenStream, is_generic: bool, map: &TokenStream, onto: Option<TokenStream>) -> TokenStream {
    let on = |s: TokenStream| if is_generic { quote!(#name<#s>) } else { name.clone() };
    let (own, other) = (on(quote!(S)), on(quote!(T)));
    let onto = onto.map(|onto| {
        quote! {
            #[inline]
            fn map_scalars_onto<T: Scalar>(&self, out: &mut #other, map: &mut impl rt::ScalarMap<S, T>) {
                #onto
            }
        }
    });
    quote! {
        impl<S: Scalar> rt::OverScalars<S> for #own {
            type On<T: Scalar> = #other;

            #[inline]
            fn map_scalars<T: Scalar>(&self, map: &mut impl rt::ScalarMap<S, T>) -> #other {
                #map
            }
            #onto
        }
    }
}

fn fields<'f>(names: impl IntoIterator<Item = &'f Ident>) -> impl Iterator<Item = TokenStream> {
    names.into_iter().map(|name| {
        let text = name.to_string();
        quote!(#name: map.field(#text, &self.#name))
    })
}

/// Emits the implementation for a configuration or a body. Chains keep their memory.
pub(super) fn of_product(product: &Configuration) -> TokenStream {
    let names = || product.members.iter().map(|member| &member.name);
    let onto = product.members.iter().any(|member| member.is_chain).then(|| {
        let names = names();
        quote!(#(rt::OverScalars::map_scalars_onto(&self.#names, &mut out.#names, map);)*)
    });
    implementation(&own(&product.point()), true, &literal(product, fields(names())), onto)
}

/// Emits the implementations for the parameters and the structs in them.
pub(super) fn of_parameters(model: &Model) -> TokenStream {
    let of_struct = |name: &Ident, fields: &[ParameterField], is_generic: bool| {
        let fields = fields.iter().map(|field| {
            let (name, text) = (&field.name, field.name.to_string());
            let method = if is_opaque(model, &field.form) { quote!(opaque) } else { quote!(field) };
            quote!(#name: map.#method(#text, &self.#name))
        });
        let name = own(name);
        implementation(&name, is_generic, &quote!(#name { #(#fields),* }), None)
    };
    let parameters = model
        .parameters
        .iter()
        .map(|parameters| of_struct(&parameters.item.ident, &parameters.fields, model.parameters_are_generic()));
    // A body has its implementation as a member of the configuration.
    let is_body = |name: &Ident| model.bodies.iter().any(|body| body.factors.item.ident == *name);
    let structs = model.structs.iter().filter(|inner| !is_body(&inner.item.ident)).map(|inner| {
        let form = ParameterForm::Struct(inner.item.ident.to_string());
        of_struct(&inner.item.ident, &inner.fields, form.is_generic(&model.structs))
    });
    parameters.chain(structs).collect()
}

/// Returns true for a field whose values are only known to the user's functions.
fn is_opaque(model: &Model, form: &ParameterForm) -> bool {
    match form {
        ParameterForm::Entry(_) => false,
        ParameterForm::Array(item, _) | ParameterForm::List(item) => is_opaque(model, item),
        ParameterForm::Struct(name) => model.structs.iter().all(|known| known.item.ident != *name),
        ParameterForm::Opaque => true,
    }
}

/// Emits the implementation for a system of fixed size whose fields all have scalars.
pub(crate) fn of_system(plan: &Plan<'_>) -> TokenStream {
    let parameters = plan.model.parameters.iter().map(|_| ident("parameters"));
    let hoisted = plan.kept().into_iter().map(|kept| hoisted_field(kept.number));
    let names: Vec<Ident> = parameters.chain(hoisted).chain([ident("mass_inverse")]).collect();
    let (fields, sliding) = (fields(&names), sliding::cache(plan.model));
    implementation(&quote!(System), true, &quote!(System { #(#fields,)* #sliding }), None)
}
