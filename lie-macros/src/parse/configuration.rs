//! The configuration struct: a product of groups.
//!
//! Invariant: every member is a known group or a fixed power of one, and the total dimension is known and unrolls.

use syn::{Fields, ItemStruct, Type};

use super::bodies::Bodies;
use super::collect::Declaration;
use super::constants::Constants;
use super::items::conditional_error;
use super::scope::{Rewriter, Scope};
use super::shape::{MAXIMUM, bare, generic_arguments, is_named, library_segment};
use super::suggest;
use crate::diagnostics::{Diagnostics, error_with_help, source};
use crate::group::{GROUPS, Group};
use crate::model::{Configuration, Member};

/// Reads the configuration; `None` if a member is wrong.
pub(super) fn read(
    declaration: &Declaration,
    scope: &Scope,
    constants: &Constants,
    bodies: &Bodies,
    sink: &mut Diagnostics,
) -> Option<Configuration> {
    let item = declaration.configuration.as_ref()?;
    let fields = named_fields(item, "configuration", "attitude: SO3", sink)?;
    if item.fields.is_empty() {
        sink.error_with_help(
            &item.ident,
            format_args!("the configuration `{}` has no fields", item.ident),
            format_args!("write `struct {} {{ attitude: SO3, position: R3 }}`", item.ident),
        );
        return None;
    }
    let mut members = Some(vec![]);
    for field in fields {
        let name = field.ident.clone()?;
        if let Some(attribute) = field.attrs.iter().find(|attribute| attribute.path().is_ident("cfg")) {
            sink.push(conditional_error(attribute));
        }
        let ty = Rewriter::new(scope, 0).ty(&field.ty);
        if bodies.is_wrong(&ty) {
            members = None;
            continue;
        }
        match sink.take(factor(&ty, constants, bodies)) {
            Some(factor) => {
                let Factor { group, count, is_chain } = factor;
                // A wrong clamp does not make the group unknown.
                let clamped = sink.take(clamped(field, is_chain || count.is_some())).unwrap_or_default();
                if let Some(members) = &mut members {
                    members.push(Member { name, group, count, is_chain, clamped });
                }
            }
            None => members = None,
        }
    }
    let mut item = item.clone();
    for field in &mut item.fields {
        field.attrs.retain(|attribute| !attribute.path().is_ident(CLAMPED));
    }
    let configuration = Configuration::of(item, members?);
    let item = &configuration.item;
    let dof = configuration.members.iter().fold(0_usize, |sum, member| sum.saturating_add(member.dof()));
    if dof > MAXIMUM {
        sink.error_with_help(
            &item.ident,
            format_args!("`{}` has {dof} degrees of freedom", item.ident),
            format_args!(
                "fixed powers are unrolled: use at most {MAXIMUM}, or a chain, `Vec<G>`, with terms over its members"
            ),
        );
        return None;
    }
    Some(configuration)
}

/// The named fields of a struct with nothing generic; none of a unit struct.
pub(super) fn named_fields<'a>(
    item: &'a ItemStruct,
    what: &str,
    example: &str,
    sink: &mut Diagnostics,
) -> Option<impl Iterator<Item = &'a syn::Field> + use<'a>> {
    let name = &item.ident;
    if item.generics.lt_token.is_some() {
        sink.error_with_help(
            &item.generics,
            format_args!("the {what} `{name}` cannot be generic"),
            format_args!("write `struct {name} {{ … }}`; the macro makes it generic over the scalar"),
        );
    }
    if let Some(clause) = &item.generics.where_clause {
        sink.error_with_help(clause, format_args!("the {what} `{name}` cannot have a where clause"), "remove it");
    }
    if let Fields::Unnamed(fields) = &item.fields {
        sink.error_with_help(
            fields,
            format_args!("the fields of the {what} `{name}` need names"),
            format_args!("write `struct {name} {{ {example} }}`"),
        );
        return None;
    }
    Some(item.fields.iter())
}

