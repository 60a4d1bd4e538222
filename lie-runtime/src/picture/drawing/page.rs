//! The width, the title and the caption of a figure.

use super::canvas::{Anchor, Canvas};
use super::text::wrapped;

/// The width of a figure in pixels.
pub(in crate::picture) const WIDTH: f64 = 800.0;
/// The distance between panels.
pub(super) const GAP: f64 = 12.0;
/// The sizes of the fonts of labels of axes, and of ticks and notes.
pub(super) const LABEL: f64 = 12.5;
pub(super) const SMALL: f64 = 11.0;
/// The sizes of the fonts of the title and of the caption.
const TITLE: f64 = 15.0;
const CAPTION: f64 = 12.5;

/// Draws the title and returns its height.
pub(in crate::picture) fn title(canvas: &mut Canvas, title: &str) -> f64 {
    let lines = wrapped(title, TITLE, WIDTH - 2.0 * GAP);
    for (row, line) in lines.iter().enumerate() {
        canvas.bold(line, (GAP, (row as f64 + 1.0) * (TITLE + 5.0)), TITLE, Anchor::Start);
    }
    if lines.is_empty() { 0.5 * GAP } else { lines.len() as f64 * (TITLE + 5.0) + 0.7 * GAP }
}

/// Draws a caption from this height and returns the height of its end.
pub(in crate::picture) fn caption(canvas: &mut Canvas, caption: &str, top: f64) -> f64 {
    let lines = wrapped(caption, CAPTION, WIDTH - 2.5 * GAP);
    for (row, line) in lines.iter().enumerate() {
        let y = top + (row as f64 + 1.0) * (CAPTION + 4.5);
        canvas.text(line, (GAP, y), CAPTION, Anchor::Start, "#333333");
    }
    top + lines.len() as f64 * (CAPTION + 4.5) + GAP
}
