//! Names in generated code.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;

use crate::identifier::identifier;
use crate::model::Model;

/// Returns a local name that cannot collide with names of the user.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(&format!("__{name}"), Span::mixed_site())
}

/// Returns a name as in the code of the user.
pub(crate) fn ident(name: &str) -> Ident {
    identifier(name, Span::call_site())
}

/// Returns a name for messages: `type` for `r#type`.
pub(crate) fn text(name: &Ident) -> String {
    name.unraw().to_string()
}

/// Returns an item of the user, in code where generated names, type parameters and imports could shadow it.
pub(crate) fn own(name: &Ident) -> TokenStream {
    quote!(self::#name)
}

/// Finds these names in tokens. Identifiers of the compiler are compared by their text, which is expensive: once for each.
pub(crate) fn named_in(tokens: TokenStream, names: &[String]) -> Vec<bool> {
    fn look(tokens: TokenStream, names: &[String], found: &mut [bool]) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    let name = name.to_string();
                    if let Some(at) = names.iter().position(|known| *known == name) {
                        found[at] = true;
                    }
                }
                TokenTree::Group(group) => look(group.stream(), names, found),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    let mut found = vec![false; names.len()];
    look(tokens, names, &mut found);
    found
}

/// True if the `::` at the end of `tokens` begins a path: it does not follow the name of a module.
fn begins_path(tokens: &[TokenTree]) -> bool {
    let [.., before, _, _] = tokens else { return true };
    !matches!(before, TokenTree::Ident(name) if syn::parse2::<Ident>(name.to_token_stream()).is_ok() || name == "crate")
}

/// Emitted tokens with the path of the runtime in the crate of the declaration.
pub(crate) fn with_runtime(tokens: TokenStream, runtime: &syn::Path) -> TokenStream {
    let mut colons = 0;
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(name) if name == "lie_runtime" && colons >= 2 && begins_path(&out) => {
                // In `::lie_runtime` the colons exist already; in `S: ::lie_runtime::…` a third one comes before them.
                if runtime.get_ident().is_none() {
                    out.truncate(out.len() - 2);
                }
                out.extend(quote!(#runtime));
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), with_runtime(group.stream(), runtime));
                inner.set_span(group.span());
                out.push(inner.into());
            }
            token => {
                colons = match &token {
                    TokenTree::Punct(punct) if punct.as_char() == ':' => colons + 1,
                    _ => 0,
                };
                out.push(token);
                continue;
            }
        }
        colons = 0;
    }
    out.into_iter().collect()
}

/// Emits the imports of generated implementations.
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

/// Returns the name of the scalar parameter of generic structs.
pub(crate) fn scalar_parameter(model: &Model) -> Ident {
    // A type of the user with the name `S` keeps its name.
    let taken = |tokens: TokenStream| named_in(tokens, &["S".to_owned()])[0];
    let data = model.parameters.iter().chain(&model.inputs).map(|data| &data.item);
    let structs =
        data.chain([&model.configuration.item]).map(|syn::ItemStruct { ident, fields, .. }| quote!(#ident #fields));
    if taken(structs.collect()) { local("S") } else { ident("S") }
}
