//! Structs of the user with a generic scalar type.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Fields, ItemStruct, Type};

use crate::backend::rust::codegen::group_elements::group_type;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::{ident, own};
use crate::model::{Model, ParameterField, ParameterForm, ParameterKind};

/// Emits a struct with a generic scalar type.
pub(super) fn generic(
    model: &Model,
    item: &ItemStruct,
    fields: &[ParameterField],
    is_generic: bool,
    derived: &[&str],
    s: &Ident,
) -> TokenStream {
    let (attributes, visibility, keyword, name) = (&item.attrs, &item.vis, &item.struct_token, &item.ident);
    let by_hand = |name: &str| model.items.iter().any(|other| implements(other, name, &item.ident));
    let derived: Vec<&str> = derived.iter().copied().filter(|name| !by_hand(name)).collect();
    let derives = missing_derives(&item.attrs, &derived);
    let generics = if is_generic { generics(s) } else { quote!() };
    let fields = fields.iter().zip(&item.fields).map(|(parameter, field)| {
        let (attributes, visibility, name) = (&field.attrs, &field.vis, &parameter.name);
        let ty = field_type(model, &parameter.form, &parameter.ty, &quote!(#s));
        quote!(#(#attributes)* #visibility #name: #ty)
    });
    // A unit struct stays a unit struct. The tokens from the keyword to the braces have the span of the user, as the place of the
    // definition.
    let body = match &item.fields {
        Fields::Unit => quote_spanned!(name.span()=> ;),
        _ => quote_spanned!(name.span()=> { #(#fields),* }),
    };
    quote! {
        #(#attributes)*
        #derives
        #visibility #keyword #name #generics #body
    }
}

fn field_type(model: &Model, form: &ParameterForm, written: &Type, s: &TokenStream) -> TokenStream {
    match form {
        ParameterForm::Entry(kind) => entry_type(*kind, s),
        ParameterForm::Array(element, count) => {
            let (element, count) = (field_type(model, element, written, s), n(*count));
            quote!([#element; #count])
        }
        ParameterForm::List(item) => {
            let item = field_type(model, item, written, s);
            quote!(::std::vec::Vec<#item>)
        }
        ParameterForm::Struct(name) => {
            let name = own(&ident(name));
            if form.is_generic(&model.structs) { quote!(#name<#s>) } else { name }
        }
        ParameterForm::Opaque => quote!(#written),
    }
}

fn entry_type(kind: ParameterKind, s: &TokenStream) -> TokenStream {
    match kind {
        ParameterKind::Scalar => s.clone(),
        ParameterKind::Vector(rows) => {
            let rows = n(rows);
            quote!(::lie_runtime::__private::SVector<#s, #rows>)
        }
        ParameterKind::Matrix(rows, columns) => {
            let (rows, columns) = (n(rows), n(columns));
            quote!(::lie_runtime::__private::SMatrix<#s, #rows, #columns>)
        }
        ParameterKind::ScalarArray(count) => {
            let count = n(count);
            quote!([#s; #count])
        }
        ParameterKind::VectorArray(rows, count) => {
            let (rows, count) = (n(rows), n(count));
            quote!([::lie_runtime::__private::SVector<#s, #rows>; #count])
        }
        ParameterKind::Group(group) => group_type(group, s),
        ParameterKind::Flag => quote!(::core::primitive::bool),
        ParameterKind::Whole(name) => {
            let name = ident(name);
            quote!(::core::primitive::#name)
        }
    }
}

/// Returns `<S: Scalar = f64>`, with an absolute path of `f64`, which the module can redefine.
pub(super) fn generics(s: &Ident) -> TokenStream {
    quote!(<#s: ::lie_runtime::scalar::Scalar = ::core::primitive::f64>)
}

/// Returns true for an implementation such as `impl Clone for Data`.
fn implements(item: &syn::Item, implemented: &str, of: &Ident) -> bool {
    let syn::Item::Impl(block) = item else { return false };
    let last = |path: &syn::Path, name: &str| path.segments.last().is_some_and(|last| last.ident == name);
    let is_trait = block.trait_.as_ref().is_some_and(|(_, path, _)| last(path, implemented));
    is_trait && matches!(&*block.self_ty, Type::Path(path) if last(&path.path, &of.to_string()))
}

/// Returns `#[derive(…)]` of the wanted traits that the user has not derived.
pub(super) fn missing_derives(attributes: &[syn::Attribute], wanted: &[&str]) -> TokenStream {
    let derived: String = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("derive"))
        .map(|attribute| attribute.meta.to_token_stream().to_string())
        .collect();
    let words: Vec<&str> = derived.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let paths = wanted.iter().filter(|name| !words.contains(name)).map(|name| match *name {
        "Clone" => quote!(::core::clone::Clone),
        "Copy" => quote!(::core::marker::Copy),
        "Debug" => quote!(::core::fmt::Debug),
        _ => quote!(::core::cmp::PartialEq),
    });
    quote!(#[derive(#(#paths),*)])
}

/// Returns the default documentation if the user wrote none.
pub(super) fn documentation(attributes: &[syn::Attribute], default: &str) -> TokenStream {
    if attributes.iter().any(|attribute| attribute.path().is_ident("doc")) {
        return quote!();
    }
    quote!(#[doc = #default])
}
