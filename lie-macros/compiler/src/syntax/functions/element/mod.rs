//! Signatures of functions with `over`.
//!
//! Invariant: the members come before their velocities, each in the order of the selections, and either all or none of them. The types of
//! arguments are the types of their members.

mod kinds;

use syn::{FnArg, Ident, Pat, Type};

pub(in crate::syntax) use self::kinds::ElementContext;
use self::kinds::Fit;
use crate::diagnostics::{error_with_help, source};
use crate::model::{Argument, ArgumentKind, Group, SlotMembers};
use crate::syntax::functions::binding::{add, typed, unbound};
use crate::syntax::rust::shape::{bare, item_of_list, library_segment, own_segment, vector_type};

/// Returns true for the types of members: a group, several groups, a chain, or one of the `bodies` of the declaration.
pub(in crate::syntax) fn is_member(ty: &Type, bodies: &[String]) -> bool {
    match bare(ty) {
        Type::Reference(reference) => is_member(&reference.elem, bodies),
        Type::Array(array) => is_member(&array.elem, bodies),
        Type::Slice(slice) => is_member(&slice.elem, bodies),
        ty if own_segment(ty).is_some_and(|segment| bodies.iter().any(|body| segment.ident == body)) => true,
        ty => {
            library_segment(ty).is_some_and(|segment| Group::named(&segment.ident.to_string()).is_some())
                || item_of_list(ty).is_some_and(|element| is_member(element, bodies))
        }
    }
}

/// Parses the arguments of an element function.
pub(in crate::syntax) fn arguments(inputs: &[&FnArg], context: &ElementContext<'_>) -> syn::Result<Vec<Argument>> {
    let expected = context.expected(inputs);
    let only_velocities = context.only_velocities(inputs)?;
    let mut arguments: Vec<Argument> = vec![];
    for input in inputs {
        let typed = typed(input, context.name, &expected)?;
        let kind = context.kind(typed, &arguments, only_velocities, &expected)?;
        let pattern = (*typed.pat).clone();
        let name = binding(&pattern, kind, context, &expected)?;
        let argument = Argument { name, pattern, kind };
        add(&mut arguments, argument, (input, &source(&typed.ty)), (context.keyword, context.name, &expected))?;
    }
    let count = |wanted: fn(ArgumentKind) -> bool| arguments.iter().filter(|argument| wanted(argument.kind)).count();
    let members = count(|kind| matches!(kind, ArgumentKind::Members(_)));
    let velocities = count(|kind| matches!(kind, ArgumentKind::Velocities(_)));
    let all = context.over.len();
    let needs = context.keyword.needs();
    let lacks = |given: usize, kind: ArgumentKind| given != all && (given != 0 || needs.contains(&kind));
    let missing = if lacks(members, ArgumentKind::Configuration) {
        Some("members")
    } else if lacks(velocities, ArgumentKind::Velocity) {
        Some("velocities of the members")
    } else {
        None
    };
    if missing == Some("velocities of the members")
        && let Some((time, member)) = context.velocity_by_value(&arguments)
        && let Some(FnArg::Typed(typed)) = inputs.get(time)
    {
        let message =
            format!("`{}` has the type of the time: the velocity of `{member}` is a reference", source(typed));
        return Err(error_with_help(typed, message, format_args!("write `{}: &f64`", source(&typed.pat))));
    }
    for (argument, input) in arguments.iter().zip(inputs) {
        if let (ArgumentKind::Time, FnArg::Typed(typed)) = (argument.kind, input) {
            context.names.ensure_time(typed)?;
        }
    }
    if let Some(what) = missing {
        let message = format!("missing the {what} of `{}`", context.name);
        return Err(error_with_help(context.name, message, expected));
    }
    let order = |kind| match kind {
        ArgumentKind::Members(_) => 1,
        ArgumentKind::Velocities(_) => 2,
        _ => 0,
    };
    // Other arguments can have any position.
    let is_ordered =
        |kind| matches!(kind, ArgumentKind::Parameters | ArgumentKind::Members(_) | ArgumentKind::Velocities(_));
    let ordered: Vec<usize> = (0..arguments.len()).filter(|&at| is_ordered(arguments[at].kind)).collect();
    let late = ordered.windows(2).find(|pair| order(arguments[pair[0]].kind) > order(arguments[pair[1]].kind));
    if let Some(input) = late.and_then(|late| inputs.get(late[1])) {
        let message = format!("the arguments of `{}` are out of order", context.name);
        return Err(error_with_help(input, message, expected));
    }
    Ok(arguments)
}

