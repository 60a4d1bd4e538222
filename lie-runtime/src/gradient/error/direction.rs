//! Errors of variables of differentiation.

use crate::messages::{see, suggested};

/// The error of a variable of differentiation.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DirectionError {
    /// A name is unknown.
    #[error("{} {}", unknown(.name, .parameters, .members), see("variables-of-differentiation"))]
    Unknown {
        /// The name.
        name: String,
        /// The differentiable parameters.
        parameters: &'static [&'static str],
        /// The members of the configuration.
        members: Vec<&'static str>,
    },
    /// The gradient has no component with this name.
    #[error(
        "the gradient has no component `{name}`; the parameters are {}, and the derivatives with respect to initial values are in \
         `.configuration` and `.velocity`{WITHOUT} {}",
        if .known.is_empty() { "none".to_owned() } else { listed(.known) },
        see("variables-of-differentiation")
    )]
    NoNumber {
        /// The name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// A component occurs twice.
    #[error("duplicate name `{name}`; remove one occurrence {}", see("variables-of-differentiation"))]
    Repeated {
        /// The component.
        name: String,
    },
    /// A direction has a wrong number of components for a name.
    #[error(
        "`{name}` has {meant} components, and the direction has {given}; call `.components(name, …)` with {meant} components {}",
        see("variables-of-differentiation")
    )]
    Count {
        /// The name.
        name: String,
        /// The number of components of the name.
        meant: usize,
        /// The number of components of the direction.
        given: usize,
    },
    /// The change of a component along a direction is not finite.
    #[error("the change of `{name}` is {size}; it must be finite {}", see("variables-of-differentiation"))]
    NotFinite {
        /// The name.
        name: String,
        /// The change.
        size: f64,
    },
    /// The pieces of the inputs are invalid, or do not match the inputs.
    #[error("{} {}", pieces(*.piece, *.numbers), see("variables-of-differentiation"))]
    Pieces {
        /// The first invalid piece.
        piece: usize,
        /// The number of scalar inputs.
        numbers: usize,
    },
    /// No name is given.
    #[error(
        "missing names of variables; name at least one parameter or initial value, such as `[\"mass\", \"q\"]` {}",
        see("variables-of-differentiation")
    )]
    Nothing,
    /// Pieces of inputs are not allowed, because constraints read the rates of the inputs.
    #[error(
        "constraints read the rates of the inputs, and piecewise constant inputs have none. Declare the inputs as a function of parameters, and \
         differentiate with respect to the parameters {}",
        see("variables-of-differentiation")
    )]
    Rates,
}

/// Named values without derivatives.
const WITHOUT: &str = "; integers, booleans, group elements and lengths of chains have no derivatives";

/// Names in backquotes, the first ones of many.
pub(super) fn listed(names: &[impl AsRef<str>]) -> String {
    const SHOWN: usize = 12;
    let mut text: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{}`", name.as_ref())).collect();
    if names.len() > SHOWN {
        text.push(format!("{} more", names.len() - SHOWN));
    }
    text.join(", ")
}

crate::messages::debug_is_the_message!(DirectionError);

/// The message of an unknown variable.
fn unknown(name: &str, names: &[&str], members: &[&str]) -> String {
    let parameters = match names {
        [] => "system has no differentiable parameters".to_owned(),
        _ => format!("parameters are {}", listed(names)),
    };
    let initial: Vec<String> = members.iter().map(|member| format!("q.{member}")).collect();
    let others = members.iter().map(|member| format!("v.{member}"));
    let known: Vec<String> = names.iter().map(|name| (*name).to_owned()).chain(initial.clone()).chain(others).collect();
    let suggestion = suggested(name, &known);
    // The list begins a sentence after a question.
    let article = if suggestion.is_empty() { "; the" } else { " The" };
    format!(
        "unknown variable `{name}`{suggestion}{article} {parameters}, the initial values {} and the same members of `v`; a component is \
         `name[0]`{WITHOUT}",
        listed(&initial)
    )
}

/// The message of invalid pieces of inputs.
fn pieces(piece: usize, numbers: usize) -> String {
    match numbers {
        0 => "the direction changes inputs, and the system has no inputs; remove `.inputs(…)`".to_owned(),
        _ => format!(
            "piece {piece} of the inputs is invalid: the times must be finite and increasing, and each piece must have {numbers} values, one for \
             each scalar input"
        ),
    }
}
