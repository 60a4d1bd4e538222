//! Names for tables and files: `Report`.

use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use crate::backend::rust::codegen::arguments::of_state;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names;
use crate::backend::rust::codegen::names::own;
use crate::backend::rust::codegen::types::velocity_type;
use crate::backend::rust::data::multipliers;
use crate::model::{Argument, ArgumentKind, Model, Role, RoleFunction, SlotMembers};
use crate::schedule::Plan;

/// Emits the implementation.
pub(crate) fn emit(plan: &Plan<'_>) -> TokenStream {
    let model = plan.model;
    let written = model.configuration.as_written();
    let fields = |of: &str| {
        let of = format_ident!("{of}");
        let fields = written.members.iter().map(|member| {
            let (name, text) = (&member.name, names::text(&member.name));
            quote!((#text, rt::IntoValue::into_value(#of.#name.clone())))
        });
        fields.collect::<Vec<_>>()
    };
    let (configuration, velocity) = (fields("q"), fields("v"));
    let members: Vec<_> = written.members.iter().map(|member| &member.name).collect();
    let states = states(model);
    let constraints = multipliers::constraints(plan);
    let fields: Vec<_> = constraints.iter().map(|constraint| constraint.name).collect();
    let texts: Vec<_> = fields.iter().map(|name| names::text(name)).collect();
    let by_name = (!fields.is_empty()).then(|| quote!(let multipliers = self.multipliers(multipliers);));
    let inputs = model.inputs.as_ref().map(|inputs| {
        let fields = inputs.fields.iter().map(|field| {
            let (name, text) = (&field.name, names::text(&field.name));
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
        let (text, value) = (names::text(&function.name), observable(model, function));
        quote!((#text, #value))
    });
    let visited = visit_observables(model);
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
                #by_name
                rt::record([#((#texts, rt::IntoValue::into_value(multipliers.#fields))),*])
            }
            #inputs
            #states
            #[inline]
            fn report_observables(&self, t: f64, q: &Self::Configuration, v: &Self::Velocity) -> rt::Value {
                rt::record([#(#observables),*])
            }
            #[inline]
            fn visit_configuration(&self, q: &Self::Configuration, visit: &mut dyn ::core::ops::FnMut(f64)) {
                #(rt::IntoValue::visit(&q.#members, visit);)*
            }
            #[inline]
            fn visit_velocity(&self, v: &Self::Velocity, visit: &mut dyn ::core::ops::FnMut(f64)) {
                let v = self.velocity(v);
                #(rt::IntoValue::visit(&v.#members, visit);)*
            }
            #[inline]
            fn visit_multipliers(&self, multipliers: &Self::Multipliers, visit: &mut dyn ::core::ops::FnMut(f64)) {
                #by_name
                #(rt::IntoValue::visit(&multipliers.#fields, visit);)*
            }
            #visited
        }
    }
}

/// Emits the methods for the auxiliary states, if there are any.
fn states(model: &Model) -> Option<TokenStream> {
    let structure = model.configuration.states()?.group.structure()?;
    let names: Vec<_> = structure.fields.iter().map(|(name, _)| names::ident(name)).collect();
    let texts = names.iter().map(names::text);
    if model.configuration.states_over.is_some() {
        return Some(quote! {
            #[inline]
            fn report_states(&self, v: &Self::Velocity) -> rt::Value {
                rt::IntoValue::into_value(self.velocity(v).states)
            }
            #[inline]
            fn visit_states(&self, v: &Self::Velocity, visit: &mut dyn ::core::ops::FnMut(f64)) {
                rt::IntoValue::visit(&self.velocity(v).states, visit);
            }
        });
    }
    Some(quote! {
        #[inline]
        fn report_states(&self, v: &Self::Velocity) -> rt::Value {
            let z = self.velocity(v).states;
            rt::record([#((#texts, rt::IntoValue::into_value(z.#names))),*])
        }
        #[inline]
        fn visit_states(&self, v: &Self::Velocity, visit: &mut dyn ::core::ops::FnMut(f64)) {
            let z = self.velocity(v).states;
            #(rt::IntoValue::visit(&z.#names, visit);)*
        }
    })
}

/// Visits the scalars of observables without creating a list, if none is over frames.
fn visit_observables(model: &Model) -> Option<TokenStream> {
    let observables: Vec<_> = model.with_role(|role| matches!(role, Role::Observable)).collect();
    if model.kinematics.is_some() && observables.iter().any(|function| function.over.is_some()) {
        return None;
    }
    let visited = observables.into_iter().map(|function| {
        let (span, returned) = (function.output_type.span(), returned(function, &of_state(function)));
        // The argument name belongs to this code, even if the type comes from the user.
        let visit = quote!(visit);
        quote_spanned!(span=> rt::IntoValue::visit(&#returned, #visit);)
    });
    Some(quote! {
        #[inline]
        fn visit_observables(
            &self,
            t: f64,
            q: &Self::Configuration,
            v: &Self::Velocity,
            visit: &mut dyn ::core::ops::FnMut(f64),
        ) {
            #(#visited)*
        }
    })
}

/// Returns the value of an observable; an observable over all frames is a list.
fn observable(model: &Model, function: &RoleFunction) -> TokenStream {
    let (Some(over), Some(kinematics)) = (&function.over, &model.kinematics) else {
        return value_of(function, &of_state(function));
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
        SlotMembers::First => single(quote!(0)),
        SlotMembers::Last => single(quote!(motions.len() - 1)),
        SlotMembers::At(position) => {
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

/// Returns the result of an observable, as a value.
fn value_of(function: &RoleFunction, arguments: &TokenStream) -> TokenStream {
    let (span, returned) = (function.output_type.span(), returned(function, arguments));
    quote_spanned!(span=> rt::IntoValue::into_value(#returned))
}

/// Returns the result of an observable; a type that cannot be written is an error at this type.
fn returned(function: &RoleFunction, arguments: &TokenStream) -> TokenStream {
    let span = function.output_type.span();
    let at_type = |mut token: TokenTree| {
        token.set_span(span);
        token
    };
    let name: TokenStream = own(&function.name).into_iter().map(at_type).collect();
    quote_spanned!(span=> #name(#arguments))
}
