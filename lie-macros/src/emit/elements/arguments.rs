//! What the declared functions of an element are given: its members, their velocities, the parameters, numbers.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::{Context, Kind, dimensions, slots};
use crate::emit::environment::slot;
use crate::emit::structs::velocity_type;
use crate::model::{Argument, ArgumentKind};

fn n(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}

/// The slots of the selection at `at`.
fn slots_of(kind: &Kind<'_>, at: usize) -> core::ops::Range<usize> {
    let slots = |end: usize| kind.element.over[..end].iter().map(|selection| selection.part.slots()).sum::<usize>();
    slots(at)..slots(at + 1)
}

/// One value, or an array of as many as the selection has members.
fn grouped(kind: &Kind<'_>, at: usize, values: &[TokenStream]) -> TokenStream {
    match kind.element.model.configuration.members[at].count {
        Some(_) => quote!([#(#values),*]),
        None => quote!(#(#values)*),
    }
}

fn members(kind: &Kind<'_>, at: usize) -> TokenStream {
    let values: Vec<TokenStream> = slots_of(kind, at).map(slot).map(|slot| quote!(#slot)).collect();
    grouped(kind, at, &values)
}

fn velocity(at: usize) -> Ident {
    format_ident!("velocity_{at}")
}

pub(in crate::emit) fn velocities(kind: &Kind<'_>, at: usize) -> TokenStream {
    let values: Vec<TokenStream> = slots_of(kind, at).map(velocity).map(|velocity| quote!(&#velocity)).collect();
    grouped(kind, at, &values)
}

/// What is given for an argument; `system` is the system whose parameters these are.
pub(in crate::emit) fn given(kind: &Kind<'_>, argument: &Argument, system: &TokenStream) -> TokenStream {
    match argument.kind {
        ArgumentKind::Parameters => quote!(&#system.parameters),
        ArgumentKind::Time => quote!(t),
        ArgumentKind::Index => quote!(place.index),
        ArgumentKind::Length => quote!(place.length),
        ArgumentKind::Configuration => quote!(q),
        ArgumentKind::Velocity => quote!(&#system.velocity(v)),
        ArgumentKind::Members(at) => members(kind, at),
        ArgumentKind::Velocities(at) => velocities(kind, at),
    }
}

/// Statements that name the members, and the velocity of the element and those of its members.
pub(in crate::emit) struct Names {
    pub members: TokenStream,
    pub velocities: TokenStream,
}

impl Names {
    /// `s` is the number type of velocities.
    pub fn new(context: &Context<'_>, kind: &Kind<'_>, s: &TokenStream) -> Names {
        let configuration = &kind.element.model.configuration;
        let sizes: Vec<Literal> = dimensions(configuration).into_iter().map(n).collect();
        let total = n(configuration.dof());
        let mut statements = vec![quote! {
            let own: SVector<#s, #total> = rt::element_velocity(&place, &[#(#sizes),*], v.as_slice());
        }];
        let mut offset = 0;
        for at in 0..kind.element.over.len() {
            let group = configuration.members[at].group;
            let is_scalar = velocity_type(group, s).to_string() == s.to_string();
            for slot in slots_of(kind, at) {
                let (name, first, size) = (velocity(slot), n(offset), n(group.dimension()));
                statements.push(if is_scalar {
                    quote!(let #name = own[#first];)
                } else {
                    quote!(let #name = rt::part::<#s, #total, #size>(&own, #first);)
                });
                offset += group.dimension();
            }
        }
        Names { members: slots(context, kind), velocities: quote!(#(#statements)*) }
    }
}
