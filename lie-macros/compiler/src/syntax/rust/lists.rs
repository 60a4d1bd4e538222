//! The contents of `vector![…]`, `matrix![…; …]` and `vec![…]`: expressions in rows.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Token};

/// Macros with lists of expressions as arguments.
const LISTS: &[&str] = &["vector", "matrix", "vec"];

/// The expressions between two semicolons.
#[derive(Clone)]
pub(crate) struct Row(pub Punctuated<Expr, Token![,]>);

impl Parse for Row {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut row = Punctuated::new();
        while !input.is_empty() && !input.peek(Token![;]) {
            row.push_value(input.parse()?);
            if !input.peek(Token![,]) {
                break;
            }
            row.push_punct(input.parse()?);
        }
        Ok(Row(row))
    }
}

impl ToTokens for Row {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}

/// Rows of expressions.
pub(crate) type Rows = Punctuated<Row, Token![;]>;

/// Parses the rows of such a macro; `None` for other macros and for syntax errors.
pub(crate) fn rows(call: &syn::Macro) -> Option<Rows> {
    let name = call.path.segments.last()?.ident.to_string();
    if !LISTS.contains(&name.as_str()) {
        return None;
    }
    Rows::parse_terminated.parse2(call.tokens.clone()).ok()
}
