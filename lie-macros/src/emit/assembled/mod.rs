//! Systems that the runtime assembles of their terms: the implementation of `ElementSystem`.

pub(super) mod frame_reverse;
pub(super) mod frame_terms;
pub(super) mod frames;
mod hamiltonian;
pub(super) mod terms;

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::declaration;
use crate::emit::inputs;
use crate::emit::names::own;
use crate::plan::Plan;

/// The implementation, and those of the terms.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    let configuration = &own(&plan.model.configuration.item.ident);
    let (elements, frames) = (terms::emit(plan), frames::emit(plan));
    let hamiltonian = hamiltonian::emit(plan);
    let types = plan.terms.iter().filter(|term| !plan.joins_frames(term)).map(|term| terms::type_name(term.number));
    let inputs = inputs::of_assembly(plan);
    let symmetry = declaration::symmetry(plan, &quote!(symmetry_of_all));
    let dynamics = match plan.frames {
        Some(_) => quote!(rt::AlongTree<Recursion>),
        None => quote!(rt::MemberByMember),
    };
    let redundancy = plan.model.redundant.then(|| {
        quote! { const REDUNDANCY: rt::Redundancy = rt::Redundancy::MinimumNorm; }
    });
    quote! {
        use ::lie_runtime::__private::DVector;
        impl<S: Scalar> rt::ElementSystem for System<S> {
            type Scalar = S;
            type Configuration = #configuration<S>;
            type Dynamics = #dynamics;
            #redundancy

            #[inline]
            fn chain_space(&self) -> &rt::ChainSpace<#configuration<S>> {
                &self.space
            }
            #[inline]
            fn structure(&self) -> &rt::Structure<S> {
                &self.structure
            }
            fn description(&self) -> &rt::Description {
                &self.description
            }
            #[inline]
            fn visit<V: rt::Visitor<Self>>(&self, visitor: &mut V) {
                #(visitor.element::<#types>();)*
            }
            #inputs
            fn check_declaration(&self, t: S, q: &#configuration<S>, v: &DVector<S>) -> Result<(), rt::DeclarationError> {
                rt::check_in_f64::<Self, System<f64>>(self, t, q, v)
            }
            fn powers_of_terms(
                &self,
                t: S,
                q: &#configuration<S>,
                v: &DVector<S>,
                visit: &mut dyn ::core::ops::FnMut(&'static str, f64),
            ) -> bool {
                rt::powers_in_f64::<Self, System<f64>>(self, (t, q, v), visit)
            }
            #symmetry
        }
        #elements
        #frames
        #hamiltonian
    }
}
