//! Errors of figures and animations.

use core::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::messages::listed;
use crate::system::ModelError;

/// The error of a figure or an animation.
#[derive(Clone)]
#[non_exhaustive]
pub enum FigureError {
    /// There is nothing to draw.
    Empty,
    /// No name was given of what to draw.
    NothingNamed {
        /// The names there are.
        known: Vec<String>,
    },
    /// A name is unknown.
    Unknown {
        /// The name.
        name: String,
        /// The most similar known name, if it is similar enough.
        nearest: Option<String>,
        /// The known names.
        known: Vec<String>,
    },
    /// A name has several values, and one value is required.
    Several {
        /// The name.
        name: String,
        /// The number of its values.
        numbers: usize,
    },
    /// A name does not have values of the required kind.
    Kind {
        /// The name.
        name: String,
        /// The number of its values.
        numbers: usize,
        /// The required kind.
        wanted: &'static str,
    },
    /// A value is NaN or infinite.
    NotFinite {
        /// The name of the value.
        name: String,
        /// The time.
        time: f64,
    },
    /// The frames of an animation are not consistent.
    Frames {
        /// The line or the solid.
        label: String,
        /// The reason.
        reason: &'static str,
    },
    /// The states of a run do not all have the same columns.
    Columns {
        /// The index of the first state that differs.
        state: usize,
    },
    /// The states belong to another system.
    ForeignState(ModelError),
    /// The extension of a file name is not supported.
    Extension {
        /// The file.
        path: PathBuf,
        /// The supported extensions.
        known: &'static [&'static str],
    },
    /// The figure could not be drawn.
    Drawing(String),
    /// The file could not be written.
    Writing(PathBuf, Arc<io::Error>),
}

impl fmt::Display for FigureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FigureError::Empty => f.write_str("a figure has no points to draw"),
            FigureError::NothingNamed { known } => write!(
                f,
                "nothing is named to be drawn: call `.of([{:?}])`; the names are {}",
                known.first().map_or("", String::as_str),
                listed(known)
            ),
            FigureError::Unknown { name, nearest, known } => {
                write!(f, "unknown name `{name}`")?;
                if let Some(nearest) = nearest {
                    write!(f, "; did you mean `{nearest}`?")?;
                }
                write!(f, "\n  the names are {}", listed(known))
            }
            FigureError::Several { name, numbers } => {
                write!(f, "`{name}` has {numbers} values; select one component, such as `{name}[0]` or `{name}.x`")
            }
            FigureError::Kind { name, numbers, wanted } => {
                write!(f, "`{name}` has {numbers} values; expected {wanted}")
            }
            FigureError::NotFinite { name, time } => write!(f, "`{name}` is not finite at t = {time}"),
            FigureError::Frames { label, reason } => write!(f, "`{label}`: {reason}"),
            FigureError::Columns { state } => {
                write!(f, "the columns of state {state} differ from the columns of the first state")
            }
            FigureError::ForeignState(error) => write!(f, "the trajectory belongs to another system: {error}"),
            FigureError::Extension { path, known } => {
                let feature = if known.contains(&"svg") && !known.contains(&"png") {
                    ", or .png with the feature `png`"
                } else {
                    ""
                };
                write!(f, "`{}`: the extension of the file must be .{}{feature}", path.display(), known.join(" or ."))
            }
            FigureError::Drawing(reason) => write!(f, "a figure could not be drawn: {reason}"),
            FigureError::Writing(path, error) => {
                write!(f, "`{}` could not be written: {error}", path.display())
            }
        }
    }
}

crate::messages::debug_is_the_message!(FigureError);
impl core::error::Error for FigureError {}
