//! The system type, its constructor, and its implementation of the runtime's traits.

mod constructor;
mod conversions;
mod group;
mod hamiltonian;
mod linearised;
mod mass_inverse;
mod mechanical;
mod saddle;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::environment::Home;
use super::parameters::parameters_are_generic;
use super::print::{print, print_stores};
use super::{Context, Environment, card};
use crate::emit::names::own;
use crate::graph::Scalar;
use crate::plan::KernelId;

/// The type, its constructor and its traits.
pub(crate) fn emit(context: &Context<'_>) -> TokenStream {
    let constructor = constructor::emit(context);
    let mechanical = mechanical::emit(context);
    let linearised = linearised::emit(context);
    let conversions = conversions::emit(context);
    let hamiltonian = hamiltonian::emit(context);
    let group = hamiltonian.as_ref().map(|_| group::emit(context));
    let dof = Literal::usize_unsuffixed(context.equations.inertia.mass.len());
    let rows = Literal::usize_unsuffixed(context.equations.constraints.rows());
    quote! {
        const __DOF: usize = #dof;
        const __ROWS: usize = #rows;
        #constructor
        #mechanical
        #linearised
        #conversions
        #group
        #hamiltonian
    }
}

/// The definition of the system, to stand in the user's module.
pub(crate) fn definition(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let visibility = &model.configuration.item.vis;
    let docs = card::documentation(context);
    let parameters = parameters_type(context, &quote!(S));
    let hoisted = Literal::usize_unsuffixed(context.hoisted.nodes.len());
    let inverse = Literal::usize_unsuffixed(mass_inverse::stored_entries(context));
    let parameters_field = parameters.map(|ty| quote!(parameters: #ty,));
    quote! {
        #(#[doc = #docs])*
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #visibility struct System<S: ::lie_runtime::scalar::Scalar = ::core::primitive::f64> {
            #parameters_field
            hoisted: [S; #hoisted],
            mass_inverse: [S; #inverse],
        }
    }
}

fn parameters_type(context: &Context<'_>, s: &TokenStream) -> Option<TokenStream> {
    let name = own(&context.model.parameters.as_ref()?.item.ident);
    Some(if parameters_are_generic(context.model) { quote!(#name<#s>) } else { quote!(#name) })
}

fn environment<'a>(context: &Context<'a>) -> Environment<'a> {
    Environment { model: context.model, home: Home::System }
}

/// A kernel whose results go into `out`, one component each.
pub(in crate::emit) fn stores(
    context: &Context<'_>,
    outputs: &[Scalar],
    target: impl Fn(usize) -> TokenStream,
) -> TokenStream {
    let store = |at: usize, value: &TokenStream| {
        let target = target(at);
        quote!(#target = #value;)
    };
    print_stores(&context.equations.graph, outputs, Some(context.hoisted), &environment(context), store)
}

fn into_vector(at: usize) -> TokenStream {
    let at = Literal::usize_unsuffixed(at);
    quote!(out[#at])
}

fn into_acceleration(at: usize) -> TokenStream {
    let at = Literal::usize_unsuffixed(at);
    quote!(acceleration[#at])
}

fn kernel(context: &Context<'_>, id: KernelId) -> TokenStream {
    stores(context, context.kernels.outputs(id), into_vector)
}

fn value(context: &Context<'_>, id: KernelId) -> TokenStream {
    let outputs = context.kernels.outputs(id);
    let printed = print(&context.equations.graph, outputs, Some(context.hoisted), &environment(context));
    let (statements, value) = (&printed.statements, &printed.outputs[0]);
    quote! { #(#statements)* #value }
}
