//! Functions in systems with auxiliary states: their rates, and the roles that need other forms.

use syn::punctuated::Punctuated;
use syn::{Expr, FnArg};

use super::argument_types::ArgumentTypes;
use super::context::Context;
use super::member_selection;
use crate::diagnostics::{ErrorCollector, error_with_help, source};
use crate::model::{
    ArgumentKind, Configuration, ForceTarget, Member, RoleFunction, Selection, SlotMembers, is_of_states,
    targets_of_states,
};
use crate::syntax::module::collect::{AttributedFunction, Declaration};
use crate::syntax::role::Keyword;
use crate::syntax::rust::constants::Constants;

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

/// Returns the elements that have states of their own.
pub(in crate::syntax) fn elements(
    over: &Expr,
    configuration: &Configuration,
    constants: &Constants,
) -> syn::Result<Selection> {
    let selections = member_selection::read(over, configuration, constants)?;
    if let [selection @ Selection { field, part: SlotMembers::Each | SlotMembers::Windows { .. } }] = selections[..]
        && configuration.members[field].is_chain
    {
        return Ok(selection);
    }
    let chain = configuration.members.iter().find(|member| member.is_chain && !is_of_states(member));
    let message = "auxiliary states can run over a chain or its windows";
    let help = match chain {
        Some(Member { name, .. }) => {
            format!("write `#[states(over = {name})]` or `#[states(over = {name}.windows(2))]`")
        }
        None => "declare a chain `Vec<G>` in the configuration, or remove `over` for one set of states".to_owned(),
    };
    Err(error_with_help(over, message, help))
}

/// Returns the states of an element of the function, if the function reads them or returns their derivatives.
pub(super) fn of_element(
    declared: &AttributedFunction,
    over: Option<&[Selection]>,
    context: &Context,
) -> syn::Result<Option<Selection>> {
    let is_state = |input: &FnArg| matches!(input, FnArg::Typed(typed) if context.names.classify(&typed.ty).is_ok_and(|kind| kind == ArgumentKind::States));
    let name = &declared.item.sig.ident;
    let is_rate = declared.keyword == Keyword::Rate;
    if !is_rate && !declared.item.sig.inputs.iter().any(is_state) {
        return Ok(None);
    }
    let (Some(configuration), Some(states)) = (context.configuration, &context.names.states) else { return Ok(None) };
    // An error has been reported for the elements.
    if configuration.states_over.is_none() && configuration.states().is_some_and(|states| states.is_chain) {
        return Ok(None);
    }
    let runs = over.and_then(|over| over.iter().find(|selection| selection.part.runs()));
    match (&configuration.states_over, over) {
        (None, None) => {}
        (Some(wanted), Some(_)) if runs == Some(wanted) => {}
        (Some(wanted), _) => {
            let elements = text(wanted, configuration);
            let message = if is_rate {
                format!("the rate `{name}` must run over `{elements}`, as its states `{states}` do")
            } else {
                format!("`{name}` reads the states of one element of `{elements}`, but does not run over `{elements}`")
            };
            let role = declared.keyword.name();
            let help = match declared.keyword {
                Keyword::Observable | Keyword::Event => {
                    format!("use `v: &Velocity`, and read `v.states[0]` for the first element of `{elements}`")
                }
                _ => format!("write `#[{role}(over = {elements})]`"),
            };
            return Err(error_with_help(name, message, help));
        }
        (None, Some(_)) if is_rate && runs.is_some() => {
            let message =
                format!("the rate `{name}` runs over several elements, but there is one set of states `{states}`");
            let help = "give each element its own states by the same `over` in `#[states(over = …)]`, or remove `over`";
            return Err(error_with_help(name, message, help));
        }
        (None, Some(over)) => {
            let is_frame = |selection: &Selection| selection.field >= configuration.members.len();
            let is_listed = |selection: &Selection| matches!(selection.part, SlotMembers::Listed(_));
            if over.iter().any(|selection| is_frame(selection) || is_listed(selection)) {
                let message = format!("`{name}` reads auxiliary states, but runs over frames or over a list of tuples");
                let help = "apply the force to members of the configuration: `#[force(over = links)]`";
                return Err(error_with_help(name, message, help));
            }
        }
    }
    Ok(over.and(configuration.states_of_element()))
}

