//! The kernels of a term: as statements, and as methods of the trait that the runtime knows them by.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Environment;
use super::arguments::slots;
use super::environment::Home;
use super::inputs;
use super::names::{ident, own};
use super::print::{Printed, print, print_stores};
use crate::graph::Scalar;
use crate::plan::{Inputs, KernelId, Output, Plan, Term};

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

/// How what these kernels make is inlined: short ones always, but in builds for tests, where compiling costs more than running.
pub(super) fn inlining(term: &Term, ids: &[KernelId]) -> TokenStream {
    if term.is_short(ids) {
        quote! {
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
        }
    } else {
        quote!(#[inline])
    }
}

/// A kernel as a method: of `Element`, or of the system itself if the term is all of it.
pub(super) fn method(plan: &Plan<'_>, term: &Term, id: KernelId) -> TokenStream {
    let (configuration, name) = (own(&plan.model.configuration.item.ident), ident(id.name()));
    let is_whole = plan.unrolled().is_some();
    let (home, receiver, members, [vector, rows]) = if is_whole {
        (Home::System, quote!(&self), quote!(), [quote!(Self::Velocity), quote!(Self::Multipliers)])
    } else {
        let receiver = quote!(system: &System<S>, place: &rt::Place<'_>);
        (Home::Term, receiver, slots(plan, term), [quote!(Self::Vector), quote!(Self::Rows)])
    };
    let (inputs, output) = id.signature();
    let inputs = match inputs {
        Inputs::Nothing => quote!(),
        Inputs::Velocity => quote!(v: &#vector,),
        Inputs::State => quote!(v: &#vector, acceleration: &#vector, multipliers: &#rows,),
    };
    let given = inputs::found_by(term, id, &if is_whole { quote!(self) } else { quote!(system) }, is_whole);
    let out = match output {
        Output::Number => {
            let value = value(term, home, id);
            return quote! {
                fn #name(#receiver, t: S, q: &#configuration<S>, #inputs) -> S {
                    #members
                    #given
                    #value
                }
            };
        }
        Output::Vector => vector,
        Output::Rows => rows,
        Output::Matrix => quote!(Self::Matrix),
        Output::Jacobian => quote!(Self::Jacobian),
    };
    let body = match (is_whole, output) {
        (false, _) if !term.has(id) => quote!(*out = rt::Block::zeros();),
        (true, Output::Matrix) => stores(term, home, term.kernels.outputs(id), into_matrix(term.dof())),
        // What a whole system keeps of B are the entries that change.
        (true, Output::Jacobian) => stores(term, home, term.kernels.outputs(KernelId::StoredJacobian), into("out")),
        _ => stores(term, home, term.kernels.outputs(id), into("out")),
    };
    let inlining = if is_whole { inlining(term, &[id]) } else { quote!(#[inline]) };
    quote! {
        #inlining
        fn #name(#receiver, t: S, q: &#configuration<S>, #inputs out: &mut #out) {
            #members
            #given
            #body
        }
    }
}
