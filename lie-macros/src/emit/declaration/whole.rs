//! Of a system without elements: every function sees all of it.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Call, Reading, comparison, implementation};
use crate::emit::Context;
use crate::model::{Argument, ArgumentKind};

/// The implementation.
pub(in crate::emit) fn emit(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let equations = context.equations;
    let names = quote!(let own = *v;);
    let comparisons = equations.functions.iter().map(|read| {
        let function = &model.functions[read.function];
        let rate = read.rate.as_deref();
        let reading = Reading { model, graph: &equations.graph, function, entries: &read.entries, rate };
        let arguments: Vec<TokenStream> = function.arguments.iter().map(given).collect();
        comparison(
            &reading,
            &Call {
                names: &names,
                arguments: &arguments,
                numbers: [quote!(0), quote!(1)],
                members: &quote!(q,),
                element: quote!(None),
            },
        )
    });
    let (functions, statements): (TokenStream, TokenStream) = comparisons.unzip();
    implementation(model, &quote!(SVector<f64, __DOF>), &functions, &quote!(#names #statements))
}

fn given(argument: &Argument) -> TokenStream {
    match argument.kind {
        ArgumentKind::Parameters => quote!(&self.parameters),
        ArgumentKind::Time => quote!(t),
        ArgumentKind::Configuration => quote!(q),
        ArgumentKind::Velocity => quote!(&Velocity::from(own)),
        // A system without elements has none of these.
        _ => quote!(),
    }
}
