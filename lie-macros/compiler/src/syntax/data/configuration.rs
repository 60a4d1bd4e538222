//! The configuration struct: a product of groups.
//!
//! Invariant: every member is a group, a power of fixed size, or a chain. The total dimension of fixed members is small enough for unrolled
//! code.

use syn::{Item, ItemStruct, Type};

use super::bodies::Bodies;
use super::fields::{CLAMPED, group, group_fields, meant};
use crate::diagnostics::{ErrorCollector, error_with_help, source};
use crate::group::{GROUPS, Group};
use crate::model::{Configuration, Member};
use crate::syntax::module::collect::Declaration;
use crate::syntax::role::{Recognised, recognise};
use crate::syntax::rust::constants::Constants;
use crate::syntax::rust::items::{conditional_error, mentions, structs};
use crate::syntax::rust::shape::{MAXIMUM, bare, generic_arguments, library_segment};
use crate::syntax::rust::suggest;
use crate::syntax::scope::{ModuleScopes, Rewriter};

/// Reads the configuration. If a member is wrong, the second result contains the other members.
pub(in crate::syntax) fn read(
    declaration: &Declaration,
    scope: &ModuleScopes,
    constants: &Constants,
    bodies: &Bodies,
    sink: &mut ErrorCollector,
) -> (Option<Configuration>, Option<Configuration>) {
    let Some(item) = &declaration.configuration else { return (None, None) };
    let Some(fields) = group_fields(item, "configuration", sink) else { return (None, None) };
    let (mut members, mut is_whole) = (vec![], true);
    let mut item = item.clone();
    for (field, written) in fields.zip(&mut item.fields) {
        let Some(name) = field.ident.clone() else { continue };
        if let Some(attribute) = field.attrs.iter().find(|attribute| attribute.path().is_ident("cfg")) {
            sink.push(conditional_error(attribute));
        }
        let ty = Rewriter::new(scope, 0).ty(&field.ty);
        if bodies.is_wrong(&ty) {
            is_whole = false;
            continue;
        }
        // Errors in the rest of the declaration are found with the group that is meant.
        let mut is_corrected = false;
        let group = |ty: &Type| match bodies.group(ty) {
            Some(group) => Ok(group),
            None => group(ty, constants).or_else(|error| match meant(ty, constants) {
                Some(group) => {
                    sink.push(error);
                    is_corrected = true;
                    Ok(group)
                }
                None => Err(error),
            }),
        };
        let factor = factor(&ty, constants, group);
        match sink.take(factor) {
            Some(factor) => {
                if is_corrected {
                    written.ty = factor.written();
                }
                let Factor { group, count, is_chain } = factor;
                // If only `#[clamped]` is wrong, the group is known, and no inertia is required.
                let clamped = sink.take(clamped(field, is_chain || count.is_some())).unwrap_or([true; 2]);
                members.push(Member { name, group, count, is_chain, clamped });
            }
            None => is_whole = false,
        }
    }
    for field in &mut item.fields {
        field.attrs.retain(|attribute| !attribute.path().is_ident(CLAMPED));
    }
    let configuration = Configuration::of(item, members);
    let item = &configuration.item;
    let dof = configuration.members.iter().fold(0_usize, |sum, member| sum.saturating_add(member.dof()));
    if dof > MAXIMUM {
        sink.error_with_help(
            &item.ident,
            format_args!("`{}` has {dof} degrees of freedom", item.ident),
            format_args!(
                "use at most {MAXIMUM}, because fixed powers are unrolled, or a chain, `Vec<G>`, with terms over its members"
            ),
        );
        return (None, None);
    }
    if is_whole { (Some(configuration), None) } else { (None, Some(configuration)) }
}

/// Returns the struct that is probably the configuration, if none is marked: the first one without a role that has a group other than the
/// scalars, and that is not a part of another struct.
pub(in crate::syntax) fn unmarked(items: &[Item]) -> Option<&ItemStruct> {
    let has_group =
        |field: &syn::Field| GROUPS.iter().any(|known| !known.is_number() && mentions(&field.ty, known.name));
    structs(items).find(|item| {
        let is_unmarked = item.attrs.iter().all(|attribute| matches!(recognise(attribute), Recognised::Foreign));
        let name = item.ident.to_string();
        is_unmarked && item.fields.iter().any(has_group) && !structs(items).any(|other| mentions(&other.fields, &name))
    })
}

/// The type of a member.
struct Factor {
    group: Group,
    count: Option<usize>,
    is_chain: bool,
}

impl Factor {
    /// The type of the member.
    fn written(&self) -> Type {
        let group: Type = syn::parse_str(&self.group.written()).unwrap_or_else(|_| bug!("a group without a type"));
        match self.count {
            Some(count) => syn::parse_quote!([#group; #count]),
            None if self.is_chain => syn::parse_quote!(Vec<#group>),
            None => group,
        }
    }
}

/// Parses `#[clamped(first)]`, `#[clamped(last)]`, `#[clamped(first, last)]`, and `#[clamped]` of a single member.
fn clamped(field: &syn::Field, is_many: bool) -> syn::Result<[bool; 2]> {
    let mut clamped = [false; 2];
    let misspelt = field.attrs.iter().find(|attribute| {
        let name = attribute.path().get_ident().map(ToString::to_string).unwrap_or_default();
        name != CLAMPED && suggest::nearest(&name, [CLAMPED]).is_some()
    });
    if let Some(attribute) = misspelt {
        let message = format!("unknown attribute `{}` of a member", source(attribute.path()));
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
        let message = "missing ends of the chain in `#[clamped]`";
        return Err(error_with_help(attribute, message, "write `#[clamped(first)]` or `#[clamped(first, last)]`"));
    }
    for end in ends {
        match end.to_string().as_str() {
            "first" if clamped[0] => return Err(error_with_help(&end, "duplicate `first`", "remove one")),
            "last" if clamped[1] => return Err(error_with_help(&end, "duplicate `last`", "remove one")),
            "first" => clamped[0] = true,
            "last" => clamped[1] = true,
            other => {
                let help = suggest::did_you_mean(other, ["first", "last"], "write `first` or `last`".to_owned());
                return Err(error_with_help(&end, format_args!("`{other}` is not an end of a chain"), help));
            }
        }
    }
    Ok(clamped)
}

/// Returns the group and the multiplicity of a member. `group` returns the group of one element.
fn factor(ty: &Type, constants: &Constants, mut group: impl FnMut(&Type) -> syn::Result<Group>) -> syn::Result<Factor> {
    if let Some(segment) = library_segment(ty).filter(|segment| segment.ident == "Vec") {
        return match generic_arguments(segment).as_slice() {
            [syn::GenericArgument::Type(element)] => {
                if let Type::Array(_) = bare(element) {
                    let message = "a chain of powers is not supported";
                    return Err(error_with_help(element, message, "declare one chain for each element of the power"));
                }
                if library_segment(element).is_some_and(|segment| segment.ident == "Vec") {
                    let message = "a chain of chains is not supported";
                    return Err(error_with_help(element, message, "declare one chain `Vec<G>` for each"));
                }
                Ok(Factor { group: group(element)?, count: None, is_chain: true })
            }
            _ => Err(error_with_help(ty, "expected one group in `Vec`", "write `Vec<SE3>`")),
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
                    "the length of the array is 0",
                    "use a positive length, or remove the field",
                )),
                count if count > MAXIMUM => Err(error_with_help(
                    &array.len,
                    format_args!("an array of {count} members is too long for unrolled code"),
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
