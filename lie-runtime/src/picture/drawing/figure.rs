//! Drawing of figures: panels in rows.

use super::canvas::{Canvas, Digest};
use super::page::{GAP, WIDTH, caption, title};
use super::panel::Cell;
use crate::picture::{Figure, FigureError};

/// The number of panels in a row.
fn columns(figure: &Figure) -> usize {
    figure.columns.unwrap_or(match figure.panels.len() {
        1 | 3 => 1,
        _ => 2,
    })
}

impl Figure {
    /// Returns the figure as SVG.
    pub(in crate::picture) fn draw(&self) -> Result<String, FigureError> {
        let figure = self;
        let mut canvas = Canvas::default();
        let mut digest = Digest::new();
        let mut top = title(&mut canvas, &figure.title);
        let columns = columns(figure);
        // The plots of a column have one left end.
        let mut lefts = vec![0.0_f64; columns];
        for (at, panel) in figure.panels.iter().enumerate() {
            let cell = panel.cell(WIDTH / columns as f64, false)?;
            lefts[at % columns] = lefts[at % columns].max(cell.left);
        }
        for row in figure.panels.chunks(columns) {
            // The last row of an odd number of panels has the whole width.
            let wide = (WIDTH - GAP * (row.len() as f64 + 1.0)) / row.len() as f64;
            let is_single = figure.panels.len() == 1;
            let cells: Vec<Cell> = row.iter().map(|panel| panel.cell(wide, is_single)).collect::<Result<_, _>>()?;
            let height = cells.iter().filter_map(|cell| cell.height).reduce(f64::max);
            for (at, (panel, cell)) in row.iter().zip(cells).enumerate() {
                let left = lefts[at].max(cell.left);
                let cell = Cell { at: (GAP + at as f64 * (wide + GAP), top), left, height, ..cell };
                panel.draw(&mut canvas, cell, &mut digest)?;
            }
            top += height.unwrap_or(0.0) + 4.0;
        }
        if figure.panels.is_empty() {
            return Err(FigureError::Empty);
        }
        let bottom = caption(&mut canvas, &figure.caption, top);
        Ok(canvas.document(WIDTH, bottom, &figure.title, Some(digest.value())))
    }
}
