//! `#[kinematics(over = links)]`: the forward kinematics along a tree of joints, and the terms over its frames.
//!
//! Invariant: there is at most one set of frames, with one group. Each field of joints has one function. Terms run over either members or
//! frames.

mod arguments;

use std::rc::Rc;

use syn::{Expr, FnArg, Ident, ItemFn, Pat, ReturnType};

pub(in crate::syntax) use self::arguments::KinematicsContext;
use self::arguments::{arguments, expected, group_of, kind};
use crate::diagnostics::{Code, ErrorCollector, and_at, error_with_help, source};
use crate::model::{
    Argument, ArgumentKind, Configuration, FieldJoints, Group, Kinematics, OutputShape, Role, RoleFunction, Selection,
    SlotMembers, Within,
};
use crate::syntax::functions::context::{bare_name, return_type};
use crate::syntax::functions::member_selection;
use crate::syntax::module::collect::AttributedFunction;
use crate::syntax::role::{self, Keyword, RoleArgument};

/// A `#[kinematics]` and the arguments of its attribute.
struct KinematicsAttribute<'d> {
    declared: &'d AttributedFunction,
    arguments: Vec<RoleArgument>,
}

impl<'d> KinematicsAttribute<'d> {
    fn of(declared: &'d AttributedFunction, sink: &mut ErrorCollector) -> Self {
        let (arguments, _) = role::arguments(declared.keyword, &declared.attribute, sink);
        KinematicsAttribute { declared, arguments }
    }

    fn get(&self, name: &str) -> Option<&Expr> {
        self.arguments.iter().find(|argument| argument.name == name).map(|argument| &argument.value)
    }

    fn name(&self) -> &'d Ident {
        &self.declared.item.sig.ident
    }
}

/// Returns the functions with the role.
fn all(functions: &[AttributedFunction]) -> impl Iterator<Item = &AttributedFunction> {
    functions.iter().filter(|declared| declared.keyword == Keyword::Kinematics)
}

/// Returns the names of frames.
pub(in crate::syntax) fn names(functions: &[AttributedFunction]) -> Vec<&Ident> {
    all(functions).map(|declared| &declared.item.sig.ident).collect()
}

/// Parses the declared kinematics; `None` if there is none, or after an error.
pub(in crate::syntax) fn read(
    functions: &[AttributedFunction],
    helpers: &[Within<ItemFn>],
    context: &KinematicsContext<'_>,
    sink: &mut ErrorCollector,
) -> Option<Kinematics> {
    let all: Vec<_> = all(functions).map(|declared| KinematicsAttribute::of(declared, sink)).collect();
    let first = all.iter().find(|given| given.get("frames").is_none()).or(all.first())?;
    let (name, mut joints): (_, Vec<FieldJoints>) = (first.name(), vec![]);
    let mut ordered = vec![first];
    ordered.extend(all.iter().filter(|given| !std::ptr::eq(*given, first)));
    let mut frame = None;
    for given in ordered {
        if !std::ptr::eq(given, first) && sink.take(ensure_follows(given, name)).is_none() {
            continue;
        }
        let joint = joint(given, name, frame, context, sink)?;
        frame = Some(joint.1);
        if let Some(known) = joints.iter().find(|known| known.field == joint.0.field) {
            let member = &context.configuration.members[known.field].name;
            let message = format_args!("duplicate `#[kinematics]` over `{member}`");
            let help = "declare another field for joints of another type";
            sink.error_with_note(given.name(), message, help, (&known.function.name, "the first one is here"));
            continue;
        }
        joints.push(joint.0);
    }
    let frame = frame?;
    // An invalid base is reported; terms over frames need no further errors.
    let base = first.get("base").and_then(|value| sink.take(base(value, helpers, frame, context)));
    Some(Kinematics { joints, frame, base })
}

/// Checks that further `#[kinematics]` declare other joints of the same frames.
fn ensure_follows(given: &KinematicsAttribute, frames: &Ident) -> syn::Result<()> {
    let name = given.name();
    match given.get("frames") {
        Some(Expr::Path(path)) if path.path.is_ident(frames) => {}
        Some(other) => {
            let message = format!("unknown frames `{}`", source(other));
            return Err(error_with_help(other, message, format_args!("write `frames = {frames}`")));
        }
        None => {
            return Err(and_at(
                error_with_help(
                    name,
                    format_args!("a system has one set of frames, and `{frames}` is already declared"),
                    format_args!(
                        "for joints of another type in the same tree, write `#[kinematics(over = …, frames = {frames})]`"
                    ),
                ),
                frames,
                "the first one is here",
            ));
        }
    }
    match ["parents", "base"].into_iter().find_map(|argument| given.get(argument).map(|value| (argument, value))) {
        Some((argument, value)) => {
            let message = format!("unexpected argument `{argument}`: it applies to all frames");
            Err(error_with_help(value, message, format_args!("move it to the attribute of `{frames}`")))
        }
        None => Ok(()),
    }
}

