//! Names for tables and files: `Report`.

use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::Ident;
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
    let members: Vec<_> = written.members.iter().map(|member| &member.name).collect();
    let (configuration, velocity) = (fields(&quote!(q), &members), fields(&quote!(v), &members));
    let constraints = multipliers::constraints(plan);
    let constraints: Vec<_> = constraints.iter().map(|constraint| constraint.name).collect();
    let multipliers = fields(&quote!(multipliers), &constraints);
    let by_name = (!constraints.is_empty()).then(|| quote!(let multipliers = self.multipliers(multipliers);));
    let inputs = model.inputs.as_ref().map(|inputs| {
        let names: Vec<_> = inputs.fields.iter().map(|field| &field.name).collect();
        let record = record(&quote!(inputs), &names);
        quote! {
            #[inline]
            fn report_inputs(&self, t: f64, q: &Self::Configuration, v: &Self::Velocity) -> rt::Value {
                let inputs = self.inputs_at(t, q, v);
                #record
            }
        }
    });
    let states = states(model);
    let observables = model.with_role(|role| matches!(role, Role::Observable)).map(|function| {
        let (span, text, value) =
            (function.output_type.span(), names::text(&function.name), observable(model, function));
        // The argument name belongs to this code, even if the type comes from the user.
        let visit = quote!(visit);
        quote_spanned!(span=> #visit(#text, &#value);)
    });
    quote! {
        impl rt::Report for System<f64> {
            #[inline]
            fn visit_configuration_fields(&self, q: &Self::Configuration, visit: rt::FieldVisitor<'_>) {
                #configuration
            }
            #[inline]
            fn visit_velocity_fields(&self, v: &Self::Velocity, visit: rt::FieldVisitor<'_>) {
                let v = self.velocity(v);
                #velocity
            }
            #[inline]
            fn visit_multiplier_fields(&self, multipliers: &Self::Multipliers, visit: rt::FieldVisitor<'_>) {
                #by_name
                #multipliers
            }
            #[inline]
            fn visit_observable_fields(
                &self,
                t: f64,
                q: &Self::Configuration,
                v: &Self::Velocity,
                visit: rt::FieldVisitor<'_>,
            ) {
                #(#observables)*
            }
            #inputs
            #states
        }
    }
}

/// Emits a visit of these fields of a struct.
fn fields(of: &TokenStream, names: &[&Ident]) -> TokenStream {
    let texts = names.iter().map(|name| names::text(name));
    quote!(#(visit(#texts, &#of.#names);)*)
}

/// Emits the record of these fields of a struct.
fn record(of: &TokenStream, names: &[&Ident]) -> TokenStream {
    let texts = names.iter().map(|name| names::text(name));
    quote!(rt::record([#((#texts, rt::ToValue::to_value(&#of.#names))),*]))
}

/// Emits the record of the auxiliary states, if there are any.
fn states(model: &Model) -> Option<TokenStream> {
    let structure = model.configuration.states()?.group.structure()?;
    let value = if model.configuration.states_over.is_some() {
        quote!(rt::ToValue::to_value(&states))
    } else {
        let names: Vec<_> = structure.fields.iter().map(|(name, _)| names::ident(name)).collect();
        record(&quote!(states), &names.iter().collect::<Vec<_>>())
    };
    Some(quote! {
        #[inline]
        fn report_states(&self, v: &Self::Velocity) -> rt::Value {
            let states = self.velocity(v).states;
            #value
        }
    })
}

/// Returns the value of an observable; an observable over all frames is a list.
fn observable(model: &Model, function: &RoleFunction) -> TokenStream {
    let (Some(over), Some(kinematics)) = (&function.over, &model.kinematics) else {
        return returned(function, &of_state(function));
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
    let value = returned(function, &quote!(#(#arguments),*));
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
            rt::Value::List(motions.iter().enumerate().map(|(index, at)| rt::ToValue::to_value(&#value)).collect())
        }),
    }
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
