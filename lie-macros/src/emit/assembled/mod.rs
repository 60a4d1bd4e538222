//! Systems that are summed up of their terms, along chains and frames: the implementation of `ElementSystem`.

mod frame_products;
pub(super) mod frame_reverse;
pub(super) mod frame_terms;
pub(super) mod frames;
mod hamiltonian;

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::inputs;
use crate::emit::names::own;
use crate::emit::terms;
use crate::plan::Plan;

/// The implementation, and what runs along frames.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    let configuration = &own(&plan.model.configuration.item.ident);
    let (kinds, frames) = (terms::kinds(plan), frames::emit(plan));
    let hamiltonian = hamiltonian::emit(plan);
    let types = plan.terms.iter().filter(|term| !plan.joins_frames(term)).map(|term| terms::type_name(term.number));
    let in_state = inputs::in_state(plan);
    let dynamics = match plan.frames {
        Some(_) => quote!(rt::AlongTree<Recursion>),
        None => quote!(rt::MemberByMember),
    };
    quote! {
        use ::lie_runtime::__private::DVector;
        #kinds
        impl<S: Scalar> rt::ElementSystem for System<S> {
            type Dynamics = #dynamics;

            #[inline]
            fn chain_space(&self) -> &rt::ChainSpace<#configuration<S>> {
                &self.space
            }
            #[inline]
            fn structure(&self) -> &rt::Structure<S> {
                &self.structure
            }
            #[inline]
            fn visit<V: rt::Visitor<Self>>(&self, visitor: &mut V) {
                #(visitor.element::<#types>();)*
            }
            #in_state
        }
        #frames
        #hamiltonian
    }
}
