//! The structs: configuration and parameters made generic, velocity.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Type, Visibility};

use super::names::{ident, scalar_parameter};
use super::{inputs, parameters};
use crate::emit::names::own;
use crate::model::{Body, Configuration, Group, Member, Model};

/// The structs of a system that follow from its members.
pub(crate) fn emit(model: &Model) -> TokenStream {
    let s = scalar_parameter(model);
    let configuration = product(&model.configuration, &s, "The configuration.");
    let parameters = parameters::definition(model, &s);
    let inputs = inputs::definition(model, &s);
    let velocity = velocity(&model.configuration, &ident("Velocity"), &model.configuration.item.vis, &s);
    let names = names_are_meant(model);
    quote! { #configuration #parameters #inputs #velocity #names }
}

/// A name that was taken for a library's type has to be that type to rustc.
fn names_are_meant(model: &Model) -> Option<TokenStream> {
    let checks: Vec<TokenStream> = model
        .assumed
        .iter()
        .filter_map(|name| {
            let (written, meant) = crate::parse::absolute(name)?;
            Some(quote_spanned!(name.span()=> ::lie_runtime::__private::expect_type::<#written, #meant>();))
        })
        .collect();
    (!checks.is_empty()).then(|| {
        quote! {
            #[allow(clippy::all, clippy::pedantic)]
            const _: fn() = || { #(#checks)* };
        }
    })
}

/// `<S: Scalar = f64>`; `f64` by its absolute path, whatever the module calls `f64`.
pub(super) fn generics(s: &Ident) -> TokenStream {
    quote!(<#s: ::lie_runtime::scalar::Scalar = ::core::primitive::f64>)
}

/// The struct of a configuration or of a body, generic over the scalar.
fn product(product: &Configuration, s: &Ident, default: &str) -> TokenStream {
    let item = &product.item;
    let (attributes, visibility, name) = (&item.attrs, &item.vis, &item.ident);
    let derives = missing_derives(&item.attrs, derives_of(product));
    let generics = generics(s);
    let fields = product.members.iter().zip(&item.fields).map(|(member, field)| {
        let (attributes, visibility, name) = (&field.attrs, &field.vis, &member.name);
        let ty = group_type(member.group, &quote!(#s));
        let ty = powered(&ty, member);
        quote!(#(#attributes)* #visibility #name: #ty)
    });
    let docs = documentation(&item.attrs, default);
    let derives_clone = item.attrs.iter().any(|attribute| {
        attribute.path().is_ident("derive") && attribute.meta.to_token_stream().to_string().contains("Clone")
    });
    let clone = if derives_clone { quote!() } else { clone_in_place(product, name, s) };
    quote! {
        #docs
        #(#attributes)*
        #derives
        #visibility struct #name #generics { #(#fields),* }
        #clone
    }
}

/// A struct of groups and that of its velocities.
pub(super) fn body(model: &Model, body: &Body) -> TokenStream {
    let s = scalar_parameter(model);
    let definition = product(&body.factors, &s, "A body.");
    let velocity = velocity(&body.factors, &body.velocity, &model.configuration.item.vis, &s);
    quote! { #definition #velocity }
}

/// The runtime's type of a group.
pub(crate) fn group_type(group: Group, s: &TokenStream) -> TokenStream {
    group.form.ty(s)
}

/// `Clone` of a struct with chains, whose `clone_from` keeps their memory.
fn clone_in_place(product: &Configuration, name: &Ident, s: &Ident) -> TokenStream {
    if !product.members.iter().any(|member| member.is_chain) {
        return quote!();
    }
    let names: Vec<&Ident> = product.members.iter().map(|member| &member.name).collect();
    quote! {
        impl<#s: ::lie_runtime::scalar::Scalar> ::core::clone::Clone for #name<#s> {
            fn clone(&self) -> Self {
                Self { #(#names: ::core::clone::Clone::clone(&self.#names)),* }
            }
            fn clone_from(&mut self, source: &Self) {
                #(::core::clone::Clone::clone_from(&mut self.#names, &source.#names);)*
            }
        }
    }
}

/// What configurations and velocities derive: chains are not copied, and cloned by hand.
fn derives_of(product: &Configuration) -> &'static [&'static str] {
    if product.members.iter().any(|member| member.is_chain) {
        &["Debug", "PartialEq"]
    } else {
        &["Clone", "Copy", "Debug", "PartialEq"]
    }
}

fn powered(ty: &TokenStream, member: &Member) -> TokenStream {
    if member.is_chain {
        return quote!(::std::vec::Vec<#ty>);
    }
    match member.count {
        Some(count) => {
            let count = Literal::usize_unsuffixed(count);
            quote!([#ty; #count])
        }
        None => ty.clone(),
    }
}

/// The type of one element's velocity: a number for SO(2), the struct of velocities for a body, else a vector.
pub(crate) fn velocity_type(group: Group, s: &TokenStream) -> TokenStream {
    if group.has_scalar_velocity() {
        return s.clone();
    }
    if let Some(body) = group.structure() {
        let name = own(&ident(&body.velocity));
        return quote!(#name<#s>);
    }
    let dof = Literal::usize_unsuffixed(group.dimension());
    quote!(::lie_runtime::__private::SVector<#s, #dof>)
}

/// The velocity of one element, of a vector of its components.
pub(crate) fn velocity_of_vector(group: Group, vector: TokenStream) -> TokenStream {
    match group.structure() {
        Some(body) => {
            let name = own(&ident(&body.velocity));
            quote!(#name::from(#vector))
        }
        None => vector,
    }
}

/// The struct of the velocities of a configuration or of a body.
fn velocity(product: &Configuration, name: &Ident, visibility: &Visibility, s: &Ident) -> TokenStream {
    let derives = missing_derives(&[], derives_of(product));
    let clone = clone_in_place(product, name, s);
    let generics = generics(s);
    let fields = product.members.iter().map(|member| {
        let (name, notation) = (&member.name, member.group.notation);
        let doc = if member.group.has_sphere() && member.group.structure().is_none() {
            format!("The angular velocity of `{name}` ({notation}) in space: q' = ω × q.")
        } else {
            format!("The left-trivialised velocity of `{name}` ({notation}).")
        };
        let ty = powered(&velocity_type(member.group, &quote!(#s)), member);
        quote!(#[doc = #doc] pub #name: #ty)
    });
    let doc = format!("Velocities of `{}`: q' = q v~, the angular part first.", product.item.ident);
    quote! {
        #[doc = #doc]
        #[allow(dead_code)]
        #derives
        #visibility struct #name #generics { #(#fields),* }
        #clone
    }
}

/// True for `impl Clone for Data`.
pub(super) fn implements(item: &syn::Item, implemented: &str, of: &Ident) -> bool {
    let syn::Item::Impl(block) = item else { return false };
    let last = |path: &syn::Path, name: &str| path.segments.last().is_some_and(|last| last.ident == name);
    let is_trait = block.trait_.as_ref().is_some_and(|(_, path, _)| last(path, implemented));
    is_trait && matches!(&*block.self_ty, Type::Path(path) if last(&path.path, &of.to_string()))
}

/// `#[derive(…)]` of what the user has not derived.
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

/// A default documentation, where the user wrote none.
pub(super) fn documentation(attributes: &[syn::Attribute], default: &str) -> TokenStream {
    if attributes.iter().any(|attribute| attribute.path().is_ident("doc")) {
        return quote!();
    }
    quote!(#[doc = #default])
}
