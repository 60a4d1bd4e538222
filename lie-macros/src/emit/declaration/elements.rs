//! Of a system over members: every function with every element.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Call, Reading, comparison, frames, implementation, is_whole, n};
use crate::emit::elements::arguments::{Names, given};
use crate::emit::elements::{Context, Kind};
use crate::emit::environment::slot;

/// The implementation.
pub(in crate::emit) fn emit(context: &Context<'_>) -> TokenStream {
    let kinds = context.kinds.iter().map(|kind| of_kind(context, kind)).chain(frames::of_frames(context));
    let (functions, statements): (TokenStream, TokenStream) = kinds.unzip();
    implementation(context.model, &quote!(DVector<f64>), &functions, &statements)
}

/// The functions of a kind of elements.
fn of_kind(context: &Context<'_>, kind: &Kind<'_>) -> (TokenStream, TokenStream) {
    let model = &kind.element.model;
    let Names { members, velocities } = Names::new(context, kind, &quote!(f64));
    let names = quote!(#members #velocities);
    let slots = kind.element.over.iter().map(|selection| selection.part.slots()).sum();
    let comparisons = kind.equations.functions.iter().map(|read| {
        let function = &model.functions[read.function];
        let (graph, rate) = (&kind.equations.graph, read.rate.as_deref());
        let reading = Reading { model, graph, function, entries: &read.entries, rate };
        let arguments = function.arguments.iter().map(|argument| given(kind, argument, &quote!(self)));
        let arguments: Vec<TokenStream> = arguments.collect();
        let members = if is_whole(function) {
            quote!(q,)
        } else {
            let slots = (0..slots).map(slot);
            quote!(#(#slots,)*)
        };
        let runs = kind.element.over.iter().any(|selection| selection.part.runs());
        comparison(
            &reading,
            &Call {
                names: &names,
                arguments: &arguments,
                numbers: [quote!(place.index), quote!(place.length)],
                members: &members,
                element: if runs { quote!(Some(place.index)) } else { quote!(None) },
            },
        )
    });
    let (functions, statements): (TokenStream, TokenStream) = comparisons.unzip();
    let number = n(kind.number);
    let body = quote! {
        for place in self.structure.layout().kinds[#number].places() {
            #names
            #statements
        }
    };
    (functions, body)
}
