//! Names for tables and files.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Context;
use crate::emit::names::own;
use crate::emit::structs::velocity_type;
use crate::model::{ArgumentKind, Part, Role, RoleFunction};

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
        let (name, text) = (own(&function.name), function.name.to_string());
        if let Some(over) = &function.over {
            let value = over_frames(context, function, over[0].part);
            return quote!((#text, #value));
        }
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

/// The value of an observable over frames: a list if it runs over all of them.
fn over_frames(context: &Context<'_>, function: &RoleFunction, part: Part) -> TokenStream {
    let Some(kinematics) = &context.model.kinematics else { return quote!(rt::record([])) };
    let (name, dimension) = (own(&function.name), Literal::usize_unsuffixed(kinematics.frame.dimension()));
    let is_scalar = velocity_type(kinematics.frame, &quote!(S)).to_string() == "S";
    let arguments = function.arguments.iter().map(|argument| match argument.kind {
        ArgumentKind::Parameters => quote!(&self.parameters),
        ArgumentKind::Time => quote!(t),
        ArgumentKind::Velocities(_) if is_scalar => quote!(&at.velocity[0]),
        ArgumentKind::Velocities(_) => quote!(&SVector::<f64, #dimension>::from(at.velocity)),
        ArgumentKind::Index => quote!(index),
        ArgumentKind::Length => quote!(length),
        _ => quote!(&at.frame),
    });
    let value = quote!(rt::IntoValue::into_value(#name(#(#arguments),*)));
    let motions = quote!(let motions = rt::motions_of::<Self, Recursion>(self, t, q, v.as_slice()););
    let single = |position: TokenStream| {
        quote!({
            #motions
            let (index, length) = (#position, motions.len());
            let at = &motions[index];
            #value
        })
    };
    match part {
        Part::First => single(quote!(0)),
        Part::Last => single(quote!(motions.len() - 1)),
        Part::At(position) => {
            let position = Literal::usize_unsuffixed(position);
            single(quote!(#position))
        }
        _ => quote!({
            #motions
            let length = motions.len();
            rt::Value::List(motions.iter().enumerate().map(|(index, at)| #value).collect())
        }),
    }
}
