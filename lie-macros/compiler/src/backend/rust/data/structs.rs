//! The structs of configurations and bodies, and the structs of their velocities.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{ItemStruct, Visibility};

use super::generic::{documentation, generics, missing_derives};
use crate::backend::rust::codegen::group_elements::group_type;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::scalar_parameter;
use crate::backend::rust::codegen::types::velocity_type;
use crate::model::{Body, Configuration, Member, Model};

/// Emits the struct of a configuration or of a body, generic over the scalar.
pub(super) fn product(product: &Configuration, s: &Ident, default: &str) -> TokenStream {
    let item = &product.item;
    let (attributes, visibility, keyword, name) = (&item.attrs, &item.vis, &item.struct_token, &item.ident);
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
    // The tokens from the keyword to the braces have the span of the user, as the place of the definition.
    let body = quote_spanned!(name.span()=> { #(#fields),* });
    quote! {
        #docs
        #(#attributes)*
        #derives
        #visibility #keyword #name #generics #body
        #clone
    }
}

/// Emits a struct of groups and the struct of its velocities.
pub(crate) fn body(model: &Model, body: &Body) -> TokenStream {
    let s = scalar_parameter(model);
    let definition = product(&body.factors, &s, "A body.");
    let velocity = match model.states.as_ref().filter(|states| states.ident == body.velocity) {
        Some(states) => states_as_written(&body.factors, states, &s),
        None => velocity(&body.factors, &body.velocity, &model.configuration.item.vis, &s),
    };
    quote! { #definition #velocity }
}

/// Emits the struct of the auxiliary states, generic over the scalar.
fn states_as_written(factors: &Configuration, item: &ItemStruct, s: &Ident) -> TokenStream {
    let (attributes, visibility, keyword, name) = (&item.attrs, &item.vis, &item.struct_token, &item.ident);
    let derives = missing_derives(&item.attrs, derives_of(factors));
    let generics = generics(s);
    let docs = documentation(&item.attrs, "The auxiliary states.");
    let fields = factors.members.iter().zip(&item.fields).map(|(member, field)| {
        let (attributes, visibility, name) = (&field.attrs, &field.vis, &member.name);
        let ty = velocity_type(member.group, &quote!(#s));
        quote!(#(#attributes)* #visibility #name: #ty)
    });
    quote! {
        #docs
        #(#attributes)*
        #derives
        #visibility #keyword #name #generics { #(#fields),* }
    }
}

/// Emits the struct of points with the hidden member of the auxiliary states, if there are any. It derefs to the configuration.
pub(super) fn with_states(configuration: &Configuration, s: &Ident) -> Option<TokenStream> {
    let states = configuration.states()?;
    let (visibility, written, point) = (&configuration.item.vis, &configuration.item.ident, configuration.point());
    let (member, ty, generics) = (&states.name, group_type(states.group, &quote!(#s)), generics(s));
    let mut origin = quote!(<#ty as ::lie_runtime::__private::LocalCoordinates<#s, _>>::origin());
    let ty = powered(&ty, states);
    if let Some((chain, part)) = configuration.chain_of_states() {
        let chain = &chain.name;
        let count = super::configuration::elements(part, &quote!(configuration.#chain.len()));
        origin = quote!(::std::vec![#origin; #count]);
    }
    let has_chains = configuration.members.iter().any(|member| member.is_chain);
    let copy = (!has_chains).then(|| quote!(::core::clone::Clone, ::core::marker::Copy,));
    let clone = has_chains.then(|| {
        quote! {
            impl<#s: ::lie_runtime::scalar::Scalar> ::core::clone::Clone for #point<#s> {
                fn clone(&self) -> Self {
                    Self {
                        __configuration: ::core::clone::Clone::clone(&self.__configuration),
                        #member: ::core::clone::Clone::clone(&self.#member),
                    }
                }
                fn clone_from(&mut self, source: &Self) {
                    ::core::clone::Clone::clone_from(&mut self.__configuration, &source.__configuration);
                    ::core::clone::Clone::clone_from(&mut self.#member, &source.#member);
                }
            }
        }
    });
    let doc = format!("The configuration [`{written}`] with the time integrals of the auxiliary states.");
    Some(quote! {
        #[doc = #doc]
        #[derive(#copy ::core::fmt::Debug, ::core::cmp::PartialEq)]
        #visibility struct #point #generics {
            __configuration: #written<#s>,
            #member: #ty,
        }
        impl<#s: ::lie_runtime::scalar::Scalar> ::core::ops::Deref for #point<#s> {
            type Target = #written<#s>;
            fn deref(&self) -> &#written<#s> {
                &self.__configuration
            }
        }
        impl<#s: ::lie_runtime::scalar::Scalar> ::core::ops::DerefMut for #point<#s> {
            fn deref_mut(&mut self) -> &mut #written<#s> {
                &mut self.__configuration
            }
        }
        impl<#s: ::lie_runtime::scalar::Scalar> ::core::convert::From<#written<#s>> for #point<#s> {
            fn from(configuration: #written<#s>) -> Self {
                let #member = #origin;
                Self { __configuration: configuration, #member }
            }
        }
        #clone
    })
}

/// Emits `Clone` of a struct with chains, whose `clone_from` keeps their memory.
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

/// Derived traits of configurations and velocities: chains are not `Copy`, and have a hand-written `Clone`.
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
            let count = n(count);
            quote!([#ty; #count])
        }
        None => ty.clone(),
    }
}

/// Emits the struct of the velocities of a configuration or of a body.
pub(super) fn velocity(product: &Configuration, name: &Ident, visibility: &Visibility, s: &Ident) -> TokenStream {
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
