//! Systems that are one term: straight-line kernels of everything, with what solves, as methods of the runtime's traits.

mod covectors;
mod hamiltonian;
mod iteration;
mod linearised;
pub(super) mod mass_inverse;
mod mechanical;
mod saddle;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::plan::{Plan, Solve, Term};

/// The implementations.
pub(super) fn emit(plan: &Plan<'_>, term: &Term, solve: &Solve) -> TokenStream {
    let mechanical = mechanical::emit(plan, term, solve);
    let linearised = linearised::emit(plan, term);
    let covectors = covectors::emit(term);
    let hamiltonian = hamiltonian::emit(plan, term);
    let dof = Literal::usize_unsuffixed(term.dof());
    let rows = Literal::usize_unsuffixed(term.equations.constraints.rows());
    quote! {
        const __DOF: usize = #dof;
        const __ROWS: usize = #rows;
        #mechanical
        #linearised
        #covectors
        #hamiltonian
    }
}
