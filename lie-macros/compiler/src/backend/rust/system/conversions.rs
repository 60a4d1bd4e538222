//! Conversions between velocities with named fields and components.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::data::configuration::slice;

use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::types::{vectors, velocity_of_vector, velocity_type};
use crate::model::Member;
use crate::schedule::Plan;

fn is_scalar(member: &Member) -> bool {
    velocity_type(member.group, &quote!(S)).to_string() == "S"
}

/// Emits the method `velocity`.
pub(super) fn velocity(plan: &Plan<'_>) -> TokenStream {
    let [components, _] = vectors(plan, &quote!(S));
    let velocity = if plan.unrolled().is_some() { quote!((*components).into()) } else { of_spans(plan) };
    quote! {
        /// Returns the velocity with named fields for given components; clamped members have velocity zero.
        #[inline]
        pub fn velocity(&self, components: &#components) -> Velocity<S> {
            #velocity
        }
    }
}

/// Emits the members at their offsets in the components.
fn of_offsets(plan: &Plan<'_>) -> TokenStream {
    let total = n(plan.model.configuration.dof());
    let (offsets, _) = plan.model.offsets();
    let fields = plan.model.configuration.members.iter().zip(offsets).map(|(member, offset)| {
        let (name, size) = (&member.name, member.group.dimension());
        let elements = (0..member.count.unwrap_or(1)).map(|element| {
            let (at, size) = (n(offset + element * size), n(size));
            if is_scalar(member) {
                quote!(components[#at])
            } else {
                velocity_of_vector(member.group, quote!(rt::part::<S, #total, #size>(components, #at)))
            }
        });
        if member.count.is_some() { quote!(#name: [#(#elements),*]) } else { quote!(#name: #(#elements)*) }
    });
    quote!(Velocity { #(#fields),* })
}

/// Emits the members at the positions of the layout.
fn of_spans(plan: &Plan<'_>) -> TokenStream {
    let fields = plan.model.configuration.members.iter().enumerate().map(|(at, member)| {
        let (name, at, size) = (&member.name, n(at), n(member.group.dimension()));
        let span = quote!(&self.structure.layout().spans[#at]);
        let list = quote!(rt::chain_velocity::<S, #size>(#span, components.as_slice()));
        let of_vector = |vector| velocity_of_vector(member.group, vector);
        let value = match (member.count, is_scalar(member)) {
            _ if member.is_chain && is_scalar(member) => {
                quote!(#list.into_iter().map(|velocity| velocity[0]).collect())
            }
            _ if member.is_chain => match member.group.structure() {
                Some(_) => {
                    let velocity = of_vector(quote!(velocity));
                    quote!(#list.into_iter().map(|velocity| #velocity).collect())
                }
                None => list,
            },
            (Some(_), true) => quote!({ let list = #list; ::core::array::from_fn(|member| list[member][0]) }),
            (Some(_), false) => {
                let velocity = of_vector(quote!(list[member]));
                quote!({ let list = #list; ::core::array::from_fn(|member| #velocity) })
            }
            (None, true) => quote!(#list[0][0]),
            (None, false) => of_vector(quote!(#list[0])),
        };
        quote!(#name: #value)
    });
    quote!(Velocity { #(#fields),* })
}

/// Emits `From<Velocity>` for components, and the opposite conversion for a fixed number of components.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    let [components, _] = vectors(plan, &quote!(S));
    let body = if plan.unrolled().is_some() { to_offsets(plan) } else { to_list(plan) };
    let back = plan.unrolled().map(|_| {
        let fields = of_offsets(plan);
        quote! {
            impl<S: Scalar> From<#components> for Velocity<S> {
                #[inline]
                fn from(components: #components) -> Self {
                    let components = &components;
                    #fields
                }
            }
        }
    });
    quote! {
        #back
        impl<S: Scalar> From<Velocity<S>> for #components {
            /// Returns the components of the free members; clamped members have no components.
            #[inline]
            fn from(velocity: Velocity<S>) -> Self {
                #body
            }
        }
    }
}

fn to_offsets(plan: &Plan<'_>) -> TokenStream {
    let [components, _] = vectors(plan, &quote!(S));
    let (offsets, _) = plan.model.offsets();
    let stores = plan.model.configuration.members.iter().zip(offsets).flat_map(|(member, offset)| {
        let (name, size) = (&member.name, member.group.dimension());
        (0..member.count.unwrap_or(1)).map(move |element| {
            let at = n(offset + element * size);
            let element = n(element);
            let subscript = member.count.map(|_| quote!([#element]));
            let place = quote!(velocity.#name #subscript);
            if is_scalar(member) {
                quote!(components[#at] = #place;)
            } else if member.group.structure().is_some() {
                let size = n(size);
                quote!(rt::set_part(&mut components, #at, &SVector::<S, #size>::from(#place));)
            } else {
                quote!(rt::set_part(&mut components, #at, &#place);)
            }
        })
    });
    quote! {
        let mut components: #components = rt::zeros();
        #(#stores)*
        components
    }
}

fn to_list(plan: &Plan<'_>) -> TokenStream {
    let fields = plan.model.configuration.members.iter().map(|member| {
        let size = n(member.group.dimension());
        let members = slice(member, &quote!(velocity));
        let members = if is_scalar(member) {
            quote!(&(#members).iter().map(|value| SVector::<S, 1>::from_element(*value)).collect::<::std::vec::Vec<_>>())
        } else if member.group.structure().is_some() {
            quote!(&(#members).iter().map(|value| SVector::<S, #size>::from(*value)).collect::<::std::vec::Vec<_>>())
        } else {
            members
        };
        let [first, last] = member.clamped;
        quote!(rt::chain_velocity_components::<S, #size>(#members, [#first, #last], &mut components);)
    });
    quote! {
        let mut components = ::std::vec::Vec::new();
        #(#fields)*
        rt::DVector::from_vec(components)
    }
}
