//! `#[kinematics(over = links)]`: the recursion of frames along a chain, and what may run over them.
//!
//! Invariant: there is at most one, along a chain or a power; the frames are of a group; terms see one frame at a time.

use syn::{Expr, FnArg, Ident, Pat, Type};

use super::bodies::Bodies;
use super::collect::Declared;
use super::configuration;
use super::constants::Constants;
use super::functions::return_type;
use super::keyword::{self, Keyword};
use super::over;
use super::shape::{self, bare, is_named, vector_type};
use super::signature::{Names, unbound};
use crate::diagnostics::{Diagnostics, and_at, error_with_help, source};
use crate::model::{
    Argument, ArgumentKind, Configuration, Group, Kinematics, Output, Part, Role, RoleFunction, Selection,
};

/// What the recursion is read with.
pub(super) struct Context<'a> {
    pub names: &'a Names,
    pub constants: &'a Constants,
    pub configuration: &'a Configuration,
    pub bodies: &'a Bodies,
}

/// The declared recursion; `None` if there is none or it is wrong.
pub(super) fn read(functions: &[Declared], context: &Context<'_>, sink: &mut Diagnostics) -> Option<Kinematics> {
    let mut declared = functions.iter().filter(|declared| declared.keyword == Keyword::Kinematics);
    let first = declared.next()?;
    for second in declared {
        let (name, known) = (&second.item.sig.ident, &first.item.sig.ident);
        sink.push(and_at(
            error_with_help(
                name,
                format_args!("a system has one `#[kinematics]`, and `{known}` is already declared"),
                "let the frame of one recursion hold all: a frame of `SE3` has points on it",
            ),
            known,
            "the first one is here",
        ));
    }
    let (given, _) = keyword::arguments(first.keyword, &first.attribute, sink);
    let name = &first.item.sig.ident;
    let Some(argument) = given.first() else {
        sink.error_with_help(
            name,
            format_args!("what `{name}` runs along is not said"),
            "write `#[kinematics(over = links)]` with a chain `links: Vec<G>`",
        );
        return None;
    };
    if let Some(member) = context.configuration.members.iter().find(|member| member.name == *name) {
        sink.push(and_at(
            error_with_help(
                name,
                format_args!("`{name}` is a member of the configuration already"),
                "give the frames a name of their own: terms run `over` it",
            ),
            &member.name,
            "it is declared here",
        ));
        return None;
    }
    let field = sink.take(field(&argument.value, context))?;
    let frame = sink.take(frame(first, field, context))?;
    let arguments = sink.take(arguments(first, field, frame, context))?;
    let selection = |field| Selection { field, part: Part::Each };
    let function = RoleFunction {
        role: Role::Kinematics,
        over: Some(vec![selection(context.configuration.members.len()), selection(field)]),
        name: name.clone(),
        visibility: first.item.vis.clone(),
        arguments,
        output: Output::Element(frame),
        output_type: return_type(first)?.clone(),
        signature: first.item.sig.clone(),
        body: (*first.item.block).clone(),
    };
    Some(Kinematics { function, frame, field })
}

/// The chain that the recursion runs along.
fn field(value: &Expr, context: &Context<'_>) -> syn::Result<usize> {
    let selections = over::read(value, context.configuration, context.constants)?;
    match selections.as_slice() {
        [Selection { field, part: Part::Each }] => {
            let group = context.configuration.members[*field].group;
            if let Some(body) = group.structure().filter(|_| group.has_sphere()) {
                let message = format!("frames do not run along `{}`, which has an `S2` beside other groups", body.name);
                let help = "let the chain be of `S2` alone, or use `SO3` in the place of the `S2`";
                return Err(error_with_help(value, message, help));
            }
            Ok(*field)
        }
        _ => Err(error_with_help(
            value,
            "a recursion runs along all members of one chain",
            "write `over = links` with a chain `links: Vec<G>` or a power `[G; N]`",
        )),
    }
}

/// The group of a type: vectors are elements of Rⁿ.
fn group_of(ty: &Type, context: &Context<'_>) -> syn::Result<Group> {
    match shape::read(ty, "f64", context.constants) {
        Ok(Output::Vector(n)) => Ok(Group::named(&format!("R{n}")).unwrap_or_else(|| Group::vector_space(n))),
        _ => context.bodies.group(ty).map_or_else(|| configuration::group(ty, context.constants), Ok),
    }
}

