//! Twins of the user's functions on dual numbers: the independent path of the derivative check.
//!
//! A twin is the function as written, with `f64` replaced by dual numbers and every number lifted. It is not used by any
//! kernel; it exists where `#[mechanical_system(derivative_check)]` asks for it.

mod declared;
mod frames;
mod joined;
mod lifter;
mod terms;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::visit_mut::VisitMut;

use crate::model::{Kinematics, Model};
use crate::plan::Plan;
use lifter::Lifter;

/// The implementation of `Twin`, where it is asked for.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    if plan.model.derivative_check { terms::implementation(plan) } else { quote!() }
}

/// The hidden module of twins.
pub(super) fn functions(model: &Model) -> TokenStream {
    let kinematics = model.kinematics.iter().flat_map(Kinematics::functions);
    let roles = model
        .functions
        .iter()
        .chain(kinematics)
        .filter(|function| !function.role.is_called())
        .map(|function| twin(model, function.name.clone(), &function.signature, &function.body));
    let helpers = model.helpers.iter().filter(|helper| helper.owner.is_none());
    let helpers = helpers.map(|helper| twin(model, name_of(&helper.path), &helper.item.sig, &helper.item.block));
    let methods = methods(model);
    quote! {
        #[doc(hidden)]
        #[allow(clippy::all, clippy::pedantic, unused, missing_docs)]
        mod __twins {
            use super::*;
            use ::lie_runtime::scalar::DualMatrix as _;
            #(#roles)*
            #(#helpers)*
            #(#methods)*
        }
    }
}

/// The methods of each type on dual numbers, in a trait that is seen here alone.
fn methods(model: &Model) -> Vec<TokenStream> {
    let mut owners: Vec<&Ident> = model.helpers.iter().filter_map(|helper| helper.owner.as_ref()).collect();
    owners.sort();
    owners.dedup();
    let mut traits = vec![];
    for owner in owners.into_iter().filter(|owner| model.is_generic(owner)) {
        let (mut declared, mut defined) = (vec![], vec![]);
        for helper in model.helpers.iter().filter(|helper| helper.owner.as_ref() == Some(owner)) {
            let (mut signature, mut body) = (helper.item.sig.clone(), (*helper.item.block).clone());
            let mut lifter = Lifter::new(model);
            lifter.visit_signature_mut(&mut signature);
            lifter.visit_block_mut(&mut body);
            signature.constness = None;
            for input in &mut signature.inputs {
                if let Some(receiver) = receiver(input) {
                    *input = syn::FnArg::Receiver(receiver);
                }
            }
            defined.push(quote!(#signature #body));
            for (at, input) in signature.inputs.iter_mut().enumerate() {
                if let syn::FnArg::Typed(typed) = input {
                    let name = format_ident!("__{at}");
                    *typed.pat = syn::parse_quote!(#name);
                }
            }
            declared.push(quote!(#signature;));
        }
        let name = format_ident!("__MethodsOf{owner}");
        traits.push(quote! {
            trait #name<__S: ::lie_runtime::scalar::Scalar> { #(#declared)* }
            impl<__S: ::lie_runtime::scalar::Scalar> #name<__S> for super::#owner<::lie_runtime::scalar::Dual<__S>> {
                #(#defined)*
            }
        });
    }
    traits
}

/// The receiver that an argument called `self` was.
fn receiver(input: &syn::FnArg) -> Option<syn::Receiver> {
    match input {
        syn::FnArg::Typed(typed) => match &*typed.pat {
            syn::Pat::Ident(binding) if binding.ident == "self" => Some(match &*typed.ty {
                syn::Type::Reference(_) => syn::parse_quote!(&self),
                _ => syn::parse_quote!(self),
            }),
            _ => None,
        },
        syn::FnArg::Receiver(_) => None,
    }
}

/// The name of the twin of a function of that path.
fn name_of(path: &str) -> Ident {
    format_ident!("{}", path.replace("::", "__"))
}

/// The function on dual numbers.
fn twin(model: &Model, name: Ident, signature: &syn::Signature, body: &syn::Block) -> TokenStream {
    let (mut signature, mut body) = (signature.clone(), body.clone());
    let mut lifter = Lifter::new(model);
    lifter.visit_signature_mut(&mut signature);
    lifter.visit_block_mut(&mut body);
    signature.ident = name;
    signature.generics.params.push(syn::parse_quote!(__S: ::lie_runtime::scalar::Scalar));
    quote!(pub(super) #signature #body)
}
