//! The fields of the configuration that selections name.

use syn::Expr;

use crate::diagnostics::error_with_help;
use crate::model::{Configuration, Member};
use crate::parse::syntax::suggest;

/// More slots than this in one element are unrolled into too much code.
pub(in crate::parse) const MAXIMUM_SLOTS: usize = 64;

pub(super) fn usage(configuration: &Configuration) -> String {
    let chain = configuration.members.iter().find(|member| member.is_chain || member.count.is_some());
    match chain {
        Some(Member { name, .. }) => {
            format!("write `over = {name}`, `over = {name}.windows(2)` or `over = {name}.first()`")
        }
        None => "declare a chain as a field of the configuration: `nodes: Vec<SE3>`".to_owned(),
    }
}

pub(super) fn is_many(member: &Member) -> bool {
    member.is_chain || member.count.is_some()
}

/// The field of that name, which has to be a chain or a power.
pub(in crate::parse) fn many<'a>(value: &Expr, configuration: &'a Configuration) -> syn::Result<(usize, &'a Member)> {
    let (index, member) = field(value, configuration)?;
    if is_many(member) {
        return Ok((index, member));
    }
    let help = format!("write `over = {}`, or declare it as `Vec<{}>`", member.name, member.group.name);
    Err(error_with_help(value, format_args!("`{}` is not a chain: it is one member", member.name), help))
}

/// The field of that name.
pub(in crate::parse) fn field<'a>(value: &Expr, configuration: &'a Configuration) -> syn::Result<(usize, &'a Member)> {
    let name = match value {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    };
    let Some(name) = name else {
        let message = "an element runs over members, named as a field of the configuration";
        return Err(error_with_help(value, message, usage(configuration)));
    };
    let found = configuration.members.iter().enumerate().find(|(_, member)| member.name == *name);
    found.ok_or_else(|| {
        let fields: Vec<String> = configuration.members.iter().map(|member| member.name.to_string()).collect();
        let all = format!("the members are {}", suggest::list(fields.iter().map(String::as_str)));
        let help = suggest::did_you_mean(&name.to_string(), fields.iter().map(String::as_str), all);
        error_with_help(name, format_args!("the configuration has no member `{name}`"), help)
    })
}