/// The attribute of a field whose members do not move.
pub(super) const CLAMPED: &str = "clamped";

/// What a field is.
struct Factor {
    group: Group,
    count: Option<usize>,
    is_chain: bool,
}

/// `#[clamped(first)]`, `#[clamped(last)]`, `#[clamped(first, last)]`; `#[clamped]` on a single member.
fn clamped(field: &syn::Field, is_many: bool) -> syn::Result<[bool; 2]> {
    let mut clamped = [false; 2];
    let misspelt = field.attrs.iter().find(|attribute| {
        let name = attribute.path().get_ident().map(ToString::to_string).unwrap_or_default();
        name != CLAMPED && suggest::nearest(&name, [CLAMPED]).is_some()
    });
    if let Some(attribute) = misspelt {
        let message = format!("a member has no attribute `{}`", source(attribute.path()));
        return Err(error_with_help(attribute.path(), message, format_args!("did you mean `{CLAMPED}`?")));
    }
    let Some(attribute) = field.attrs.iter().find(|attribute| attribute.path().is_ident(CLAMPED)) else {
        return Ok(clamped);
    };
    let ends = match &attribute.meta {
        syn::Meta::List(list) => list
            .parse_args_with(syn::punctuated::Punctuated::<syn::Ident, syn::Token![,]>::parse_terminated)
            .map_or_else(|_| vec![], |ends| ends.into_iter().collect()),
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => vec![],
    };
    let plain = matches!(attribute.meta, syn::Meta::Path(_));
    if !is_many {
        if plain {
            return Ok([true, false]);
        }
        return Err(error_with_help(attribute, "a single member has no ends", "write `#[clamped]`"));
    }
    if ends.is_empty() {
        let message = "which members of the chain are clamped is not said";
        return Err(error_with_help(attribute, message, "write `#[clamped(first)]` or `#[clamped(first, last)]`"));
    }
    for end in ends {
        match end.to_string().as_str() {
            "first" if clamped[0] => return Err(error_with_help(&end, "`first` is given twice", "remove one of them")),
            "last" if clamped[1] => return Err(error_with_help(&end, "`last` is given twice", "remove one of them")),
            "first" => clamped[0] = true,
            "last" => clamped[1] = true,
            other => {
                let help = suggest::did_you_mean(other, ["first", "last"], "write `first` or `last`".to_owned());
                return Err(error_with_help(&end, format_args!("`{other}` is no end of a chain"), help));
            }
        }
    }
    Ok(clamped)
}

/// The group a field is of, and how often.
fn factor(ty: &Type, constants: &Constants, bodies: &Bodies) -> syn::Result<Factor> {
    let group = |ty: &Type| bodies.group(ty).map_or_else(|| group(ty, constants), Ok);
    if let Some(segment) = library_segment(ty).filter(|segment| segment.ident == "Vec") {
        return match generic_arguments(segment).as_slice() {
            [syn::GenericArgument::Type(element)] => {
                if let Type::Array(_) = bare(element) {
                    let message = "a chain of powers is not supported";
                    return Err(error_with_help(element, message, "declare one chain for each member of the power"));
                }
                if library_segment(element).is_some_and(|segment| segment.ident == "Vec") {
                    let message = "a chain of chains is not supported";
                    return Err(error_with_help(element, message, "declare one chain `Vec<G>` for each"));
                }
                Ok(Factor { group: group(element)?, count: None, is_chain: true })
            }
            _ => Err(error_with_help(ty, "a chain is a `Vec` of one group", "write `Vec<SE3>`")),
        };
    }
    match bare(ty) {
        Type::Array(array) => {
            if let Type::Array(_) = bare(&array.elem) {
                return Err(error_with_help(
                    ty,
                    "a power of a power is not supported",
                    "write one array `[G; N]` with the product of the lengths",
                ));
            }
            let group = group(&array.elem)?;
            match constants.length(&array.len)? {
                0 => Err(error_with_help(
                    &array.len,
                    "an array of length 0 has no members",
                    "remove the field or give it a length",
                )),
                count if count > MAXIMUM => Err(error_with_help(
                    &array.len,
                    format_args!("an array of {count} members is too long: fixed powers are unrolled"),
                    format_args!(
                        "use at most {MAXIMUM}, or a chain, `Vec<{}>`, with terms over its members",
                        group.written()
                    ),
                )),
                count => Ok(Factor { group, count: Some(count), is_chain: false }),
            }
        }
        other => Ok(Factor { group: group(other)?, count: None, is_chain: false }),
    }
}

