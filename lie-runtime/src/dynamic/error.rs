//! Errors of models from text.

use std::path::PathBuf;

use lie_compiler::Diagnostics;

use crate::group::GroupError;
use crate::inputs::TableError;
use crate::messages::{counted, see, suggested};
use crate::system::ModelError;

/// Reasons why a model from text has no system or no state.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum DynamicError {
    /// The declaration has errors; with the message of the compiler, its lines and columns.
    #[error("{0}")]
    Declaration(Diagnostics),
    /// A robot file that cannot be read.
    #[error("`{}` cannot be read: {reason} {}", path.display(), see("models-from-text"))]
    File {
        /// The path.
        path: PathBuf,
        /// The error of the system.
        reason: String,
    },
    /// Parameters without a value.
    #[error("the parameters {} have no value; set them {}", list(names), see("models-from-text"))]
    MissingParameters {
        /// The names.
        names: Vec<String>,
    },
    /// A name that the model does not have.
    #[error(
        "the model has no {what} `{name}`; it has {}{} {}",
        list(known),
        suggested(name, known),
        see("models-from-text")
    )]
    UnknownName {
        /// `member`, for example.
        what: &'static str,
        /// The name.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// A wrong number of scalars.
    #[error(
        "`{name}` has {} ({order}), found {given}; set {} {}",
        counted(*expected, "scalar"),
        counted(*expected, "scalar"),
        see("models-from-text")
    )]
    WrongSize {
        /// The member or parameter.
        name: String,
        /// The number of scalars.
        expected: usize,
        /// The order of the scalars.
        order: &'static str,
        /// The number of given scalars.
        given: usize,
    },
    /// A value of an integer or of a flag that has a fractional part or is out of range.
    #[error("`{name}` is {value}; set an integer from {} to {} {}", .range[0], .range[1], see("models-from-text"))]
    NotAnInteger {
        /// The parameter.
        name: String,
        /// The value.
        value: f64,
        /// The smallest and the largest value.
        range: [f64; 2],
    },
    /// Scalars that are no element of the group.
    #[error("`{name}` is not in its group: {} {}", reason(group, *defect), see("models-from-text"))]
    NotInGroup {
        /// The member.
        name: String,
        /// The group.
        group: &'static str,
        /// The distance from the group; NaN if a scalar is not finite.
        defect: f64,
    },
    /// An orthogonal matrix with the determinant −1.
    #[error("`{name}`: {error}")]
    Reflection {
        /// The member or parameter.
        name: String,
        /// [`GroupError::Reflection`].
        error: GroupError,
    },
    /// A table of inputs with an error.
    #[error(transparent)]
    InputTable(#[from] TableError),
    /// Parameters with an invalid value.
    #[error(transparent)]
    Model(#[from] ModelError),
}

crate::messages::debug_is_the_message!(DynamicError);

fn reason(group: &str, defect: f64) -> String {
    if defect.is_nan() {
        return "a scalar is not finite; set finite values".to_owned();
    }
    format!("its distance from {group} is {defect:.1e}; normalise it")
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
