//! Tables of points.

use std::path::{Path, PathBuf};

use crate::picture::files::write;
use crate::picture::{Figure, FigureError};

/// Quotes a label as a field of a table.
fn field(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

impl Figure {
    /// Writes the points, by panel and line.
    pub(in crate::picture) fn write_table(&self, path: &Path) -> Result<PathBuf, FigureError> {
        let rows = self.panels.iter().flat_map(|panel| {
            let edges = panel.bands.iter().flat_map(move |band| {
                let names = format!("{},{}", field(&panel.title), field(&band.label));
                band.edges.iter().flat_map(move |(x, low, high)| [low, high].map(|y| format!("{names},{x:e},{y:e}")))
            });
            let points = panel.series.iter().flat_map(move |series| {
                let names = format!("{},{}", field(&panel.title), field(&series.label));
                series.points.iter().map(move |(x, y)| format!("{names},{x:e},{y:e}"))
            });
            edges.chain(points)
        });
        let rows: Vec<String> = rows.collect();
        if rows.is_empty() {
            return Err(FigureError::Empty);
        }
        write(path, format!("panel,line,x,y\n{}\n", rows.join("\n")).as_bytes())
    }
}
