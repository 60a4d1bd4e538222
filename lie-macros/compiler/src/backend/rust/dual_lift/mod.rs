//! Dual-number versions of the user's functions: the independent path of the derivative check.
//!
//! A dual-number version is the function as written, with `f64` replaced by dual numbers and every scalar literal lifted. No kernel uses
//! it; it is emitted for `#[mechanical_system(derivative_check)]` only.

mod declared;
mod frame_terms;
mod frames;
mod lifter;
mod method_bodies;
mod patterns;
mod reachable_helpers;
mod structs;
mod terms;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ItemFn;
use syn::visit_mut::VisitMut;

use crate::model::{Kinematics, Model, Within};
use crate::schedule::Plan;
use lifter::{Lifter, name_of};

/// Emits the implementation of `DualModel`, if the declaration requests it.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    if plan.model.derivative_check { terms::implementation(plan) } else { quote!() }
}

/// Emits the hidden module of the dual-number functions.
pub(super) fn functions(model: &Model) -> TokenStream {
    let (structs, reached) = (model.real_structs(), reachable_helpers::helpers(model));
    let kinematics = model.kinematics.iter().flat_map(Kinematics::functions);
    let dual_function =
        |name: Ident, signature, body| dual_function(Lifter::new(model, &structs), name, signature, body);
    let roles = model
        .functions
        .iter()
        .chain(kinematics)
        .filter(|function| !function.role.is_called())
        .map(|function| dual_function(function.name.clone(), &function.signature, &function.body));
    let helpers = reached.iter().filter(|helper| helper.owner.is_none());
    let helpers = helpers.map(|helper| dual_function(name_of(&helper.path), &helper.item.sig, &helper.item.block));
    let (copies, methods, casts) =
        (structs::copies(model, &structs), methods(model, &structs, &reached), structs::casts(model));
    quote! {
        #[doc(hidden)]
        #[allow(clippy::all, clippy::pedantic, warnings, missing_docs)]
        mod __dual_functions {
            use super::*;
            use ::lie_runtime::scalar::Scalar as _;
            use ::lie_runtime::__private::dual_methods::*;
            #(#copies)*
            #casts
            #(#roles)*
            #(#helpers)*
            #(#methods)*
        }
    }
}

/// Emits the methods of each type on dual numbers: inherent methods for a copied struct, methods of a private trait for other types.
fn methods(model: &Model, structs: &[&Ident], reached: &[&Within<ItemFn>]) -> Vec<TokenStream> {
    let mut owners: Vec<&Ident> = reached.iter().filter_map(|helper| helper.owner.as_ref()).collect();
    owners.sort();
    owners.dedup();
    let mut blocks = vec![];
    for owner in owners {
        let is_copied = structs.contains(&owner);
        if !is_copied && !model.is_generic(owner) {
            continue;
        }
        let (mut declared, mut defined) = (vec![], vec![]);
        for helper in reached.iter().filter(|helper| helper.owner.as_ref() == Some(owner)) {
            let (mut signature, mut body) = (helper.item.sig.clone(), (*helper.item.block).clone());
            let mut lifter = Lifter::new(model, structs);
            lifter.visit_signature_mut(&mut signature);
            lifter.visit_block_mut(&mut body);
            signature.constness = None;
            for input in &mut signature.inputs {
                if let Some(receiver) = receiver(input) {
                    *input = syn::FnArg::Receiver(receiver);
                }
            }
            let visibility = is_copied.then(|| quote!(pub(super)));
            defined.push(quote!(#visibility #signature #body));
            for (at, input) in signature.inputs.iter_mut().enumerate() {
                match input {
                    syn::FnArg::Typed(typed) => {
                        let name = format_ident!("__{at}");
                        *typed.pat = syn::parse_quote!(#name);
                    }
                    // The declaration of a trait method has no `mut self`.
                    syn::FnArg::Receiver(receiver) if receiver.reference.is_none() => receiver.mutability = None,
                    syn::FnArg::Receiver(_) => {}
                }
            }
            declared.push(quote!(#signature;));
        }
        let scalar = quote!(__S: ::lie_runtime::scalar::Scalar);
        if is_copied {
            blocks.push(quote!(impl<#scalar> #owner<__S> { #(#defined)* }));
            continue;
        }
        let name = format_ident!("__MethodsOf{owner}");
        blocks.push(quote! {
            trait #name<#scalar> { #(#declared)* }
            impl<#scalar> #name<__S> for super::#owner<::lie_runtime::scalar::Dual<__S>> { #(#defined)* }
        });
    }
    blocks
}

/// Restores the receiver from an argument with the name `self`.
fn receiver(input: &syn::FnArg) -> Option<syn::Receiver> {
    match input {
        syn::FnArg::Typed(typed) => match &*typed.pat {
            // The token is visible in the body.
            syn::Pat::Ident(binding) if binding.ident == "self" => {
                let receiver = syn::Token![self](binding.ident.span());
                Some(match &*typed.ty {
                    syn::Type::Reference(_) => syn::parse_quote!(&#receiver),
                    _ => {
                        let changes = &binding.mutability;
                        syn::parse_quote!(#changes #receiver)
                    }
                })
            }
            _ => None,
        },
        syn::FnArg::Receiver(_) => None,
    }
}

/// Emits a function on dual numbers.
fn dual_function(mut lifter: Lifter<'_>, name: Ident, signature: &syn::Signature, body: &syn::Block) -> TokenStream {
    let (mut signature, mut body) = (signature.clone(), body.clone());
    lifter.visit_signature_mut(&mut signature);
    lifter.visit_block_mut(&mut body);
    signature.ident = name;
    signature.constness = None;
    signature.generics.params.push(syn::parse_quote!(__S: ::lie_runtime::scalar::Scalar));
    quote!(pub(super) #signature #body)
}
