//! Errors of the choice of a method.

use super::info::MethodRequirement;
use crate::messages::see;

/// The error of a method or an option by name.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MethodError {
    /// No method has this name.
    #[error("unknown method `{id}`{} {}", choices(*.nearest, .known), see("choice-of-a-method"))]
    Unknown {
        /// The name.
        id: String,
        /// The most similar known name, if it is similar enough.
        nearest: Option<&'static str>,
        /// The known names.
        known: Vec<&'static str>,
    },
    /// The method of this name is for another kind of problem.
    #[error("`{method}` ({family}) is for another kind of problem{} {}", choices(None, .known), see("choice-of-a-method"))]
    OfOtherProblems {
        /// The method's identifier.
        method: &'static str,
        /// The family of the method.
        family: &'static str,
        /// The methods for this kind of problem.
        known: Vec<&'static str>,
    },
    /// The system does not meet the requirement of the method.
    #[error("`{method}` does not apply to this system: it requires {needs}{} {}", alternatives(*.needs), see("choice-of-a-method"))]
    NotApplicable {
        /// The method's identifier.
        method: &'static str,
        /// The requirement.
        needs: MethodRequirement,
    },
    /// The method has no option of this name.
    #[error("unknown option `{option}` of `{method}`{} {}", choices(*.nearest, .known), see("choice-of-a-method"))]
    UnknownOption {
        /// The method's identifier.
        method: &'static str,
        /// The name.
        option: String,
        /// The most similar known name, if it is similar enough.
        nearest: Option<&'static str>,
        /// The known names.
        known: Vec<&'static str>,
    },
    /// The value of an option is invalid.
    #[error("`{option}={value}` of `{method}`: the value must be {expected} {}", see("choice-of-a-method"))]
    Option {
        /// The method's identifier.
        method: &'static str,
        /// The option.
        option: String,
        /// The value.
        value: String,
        /// The valid values.
        expected: String,
    },
}

crate::messages::debug_is_the_message!(MethodError);

/// The most similar name and the known names.
fn choices(nearest: Option<&str>, known: &[&str]) -> String {
    let nearest = nearest.map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"));
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    format!("{nearest}\n  known: {known}\n ")
}

/// The methods with weaker requirements.
fn alternatives(needs: MethodRequirement) -> String {
    match needs.instead() {
        [] => String::new(),
        known => format!("; use `{}`", known.join("`, `")),
    }
}
