//! The arguments of `#[kinematics]`: the parent frame, the joint, and arguments that are identified by type.

use syn::{FnArg, Ident, Pat, Type};

use crate::diagnostics::{error_with_help, source};
use crate::model::{Argument, ArgumentKind, Configuration, Group};
use crate::syntax::data::bodies::Bodies;
use crate::syntax::data::fields;
use crate::syntax::functions::argument_types::ArgumentTypes;
use crate::syntax::functions::binding::{add, typed, unbound};
use crate::syntax::module::collect::AttributedFunction;
use crate::syntax::role::Keyword;
use crate::syntax::rust::constants::Constants;
use crate::syntax::rust::shape::{bare, is_named};

/// The context of the parser.
pub(in crate::syntax) struct KinematicsContext<'a> {
    pub names: &'a ArgumentTypes,
    pub constants: &'a Constants,
    pub configuration: &'a Configuration,
    pub bodies: &'a Bodies,
}

/// Returns the group of a type.
pub(super) fn group_of(ty: &Type, context: &KinematicsContext<'_>) -> syn::Result<Group> {
    context.bodies.group(ty).map_or_else(|| fields::group(ty, context.constants), Ok)
}

/// Formats the correct signature with the user's types.
pub(in crate::syntax) fn expected(
    declared: &AttributedFunction,
    field: usize,
    frame: Option<Group>,
    context: &KinematicsContext<'_>,
) -> String {
    let inputs: Vec<&FnArg> = declared.item.sig.inputs.iter().collect();
    let mut arguments = context.names.common(Keyword::Kinematics, &inputs);
    let member = context.configuration.members[field].group;
    let [above, joint] = called(&inputs, [frame, Some(member)], context);
    let frame = frame.map_or_else(|| "SE3".to_owned(), |group| group.written());
    arguments.push(format!("{above}: &{frame}"));
    arguments.push(format!("{joint}: &{}", member.written()));
    format!("fn {}({}) -> {frame}", declared.item.sig.ident, arguments.join(", "))
}

/// Returns the user's names of the parent frame and the joint. If both have the same group, a single argument is the joint.
fn called(inputs: &[&FnArg], groups: [Option<Group>; 2], context: &KinematicsContext<'_>) -> [String; 2] {
    let places = inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) if kind(typed, context).is_none() && !is_named(&typed.ty, "usize") => Some(typed),
        _ => None,
    });
    let places: Vec<&syn::PatType> = places.collect();
    let is_of = |typed: &syn::PatType, group: Option<Group>| {
        group.is_some_and(|group| is_reference_to(&typed.ty, group, context))
    };
    let [above, joint] = match places.as_slice() {
        [joint, above] if is_of(joint, groups[1]) && is_of(above, groups[0]) && !is_of(above, groups[1]) => {
            [Some(*above), Some(*joint)]
        }
        [above, joint] => [Some(*above), Some(*joint)],
        [one] if is_of(one, groups[1]) => [None, Some(*one)],
        [one] if is_of(one, groups[0]) => [Some(*one), None],
        _ => [None, None],
    };
    let name = |typed: Option<&syn::PatType>, otherwise: &str| match typed.map(|typed| &*typed.pat) {
        Some(Pat::Ident(binding)) => binding.ident.to_string(),
        _ => otherwise.to_owned(),
    };
    [name(above, "above"), name(joint, "member")]
}

/// Returns true for `&G` with this group.
fn is_reference_to(ty: &Type, group: Group, context: &KinematicsContext<'_>) -> bool {
    matches!(bare(ty), Type::Reference(reference) if reference.mutability.is_none()
        && group_of(&reference.elem, context).is_ok_and(|found| found.is_same(&group)))
}

pub(in crate::syntax) fn arguments(
    declared: &AttributedFunction,
    field: usize,
    frame: Group,
    context: &KinematicsContext<'_>,
) -> syn::Result<Vec<Argument>> {
    let signature = &declared.item.sig;
    let name = &signature.ident;
    let expected = expected(declared, field, Some(frame), context);
    let groups = [frame, context.configuration.members[field].group];
    let mut arguments: Vec<Argument> = vec![];
    for input in &signature.inputs {
        let typed = typed(input, name, &expected)?;
        let given = arguments.iter().filter(|argument| matches!(argument.kind, ArgumentKind::Members(_))).count();
        let kind = match kind(typed, context) {
            Some(kind) => kind,
            None => match groups.get(given) {
                Some(&group) if is_reference_to(&typed.ty, group, context) => ArgumentKind::Members(given),
                Some(_) if given == 0 && is_reference_to(&typed.ty, groups[1], context) => {
                    let is_frame = |input: &FnArg| matches!(input, FnArg::Typed(typed) if is_reference_to(&typed.ty, frame, context));
                    if signature.inputs.iter().any(is_frame) {
                        let message = format!("the arguments of `{name}` are out of order");
                        return Err(error_with_help(typed, message, expected));
                    }
                    return Err(error_with_help(name, both_are_needed(name), expected));
                }
                _ => {
                    let message = format!("unexpected argument of type `{}` of `{name}`", source(&typed.ty));
                    return Err(error_with_help(&typed.ty, message, expected));
                }
            },
        };
        if kind == ArgumentKind::Time {
            context.names.ensure_time(typed)?;
        }
        let binding = match &*typed.pat {
            Pat::Ident(binding) if binding.subpat.is_none() && binding.by_ref.is_none() => binding.ident.clone(),
            Pat::Wild(wild) => Ident::new("_", wild.underscore_token.span),
            other => return Err(unbound(other, &expected)),
        };
        let argument = Argument { name: binding, pattern: (*typed.pat).clone(), kind };
        add(&mut arguments, argument, (input, &source(&typed.ty)), (Keyword::Kinematics, name, &expected))?;
    }
    if !arguments.iter().any(|argument| argument.kind == ArgumentKind::Members(1)) {
        return Err(error_with_help(name, both_are_needed(name), expected));
    }
    Ok(arguments)
}

fn both_are_needed(name: &Ident) -> String {
    format!("missing arguments of `{name}`: the parent frame and the member of the chain")
}

/// Returns the kind of an argument that its type identifies: parameters, inputs, time, index or length.
pub(in crate::syntax) fn kind(typed: &syn::PatType, context: &KinematicsContext<'_>) -> Option<ArgumentKind> {
    if is_named(&typed.ty, "usize") {
        let Pat::Ident(binding) = &*typed.pat else { return None };
        return match binding.ident.to_string().trim_start_matches('_') {
            "index" => Some(ArgumentKind::Index),
            "length" => Some(ArgumentKind::Length),
            _ => None,
        };
    }
    match context.names.classify(&typed.ty) {
        Ok(kind @ (ArgumentKind::Parameters | ArgumentKind::Inputs | ArgumentKind::Time)) => Some(kind),
        _ => None,
    }
}
