//! Comparison of the declared functions with the derived expressions: the implementation of `Declared` of the runtime.
//!
//! The expression of each function, from which all kernels are derived, is printed once more with `f64` and the arguments of the function.
//! The runtime compares both before a run.

pub(super) mod comparison;
mod frames;
mod terms;

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::arguments;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::own;
use crate::backend::rust::codegen::types::vectors;
use crate::backend::rust::data::shared::changed;
use crate::model::Role;
use crate::schedule::Plan;

/// Emits the implementation.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    let model = plan.model;
    let configuration = &own(&model.configuration.point());
    let comparisons = plan.terms.iter().map(|term| terms::of_term(plan, term)).chain(frames::of_frames(plan));
    let (functions, body): (TokenStream, TokenStream) = comparisons.unzip();
    let change = model.parameters.as_ref().map(|_| {
        let parameters = changed(plan, &quote!(other.parameters));
        quote!(rt::change_parameters(#parameters, change);)
    });
    let [velocity, _] = vectors(plan, &quote!(f64));
    let called = called_by_number(plan);
    let inputs = model.inputs.as_ref().map(|_| quote!(let inputs = self.inputs_at(t, q, v);));
    // Inlined, so that a library of declarations does not compile this code for `f64` without a run.
    quote! {
        #functions
        impl rt::Declared for System<f64> {
            #[inline]
            fn compare(
                &self,
                t: f64,
                q: &#configuration<f64>,
                v: &#velocity,
                visit: &mut dyn ::core::ops::FnMut(&rt::FunctionComparison<'_>),
            ) {
                #inputs
                #body
            }
            #[inline]
            fn perturbed(&self, change: &mut dyn ::core::ops::FnMut(f64) -> f64) -> Self {
                let mut other = self.clone();
                #change
                other
            }
            #called
        }
    }
}

/// Emits the methods that call events and symmetries by index, if there are any.
fn called_by_number(plan: &Plan<'_>) -> TokenStream {
    let model = plan.model;
    let configuration = &own(&model.configuration.point());
    let [velocity, multipliers] = vectors(plan, &quote!(f64));
    let arms = |wanted: fn(&Role) -> bool, value: fn(TokenStream) -> TokenStream| {
        let arms = model.with_role(wanted).enumerate().map(|(number, function)| {
            let (number, value) = (n(number), value(arguments::called(function)));
            quote!(#number => #value,)
        });
        arms.collect::<Vec<_>>()
    };
    let events = arms(|role| matches!(role, Role::Event), |call| call);
    let events = (!events.is_empty()).then(|| {
        quote! {
            fn declared_event(
                &self,
                number: usize,
                t: f64,
                q: &#configuration<f64>,
                v: &#velocity,
                multipliers: &#multipliers,
            ) -> f64 {
                match number {
                    #(#events)*
                    _ => f64::NAN,
                }
            }
        }
    });
    let symmetries = arms(|role| matches!(role, Role::Symmetry), |call| quote!(Some(#call.into())));
    let symmetries = (!symmetries.is_empty()).then(|| {
        quote! {
            fn declared_symmetry(&self, number: usize, t: f64, q: &#configuration<f64>) -> Option<#velocity> {
                match number {
                    #(#symmetries)*
                    _ => None,
                }
            }
        }
    });
    quote!(#events #symmetries)
}

/// Emits the method that returns the symmetries of a system to a run, if there are any.
pub(super) fn symmetry(plan: &Plan<'_>) -> Option<TokenStream> {
    plan.model.with_role(|role| matches!(role, Role::Symmetry)).next()?;
    let configuration = &own(&plan.model.configuration.point());
    let [velocity, _] = vectors(plan, &quote!(S));
    Some(quote! {
        fn symmetry(&self, number: usize, t: S, q: &#configuration<S>) -> Option<#velocity> {
            rt::symmetry_in_f64::<Self, System<f64>>(self, number, t, q)
        }
    })
}
