//! Checks of every argument: it has a name, and the role permits it.

use syn::{FnArg, Pat};

use crate::diagnostics::error_with_help;
use crate::model::ArgumentKind;
use crate::syntax::role::Keyword;

/// The error for an argument without a name.
pub(in crate::syntax) fn unbound(pattern: &Pat, expected: &str) -> syn::Error {
    // The name of a constant in a pattern is its value.
    let constant = match pattern {
        Pat::Path(path) => path.path.segments.last().map(|segment| &segment.ident),
        Pat::Ident(binding) => Some(&binding.ident),
        _ => None,
    };
    match constant {
        Some(name) => {
            let message = format!("`{name}` is a constant and cannot be the name of an argument");
            error_with_help(pattern, message, "give the argument another name")
        }
        None => error_with_help(pattern, "expected a name, found a pattern", expected),
    }
}

/// Rejects inputs if the role does not permit them.
pub(in crate::syntax) fn ensure_inputs(
    kind: ArgumentKind,
    keyword: Keyword,
    input: &FnArg,
    expected: &str,
) -> syn::Result<()> {
    match keyword.signature().and_then(|signature| signature.instead_of_inputs) {
        Some(instead) if kind == ArgumentKind::Inputs => {
            let message = format!("a `#[{}]` cannot depend on inputs", keyword.name());
            Err(error_with_help(input, message, format_args!("{expected}\n{instead}")))
        }
        _ => Ok(()),
    }
}
