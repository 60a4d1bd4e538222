//! The members that a kernel reads, under the names `slot_0`, `slot_1`, …: only members that are read get a name.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use super::environment::slot;
use super::n;
use super::names::named_in;
use crate::model::{Model, SlotMembers};
use crate::schedule::{Plan, Term};

/// The names and expressions of members.
pub(crate) struct Members(Vec<(Ident, TokenStream)>);

impl Members {
    /// Creates names for `&q.nodes[place.members[0]]` and so on; frames come from `motions`.
    pub fn of_term(plan: &Plan<'_>, term: &Term) -> Members {
        let place = |at: usize| {
            let at = n(at);
            quote!(place.members[#at])
        };
        let mut members = Vec::new();
        if plan.joins_frames(term) {
            members.extend((0..term.slots()).map(place).map(|at| quote!(&motions[#at].frame)));
            return Members::numbered(members);
        }
        for selection in &term.over {
            let member = &plan.model.configuration.members[selection.field];
            let name = &member.name;
            for element in 0..selection.part.slots() {
                let at = match selection.part {
                    SlotMembers::Whole(_) => n(element).into_token_stream(),
                    _ => place(members.len()),
                };
                let subscript = member.is_run().then(|| quote!([#at]));
                members.push(quote!(&q.#name #subscript));
            }
        }
        Members::numbered(members)
    }

    /// Creates names for `&q.attitude` and so on, for all members except chains.
    pub fn of_all(model: &Model) -> Members {
        let of_member = model.configuration.members.iter().flat_map(|member| {
            let name = &member.name;
            (0..member.count.unwrap_or(1)).map(move |element| {
                let element = n(element);
                let subscript = member.count.map(|_| quote!([#element]));
                quote!(&q.#name #subscript)
            })
        });
        Members::numbered(of_member.collect())
    }

    fn numbered(members: Vec<TokenStream>) -> Members {
        Members(members.into_iter().enumerate().map(|(at, member)| (slot(at), member)).collect())
    }

    /// Emits statements that name all members.
    pub fn named(&self) -> TokenStream {
        let statements = self.0.iter().map(|(name, member)| quote!(let #name = #member;));
        quote!(#(#statements)*)
    }

    /// Emits the body of a kernel, after the names of the members that it reads.
    pub fn read_by(&self, body: &TokenStream) -> TokenStream {
        let names: Vec<String> = self.0.iter().map(|(name, _)| name.to_string()).collect();
        let read = named_in(body.clone(), &names).into_iter().zip(&self.0).filter(|(is_read, _)| *is_read);
        let statements = read.map(|(_, (name, member))| quote!(let #name = #member;));
        quote!(#(#statements)* #body)
    }
}
