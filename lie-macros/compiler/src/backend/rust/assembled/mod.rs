//! Assembled systems, with chains and frames: the implementation of `ElementSystem`.

mod frame_products;
pub(crate) mod frame_terms;
pub(crate) mod frames;
mod hamiltonian;
pub(crate) mod joints;

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::names::own;
use crate::backend::rust::codegen::types::type_name;
use crate::backend::rust::data::inputs;
use crate::backend::rust::terms;
use crate::schedule::Plan;

/// Emits the implementation, and the recursions along frames.
pub(crate) fn emit(plan: &Plan<'_>) -> TokenStream {
    let configuration = &own(&plan.model.configuration.point());
    let (kinds, frames) = (terms::kinds(plan), frames::emit(plan));
    let hamiltonian = hamiltonian::emit(plan);
    let types = plan.terms.iter().filter(|term| !plan.joins_frames(term)).map(|term| type_name(term.number));
    let in_state = inputs::in_state(plan);
    let dynamics = match plan.frames {
        Some(_) => quote!(rt::TreeDynamics<Recursion>),
        None => quote!(rt::ElementDynamics),
    };
    let unconstrained = plan.terms.iter().all(|term| term.equations.constraints.rows() == 0).then(|| {
        quote! { const HAS_CONSTRAINTS: bool = false; }
    });
    quote! {
        use ::lie_runtime::__private::DVector;
        #kinds
        impl<S: Scalar> rt::ElementSystem for System<S> {
            type Dynamics = #dynamics;
            #unconstrained

            #[inline]
            fn chain_space(&self) -> &rt::ChainSpace<#configuration<S>> {
                &self.space
            }
            #[inline]
            fn structure(&self) -> &rt::Structure<S> {
                &self.structure
            }
            #[inline]
            fn visit<V: rt::ElementVisitor<Self>>(&self, visitor: &mut V) {
                #(visitor.element::<#types>();)*
            }
            #in_state
        }
        #frames
        #hamiltonian
    }
}