fn frame(declared: &Declared, field: usize, context: &Context<'_>) -> syn::Result<Group> {
    let name = &declared.item.sig.ident;
    let Some(ty) = return_type(declared) else {
        let help = expected(declared, field, Group::named("R3"), context);
        return Err(error_with_help(name, format_args!("`{name}` returns nothing"), help));
    };
    let group = group_of(ty, context)?;
    if group.is_number() {
        let help = "let it be a point, `R3`, or a pose, `SE3`; a number along a line is an `R1`";
        return Err(error_with_help(ty, "a frame is a place, and a number is none", help));
    }
    if let Some(body) = group.structure() {
        let message = format!("a frame is a place, and `{}` is a struct of several groups", body.name);
        return Err(error_with_help(ty, message, "let it be a point, `R3`, or a pose, `SE3`"));
    }
    if group.has_sphere() {
        let message = "a frame is an element of a group, and the sphere is none";
        return Err(error_with_help(ty, message, "let it be a point, `R3`, or a pose, `SE3`"));
    }
    Ok(group)
}

/// The whole signature, with the user's types.
fn expected(declared: &Declared, field: usize, frame: Option<Group>, context: &Context<'_>) -> String {
    let inputs: Vec<&FnArg> = declared.item.sig.inputs.iter().collect();
    let mut arguments = context.names.common(Keyword::Kinematics, &inputs);
    let frame = frame.map_or_else(|| "SE3".to_owned(), |group| group.written());
    let member = context.configuration.members[field].group.written();
    arguments.push(format!("above: &{frame}"));
    arguments.push(format!("member: &{member}"));
    format!("fn {}({}) -> {frame}", declared.item.sig.ident, arguments.join(", "))
}

fn arguments(declared: &Declared, field: usize, frame: Group, context: &Context<'_>) -> syn::Result<Vec<Argument>> {
    let signature = &declared.item.sig;
    let name = &signature.ident;
    let expected = expected(declared, field, Some(frame), context);
    if signature.generics.lt_token.is_some() {
        let message = format!("`{name}` cannot be generic: it is a `#[kinematics]`");
        return Err(error_with_help(&signature.generics, message, expected));
    }
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
        super::signature::ensure_inputs(kind, Keyword::Kinematics, input, &expected)?;
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
fn kind(typed: &syn::PatType, context: &Context<'_>) -> Option<ArgumentKind> {
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

/// Terms over frames see one of them, and are no constraints.
pub(super) fn ensure_one_frame(
    declared: &Declared,
    over: &[Selection],
    members: usize,
    frames: &Configuration,
) -> syn::Result<()> {
    let name = &declared.item.sig.ident;
    if over.iter().all(|selection| selection.field < members) {
        if declared.keyword == Keyword::Observable {
            let configuration = &frames.item.ident;
            let message = format!("the observable `{name}` runs over members, which it finds in the configuration");
            let help = format!("#[observable] fn {name}(q: &{configuration}) -> …; frames are what it may run over");
            return Err(error_with_help(name, message, help));
        }
        return Ok(());
    }
    let frame = &frames.members[members].name;
    if matches!(declared.keyword, Keyword::Constraint | Keyword::VelocityConstraint) {
        let velocity = vector_type(frames.members[members].group.dimension());
        let help = format!(
            "hold it by a force, `#[force(over = {frame}.last())] fn {name}(…) -> {velocity}`,\nor declare the members as \
             a power `[G; N]` and their positions as a `#[quantity]`"
        );
        let message = format!("`{name}` constrains a frame, which moves all members before it");
        return Err(error_with_help(name, message, help));
    }
    match over {
        [Selection { part: Part::Each | Part::First | Part::Last | Part::At(_), .. }] => Ok(()),
        _ => Err(error_with_help(
            name,
            format_args!("`{name}` runs over more than one frame at a time"),
            format_args!(
                "write `over = {frame}` or `over = {frame}.last()`; what joins members runs over the members themselves"
            ),
        )),
    }
}
