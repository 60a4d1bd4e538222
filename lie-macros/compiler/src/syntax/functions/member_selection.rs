//! `over = …`: the members of a term.
//!
//! The selections are:
//! * `nodes`: each member
//! * `nodes.windows(2)`: adjacent members
//! * `nodes.windows(3).step_by(2)`: every second window, for rod elements of higher order with shared end nodes
//! * `nodes.first()`, `nodes.last()`, `nodes[3]`, or a single member `hub`
//! * `(left.last(), right.first())`: tuples of these
//! * `(nodes, nodes).by(springs)`: the pairs in a list that is set at run time (see `connections`)

use syn::{Expr, Lit};

use super::connections;
use super::members::{MAXIMUM_SLOTS, field, many, usage};
use crate::diagnostics::{error_with_help, source};
use crate::model::{Configuration, Member, Selection, SlotMembers};
use crate::syntax::rust::constants::Constants;
use crate::syntax::rust::suggest;

/// Parses the value of `over`.
pub(in crate::syntax) fn read(
    value: &Expr,
    configuration: &Configuration,
    constants: &Constants,
) -> syn::Result<Vec<Selection>> {
    if let Some(listed) = connections::listed(value) {
        return connections::selections(&listed, configuration);
    }
    let selections = match value {
        Expr::Tuple(tuple) => tuple
            .elems
            .iter()
            .map(|part| selection(part, configuration, constants))
            .collect::<syn::Result<Vec<Selection>>>()?,
        Expr::Paren(inner) => vec![selection(&inner.expr, configuration, constants)?],
        _ => vec![selection(value, configuration, constants)?],
    };
    if selections.is_empty() {
        return Err(error_with_help(value, "empty selection of members", usage(configuration)));
    }
    if selections.iter().filter(|selection| selection.part.runs()).count() > 1 {
        return Err(error_with_help(
            value,
            "a selection can run over only one chain",
            "select single members of the others: `first()`, `last()` or `[index]`",
        ));
    }
    if let Some(second) = (1..selections.len()).find(|&at| selections[..at].contains(&selections[at])) {
        let written = match value {
            Expr::Tuple(tuple) => &tuple.elems[second],
            _ => value,
        };
        let message = format!("duplicate member `{}`", source(written));
        return Err(error_with_help(written, message, "remove it, or select another member"));
    }
    if selections.iter().map(|selection| selection.part.slots()).sum::<usize>() > MAXIMUM_SLOTS {
        return Err(error_with_help(
            value,
            format_args!("too many members of one element: the limit is {MAXIMUM_SLOTS}"),
            "declare smaller elements",
        ));
    }
    Ok(selections)
}

fn selection(value: &Expr, configuration: &Configuration, constants: &Constants) -> syn::Result<Selection> {
    match value {
        Expr::Path(_) => {
            let (field, member) = field(value, configuration)?;
            let part = if member.is_run() { SlotMembers::Each } else { SlotMembers::Whole(1) };
            Ok(Selection { field, part })
        }
        Expr::Index(index) => {
            let (field, member) = many(&index.expr, configuration)?;
            let at = constants.length(&index.index).map_err(|_| no_index(&index.index, member))?;
            if let Some(count) = member.count.filter(|&count| at >= count) {
                return Err(error_with_help(
                    &index.index,
                    format_args!("`{}` has no member {at}", member.name),
                    format_args!("use an index from 0 to {}", count - 1),
                ));
            }
            Ok(Selection { field, part: SlotMembers::At(at) })
        }
        Expr::MethodCall(call) if call.method == "step_by" => strided(call, configuration, constants),
        Expr::MethodCall(call) => {
            let (field, member) = many(&call.receiver, configuration)?;
            let arguments: Vec<&Expr> = call.args.iter().collect();
            let part = match (call.method.to_string().as_str(), arguments.as_slice()) {
                ("first", []) => SlotMembers::First,
                ("last", []) => SlotMembers::Last,
                ("iter", []) => SlotMembers::Each,
                ("windows", [size]) => SlotMembers::Windows { size: window(size, member, constants)?, stride: 1 },
                ("windows", _) => {
                    let help = format!("write `{}.windows(2)`", member.name);
                    return Err(error_with_help(call, "`windows` expects the number of members", help));
                }
                (name, _) => {
                    let help = suggest::did_you_mean(name, ["windows", "first", "last", "by"], usage(configuration));
                    return Err(error_with_help(
                        &call.method,
                        format_args!("`{name}` is not a selection of members"),
                        help,
                    ));
                }
            };
            Ok(Selection { field, part })
        }
        Expr::Reference(reference) => selection(&reference.expr, configuration, constants),
        Expr::Paren(inner) => selection(&inner.expr, configuration, constants),
        _ => {
            let meant = meant(value, configuration).map(|meant| format!("write `over = {meant}`"));
            let message = format!("`{}` is not a selection of members", source(value));
            Err(error_with_help(value, message, meant.unwrap_or_else(|| usage(configuration))))
        }
    }
}

