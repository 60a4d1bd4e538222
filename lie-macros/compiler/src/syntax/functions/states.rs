//! Functions in systems with auxiliary states: their rates, and the roles that need other forms.

use syn::punctuated::Punctuated;

use super::argument_types::ArgumentTypes;
use super::context::Context;
use crate::diagnostics::{ErrorCollector, and_at, error_with_help};
use crate::model::{ForceTarget, Model};
use crate::syntax::module::collect::{AttributedFunction, Declaration};
use crate::syntax::role::Keyword;

/// Returns the target of a `#[rate]`.
pub(super) fn rate(declared: &AttributedFunction, context: &Context) -> syn::Result<ForceTarget> {
    if context.names.states.is_some() {
        return Ok(ForceTarget::States);
    }
    let name = &declared.item.sig.ident;
    let message = format_args!("`{name}` is a `#[rate]`, but the system has no auxiliary states");
    let help = "declare the states whose derivatives it returns: `#[states] pub struct States { pub current: f64 }`";
    Err(error_with_help(name, message, help))
}

/// Rejects a force on the whole velocity in a system with states: their derivatives are not forces.
pub(super) fn ensure_target(declared: &AttributedFunction, target: &ForceTarget, context: &Context) -> syn::Result<()> {
    if context.names.states.is_none() || !matches!(target, ForceTarget::Velocity) {
        return Ok(());
    }
    let name = &declared.item.sig.ident;
    let member = context.fields.first().map_or_else(|| "field".to_owned(), ToString::to_string);
    let message = format_args!("the force `{name}` needs a target in a system with auxiliary states");
    Err(error_with_help(name, message, format_args!("write `#[force(on = {member})]`, one function for each member")))
}

/// Rejects a mass matrix in a system with states, which have no inertia.
pub(super) fn ensure_kinetic_energy(declared: &AttributedFunction, context: &Context) -> syn::Result<()> {
    if context.names.states.is_none() || declared.keyword != Keyword::MassMatrix {
        return Ok(());
    }
    let name = &declared.item.sig.ident;
    let message = format_args!("the mass matrix `{name}` is not supported in a system with auxiliary states");
    let help =
        "declare a function of the members with the role `#[kinetic_energy]`, for example `0.5 * mass * v.x * v.x`";
    Err(error_with_help(name, message, help))
}

/// Checks that states have one rate.
pub(in crate::syntax) fn ensure_one_rate(declaration: &Declaration, names: &ArgumentTypes, sink: &mut ErrorCollector) {
    let Some(states) = &declaration.states else { return };
    let mut rates = declaration.functions.iter().filter(|declared| declared.keyword == Keyword::Rate);
    let Some(first) = rates.next().map(|declared| &declared.item.sig.ident) else {
        if !declaration.attempted.contains(&Keyword::Rate) {
            let states = &states.ident;
            let expected = names.expected(Keyword::Rate, &"rate", &Punctuated::new(), &states.to_string());
            let help = format_args!("declare `#[rate] {expected} {{ … }}`, and add `z: &{states}` to read the states");
            sink.error_with_help(states, format_args!("missing rate of the auxiliary states `{states}`"), help);
        }
        return;
    };
    for second in rates.map(|declared| &declared.item.sig.ident) {
        let message = format_args!("both `{first}` and `{second}` declare the derivatives of the auxiliary states");
        let help = format_args!("return all derivatives in `{first}`, and remove `{second}`");
        sink.push(and_at(error_with_help(second, message, help), first, "the first `#[rate]` is here"));
    }
}

/// Checks that a system with states has neither lists nor frames.
pub(in crate::syntax) fn ensure_unrolled(model: &Model, sink: &mut ErrorCollector) {
    let Some(states) = model.states.as_ref().filter(|_| !model.is_unrolled()) else { return };
    let message =
        format_args!("auxiliary states are not supported in a system with lists, frames or terms over members");
    let help = "declare a fixed number of members, for example `x: [f64; 3]`, and functions of the whole configuration";
    sink.error_with_help(&states.ident, message, help);
}
