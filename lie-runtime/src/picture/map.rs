//! Values over a rectangle, as colours.

use std::path::{Path, PathBuf};

use super::{FigureError, medium};

/// A value for each of many pairs of two quantities, one cell a value.
#[derive(Clone, Debug)]
pub struct Map {
    /// The title: what the colours are, and the lines.
    pub title: String,
    /// What is to the right and upwards.
    pub axes: [String; 2],
    /// From where to where the cells reach, to the right and upwards.
    pub ranges: [[f64; 2]; 2],
    /// Row by row from below.
    pub values: Vec<Vec<f64>>,
    /// The points of lines over it, drawn in white.
    pub lines: Vec<Vec<(f64, f64)>>,
}

impl Map {
    /// Draws into `folder/name.svg`, with the feature `png` into `folder/name.png` besides; without the feature `plot` writes the
    /// values into `folder/name.csv`.
    ///
    /// # Errors
    /// [`FigureError`].
    pub fn save(&self, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
        medium::map(self, folder, name)
    }
}
