//! A path on a sphere, seen from a point in space.

use std::path::{Path, PathBuf};

use super::{FigureError, medium};

/// The path of a point on a sphere around the origin.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The title.
    pub title: String,
    /// What the ends of the path are called.
    pub ends: [String; 2],
    /// The points in the order of time.
    pub path: Vec<[f64; 3]>,
    /// Azimuth and elevation of the eye in degrees.
    pub eye: [f64; 2],
}

impl Motion {
    /// Draws into `folder/name.svg`, with the feature `png` into `folder/name.png` besides; without the feature `plot` writes the
    /// points into `folder/name.csv`.
    ///
    /// # Errors
    /// [`FigureError`].
    pub fn save(&self, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
        medium::motion(self, folder, name)
    }
}
