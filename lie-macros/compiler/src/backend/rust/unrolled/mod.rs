//! Unrolled systems with one term: the KKT solution and the Hamiltonian.

mod correction;
mod hamiltonian;
mod kkt;
pub(crate) mod mass_inverse;
mod solve;

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::n;
use crate::schedule::{Plan, Solve, Term};

/// Emits the implementations.
pub(crate) fn emit(plan: &Plan<'_>, term: &Term, solve: &Solve) -> TokenStream {
    let hamiltonian = hamiltonian::emit(plan, term);
    let solve = solve::emit(plan, term, solve);
    let dof = n(term.dof());
    let rows = n(term.equations.constraints.rows());
    quote! {
        const __DOF: usize = #dof;
        const __ROWS: usize = #rows;
        #solve
        #hamiltonian
    }
}
