//! The group operations: field by field, every field a run of members.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Context;
use crate::emit::structs::group_type;
use crate::model::Member;

/// The members of a field as a slice.
pub(super) fn slice(member: &Member, of: &TokenStream) -> TokenStream {
    let name = &member.name;
    if member.is_chain || member.count.is_some() {
        quote!(&#of.#name[..])
    } else {
        quote!(::core::slice::from_ref(&#of.#name))
    }
}

fn slice_mut(member: &Member, of: &TokenStream) -> TokenStream {
    let name = &member.name;
    if member.is_chain || member.count.is_some() {
        quote!(&mut #of.#name[..])
    } else {
        quote!(::core::slice::from_mut(&mut #of.#name))
    }
}

/// The group's part of `ElementSystem`.
pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let members = &context.model.configuration.members;
    let fields = || {
        members.iter().enumerate().map(|(at, member)| {
            let at = Literal::usize_unsuffixed(at);
            (member, group_type(member.group, &quote!(S)), quote!(&self.structure.layout().spans[#at]))
        })
    };
    let lengths = fields().filter(|(member, ..)| member.is_chain).map(|(member, _, span)| {
        let name = &member.name;
        quote!(q.#name.len() == (#span).length)
    });
    let compose = fields().map(|(member, ty, span)| {
        let (from, to) = (slice(member, &quote!(q)), slice_mut(member, &quote!(out)));
        quote!(rt::chain_compose_exp::<#ty, S>(#from, #span, theta, #to);)
    });
    let log = fields().map(|(member, ty, span)| {
        let (from, to) = (slice(member, &quote!(from)), slice(member, &quote!(to)));
        quote!(rt::chain_log_difference::<#ty, S>(#from, #to, #span, out);)
    });
    let tangent = fields().map(|(_, ty, span)| quote!(rt::chain_tangent::<#ty, S>(#span, theta, v, out);));
    let inverse = fields().map(|(_, ty, span)| quote!(rt::chain_tangent_inverse::<#ty, S>(#span, theta, v, out);));
    let blocks =
        fields().map(|(_, ty, span)| quote!(next = rt::chain_tangent_blocks::<#ty, S>(#span, theta, out, next);));
    let finite = fields().map(|(member, ty, _)| {
        let members = slice(member, &quote!(q));
        quote!((#members).iter().all(<#ty as LieGroup>::is_finite))
    });
    quote! {
        fn has_lengths(&self, q: &Self::Configuration) -> bool {
            true #(&& #lengths)*
        }
        fn compose_exp(&self, q: &Self::Configuration, theta: &[S], out: &mut Self::Configuration) {
            #(#compose)*
        }
        fn log_difference(&self, from: &Self::Configuration, to: &Self::Configuration, out: &mut [S]) {
            #(#log)*
        }
        fn tangent_inverse(&self, theta: &[S], v: &[S], out: &mut [S]) {
            #(#inverse)*
        }
        fn tangent(&self, theta: &[S], v: &[S], out: &mut [S]) {
            #(#tangent)*
        }
        fn tangent_blocks(&self, theta: &[S], out: &mut [S]) {
            let mut next = 0;
            #(#blocks)*
        }
        fn configuration_is_finite(&self, q: &Self::Configuration) -> bool {
            #(#finite)&&*
        }
    }
}
