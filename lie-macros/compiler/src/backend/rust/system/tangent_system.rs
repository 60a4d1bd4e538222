//! The system on dual numbers, with parameters that vary in a direction.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::names::own;
use crate::backend::rust::data::lift::{each_member, lift, lift_configuration};
use crate::backend::rust::data::parameters;
use crate::backend::rust::data::shared::unshared;
use crate::backend::rust::data::{inputs, sliding};
use crate::model::Model;
use crate::schedule::Plan;

/// Emits the implementations of `Liftable` and `Varied`. They are inlined, so that systems on dual numbers are only compiled for
/// derivatives.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    let model = plan.model;
    let configuration = &own(&model.configuration.point());
    let (lift, lift_configuration) = (lift(plan), lift_configuration(model, &quote!(S)));
    let lowered = each_member(model, &quote!(rt::Lift::<S>::lowered));
    let lifted_onto = lifted_onto(model);
    let (varied, parts) = (varied(plan), parameters::lowered(plan));
    let sliding = sliding::cache(model);
    let inputs = model.inputs.as_ref().map(|_| {
        quote! {
            #[inline]
            fn ensure_inputs_over_time(&self) -> Result<(), ::lie_runtime::inputs::InputError> {
                self.inputs.ensure_over_time()
            }
            #[inline]
            fn with_signal(
                &self, name: &str, signal: &::lie_runtime::inputs::InputSignal,
            ) -> Result<Self, ::lie_runtime::inputs::TableError> {
                Ok(System { inputs: self.inputs.clone().with_signal(name, signal)?, #sliding ..self.clone() })
            }
            #[inline]
            fn with_input_slopes(
                &self, lifted: System<rt::Dual<f64>>, slopes: &::lie_runtime::inputs::InputDerivatives,
            ) -> System<rt::Dual<f64>> {
                System { inputs: lifted.inputs.varied(slopes), #sliding ..lifted }
            }
        }
    });
    quote! {
        impl<S: Scalar> rt::Liftable for System<S> {
            type Lifted = System<rt::Dual<S>>;

            #[inline]
            #lift
            #lift_configuration
            #[inline]
            fn lift_configuration_onto(&self, q: &#configuration<S>, out: &mut #configuration<rt::Dual<S>>) {
                #lifted_onto
            }
            #[inline]
            fn lowered_configuration(&self, q: &#configuration<rt::Dual<S>>) -> #configuration<S> {
                #lowered
            }
        }
        impl rt::TangentSystem for System<f64> {
            #[inline]
            fn varied(&self, direction: &Self::Parameters) -> Result<System<rt::Dual<f64>>, rt::ModelError> {
                #varied
            }
            #[inline]
            fn lowered_parameters(lifted: &System<rt::Dual<f64>>) -> [Self::Parameters; 2] {
                #parts
            }
            #inputs
        }
    }
}

/// Emits the fields of a configuration `out` from the fields of `q`.
fn lifted_onto(model: &Model) -> TokenStream {
    let members = model.configuration.members.iter().map(|member| {
        let name = &member.name;
        if member.is_chain {
            quote! {
                for (out, member) in out.#name.iter_mut().zip(&q.#name) {
                    *out = rt::Lift::<S>::lift(*member);
                }
            }
        } else {
            quote!(out.#name = rt::Lift::<S>::lift(q.#name);)
        }
    });
    quote!(#(#members)*)
}

/// Returns the system with varied parameters.
fn varied(plan: &Plan<'_>) -> TokenStream {
    let (model, lengths) = (plan.model, plan.model.configuration.has_lengths());
    let lengths = lengths.then(|| quote!(self.lengths.clone()));
    let made = match &model.parameters {
        Some(_) if model.parameters_are_generic() => {
            let parameters = parameters::varied(model);
            quote!(System::new(#parameters, #lengths))
        }
        Some(_) => {
            let parameters = unshared(plan, &quote!(self.parameters));
            quote!(System::of_scalar(#parameters, #lengths))
        }
        None => quote!(System::of_scalar(#lengths)),
    };
    match inputs::lifted(model) {
        Some(inputs) => quote!(Ok(System { #inputs ..#made? })),
        None => made,
    }
}
