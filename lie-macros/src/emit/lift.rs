//! The system and its configurations on dual numbers.

use proc_macro2::TokenStream;
use quote::quote;

use super::Context;
use super::structs::parameters_are_generic;
use crate::emit::names::own;
use crate::model::{Model, ParameterKind};

/// The methods `lift` and `lift_configuration` of a system without elements.
pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let configuration = &own(&context.model.configuration.item.ident);
    let members = context.model.configuration.members.iter().map(|member| {
        let name = &member.name;
        quote!(#name: rt::Lift::<S>::lift(q.#name))
    });
    let parameters = parameters(context.model);
    quote! {
        fn lift(&self) -> System<rt::Dual<S>> {
            System {
                #parameters
                hoisted: rt::Lift::<S>::lift(self.hoisted),
                mass_inverse: rt::Lift::<S>::lift(self.mass_inverse),
            }
        }
        fn lift_configuration(&self, q: &#configuration<S>) -> #configuration<rt::Dual<S>> {
            #configuration { #(#members),* }
        }
    }
}

/// The field of the system on dual numbers that holds the same parameters.
pub(super) fn parameters(model: &Model) -> Option<TokenStream> {
    let parameters = model.parameters.as_ref()?;
    if !parameters_are_generic(model) {
        return Some(quote!(parameters: self.parameters.clone(),));
    }
    let name = own(&parameters.item.ident);
    let fields = parameters.fields.iter().map(|field| {
        let name = &field.name;
        match field.kind {
            ParameterKind::Opaque => quote!(#name: self.parameters.#name.clone()),
            _ => quote!(#name: rt::Lift::<S>::lift(self.parameters.#name)),
        }
    });
    Some(quote!(parameters: #name { #(#fields),* },))
}
