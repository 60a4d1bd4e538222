//! Arguments of the declared functions of a term: members, velocities, parameters and scalars.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::environment::slot;
use super::members::Members;
use super::n;
use super::types::{dimensions, velocity_of_vector, velocity_type};
use crate::model::{Argument, ArgumentKind, RoleFunction, is_of_states};
use crate::schedule::{Plan, Term};

/// Returns the slots of the selection at `at`.
fn slots_of(term: &Term, at: usize) -> core::ops::Range<usize> {
    let slots = |end: usize| term.over[..end].iter().map(|selection| selection.part.slots()).sum::<usize>();
    slots(at)..slots(at + 1)
}

/// Returns the call of a declared function of the whole state at `t`, `q` and `v`.
pub(crate) fn called(function: &RoleFunction) -> TokenStream {
    let name = &function.name;
    let arguments = of_state(function);
    quote!(self::#name(#arguments))
}

/// Returns the arguments of a function of the whole state.
pub(crate) fn of_state(function: &RoleFunction) -> TokenStream {
    let arguments = function.arguments.iter().map(|argument| match argument.kind {
        ArgumentKind::Parameters => quote!(&self.parameters),
        ArgumentKind::Inputs => quote!(&self.inputs_at(t, q, v)),
        ArgumentKind::Time => quote!(t),
        ArgumentKind::Velocity => quote!(&self.velocity(v)),
        ArgumentKind::States => quote!(&self.velocity(v).states),
        ArgumentKind::Multipliers => quote!(&self.multipliers(multipliers)),
        _ => quote!(q),
    });
    quote!(#(#arguments),*)
}

/// Returns one value, or an array with one value for each member of the selection.
fn grouped(term: &Term, at: usize, values: &[TokenStream]) -> TokenStream {
    match term.model.configuration.members[at].count {
        Some(_) => quote!([#(#values),*]),
        None => quote!(#(#values)*),
    }
}

fn members(term: &Term, at: usize) -> TokenStream {
    let values: Vec<TokenStream> = slots_of(term, at).map(slot).map(|slot| quote!(#slot)).collect();
    grouped(term, at, &values)
}

fn velocity(at: usize) -> Ident {
    format_ident!("velocity_{at}")
}

pub(crate) fn velocities(term: &Term, at: usize) -> TokenStream {
    let values: Vec<TokenStream> = slots_of(term, at).map(velocity).map(|velocity| quote!(&#velocity)).collect();
    grouped(term, at, &values)
}

/// Returns the tokens of an argument, for given `inputs`; `system` is the system with the parameters.
pub(crate) fn given(term: &Term, argument: &Argument, system: &TokenStream) -> TokenStream {
    match argument.kind {
        ArgumentKind::Parameters => quote!(&#system.parameters),
        ArgumentKind::Inputs => quote!(&inputs),
        ArgumentKind::Time => quote!(t),
        ArgumentKind::Index => quote!(place.index),
        ArgumentKind::Length => quote!(place.length),
        ArgumentKind::Configuration => quote!(q),
        ArgumentKind::Velocity => quote!(&#system.velocity(v)),
        ArgumentKind::States => match term.model.configuration.members.iter().position(is_of_states) {
            Some(at) if term.model.is_part => velocities(term, at),
            _ => quote!(&#system.velocity(v).states),
        },
        // Functions of a term have no such argument.
        ArgumentKind::Multipliers => quote!(),
        ArgumentKind::Members(at) => members(term, at),
        ArgumentKind::Velocities(at) => velocities(term, at),
    }
}

/// Returns the velocity of the term as `own`; `s` is its scalar type.
fn own_velocity(plan: &Plan<'_>, term: &Term, s: &TokenStream) -> TokenStream {
    if plan.unrolled().is_some() {
        return quote!(let own = *v;);
    }
    let total = n(term.dof());
    if plan.joins_frames(term) {
        let size = n(term.dof() / term.slots());
        return quote! {
            let own: SVector<#s, #total> =
                SVector::from_fn(|at, _| motions[place.members[at / #size]].velocity[at % #size]);
        };
    }
    let sizes = dimensions(&term.model.configuration).into_iter().map(n);
    quote!(let own: SVector<#s, #total> = rt::element_velocity(&place, &[#(#sizes),*], v.as_slice());)
}

/// Statements that name the members, the velocity of the term, and the velocities of its members.
pub(crate) struct ArgumentNames {
    pub members: TokenStream,
    pub velocities: TokenStream,
}

impl ArgumentNames {
    /// Creates the names; `s` is the scalar type of velocities.
    pub fn new(plan: &Plan<'_>, term: &Term, s: &TokenStream) -> ArgumentNames {
        let own = own_velocity(plan, term, s);
        if plan.unrolled().is_some() {
            // Functions of the whole state have the arguments q and v.
            return ArgumentNames { members: quote!(), velocities: own };
        }
        let configuration = &term.model.configuration;
        let total = n(configuration.dof());
        let mut statements = vec![own];
        let mut offset = 0;
        for at in 0..term.over.len() {
            let group = configuration.members[at].group;
            let is_scalar = velocity_type(group, s).to_string() == s.to_string();
            for slot in slots_of(term, at) {
                let (name, first, size) = (velocity(slot), n(offset), n(group.dimension()));
                statements.push(if is_scalar {
                    quote!(let #name = own[#first];)
                } else {
                    let own = velocity_of_vector(group, quote!(rt::part::<#s, #total, #size>(&own, #first)));
                    quote!(let #name = #own;)
                });
                offset += group.dimension();
            }
        }
        ArgumentNames { members: Members::of_term(plan, term).named(), velocities: quote!(#(#statements)*) }
    }
}