/// The group of that type.
pub(super) fn group(ty: &Type, constants: &Constants) -> syn::Result<Group> {
    let ty = bare(ty);
    let groups =
        || format!("the groups are {}", suggest::list(GROUPS.iter().map(|group| group.name).chain(["Rn<N>", "f64"])));
    let segment = match ty {
        Type::Reference(reference) => {
            return Err(error_with_help(
                ty,
                "a member of the configuration is owned, not a reference",
                format_args!("write `{}`", source(&reference.elem)),
            ));
        }
        Type::Tuple(_) => {
            return Err(error_with_help(ty, "a tuple is not a group", "declare a field for each factor"));
        }
        _ => match library_segment(ty) {
            Some(segment) => segment,
            None => {
                return Err(error_with_help(ty, format_args!("`{}` is not a group", source(ty)), groups()));
            }
        },
    };
    let name = segment.ident.to_string();
    let arguments = generic_arguments(segment);
    if is_named(ty, "f64") {
        return Ok(Group::NUMBER);
    }
    if name == "Rn" {
        return match arguments.as_slice() {
            [dimension, ..] => match constants.dimension(dimension)? {
                0 => Err(error_with_help(dimension, "R^0 has no members", "give it a dimension")),
                n if n > MAXIMUM => Err(error_with_help(
                    dimension,
                    format_args!("R^{n} is too large: the equations are unrolled"),
                    format_args!("use at most {MAXIMUM}"),
                )),
                n => Ok(Group::vector_space(n)),
            },
            [] => Err(error_with_help(ty, "`Rn` needs its dimension", "`Rn<3>`, or `R3`")),
        };
    }
    if let Some(group) = Group::named(&name) {
        return match arguments.as_slice() {
            [] => Ok(group),
            [syn::GenericArgument::Type(scalar)] if is_named(scalar, "f64") => Ok(group),
            _ => Err(error_with_help(
                ty,
                format_args!("`{name}` takes no arguments here"),
                format_args!("write `{name}`; the macro makes the struct generic over the scalar"),
            )),
        };
    }
    if matches!(name.as_str(), "Box" | "Option" | "Rc" | "Arc" | "Cell" | "RefCell" | "Cow") {
        let element = arguments.first().map_or("G".to_owned(), source);
        return Err(error_with_help(
            ty,
            format_args!("`{}` is not a group", source(ty)),
            format_args!("write `{element}`"),
        ));
    }
    if name == "TS2" {
        let message = "a tangent bundle is no factor of a configuration: velocities are generated";
        return Err(error_with_help(ty, message, "write `S2`; its velocity is ω with q' = ω × q"));
    }
    if let Some((group, what)) = Group::like(&name) {
        let help = match what {
            "a matrix" if name != "SMatrix" => format!("a rotation or pose given by a matrix is `{group}`"),
            "a matrix" => groups(),
            _ if name == "SVector" => {
                format!("write `Rn<{}>`", arguments.get(1).map_or("N".to_owned(), source))
            }
            _ => format!("write `{group}`"),
        };
        return Err(error_with_help(ty, format_args!("`{}` is {what}, not a group", source(ty)), help));
    }
    let help = match suggest::nearest(&name, GROUPS.iter().map(|group| group.name)) {
        Some(near) => format!("did you mean `{near}`? {}", groups()),
        None => format!("{}; a body is an `SE3`, or a struct of groups of this module", groups()),
    };
    Err(error_with_help(ty, format_args!("unknown group `{name}`"), help))
}
