//! The configuration as a manifold: its fields, of which the runtime makes every operation of its group.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::names::own;
use super::structs::group_type;
use crate::model::{Member, Model};

fn n(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}

/// `members` of a field as a slice.
pub(super) fn slice(member: &Member, of: &TokenStream) -> TokenStream {
    let name = &member.name;
    if member.is_run() { quote!(&#of.#name[..]) } else { quote!(::core::slice::from_ref(&#of.#name)) }
}

fn slice_mut(member: &Member, of: &TokenStream) -> TokenStream {
    let name = &member.name;
    if member.is_run() { quote!(&mut #of.#name[..]) } else { quote!(::core::slice::from_mut(&mut #of.#name)) }
}

/// `rt::Span::new(…)`, with the number of members.
pub(super) fn span(member: &Member, length: &TokenStream) -> TokenStream {
    let (name, dimension) = (member.name.to_string(), n(member.group.dimension()));
    let [first, last] = member.clamped;
    quote!(rt::Span::new(#name, #dimension, #length, [#first, #last]))
}

/// The implementations of `Fields` and `Field`; without chains of `FixedFields`, and of `LieGroup` if all members are of groups.
pub(super) fn emit(model: &Model) -> TokenStream {
    let configuration = &own(&model.configuration.item.ident);
    let members = &model.configuration.members;
    let fields = members.iter().enumerate().map(|(at, member)| {
        let (at, size, is_one) = (n(at), n(member.group.dimension()), !member.is_run());
        let ty = group_type(member.group, &quote!(S));
        let this = quote!(self);
        let (members, members_mut) = (slice(member, &this), slice_mut(member, &this));
        quote! {
            impl<S: Scalar> rt::Field<#at, #size> for #configuration<S> {
                type Group = #ty;
                const IS_ONE: bool = #is_one;

                #[inline]
                fn members(&self) -> &[#ty] { #members }
                #[inline]
                fn members_mut(&mut self) -> &mut [#ty] { #members_mut }
            }
        }
    });
    let visits = members.iter().enumerate().map(|(at, member)| {
        let (at, size) = (n(at), n(member.group.dimension()));
        quote!(visitor.field::<#at, #size>();)
    });
    let origins = members.iter().enumerate().map(|(at, member)| {
        let (name, at, size) = (&member.name, n(at), n(member.group.dimension()));
        let ty = group_type(member.group, &quote!(S));
        let origin = quote!(<#ty as rt::LocalCoordinates<S, #size>>::origin());
        match member.count {
            _ if member.is_chain => quote!(#name: ::std::vec![#origin; spans[#at].length]),
            Some(_) => quote!(#name: ::core::array::from_fn(|_| #origin)),
            None => quote!(#name: #origin),
        }
    });
    let is_product = members.iter().all(|member| !member.is_chain && member.group.rules.is_group());
    let product = is_product.then(|| {
        let visits = visits.clone();
        let dof = n(model.configuration.dof());
        quote! {
            impl<S: Scalar> rt::GroupFields for #configuration<S> {
                #[inline]
                fn visit_groups<V: rt::EachGroup<Self>>(visitor: &mut V) {
                    #(#visits)*
                }
            }
            ::lie_runtime::__direct_product!(#configuration<S>, #dof);
        }
    });
    let fixed = (!members.iter().any(|member| member.is_chain)).then(|| {
        let (offsets, _) = model.offsets();
        let spans = members.iter().zip(offsets).map(|(member, offset)| {
            let (length, offset) = (n(member.count.unwrap_or(1)), n(offset));
            let span = span(member, &quote!(#length));
            quote!(#span.starting_at(#offset))
        });
        quote! {
            impl<S: Scalar> rt::FixedFields for #configuration<S> {
                const SPANS: &'static [rt::Span] = &[#(#spans),*];
            }
        }
    });
    quote! {
        #(#fields)*
        impl<S: Scalar> rt::Fields for #configuration<S> {
            type Scalar = S;

            #[inline]
            fn visit<V: rt::EachField<Self>>(visitor: &mut V) {
                #(#visits)*
            }
            fn origins(spans: &[rt::Span]) -> Self {
                #configuration { #(#origins),* }
            }
        }
        #fixed
        #product
    }
}
