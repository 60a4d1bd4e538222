//! Pictures of runs: figures as SVG or PNG, animations for browsers and, as glTF, for Blender and the like.
//!
//! A run has a figure in a line, [`run.plot(&system).of(["energy", "position.z"]).save("run.svg")`](Plot), and an animation in
//! a few, [`run.animate(&system)`](Film); both go by the names of the declaration. What they are made of is here besides: panels side by side
//! with one legend, maps, paths, snapshots, lines and solids that move.
//!
//! Colours are those of Okabe and Ito, which colour-blind readers tell apart, and every series has a marker or a width
//! of its own besides. Text is in a generic family, so that an SVG needs no font that is not there.
//!
//! PNG asks for the feature `png`. Without the feature `plot` the points of a figure are written as a table instead; animations need
//! no feature.

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

/// Blue, vermillion, green, purple, orange, sky blue, black: in the order in which series take them.
pub const COLOURS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222"];

/// Draws `panels` side by side, with one legend, into `folder/name.svg`, with the feature `png` into `folder/name.png` besides;
/// without the feature `plot` writes their points into `folder/name.csv`.
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
    write(&folder.join(format!("{name}.{extension}")), bytes)
}

/// Writes a file, and makes the folder that it is in.
fn write(path: &Path, bytes: &[u8]) -> Result<PathBuf, FigureError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written = folder.map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, bytes));
    written.map(|()| path.to_owned()).map_err(|error| FigureError::Writing(path.to_owned(), Arc::new(error)))
}

/// What the name of a file ends with, one of some, in small letters.
fn extension(path: &Path, known: &'static [&'static str]) -> Result<&'static str, FigureError> {
    let own = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase();
    let found = known.iter().find(|known| **known == own);
    found.copied().ok_or_else(|| FigureError::Extension { path: path.to_owned(), known })
}
