//! Signatures of functions with a role.
//!
//! Invariant: the arguments are parameters, inputs, time, configuration, velocity and multipliers, each at most once, in this order, with
//! all mandatory ones. All other faults are one error for the function, whose help is the correct signature with the user's names.

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{FnArg, Ident, ItemFn, Pat, ReturnType, Signature, Type};

use super::argument_types::{ArgumentTypes, Miss};
use super::binding::{add, typed, unbound};
use super::element;
use crate::diagnostics::{ErrorCollector, error_with_help, source, with_help};
use crate::model::{Argument, ArgumentKind};
use crate::syntax::module::collect::AttributedFunction;
use crate::syntax::role::Keyword;
use crate::syntax::rust::items::qualifiers;
use crate::syntax::rust::shape::bare;

/// Parses the arguments of a function with a role; `None` after an error.
pub(in crate::syntax) fn read(
    declared: &AttributedFunction,
    names: &ArgumentTypes,
    output: &str,
    element: Option<&element::ElementContext<'_>>,
    sink: &mut ErrorCollector,
) -> Option<Vec<Argument>> {
    let plain = ensure_plain(&declared.item, declared.keyword, sink);
    let inputs: Vec<&FnArg> = declared.item.sig.inputs.iter().collect();
    let arguments = sink.take(match element {
        Some(context) => element::arguments(&inputs, context),
        None => arguments(declared, names, output),
    });
    arguments.filter(|_| plain)
}

/// Rejects `async`, `unsafe`, `extern`, `const`, generics and variadics.
pub(in crate::syntax) fn ensure_plain(item: &ItemFn, keyword: Keyword, sink: &mut ErrorCollector) -> bool {
    let signature = &item.sig;
    let generics = &signature.generics;
    let others = [
        (generics.to_token_stream(), "generic"),
        (generics.where_clause.to_token_stream(), "generic"),
        (signature.variadic.to_token_stream(), "variadic"),
    ];
    let others =
        others.into_iter().filter(|(token, _)| !token.is_empty()).map(|(token, what)| (token, what.to_owned()));
    let refused: Vec<_> =
        qualifiers(signature).map(|(token, what)| (token, format!("`{what}`"))).chain(others).collect();
    for (token, what) in &refused {
        let message = format_args!("`{}` cannot be {what}: it is a `#[{}]`", signature.ident, keyword.name());
        sink.error_with_help(token, message, format_args!("write `{}`", plain(signature)));
    }
    refused.is_empty()
}

/// Formats the signature without qualifiers and generics.
fn plain(signature: &Signature) -> String {
    match &signature.output {
        ReturnType::Default => start(signature),
        ReturnType::Type(_, ty) => returning(signature, &source(ty)),
    }
}

/// Formats the signature with another return type.
pub(in crate::syntax) fn returning(signature: &Signature, output: &str) -> String {
    format!("{} -> {output}", start(signature))
}

fn start(signature: &Signature) -> String {
    let inputs: Vec<String> = signature.inputs.iter().map(source).collect();
    format!("fn {}({})", signature.ident, inputs.join(", "))
}

