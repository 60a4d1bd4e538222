//! Systems that are one term over everything: what solves, and the Hamiltonian.

mod correction;
mod hamiltonian;
pub(super) mod mass_inverse;
mod saddle;
mod solve;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::plan::{Plan, Solve, Term};

/// The implementations.
pub(super) fn emit(plan: &Plan<'_>, term: &Term, solve: &Solve) -> TokenStream {
    let hamiltonian = hamiltonian::emit(plan, term);
    let solve = solve::emit(plan, term, solve);
    let dof = Literal::usize_unsuffixed(term.dof());
    let rows = Literal::usize_unsuffixed(term.equations.constraints.rows());
    quote! {
        const __DOF: usize = #dof;
        const __ROWS: usize = #rows;
        #solve
        #hamiltonian
    }
}
