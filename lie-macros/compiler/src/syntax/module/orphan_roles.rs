//! Role attributes outside of a system.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Item;

use crate::diagnostics::{Code, ErrorCollector, Rejection, error_with_help};
use crate::syntax::role::{Recognised, recognise};
use crate::syntax::rust::items;

/// Returns the error, and the item without roles, so that each item has one error.
pub(crate) fn outside(role: &str, input: TokenStream) -> Rejection {
    let mut sink = ErrorCollector::new(Code::Module);
    let message = format!("`#[{role}]` outside of a `#[mechanical_system]` module");
    let help = "move the item into a module `#[mechanical_system] mod name { … }`";
    let rest = if let Ok(mut item) = syn::parse2::<Item>(input.clone()) {
        if let Some(attributes) = items::attributes(&mut item) {
            attributes.retain(|attribute| matches!(recognise(attribute), Recognised::Foreign));
        }
        sink.push(match items::name(&item) {
            Some(name) => error_with_help(name, message, help),
            None => error_with_help(&item, message, help),
        });
        quote!(#item)
    } else {
        sink.error_with_help(&input, message, help);
        input
    };
    Rejection { errors: sink.finish(), items: rest }
}
