//! The properties of a system, and its assembly from terms: the implementation of `Assembled` of the runtime.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::assembled;
use crate::backend::rust::codegen::names::own;
use crate::backend::rust::codegen::types::{type_name, vectors};
use crate::backend::rust::data::{inputs, sliding};
use crate::backend::rust::declaration;
use crate::backend::rust::terms;
use crate::backend::rust::unrolled;
use crate::schedule::Plan;

/// Emits the implementation, the terms, and the data of their assembly.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    let configuration = &own(&plan.model.configuration.point());
    let [velocity, multipliers] = vectors(plan, &quote!(S));
    let terms = terms::emit(plan);
    let (assembly, description, parts) = match plan.unrolled() {
        Some((term, solve)) => {
            let name = type_name(term.number);
            (quote!(rt::FixedSizeAssembly<#name, __DOF, __ROWS>), quote!(CARD), unrolled::emit(plan, term, solve))
        }
        None => (quote!(rt::ElementAssembly), quote!(&self.description), assembled::emit(plan)),
    };
    let redundancy = plan.model.is_redundant().then(|| {
        quote! { const REDUNDANCY: rt::Redundancy = rt::Redundancy::MinimumNorm; }
    });
    let contacts = (!plan.model.unilateral.is_empty()).then(|| {
        quote! {
            fn one_sided_laws(&self) -> ::std::vec::Vec<rt::OneSidedLaw> {
                rt::one_sided_laws(self)
            }
            fn law_rows(
                &self, laws: &rt::ImposedLaws,
            ) -> Result<::core::option::Option<rt::LawRows<Self>>, rt::ModelError> {
                rt::law_rows(self, laws).map(::core::option::Option::Some)
            }
            fn law_violation(
                &self, t: S, q: &#configuration<S>, v: &#velocity, multipliers: &#multipliers, round_off: f64,
            ) -> ::core::option::Option<rt::LawViolation> {
                rt::law_violation(self, t, q, v, multipliers, round_off)
            }
        }
    });
    let friction = sliding::cache(plan.model).map(|_| {
        quote! {
            const HAS_FRICTION: bool = true;

            fn sliding(&self) -> ::core::option::Option<&rt::Sliding<Self>> {
                self.sliding.of(self)
            }
        }
    });
    let (checks, symmetry) = (inputs::checks(plan), declaration::symmetry(plan));
    quote! {
        impl<S: Scalar> rt::Assembled for System<S> {
            type Scalar = S;
            type Configuration = #configuration<S>;
            type Assembly = #assembly;
            #redundancy
            #contacts
            #friction

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
            fn singular_function(
                &self, t: S, q: &#configuration<S>, v: &#velocity, of_forces: bool,
            ) -> ::core::option::Option<rt::FunctionElement> {
                rt::singular_function_in_f64::<Self, System<f64>>(self, (t, q, v), of_forces)
            }
            #symmetry
        }
        #terms
        #parts
    }
}
