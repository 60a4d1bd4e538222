//! The arguments of a recursion of frames: the frame before, the joint, and what is told by its type.

use syn::{FnArg, Ident, Pat, Type};

use super::{Context, group_of};
use crate::diagnostics::{error_with_help, source};
use crate::model::{Argument, ArgumentKind, Group};
use crate::parse::functions::binding::{ensure_inputs, unbound};
use crate::parse::module::collect::Declared;
use crate::parse::role::Keyword;
use crate::parse::syntax::shape::{bare, is_named};

/// The whole signature, with the user's types.
pub(in crate::parse) fn expected(
    declared: &Declared,
    field: usize,
    frame: Option<Group>,
    context: &Context<'_>,
) -> String {
    let inputs: Vec<&FnArg> = declared.item.sig.inputs.iter().collect();
    let mut arguments = context.names.common(Keyword::Kinematics, &inputs);
    let frame = frame.map_or_else(|| "SE3".to_owned(), |group| group.written());
    let member = context.configuration.members[field].group.written();
    arguments.push(format!("above: &{frame}"));
    arguments.push(format!("member: &{member}"));
    format!("fn {}({}) -> {frame}", declared.item.sig.ident, arguments.join(", "))
}

pub(in crate::parse) fn arguments(
    declared: &Declared,
    field: usize,
    frame: Group,
    context: &Context<'_>,
) -> syn::Result<Vec<Argument>> {
    let signature = &declared.item.sig;
    let name = &signature.ident;
    let expected = expected(declared, field, Some(frame), context);
    let groups = [frame, context.configuration.members[field].group];
    let mut arguments: Vec<Argument> = vec![];
    for input in &signature.inputs {
        let FnArg::Typed(typed) = input else {
            let message = format!("`{name}` cannot take `self`: it is a function of the module");
            return Err(error_with_help(input, message, expected));
        };
        let given = arguments.iter().filter(|argument| matches!(argument.kind, ArgumentKind::Members(_))).count();
        let kind = match kind(typed, context) {
            Some(kind) => kind,
            None => match (bare(&typed.ty), groups.get(given)) {
                (Type::Reference(reference), Some(&group))
                    if reference.mutability.is_none()
                        && group_of(&reference.elem, context).is_ok_and(|found| found.is_same(&group)) =>
                {
                    ArgumentKind::Members(given)
                }
                _ => {
                    let message = format!("`{}` is no argument of `{name}`", source(&typed.ty));
                    return Err(error_with_help(&typed.ty, message, expected));
                }
            },
        };
        ensure_inputs(kind, Keyword::Kinematics, input, &expected)?;
        if kind == ArgumentKind::Time {
            context.names.ensure_time(typed)?;
        }
        if arguments.iter().any(|earlier| earlier.kind == kind) {
            let message = format!("`{name}` takes `{}` twice", source(&typed.ty));
            return Err(error_with_help(input, message, expected));
        }
        let binding = match &*typed.pat {
            Pat::Ident(binding) if binding.subpat.is_none() && binding.by_ref.is_none() => binding.ident.clone(),
            Pat::Wild(wild) => Ident::new("_", wild.underscore_token.span),
            other => return Err(unbound(other, &expected)),
        };
        arguments.push(Argument { name: binding, pattern: (*typed.pat).clone(), kind });
    }
    if !arguments.iter().any(|argument| argument.kind == ArgumentKind::Members(1)) {
        let message = format!("`{name}` needs the frame before it and the member of the chain");
        return Err(error_with_help(name, message, expected));
    }
    Ok(arguments)
}

/// What is told by its type: the parameters, the time, the number of the member.
pub(in crate::parse) fn kind(typed: &syn::PatType, context: &Context<'_>) -> Option<ArgumentKind> {
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
