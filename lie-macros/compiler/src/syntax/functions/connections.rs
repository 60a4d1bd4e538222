//! `over = (nodes, nodes).by(springs)`: tuples of members in a list that is set at run time, in `Lengths`.
//!
//! Invariant: every use of a list refers to the same fields.

use syn::{Expr, ExprMethodCall, Ident};

use super::context::bare_name;
use super::members::{MAXIMUM_SLOTS, many};
use crate::diagnostics::{error_with_help, source};
use crate::model::{Configuration, Connections, Selection, SlotMembers};
use crate::syntax::module::collect::AttributedFunction;
use crate::syntax::role;

/// A selection by a list.
pub(in crate::syntax) struct Listed<'a> {
    call: &'a ExprMethodCall,
    /// The fields of the members.
    columns: Vec<&'a Expr>,
}

/// Parses a selection by a list; `None` for other selections.
pub(in crate::syntax) fn listed(value: &Expr) -> Option<Listed<'_>> {
    match value {
        Expr::Paren(inner) => listed(&inner.expr),
        Expr::MethodCall(call) if call.method == "by" => {
            let columns = match &*call.receiver {
                Expr::Tuple(tuple) => tuple.elems.iter().collect(),
                Expr::Paren(inner) => vec![&*inner.expr],
                column => vec![column],
            };
            Some(Listed { call, columns })
        }
        _ => None,
    }
}

/// Returns all lists that functions use, in the order of their first use.
pub(in crate::syntax) fn all(functions: &[AttributedFunction], configuration: &Configuration) -> Vec<Connections> {
    let mut known: Vec<Connections> = vec![];
    for declared in functions {
        let Some(over) = role::over(declared.keyword, &declared.attribute) else { continue };
        let Some(listed) = listed(&over) else { continue };
        let (Ok(name), Ok(fields)) = (name(&listed, configuration), fields(&listed, configuration)) else { continue };
        if known.iter().all(|other| other.name != *name) {
            known.push(Connections { name: name.clone(), fields });
        }
    }
    known
}

/// Returns one selection for each member of a tuple.
pub(in crate::syntax) fn selections(listed: &Listed<'_>, configuration: &Configuration) -> syn::Result<Vec<Selection>> {
    let name = name(listed, configuration)?;
    let fields = fields(listed, configuration)?;
    let known = configuration.connections.iter().position(|known| known.name == *name);
    let Some((list, known)) = known.map(|at| (at, &configuration.connections[at])) else {
        // Errors of the listed frames are reported at their declaration.
        return Err(error_with_help(
            &listed.call.receiver,
            format_args!("the list `{name}` refers to frames, but no frames are declared"),
            "declare frames with `#[kinematics]`",
        ));
    };
    if known.fields != fields {
        let names: Vec<String> =
            known.fields.iter().map(|field| configuration.members[*field].name.to_string()).collect();
        return Err(error_with_help(
            listed.call,
            format_args!("the list `{name}` has members of other fields in another term"),
            match names.as_slice() {
                [one] => format!("write `{one}.by({name})`, or rename this list"),
                names => format!("write `({}).by({name})`, or rename this list", names.join(", ")),
            },
        ));
    }
    Ok(fields.into_iter().map(|field| Selection { field, part: SlotMembers::Listed(list) }).collect())
}

/// Returns the name of the list.
fn name<'a>(listed: &Listed<'a>, configuration: &Configuration) -> syn::Result<&'a Ident> {
    let call = listed.call;
    let columns: Vec<String> = listed.columns.iter().map(source).collect();
    let written = columns.join(", ");
    let Some(name) = call.args.first().filter(|_| call.args.len() == 1).and_then(bare_name) else {
        return Err(error_with_help(
            call,
            "`by` expects the name of a list",
            match columns.as_slice() {
                [one] => format!(
                    "write `{one}.by(supports)`, and set the list at run time: `Lengths {{ supports: vec![[0]], … }}`"
                ),
                _ => format!(
                    "write `({written}).by(springs)`, and set the list at run time: `Lengths {{ springs: vec![[0, 1]], … }}`"
                ),
            },
        ));
    };
    if configuration.parents.as_ref().is_some_and(|parents| parents == name) {
        return Err(error_with_help(
            name,
            format_args!("`{name}` is the list of parents of the frames, not a list of tuples"),
            "rename the list: both are fields of `Lengths`",
        ));
    }
    if configuration.members.iter().any(|member| member.name == *name) {
        return Err(error_with_help(
            name,
            format_args!("`{name}` is a member of the configuration, not a list of members"),
            format_args!("rename the list: both are fields of `Lengths`"),
        ));
    }
    Ok(name)
}

/// Returns the fields of the members of a tuple.
fn fields(listed: &Listed<'_>, configuration: &Configuration) -> syn::Result<Vec<usize>> {
    if listed.columns.is_empty() || listed.columns.len() > MAXIMUM_SLOTS {
        return Err(error_with_help(
            listed.call,
            format_args!("expected 1 to {MAXIMUM_SLOTS} chains, found {}", listed.columns.len()),
            format_args!("write one chain for each member: `(nodes, nodes).by(springs)`"),
        ));
    }
    let column = |column: &&Expr| match column {
        Expr::Path(_) => many(column, configuration).map(|(field, _)| field),
        _ => Err(error_with_help(
            column,
            format_args!("`{}` is not a chain", source(column)),
            "write the chains of the members: `(nodes, nodes).by(springs)`",
        )),
    };
    listed.columns.iter().map(column).collect()
}
