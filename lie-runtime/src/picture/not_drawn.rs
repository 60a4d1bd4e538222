//! Pictures without the feature `pictures`: the methods exist, and their error names the feature.

#![allow(clippy::unused_self)] // The methods have the signatures of those that draw.

use std::path::{Path, PathBuf};

use super::{Animation, Figure, FigureError, HeatMap, Schematic, Snapshots, SpherePath};

/// The error of everything that draws.
fn not_drawn<T>() -> Result<T, FigureError> {
    Err(FigureError::FeatureDisabled)
}

macro_rules! draw {
    ($($picture:ident),*) => {
        $(impl $picture {
            pub(super) fn draw(&self) -> Result<String, FigureError> {
                not_drawn()
            }
        })*
    };
}

draw!(Animation, Figure, HeatMap, Schematic, Snapshots, SpherePath);

impl Figure {
    pub(super) fn write_table(&self, _: &Path) -> Result<PathBuf, FigureError> {
        not_drawn()
    }
}

impl Animation {
    /// Returns the page.
    ///
    /// # Errors
    /// [`FigureError::FeatureDisabled`].
    #[doc(hidden)]
    pub fn page(&self) -> Result<String, FigureError> {
        not_drawn()
    }

    pub(super) fn glb(&self) -> Result<Vec<u8>, FigureError> {
        not_drawn()
    }

    pub(super) fn gltf(&self, _: &str) -> Result<(String, Vec<u8>), FigureError> {
        not_drawn()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Figure, Panel, Series};

    #[test]
    fn the_error_names_the_feature() {
        let line = vec![Series::line("x", 0, vec![(0.0, 0.0), (1.0, 1.0)])];
        let error = Figure::new(vec![Panel::over_time("x", Axis::linear("x"), line)]).svg().unwrap_err();
        assert!(error.to_string().contains("cargo add lie-runtime --features pictures"), "{error}");
    }
}
