//! Tables of points.

use std::path::{Path, PathBuf};

use super::files::write;
use super::{FigureError, Panel};

/// Quotes a name or a label as a field of a table.
pub(super) fn field(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// Writes a table with at least one row.
pub(super) fn rows(header: &str, rows: &[String], path: &Path) -> Result<PathBuf, FigureError> {
    if rows.is_empty() {
        return Err(FigureError::Empty);
    }
    write(path, format!("{header}\n{}\n", rows.join("\n")).as_bytes())
}

/// Writes the points of panels, by panel and line.
pub(super) fn panels(panels: &[Panel], path: &Path) -> Result<PathBuf, FigureError> {
    let rows = panels.iter().flat_map(|panel| {
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
    self::rows("panel,line,x,y", &rows.collect::<Vec<_>>(), path)
}
