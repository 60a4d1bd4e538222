//! Functions with a role: return types, targets of forces, sizes.
//!
//! Invariant: every size that a return type states agrees with the configuration, and every force has a target.

pub(super) mod argument_types;
mod binding;
pub(super) mod connections;
pub(super) mod context;
pub(super) mod element;
mod force;
pub(super) mod kinematics;
mod member_selection;
mod members;
pub(super) mod opaque;
mod output;
mod signature;
pub(super) mod states;

use std::fmt::Write;
use std::rc::Rc;

use syn::punctuated::Punctuated;
use syn::{Expr, FnArg, Ident};

use self::argument_types::ArgumentTypes;
use self::context::{Context, bare_name, return_type};
use self::output::{RequiredShape, default_output, output};
use crate::diagnostics::{ErrorCollector, error_with_help, source};
use crate::model::{Configuration, OutputShape, Role, RoleFunction, Selection};
use crate::syntax::module::collect::AttributedFunction;
use crate::syntax::role::{self, Keyword, Means, RoleArgument};
use crate::syntax::rust::items;

/// Parses a function; `None` after an error.
pub(in crate::syntax) fn read(
    declared: &AttributedFunction,
    context: &Context,
    sink: &mut ErrorCollector,
) -> Option<RoleFunction> {
    let (given, is_good) = role::arguments(declared.keyword, &declared.attribute, sink);
    let is_of_member =
        |input: &FnArg| matches!(input, FnArg::Typed(typed) if element::is_member(&typed.ty, &context.names.bodies));
    if !is_good && declared.item.sig.inputs.iter().any(is_of_member) {
        // A function over members cannot be checked without its selection.
        return None;
    }
    let role = role(declared, &given, context, sink);
    let element = match element_of(declared, &given, context) {
        Err(None) => return None,
        Err(Some(error)) => sink.take(Err(error))?,
        Ok(element) => element,
    };
    let states = sink.take(states::of_element(declared, element.as_deref(), context))?;
    // The target of a force is unknown without valid arguments of the attribute.
    let known_role = role.as_ref().filter(|_| is_good);
    let wanted = known_role.and_then(|role| RequiredShape::of(role, declared, element.as_deref(), context));
    // A correct type is repeated as written.
    let is_right = output(declared, wanted.as_ref(), context, &String::new).is_ok();
    let output_text = match (&wanted, return_type(declared)) {
        (_, Some(ty)) if is_right => source(ty),
        (Some(wanted), _) => wanted.type_text(),
        (None, _) => default_output(declared),
    };
    let scope = match (&element, context.with_frames) {
        (Some(over), Some(configuration)) => Some(element::ElementContext {
            names: context.names,
            constants: context.constants,
            configuration,
            over,
            keyword: declared.keyword,
            name: &declared.item.sig.ident,
            output: &output_text,
        }),
        _ => None,
    };
    let arguments = signature::read(declared, context.names, &output_text, scope.as_ref(), sink);
    let inputs = &declared.item.sig.inputs;
    let expected = || match &scope {
        // Correct arguments are repeated as written.
        Some(_) if arguments.is_some() => signature::returning(&declared.item.sig, &output_text),
        Some(scope) => scope.expected(&inputs.iter().collect::<Vec<_>>()),
        None => context.names.expected(declared.keyword, &declared.item.sig.ident, inputs, &output_text),
    };
    let output = sink.take(output(declared, wanted.as_ref(), context, &expected));
    Some(RoleFunction {
        role: role?,
        // The states of an element are its last member.
        over: element.map(|over| over.into_iter().chain(states).collect()),
        element: None,
        name: declared.item.sig.ident.clone(),
        visibility: declared.item.vis.clone(),
        arguments: arguments?,
        output: output?,
        output_type: return_type(declared)?.clone(),
        signature: Rc::new(declared.item.sig.clone()),
        body: Rc::new((*declared.item.block).clone()),
    })
}

