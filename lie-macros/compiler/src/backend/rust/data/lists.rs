//! The check that lists contain all items that terms read, when a system is created.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::environment::{Environment, Scope, subscript_value};
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::print::print;
use crate::diff::ListRead;
use crate::interp::ListSource;
use crate::model::{Model, SlotMembers};
use crate::scalar::Graph;
use crate::schedule::{Plan, Term};

/// Emits statements that report the first list that is too short, or longer than its chain requires.
pub(crate) fn check(plan: &Plan<'_>) -> TokenStream {
    let of_members = plan.terms.iter().map(|term| {
        let number = n(term.number);
        let places = match plan.unrolled() {
            Some(_) => quote!([rt::ElementLocation::EVERYTHING].into_iter()),
            None => quote!(layout.kinds[#number].places()),
        };
        let reads = of(&term.equations.reads, &term.equations.graph, &term.model, term.number, term.runs());
        (quote!(#places.map(|place| (place.index, place.length))), reads)
    });
    let of_frames = plan.frames.iter().flat_map(|frames| {
        let joints = frames.joints.iter().map(|joint| {
            let field = n(joint.field);
            let length = quote!(layout.spans[#field].length);
            let recursion = of(&joint.recursion.reads, &joint.recursion.graph, &joint.model, joint.number, true);
            (quote!((0..#length).map(|index| (index, #length))), recursion)
        });
        let length = quote!(tree.links().len());
        let terms = frames.terms.iter().map(move |term| {
            let reads = of(&term.equations.reads, &term.equations.graph, &term.model, term.number, term.runs());
            {
                let numbers = frame_numbers(term, &length);
                (quote!((#numbers).map(|index| (index, #length))), reads)
            }
        });
        joints.chain(terms)
    });
    let blocks: Vec<TokenStream> = of_members
        .chain(of_frames)
        .filter(|(_, reads)| !reads.is_empty())
        .map(|(places, reads)| {
            quote! {
                for (index, length) in #places {
                    #(#reads)*
                }
            }
        })
        .collect();
    if blocks.is_empty() {
        return quote!();
    }
    let lists = plan.model.parameters.iter().flat_map(|parameters| &parameters.lists).map(|list| {
        let (name, access) = (&list.name, &list.access);
        quote!((#name, parameters #access .len()))
    });
    quote! {
        {
            let lists = [#(#lists),*];
            let mut reads = rt::ListReads::new(&lists);
            #(#blocks)*
            reads.finish()?;
        }
    }
}

/// Returns the indices of the frames of a term.
fn frame_numbers(term: &Term, length: &TokenStream) -> TokenStream {
    match term.over[0].part {
        SlotMembers::First => quote!(0..1),
        SlotMembers::Last => quote!(#length - 1..#length),
        SlotMembers::At(index) => {
            let (from, to) = (n(index), n(index + 1));
            quote!(#from..#to)
        }
        _ => quote!(0..#length),
    }
}

/// Emits one statement for each item that is read, as a function of `index` and `length`.
fn of(reads: &[ListRead], graph: &Graph, model: &Model, number: usize, runs: bool) -> Vec<TokenStream> {
    let names = Environment { model, number, scope: Scope::Free };
    let reads = reads.iter().map(|read| {
        let ListRead { list, at, condition, function, text } = read;
        let all = runs && at.counts();
        let list = match list {
            ListSource::Parameter(list) => {
                let list = n(*list);
                quote!(rt::Listing::Parameter(#list))
            }
            ListSource::Table(name, length) => {
                let length = n(*length);
                quote!(rt::Listing::Table(#name, #length))
            }
        };
        let at = subscript_value(*at);
        let read = quote! {
            reads.read(&rt::ListRead { list: #list, at: #at, all: #all, function: #function, text: #text }, index, length)?;
        };
        match condition {
            None => read,
            Some(condition) => {
                // Indices of elements are not scalars of the system: here they have the type `f64`.
                let printed = print(graph, &[*condition], None, &names);
                let (statements, holds) = (&printed.statements, &printed.outputs[0]);
                quote! {
                    let is_read = {
                        type S = f64;
                        #(#statements)*
                        #holds
                    };
                    if is_read {
                        #read
                    }
                }
            }
        }
    });
    reads.collect()
}
