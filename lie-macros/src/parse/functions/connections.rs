//! `over = (nodes, nodes).by(springs)`: the tuples of a list that is given at run time, in `Lengths`.
//!
//! Invariant: a list has one meaning, wherever it is named: its tuples are of members of the same fields.

use syn::{Expr, ExprMethodCall, Ident};

use super::members::{MAXIMUM_SLOTS, many};
use crate::diagnostics::{error_with_help, source};
use crate::model::{Configuration, Connections, Part, Selection};
use crate::parse::module::collect::Declared;
use crate::parse::role;

/// A selection by a list.
pub(in crate::parse) struct Listed<'a> {
    call: &'a ExprMethodCall,
    /// The fields that are named.
    columns: Vec<&'a Expr>,
}

impl<'a> Listed<'a> {
    /// The names of the list and of the fields, where they are names.
    pub fn named(&self) -> Option<(&'a Ident, Vec<&'a Ident>)> {
        let name = |expr: &'a Expr| match expr {
            Expr::Path(path) => path.path.get_ident(),
            _ => None,
        };
        let columns = self.columns.iter().map(|column| name(column)).collect::<Option<_>>()?;
        Some((name(self.call.args.first()?)?, columns))
    }
}

/// The selection, if it is one by a list.
pub(in crate::parse) fn listed(value: &Expr) -> Option<Listed<'_>> {
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

/// All lists that functions name, by the first that does.
pub(in crate::parse) fn all(functions: &[Declared], configuration: &Configuration) -> Vec<Connections> {
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

/// One selection for each member of a tuple.
pub(in crate::parse) fn selections(listed: &Listed<'_>, configuration: &Configuration) -> syn::Result<Vec<Selection>> {
    let name = name(listed, configuration)?;
    let fields = fields(listed, configuration)?;
    let known = configuration.connections.iter().position(|known| known.name == *name);
    let Some((list, known)) = known.map(|at| (at, &configuration.connections[at])) else {
        // The frames that it lists are wrong, which is reported where they are declared.
        return Err(error_with_help(
            &listed.call.receiver,
            format_args!("`{name}` lists frames, but no frames are declared"),
            "declare them by a `#[kinematics]`",
        ));
    };
    if known.fields != fields {
        let names: Vec<String> =
            known.fields.iter().map(|field| configuration.members[*field].name.to_string()).collect();
        return Err(error_with_help(
            listed.call,
            format_args!("`{name}` is a list of members of other fields in another term"),
            match names.as_slice() {
                [one] => format!("write `{one}.by({name})`, or give this list another name"),
                names => format!("write `({}).by({name})`, or give this list another name", names.join(", ")),
            },
        ));
    }
    Ok(fields.into_iter().map(|field| Selection { field, part: Part::Listed(list) }).collect())
}

/// The name of the list.
fn name<'a>(listed: &Listed<'a>, configuration: &Configuration) -> syn::Result<&'a Ident> {
    let call = listed.call;
    let columns: Vec<String> = listed.columns.iter().map(source).collect();
    let written = columns.join(", ");
    let name = match call.args.iter().collect::<Vec<_>>().as_slice() {
        [Expr::Path(path)] if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    };
    let Some(name) = name else {
        return Err(error_with_help(
            call,
            "`by` takes the name of a list of members",
            match columns.as_slice() {
                [one] => format!(
                    "write `{one}.by(supports)`, and give it with the lengths: `Lengths {{ supports: vec![[0]], … }}`"
                ),
                _ => format!(
                    "write `({written}).by(springs)`, and give it with the lengths: `Lengths {{ springs: vec![[0, 1]], … }}`"
                ),
            },
        ));
    };
    if configuration.parents.as_ref().is_some_and(|parents| parents == name) {
        return Err(error_with_help(
            name,
            format_args!("`{name}` is the list of parents of the frames, not a list of tuples"),
            "give the list another name: both are fields of `Lengths`",
        ));
    }
    if configuration.members.iter().any(|member| member.name == *name) {
        return Err(error_with_help(
            name,
            format_args!("`{name}` is a member of the configuration, not a list of members"),
            format_args!("give the list another name: both are fields of `Lengths`"),
        ));
    }
    Ok(name)
}

/// The fields that the members of a tuple are of.
fn fields(listed: &Listed<'_>, configuration: &Configuration) -> syn::Result<Vec<usize>> {
    if listed.columns.is_empty() || listed.columns.len() > MAXIMUM_SLOTS {
        return Err(error_with_help(
            listed.call,
            format_args!("a tuple of {} members", listed.columns.len()),
            format_args!("name a chain for each of 1 to {MAXIMUM_SLOTS} members: `(nodes, nodes).by(springs)`"),
        ));
    }
    let column = |column: &&Expr| match column {
        Expr::Path(_) => many(column, configuration).map(|(field, _)| field),
        _ => Err(error_with_help(
            column,
            format_args!("`{}` is not a chain", source(column)),
            "name the chains that the members of a tuple are of: `(nodes, nodes).by(springs)`",
        )),
    };
    listed.columns.iter().map(column).collect()
}
