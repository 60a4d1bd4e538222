//! The rates of declared quantities, as functions beside them.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::environment::Home;
use super::parameters::parameters_are_generic;
use super::print::print;
use super::{Context, Environment};
use crate::emit::names::own;
use crate::model::{ArgumentKind, Output};

/// One function for each quantity.
pub(crate) fn emit(context: &Context<'_>) -> Vec<TokenStream> {
    let model = context.model;
    let configuration = &own(&model.configuration.item.ident);
    context
        .equations
        .rates
        .iter()
        .map(|rate| {
            let function = &model.functions[rate.function];
            let visibility = &function.visibility;
            let name = format_ident!("{}_rate", function.name);
            let quantity = function.name.to_string();
            let doc = format!("The rate of [`{quantity}`] along a motion with velocity `v`.");
            let arguments = function.arguments.iter().map(|argument| match argument.kind {
                ArgumentKind::Parameters => {
                    let ty = model.parameters.as_ref().map(|parameters| own(&parameters.item.ident));
                    if parameters_are_generic(context.model) {
                        quote!(parameters: &#ty<S>)
                    } else {
                        quote!(parameters: &#ty)
                    }
                }
                ArgumentKind::Time => quote!(t: S),
                ArgumentKind::Configuration => quote!(q: &#configuration<S>),
                ArgumentKind::Velocity => quote!(v: &Velocity<S>),
                kind => bug!("a system without elements has no argument {kind:?}"),
            });
            let names = Environment { model, home: Home::Argument };
            let printed = print(&context.equations.graph, &rate.entries, None, &names);
            let (statements, outputs) = (&printed.statements, &printed.outputs);
            let (output, value) = match function.output {
                Output::Scalar => (quote!(S), quote!(#(#outputs)*)),
                _ => {
                    let rows = proc_macro2::Literal::usize_unsuffixed(outputs.len());
                    (quote!(::lie_runtime::__private::SVector<S, #rows>), quote!(rt::vector([#(#outputs),*])))
                }
            };
            quote! {
                #[doc = #doc]
                #[allow(dead_code, clippy::all, clippy::pedantic, unused_variables, unused_parens, unused_imports)]
                #visibility fn #name<S: ::lie_runtime::scalar::Scalar>(
                    #(#arguments,)*
                    velocity: &Velocity<S>,
                ) -> #output {
                    use ::lie_runtime::__private as rt;
                    use ::lie_runtime::__private::Scalar;
                    let v = rt::SVector::from(*velocity);
                    #(#statements)*
                    #value
                }
            }
        })
        .collect()
}
