//! The rates of declared quantities, as functions in the module of the declaration.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::backend::rust::codegen::environment::{Environment, Scope, slot};
use crate::backend::rust::codegen::group_elements::group_type;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::own;
use crate::backend::rust::codegen::print::print;
use crate::backend::rust::codegen::types::velocity_type;
use crate::diff::QuantityRate;
use crate::model::{ArgumentKind, OutputShape, RoleFunction, is_of_states};
use crate::schedule::{Plan, Term};

/// Emits one function for each quantity.
pub(crate) fn emit(plan: &Plan<'_>) -> Vec<TokenStream> {
    plan.all_terms().flat_map(|term| term.equations.rates.iter().map(move |rate| function(plan, term, rate))).collect()
}

/// Returns the documentation of the function.
fn documentation(function: &RoleFunction) -> String {
    match function.output {
        OutputShape::Element(group) => format!(
            "The velocity of [`{}`] along a motion with these velocities: a left-trivialised velocity of {}.",
            function.name, group.notation
        ),
        _ => format!("The rate of [`{}`] along a motion with these velocities.", function.name),
    }
}

/// Returns the type of a rate and its value.
fn typed(function: &RoleFunction, outputs: &[TokenStream]) -> (TokenStream, TokenStream) {
    match function.output {
        OutputShape::Scalar => (quote!(S), quote!(#(#outputs)*)),
        OutputShape::Element(group) if group.has_scalar_velocity() => (quote!(S), quote!(#(#outputs)*)),
        _ => {
            let rows = n(outputs.len());
            (quote!(::lie_runtime::__private::SVector<S, #rows>), quote!(rt::vector([#(#outputs),*])))
        }
    }
}

fn function(plan: &Plan<'_>, term: &Term, rate: &QuantityRate) -> TokenStream {
    let model = plan.model;
    let function = &term.model.functions[rate.function];
    let visibility = &function.visibility;
    let name = format_ident!("{}_rate", function.name);
    let doc = documentation(function);
    let configuration = &own(&model.configuration.item.ident);
    let s = quote!(S);
    let many = |ty: TokenStream, at: usize| match term.model.configuration.members[at].count {
        Some(count) => {
            let count = n(count);
            quote!([&#ty; #count])
        }
        None => quote!(&#ty),
    };
    let members = &term.model.configuration.members;
    let arguments = function.arguments.iter().map(|argument| match argument.kind {
        ArgumentKind::Parameters => {
            let ty = model.parameters.as_ref().map(|parameters| own(&parameters.item.ident));
            if model.parameters_are_generic() { quote!(parameters: &#ty<S>) } else { quote!(parameters: &#ty) }
        }
        ArgumentKind::Time => quote!(t: S),
        ArgumentKind::Index => quote!(index: ::core::primitive::usize),
        ArgumentKind::Length => quote!(length: ::core::primitive::usize),
        ArgumentKind::Configuration => quote!(q: &#configuration<S>),
        ArgumentKind::Members(at) => {
            let (variable, ty) = (format_ident!("members_{at}"), many(group_type(members[at].group, &s), at));
            quote!(#variable: #ty)
        }
        // A quantity has neither velocities nor inputs nor multipliers.
        ArgumentKind::Velocity
        | ArgumentKind::Velocities(_)
        | ArgumentKind::States
        | ArgumentKind::Inputs
        | ArgumentKind::Multipliers => quote!(),
    });
    let is_element = function.over.is_some();
    // A quantity without members has no argument for them.
    let sees_members =
        is_element || function.arguments.iter().any(|argument| argument.kind == ArgumentKind::Configuration);
    let mut velocities = Vec::new();
    let mut statements = Vec::new();
    let mut components = Vec::new();
    // A quantity does not read the states of its element.
    for (at, member) in members.iter().enumerate().filter(|(_, member)| !(is_element && is_of_states(member))) {
        let (from, velocity) = (format_ident!("members_{at}"), format_ident!("velocities_{at}"));
        let ty = velocity_type(member.group, &s);
        let is_scalar = ty.to_string() == "S";
        if is_element {
            let ty = many(ty, at);
            velocities.push(quote!(#velocity: #ty));
        }
        let field = &member.name;
        for element in 0..member.count.unwrap_or(1) {
            let variable = slot(statements.len());
            let index = n(element);
            let subscript = member.count.map(|_| quote!([#index]));
            let (place, rate) = if is_element {
                (quote!(#from #subscript), quote!(#velocity #subscript))
            } else {
                (quote!(&q.#field #subscript), quote!(velocity.#field #subscript))
            };
            let components_of = format_ident!("components_{}", statements.len());
            // The configuration of the argument has no auxiliary states, on which no quantity depends.
            let is_read = sees_members && !is_of_states(member);
            let mut statement = if is_read { quote!(let #variable = #place;) } else { quote!() };
            let dof = n(member.group.dimension());
            let rate = if member.group.structure().is_some() {
                let whole = if is_element { quote!(*#rate) } else { rate };
                statement.extend(quote!(let #components_of = rt::SVector::<S, #dof>::from(#whole);));
                quote!(#components_of)
            } else {
                rate
            };
            statements.push(statement);
            if is_scalar {
                components.push(if is_element { quote!(*#rate) } else { quote!(#rate) });
            } else {
                components.extend((0..member.group.dimension()).map(|component| {
                    let component = n(component);
                    quote!((#rate)[#component])
                }));
            }
        }
    }
    if !is_element {
        velocities.push(quote!(velocity: &Velocity<S>));
    }
    let names = Environment { model: &term.model, number: term.number, scope: Scope::Free };
    let printed = print(&term.equations.graph, &rate.entries, None, &names);
    let (body, outputs) = (&printed.statements, &printed.outputs);
    let (output, value) = typed(function, outputs);
    quote! {
        #[doc = #doc]
        #[allow(dead_code, clippy::all, clippy::pedantic, unused_variables, unused_parens, unused_imports)]
        #visibility fn #name<S: ::lie_runtime::scalar::Scalar>(#(#arguments,)* #(#velocities),*) -> #output {
            use ::lie_runtime::__private as rt;
            use ::lie_runtime::__private::Scalar;
            #(#statements)*
            let v = [#(#components),*];
            #(#body)*
            #value
        }
    }
}
