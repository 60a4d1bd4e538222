//! The KKT solution: the elimination of v' and λ.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::environment::Scope;
use crate::backend::rust::terms::kernels::{into, printed, stores};
use crate::schedule::{KernelId, Term};

/// Emits the elimination of the acceleration, a small dense system for the multipliers, and the back substitution.
pub(super) fn emit(term: &Term, redundant: bool) -> TokenStream {
    let rows = term.equations.constraints.rows();
    let accelerate = stores(term, Scope::Term, term.kernels.outputs(KernelId::Acceleration), into("acceleration"));
    if rows == 0 {
        return quote! { #accelerate Ok(()) };
    }
    let printed = printed(term, Scope::Term, term.kernels.outputs(KernelId::Schur));
    let statements = &printed.statements;
    let (matrix, right) = printed.outputs.split_at(rows * rows);
    let lines = matrix.chunks(rows).map(|line| quote!([#(#line),*]));
    let solve = if redundant { quote!(rt::solve_redundant_multipliers) } else { quote!(rt::solve_multipliers) };
    quote! {
        let (schur, right) = {
            #(#statements)*
            ([#(#lines),*], [#(#right),*])
        };
        *multipliers = #solve::<S, __ROWS>(schur, right)?;
        #accelerate
        Ok(())
    }
}
