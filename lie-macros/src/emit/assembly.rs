//! What a system says of itself, and the assembly that makes one of its terms: the implementation of the runtime's `Assembled`.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::own;
use super::system::vectors;
use super::terms::{self, type_name};
use super::{assembled, declaration, inputs, unrolled};
use crate::plan::Plan;

/// The implementation, the terms, and what their assembly needs of them.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    let configuration = &own(&plan.model.configuration.item.ident);
    let [velocity, _] = vectors(plan, &quote!(S));
    let terms = terms::emit(plan);
    let (assembly, description, parts) = match plan.unrolled() {
        Some((term, solve)) => {
            let name = type_name(term.number);
            (quote!(rt::Unrolled<#name, __DOF, __ROWS>), quote!(CARD), unrolled::emit(plan, term, solve))
        }
        None => (quote!(rt::AlongChains), quote!(&self.description), assembled::emit(plan)),
    };
    let redundancy = plan.model.redundant.then(|| {
        quote! { const REDUNDANCY: rt::Redundancy = rt::Redundancy::MinimumNorm; }
    });
    let (checks, symmetry) = (inputs::checks(plan), declaration::symmetry(plan));
    quote! {
        impl<S: Scalar> rt::Assembled for System<S> {
            type Scalar = S;
            type Configuration = #configuration<S>;
            type Assembly = #assembly;
            #redundancy

            fn description(&self) -> &rt::Description {
                #description
            }
            #checks
            fn check_against_declaration(
                &self, t: S, q: &#configuration<S>, v: &#velocity,
            ) -> Result<(), rt::DeclarationError> {
                rt::check_in_f64::<Self, System<f64>>(self, t, q, v)
            }
            fn powers(
                &self, t: S, q: &#configuration<S>, v: &#velocity, visit: &mut dyn ::core::ops::FnMut(&'static str, f64),
            ) -> bool {
                rt::powers_in_f64::<Self, System<f64>>(self, (t, q, v), visit)
            }
            #symmetry
        }
        #terms
        #parts
    }
}
