//! The system on dual numbers, with parameters that vary in a direction.

use proc_macro2::TokenStream;
use quote::quote;

use super::constructor::constructor_name;
use super::simd_lanes::is_batched;
use crate::backend::rust::codegen::names::own;
use crate::backend::rust::data::lift::lifted;
use crate::backend::rust::data::{inputs, sliding};
use crate::schedule::Plan;

/// Emits the implementations of `Liftable` and `TangentSystem`. They are inlined, so that systems on dual numbers are only compiled for
/// derivatives.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    let model = plan.model;
    let lift = if is_batched(plan) { quote!(rt::lift::<S, _>(self)) } else { lifted(plan) };
    let (configuration, varied) = (own(&model.configuration.point()), varied(plan));
    let parts = match &model.parameters {
        Some(_) => {
            quote!([rt::lowered::<f64, _>(lifted.parameters()), rt::derivatives_of::<f64, _>(lifted.parameters())])
        }
        None => quote!([(), ()]),
    };
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
            fn lift(&self) -> System<rt::Dual<S>> {
                #lift
            }
            #[inline]
            fn lift_configuration(&self, q: &#configuration<S>) -> #configuration<rt::Dual<S>> {
                rt::lift(q)
            }
            #[inline]
            fn lift_configuration_onto(&self, q: &#configuration<S>, out: &mut #configuration<rt::Dual<S>>) {
                rt::lift_onto(q, out);
            }
            #[inline]
            fn lowered_configuration(&self, q: &#configuration<rt::Dual<S>>) -> #configuration<S> {
                rt::lowered(q)
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

/// Returns the system with varied parameters.
fn varied(plan: &Plan<'_>) -> TokenStream {
    let model = plan.model;
    let parameters = model.parameters.as_ref().map(|_| quote!(rt::varied::<f64, _>(self.parameters(), direction)?,));
    let lengths = model.configuration.has_lengths().then(|| quote!(self.lengths.clone()));
    let name = constructor_name(model);
    let made = quote!(System::#name(#parameters #lengths));
    match inputs::lifted(model) {
        Some(inputs) => quote!(Ok(System { #inputs ..#made? })),
        None => made,
    }
}
