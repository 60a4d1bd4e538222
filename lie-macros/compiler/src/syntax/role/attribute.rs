//! Recognition of role attributes, and their arguments.

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Ident, Meta, Token};

use super::Keyword;
use crate::diagnostics::{Code, ErrorCollector, error_with_help, source};
use crate::syntax::rust::suggest;

/// Attributes of the language and its tools, which are never misspelt roles.
const FOREIGN: &[&str] = &[
    "allow",
    "cfg",
    "cfg_attr",
    "cold",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "expect",
    "forbid",
    "global_allocator",
    "ignore",
    "inline",
    "must_use",
    "non_exhaustive",
    "repr",
    "test",
    "track_caller",
    "warn",
];

/// The kind of an attribute.
pub(in crate::syntax) enum Recognised {
    Role(Keyword),
    /// Almost the name of a role.
    Misspelt(Keyword),
    Foreign,
}

/// Returns true for the attribute of that role.
pub(in crate::syntax) fn has_role(attribute: &Attribute, role: Keyword) -> bool {
    matches!(recognise(attribute), Recognised::Role(keyword) if keyword == role)
}

/// Distinguishes role attributes and misspelt ones from other attributes.
pub(in crate::syntax) fn recognise(attribute: &Attribute) -> Recognised {
    let Some(ident) = attribute.path().get_ident() else { return qualified(attribute.path()) };
    let name = ident.unraw().to_string();
    if let Some(keyword) = Keyword::named(&name) {
        return Recognised::Role(keyword);
    }
    if FOREIGN.contains(&name.as_str()) || name.len() < 4 {
        return Recognised::Foreign;
    }
    let synonym = Keyword::all().find(|keyword| keyword.rules().synonyms.contains(&name.as_str()));
    let near = || suggest::nearest(&name, Keyword::all().map(Keyword::name)).and_then(Keyword::named);
    synonym.or_else(near).map_or(Recognised::Foreign, Recognised::Misspelt)
}

/// Recognises a role with a path: `lie_runtime::roles::potential`. Other paths are not resolved.
fn qualified(path: &syn::Path) -> Recognised {
    let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let Some((last, before)) = names.split_last() else { return Recognised::Foreign };
    match Keyword::named(last) {
        Some(keyword) if before.iter().any(|name| matches!(name.as_str(), "lie_runtime" | "roles")) => {
            Recognised::Role(keyword)
        }
        Some(keyword) => Recognised::Misspelt(keyword),
        None => Recognised::Foreign,
    }
}

/// Reports a misspelt role.
pub(in crate::syntax) fn misspelt(attribute: &Attribute, keyword: Keyword) -> syn::Error {
    error_with_help(
        attribute.path(),
        format_args!("`#[{}]` is not a role", source(attribute.path())),
        format_args!("did you mean `#[{}]`?", keyword.name()),
    )
}

/// An argument `name = value` of a role attribute.
pub(in crate::syntax) struct RoleArgument {
    pub name: Ident,
    pub value: Expr,
}

/// An argument `name = value`, or a name.
pub(in crate::syntax) struct RawArgument {
    pub name: Ident,
    pub value: Option<Expr>,
}

impl Parse for RawArgument {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name = input.call(Ident::parse_any)?;
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Some(input.parse()?)
        } else {
            None
        };
        Ok(Self { name, value })
    }
}

/// Parses the arguments of a role attribute: known names with values, without duplicates. The second result is false after an error.
pub(in crate::syntax) fn arguments(
    keyword: Keyword,
    attribute: &Attribute,
    sink: &mut ErrorCollector,
) -> (Vec<RoleArgument>, bool) {
    let (role, rules) = (keyword.name(), keyword.rules());
    let takes_over = rules.arguments.contains(&"over");
    let usage = match rules.usage {
        Some(usage) => usage.to_owned(),
        None if takes_over => format!("#[{role}] or #[{role}(over = nodes.windows(2))]"),
        None => format!("#[{role}]"),
    };
    let list = match &attribute.meta {
        Meta::Path(_) => return (vec![], true),
        Meta::List(list) => list,
        Meta::NameValue(pair) => {
            sink.error_with_help(
                &pair.value,
                format_args!("`#[{role}]` takes no value"),
                format_args!("write {usage}"),
            );
            return (vec![], false);
        }
    };
    let Ok(parsed) = list.parse_args_with(Punctuated::<RawArgument, Token![,]>::parse_terminated) else {
        let help = match over_called(&list.tokens) {
            Some(members) if takes_over => format!("write #[{role}(over = {members})]"),
            _ if takes_over && list.tokens.to_string().starts_with("over") => TUPLE.to_owned(),
            _ => format!("write {usage}"),
        };
        sink.error_with_help(&list.tokens, format_args!("expected a list of arguments of `#[{role}]`"), help);
        return (vec![], false);
    };
    let mut arguments: Vec<RoleArgument> = vec![];
    let mut is_good = true;
    for RawArgument { name, value } in parsed {
        let (message, help) = if !rules.arguments.iter().any(|known| name == known) {
            let otherwise = match keyword {
                Keyword::Observable if name == "over" => {
                    "an observable is a function of the whole configuration: use `q.nodes[0]`".to_owned()
                }
                Keyword::Force if value.is_none() => {
                    format!("write #[force(on = {name})] for a member, or #[force(over = {name})] for a chain")
                }
                _ if takes_over && value.is_none() => format!("write #[{role}(over = {name})]"),
                _ => format!("write {usage}"),
            };
            let help = suggest::did_you_mean(&name.to_string(), rules.arguments.iter().copied(), otherwise);
            (format!("`#[{role}]` has no argument `{name}`"), help)
        } else if arguments.iter().any(|earlier| earlier.name == name) {
            let help = if name == "over" { TUPLE } else { "remove the second argument" };
            (format!("duplicate `{name}`"), help.to_owned())
        } else if let Some(value) = value {
            arguments.push(RoleArgument { name, value });
            continue;
        } else {
            (format!("missing value of `{name}`"), format!("write {usage}"))
        };
        is_good = false;
        sink.error_with_help(&name, message, help);
    }
    (arguments, is_good)
}

/// Returns the selection `over = …` of a function. Errors of the attribute are reported by the parser of the function.
pub(in crate::syntax) fn over(keyword: Keyword, attribute: &Attribute) -> Option<Expr> {
    let mut silent = ErrorCollector::new(Code::Signature);
    let (given, _) = arguments(keyword, attribute, &mut silent);
    let _ = silent.finish();
    given.into_iter().find(|argument| argument.name == "over").map(|argument| argument.value)
}

/// The help for several members.
const TUPLE: &str = "write a tuple for members of several fields: `over = (left.last(), right.first())`";

/// Returns the contents of the parentheses in `over(…)`.
fn over_called(tokens: &proc_macro2::TokenStream) -> Option<String> {
    let mut tokens = tokens.clone().into_iter();
    match (tokens.next(), tokens.next(), tokens.next()) {
        (Some(proc_macro2::TokenTree::Ident(name)), Some(proc_macro2::TokenTree::Group(group)), None)
            if name == "over" =>
        {
            Some(source(group.stream()))
        }
        _ => None,
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/attribute.rs"]
mod tests;
