//! Figures as SVG and PNG: panels side by side with one legend below.
//!
//! Colours are those of Okabe and Ito, which colour-blind readers tell apart, and every series has a marker or a width
//! of its own besides. Text is in a generic family, so that an SVG needs no font that is not there.
//!
//! Without the feature `figures` the points of a figure are written as a table instead; animations need no feature.

mod animation;
mod axis;
mod convergence;
#[cfg(feature = "figures")]
mod drawing;
mod map;
mod motion;
mod panel;
#[cfg(not(feature = "figures"))]
mod points;
mod snapshots;

use std::path::{Path, PathBuf};
use std::{fs, io};

#[cfg(feature = "figures")]
use drawing as medium;
#[cfg(not(feature = "figures"))]
use points as medium;

pub use animation::{Animation, MovingLine};
pub use axis::Axis;
pub use convergence::{Triangle, nice_slope};
pub use map::Map;
pub use motion::Motion;
pub use panel::{Band, Panel, Series};
pub use snapshots::{Snapshot, Snapshots};

/// Blue, vermillion, green, purple, orange, sky blue, black: in the order in which series take them.
pub const COLOURS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222"];

/// The figure could not be drawn or written.
#[derive(Debug)]
pub enum FigureError {
    /// There is nothing to draw.
    Empty,
    /// The picture could not be made.
    Drawing(String),
    /// The file could not be written.
    Writing(PathBuf, io::Error),
}

impl core::fmt::Display for FigureError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            FigureError::Empty => f.write_str("a figure has no points to draw"),
            FigureError::Drawing(reason) => write!(f, "a figure could not be drawn: {reason}"),
            FigureError::Writing(path, error) => {
                write!(f, "`{}` could not be written: {error}", path.display())
            }
        }
    }
}

impl core::error::Error for FigureError {}

/// Draws `panels` side by side, with one legend, into `folder/name.svg` and `folder/name.png`; without the feature `figures`
/// writes their points into `folder/name.csv`.
///
/// # Errors
/// [`FigureError`].
pub fn save(panels: &[Panel], folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    medium::panels(None, panels, folder, name)
}

/// The same under a title, which says what is shown and where it is from.
///
/// # Errors
/// [`FigureError`].
pub fn save_titled(title: &str, panels: &[Panel], folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    medium::panels(Some(title), panels, folder, name)
}

/// The absolute values of one quantity over time, of as many runs as there are labels.
pub fn sizes_over_time(title: &str, axis: &str, labels: &[&str], of: impl Fn(usize) -> Vec<(f64, f64)>) -> Panel {
    let sizes = |index: usize| of(index).into_iter().map(|(t, value)| (t, value.abs())).collect();
    let series = labels.iter().enumerate().map(|(style, label)| Series::line(label, style, sizes(style)));
    Panel::over_time(title, Axis::log(axis), series.collect())
}

/// Writes `folder/name.extension`.
fn put(folder: &Path, name: &str, extension: &str, bytes: &[u8]) -> Result<PathBuf, FigureError> {
    let path = folder.join(format!("{name}.{extension}"));
    match fs::create_dir_all(folder).and_then(|()| fs::write(&path, bytes)) {
        Ok(()) => Ok(path),
        Err(error) => Err(FigureError::Writing(path, error)),
    }
}
