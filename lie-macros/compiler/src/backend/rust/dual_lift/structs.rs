//! Copies of the user's structs on dual numbers, for structs that contain `f64`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::Attribute;
use syn::visit_mut::VisitMut;

use super::lifter::Lifter;
use crate::model::Model;

/// The traits that a copy derives if the original struct does.
const DERIVED: &[&str] = &["Clone", "Copy", "Debug", "Default", "PartialEq"];

/// Emits the copies of these structs.
pub(super) fn copies(model: &Model, names: &[&Ident]) -> Vec<TokenStream> {
    let copied = model.plain_structs.iter().filter(|item| names.contains(&&item.ident));
    let copies = copied.map(|item| {
        let mut item = item.clone();
        let derives: Vec<Ident> = item.attrs.iter().flat_map(derived).collect();
        item.attrs = vec![syn::parse_quote!(#[derive(#(#derives),*)])];
        item.vis = syn::parse_quote!(pub(super));
        item.generics.params.push(syn::parse_quote!(__S: ::lie_runtime::scalar::Scalar));
        for field in &mut item.fields {
            field.attrs = vec![];
            Lifter::new(model, names).visit_type_mut(&mut field.ty);
        }
        item.to_token_stream()
    });
    copies.collect()
}

/// Returns the traits of a `derive` attribute that a copy can derive.
fn derived(attribute: &Attribute) -> Vec<Ident> {
    let mut names = Vec::new();
    if attribute.path().is_ident("derive") {
        // The compiler reports attributes that do not parse.
        let _ = attribute.parse_nested_meta(|meta| {
            let name = meta.path.segments.last().map(|last| last.ident.clone());
            names.extend(name.filter(|name| DERIVED.iter().any(|known| name == known)));
            Ok(())
        });
    }
    names
}

/// Emits the casts of enums without data to integers.
pub(super) fn casts(model: &Model) -> TokenStream {
    let enums = model.items.iter().filter_map(|item| match item {
        syn::Item::Enum(item) if item.attrs.iter().flat_map(derived).any(|name| name == "Copy") => Some(&item.ident),
        _ => None,
    });
    let casts = enums.map(|name| {
        quote! {
            impl ::lie_runtime::__private::AsPlain for super::#name {
                type Plain = Self;
                fn plain(&self) -> Self { *self }
            }
        }
    });
    quote!(#(#casts)*)
}
