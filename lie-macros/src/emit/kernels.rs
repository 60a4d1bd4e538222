//! The kernels of a term as statements.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Environment;
use super::environment::Home;
use super::names::ident;
use super::print::{Printed, print, print_stores};
use crate::graph::Scalar;
use crate::plan::{KernelId, Term};

fn environment(term: &Term, home: Home) -> Environment<'_> {
    Environment { model: &term.model, number: term.number, home }
}

/// The statements and values of some outputs.
pub(super) fn printed(term: &Term, home: Home, outputs: &[Scalar]) -> Printed {
    print(&term.equations.graph, outputs, Some(&term.hoisted), &environment(term, home))
}

/// The statements of some outputs; `store` puts each, given its position and its value.
pub(super) fn stores(
    term: &Term,
    home: Home,
    outputs: &[Scalar],
    store: impl Fn(usize, &TokenStream) -> TokenStream,
) -> TokenStream {
    print_stores(&term.equations.graph, outputs, Some(&term.hoisted), &environment(term, home), store)
}

/// A kernel of one output as a block.
pub(super) fn value(term: &Term, home: Home, id: KernelId) -> TokenStream {
    let printed = printed(term, home, term.kernels.outputs(id));
    let (statements, value) = (&printed.statements, &printed.outputs[0]);
    quote! { #(#statements)* #value }
}

/// Stores in a vector of that name.
pub(super) fn into(vector: &str) -> impl Fn(usize, &TokenStream) -> TokenStream {
    let vector = ident(vector);
    move |at, value| {
        let at = Literal::usize_unsuffixed(at);
        quote!(#vector[#at] = #value;)
    }
}

/// Stores rows of so many entries in a matrix `out`.
pub(super) fn into_matrix(columns: usize) -> impl Fn(usize, &TokenStream) -> TokenStream {
    move |at, value| {
        let (row, column) = (Literal::usize_unsuffixed(at / columns), Literal::usize_unsuffixed(at % columns));
        quote!(out[(#row, #column)] = #value;)
    }
}
