//! Lines in space at several times, seen from afar.

use std::path::{Path, PathBuf};

use super::{FigureError, medium};

/// The lines of one instant.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The time, as it stands in the legend.
    pub label: String,
    /// Their points.
    pub lines: Vec<Vec<[f64; 3]>>,
}

/// Lines at several times in one picture, coloured by their order.
#[derive(Clone, Debug)]
pub struct Snapshots {
    /// The title.
    pub title: String,
    /// What is to the right and upwards.
    pub axes: [String; 2],
    /// Azimuth and elevation of the eye in degrees.
    pub eye: [f64; 2],
    /// In the order of time.
    pub snapshots: Vec<Snapshot>,
}

impl Snapshots {
    /// Draws into `folder/name.svg`, with the feature `png` into `folder/name.png` besides; without the feature `plot` writes the
    /// points into `folder/name.csv`.
    ///
    /// # Errors
    /// [`FigureError`].
    pub fn save(&self, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
        medium::snapshots(self, folder, name)
    }
}
