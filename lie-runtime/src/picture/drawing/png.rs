//! Conversion of figures to PNG.

use kuva::backend::png::PngBackend;
use kuva::render::render::Scene;

use crate::picture::FigureError;

/// The number of pixels of the PNG for one pixel of the SVG.
const RESOLUTION: f32 = 2.0;

/// Returns the figure in PNG format.
pub(super) fn of(scene: &Scene) -> Result<Vec<u8>, FigureError> {
    PngBackend::new().with_scale(RESOLUTION).render_scene(scene).map_err(FigureError::Drawing)
}
