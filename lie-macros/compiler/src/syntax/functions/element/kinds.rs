//! The kinds of arguments of functions with `over`, identified by their types.

use syn::{FnArg, Ident, Pat, Type};

use crate::diagnostics::{error_with_help, source};
use crate::model::{Argument, ArgumentKind, Configuration, Group, OutputShape, Selection, SlotMembers};
use crate::syntax::functions::argument_types::ArgumentTypes;
use crate::syntax::role::Keyword;
use crate::syntax::rust::constants::Constants;
use crate::syntax::rust::shape::{self, bare, is_named, library_segment, own_segment};

/// The context of a function with `over`.
pub(in crate::syntax) struct ElementContext<'a> {
    pub names: &'a ArgumentTypes,
    pub constants: &'a Constants,
    pub configuration: &'a Configuration,
    pub over: &'a [Selection],
    pub keyword: Keyword,
    pub name: &'a Ident,
    pub output: &'a str,
}

/// The result of matching a type with an argument.
pub(super) enum Fit {
    Yes,
    No,
    /// The right type with a wrong number of members: the number found and the number expected.
    Length(usize, usize),
}

impl ElementContext<'_> {
    /// Returns true if the members are omitted. A scalar member and its velocity have the same type. If only one argument is present, it is
    /// the velocity if the role requires one; otherwise it is ambiguous.
    pub(in crate::syntax) fn only_velocities(&self, inputs: &[&FnArg]) -> syn::Result<bool> {
        let numbers =
            self.over.iter().filter(|selection| self.configuration.members[selection.field].group.is_number());
        let needs = self.keyword.needs();
        let (all, numbers) = (self.over.len(), numbers.count());
        if numbers == 0 || !self.keyword.takes_velocity() || needs.contains(&ArgumentKind::Configuration) {
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
            format_args!("ambiguous argument `{name}: {ty}`: the member and its velocity are both scalars"),
            format_args!(
                "declare both: `_x: {ty}, {name}: {ty}` if it is the velocity, or `{name}: {ty}, _v: {ty}` if it is the member"
            ),
        ))
    }

    pub(in crate::syntax) fn kind(
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
            "index" => Some((ArgumentKind::Index, "the argument `index` must be a `usize`")),
            "length" => Some((ArgumentKind::Length, "the argument `length` must be a `usize`")),
            _ => None,
        };
        match counted {
            Some((kind, _)) if is_named(ty, "usize") => return Ok(kind),
            Some((_, message)) if is_number(ty) => {
                let help = format!("write `{name}: usize`, and `{name} as f64` in expressions");
                return Err(error_with_help(ty, message, help));
            }
            _ if is_named(ty, "usize") => {
                return Err(error_with_help(
                    &typed.pat,
                    "unexpected argument of type `usize`: an element has its `index` and the `length` of its chain",
                    "name the argument `index: usize` or `length: usize`",
                ));
            }
            _ => {}
        }
        match self.names.classify(ty) {
            // `f64` is the time, `&f64` is the velocity of a member of SO(2).
            Ok(kind @ (ArgumentKind::Parameters | ArgumentKind::Inputs | ArgumentKind::Time)) => return Ok(kind),
            Ok(ArgumentKind::Configuration | ArgumentKind::Velocity) => {
                let message = format!("`{}` runs over members and cannot depend on `{}`", self.name, source(ty));
                return Err(error_with_help(ty, message, expected));
            }
            Ok(ArgumentKind::States) if self.keyword.takes_states() => return Ok(ArgumentKind::States),
            Ok(ArgumentKind::States) => {
                let message = format!("a `#[{}]` cannot depend on auxiliary states", self.keyword.name());
                let instead = "use the states in a `#[force]`, a `#[dissipation]` or a `#[rate]`";
                return Err(error_with_help(ty, message, format_args!("{expected}\n{instead}")));
            }
            _ => {}
        }
        // In the order of the selections: members first, then velocities.
        let members = (0..self.over.len()).filter(|_| !only_velocities).map(ArgumentKind::Members);
        let all = members.chain((0..self.over.len()).map(ArgumentKind::Velocities));
        let mut near = None;
        for of in all.filter(|of| earlier.iter().all(|argument| argument.kind != *of)) {
            match self.fit(ty, of) {
                Fit::Yes => return Ok(of),
                Fit::Length(given, wanted) => near = near.or(Some((given, wanted))),
                Fit::No => {}
            }
        }
        if let Some((given, wanted)) = near {
            let (name, ty_text) = (&self.name, source(ty));
            let message = match wanted {
                1 => format!("`{name}` expects a separate argument for each member, found `{ty_text}` with {given}"),
                _ => format!("`{name}` runs over {wanted} members at a time, found `{ty_text}` with {given}"),
            };
            return Err(error_with_help(ty, message, expected));
        }
        Err(error_with_help(
            ty,
            format_args!("unexpected argument of type `{}` of `{}`", source(ty), self.name),
            expected,
        ))
    }

    /// Matches a type with the members of a selection or with their velocities.
    pub(super) fn fit(&self, ty: &Type, of: ArgumentKind) -> Fit {
        let (ArgumentKind::Members(at) | ArgumentKind::Velocities(at)) = of else { return Fit::No };
        let selection = self.over[at];
        let member = &self.configuration.members[selection.field];
        let many = match selection.part {
            SlotMembers::Windows { size, .. } => Some(size),
            SlotMembers::Whole(_) => member.count,
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

    /// Returns true if `ty` is the group, or the type of its velocity.
    fn is_of(&self, ty: &Type, of: ArgumentKind, group: Group) -> bool {
        let is_member = matches!(of, ArgumentKind::Members(_));
        if let Some(body) = group.structure() {
            let name = if is_member { &body.name } else { &body.velocity };
            return own_segment(ty).is_some_and(|segment| segment.ident == name && has_no_scalar_but_f64(segment));
        }
        if is_member {
            library_segment(ty).is_some_and(|segment| segment.ident == group.name)
        } else if group.has_scalar_velocity() {
            is_named(ty, "f64")
        } else {
            shape::read(ty, "f64", self.constants).is_ok_and(|shape| shape == OutputShape::Vector(group.dimension()))
        }
    }
}

/// Returns true for the numeric types of Rust.
fn is_number(ty: &Type) -> bool {
    let names = ["f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128"];
    let ty = match ty {
        Type::Reference(reference) => &reference.elem,
        ty => ty,
    };
    is_named(ty, "usize") || names.iter().any(|name| is_named(ty, name))
}

/// Returns true for `Body` and `Body<f64>`.
fn has_no_scalar_but_f64(segment: &syn::PathSegment) -> bool {
    match shape::generic_arguments(segment).as_slice() {
        [] => true,
        [syn::GenericArgument::Type(scalar)] => is_named(scalar, "f64"),
        _ => false,
    }
}
