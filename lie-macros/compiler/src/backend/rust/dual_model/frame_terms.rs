//! Declared values of terms that connect or constrain frames. They are terms over members, with the declared frames as members.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::declared::{self, DeclaredFunctions, TermBodies};
use crate::backend::rust::codegen::arguments::ArgumentNames;
use crate::backend::rust::codegen::environment::slot;
use crate::backend::rust::codegen::n;
use crate::schedule::{Plan, Term};

/// Returns the declared values of a term.
pub(super) fn bodies(plan: &Plan<'_>, term: &Term) -> TermBodies {
    let group = term.model.configuration.members[0].group;
    let moved = (0..term.slots()).map(|at| declared::displacement(group, &slot(at).to_token_stream()));
    let frames = quote!({
        let mut moved = ::std::vec::Vec::new();
        #(moved.extend_from_slice(&#moved);)*
        moved
    });
    let functions = DeclaredFunctions { frames: Some(frames), ..DeclaredFunctions::of_members(term) };
    let (values, rates, number) = (functions.values(None), functions.rates(), n(term.number));
    let with_names = |motions: TokenStream, s: &TokenStream, body: TokenStream| {
        let ArgumentNames { members, velocities } = ArgumentNames::new(plan, term, s);
        quote!(let motions = #motions; #members #velocities #body)
    };
    TermBodies {
        declared: with_names(quote!(declared_frames::<S>(lifted, t, q, v)), &quote!(Dual<S>), values),
        rates: with_names(quote!(rt::motions_in_order::<Self, Recursion>(self, t, q, v.as_slice())), &quote!(S), rates),
        rate_gradient: quote! {
            rt::frame_rate_gradient::<Self, Recursion>(self, (#number, place.element), (t, q, v.as_slice()), out);
        },
    }
}
