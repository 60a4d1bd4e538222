//! Why there is no picture.

use core::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::system::ModelError;

/// A picture that could not be drawn or written.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum FigureError {
    /// There is nothing to draw.
    Empty,
    /// Nothing of a run has this name.
    Unknown {
        /// The name.
        name: String,
        /// The nearest one, if it may have been meant.
        nearest: Option<String>,
        /// The names there are.
        known: Vec<String>,
    },
    /// A name means several numbers where one is wanted.
    Several {
        /// The name.
        name: String,
        /// How many.
        numbers: usize,
    },
    /// A name does not mean numbers of this kind.
    Kind {
        /// The name.
        name: String,
        /// How many numbers it means.
        numbers: usize,
        /// What is wanted.
        wanted: &'static str,
    },
    /// A number is NaN or infinite.
    NotFinite {
        /// Its name.
        name: String,
        /// When.
        time: f64,
    },
    /// The frames of an animation do not fit together.
    Frames {
        /// The line or the solid.
        label: String,
        /// What does not fit.
        reason: &'static str,
    },
    /// The states of a run do not all have the same numbers.
    Columns {
        /// The first state that differs.
        state: usize,
    },
    /// The states are of another system.
    ForeignState(ModelError),
    /// The name of the file does not end with one of what can be written.
    Extension {
        /// The file.
        path: PathBuf,
        /// What it may end with.
        known: &'static [&'static str],
    },
    /// The picture could not be made.
    Drawing(String),
    /// The file could not be written.
    Writing(PathBuf, Arc<io::Error>),
}

impl fmt::Display for FigureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FigureError::Empty => f.write_str("a figure has no points to draw"),
            FigureError::Unknown { name, nearest, known } => {
                write!(f, "nothing is called `{name}`")?;
                if let Some(nearest) = nearest {
                    write!(f, "; did you mean `{nearest}`?")?;
                }
                write!(f, "\n  known: {}", known.join(", "))
            }
            FigureError::Several { name, numbers } => {
                write!(f, "`{name}` means {numbers} numbers: name one of them, as `{name}[0]` or `{name}.x`")
            }
            FigureError::Kind { name, numbers, wanted } => {
                write!(f, "`{name}` means {numbers} numbers where {wanted} is wanted")
            }
            FigureError::NotFinite { name, time } => write!(f, "`{name}` is not finite at t = {time}"),
            FigureError::Frames { label, reason } => write!(f, "`{label}`: {reason}"),
            FigureError::Columns { state } => write!(f, "state {state} does not have the numbers of the first one"),
            FigureError::ForeignState(error) => write!(f, "the trajectory is that of another system: {error}"),
            FigureError::Extension { path, known } => {
                let feature = if known.contains(&"svg") && !known.contains(&"png") {
                    ", and with the feature `png` with .png"
                } else {
                    ""
                };
                write!(
                    f,
                    "`{}`: the name of the file has to end with .{}{feature}",
                    path.display(),
                    known.join(" or .")
                )
            }
            FigureError::Drawing(reason) => write!(f, "a figure could not be drawn: {reason}"),
            FigureError::Writing(path, error) => {
                write!(f, "`{}` could not be written: {error}", path.display())
            }
        }
    }
}

impl core::error::Error for FigureError {}