/// Returns the selection of a function: its own, or the selection of the quantity at which a force acts. Returns `Err(None)` if the
/// configuration has errors.
fn element_of(
    declared: &AttributedFunction,
    given: &[RoleArgument],
    context: &Context,
) -> Result<Option<Vec<Selection>>, Option<syn::Error>> {
    let stated = given.iter().find(|argument| argument.name == "over").map(|argument| &argument.value);
    let quantity = || {
        let at = given.iter().find(|argument| argument.name == "at")?;
        context.quantities.iter().find(|(name, ..)| bare_name(&at.value) == Some(name))
    };
    let quantity = if declared.keyword == Keyword::Force { quantity() } else { None };
    let inherited = quantity.and_then(|(_, _, over)| over.as_ref());
    let Some(value) = stated.or(inherited) else { return Ok(None) };
    let (configuration, all) = (context.configuration.ok_or(None)?, context.with_frames.ok_or(None)?);
    if context.wrong_frames.iter().any(|frames| items::mentions(value, &frames.to_string())) {
        return Err(None);
    }
    let read = |value: &Expr| member_selection::read(value, all, context.constants).map_err(Some);
    let selections = read(value)?;
    kinematics::ensure_frames(declared, &selections, configuration.members.len(), all).map_err(Some)?;
    if let (Some(stated), Some((name, ..))) = (stated, quantity)
        && inherited.map(read).transpose()?.as_ref() != Some(&selections)
    {
        let help = match inherited {
            Some(inherited) => {
                format!("remove `over`: the force runs over `{}`, as `{name}` does", source(inherited))
            }
            None => format!("remove `over`: `{name}` is a quantity of the whole configuration"),
        };
        let message = format!("the `over` of the force differs from the `over` of `{name}`");
        return Err(Some(error_with_help(stated, message, help)));
    }
    Ok(Some(selections))
}

/// Returns the role, with the target of a force resolved.
fn role(
    declared: &AttributedFunction,
    given: &[RoleArgument],
    context: &Context,
    sink: &mut ErrorCollector,
) -> Option<Role> {
    let is_element = given.iter().any(|argument| argument.name == "over");
    match declared.keyword.signature()?.means {
        Means::Known(role) => sink.take(states::ensure_kinetic_energy(declared, is_element, context)).map(|()| role()),
        Means::Force => {
            let target = sink.take(force::target(given, context))?;
            sink.take(states::ensure_target(declared, &target, is_element, context))?;
            Some(Role::Force(target))
        }
        Means::Rate => sink.take(states::rate(declared, context)).map(Role::Force),
        Means::Other => None,
    }
}

/// Checks that there are no more constraint rows than degrees of freedom; returns false otherwise.
pub(in crate::syntax) fn ensure_rows_fit(
    functions: &[RoleFunction],
    configuration: &Configuration,
    sink: &mut ErrorCollector,
) -> bool {
    if functions.iter().any(|function| function.over.is_some()) {
        // The number of elements is known only at run time.
        return true;
    }
    let dof = configuration.dof();
    let mut rows = 0_usize;
    let mut table = String::new();
    for function in functions {
        if !matches!(function.role, Role::Constraint | Role::VelocityConstraint) {
            continue;
        }
        let own = match function.output {
            OutputShape::Vector(n) => n,
            _ => 1,
        };
        let before = rows;
        rows = rows.saturating_add(own);
        let _ = write!(table, "\n  {}  {own}", function.name);
        if before <= dof && rows > dof {
            sink.error_with_help(
                &function.output_type,
                format_args!(
                    "{rows} rows of constraints, but `{}` has {dof} degrees of freedom",
                    configuration.item.ident
                ),
                format_args!("remove redundant rows, or write #[mechanical_system(redundant = minimum_norm)]:{table}"),
            );
        }
    }
    rows <= dof
}

/// Checks that the inertia is declared, and only by one role.
pub(in crate::syntax) fn ensure_inertia(
    functions: &[AttributedFunction],
    attempted: &[Keyword],
    names: &ArgumentTypes,
    module: &Ident,
    sink: &mut ErrorCollector,
) {
    let mut inertia = functions.iter().filter(|declared| declared.keyword.is_inertia());
    match inertia.next() {
        None if attempted.iter().any(|keyword| keyword.is_inertia()) => {}
        None => {
            let example = names.expected(Keyword::KineticEnergy, &"kinetic", &Punctuated::new(), "f64");
            sink.error_with_help(
                module,
                format_args!("missing inertia of `{module}`"),
                format_args!("declare `#[kinetic_energy] {example} {{ … }}`"),
            );
        }
        Some(first) => {
            if let Some(other) = inertia.find(|declared| declared.keyword != first.keyword) {
                let (name, first_name) = (&other.item.sig.ident, &first.item.sig.ident);
                let message = format_args!("both `{first_name}` and `{name}` declare the inertia");
                let help = "keep the `#[kinetic_energy]` or the `#[mass_matrix]`";
                let note = (first_name, format_args!("`#[{}]` is here", first.keyword.name()));
                sink.error_with_note(name, message, help, note);
            }
        }
    }
}