/// Parses one type of joints; also returns the group of its frames.
fn joint(
    given: &KinematicsAttribute,
    frames: &Ident,
    group: Option<Group>,
    context: &KinematicsContext<'_>,
    sink: &mut ErrorCollector,
) -> Option<(FieldJoints, Group)> {
    let (name, declared) = (given.name(), given.declared);
    let Some(over) = given.get("over") else {
        sink.error_with_help(
            name,
            format_args!("missing `over` of the kinematics `{name}`"),
            "write `#[kinematics(over = links)]` with a chain `links: Vec<G>`",
        );
        return None;
    };
    if let Some(member) = context.configuration.members.iter().find(|member| member.name == *name) {
        let message = format_args!("duplicate name `{name}`: it is also a member of the configuration");
        let help = "rename the function: its name is the name of the frames";
        sink.error_with_note(name, message, help, (&member.name, "it is declared here"));
        return None;
    }
    let field = sink.take(field(over, context))?;
    let frame = sink.take(frame(declared, field, context))?;
    if let Some(known) = group.filter(|known| !known.is_same(&frame)) {
        let output = return_type(declared)?;
        sink.error_with_help(
            output,
            format_args!("the frames `{frames}` have the type `{}`, found `{}`", known.written(), frame.written()),
            format_args!("return `{}`; `{}::from(…)` converts other poses", known.written(), known.written()),
        );
        return None;
    }
    let is_plain = crate::syntax::functions::signature::ensure_plain(&declared.item, declared.keyword, sink);
    let arguments = sink.take(arguments(declared, field, frame, context)).filter(|_| is_plain)?;
    let selection = |field| Selection { field, part: SlotMembers::Each };
    let function = RoleFunction {
        role: Role::Kinematics,
        over: Some(vec![selection(context.configuration.members.len()), selection(field)]),
        element: None,
        name: name.clone(),
        visibility: declared.item.vis.clone(),
        arguments,
        output: OutputShape::Element(frame),
        output_type: return_type(declared)?.clone(),
        signature: Rc::new(declared.item.sig.clone()),
        body: Rc::new((*declared.item.block).clone()),
    };
    Some((FieldJoints { function, field }, frame))
}

/// Returns the name of the list of parents, if there is one.
pub(in crate::syntax) fn parents(
    functions: &[AttributedFunction],
    configuration: &Configuration,
    sink: &mut ErrorCollector,
) -> Option<Ident> {
    // Errors of the arguments are reported by the parser of the function.
    let mut silent = ErrorCollector::new(Code::Signature);
    let given = all(functions).map(|declared| KinematicsAttribute::of(declared, &mut silent));
    let value = given.filter(|given| given.get("frames").is_none()).find_map(|given| given.get("parents").cloned());
    let _ = silent.finish();
    let value = value?;
    let help = "write `parents = parents`, and set the list at run time: `Lengths { parents: vec![None, Some(0)], … }`";
    let Some(name) = bare_name(&value).cloned() else {
        sink.error_with_help(&value, "expected the name of a list of parents", help);
        return None;
    };
    let is_known = configuration.members.iter().any(|member| member.name == name)
        || configuration.connections.iter().any(|list| list.name == name);
    if is_known {
        sink.error_with_help(&name, format_args!("`{name}` is already the name of a member or of another list"), help);
        return None;
    }
    Some(name)
}

/// Parses the base of the tree: a function of the module with parameters and time as arguments.
fn base(
    value: &Expr,
    helpers: &[Within<ItemFn>],
    frame: Group,
    context: &KinematicsContext<'_>,
) -> syn::Result<RoleFunction> {
    let written = frame.written();
    let parameters = context.names.common(Keyword::Kinematics, &[]).join(", ");
    let expected = |name: &str| format!("fn {name}({parameters}) -> {written} {{ … }}, with `t: f64` if it moves");
    let name = bare_name(value);
    let helper = name.and_then(|name| helpers.iter().find(|helper| helper.owner.is_none() && *name == helper.path));
    let Some(Within { item, .. }) = helper else {
        let text = name.map_or_else(|| "base".to_owned(), Ident::to_string);
        let message = "expected the name of a function without a role for `base`";
        return Err(error_with_help(value, message, expected(&text)));
    };
    let signature = &item.sig;
    let expected = expected(&signature.ident.to_string());
    let ReturnType::Type(_, ty) = &signature.output else {
        return Err(error_with_help(&signature.ident, "missing return type of the base", expected));
    };
    if !group_of(ty, context)?.is_same(&frame) {
        return Err(error_with_help(ty, format_args!("expected the type of the frames, `{written}`"), expected));
    }
    if signature.asyncness.is_some() || signature.unsafety.is_some() || signature.generics.lt_token.is_some() {
        let message = "the base cannot be `async`, `unsafe` or generic";
        return Err(error_with_help(&signature.ident, message, expected));
    }
    let mut arguments = vec![];
    for input in &signature.inputs {
        let message = "unexpected argument of the base: it depends only on parameters and time";
        let wrong = || error_with_help(input, message, &expected);
        let FnArg::Typed(typed) = input else { return Err(wrong()) };
        let kind = kind(typed, context).filter(|kind| matches!(kind, ArgumentKind::Parameters | ArgumentKind::Time));
        let binding = match &*typed.pat {
            Pat::Ident(binding) => binding.ident.clone(),
            Pat::Wild(wild) => Ident::new("_", wild.underscore_token.span),
            _ => return Err(wrong()),
        };
        let kind = kind.ok_or_else(wrong)?;
        if kind == ArgumentKind::Time {
            context.names.ensure_time(typed)?;
        }
        arguments.push(Argument { name: binding, pattern: (*typed.pat).clone(), kind });
    }
    Ok(RoleFunction {
        role: Role::Kinematics,
        over: None,
        element: None,
        name: signature.ident.clone(),
        visibility: item.vis.clone(),
        arguments,
        output: OutputShape::Element(frame),
        output_type: (**ty).clone(),
        signature: Rc::new(signature.clone()),
        body: Rc::new((*item.block).clone()),
    })
}

