//! Signatures of functions with `over`.
//!
//! Invariant: the members come before their velocities, each in the order of the selections, all of them or none; an
//! argument's type is that of its members.

use syn::{FnArg, Ident, Pat, Type};

use super::constants::Constants;
use super::keyword::Keyword;
use super::shape::{self, bare, is_named, library_segment, own_segment, vector_type};
use super::signature::{self, Names, unbound};
use crate::diagnostics::{error_with_help, source};
use crate::model::{Argument, ArgumentKind, Configuration, Group, Output, Part, Selection};

/// What is known of the function's element.
pub(super) struct Context<'a> {
    pub names: &'a Names,
    pub constants: &'a Constants,
    pub configuration: &'a Configuration,
    pub over: &'a [Selection],
    pub keyword: Keyword,
    pub name: &'a Ident,
    pub output: &'a str,
}

/// What an argument may be by its type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Members(usize),
    Velocities(usize),
}

/// True for the types of members: a group, several of them, a chain; `bodies` are those of the declaration.
pub(super) fn is_member(ty: &Type, bodies: &[String]) -> bool {
    match bare(ty) {
        Type::Reference(reference) => is_member(&reference.elem, bodies),
        Type::Array(array) => is_member(&array.elem, bodies),
        Type::Slice(slice) => is_member(&slice.elem, bodies),
        ty if own_segment(ty).is_some_and(|segment| bodies.iter().any(|body| segment.ident == body)) => true,
        ty => library_segment(ty).is_some_and(|segment| {
            let is_chain = || match shape::generic_arguments(segment).as_slice() {
                [syn::GenericArgument::Type(element)] => segment.ident == "Vec" && is_member(element, bodies),
                _ => false,
            };
            Group::named(&segment.ident.to_string()).is_some() || is_chain()
        }),
    }
}

/// The arguments of an element function.
pub(super) fn arguments(inputs: &[&FnArg], context: &Context<'_>) -> syn::Result<Vec<Argument>> {
    let expected = context.expected(inputs);
    let only_velocities = context.only_velocities(inputs)?;
    let mut arguments: Vec<Argument> = vec![];
    for input in inputs {
        let typed = match input {
            FnArg::Receiver(receiver) => {
                let message = format!("`{}` cannot take `self`: it is a function of the module", context.name);
                return Err(error_with_help(receiver, message, expected));
            }
            FnArg::Typed(typed) => typed,
        };
        if let Some(attribute) = typed.attrs.iter().find(|attribute| attribute.path().is_ident("cfg")) {
            return Err(super::collect::conditional_error(attribute));
        }
        let kind = context.kind(typed, &arguments, only_velocities, &expected)?;
        if arguments.iter().any(|earlier| earlier.kind == kind) {
            let message = format!("`{}` takes `{}` twice", context.name, source(&typed.ty));
            return Err(error_with_help(input, message, expected));
        }
        signature::ensure_inputs(kind, context.keyword, input, &expected)?;
        if matches!(kind, ArgumentKind::Velocities(_)) && !signature::may_use_velocity(context.keyword) {
            let role = context.keyword.name();
            let message = format!("a `#[{role}]` does not depend on the velocity");
            let help = format!("{expected}\n{}", signature::instead(context.keyword));
            return Err(error_with_help(input, message, help));
        }
        let pattern = (*typed.pat).clone();
        let name = binding(&pattern, kind, context, &expected)?;
        arguments.push(Argument { name, pattern, kind });
    }
    let count = |wanted: fn(ArgumentKind) -> bool| arguments.iter().filter(|argument| wanted(argument.kind)).count();
    let members = count(|kind| matches!(kind, ArgumentKind::Members(_)));
    let velocities = count(|kind| matches!(kind, ArgumentKind::Velocities(_)));
    let all = context.over.len();
    let needs = signature::needs(context.keyword);
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
        let message = format!("`{}` is the time; velocities of `{member}` are references", source(typed));
        return Err(error_with_help(typed, message, format_args!("write `{}: &f64`", source(&typed.pat))));
    }
    for (argument, input) in arguments.iter().zip(inputs) {
        if let (ArgumentKind::Time, FnArg::Typed(typed)) = (argument.kind, input) {
            context.names.ensure_time(typed)?;
        }
    }
    if let Some(what) = missing {
        let message = format!("`{}` needs the {what} it runs over", context.name);
        return Err(error_with_help(context.name, message, expected));
    }
    let order = |kind| match kind {
        ArgumentKind::Members(_) => 1,
        ArgumentKind::Velocities(_) => 2,
        _ => 0,
    };
    // Inputs may stand anywhere.
    let ordered: Vec<usize> = (0..arguments.len()).filter(|&at| arguments[at].kind != ArgumentKind::Inputs).collect();
    let late = ordered.windows(2).find(|pair| order(arguments[pair[0]].kind) > order(arguments[pair[1]].kind));
    if let Some(input) = late.and_then(|late| inputs.get(late[1])) {
        let message = format!("the arguments of `{}` are out of order", context.name);
        return Err(error_with_help(input, message, expected));
    }
    Ok(arguments)
}

