//! Errors of variables of differentiation.

use core::fmt;

/// The error of a variable of differentiation.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum DirectionError {
    /// A name is unknown.
    Unknown {
        /// The name.
        name: String,
        /// The differentiable parameters.
        parameters: &'static [&'static str],
        /// The members of the configuration.
        members: Vec<&'static str>,
    },
    /// The gradient has no component with this name.
    NoNumber {
        /// The name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// A component occurs twice.
    Repeated {
        /// The component.
        name: String,
    },
    /// A direction has a wrong number of components for a name.
    Count {
        /// The name.
        name: String,
        /// The number of components of the name.
        meant: usize,
        /// The number of components of the direction.
        given: usize,
    },
    /// The change of a component along a direction is not finite.
    NotFinite {
        /// The name.
        name: String,
        /// The change.
        size: f64,
    },
    /// The pieces of the inputs are invalid, or do not match the inputs.
    Pieces {
        /// The first invalid piece.
        piece: usize,
        /// The number of scalar inputs.
        numbers: usize,
    },
    /// No name is given.
    Nothing,
    /// Pieces of inputs are not allowed, because constraints read the rates of the inputs.
    Rates,
}

/// Named values without derivatives.
const WITHOUT: &str = "; integers, booleans, group elements and lengths of chains have no derivatives";

impl fmt::Display for DirectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DirectionError::Unknown { name, parameters, members } => {
                write!(f, "unknown variable `{name}`: ")?;
                match parameters {
                    [] => f.write_str("the system has no differentiable parameters")?,
                    _ => write!(f, "the parameters are {}", listed(parameters))?,
                }
                let initial: Vec<String> = members.iter().map(|member| format!("q.{member}")).collect();
                write!(f, ", the initial values {} and the same members of `v`; a component is `name[0]`{WITHOUT}", listed(&initial))
            }
            DirectionError::NoNumber { name, known } => {
                let known = if known.is_empty() { "none".to_owned() } else { listed(known) };
                write!(
                    f,
                    "the gradient has no component `{name}`; the parameters are {known}, and the derivatives with respect to initial \
                     values are in `.configuration` and `.velocity`{WITHOUT}"
                )
            }
            DirectionError::Repeated { name } => write!(f, "duplicate name `{name}`: it is given twice"),
            DirectionError::Rates => f.write_str(
                "constraints read the rates of the inputs, and piecewise constant inputs have none; declare the inputs as a function of \
                 parameters, and differentiate with respect to the parameters",
            ),
            DirectionError::Count { name, meant, given } => {
                write!(f, "`{name}` has {meant} components; the direction has {given}. Call `.by_all(name, …)` with {meant} components")
            }
            DirectionError::NotFinite { name, size } => {
                write!(f, "the change of `{name}` is {size}; it must be finite")
            }
            DirectionError::Pieces { numbers: 0, .. } => {
                f.write_str("the direction changes inputs, and the system has no inputs; remove `.by_inputs(…)`")
            }
            DirectionError::Pieces { piece, numbers } => write!(
                f,
                "piece {piece} of the inputs is invalid: the times must be finite and increasing, and each piece must have {numbers} \
                 values, one for each scalar input"
            ),
            DirectionError::Nothing => {
                f.write_str("no names: name at least one parameter or initial value, such as `[\"mass\", \"q\"]`")
            }
        }
    }
}

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
impl std::error::Error for DirectionError {}
