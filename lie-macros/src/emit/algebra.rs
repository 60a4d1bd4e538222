//! The group operations of the product: every factor's own, on its part of a velocity.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Context;
use super::structs::group_type;
use crate::model::Group;

/// A factor: how it is written in `q`, and its part of a velocity.
pub(crate) struct Factor {
    pub group: Group,
    /// `.attitude` or `.links[2]`.
    pub access: TokenStream,
    pub offset: usize,
}

/// All factors in order.
pub(crate) fn factors(context: &Context<'_>) -> Vec<Factor> {
    let mut offset = 0;
    let mut factors = Vec::new();
    for member in &context.model.configuration.members {
        let name = &member.name;
        for element in 0..member.count.unwrap_or(1) {
            let access = if member.count.is_some() {
                let element = Literal::usize_unsuffixed(element);
                quote!(.#name[#element])
            } else {
                quote!(.#name)
            };
            factors.push(Factor { group: member.group, access, offset });
            offset += member.group.dimension();
        }
    }
    factors
}

/// `rt::part::<S, __DOF, N>(vector, offset)`.
pub(crate) fn part(vector: &TokenStream, factor: &Factor) -> TokenStream {
    let size = Literal::usize_unsuffixed(factor.group.dimension());
    let offset = Literal::usize_unsuffixed(factor.offset);
    quote!(rt::part::<S, __DOF, #size>(#vector, #offset))
}

/// The methods `compose_exp`, `log_difference`, `tangent`, `tangent_inverse`, `configuration_is_finite`, `worst_member`,
/// `renormalize`.
pub(crate) fn emit(context: &Context<'_>) -> TokenStream {
    let factors = factors(context);
    let theta = quote!(theta);
    let compose = factors.iter().map(|factor| {
        let (ty, access, theta) = (group_type(factor.group, &quote!(S)), &factor.access, part(&theta, factor));
        quote!(<#ty as Factor>::compose_exp_into(&q #access, &#theta, &mut out #access);)
    });
    let log = factors.iter().map(|factor| {
        let (ty, access) = (group_type(factor.group, &quote!(S)), &factor.access);
        let offset = Literal::usize_unsuffixed(factor.offset);
        quote! {
            rt::set_part(out, #offset, &<#ty as Factor>::log_difference(&from #access, &to #access));
        }
    });
    let operator = |method: TokenStream| {
        factors
            .iter()
            .map(|factor| {
                let ty = group_type(factor.group, &quote!(S));
                let offset = Literal::usize_unsuffixed(factor.offset);
                let (theta, v) = (part(&theta, factor), part(&quote!(v), factor));
                quote!(rt::set_part(out, #offset, &<#ty as Factor>::#method(&#theta, &#v));)
            })
            .collect::<Vec<_>>()
    };
    let tangent = operator(quote!(tangent));
    let inverse = operator(quote!(tangent_inverse));
    let finite = factors.iter().map(|factor| {
        let (ty, access) = (group_type(factor.group, &quote!(S)), &factor.access);
        quote!(<#ty as Factor>::is_finite(&q #access))
    });
    let defects = context.model.configuration.members.iter().map(|member| {
        let (name, text) = (&member.name, member.name.to_string());
        if member.count.is_some() {
            quote!(rt::defect_of_all(#text, &q.#name))
        } else {
            quote!(::core::option::Option::Some(rt::defect_of(#text, &q.#name)))
        }
    });
    let renormalize = factors.iter().map(|factor| {
        let (ty, access) = (group_type(factor.group, &quote!(S)), &factor.access);
        quote!(<#ty as Factor>::renormalize(&mut q #access);)
    });
    let state = on_tangent_bundles(&factors);
    quote! {
        #state
        #[inline]
        fn compose_exp(&self, q: &Self::Configuration, theta: &Self::Velocity, out: &mut Self::Configuration) {
            #(#compose)*
        }
        fn log_difference(&self, from: &Self::Configuration, to: &Self::Configuration, out: &mut Self::Velocity) {
            #(#log)*
        }
        #[inline]
        fn tangent(&self, theta: &Self::Velocity, v: &Self::Velocity, out: &mut Self::Velocity) {
            #(#tangent)*
        }
        #[inline]
        fn tangent_inverse(&self, theta: &Self::Velocity, v: &Self::Velocity, out: &mut Self::Velocity) {
            #(#inverse)*
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

/// The methods `move_state`, `state_rate`, `state_direction` where SE(3) acts on the tangent bundles of spheres.
fn on_tangent_bundles(factors: &[Factor]) -> Option<TokenStream> {
    let spheres: Vec<_> = factors.iter().filter(|factor| factor.group.is_sphere()).collect();
    if spheres.is_empty() {
        return None;
    }
    let offsets: Vec<_> = spheres.iter().map(|sphere| Literal::usize_unsuffixed(sphere.offset)).collect();
    let access: Vec<_> = spheres.iter().map(|sphere| &sphere.access).collect();
    Some(quote! {
        #[inline]
        fn move_state(
            &self,
            (q, v): (&Self::Configuration, &Self::Velocity),
            xi: (&Self::Velocity, &Self::Velocity),
            out: (&mut Self::Configuration, &mut Self::Velocity),
        ) {
            <Self as rt::MechanicalSystem>::compose_exp(self, q, xi.0, out.0);
            *out.1 = *v + *xi.1;
            #(out.0 #access = rt::move_with_velocity(&q #access, v, xi, #offsets, out.1);)*
        }
        #[inline]
        fn state_rate(
            &self,
            sigma: (&Self::Velocity, &Self::Velocity),
            direction: (&Self::Velocity, &Self::Velocity),
            out: (&mut Self::Velocity, &mut Self::Velocity),
        ) {
            <Self as rt::MechanicalSystem>::tangent_inverse(self, sigma.0, direction.0, out.0);
            *out.1 = *direction.1;
            #(rt::rate_with_velocity(sigma, direction, #offsets, (&mut *out.0, &mut *out.1));)*
        }
        fn remove_spins(&self, q: &Self::Configuration, v: &mut Self::Velocity) -> f64 {
            let mut square = 0.0;
            #(square += rt::remove_spin(&q #access, v, #offsets);)*
            square.sqrt()
        }
        #[inline]
        fn state_direction(&self, q: &Self::Configuration, acceleration: &Self::Velocity, out: &mut Self::Velocity) {
            *out = *acceleration;
            #(rt::set_part(out, #offsets, &rt::turning(&q #access, &rt::part::<S, __DOF, 3>(acceleration, #offsets)));)*
        }
    })
}