impl Context<'_> {
    /// True if the members are left out. Numbers have numbers as velocities, and types do not tell them apart: where
    /// members can be left out and a number stands once, it is the velocity if the role needs that, else not known.
    fn only_velocities(&self, inputs: &[&FnArg]) -> syn::Result<bool> {
        let numbers =
            self.over.iter().filter(|selection| self.configuration.members[selection.field].group.is_number());
        let needs = signature::needs(self.keyword);
        let (all, numbers) = (self.over.len(), numbers.count());
        if numbers == 0 || !signature::may_use_velocity(self.keyword) || needs.contains(&ArgumentKind::Configuration) {
            return Ok(false);
        }
        let of_members: Vec<&&FnArg> = inputs
            .iter()
            .filter(|input| match input {
                FnArg::Typed(typed) => match bare(&typed.ty) {
                    Type::Reference(_) => self.names.classify(&typed.ty).is_err(),
                    Type::Array(_) => true,
                    _ => false,
                },
                FnArg::Receiver(_) => false,
            })
            .collect();
        if of_members.len() != all {
            return Ok(false);
        }
        if needs.contains(&ArgumentKind::Velocity) {
            return Ok(true);
        }
        let Some(FnArg::Typed(typed)) = of_members.first() else { return Ok(false) };
        if numbers < all {
            return Ok(false);
        }
        let (name, ty) = (source(&typed.pat), source(&typed.ty));
        Err(error_with_help(
            typed,
            format_args!("`{name}: {ty}` may be the member or its velocity: both are numbers"),
            format_args!(
                "take both: `_x: {ty}, {name}: {ty}` if it is the velocity, `{name}: {ty}, _v: {ty}` if it is the member"
            ),
        ))
    }

    fn kind(
        &self,
        typed: &syn::PatType,
        earlier: &[Argument],
        only_velocities: bool,
        expected: &str,
    ) -> syn::Result<ArgumentKind> {
        let ty = bare(&typed.ty);
        let name = match &*typed.pat {
            Pat::Ident(binding) => binding.ident.to_string(),
            _ => String::new(),
        };
        let counted = match name.trim_start_matches('_') {
            "index" => Some((ArgumentKind::Index, "the `index` of an element is a whole number")),
            "length" => Some((ArgumentKind::Length, "the `length` of a chain is a whole number")),
            _ => None,
        };
        match counted {
            Some((kind, _)) if is_named(ty, "usize") => return Ok(kind),
            Some((_, message)) if is_number(ty) => {
                let help = format!("write `{name}: usize`, and `{name} as f64` where it is calculated with");
                return Err(error_with_help(ty, message, help));
            }
            _ if is_named(ty, "usize") => {
                return Err(error_with_help(
                    &typed.pat,
                    "a whole number is the `index` of the element or the `length` of the chain",
                    "name the argument `index: usize` or `length: usize`",
                ));
            }
            _ => {}
        }
        match self.names.classify(ty) {
            // `f64` is the time, `&f64` the velocity of a member of SO(2).
            Ok(kind @ (ArgumentKind::Parameters | ArgumentKind::Inputs | ArgumentKind::Time)) => return Ok(kind),
            Ok(ArgumentKind::Configuration | ArgumentKind::Velocity) => {
                let message = format!("`{}` takes its members, not `{}`", self.name, source(ty));
                return Err(error_with_help(ty, message, expected));
            }
            _ => {}
        }
        let given = |of: Of| {
            earlier.iter().any(|argument| match (argument.kind, of) {
                (ArgumentKind::Members(a), Of::Members(b)) | (ArgumentKind::Velocities(a), Of::Velocities(b)) => a == b,
                _ => false,
            })
        };
        // In the order of the selections: members first, then velocities.
        let members = (0..self.over.len()).filter(|_| !only_velocities).map(Of::Members);
        let velocities = (0..self.over.len()).map(Of::Velocities);
        let mut near = None;
        for of in members.chain(velocities).filter(|&of| !given(of)) {
            match self.fit(ty, of) {
                Fit::Yes => {
                    return Ok(match of {
                        Of::Members(at) => ArgumentKind::Members(at),
                        Of::Velocities(at) => ArgumentKind::Velocities(at),
                    });
                }
                Fit::Length(given, wanted) => near = near.or(Some((given, wanted))),
                Fit::No => {}
            }
        }
        if let Some((given, wanted)) = near {
            let message =
                format!("`{}` runs over {wanted} members at a time, `{}` takes {given}", self.name, source(ty));
            return Err(error_with_help(ty, message, expected));
        }
        Err(error_with_help(ty, format_args!("`{}` is no argument of `{}`", source(ty), self.name), expected))
    }

    fn fit(&self, ty: &Type, of: Of) -> Fit {
        let (Of::Members(at) | Of::Velocities(at)) = of;
        let selection = self.over[at];
        let member = &self.configuration.members[selection.field];
        let many = match selection.part {
            Part::Windows { size, .. } => Some(size),
            Part::Whole(_) => member.count,
            _ => None,
        };
        let (element, given) = match ty {
            Type::Array(array) => match self.constants.length(&array.len) {
                Ok(length) => (bare(&array.elem), Some(length)),
                Err(_) => return Fit::No,
            },
            _ => (ty, None),
        };
        let Type::Reference(reference) = element else { return Fit::No };
        if reference.mutability.is_some() || !self.is_of(&reference.elem, of, member.group) {
            return Fit::No;
        }
        match (given, many) {
            (None, None) => Fit::Yes,
            (Some(given), Some(wanted)) if given == wanted => Fit::Yes,
            (given, wanted) => Fit::Length(given.unwrap_or(1), wanted.unwrap_or(1)),
        }
    }

    /// True if `ty` is the group, or the type of its velocity.
    fn is_of(&self, ty: &Type, of: Of, group: Group) -> bool {
        if let Some(body) = group.structure() {
            let name = if let Of::Members(_) = of { &body.name } else { &body.velocity };
            return own_segment(ty).is_some_and(|segment| segment.ident == name && has_no_scalar_but_f64(segment));
        }
        match of {
            Of::Members(_) => library_segment(ty).is_some_and(|segment| match group.name {
                "Rn" => segment.ident == "Rn",
                name => segment.ident == name,
            }),
            Of::Velocities(_) if group.has_scalar_velocity() => is_named(ty, "f64"),
            Of::Velocities(_) => {
                shape::read(ty, "f64", self.constants).is_ok_and(|shape| shape == Output::Vector(group.dimension()))
            }
        }
    }

    /// An argument of type `f64`, the time, where a member has velocities of type `&f64`: its number, the member's name.
    fn velocity_by_value(&self, arguments: &[Argument]) -> Option<(usize, &Ident)> {
        let time = arguments.iter().position(|argument| argument.kind == ArgumentKind::Time && argument.name != "t")?;
        let members = self.over.iter().map(|selection| &self.configuration.members[selection.field]);
        members.into_iter().find(|member| member.group.has_scalar_velocity()).map(|member| (time, &member.name))
    }

    /// The whole signature, with the user's types.
    fn expected(&self, inputs: &[&FnArg]) -> String {
        let mut arguments = self.names.common(self.keyword, inputs);
        let gives_members = || {
            let types = inputs.iter().filter_map(|input| match input {
                FnArg::Typed(typed) => Some(&typed.ty),
                FnArg::Receiver(_) => None,
            });
            types.into_iter().any(|ty| is_member(ty, &self.names.bodies))
        };
        let needs = signature::needs(self.keyword);
        for (wanted, velocity) in [
            (needs.contains(&ArgumentKind::Configuration) || !self.is_kinetic() || gives_members(), false),
            (needs.contains(&ArgumentKind::Velocity), true),
        ] {
            if !wanted {
                continue;
            }
            for (at, selection) in self.over.iter().enumerate() {
                let member = &self.configuration.members[selection.field];
                let ty = if velocity { velocity_type(member.group) } else { member.group.written() };
                let letter = |slot: usize| {
                    let letter = char::from(b'a' + u8::try_from(slot % 26).unwrap_or(0));
                    if velocity { format!("v{letter}") } else { letter.to_string() }
                };
                arguments.push(match selection.part {
                    Part::Windows { size: n, .. } => {
                        let names: Vec<String> = (0..n).map(letter).collect();
                        format!("[{}]: [&{ty}; {n}]", names.join(", "))
                    }
                    _ => format!("{}: &{ty}", letter(at)),
                });
            }
        }
        format!("fn {}({}) -> {}", self.name, arguments.join(", "), self.output)
    }

    fn is_kinetic(&self) -> bool {
        matches!(self.keyword, Keyword::KineticEnergy | Keyword::Dissipation | Keyword::VelocityConstraint)
    }
}

