//! Identifiers of written names.

use proc_macro2::{Ident, Span};

/// The identifier of a name that somebody has written, `r#type` included.
pub(crate) fn identifier(name: &str, span: Span) -> Ident {
    match name.strip_prefix("r#") {
        Some(name) => Ident::new_raw(name, span),
        None => Ident::new(name, span),
    }
}
