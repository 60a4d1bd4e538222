//! Names for tables and files: `Report`.

use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::structs::velocity_type;
use crate::emit::names::own;
use crate::model::{Argument, ArgumentKind, Model, Part, Role, RoleFunction};
use crate::plan::Plan;

fn n(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}

/// The implementation.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    let model = plan.model;
    let fields = |of: &str| {
        let of = format_ident!("{of}");
        let fields = model.configuration.members.iter().map(|member| {
            let (name, text) = (&member.name, member.name.to_string());
            quote!((#text, rt::IntoValue::into_value(#of.#name.clone())))
        });
        fields.collect::<Vec<_>>()
    };
    let (configuration, velocity) = (fields("q"), fields("v"));
    let constraints = multipliers(plan);
    let inputs = model.inputs.as_ref().map(|inputs| {
        let fields = inputs.fields.iter().map(|field| {
            let (name, text) = (&field.name, field.name.to_string());
            quote!((#text, rt::IntoValue::into_value(inputs.#name)))
        });
        quote! {
            #[inline]
            fn report_inputs(&self, t: f64, q: &Self::Configuration, v: &Self::Velocity) -> rt::Value {
                let inputs = self.inputs_at(t, q, v);
                rt::record([#(#fields),*])
            }
        }
    });
    let observables = model.with_role(|role| matches!(role, Role::Observable)).map(|function| {
        let (text, value) = (function.name.to_string(), observable(model, function));
        quote!((#text, #value))
    });
    quote! {
        impl rt::Report for System<f64> {
            #[inline]
            fn report_configuration(&self, q: &Self::Configuration) -> rt::Value {
                rt::record([#(#configuration),*])
            }
            #[inline]
            fn report_velocity(&self, v: &Self::Velocity) -> rt::Value {
                let v = self.velocity(v);
                rt::record([#(#velocity),*])
            }
            #[inline]
            fn report_multipliers(&self, multipliers: &Self::Multipliers) -> rt::Value {
                rt::record([#(#constraints),*])
            }
            #inputs
            #[inline]
            fn report_observables(&self, t: f64, q: &Self::Configuration, v: &Self::Velocity) -> rt::Value {
                rt::record([#(#observables),*])
            }
        }
    }
}

/// The multipliers of each constraint under its name.
fn multipliers(plan: &Plan<'_>) -> Vec<TokenStream> {
    let mut entries = Vec::new();
    for term in &plan.terms {
        for (at, constraint) in term.equations.constraints.declared.iter().enumerate() {
            let name = term.model.functions[constraint.function].name.to_string();
            let (number, at, rows, runs) = (n(term.number), n(at), n(constraint.rows), term.runs());
            entries.push(if plan.unrolled().is_some() {
                let first = n(constraint.offset);
                quote!((#name, rt::segment(#first, #rows, multipliers.as_slice())))
            } else {
                let kind = quote!(&self.structure.layout().kinds[#number]);
                quote!((#name, rt::segments(#kind, #at, #rows, #runs, multipliers.as_slice())))
            });
        }
    }
    entries
}

/// The value of an observable: of one over frames a list if it runs over all of them.
fn observable(model: &Model, function: &RoleFunction) -> TokenStream {
    let (Some(over), Some(kinematics)) = (&function.over, &model.kinematics) else {
        let arguments = function.arguments.iter().map(|argument| match argument.kind {
            ArgumentKind::Parameters => quote!(&self.parameters),
            ArgumentKind::Inputs => quote!(&self.inputs_at(t, q, v)),
            ArgumentKind::Time => quote!(t),
            ArgumentKind::Velocity => quote!(&self.velocity(v)),
            _ => quote!(q),
        });
        return value_of(function, &quote!(#(#arguments),*));
    };
    let dimension = n(kinematics.frame.dimension());
    let is_scalar = velocity_type(kinematics.frame, &quote!(S)).to_string() == "S";
    let arguments = function.arguments.iter().map(|argument: &Argument| match argument.kind {
        ArgumentKind::Parameters => quote!(&self.parameters),
        ArgumentKind::Inputs => quote!(&self.inputs_at(t, q, v)),
        ArgumentKind::Time => quote!(t),
        ArgumentKind::Velocities(_) if is_scalar => quote!(&at.velocity[0]),
        ArgumentKind::Velocities(_) => quote!(&SVector::<f64, #dimension>::from(at.velocity)),
        ArgumentKind::Index => quote!(index),
        ArgumentKind::Length => quote!(length),
        _ => quote!(&at.frame),
    });
    let value = value_of(function, &quote!(#(#arguments),*));
    let motions = quote!(let motions = rt::motions_of::<Self, Recursion>(self, t, q, v.as_slice()););
    let single = |position: TokenStream| {
        quote!({
            #motions
            let (index, length) = (#position, motions.len());
            let at = &motions[index];
            #value
        })
    };
    match over[0].part {
        Part::First => single(quote!(0)),
        Part::Last => single(quote!(motions.len() - 1)),
        Part::At(position) => {
            let position = n(position);
            single(quote!(#position))
        }
        _ => quote!({
            #motions
            let length = motions.len();
            rt::Value::List(motions.iter().enumerate().map(|(index, at)| #value).collect())
        }),
    }
}

/// What an observable returns: what cannot be written is an error at its type.
fn value_of(function: &RoleFunction, arguments: &TokenStream) -> TokenStream {
    let span = function.output_type.span();
    let at_type = |mut token: TokenTree| {
        token.set_span(span);
        token
    };
    let name: TokenStream = own(&function.name).into_iter().map(at_type).collect();
    quote_spanned!(span=> rt::IntoValue::into_value(#name(#arguments)))
}
