//! Figures of runs as SVG or PNG, and animations for browsers or in glTF format, for example for Blender.
//!
//! A figure of a run needs one line of code, [`run.plot(&system).of(["energy", "position.z"]).save("run.svg")`](Plot). An animation needs
//! a few lines, starting with [`run.animate(&system)`](Film). Both use declared names. The module also exports their parts: panels with a
//! shared legend, maps, paths, snapshots, lines and moving solids.
//!
//! The colours are the palette of Okabe and Ito, which is suitable for colour-blind readers. Every series also has its own marker or line
//! width. Text uses a generic font family: an SVG does not depend on an installed font.
//!
//! PNG requires the feature `png`. Figures are written as tables of their points without the feature `plot`. Animations need no feature.

mod animation;
mod axis;
mod columns;
#[cfg(feature = "plot")]
mod drawing;
mod error;
mod film;
mod gltf;
mod map;
mod mesh;
mod motion;
mod panel;
mod plot;
#[cfg(not(feature = "plot"))]
mod points;
mod snapshots;
mod solid;
mod table;
#[cfg(test)]
mod tests;
mod triangle;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(feature = "plot")]
use drawing as medium;
#[cfg(not(feature = "plot"))]
use points as medium;

pub use animation::{Animation, MovingLine};
pub use axis::Axis;
pub use error::FigureError;
pub use film::{Film, pose};
pub use map::Map;
pub use motion::Motion;
pub use panel::{Band, Panel, Series};
pub use plot::Plot;
pub use snapshots::{Snapshot, Snapshots};
pub use solid::{Shape, Solid};
pub use triangle::Triangle;

/// Blue, vermillion, green, purple, orange, sky blue, black: the colours of series, in order.
pub const COLOURS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222"];

/// Draws panels with a shared legend into `folder/name.svg`, and into `folder/name.png` with the feature `png`. Without the feature
/// `plot` it writes their points to `folder/name.csv`.
///
/// # Errors
/// [`FigureError`] if there is nothing to draw, or a file cannot be written.
pub fn save(panels: &[Panel], folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    medium::panels(None, panels, folder, name)
}

/// Draws panels as [`save`], with a title, which should contain the subject and the source of the data.
///
/// # Errors
/// [`FigureError`] if there is nothing to draw, or a file cannot be written.
pub fn save_titled(title: &str, panels: &[Panel], folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    medium::panels(Some(title), panels, folder, name)
}

/// Returns a panel with the absolute values of one quantity over time, with one line for each label.
pub fn sizes_over_time(title: &str, axis: &str, labels: &[&str], of: impl Fn(usize) -> Vec<(f64, f64)>) -> Panel {
    let sizes = |index: usize| of(index).into_iter().map(|(t, value)| (t, value.abs())).collect();
    let series = labels.iter().enumerate().map(|(style, label)| Series::line(label, style, sizes(style)));
    Panel::over_time(title, Axis::log(axis), series.collect())
}

/// Writes `folder/name.extension`.
fn put(folder: &Path, name: &str, extension: &str, bytes: &[u8]) -> Result<PathBuf, FigureError> {
    write(&folder.join(format!("{name}.{extension}")), bytes)
}

/// Writes a file, and creates its folder.
fn write(path: &Path, bytes: &[u8]) -> Result<PathBuf, FigureError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written = folder.map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, bytes));
    written.map(|()| path.to_owned()).map_err(|error| FigureError::Writing(path.to_owned(), Arc::new(error)))
}

/// Returns the extension of a file name in lower case; it must be one of `known`.
fn extension(path: &Path, known: &'static [&'static str]) -> Result<&'static str, FigureError> {
    let own = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase();
    let found = known.iter().find(|known| **known == own);
    found.copied().ok_or_else(|| FigureError::Extension { path: path.to_owned(), known })
}
