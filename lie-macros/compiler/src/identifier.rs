//! Identifiers of written names, and the import of the names of declarations.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The identifier of a name that somebody has written, `r#type` included.
pub(crate) fn identifier(name: &str, span: Span) -> Ident {
    match name.strip_prefix("r#") {
        Some(name) => Ident::new_raw(name, span),
        None => Ident::new(name, span),
    }
}

/// Emits the import of the names of declarations, by the path of the runtime. Names of the user shadow a glob.
pub(crate) fn declaration_names(runtime: Option<&syn::Path>) -> TokenStream {
    let runtime = match runtime {
        None => quote!(::lie_runtime),
        Some(path) if path.get_ident().is_some() => quote!(::#path),
        Some(path) => quote!(#path),
    };
    quote! {
        #[allow(unused_imports, clippy::wildcard_imports)]
        use #runtime::__private::declaration::*;
    }
}
