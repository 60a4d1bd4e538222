//! Lines and markers of series.

use super::canvas::{Canvas, Pen};
use crate::picture::{COLOURS, Marker, Stroke};

/// The size of a marker: the radius of the circle.
pub(super) const SIZE: f64 = 3.6;

/// The width of all lines.
const WIDTH: f64 = 1.8;

/// The corners of the markers with corners, in the order of the styles after the circle.
const SHAPES: [&[(f64, f64)]; 5] = [
    &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    &[(-1.1, 0.8), (0.0, -1.2), (1.1, 0.8)],
    &[(-1.25, 0.0), (0.0, -1.25), (1.25, 0.0), (0.0, 1.25)],
    &[(-1.1, -0.8), (0.0, 1.2), (1.1, -0.8)],
    &[(0.0, -1.2), (1.14, -0.37), (0.7, 0.97), (-0.7, 0.97), (-1.14, -0.37)],
];

/// Returns the pen of a style; `None` without a line.
pub(super) fn pen(style: usize, stroke: Stroke) -> Option<Pen<'static>> {
    let dashes = match stroke {
        Stroke::Solid => "",
        Stroke::Dashed => "7 4",
        Stroke::Dotted => "1.5 4",
        Stroke::None => return None,
    };
    Some(Pen { colour: COLOURS[style % COLOURS.len()], width: WIDTH, dashes })
}

/// Draws a marker.
pub(super) fn mark(canvas: &mut Canvas, style: usize, marker: Marker, (x, y): (f64, f64)) {
    let colour = COLOURS[style % COLOURS.len()];
    let (fill, pen) = match marker {
        Marker::None => return,
        Marker::Open => ("none", Some(Pen::solid(colour, 1.4))),
        Marker::Filled => (colour, None),
    };
    // Blue is a circle, and black, the colour of references, a smaller one.
    match (style % COLOURS.len()).checked_sub(1).map(|shape| SHAPES.get(shape)) {
        None => canvas.circle((x, y), SIZE, fill, pen),
        Some(None) => canvas.circle((x, y), 0.8 * SIZE, fill, pen),
        Some(Some(shape)) => {
            let corners: Vec<(f64, f64)> = shape.iter().map(|(dx, dy)| (x + SIZE * dx, y + SIZE * dy)).collect();
            canvas.polygon(&corners, fill, pen);
        }
    }
}
