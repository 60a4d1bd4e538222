//! Twins of the user's functions on dual numbers: the independent path of the derivative check.
//!
//! A twin is the function as written, with `f64` replaced by dual numbers and every number lifted. It is not used by any
//! kernel; it exists where `#[mechanical_system(derivative_check)]` asks for it.

mod declared;
mod elements;
mod lifter;
mod whole;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::visit_mut::VisitMut;

use crate::model::{Model, Role};
use lifter::Lifter;

pub(super) use elements::emit as emit_elements;
pub(super) use whole::emit as emit_whole;

/// The hidden module of twins.
pub(super) fn functions(model: &Model) -> TokenStream {
    let roles = model
        .functions
        .iter()
        .filter(|function| !matches!(function.role, Role::Observable))
        .map(|function| twin(model, function.name.clone(), &function.signature, &function.body));
    let helpers =
        model.helpers.iter().map(|helper| twin(model, name_of(&helper.path), &helper.item.sig, &helper.item.block));
    quote! {
        #[doc(hidden)]
        #[allow(clippy::all, clippy::pedantic, unused, missing_docs)]
        mod __twins {
            use super::*;
            use ::lie_runtime::scalar::DualMatrix as _;
            #(#roles)*
            #(#helpers)*
        }
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
