//! The system and its configurations on dual numbers.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Context, parameters};
use crate::emit::names::own;

/// The methods `lift` and `lift_configuration` of a system without elements.
pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let configuration = &own(&context.model.configuration.item.ident);
    let members = context.model.configuration.members.iter().map(|member| {
        let name = &member.name;
        quote!(#name: rt::Lift::<S>::lift(q.#name))
    });
    let parameters = parameters::lifted(context.model);
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
