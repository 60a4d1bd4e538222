//! Saving of figures, drawn with the feature `plot` and as tables of points without it.

use std::path::{Path, PathBuf};

#[cfg(feature = "plot")]
pub(super) use super::drawing as medium;
#[cfg(not(feature = "plot"))]
pub(super) use super::points as medium;
use super::{FigureError, HeatMap, Panel, Snapshots, SpherePath};

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

impl HeatMap {
    /// Writes `folder/name.svg`, and `folder/name.png` with the feature `png`. Without the feature `plot` it writes the values to
    /// `folder/name.csv`.
    ///
    /// # Errors
    /// [`FigureError`] if there is nothing to draw, or a file cannot be written.
    pub fn save(&self, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
        medium::map(self, folder, name)
    }
}

impl SpherePath {
    /// Writes `folder/name.svg`, and `folder/name.png` with the feature `png`. Without the feature `plot` it writes the points to
    /// `folder/name.csv`.
    ///
    /// # Errors
    /// [`FigureError`] if there is nothing to draw, or a file cannot be written.
    pub fn save(&self, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
        medium::motion(self, folder, name)
    }
}

impl Snapshots {
    /// Writes `folder/name.svg`, and `folder/name.png` with the feature `png`. Without the feature `plot` it writes the points to
    /// `folder/name.csv`.
    ///
    /// # Errors
    /// [`FigureError`] if there is nothing to draw, or a file cannot be written.
    pub fn save(&self, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
        medium::snapshots(self, folder, name)
    }
}
