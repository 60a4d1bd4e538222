//! The system on dual numbers.

use proc_macro2::TokenStream;
use quote::quote;

use super::shared::shared;
use super::{inputs, sliding};
use crate::backend::rust::codegen::environment::hoisted_field;
use crate::schedule::Plan;

/// Emits the system on dual numbers without derivatives.
pub(crate) fn lifted(plan: &Plan<'_>) -> TokenStream {
    let parameters = plan.model.parameters.as_ref().map(|_| {
        let value = shared(plan, quote!(rt::lift::<S, _>(self.parameters())));
        quote!(parameters: #value,)
    });
    let (inputs, sliding) = (inputs::lifted(plan.model), sliding::cache(plan.model));
    let hoisted = plan.kept().into_iter().map(|kept| {
        let name = hoisted_field(kept.number);
        quote!(#name: rt::lift::<S, _>(&self.#name),)
    });
    let lengths = plan.model.configuration.has_lengths().then(|| quote!(lengths: self.lengths.clone(),));
    let solution = match plan.unrolled() {
        Some(_) => quote!(mass_inverse: rt::lift::<S, _>(&self.mass_inverse),),
        None => {
            quote! {
                #lengths
                space: self.space.on().into(),
                structure: self.structure.lift().into(),
                description: self.description.clone(),
            }
        }
    };
    quote!(System { #parameters #(#hoisted)* #solution #inputs #sliding })
}