/// Returns the field of joints.
fn field(value: &Expr, context: &KinematicsContext<'_>) -> syn::Result<usize> {
    let selections = member_selection::read(value, context.configuration, context.constants)?;
    match selections.as_slice() {
        [Selection { field, part: SlotMembers::Each | SlotMembers::Whole(_) }] => {
            let group = context.configuration.members[*field].group;
            if let Some(body) = group.structure().filter(|_| group.has_sphere()) {
                let message = format!("joints `{}` with `S2` and other groups are not supported", body.name);
                let help = "use a chain of `S2` alone, or replace `S2` by `SO3`";
                return Err(error_with_help(value, message, help));
            }
            Ok(*field)
        }
        _ => Err(error_with_help(
            value,
            "`#[kinematics]` must run over all members of one field",
            "write `over = links` with a chain `links: Vec<G>`, a power `[G; N]` or a single member",
        )),
    }
}

fn frame(declared: &AttributedFunction, field: usize, context: &KinematicsContext<'_>) -> syn::Result<Group> {
    let name = &declared.item.sig.ident;
    let Some(ty) = return_type(declared) else {
        let help = expected(declared, field, Group::named("R3"), context);
        return Err(error_with_help(name, format_args!("missing return type of `{name}`"), help));
    };
    let group = group_of(ty, context)?;
    if group.is_number() {
        let help = "return a point, `R3`, or a pose, `SE3`; use `R1` for a coordinate along a line";
        return Err(error_with_help(ty, "a frame cannot be a scalar", help));
    }
    if let Some(body) = group.structure() {
        let message = format!("a frame cannot be `{}`, a struct of several groups", body.name);
        return Err(error_with_help(ty, message, "return a point, `R3`, or a pose, `SE3`"));
    }
    if group.has_sphere() {
        let message = "a frame cannot be a point of the sphere";
        return Err(error_with_help(ty, message, "return a point, `R3`, or a pose, `SE3`"));
    }
    Ok(group)
}

/// Maximum number of frames of one element, the capacity of the forward and backward passes.
const MOST_FRAMES: usize = 8;

/// Checks that a term runs over either members or frames; inertia and observables depend on one frame at a time.
pub(in crate::syntax) fn ensure_frames(
    declared: &AttributedFunction,
    over: &[Selection],
    members: usize,
    frames: &Configuration,
) -> syn::Result<()> {
    let name = &declared.item.sig.ident;
    if over.iter().all(|selection| selection.field < members) {
        if declared.keyword == Keyword::Observable {
            let configuration = &frames.item.ident;
            let message = format!("the observable `{name}` cannot run over members");
            let help = format!("write `#[observable] fn {name}(q: &{configuration}) -> …`, or run over frames");
            return Err(error_with_help(name, message, help));
        }
        return Ok(());
    }
    let frame = &frames.members[members].name;
    if let Some(other) = over.iter().find(|selection| selection.field < members) {
        let other = &frames.members[other.field].name;
        return Err(error_with_help(
            name,
            format_args!("`{name}` combines frames with the member `{other}`"),
            format_args!(
                "use the frame of `{other}`; without one, declare `#[kinematics(over = {other}, frames = {frame})]`"
            ),
        ));
    }
    let slots: usize = over.iter().map(|selection| selection.part.slots()).sum();
    if slots > MOST_FRAMES {
        let message = format!("`{name}` depends on {slots} frames at a time: the limit is {MOST_FRAMES}");
        return Err(error_with_help(name, message, "declare smaller elements"));
    }
    let is_one = matches!(
        over,
        [Selection { part: SlotMembers::Each | SlotMembers::First | SlotMembers::Last | SlotMembers::At(_), .. }]
    );
    match declared.keyword {
        Keyword::KineticEnergy | Keyword::MassMatrix if !is_one => Err(error_with_help(
            name,
            format_args!("the inertia `{name}` depends on several frames"),
            format_args!(
                "write `over = {frame}` or `over = {frame}.last()`: the inertia of a frame depends only on the frame; the inertia of a joint runs over \
                 the joint"
            ),
        )),
        Keyword::Observable if !is_one => Err(error_with_help(
            name,
            format_args!("the observable `{name}` runs over more than one frame at a time"),
            format_args!("write `over = {frame}` or `over = {frame}.last()`"),
        )),
        _ => Ok(()),
    }
}