fn arguments(declared: &AttributedFunction, names: &ArgumentTypes, output: &str) -> syn::Result<Vec<Argument>> {
    let AttributedFunction { keyword, item, .. } = declared;
    let signature = &item.sig;
    let (name, role) = (&signature.ident, keyword.name());
    let expected = names.expected(*keyword, name, &signature.inputs, output);
    let mut arguments: Vec<Argument> = vec![];
    for input in &signature.inputs {
        let typed = typed(input, name, &expected)?;
        let kind = match names.classify(&typed.ty) {
            Ok(kind) => kind,
            Err(Miss::ByValue(kind)) => {
                let message = format!("`{name}` takes `{}` by value", source(&typed.ty));
                debug_assert!(kind != ArgumentKind::Time);
                return Err(error_with_help(&typed.ty, message, expected));
            }
            Err(Miss::Mutable(_)) => {
                let message = format!("`{name}` cannot change its arguments: they are `&`, not `&mut`");
                return Err(error_with_help(&typed.ty, message, expected));
            }
            Err(Miss::TimeByReference) => {
                let message = format!("`{name}` takes `{}` by reference: the time is an `f64`", source(typed));
                return Err(error_with_help(&typed.ty, message, expected));
            }
            Err(Miss::Unknown) => return Err(unknown(&typed.ty, names, name, role, &expected)),
        };
        let binding = binding(&typed.pat, &typed.ty, &expected)?;
        if kind == ArgumentKind::Time {
            names.ensure_time(typed)?;
        }
        if kind == ArgumentKind::States && !keyword.takes_states() {
            let message = format!("a `#[{role}]` cannot depend on auxiliary states");
            let instead =
                "use the states in a `#[force]`, a `#[dissipation]`, a `#[rate]`, an `#[observable]` or an `#[event]`";
            return Err(error_with_help(input, message, format_args!("{expected}\n{instead}")));
        }
        if kind == ArgumentKind::Multipliers && !keyword.takes_multipliers() {
            let message = format!("a `#[{role}]` does not depend on the multipliers");
            let instead = "use multipliers in an `#[event]`, or read `state.multipliers` after a run: they are unknowns of the equations of motion";
            return Err(error_with_help(input, message, format_args!("{expected}\n{instead}")));
        }
        if kind == ArgumentKind::Multipliers && !names.has_constraints {
            let help = "remove the argument, or declare a `#[constraint]`";
            return Err(error_with_help(input, "a system without constraints has no multipliers", help));
        }
        let argument = Argument { name: binding, pattern: (*typed.pat).clone(), kind };
        add(&mut arguments, argument, (input, &names.type_of(kind)), (*keyword, name, &expected))?;
    }
    for &kind in keyword.needs() {
        if !arguments.iter().any(|argument| argument.kind == kind) {
            let what = if kind == ArgumentKind::Velocity { "velocity" } else { "configuration" };
            let message = format!("missing {what} `{}` among the arguments of `{name}`", names.type_of(kind));
            let error = if signature.inputs.is_empty() {
                syn::Error::new(signature.paren_token.span.join(), with_help(message, expected))
            } else {
                error_with_help(&signature.inputs, message, expected)
            };
            return Err(error);
        }
    }
    let order = |kind| match kind {
        ArgumentKind::Configuration => 1,
        ArgumentKind::Velocity => 2,
        ArgumentKind::States => 3,
        ArgumentKind::Multipliers => 4,
        _ => 0,
    };
    let anywhere = [ArgumentKind::Time, ArgumentKind::Inputs];
    let ordered: Vec<_> =
        arguments.iter().map(|argument| argument.kind).filter(|kind| !anywhere.contains(kind)).collect();
    if !ordered.is_sorted_by_key(|kind| order(*kind)) {
        let message = format!("the arguments of `{name}` are out of order");
        return Err(error_with_help(&signature.inputs, message, expected));
    }
    Ok(arguments)
}

/// The error for an argument of an unknown type.
fn unknown(ty: &Type, names: &ArgumentTypes, name: &Ident, role: &str, expected: &str) -> syn::Error {
    if let Type::ImplTrait(_) = bare(ty) {
        let message = format!("`{name}` cannot be generic: it is a `#[{role}]`");
        return error_with_help(ty, message, expected);
    }
    if element::is_member(ty, &names.bodies) {
        let whole = format!("use the whole configuration: `q: {}`", names.type_of(ArgumentKind::Configuration));
        let help = match role {
            "observable" | "symmetry" | "event" => whole,
            _ => format!("select members, as in `#[{role}(over = nodes)]`, or {whole}"),
        };
        let message = format!("unexpected argument of type `{}`: `{name}` has no `over`", source(ty));
        return error_with_help(ty, message, help);
    }
    let message = format!("unexpected argument of type `{}` of a `#[{role}]`", source(ty));
    error_with_help(ty, message, expected)
}

/// Returns the name of an argument.
fn binding(pattern: &Pat, ty: &Type, expected: &str) -> syn::Result<Ident> {
    match pattern {
        Pat::Ident(binding) if binding.subpat.is_none() => {
            if let Some(token) = &binding.mutability {
                let fix = format!("write `{}: {}`", binding.ident, source(ty));
                return Err(error_with_help(token, format_args!("`{}` cannot be `mut`", binding.ident), fix));
            }
            if let Some(token) = &binding.by_ref {
                let fix = format!("write `{}: {}`", binding.ident, source(ty));
                return Err(error_with_help(token, format_args!("`{}` cannot be `ref`", binding.ident), fix));
            }
            Ok(binding.ident.clone())
        }
        Pat::Wild(wild) => Ok(Ident::new("_", wild.span())),
        other => Err(unbound(other, expected)),
    }
}
