//! Saving of figures, maps, paths and snapshots.

use std::path::{Path, PathBuf};

use super::files::{extension, write};
use super::{Figure, FigureError, HeatMap, Panel, Snapshots, SpherePath};

/// The extensions of the supported formats.
const FORMATS: &[&str] = if cfg!(feature = "png") { &["svg", "png", "csv"] } else { &["svg", "csv"] };

impl Figure {
    /// Returns the figure as SVG.
    ///
    /// # Errors
    /// [`FigureError::Empty`] if a panel has no points.
    pub fn svg(&self) -> Result<String, FigureError> {
        self.draw()
    }

    /// Writes the figure to a file. The extension of the name selects the format: `.svg`; `.png` with the feature `png`; or `.csv` for
    /// the points.
    ///
    /// # Errors
    /// [`FigureError`] if there is nothing to draw, or the file cannot be written.
    #[doc(hidden)]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<PathBuf, FigureError> {
        let path = path.as_ref();
        match extension(path, FORMATS)? {
            "svg" => write(path, self.svg()?.as_bytes()),
            #[cfg(feature = "png")]
            "png" => write(path, &super::png::of(&self.svg()?)?),
            _ => self.write_table(path),
        }
    }

    /// Writes `folder/name.svg`, and `folder/name.png` with the feature `png`; returns the path of the SVG.
    ///
    /// # Errors
    /// [`FigureError`] if there is nothing to draw, or a file cannot be written.
    #[doc(hidden)]
    pub fn save_in(&self, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
        put(&self.draw()?, folder, name)
    }
}

/// Draws panels into `folder/name.svg`, and into `folder/name.png` with the feature `png`.
///
/// # Errors
/// [`FigureError`] if there is nothing to draw, or a file cannot be written.
#[doc(hidden)]
pub fn save(panels: &[Panel], folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    save_titled("", panels, folder, name)
}

/// Draws panels as [`save`], with a title.
///
/// # Errors
/// [`FigureError`] if there is nothing to draw, or a file cannot be written.
#[doc(hidden)]
pub fn save_titled(title: &str, panels: &[Panel], folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    Figure::new(panels.to_vec()).title(title).save_in(folder, name)
}

/// Writes a drawing that has no points to write as a table.
pub(super) fn save_svg(svg: &str, path: &Path) -> Result<PathBuf, FigureError> {
    let formats: &[&str] = if cfg!(feature = "png") { &["svg", "png"] } else { &["svg"] };
    match extension(path, formats)? {
        #[cfg(feature = "png")]
        "png" => write(path, &super::png::of(svg)?),
        _ => write(path, svg.as_bytes()),
    }
}

/// Writes `folder/name.svg`, and `folder/name.png` with the feature `png`; returns the path of the SVG.
pub(super) fn put(svg: &str, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    #[cfg(feature = "png")]
    super::files::put(folder, name, "png", &super::png::of(svg)?)?;
    super::files::put(folder, name, "svg", svg.as_bytes())
}

impl HeatMap {
    /// Writes `folder/name.svg`, and `folder/name.png` with the feature `png`.
    ///
    /// # Errors
    /// [`FigureError`] if there is nothing to draw, or a file cannot be written.
    #[doc(hidden)]
    pub fn save(&self, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
        put(&self.draw()?, folder, name)
    }
}

impl SpherePath {
    /// Writes `folder/name.svg`, and `folder/name.png` with the feature `png`.
    ///
    /// # Errors
    /// [`FigureError`] if there is nothing to draw, or a file cannot be written.
    #[doc(hidden)]
    pub fn save(&self, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
        put(&self.draw()?, folder, name)
    }
}

impl Snapshots {
    /// Writes `folder/name.svg`, and `folder/name.png` with the feature `png`.
    ///
    /// # Errors
    /// [`FigureError`] if there is nothing to draw, or a file cannot be written.
    #[doc(hidden)]
    pub fn save(&self, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
        put(&self.draw()?, folder, name)
    }
}
