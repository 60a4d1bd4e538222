//! Systems that the runtime assembles of their terms: the implementation of `ElementSystem`.

use proc_macro2::TokenStream;
use quote::quote;

use super::Context;
use super::terms::{self, type_name};
use crate::emit::names::own;

/// The implementation, and those of the terms.
pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let configuration = &own(&context.model.configuration.item.ident);
    let elements = terms::emit(context);
    let types = context.terms.iter().map(|term| type_name(term.number));
    let dynamics = match context.frames {
        Some(_) => quote!(rt::AlongChain<Recursion>),
        None => quote!(rt::MemberByMember),
    };
    quote! {
        impl<S: Scalar> rt::ElementSystem for System<S> {
            type Scalar = S;
            type Configuration = #configuration<S>;
            type Dynamics = #dynamics;

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
            fn check_declaration(&self, t: S, q: &#configuration<S>, v: &DVector<S>) -> Result<(), rt::DeclarationError> {
                rt::check_in_f64::<Self, System<f64>>(self, t, q, v)
            }
        }
        #elements
    }
}
