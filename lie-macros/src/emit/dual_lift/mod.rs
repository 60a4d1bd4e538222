//! Twins of the user's functions on dual numbers: the independent path of the derivative check.
//!
//! A twin is the function as written, with `f64` replaced by dual numbers and every number lifted. It is not used by any
//! kernel; it exists where `#[mechanical_system(derivative_check)]` asks for it.

mod declared;
mod frame_terms;
mod frames;
mod lifter;
mod method_bodies;
mod patterns;
mod reached;
mod structs;
mod terms;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ItemFn;
use syn::visit_mut::VisitMut;

use crate::model::{Kinematics, Model, Within};
use crate::plan::Plan;
use lifter::{Lifter, name_of};

/// The implementation of `Twin`, where it is asked for.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    if plan.model.derivative_check { terms::implementation(plan) } else { quote!() }
}

/// The hidden module of twins.
pub(super) fn functions(model: &Model) -> TokenStream {
    let (structs, reached) = (model.real_structs(), reached::helpers(model));
    let kinematics = model.kinematics.iter().flat_map(Kinematics::functions);
    let twin = |name: Ident, signature, body| twin(Lifter::new(model, &structs), name, signature, body);
    let roles = model
        .functions
        .iter()
        .chain(kinematics)
        .filter(|function| !function.role.is_called())
        .map(|function| twin(function.name.clone(), &function.signature, &function.body));
    let helpers = reached.iter().filter(|helper| helper.owner.is_none());
    let helpers = helpers.map(|helper| twin(name_of(&helper.path), &helper.item.sig, &helper.item.block));
    let (copies, methods, casts) =
        (structs::copies(model, &structs), methods(model, &structs, &reached), structs::casts(model));
    quote! {
        #[doc(hidden)]
        #[allow(clippy::all, clippy::pedantic, warnings, missing_docs)]
        mod __dual_functions {
            use super::*;
            use ::lie_runtime::scalar::Scalar as _;
            use ::lie_runtime::__private::twin_methods::*;
            #(#copies)*
            #casts
            #(#roles)*
            #(#helpers)*
            #(#methods)*
        }
    }
}

/// The methods of each type on dual numbers: of a copied struct its own, of another one those of a trait that is seen here alone.
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
                    // Whether the body changes its copy is its own affair.
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

/// The receiver that an argument called `self` was.
fn receiver(input: &syn::FnArg) -> Option<syn::Receiver> {
    match input {
        syn::FnArg::Typed(typed) => match &*typed.pat {
            // Where the body sees it.
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

/// The function on dual numbers.
fn twin(mut lifter: Lifter<'_>, name: Ident, signature: &syn::Signature, body: &syn::Block) -> TokenStream {
    let (mut signature, mut body) = (signature.clone(), body.clone());
    lifter.visit_signature_mut(&mut signature);
    lifter.visit_block_mut(&mut body);
    signature.ident = name;
    signature.constness = None;
    signature.generics.params.push(syn::parse_quote!(__S: ::lie_runtime::scalar::Scalar));
    quote!(pub(super) #signature #body)
}
