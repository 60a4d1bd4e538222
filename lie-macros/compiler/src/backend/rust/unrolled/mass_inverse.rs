//! M⁻¹, block by block: stored in the system if M is constant, otherwise computed in every evaluation.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::environment::Scope;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names;
use crate::backend::rust::terms::kernels::printed;
use crate::schedule::{EliminationStep, KeptInverse, KernelId, Solve, Term};

/// Returns the number of scalars of M⁻¹ that the system stores: zero if M is not constant.
pub(crate) fn stored_entries(term: &Term, solve: &Solve) -> usize {
    if term.equations.inertia.is_constant { solve.mass_inverse.size() } else { 0 }
}

/// Entries of M with row ≤ column, as tokens.
type Mass<'p> = BTreeMap<(usize, usize), &'p TokenStream>;

/// Emits statements that compute `mass_inverse`, the stored scalars of M⁻¹, block by block.
pub(crate) fn statements(term: &Term, solve: &Solve, scope: Scope) -> TokenStream {
    let inertia = &term.equations.inertia;
    let printed = printed(term, scope, term.kernels.outputs(KernelId::MassBlocks));
    let statements = &printed.statements;
    let size = n(solve.mass_inverse.size());
    let entries = solve.mass_inverse.entries_of_mass(inertia, &term.equations.graph);
    let mass: Mass = entries.into_iter().zip(&printed.outputs).collect();
    let (members, failure) = match scope {
        Scope::Free => {
            let count = n(inertia.mass.len());
            let (offsets, _) = term.model.offsets();
            let members = (0..inertia.mass.len()).map(|component| {
                let at = offsets.partition_point(|&offset| offset <= component) - 1;
                names::text(&term.model.configuration.members[at].name)
            });
            let failure = quote!(rt::ModelError::MassNotPositiveDefinite { member: MEMBERS[component] });
            (quote!(const MEMBERS: [&str; #count] = [#(#members),*];), failure)
        }
        Scope::Term => (quote!(), quote!(rt::KktError::MassNotPositiveDefinite { component })),
    };
    let blocks = solve.mass_inverse.blocks.iter().map(|block| match &block.kept {
        KeptInverse::Entries(places) => inverse(&block.components, places, &mass, &failure),
        KeptInverse::Factors(pivots) => factors(pivots, &mass, &failure),
    });
    quote! {
        #members
        #(#statements)*
        let mut mass_inverse = [<S as Scalar>::from_f64(0.0); #size];
        #(#blocks)*
    }
}

/// Returns the entries of the inverse.
fn inverse(
    block: &[usize],
    places: &BTreeMap<(usize, usize), usize>,
    mass: &Mass<'_>,
    failure: &TokenStream,
) -> TokenStream {
    let size = n(block.len());
    let components = block.iter().map(|&i| n(i));
    let rows = block.iter().map(|&i| {
        let entries = block.iter().map(|&j| mass[&(i.min(j), i.max(j))]);
        quote!([#(#entries),*])
    });
    let stores = block.iter().enumerate().flat_map(|(row, &i)| {
        block[row..].iter().enumerate().map(move |(step, &j)| {
            let place = n(places[&(i, j)]);
            let (row, column) = (n(row), n(row + step));
            quote!(mass_inverse[#place] = inverse[#row][#column];)
        })
    });
    quote! {
        let inverse = rt::inverse_of_block::<S, #size>([#(#rows),*]).map_err(|failed| {
            let component = [#(#components),*][failed];
            #failure
        })?;
        #(#stores)*
    }
}

/// Unrolled factors of an elimination: zeros are skipped.
fn factors(pivots: &[EliminationStep], mass: &Mass<'_>, failure: &TokenStream) -> TokenStream {
    let local_diagonal = |i: usize| names::local(&format!("diagonal_{i}"));
    let name = |i: usize, j: usize| names::local(&format!("mass_{}_{}", i.min(j), i.max(j)));
    let (size, mut statements) = (n(pivots.len()), Vec::new());
    let mut known = BTreeSet::new();
    for EliminationStep { component, coupled, .. } in pivots {
        for i in coupled.iter().map(|(i, _)| *i).chain([*component]) {
            let place = (i.min(*component), i.max(*component));
            if let Some(entry) = mass.get(&place) {
                let name = name(place.0, place.1);
                statements.push(quote!(let #name = #entry;));
                known.insert(place);
            }
        }
        let (name, diagonal) = (name(*component, *component), local_diagonal(*component));
        statements.push(quote!(let #diagonal = #name;));
    }
    for EliminationStep { component, reciprocal, coupled } in pivots {
        let (pivot, diagonal) = (name(*component, *component), local_diagonal(*component));
        let (at, number) = (n(*reciprocal), n(*component));
        statements.push(quote! {
            let reciprocal = rt::reciprocal_of_pivot::<S, #size>(#pivot, #diagonal).ok_or_else(|| {
                let component: usize = #number;
                #failure
            })?;
            mass_inverse[#at] = reciprocal;
        });
        for &(other, place) in coupled {
            let entry = name(other, *component);
            let (place, factor) = (n(place), names::local(&format!("factor_{other}")));
            statements.push(quote! {
                let #factor = #entry * reciprocal;
                mass_inverse[#place] = #factor;
            });
        }
        for (at, &(i, _)) in coupled.iter().enumerate() {
            let factor = names::local(&format!("factor_{i}"));
            for &(j, _) in &coupled[at..] {
                let (updated, place) = (name(i, j), (i.min(j), i.max(j)));
                let entry = name(j, *component);
                // An entry that was zero is filled in.
                let is_new = known.insert(place);
                let value = if is_new {
                    quote!(-(#factor * #entry))
                } else {
                    quote!(Scalar::mul_add(-#factor, #entry, #updated))
                };
                statements.push(quote!(let #updated = #value;));
            }
        }
    }
    quote!(#(#statements)*)
}
