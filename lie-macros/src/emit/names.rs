//! Names in generated code.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::model::Model;

/// A local name that nothing of the user's can meet.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(&format!("__{name}"), Span::mixed_site())
}

/// A name as the user would write it.
pub(crate) fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// What the generated implementations use.
pub(crate) fn imports() -> TokenStream {
    quote! {
        use ::core::clone::Clone;
        use ::core::convert::{From, Into};
        use ::core::option::Option::{self, None, Some};
        use ::core::primitive::{bool, f64, str, usize};
        use ::core::result::Result::{self, Err, Ok};
        use ::lie_runtime::__private as rt;
        use ::lie_runtime::__private::{Factor, LieGroup, SMatrix, SVector, Scalar};
    }
}

/// The name of the scalar parameter of generic structs.
pub(crate) fn scalar_parameter(model: &Model) -> Ident {
    // A type of the user's called `S` keeps its name.
    let taken = |tokens: TokenStream| {
        fn contains(tokens: TokenStream) -> bool {
            tokens.into_iter().any(|token| match token {
                proc_macro2::TokenTree::Ident(ident) => ident == "S",
                proc_macro2::TokenTree::Group(group) => contains(group.stream()),
                _ => false,
            })
        }
        contains(tokens)
    };
    let parameters = model.parameters.as_ref().map(|parameters| &parameters.item.fields);
    let configuration = &model.configuration.item.fields;
    if taken(quote!(#parameters #configuration)) { local("S") } else { ident("S") }
}
