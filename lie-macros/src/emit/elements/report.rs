//! Names for tables and files.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Context;
use crate::model::{ArgumentKind, Role};

/// The implementation of `Report`.
pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let fields = |of: &str| {
        let of = quote::format_ident!("{of}");
        model
            .configuration
            .members
            .iter()
            .map(|member| {
                let (name, text) = (&member.name, member.name.to_string());
                if member.is_chain {
                    quote!((#text, rt::IntoValue::into_value(#of.#name.clone())))
                } else {
                    quote!((#text, rt::IntoValue::into_value(#of.#name)))
                }
            })
            .collect::<Vec<_>>()
    };
    let (configuration, velocity) = (fields("q"), fields("v"));
    let constraints = context.kinds.iter().flat_map(|kind| {
        let runs = kind.element.over.iter().any(|selection| selection.part.runs());
        let number = Literal::usize_unsuffixed(kind.number);
        kind.equations.constraints.declared.iter().enumerate().map(move |(at, constraint)| {
            let name = kind.element.model.functions[constraint.function].name.to_string();
            let (at, rows) = (Literal::usize_unsuffixed(at), Literal::usize_unsuffixed(constraint.rows));
            quote! {
                (#name, rt::segments(&self.structure.layout().kinds[#number], #at, #rows, #runs, multipliers.as_slice()))
            }
        })
    });
    let observables = model.with_role(|role| matches!(role, Role::Observable)).map(|function| {
        let name = &function.name;
        let text = name.to_string();
        let arguments = function.arguments.iter().map(|argument| match argument.kind {
            ArgumentKind::Parameters => quote!(&self.parameters),
            ArgumentKind::Time => quote!(t),
            ArgumentKind::Velocity => quote!(&self.velocity(v)),
            _ => quote!(q),
        });
        quote!((#text, rt::IntoValue::into_value(#name(#(#arguments),*))))
    });
    quote! {
        impl rt::Report for System<f64> {
            fn report_configuration(&self, q: &Self::Configuration) -> rt::Value {
                rt::record([#(#configuration),*])
            }
            fn report_velocity(&self, v: &Self::Velocity) -> rt::Value {
                let v = self.velocity(v);
                rt::record([#(#velocity),*])
            }
            fn report_multipliers(&self, multipliers: &Self::Multipliers) -> rt::Value {
                rt::record([#(#constraints),*])
            }
            fn report_observables(&self, t: f64, q: &Self::Configuration, v: &Self::Velocity) -> rt::Value {
                rt::record([#(#observables),*])
            }
        }
    }
}
