//! A path on a sphere, in parallel projection.

use std::path::{Path, PathBuf};

use super::{FigureError, medium};

/// The path of a point on a sphere around the origin.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The title.
    pub title: String,
    /// The labels of the ends of the path.
    pub ends: [String; 2],
    /// The points in the order of time.
    pub path: Vec<[f64; 3]>,
    /// Azimuth and elevation of the viewpoint, in degrees.
    pub eye: [f64; 2],
}

impl Motion {
    /// Writes `folder/name.svg`, and `folder/name.png` with the feature `png`. Without the feature `plot` it writes the points to
    /// `folder/name.csv`.
    ///
    /// # Errors
    /// [`FigureError`] if there is nothing to draw, or a file cannot be written.
    pub fn save(&self, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
        medium::motion(self, folder, name)
    }
}