/// Adds the states to the quantities of elements at which forces act that read them, and to all forces at these quantities.
pub(in crate::syntax) fn extend_quantities(functions: &mut [RoleFunction], configuration: &Configuration) {
    let (targets, Some(states)) = (targets_of_states(functions), configuration.states_of_element()) else { return };
    for function in functions.iter_mut().filter(|function| function.reads_states(&targets)) {
        if let Some(over) = function.over.as_mut().filter(|over| !over.contains(&states)) {
            over.push(states);
        }
    }
}

/// Formats the elements with states.
fn text(selection: &Selection, configuration: &Configuration) -> String {
    let name = &configuration.members[selection.field].name;
    match selection.part {
        SlotMembers::Windows { size, stride: 1 } => format!("{name}.windows({size})"),
        SlotMembers::Windows { size, stride } => format!("{name}.windows({size}).step_by({stride})"),
        _ => name.to_string(),
    }
}

/// Rejects a force on the whole velocity in a system with states: their derivatives are not forces.
pub(super) fn ensure_target(
    declared: &AttributedFunction,
    target: &ForceTarget,
    is_element: bool,
    context: &Context,
) -> syn::Result<()> {
    if context.names.states.is_none() || is_element || !matches!(target, ForceTarget::Velocity) {
        return Ok(());
    }
    let name = &declared.item.sig.ident;
    let member = context.fields.first().map_or_else(|| "field".to_owned(), ToString::to_string);
    let message = format_args!("the force `{name}` needs a target in a system with auxiliary states");
    Err(error_with_help(name, message, format_args!("write `#[force(on = {member})]`, one function for each member")))
}

/// Rejects a mass matrix in a system with states, which have no inertia.
pub(super) fn ensure_kinetic_energy(
    declared: &AttributedFunction,
    is_element: bool,
    context: &Context,
) -> syn::Result<()> {
    if context.names.states.is_none() || is_element || declared.keyword != Keyword::MassMatrix {
        return Ok(());
    }
    let name = &declared.item.sig.ident;
    let message = format_args!("the mass matrix `{name}` is not supported in a system with auxiliary states");
    let help =
        "declare a function of the members with the role `#[kinetic_energy]`, for example `0.5 * mass * v.x * v.x`";
    Err(error_with_help(name, message, help))
}

/// Checks that states have one rate.
pub(in crate::syntax) fn ensure_one_rate(
    declaration: &Declaration,
    over: Option<&Expr>,
    names: &ArgumentTypes,
    sink: &mut ErrorCollector,
) {
    let Some(states) = &declaration.states else { return };
    let mut rates = declaration.functions.iter().filter(|declared| declared.keyword == Keyword::Rate);
    let Some(first) = rates.next().map(|declared| &declared.item.sig.ident) else {
        if !declaration.attempted.contains(&Keyword::Rate) {
            let states = &states.ident;
            let expected = names.expected(Keyword::Rate, &"rate", &Punctuated::new(), &states.to_string());
            let over = over.map_or_else(String::new, |over| format!("(over = {})", source(over)));
            let help =
                format_args!("declare `#[rate{over}] {expected} {{ … }}`, and add `z: &{states}` to read the states");
            sink.error_with_help(states, format_args!("missing rate of the auxiliary states `{states}`"), help);
        }
        return;
    };
    for second in rates.map(|declared| &declared.item.sig.ident) {
        let message = format_args!("both `{first}` and `{second}` declare the derivatives of the auxiliary states");
        let help = format_args!("return all derivatives in `{first}`, and remove `{second}`");
        sink.error_with_note(second, message, help, (first, "the first `#[rate]` is here"));
    }
}
