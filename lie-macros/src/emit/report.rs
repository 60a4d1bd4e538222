//! Names for tables and files: `Report` and `ParameterSet`.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Context;
use super::parameters::parameters_are_generic;
use crate::emit::names::own;
use crate::model::{ArgumentKind, Model, ParameterKind, Role};

/// Both implementations.
pub(crate) fn emit(context: &Context<'_>) -> TokenStream {
    let report = report(context);
    let parameters = parameters(context.model);
    quote! { #report #parameters }
}

fn report(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let members: Vec<_> = model.configuration.members.iter().map(|member| &member.name).collect();
    let names: Vec<String> = members.iter().map(ToString::to_string).collect();
    let constraints = context.equations.constraints.declared.iter().map(|constraint| {
        let name = model.functions[constraint.function].name.to_string();
        let offset = Literal::usize_unsuffixed(constraint.offset);
        let rows = Literal::usize_unsuffixed(constraint.rows);
        quote!((#name, rt::IntoValue::into_value(rt::part::<f64, __ROWS, #rows>(multipliers, #offset))))
    });
    let observables = model.with_role(|role| matches!(role, Role::Observable)).map(|function| {
        let (name, text) = (own(&function.name), function.name.to_string());
        let arguments = function.arguments.iter().map(|argument| match argument.kind {
            ArgumentKind::Parameters => quote!(&self.parameters),
            ArgumentKind::Time => quote!(t),
            ArgumentKind::Velocity => quote!(&Velocity::from(*v)),
            _ => quote!(q),
        });
        quote!((#text, rt::IntoValue::into_value(#name(#(#arguments),*))))
    });
    quote! {
        impl rt::Report for System<f64> {
            fn report_configuration(&self, q: &Self::Configuration) -> rt::Value {
                rt::record([#((#names, rt::IntoValue::into_value(q.#members))),*])
            }
            fn report_velocity(&self, v: &Self::Velocity) -> rt::Value {
                let v = Velocity::from(*v);
                rt::record([#((#names, rt::IntoValue::into_value(v.#members))),*])
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

/// The implementation of `ParameterSet`.
pub(super) fn parameters(model: &Model) -> TokenStream {
    let Some(parameters) = &model.parameters else { return quote!() };
    let name = own(&parameters.item.ident);
    let ty = if parameters_are_generic(model) { quote!(#name<f64>) } else { quote!(#name) };
    let known: Vec<_> = parameters.entries.iter().filter(|entry| entry.kind.is_settable()).collect();
    let access: Vec<_> = known.iter().map(|entry| &entry.access).collect();
    let names: Vec<&str> = known.iter().map(|entry| entry.name.as_str()).collect();
    let setters = known.iter().map(|entry| {
        let (text, access) = (&entry.name, &entry.access);
        match entry.kind {
            ParameterKind::Scalar => quote!(#text => rt::set_scalar(#text, &mut self #access, components)),
            ParameterKind::VectorArray(..) => quote!(#text => rt::set_vectors(#text, &mut self #access, components)),
            ParameterKind::ScalarArray(_) => quote!(#text => rt::set_scalars(#text, &mut self #access, components)),
            _ => quote!(#text => rt::set_matrix(#text, &mut self #access, components)),
        }
    });
    quote! {
        impl rt::ParameterSet for #ty {
            fn names() -> &'static [&'static str] {
                &[#(#names),*]
            }
            fn get(&self, name: &str) -> Option<rt::Value> {
                match name {
                    #(#names => Some(rt::IntoValue::into_value(self #access .clone())),)*
                    _ => None,
                }
            }
            fn set(&mut self, name: &str, components: &[f64]) -> Result<(), rt::ModelError> {
                match name {
                    #(#setters,)*
                    _ => Err(rt::unknown_parameter(name, <Self as rt::ParameterSet>::names())),
                }
            }
        }
    }
}
