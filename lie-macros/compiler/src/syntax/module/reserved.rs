//! Names that generated code reserves.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;

use crate::diagnostics::ErrorCollector;

/// Prefix of names in generated code.
const RESERVED_PREFIX: &str = "__";

/// The generated types of the module.
pub(in crate::syntax) const GENERATED_TYPES: &[(&str, &str)] = &[
    ("System", "the system itself"),
    ("Velocity", "the velocity of the system"),
    ("Multipliers", "the struct of Lagrange multipliers"),
];

/// The name of the generated rate of a quantity.
pub(super) fn rate(quantity: &Ident) -> String {
    format!("{}_rate", quantity.unraw())
}

/// Reports each reserved identifier once, at its first use.
pub(in crate::syntax) fn ensure_unreserved(tokens: TokenStream, sink: &mut ErrorCollector) {
    fn walk(tokens: TokenStream, seen: &mut BTreeSet<String>, sink: &mut ErrorCollector) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => walk(group.stream(), seen, sink),
                TokenTree::Ident(ident) => {
                    let name = ident.unraw().to_string();
                    if name.starts_with(RESERVED_PREFIX) && seen.insert(name.clone()) {
                        let free = name.trim_start_matches('_');
                        let free = if free.is_empty() { "name" } else { free };
                        sink.error_with_help(
                            &ident,
                            format_args!("`{name}` begins with `{RESERVED_PREFIX}`, which generated code reserves"),
                            format_args!("rename it to `{free}`"),
                        );
                    }
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    walk(tokens, &mut BTreeSet::new(), sink);
}
