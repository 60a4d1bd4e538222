//! The role attributes: their names, where they may stand, and their arguments.
//!
//! A new role is one line in [`KEYWORDS`].

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Ident, Meta, Token};

use super::suggest;
use crate::diagnostics::{Diagnostics, error_with_help, source};

/// What a role attribute says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    Configuration,
    Parameters,
    Inputs,
    KineticEnergy,
    MassMatrix,
    Potential,
    Dissipation,
    Force,
    Constraint,
    VelocityConstraint,
    Observable,
    Quantity,
    Kinematics,
    Opaque,
}

/// Name, keyword, the arguments it may have.
const KEYWORDS: &[(&str, Keyword, &[&str])] = &[
    ("configuration", Keyword::Configuration, &[]),
    ("parameters", Keyword::Parameters, &[]),
    ("inputs", Keyword::Inputs, &[]),
    ("kinetic_energy", Keyword::KineticEnergy, &["over"]),
    ("mass_matrix", Keyword::MassMatrix, &["over"]),
    ("potential", Keyword::Potential, &["over"]),
    ("dissipation", Keyword::Dissipation, &["over"]),
    ("force", Keyword::Force, &["on", "at", "over"]),
    ("constraint", Keyword::Constraint, &["over"]),
    ("velocity_constraint", Keyword::VelocityConstraint, &["over"]),
    ("observable", Keyword::Observable, &["over"]),
    ("quantity", Keyword::Quantity, &["over"]),
    ("kinematics", Keyword::Kinematics, &["over", "parents", "base", "frames"]),
    ("opaque", Keyword::Opaque, &["derivative"]),
];

/// Names that people try, and the roles they mean.
const SYNONYMS: &[(&str, &str)] = &[
    ("config", "configuration"),
    ("state", "configuration"),
    ("params", "parameters"),
    ("controls", "inputs"),
    ("control", "inputs"),
    ("signals", "inputs"),
    ("kinetic", "kinetic_energy"),
    ("mass", "mass_matrix"),
    ("inertia", "mass_matrix"),
    ("potential_energy", "potential"),
    ("damping", "dissipation"),
    ("rayleigh", "dissipation"),
    ("holonomic", "constraint"),
    ("holonomic_constraint", "constraint"),
    ("nonholonomic", "velocity_constraint"),
    ("nonholonomic_constraint", "velocity_constraint"),
    ("output", "observable"),
    ("frames", "kinematics"),
    ("frame", "kinematics"),
];

/// Attributes of the language and its tools: never mistaken for a misspelt role.
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

impl Keyword {
    /// The name users write.
    pub fn name(self) -> &'static str {
        KEYWORDS.iter().find(|(_, keyword, _)| *keyword == self).map_or("", |(name, ..)| name)
    }

    /// The role of that name.
    pub fn named(name: &str) -> Option<Self> {
        KEYWORDS.iter().find(|(known, ..)| *known == name).map(|(_, keyword, _)| *keyword)
    }

    fn arguments(self) -> &'static [&'static str] {
        KEYWORDS.iter().find(|(_, keyword, _)| *keyword == self).map_or(&[], |(.., arguments)| arguments)
    }

    /// True for the roles of structs.
    pub fn is_struct(self) -> bool {
        matches!(self, Keyword::Configuration | Keyword::Parameters | Keyword::Inputs)
    }

    /// True if one of these declares the inertia.
    pub fn is_inertia(self) -> bool {
        matches!(self, Keyword::KineticEnergy | Keyword::MassMatrix)
    }
}

/// What an attribute is to us.
pub(super) enum Recognised {
    Role(Keyword),
    /// Nearly a role.
    Misspelt(Keyword),
    Foreign,
}

/// Tells role attributes, and what looks like one, from the others.
pub(super) fn recognise(attribute: &Attribute) -> Recognised {
    let Some(ident) = attribute.path().get_ident() else { return qualified(attribute.path()) };
    let name = ident.unraw().to_string();
    if let Some(keyword) = Keyword::named(&name) {
        return Recognised::Role(keyword);
    }
    if FOREIGN.contains(&name.as_str()) || name.len() < 4 {
        return Recognised::Foreign;
    }
    let synonym = SYNONYMS.iter().find(|(tried, _)| *tried == name).map(|(_, role)| *role);
    match synonym.or_else(|| suggest::nearest(&name, KEYWORDS.iter().map(|(name, ..)| *name))).and_then(Keyword::named)
    {
        Some(keyword) => Recognised::Misspelt(keyword),
        None => Recognised::Foreign,
    }
}

