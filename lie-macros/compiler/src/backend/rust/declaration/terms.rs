//! Comparison of terms over members: every function for every element.

use proc_macro2::TokenStream;
use quote::quote;

use super::comparison::{CallComparison, DerivedFunction, comparison, sees_all};
use crate::backend::rust::codegen::arguments::{ArgumentNames, given};
use crate::backend::rust::codegen::environment::slot;
use crate::backend::rust::codegen::n;
use crate::schedule::{Frames, Plan, Term};

/// Emits the derived functions of a term, and the statements of the comparison.
pub(super) fn of_term(plan: &Plan<'_>, term: &Term) -> (TokenStream, TokenStream) {
    let ArgumentNames { members, velocities } = ArgumentNames::new(plan, term, &quote!(f64));
    let names = quote!(#members #velocities);
    let joins = plan.joins_frames(term);
    // The velocity of frames on a moving base, at zero joint velocity, is not part of v.
    let moves = joins && plan.frames.as_ref().is_some_and(Frames::drift);
    let comparisons = term.equations.functions.iter().map(|declared| {
        let derived = DerivedFunction::of_term(term, declared, joins);
        let function = derived.function;
        let arguments = function.arguments.iter().map(|argument| given(term, argument, &quote!(self)));
        let arguments: Vec<TokenStream> = arguments.collect();
        let slots = (0..term.slots()).map(slot);
        let members = if sees_all(function) { quote!(q,) } else { quote!(#(#slots,)*) };
        comparison(
            &derived,
            &CallComparison {
                names: &names,
                arguments: &arguments,
                numbers: [quote!(place.index), quote!(place.length)],
                members: &members,
                element: if term.runs() { quote!(Some(place.index)) } else { quote!(None) },
                along: if moves { quote!(along) } else { quote!(own) },
            },
        )
    });
    let (functions, statements): (TokenStream, TokenStream) = comparisons.unzip();
    let number = n(term.number);
    let places = match plan.unrolled() {
        Some(_) => quote!([rt::ElementLocation::EVERYTHING]),
        None => quote!(self.structure.layout().kinds[#number].places()),
    };
    let motions =
        joins.then(|| quote!(let motions = rt::motions_in_order::<Self, Recursion>(self, t, q, v.as_slice());));
    let still = moves
        .then(|| quote!(let still = rt::motions_in_order::<Self, Recursion>(self, t, q, &::std::vec![0.0; v.len()]);));
    let along = moves.then(|| {
        let (total, size) = (n(term.dof()), n(term.dof() / term.slots()));
        quote! {
            let along = own
                - SVector::<f64, #total>::from_fn(|at, _| still[place.members[at / #size]].velocity[at % #size]);
        }
    });
    let body = quote! {
        #motions
        #still
        for place in #places {
            #names
            #along
            #statements
        }
    };
    (functions, body)
}
