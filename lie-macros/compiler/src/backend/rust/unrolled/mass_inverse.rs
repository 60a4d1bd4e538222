//! M⁻¹, block by block: stored in the system if M is constant, otherwise computed in every evaluation.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::environment::Scope;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names;
use crate::backend::rust::terms::kernels::printed;
use crate::schedule::{KeptInverse, KernelId, MassBlocks, Solve, Term};

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
    let (statements, MassBlocks { entries, factors, .. }) = (&printed.statements, &solve.mass_blocks);
    let size = n(solve.mass_inverse.size());
    let (mass, eliminated) = printed.outputs.split_at(entries.len());
    let (values, checked) = eliminated.split_at(factors.len());
    let mass: Mass = entries.iter().copied().zip(mass).collect();
    let factors = values.iter().zip(entries.len()..).map(|(value, place)| {
        let place = n(place);
        quote!(mass_inverse[#place] = #value;)
    });
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
    let mut checked = checked.chunks_exact(2);
    let blocks = solve.mass_inverse.blocks.iter().map(|block| match &block.kept {
        KeptInverse::Entries(places) => inverse(&block.components, places, &mass, &failure),
        KeptInverse::Factors(steps) => {
            let pivots = steps.iter().zip(&mut checked).map(|(step, values)| {
                let component = n(step.component);
                quote!((#component, #(#values),*))
            });
            quote!(rt::check_pivots(&[#(#pivots),*])?;)
        }
    });
    quote! {
        #members
        #(#statements)*
        let mut mass_inverse = [<S as Scalar>::from_f64(0.0); #size];
        #(#blocks)*
        #(#factors)*
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
