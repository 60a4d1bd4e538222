//! Common checks for the fields of structs with a role.

use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::{Fields, ItemStruct, Type};

use crate::diagnostics::{ErrorCollector, error_with_help, source};
use crate::group::GROUPS;
use crate::model::{Group, OutputShape};
use crate::syntax::rust::constants::Constants;
use crate::syntax::rust::shape::{self, MAXIMUM, bare, generic_arguments, is_named, is_wrapper, library_segment};
use crate::syntax::rust::suggest;

/// The attribute of fixed members.
pub(in crate::syntax) const CLAMPED: &str = "clamped";

/// Returns the named fields of a struct without generics; an empty list for a unit struct.
pub(in crate::syntax) fn named_fields<'a>(
    item: &'a ItemStruct,
    what: &str,
    example: &str,
    sink: &mut ErrorCollector,
) -> Option<impl Iterator<Item = &'a syn::Field> + use<'a>> {
    let name = &item.ident;
    if item.generics.lt_token.is_some() {
        sink.error_with_help(
            &item.generics,
            format_args!("the {what} `{name}` cannot be generic"),
            format_args!("write `struct {name} {{ … }}`; the macro makes it generic over the scalar"),
        );
    } else if let Some(clause) = &item.generics.where_clause {
        sink.error_with_help(clause, format_args!("the {what} `{name}` cannot have a where clause"), "remove it");
    }
    if let Fields::Unnamed(fields) = &item.fields {
        sink.error_with_help(
            fields,
            format_args!("missing field names of the {what} `{name}`"),
            format_args!("write `struct {name} {{ {} }}`", named(fields, example)),
        );
        return None;
    }
    Some(item.fields.iter())
}

/// Returns the fields of a product of groups; reports a struct without fields.
pub(in crate::syntax) fn group_fields<'a>(
    item: &'a ItemStruct,
    what: &str,
    sink: &mut ErrorCollector,
) -> Option<impl Iterator<Item = &'a syn::Field> + use<'a>> {
    let fields = named_fields(item, what, "attitude: SO3", sink)?;
    let name = &item.ident;
    if item.fields.is_empty() {
        let help = format_args!("write `struct {name} {{ attitude: SO3, position: R3 }}`");
        sink.error_with_help(name, format_args!("the {what} `{name}` has no fields"), help);
        return None;
    }
    Some(fields)
}

/// Returns the intended struct without generics: type parameters become `f64`, and constants one.
pub(in crate::syntax) fn without_generics(item: &ItemStruct) -> ItemStruct {
    if item.generics.params.is_empty() {
        return item.clone();
    }
    let mut plain = item.clone();
    let generics = core::mem::take(&mut plain.generics);
    let types: Vec<&Ident> = generics.type_params().map(|own| &own.ident).collect();
    let constants: Vec<&Ident> = generics.const_params().map(|own| &own.ident).collect();
    syn::parse2(replaced(plain.to_token_stream(), &types, &constants)).unwrap_or(plain)
}

/// Replaces the names of types by `f64` and of constants by one.
fn replaced(tokens: TokenStream, types: &[&Ident], constants: &[&Ident]) -> TokenStream {
    let replace = |token| match token {
        TokenTree::Ident(name) if types.contains(&&name) => format_ident!("f64", span = name.span()).into(),
        TokenTree::Ident(name) if constants.contains(&&name) => Literal::usize_unsuffixed(1).into(),
        TokenTree::Group(group) => {
            TokenTree::from(proc_macro2::Group::new(group.delimiter(), replaced(group.stream(), types, constants)))
        }
        token => token,
    };
    tokens.into_iter().map(replace).collect()
}

/// Formats the fields of a tuple struct with names; without fields, the `example`.
fn named(fields: &syn::FieldsUnnamed, example: &str) -> String {
    let names = ["first", "second", "third", "fourth", "fifth", "sixth"];
    let named = names.iter().zip(&fields.unnamed).map(|(name, field)| format!("{name}: {}", source(&field.ty)));
    let named: Vec<String> = named.collect();
    if named.is_empty() { example.to_owned() } else { named.join(", ") }
}

/// Returns the group of a type.
pub(in crate::syntax) fn group(ty: &Type, constants: &Constants) -> syn::Result<Group> {
    let ty = bare(ty);
    let groups =
        || format!("the groups are {}", suggest::list(GROUPS.iter().map(|group| group.name).chain(["Rn<N>", "f64"])));
    let segment = match ty {
        Type::Reference(reference) => {
            return Err(error_with_help(
                ty,
                "a member of the configuration cannot be a reference",
                format_args!("write `{}`", source(&reference.elem)),
            ));
        }
        Type::Tuple(_) => {
            return Err(error_with_help(ty, "a tuple is not a group", "declare one field for each factor"));
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
    if let OutputShape::Vector(n @ 1..) = shape::read(ty, "f64", constants)? {
        return Ok(Group::named(&format!("R{n}")).unwrap_or_else(|| Group::vector_space(n)));
    }
    if name == "Rn" {
        return match arguments.as_slice() {
            [dimension, ..] => match constants.dimension(dimension)? {
                0 => Err(error_with_help(dimension, "the dimension of `Rn` is 0", "use a positive dimension")),
                n if n > MAXIMUM => Err(error_with_help(
                    dimension,
                    format_args!("`Rn<{n}>` is too large for unrolled code"),
                    format_args!("use at most {MAXIMUM}"),
                )),
                n => Ok(Group::vector_space(n)),
            },
            [] => Err(error_with_help(ty, "missing dimension of `Rn`", "write `Rn<3>` or `R3`")),
        };
    }
    if let Some(group) = Group::named(&name) {
        return match arguments.as_slice() {
            [] => Ok(group),
            [syn::GenericArgument::Type(scalar)] if is_named(scalar, "f64") => Ok(group),
            _ => Err(error_with_help(
                ty,
                format_args!("unexpected generic arguments of `{name}`"),
                format_args!("write `{name}`; the macro makes the struct generic over the scalar"),
            )),
        };
    }
    if is_wrapper(&name) {
        let element = arguments.first().map_or("G".to_owned(), source);
        return Err(error_with_help(
            ty,
            format_args!("`{}` is not a group", source(ty)),
            format_args!("write `{element}`"),
        ));
    }
    if name == "TS2" {
        let message = "the tangent bundle `TS2` cannot be a member of the configuration";
        return Err(error_with_help(ty, message, "write `S2`; its velocity is ω with q' = ω × q"));
    }
    if let Some((group, what)) = Group::like(&name) {
        let help = match what {
            "a matrix" if name != "SMatrix" => format!("write `{group}` for a rotation or a pose"),
            "a matrix" => groups(),
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

/// Returns the group that a wrong type certainly means; `None` for unknown names.
pub(in crate::syntax) fn meant(ty: &Type, constants: &Constants) -> Option<Group> {
    if let Type::Reference(reference) = bare(ty) {
        return group(&reference.elem, constants).ok();
    }
    let segment = library_segment(ty)?;
    let name = segment.ident.to_string();
    match generic_arguments(segment).as_slice() {
        [syn::GenericArgument::Type(element)] if is_wrapper(&name) => group(element, constants).ok(),
        _ => Group::named(Group::like(&name)?.0),
    }
}