/// Parses `nodes.windows(3).step_by(2)`.
fn strided(call: &syn::ExprMethodCall, configuration: &Configuration, constants: &Constants) -> syn::Result<Selection> {
    let Selection { field, part } = selection(&call.receiver, configuration, constants)?;
    let member = &configuration.members[field];
    let SlotMembers::Windows { size, stride: 1 } = part else {
        let help = format!("write `{}.windows(3).step_by(2)`", member.name);
        return Err(error_with_help(call, "`step_by` must follow `windows(n)`", help));
    };
    let stride = match call.args.iter().collect::<Vec<_>>().as_slice() {
        [stride] => constants.length(stride).ok(),
        _ => None,
    };
    let Some(stride) = stride.filter(|&stride| stride > 0) else {
        let help = "write a positive integer or a `const` of this module: `step_by(2)`";
        return Err(error_with_help(call, "`step_by` expects the distance of two windows", help));
    };
    if let Some(count) = member.count.filter(|count| stride <= size && (count - size) % stride != 0) {
        let left = (count - size) % stride;
        let message = format!("the windows do not contain the last {left} of the {count} members of `{}`", member.name);
        let help = format!("declare {} members or {}", count - left, count - left + stride);
        return Err(error_with_help(call, message, help));
    }
    Ok(Selection { field, part: SlotMembers::Windows { size, stride } })
}

/// Suggests a selection for an invalid expression.
fn meant(value: &Expr, configuration: &Configuration) -> Option<String> {
    let is_field = |name: &str| configuration.members.iter().any(|member| member.name == name);
    match value {
        // In quotes.
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) if is_field(&text.value()) => Some(text.value()),
            _ => None,
        },
        // `q.nodes`, `nodes.first`.
        Expr::Field(access) => {
            let syn::Member::Named(name) = &access.member else { return None };
            if is_field(&name.to_string()) {
                return Some(name.to_string());
            }
            let base = source(&access.base);
            match name.to_string().as_str() {
                end @ ("first" | "last") if is_field(&base) => Some(format!("{base}.{end}()")),
                "windows" if is_field(&base) => Some(format!("{base}.windows(2)")),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The error for an invalid index.
fn no_index(index: &Expr, member: &Member) -> syn::Error {
    let (name, written) = (&member.name, source(index));
    let (message, help) = match index {
        Expr::Range(_) => (
            format!("`{written}` is a range, not a single member"),
            format!(
                "write `over = {name}`, and add the argument `index: usize`: `if index > 0 {{ … }} else {{ … }}`; \
                 select adjacent members by `{name}.windows(2)`, and two members by `({name}[0], {name}[1])`"
            ),
        ),
        Expr::Unary(_) => (
            format!("`{name}` has no member `{}`", written.trim()),
            format!("write `{name}.last()` for the last member"),
        ),
        _ => (
            format!("the index `{written}` is not a constant of this module"),
            format!("write an integer or a `const` of this module; select all members by `over = {name}`"),
        ),
    };
    error_with_help(index, message, help)
}

fn window(size: &Expr, member: &Member, constants: &Constants) -> syn::Result<usize> {
    let Ok(length) = constants.length(size) else {
        let message = format!("`{}` is not a number of members", source(size).trim());
        return Err(error_with_help(size, message, "write an integer or a `const` of this module: `windows(2)`"));
    };
    match (length, member.count) {
        (0, _) => {
            Err(error_with_help(size, "a window has at least one member", "write `windows(2)` for adjacent members"))
        }
        (n, Some(count)) if n > count => Err(error_with_help(
            size,
            format_args!("`{}` has {count} members, fewer than a window of {n}", member.name),
            format_args!("use at most `windows({count})`"),
        )),
        (n, _) => Ok(n),
    }
}