impl ElementContext<'_> {
    /// Finds an argument of type `f64`, the time, although a member has velocities of type `&f64`: its index, and the name of the member.
    fn velocity_by_value(&self, arguments: &[Argument]) -> Option<(usize, &Ident)> {
        let time = arguments.iter().position(|argument| argument.kind == ArgumentKind::Time && argument.name != "t")?;
        let members = self.over.iter().map(|selection| &self.configuration.members[selection.field]);
        members.into_iter().find(|member| member.group.has_scalar_velocity()).map(|member| (time, &member.name))
    }

    /// Formats the correct signature with the user's types.
    pub fn expected(&self, inputs: &[&FnArg]) -> String {
        let mut arguments = self.names.common(self.keyword, inputs);
        let counts = inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) if matches!(&*source(&typed.pat), "index" | "length") => {
                Some(format!("{}: usize", source(&typed.pat)))
            }
            _ => None,
        });
        arguments.extend(counts);
        // A single set of members is meant as the velocities.
        let gives_members = || {
            let types = inputs.iter().filter_map(|input| match input {
                FnArg::Typed(typed) => Some(&typed.ty),
                FnArg::Receiver(_) => None,
            });
            types.filter(|ty| is_member(ty, &self.names.bodies)).count() > self.over.len()
        };
        let needs = self.keyword.needs();
        let members = needs.contains(&ArgumentKind::Configuration) || !self.is_kinetic() || gives_members();
        let velocities = needs.contains(&ArgumentKind::Velocity);
        let all = 0..self.over.len();
        let members = all.clone().filter(|_| members).map(ArgumentKind::Members);
        let wanted: Vec<_> = members.chain(all.filter(|_| velocities).map(ArgumentKind::Velocities)).collect();
        let called = self.called(inputs, &wanted);
        arguments.extend(wanted.into_iter().zip(called).map(|(of, pattern)| self.argument(of, pattern)));
        format!("fn {}({}) -> {}", self.name, arguments.join(", "), self.output)
    }

    /// Formats an argument for members or velocities, with the user's pattern.
    fn argument(&self, of: ArgumentKind, pattern: Option<String>) -> String {
        let (ArgumentKind::Members(at) | ArgumentKind::Velocities(at)) = of else { return self.names.argument(of) };
        let selection = self.over[at];
        let group = self.configuration.members[selection.field].group;
        let is_velocity = matches!(of, ArgumentKind::Velocities(_));
        let ty = if is_velocity { velocity_type(group) } else { group.written() };
        let letter = |slot: usize| {
            let letter = char::from(b'a' + u8::try_from(slot % 26).unwrap_or(0));
            if is_velocity { format!("v{letter}") } else { letter.to_string() }
        };
        match selection.part {
            SlotMembers::Windows { size: n, .. } => {
                let letters = || format!("[{}]", (0..n).map(letter).collect::<Vec<_>>().join(", "));
                format!("{}: [&{ty}; {n}]", pattern.unwrap_or_else(letters))
            }
            _ => format!("{}: &{ty}", pattern.unwrap_or_else(|| letter(at))),
        }
    }

    /// Returns the user's pattern for each argument: by type, or by position if the numbers agree.
    fn called(&self, inputs: &[&FnArg], wanted: &[ArgumentKind]) -> Vec<Option<String>> {
        let is_other = |typed: &syn::PatType| {
            matches!(&*source(&typed.pat), "index" | "length") || self.names.classify(&typed.ty).is_ok()
        };
        let mut given: Vec<&syn::PatType> = inputs
            .iter()
            .filter_map(|input| match input {
                FnArg::Typed(typed) if !is_other(typed) => Some(typed),
                _ => None,
            })
            .collect();
        let of_its_type = |of: &ArgumentKind| {
            let at = given.iter().position(|typed| matches!(self.fit(bare(&typed.ty), *of), Fit::Yes))?;
            Some(given.remove(at))
        };
        let mut called: Vec<Option<&syn::PatType>> = wanted.iter().map(of_its_type).collect();
        if given.len() == called.iter().filter(|typed| typed.is_none()).count() {
            let mut left = given.into_iter();
            called.iter_mut().filter(|typed| typed.is_none()).for_each(|typed| *typed = left.next());
        }
        let slots = |of: &ArgumentKind| match *of {
            ArgumentKind::Members(at) | ArgumentKind::Velocities(at) => self.over[at].part.slots(),
            _ => 1,
        };
        let is_member_by_itself = |ty: &Type| matches!(bare(ty), Type::Reference(reference) if !matches!(bare(&reference.elem), Type::Array(_) | Type::Slice(_)));
        let pattern = |(typed, of): (Option<&syn::PatType>, &ArgumentKind)| match &*typed?.pat {
            // The name of a single member does not fit several members.
            Pat::Ident(_) if slots(of) > 1 && is_member_by_itself(&typed?.ty) => None,
            Pat::Ident(binding) => Some(binding.ident.to_string()),
            Pat::Slice(slice) if slice.elems.len() == slots(of) && slots(of) > 1 => Some(source(slice)),
            _ => None,
        };
        called.into_iter().zip(wanted).map(pattern).collect()
    }

    fn is_kinetic(&self) -> bool {
        self.keyword.needs().contains(&ArgumentKind::Velocity)
    }
}

