//! Momenta: M v.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::emit::environment::Home;
use crate::emit::kernels::printed;
use crate::plan::{KernelId, Term};

/// The implementation of `Covectors`.
pub(super) fn emit(term: &Term) -> TokenStream {
    let momentum = momentum(term);
    quote! {
        impl<S: Scalar> rt::Covectors for System<S> {
            #[inline]
            fn momentum(&self, t: S, q: &Self::Configuration, v: &Self::Velocity, out: &mut Self::Velocity) {
                #momentum
            }
        }
    }
}

/// M v without the structural zeros of M.
fn momentum(term: &Term) -> TokenStream {
    let (graph, dof, outputs) = (&term.equations.graph, term.dof(), term.kernels.outputs(KernelId::MassMatrix));
    let printed = printed(term, Home::System, outputs);
    let statements = &printed.statements;
    let rows = (0..dof).map(|row| {
        let at = Literal::usize_unsuffixed(row);
        let terms = (0..dof).filter(|column| !graph.is_zero(outputs[row * dof + column])).map(|column| {
            let (entry, column) = (&printed.outputs[row * dof + column], Literal::usize_unsuffixed(column));
            quote!((#entry) * v[#column])
        });
        quote!(out[#at] = #(#terms)+*;)
    });
    quote!(#(#statements)* #(#rows)*)
}
