//! Checks of every argument: it has a name, and the role permits it.

use syn::{FnArg, Ident, Pat, PatType};

use crate::diagnostics::error_with_help;
use crate::model::{Argument, ArgumentKind};
use crate::syntax::role::Keyword;
use crate::syntax::rust::items::{cfg, conditional_error};

/// Returns an argument with a type and without a condition.
pub(in crate::syntax) fn typed<'a>(input: &'a FnArg, function: &Ident, expected: &str) -> syn::Result<&'a PatType> {
    match input {
        FnArg::Receiver(receiver) => {
            let message = format!("`{function}` cannot take `self`: it is a function of the module");
            Err(error_with_help(receiver, message, expected))
        }
        FnArg::Typed(typed) => match cfg(&typed.attrs) {
            Some(attribute) => Err(conditional_error(attribute)),
            None => Ok(typed),
        },
    }
}

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

/// Adds an argument that the role permits; each kind of argument occurs once. `ty` is the type in the message.
pub(in crate::syntax) fn add(
    arguments: &mut Vec<Argument>,
    argument: Argument,
    (input, ty): (&FnArg, &str),
    (keyword, function, expected): (Keyword, &Ident, &str),
) -> syn::Result<()> {
    let kind = argument.kind;
    if arguments.iter().any(|earlier| earlier.kind == kind) {
        let message = format!("duplicate argument of type `{ty}` of `{function}`");
        return Err(error_with_help(input, message, expected));
    }
    let refused = |what: &str, instead: &str| {
        let message = format!("a `#[{}]` {what}", keyword.name());
        Err(error_with_help(input, message, format_args!("{expected}\n{instead}")))
    };
    let signature = keyword.signature();
    match kind {
        ArgumentKind::Inputs if let Some(instead) = signature.and_then(|signature| signature.instead_of_inputs) => {
            refused("cannot depend on inputs", instead)
        }
        ArgumentKind::Velocity | ArgumentKind::Velocities(_)
            if let Some(instead) = signature.and_then(|signature| signature.instead_of_velocity) =>
        {
            refused("does not depend on the velocity", instead)
        }
        _ => {
            arguments.push(argument);
            Ok(())
        }
    }
}
