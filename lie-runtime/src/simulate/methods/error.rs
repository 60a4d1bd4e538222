//! Names and options that cannot be used.

use core::fmt;

use super::info::Needs;

/// A method that cannot be chosen.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MethodError {
    /// There is no method of this name.
    Unknown {
        /// The name.
        id: String,
        /// The nearest one there is, if one is near.
        nearest: Option<&'static str>,
        /// All there are.
        known: Vec<&'static str>,
    },
    /// There is a method of this name, but none for problems of this kind.
    OfOtherProblems {
        /// The method's identifier.
        method: &'static str,
        /// The family that it belongs to.
        family: &'static str,
        /// All that there are for this kind of problem.
        known: Vec<&'static str>,
    },
    /// The system has not what the method needs.
    NotApplicable {
        /// The method's identifier.
        method: &'static str,
        /// What it needs.
        needs: Needs,
    },
    /// The method has no option of this name.
    UnknownOption {
        /// The method's identifier.
        method: &'static str,
        /// The name.
        option: String,
        /// The nearest one there is, if one is near.
        nearest: Option<&'static str>,
        /// All there are.
        known: Vec<&'static str>,
    },
    /// The value of an option cannot be used.
    Option {
        /// The method's identifier.
        method: &'static str,
        /// The option.
        option: String,
        /// Its value.
        value: String,
        /// What it should be.
        expected: String,
    },
}

impl fmt::Display for MethodError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = |f: &mut fmt::Formatter<'_>, nearest: Option<&str>, known: &[&str]| {
            if let Some(nearest) = nearest {
                write!(f, "; did you mean `{nearest}`?")?;
            }
            if known.is_empty() {
                f.write_str("\n  there are none")
            } else {
                write!(f, "\n  known: {}", known.join(", "))
            }
        };
        match self {
            MethodError::Unknown { id, nearest, known } => {
                write!(f, "there is no method `{id}`")?;
                listed(f, *nearest, known)
            }
            MethodError::OfOtherProblems { method, family, known } => {
                write!(f, "`{method}` ({family}) is for problems of another kind")?;
                listed(f, None, known)
            }
            MethodError::NotApplicable { method, needs } => {
                write!(f, "`{method}` does not apply to this system: it needs {needs}")?;
                match needs.instead() {
                    [] => Ok(()),
                    known => write!(f, "; take one of `{}`", known.join("`, `")),
                }
            }
            MethodError::UnknownOption { method, option, nearest, known } => {
                write!(f, "`{method}` has no option `{option}`")?;
                listed(f, *nearest, known)
            }
            MethodError::Option { method, option, value, expected } => {
                write!(f, "`{option}={value}` of `{method}`: it has to be {expected}")
            }
        }
    }
}

crate::messages::debug_is_the_message!(MethodError);
impl core::error::Error for MethodError {}