/// True for Rust's numbers.
fn is_number(ty: &Type) -> bool {
    let names = ["f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128"];
    let ty = match ty {
        Type::Reference(reference) => &reference.elem,
        ty => ty,
    };
    is_named(ty, "usize") || names.iter().any(|name| is_named(ty, name))
}

/// How a type fits.
enum Fit {
    Yes,
    No,
    /// The right members, but so many instead of so many.
    Length(usize, usize),
}

/// The type of one member's velocity.
pub(crate) fn velocity_type(group: Group) -> String {
    match group.structure() {
        Some(body) => body.velocity.clone(),
        None if group.has_scalar_velocity() => "f64".to_owned(),
        None => vector_type(group.dimension()),
    }
}

/// Half the square of a velocity of that group, as users write it.
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

/// True of `Body` and `Body<f64>`.
fn has_no_scalar_but_f64(segment: &syn::PathSegment) -> bool {
    match shape::generic_arguments(segment).as_slice() {
        [] => true,
        [syn::GenericArgument::Type(scalar)] => is_named(scalar, "f64"),
        _ => false,
    }
}

/// The name of an argument; a window may be taken apart.
fn binding(pattern: &Pat, kind: ArgumentKind, context: &Context<'_>, expected: &str) -> syn::Result<Ident> {
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
                return Err(error_with_help(part, "a member is bound to one name", expected));
            }
            let (ArgumentKind::Members(at) | ArgumentKind::Velocities(at)) = kind else {
                return Err(error_with_help(pattern, "an argument is bound to one name", expected));
            };
            let selection = context.over[at];
            let wanted = selection.part.slots();
            if slice.elems.len() != wanted {
                let message = format!(
                    "`{}` runs over {wanted} members at a time, the pattern takes {}",
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
