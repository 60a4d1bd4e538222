//! Conversion of figures from SVG to PNG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use super::FigureError;

/// The number of pixels of the PNG for one pixel of the SVG.
const RESOLUTION: f32 = 2.0;

/// Returns a figure in PNG format.
pub(super) fn of(svg: &str) -> Result<Vec<u8>, FigureError> {
    let wrong = |reason: String| FigureError::Drawing(reason);
    let mut options = Options::default();
    options.fontdb_mut().load_system_fonts();
    if options.fontdb.is_empty() {
        return Err(wrong("no font is installed, and a PNG needs one; save it as .svg".to_owned()));
    }
    let tree = Tree::from_str(svg, &options).map_err(|error| wrong(error.to_string()))?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A figure has a few thousand pixels.
    let [width, height] = [tree.size().width(), tree.size().height()].map(|side| (RESOLUTION * side).ceil() as u32);
    let mut picture = Pixmap::new(width, height).ok_or_else(|| wrong("the figure has no area".to_owned()))?;
    resvg::render(&tree, Transform::from_scale(RESOLUTION, RESOLUTION), &mut picture.as_mut());
    picture.encode_png().map_err(|error| wrong(error.to_string()))
}
