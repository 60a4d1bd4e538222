//! Figures as PNG.

use kuva::backend::png::PngBackend;
use kuva::render::render::Scene;

use crate::picture::FigureError;

/// Pixels of the PNG for one of the SVG.
const RESOLUTION: f32 = 2.0;

/// The picture as the bytes of a file.
pub(super) fn of(scene: &Scene) -> Result<Vec<u8>, FigureError> {
    PngBackend::new().with_scale(RESOLUTION).render_scene(scene).map_err(FigureError::Drawing)
}
