//! The configuration and its bodies as manifolds: fields, from which the runtime composes all operations of their groups.

use proc_macro2::TokenStream;
use quote::quote;

use super::over_scalars;
use crate::backend::rust::codegen::group_elements::group_type;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names;
use crate::backend::rust::codegen::names::own;
use crate::backend::rust::codegen::types::velocity_of_vector;
use crate::model::{Body, Configuration, Member, SlotMembers};
use crate::schedule::Plan;

/// Returns the elements of a field as a slice.
pub(crate) fn slice(member: &Member, of: &TokenStream) -> TokenStream {
    let name = &member.name;
    if member.is_run() { quote!(&#of.#name[..]) } else { quote!(::core::slice::from_ref(&#of.#name)) }
}

fn slice_mut(member: &Member, of: &TokenStream) -> TokenStream {
    let name = &member.name;
    if member.is_run() { quote!(&mut #of.#name[..]) } else { quote!(::core::slice::from_mut(&mut #of.#name)) }
}

/// Returns `rt::Span::new(…)` with the number of elements.
pub(crate) fn span(member: &Member, length: &TokenStream) -> TokenStream {
    let (name, dimension) = (names::text(&member.name), n(member.group.dimension()));
    let [first, last] = member.clamped;
    let bodies = member.group.structure().map(|body| {
        let parts = body.atomic().into_iter().map(|part| {
            let (path, dimension) = (part.path, n(part.group.dimension()));
            quote!((#path, #dimension))
        });
        quote!(.of_bodies(&[#(#parts),*]))
    });
    quote!(rt::Span::new(#name, #dimension, #length, [#first, #last]) #bodies)
}

/// Returns the number of elements of a selection over a chain of this length.
pub(crate) fn elements(part: SlotMembers, length: &TokenStream) -> TokenStream {
    match part {
        SlotMembers::Windows { size, stride } => {
            let (size, stride) = (n(size), n(stride));
            quote!(::lie_runtime::__private::windows(#length, #size, #stride))
        }
        _ => length.clone(),
    }
}

/// Emits the implementations of the configuration and its bodies.
pub(crate) fn emit(plan: &Plan<'_>) -> TokenStream {
    let model = plan.model;
    // Momenta of assembled systems have the components of velocities, instead of one element of the group.
    let has_momenta = plan.unrolled().is_none() && plan.obstacle.is_none();
    let configuration = as_product(&model.configuration, !has_momenta);
    let bodies = model.bodies.iter().map(|body| {
        let (product, factor) = (as_product(&body.factors, true), as_factor(body));
        quote! { #product #factor }
    });
    quote! { #configuration #(#bodies)* }
}

/// Emits the implementations of `Fields`, `Field` and `OverScalars`. Configurations without chains also implement `FixedFields`, and `LieGroup` if all
/// members are groups; the group can act on itself.
fn as_product(product: &Configuration, acts_on_itself: bool) -> TokenStream {
    let configuration = &own(&product.point());
    let members = &product.members;
    let fields = members.iter().enumerate().map(|(at, member)| {
        let (at, size, is_one) = (n(at), n(member.group.dimension()), !member.is_run());
        let ty = group_type(member.group, &quote!(S));
        let this = quote!(self);
        let (members, members_mut) = (slice(member, &this), slice_mut(member, &this));
        quote! {
            impl<S: Scalar> rt::Field<#at, #size> for #configuration<S> {
                type Group = #ty;
                const IS_ONE: bool = #is_one;

                #[inline(always)]
                fn members(&self) -> &[#ty] { #members }
                #[inline(always)]
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
    let origin = over_scalars::literal(product, origins);
    let is_product = members.iter().all(|member| !member.is_chain && member.group.rules.is_group());
    let group = is_product.then(|| {
        let visits = visits.clone();
        let dof = n(product.dof());
        let kind = (!acts_on_itself).then(|| quote!(group));
        quote! {
            impl<S: Scalar> rt::GroupFields for #configuration<S> {
                #[inline]
                fn visit_groups<V: rt::EachGroup<Self>>(visitor: &mut V) {
                    #(#visits)*
                }
            }
            ::lie_runtime::__direct_product!(#kind #configuration<S>, #dof);
        }
    });
    let fixed = (!members.iter().any(|member| member.is_chain)).then(|| {
        let mut first = 0;
        let spans = members.iter().map(|member| {
            let (length, offset) = (n(member.count.unwrap_or(1)), n(first));
            first += member.dof();
            let span = span(member, &quote!(#length));
            quote!(#span.at_offset(#offset))
        });
        quote! {
            impl<S: Scalar> rt::FixedFields for #configuration<S> {
                const SPANS: &'static [rt::Span] = &[#(#spans),*];
            }
        }
    });
    let map = over_scalars::of_product(product);
    quote! {
        #(#fields)*
        #map
        impl<S: Scalar> rt::Fields for #configuration<S> {
            type Scalar = S;

            #[inline(always)]
            fn visit<V: rt::EachField<Self>>(visitor: &mut V) {
                #(#visits)*
            }
            fn origins(spans: &[rt::Span]) -> Self {
                #origin
            }
        }
        #fixed
        #group
    }
}

/// Emits the implementation of a body as a factor of a configuration: conversion of velocities and components, and fields for files.
fn as_factor(body: &Body) -> TokenStream {
    let (name, velocity) = (&own(&body.factors.item.ident), &own(&body.velocity));
    let members = &body.factors.members;
    let dof = n(body.group.dimension());
    let factors = members.iter().enumerate().map(|(at, member)| {
        let (at, size) = (n(at), n(member.group.dimension()));
        quote!(#at #size)
    });
    let kind = if body.group.rules.is_group() { quote!() } else { quote!(of points) };
    let names: Vec<_> = members.iter().map(|member| &member.name).collect();
    let texts = members.iter().map(|member| names::text(&member.name));
    let texts: Vec<String> = texts.collect();
    let mut first = 0;
    let (mut from, mut into) = (Vec::new(), Vec::new());
    for member in members {
        let (name, size, at) = (&member.name, n(member.group.dimension()), n(first));
        first += member.group.dimension();
        if member.group.has_scalar_velocity() {
            from.push(quote!(#name: components[#at]));
            into.push(quote!(components[#at] = velocity.#name;));
        } else {
            let part = quote!(rt::part::<S, #dof, #size>(&components, #at));
            let part = velocity_of_vector(member.group, part);
            from.push(quote!(#name: #part));
            into.push(quote!(rt::set_part(&mut components, #at, &SVector::<S, #size>::from(velocity.#name));));
        }
    }
    quote! {
        ::lie_runtime::__factor_of_fields!(#kind #name<S>, #dof, #(#factors),*);

        impl<S: Scalar> From<SVector<S, #dof>> for #velocity<S> {
            #[inline]
            fn from(components: SVector<S, #dof>) -> Self {
                #velocity { #(#from),* }
            }
        }
        impl<S: Scalar> From<#velocity<S>> for SVector<S, #dof> {
            #[inline]
            fn from(velocity: #velocity<S>) -> Self {
                let mut components: Self = rt::zeros();
                #(#into)*
                components
            }
        }
        impl rt::VisitFields for #name<f64> {
            fn visit_fields(&self, visit: rt::FieldVisitor<'_>) {
                #(visit(#texts, &self.#names);)*
            }
        }
        impl rt::VisitFields for #velocity<f64> {
            fn visit_fields(&self, visit: rt::FieldVisitor<'_>) {
                #(visit(#texts, &self.#names);)*
            }
        }
    }
}
