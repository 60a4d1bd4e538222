//! Errors of figures and animations.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::messages::see;
use crate::simulate::ColumnError;

/// The error of a figure or an animation.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum FigureError {
    /// The feature `pictures` is disabled.
    #[error(
        "pictures require the feature `pictures`: run `cargo add lie-runtime --features pictures` {}",
        see("figures")
    )]
    FeatureDisabled,
    /// There is nothing to draw.
    #[error("the figure has no points; record at least one state {}", see("figures"))]
    Empty,
    /// Nothing was given of what to animate.
    #[error("the animation shows nothing; add `.solid_at(…)`, `.line_through(…)` or `.arrow(…)` {}", see("figures"))]
    NothingAnimated,
    /// The values cannot be selected by name.
    #[error(transparent)]
    Column(#[from] ColumnError),
    /// A name does not have values of the required kind.
    #[error("`{name}` has {numbers} values; expected {wanted} {}", see("figures"))]
    Kind {
        /// The name.
        name: String,
        /// The number of its values.
        numbers: usize,
        /// The required kind.
        wanted: &'static str,
    },
    /// A value is NaN or infinite.
    #[error("`{name}` is not finite at t = {time}; end the run before this time {}", see("figures"))]
    NotFinite {
        /// The name of the value.
        name: String,
        /// The time.
        time: f64,
    },
    /// The frames of an animation are not consistent.
    #[error("`{label}`: {reason} {}", see("figures"))]
    Frames {
        /// The line or the solid.
        label: String,
        /// The reason.
        reason: &'static str,
    },
    /// A mesh could not be read.
    #[error("mesh `{}`: {reason} {}", .path.display(), see("files"))]
    Mesh {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The extension of a file name is not supported.
    #[error("{} {}", extension(.path, .known), see("files"))]
    Extension {
        /// The file.
        path: PathBuf,
        /// The supported extensions.
        known: &'static [&'static str],
    },
    /// The figure could not be drawn.
    #[error("the figure could not be drawn: {} {}", .0, see("figures"))]
    Drawing(String),
    /// The file could not be written.
    #[error("`{}` could not be written: {}; check the path and its permissions {}", .0.display(), .1, see("files"))]
    Writing(PathBuf, Arc<io::Error>),
}

crate::messages::debug_is_the_message!(FigureError);

/// The message of an unsupported extension.
fn extension(path: &Path, known: &[&str]) -> String {
    let is_png = path.extension().is_some_and(|own| own.eq_ignore_ascii_case("png"));
    // Figures and schematics have no other formats.
    let has_png = known.iter().all(|known| matches!(*known, "svg" | "csv"));
    let feature = if is_png && has_png {
        "; .png requires the feature `png`: run `cargo add lie-runtime --features png`"
    } else {
        ""
    };
    format!("`{}`: the extension of the file must be .{}{feature}", path.display(), known.join(" or ."))
}
