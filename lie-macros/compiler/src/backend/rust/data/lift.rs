//! The system and its configurations on dual numbers.

use proc_macro2::TokenStream;
use quote::quote;

use super::configuration::literal;
use super::{inputs, parameters, sliding};
use crate::backend::rust::codegen::environment::hoisted_field;
use crate::backend::rust::codegen::names::own;
use crate::model::Model;
use crate::schedule::Plan;

/// Emits the method `lift_configuration`: lifts configurations with scalars `s` to dual numbers.
pub(crate) fn lift_configuration(model: &Model, s: &TokenStream) -> TokenStream {
    let configuration = &own(&model.configuration.point());
    let members = each_member(model, &quote!(rt::Lift::<#s>::lift));
    quote! {
        #[inline]
        fn lift_configuration(&self, q: &#configuration<#s>) -> #configuration<rt::Dual<#s>> {
            #members
        }
    }
}

/// Emits a configuration whose fields `map` computes from the fields of `q`.
pub(crate) fn each_member(model: &Model, map: &TokenStream) -> TokenStream {
    let members = model.configuration.members.iter().map(|member| {
        let name = &member.name;
        if member.is_chain {
            quote!(#name: q.#name.iter().map(|member| #map(*member)).collect())
        } else {
            quote!(#name: #map(q.#name))
        }
    });
    literal(&model.configuration, members)
}

/// Emits the method `lift`: lifts the system to dual numbers.
pub(crate) fn lift(plan: &Plan<'_>) -> TokenStream {
    let (parameters, inputs) = (parameters::lifted(plan), inputs::lifted(plan.model));
    let sliding = sliding::cache(plan.model);
    let hoisted = plan.kept().into_iter().map(|kept| {
        let name = hoisted_field(kept.number);
        quote!(#name: rt::Lift::<S>::lift(self.#name),)
    });
    let lengths = plan.model.configuration.has_lengths().then(|| quote!(lengths: self.lengths.clone(),));
    let solution = match plan.unrolled() {
        Some(_) => quote!(mass_inverse: rt::Lift::<S>::lift(self.mass_inverse),),
        None => {
            quote! {
                #lengths
                space: self.space.on().into(),
                structure: self.structure.lift().into(),
                description: self.description.clone(),
            }
        }
    };
    quote! {
        fn lift(&self) -> System<rt::Dual<S>> {
            System {
                #parameters
                #(#hoisted)*
                #solution
                #inputs
                #sliding
            }
        }
    }
}
