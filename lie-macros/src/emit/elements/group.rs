//! The group operations: field by field, every field a run of members.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Context;
use crate::emit::names::own;
use crate::emit::structs::group_type;
use crate::model::Member;

/// The members of a field as a slice.
pub(in crate::emit) fn slice(member: &Member, of: &TokenStream) -> TokenStream {
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
#[allow(clippy::too_many_lines)] // One trait, method by method.
pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let members = &context.model.configuration.members;
    let fields = || {
        members.iter().enumerate().map(|(at, member)| {
            let (at, size) = (Literal::usize_unsuffixed(at), Literal::usize_unsuffixed(member.group.dimension()));
            let ty = group_type(member.group, &quote!(S));
            (member, quote!(#ty, S, #size), quote!(&self.structure.layout().spans[#at]))
        })
    };
    let identity = fields().map(|(member, _, span)| {
        let (name, one) = (&member.name, identity_of(member));
        match member.count {
            _ if member.is_chain => quote!(#name: ::std::vec![#one; (#span).length]),
            Some(_) => quote!(#name: ::core::array::from_fn(|_| #one)),
            None => quote!(#name: #one),
        }
    });
    let lengths = fields().filter(|(member, ..)| member.is_chain).map(|(member, _, span)| {
        let name = &member.name;
        quote!(rt::check_chain_length(#span, q.#name.len())?;)
    });
    let compose = fields().map(|(member, types, span)| {
        let (from, to) = (slice(member, &quote!(q)), slice_mut(member, &quote!(out)));
        quote!(rt::chain_compose_exp::<#types>(#from, #span, theta, #to);)
    });
    let log = fields().map(|(member, types, span)| {
        let (from, to) = (slice(member, &quote!(from)), slice(member, &quote!(to)));
        quote!(rt::chain_log_difference::<#types>(#from, #to, #span, out);)
    });
    let tangent = fields().map(|(_, types, span)| quote!(rt::chain_tangent::<#types>(#span, theta, v, out);));
    let inverse = fields().map(|(_, types, span)| quote!(rt::chain_tangent_inverse::<#types>(#span, theta, v, out);));
    let coadjoint = fields().map(|(_, types, span)| quote!(rt::chain_coadjoint::<#types>(#span, v, p, out);));
    let transpose =
        fields().map(|(_, types, span)| quote!(rt::chain_tangent_inverse_transpose::<#types>(#span, theta, p, out);));
    let blocks = fields()
        .map(|(_, types, span)| quote!(let out = rt::chain_tangent_inverse_blocks::<#types>(#span, theta, out);));
    // T = I on vector spaces and on SO(2).
    let motions = fields().filter(|(member, ..)| !member.group.is_commutative()).map(|(_, types, span)| {
        quote!(rt::chain_local_motion::<#types>(#span, at, [&mut *theta, &mut *velocity, &mut *acceleration]);)
    });
    let local_blocks = fields().map(|(member, types, span)| {
        if member.group.is_commutative() {
            let size = Literal::usize_unsuffixed(member.group.dimension());
            quote!(let start = rt::chain_flat_blocks::<S, #size>(#span, out, start);)
        } else {
            quote!(let start = rt::chain_local_blocks::<#types>(#span, at, scales, out, start);)
        }
    });
    let finite = fields().map(|(member, ..)| {
        let members = slice(member, &quote!(q));
        quote!(rt::chain_is_finite(#members))
    });
    let defects = fields().map(|(member, ..)| {
        let (name, text) = (&member.name, member.name.to_string());
        if member.is_chain || member.count.is_some() {
            quote!(rt::defect_of_all(#text, &q.#name))
        } else {
            quote!(::core::option::Option::Some(rt::defect_of(#text, &q.#name)))
        }
    });
    let renormalize = fields().map(|(member, ..)| {
        let members = slice_mut(member, &quote!(q));
        quote!(rt::chain_renormalize(#members);)
    });
    let bundles = bundles(members);
    let configuration = &own(&context.model.configuration.item.ident);
    quote! {
        #bundles
        fn identity(&self) -> Self::Configuration {
            #configuration { #(#identity),* }
        }
        fn check_lengths(&self, q: &Self::Configuration) -> Result<(), rt::ModelError> {
            #(#lengths)*
            Ok(())
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
        fn coadjoint(&self, v: &[S], p: &[S], out: &mut [S]) {
            #(#coadjoint)*
        }
        fn tangent_inverse_transpose(&self, theta: &[S], p: &[S], out: &mut [S]) {
            #(#transpose)*
        }
        fn tangent_inverse_blocks(&self, theta: &[S], out: &mut [S]) {
            #(#blocks)*
        }
        fn local_motion(&self, at: &rt::ChainCoordinates<'_, S>, out: [&mut [S]; 3]) {
            let [theta, velocity, acceleration] = out;
            theta.copy_from_slice(at.x);
            velocity.copy_from_slice(at.rate);
            acceleration.copy_from_slice(at.second);
            #(#motions)*
        }
        fn local_blocks(&self, at: &rt::ChainCoordinates<'_, S>, scales: [S; 3], out: &mut rt::ChainBlocks<S>) {
            let start = 0;
            #(#local_blocks)*
            let _ = start;
        }
        fn configuration_is_finite(&self, q: &Self::Configuration) -> bool {
            #(#finite)&&*
        }
        fn worst_member(&self, q: &Self::Configuration) -> ::core::option::Option<rt::MemberDefect> {
            rt::worst([#(#defects),*])
        }
        fn renormalize(&self, q: &mut Self::Configuration) {
            #(#renormalize)*
        }
    }
}

/// A member to begin with.
fn identity_of(member: &Member) -> TokenStream {
    if member.group.is_sphere() {
        return quote!(rt::upright::<S>());
    }
    let ty = group_type(member.group, &quote!(S));
    quote!(<#ty as LieGroup>::exp(&rt::zeros()))
}

/// The methods `move_bundles`, `bundle_rates`, `bundle_directions`, where a field is of spheres.
fn bundles(members: &[Member]) -> Option<TokenStream> {
    let spheres = || {
        members.iter().enumerate().filter(|(_, member)| member.group.is_sphere()).map(|(at, member)| {
            let at = Literal::usize_unsuffixed(at);
            (member, quote!(&self.structure.layout().spans[#at]))
        })
    };
    spheres().next()?;
    let moves = spheres().map(|(member, span)| {
        let (from, to) = (slice(member, &quote!(q)), slice_mut(member, &quote!(out.0)));
        quote!(rt::chain_move_bundles::<S>(#from, #span, v, xi, (#to, &mut *out.1));)
    });
    let rates = spheres()
        .map(|(_, span)| quote!(rt::chain_bundle_rates::<S>(#span, sigma, direction, [&mut *out_theta, &mut *out_w]);));
    let directions = spheres().map(|(member, span)| {
        let q = slice(member, &quote!(q));
        quote!(rt::chain_bundle_directions::<S>(#q, #span, acceleration, out);)
    });
    let removals = spheres().map(|(member, span)| {
        let q = slice(member, &quote!(q));
        quote!(square += rt::chain_remove_spins::<S>(#q, #span, v);)
    });
    let groups = || {
        members.iter().enumerate().filter(|(_, member)| !member.group.is_sphere()).map(|(at, member)| {
            let (at, size) = (Literal::usize_unsuffixed(at), Literal::usize_unsuffixed(member.group.dimension()));
            let ty = group_type(member.group, &quote!(S));
            (member, quote!(#ty, S, #size), quote!(&self.structure.layout().spans[#at]))
        })
    };
    let compose = groups().map(|(member, types, span)| {
        let (from, to) = (slice(member, &quote!(q)), slice_mut(member, &quote!(out)));
        quote!(rt::chain_compose_exp::<#types>(#from, #span, theta, #to);)
    });
    // Clamped directions are copied where the others are moved.
    let clamped = spheres().filter(|(member, _)| member.clamped != [false; 2]).map(|(member, _)| {
        let (from, to) = (slice(member, &quote!(q)), slice_mut(member, &quote!(out)));
        quote!((#to).copy_from_slice(#from);)
    });
    let inverse = groups().map(|(_, types, span)| quote!(rt::chain_tangent_inverse::<#types>(#span, theta, v, out);));
    Some(quote! {
        fn compose_exp_of_groups(&self, q: &Self::Configuration, theta: &[S], out: &mut Self::Configuration) {
            #(#compose)*
            #(#clamped)*
        }
        fn tangent_inverse_of_groups(&self, theta: &[S], v: &[S], out: &mut [S]) {
            #(#inverse)*
        }
        fn remove_spins(&self, q: &Self::Configuration, v: &mut [S]) -> f64 {
            let mut square = 0.0;
            #(#removals)*
            square
        }
        fn move_bundles(
            &self,
            (q, v): (&Self::Configuration, &[S]),
            xi: [&[S]; 2],
            out: (&mut Self::Configuration, &mut [S]),
        ) {
            #(#moves)*
        }
        fn bundle_rates(&self, sigma: [&[S]; 2], direction: [&[S]; 2], out: [&mut [S]; 2]) {
            let [out_theta, out_w] = out;
            #(#rates)*
        }
        fn bundle_directions(&self, q: &Self::Configuration, acceleration: &[S], out: &mut [S]) {
            #(#directions)*
        }
    })
}