/// A role by a path: `lie_runtime::roles::potential`. Where another path leads is not known.
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
pub(super) fn misspelt(attribute: &Attribute, keyword: Keyword) -> syn::Error {
    error_with_help(
        attribute.path(),
        format_args!("`#[{}]` is not a role", source(attribute.path())),
        format_args!("did you mean `#[{}]`?", keyword.name()),
    )
}

/// One `name = value` of a role attribute.
pub(super) struct RoleArgument {
    pub name: Ident,
    pub value: Expr,
}

/// `name = value`, or a bare name.
pub(super) struct RawArgument {
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

/// The arguments of a role attribute: known names, each once, each with a value; false if there was anything else.
pub(super) fn arguments(keyword: Keyword, attribute: &Attribute, sink: &mut Diagnostics) -> (Vec<RoleArgument>, bool) {
    let role = keyword.name();
    let usage = match keyword {
        Keyword::Force => {
            "#[force], #[force(on = field)], #[force(at = quantity)] or #[force(over = nodes.last())]".to_owned()
        }
        Keyword::Kinematics => "#[kinematics(over = links)]".to_owned(),
        Keyword::Observable => "#[observable], or #[observable(over = frames.last())] with `#[kinematics]`".to_owned(),
        Keyword::Opaque => "#[opaque] or #[opaque(derivative = function)]".to_owned(),
        _ if keyword.arguments().contains(&"over") => format!("#[{role}] or #[{role}(over = nodes.windows(2))]"),
        _ => format!("#[{role}]"),
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
    let takes_over = keyword.arguments().contains(&"over");
    let Ok(parsed) = list.parse_args_with(Punctuated::<RawArgument, Token![,]>::parse_terminated) else {
        let help = match over_called(&list.tokens) {
            Some(members) if takes_over => format!("write #[{role}(over = {members})]"),
            _ if takes_over && list.tokens.to_string().starts_with("over") => TUPLE.to_owned(),
            _ => format!("write {usage}"),
        };
        sink.error_with_help(&list.tokens, format_args!("the arguments of `#[{role}]` are not understood"), help);
        return (vec![], false);
    };
    let mut arguments: Vec<RoleArgument> = vec![];
    let mut is_good = true;
    for RawArgument { name, value } in parsed {
        let (message, help) = if !keyword.arguments().iter().any(|known| name == known) {
            let otherwise = match keyword {
                Keyword::Observable if name == "over" => {
                    "an observable sees all members: take the configuration, as in `q.nodes[0]`".to_owned()
                }
                _ if takes_over && value.is_none() => format!("write #[{role}(over = {name})]"),
                _ => format!("write {usage}"),
            };
            let help = suggest::did_you_mean(&name.to_string(), keyword.arguments().iter().copied(), otherwise);
            (format!("`#[{role}]` has no argument `{name}`"), help)
        } else if arguments.iter().any(|earlier| earlier.name == name) {
            let help = if name == "over" { TUPLE } else { "remove one of them" };
            (format!("`{name}` is given twice"), help.to_owned())
        } else if let Some(value) = value {
            arguments.push(RoleArgument { name, value });
            continue;
        } else {
            (format!("`{name}` needs a value"), format!("write {usage}"))
        };
        is_good = false;
        sink.error_with_help(&name, message, help);
    }
    (arguments, is_good)
}

/// How several members are written.
const TUPLE: &str = "members of several fields are a tuple: `over = (left.last(), right.first())`";

/// What stands between the parentheses of `over(…)`.
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
mod tests {
    use super::{KEYWORDS, Keyword, Recognised, SYNONYMS, recognise};

    #[test]
    fn every_keyword_has_a_name() {
        for (name, keyword, _) in KEYWORDS {
            assert_eq!(keyword.name(), *name);
        }
        assert!(SYNONYMS.iter().all(|(_, role)| Keyword::named(role).is_some()));
    }

    #[test]
    fn foreign_attributes_are_left_alone() {
        let attribute: syn::Attribute = syn::parse_quote!(#[allow(dead_code)]);
        assert!(matches!(recognise(&attribute), Recognised::Foreign));
        let attribute: syn::Attribute = syn::parse_quote!(#[tokio::main]);
        assert!(matches!(recognise(&attribute), Recognised::Foreign));
        let attribute: syn::Attribute = syn::parse_quote!(#[constrain]);
        assert!(matches!(recognise(&attribute), Recognised::Misspelt(Keyword::Constraint)));
    }
}
