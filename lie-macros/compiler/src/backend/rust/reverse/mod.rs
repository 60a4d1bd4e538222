//! The kernels of reverse-mode differentiation: `ReverseTerm` of every term.

mod data;
mod frames;

use proc_macro2::TokenStream;
use quote::quote;

use data::{add_to_data, first_number};

use crate::backend::rust::codegen::environment::Scope;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::ident;
use crate::backend::rust::codegen::types::type_name;
use crate::backend::rust::data::inputs;
use crate::backend::rust::terms::kernels::{self, stores};
use crate::scalar::Scalar;
use crate::schedule::{KernelId, PULLBACKS, Plan, Term};

/// Emits the implementations, if the declaration requests gradients.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    if plan.model.gradients.is_none() {
        return quote!();
    }
    let entries = plan.model.parameters.as_ref().map_or(0, |parameters| parameters.entries.len());
    let parameters = first_number(plan.model, entries, &quote!(self));
    let inputs = n(inputs::count(plan.model));
    let has_rates = inputs::have_rates(plan);
    let terms = plan.terms.iter().map(|term| {
        let (name, kernels) = (type_name(term.number), PULLBACKS.map(|id| kernel(plan, term, id)));
        let seen = plan.joins_frames(term).then(|| quote!(, rt::FrameKinematics<System<S>, Recursion>));
        quote!(impl<S: Scalar> rt::ReverseTerm<System<S> #seen> for #name { #(#kernels)* })
    });
    let elements = plan.unrolled().is_none().then(|| {
        let frames = frames::emit(plan);
        let types = plan.terms.iter().filter(|term| !plan.joins_frames(term)).map(|term| type_name(term.number));
        quote! {
            #frames
            impl<S: Scalar> rt::ReverseElements for System<S> {
                fn visit_reverse<V: rt::ReverseVisitor<Self>>(&self, visitor: &mut V) {
                    #(visitor.element::<#types>();)*
                }
            }
        }
    });
    quote! {
        #(#terms)*
        #elements
        impl<S: Scalar> rt::Reversible for System<S> {
            fn parameter_count(&self) -> usize {
                #parameters
            }
            fn input_count(&self) -> usize {
                #inputs
            }
            fn reads_rates_of_inputs(&self) -> bool {
                #has_rates
            }
        }
    }
}

/// Emits a kernel that adds cotangents to an output.
fn kernel(plan: &Plan<'_>, term: &Term, id: KernelId) -> TokenStream {
    let name = ident(id.name());
    let (_, seen) = kernels::kernel_trait(plan, term);
    let state = kernels::taken(id.signature().0).0;
    let weights = match id {
        KernelId::ResidualPullback => quote!(force: &Self::Vector),
        _ => quote!(constraint: &Self::Rows),
    };
    let system = quote!(system);
    let given = inputs::found_by(term, id, &system, plan.unrolled().is_some());
    let (graph, dof) = (&term.equations.graph, term.dof());
    // Zeros are not added.
    let outputs: Vec<(usize, Scalar)> = term.kernels.outputs(id).iter().copied().enumerate().collect();
    let outputs: Vec<(usize, Scalar)> = outputs.into_iter().filter(|&(_, output)| !graph.is_zero(output)).collect();
    let scalars: Vec<Scalar> = outputs.iter().map(|&(_, output)| output).collect();
    let data = term.equations.gradients.as_ref().map_or(&[][..], |gradients| &gradients.data);
    let store = |at: usize, value: &TokenStream| {
        let at = outputs[at].0;
        match at / dof {
            0 => {
                let at = n(at);
                quote!(out.of_configuration[#at] += #value;)
            }
            1 => {
                let at = n(at - dof);
                quote!(out.of_velocity[#at] += #value;)
            }
            _ => add_to_data(plan.model, data[at - 2 * dof], &system, &quote!(out.of_parameters), value),
        }
    };
    let body = stores(term, Scope::Term, &scalars, store);
    let body = kernels::with_members(plan, term, &quote!(#given #body));
    quote! {
        #[inline]
        fn #name(
            system: &System<S>, place: &rt::ElementLocation<'_>, t: S, q: &#seen, #state #weights,
            out: &mut rt::Cotangents<'_, Self::Vector, S>,
        ) {
            #body
        }
    }
}