/// The type of the velocity of one member.
pub(crate) fn velocity_type(group: Group) -> String {
    match group.structure() {
        Some(body) => body.velocity.clone(),
        None if group.has_scalar_velocity() => "f64".to_owned(),
        None => vector_type(group.dimension()),
    }
}

/// Formats half the square of a velocity of that group.
pub(crate) fn half_square(velocity: &str, group: Group) -> String {
    match group.structure() {
        Some(body) => {
            let squares = body.fields.iter().map(|(name, group)| half_square(&format!("{velocity}.{name}"), *group));
            squares.collect::<Vec<_>>().join(" + ")
        }
        None if group.has_scalar_velocity() => format!("0.5 * {velocity} * {velocity}"),
        None => format!("0.5 * {velocity}.norm_squared()"),
    }
}

/// Returns the name of an argument. A window can be destructured.
fn binding(pattern: &Pat, kind: ArgumentKind, context: &ElementContext<'_>, expected: &str) -> syn::Result<Ident> {
    let is_plain = |pattern: &Pat| match pattern {
        Pat::Ident(binding) => binding.subpat.is_none() && binding.mutability.is_none() && binding.by_ref.is_none(),
        Pat::Wild(_) => true,
        _ => false,
    };
    match pattern {
        Pat::Ident(binding) if is_plain(pattern) => Ok(binding.ident.clone()),
        Pat::Wild(wild) => Ok(Ident::new("_", wild.underscore_token.span)),
        Pat::Slice(slice) if matches!(kind, ArgumentKind::Members(_) | ArgumentKind::Velocities(_)) => {
            if let Some(part) = slice.elems.iter().find(|part| !is_plain(part)) {
                return Err(error_with_help(part, "expected a name, found a pattern", expected));
            }
            let (ArgumentKind::Members(at) | ArgumentKind::Velocities(at)) = kind else {
                return Err(error_with_help(pattern, "expected a name, found a pattern", expected));
            };
            let selection = context.over[at];
            let wanted = selection.part.slots();
            if slice.elems.len() != wanted {
                let message = format!(
                    "`{}` runs over {wanted} members at a time, found a pattern with {}",
                    context.name,
                    slice.elems.len()
                );
                return Err(error_with_help(pattern, message, expected));
            }
            Ok(Ident::new("_", slice.bracket_token.span.open()))
        }
        other => Err(unbound(other, expected)),
    }
}
