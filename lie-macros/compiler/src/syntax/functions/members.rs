//! The fields of the configuration in selections.

use syn::Expr;

use super::context::bare_name;
use crate::diagnostics::error_with_help;
use crate::model::{Configuration, Member, is_of_states};
use crate::syntax::rust::suggest;

/// Maximum number of members of one element; larger elements would be unrolled to too much code.
pub(in crate::syntax) const MAXIMUM_SLOTS: usize = 64;

pub(super) fn usage(configuration: &Configuration) -> String {
    let chain = configuration.members.iter().find(|member| member.is_run());
    match chain {
        Some(Member { name, .. }) => {
            format!("write `over = {name}`, `over = {name}.windows(2)` or `over = {name}.first()`")
        }
        None => "declare a chain as a field of the configuration: `nodes: Vec<SE3>`".to_owned(),
    }
}

/// Finds a chain or a power by name.
pub(in crate::syntax) fn many<'a>(value: &Expr, configuration: &'a Configuration) -> syn::Result<(usize, &'a Member)> {
    let (index, member) = field(value, configuration)?;
    if member.is_run() {
        return Ok((index, member));
    }
    let help = format!("write `over = {}`, or declare it as `Vec<{}>`", member.name, member.group.name);
    Err(error_with_help(value, format_args!("`{}` is a single member, not a chain", member.name), help))
}

/// Finds a field by name.
pub(in crate::syntax) fn field<'a>(value: &Expr, configuration: &'a Configuration) -> syn::Result<(usize, &'a Member)> {
    let Some(name) = bare_name(value) else {
        let message = "expected the name of a member of the configuration";
        return Err(error_with_help(value, message, usage(configuration)));
    };
    let members = || configuration.members.iter().enumerate().filter(|(_, member)| !is_of_states(member));
    let found = members().find(|(_, member)| member.name == *name);
    found.ok_or_else(|| {
        let fields: Vec<String> = members().map(|(_, member)| member.name.to_string()).collect();
        let all = format!("the members are {}", suggest::list(fields.iter().map(String::as_str)));
        let help = suggest::did_you_mean(&name.to_string(), fields.iter().map(String::as_str), all);
        error_with_help(name, format_args!("the configuration has no member `{name}`"), help)
    })
}
