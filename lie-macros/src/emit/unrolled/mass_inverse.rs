//! M⁻¹, block by block: held by the system where M is constant, computed where it is not.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::emit::environment::Home;
use crate::emit::kernels::printed;
use crate::emit::names;
use crate::plan::{KernelId, Solve, Term};

/// How many entries of M⁻¹ the system holds: none if M changes.
pub(in crate::emit) fn stored_entries(term: &Term, solve: &Solve) -> usize {
    if term.equations.inertia.is_constant { solve.mass_inverse.len() } else { 0 }
}

/// Statements that compute `mass_inverse`, the structural nonzeros of M⁻¹, block by block.
pub(in crate::emit) fn statements(term: &Term, solve: &Solve, home: Home) -> TokenStream {
    let printed = printed(term, home, term.kernels.outputs(KernelId::MassBlocks));
    let statements = &printed.statements;
    let size = Literal::usize_unsuffixed(solve.mass_inverse.len());
    let blocks = term.equations.inertia.blocks.iter().map(|block| {
        let n = Literal::usize_unsuffixed(block.len());
        let entry = |i: usize, j: usize| solve.mass_inverse[&(i.min(j), i.max(j))];
        let rows = block.iter().map(|&i| {
            let entries = block.iter().map(|&j| &printed.outputs[entry(i, j)]);
            quote!([#(#entries),*])
        });
        let components = block.iter().map(|&i| Literal::usize_unsuffixed(i));
        let failure = match home {
            Home::Free => {
                let members: Vec<String> = (0..term.equations.inertia.mass.len())
                    .map(|component| {
                        let (offsets, _) = term.model.offsets();
                        let at = offsets.partition_point(|&offset| offset <= component) - 1;
                        names::text(&term.model.configuration.members[at].name)
                    })
                    .collect();
                quote!(rt::ModelError::MassNotPositiveDefinite { member: [#(#members),*][component] })
            }
            _ => quote!(rt::SaddleError::MassNotPositiveDefinite { component }),
        };
        let stores = block.iter().enumerate().flat_map(|(row, &i)| {
            block[row..].iter().enumerate().map(move |(step, &j)| {
                let position = Literal::usize_unsuffixed(entry(i, j));
                let (row, column) = (Literal::usize_unsuffixed(row), Literal::usize_unsuffixed(row + step));
                quote!(mass_inverse[#position] = inverse[#row][#column];)
            })
        });
        quote! {
            let inverse = rt::inverse_of_block::<S, #n>([#(#rows),*]).map_err(|failed| {
                let component = [#(#components),*][failed];
                #failure
            })?;
            #(#stores)*
        }
    });
    quote! {
        #(#statements)*
        let mut mass_inverse = [<S as Scalar>::from_f64(0.0); #size];
        #(#blocks)*
    }
}
