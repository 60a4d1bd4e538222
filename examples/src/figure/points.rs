//! Figures as tables of their points, where pictures are not compiled in.

use std::path::{Path, PathBuf};

use super::{FigureError, Map, Motion, Panel, Snapshots, put};

/// A name or a label as a field of a table.
fn field(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// Writes a table that has rows.
fn table(header: &str, rows: &[String], folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    if rows.is_empty() {
        return Err(FigureError::Empty);
    }
    put(folder, name, "csv", format!("{header}\n{}\n", rows.join("\n")).as_bytes())
}

/// The points of panels, by panel and line.
pub(super) fn panels(_: Option<&str>, panels: &[Panel], folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
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
    table("panel,line,x,y", &rows.collect::<Vec<_>>(), folder, name)
}

/// The values of a map, by row and column.
pub(super) fn map(map: &Map, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    let rows = map.values.iter().enumerate().flat_map(|(row, values)| {
        values.iter().enumerate().map(move |(column, value)| format!("{row},{column},{value:e}"))
    });
    table("row,column,value", &rows.collect::<Vec<_>>(), folder, name)
}

/// The points of a path.
pub(super) fn motion(motion: &Motion, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    let rows = motion.path.iter().map(|[x, y, z]| format!("{x:e},{y:e},{z:e}"));
    table("x,y,z", &rows.collect::<Vec<_>>(), folder, name)
}

/// The points of lines at several times.
pub(super) fn snapshots(snapshots: &Snapshots, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    let rows = snapshots.snapshots.iter().flat_map(|snapshot| {
        snapshot.lines.iter().enumerate().flat_map(move |(index, line)| {
            line.iter().map(move |[x, y, z]| format!("{},{index},{x:e},{y:e},{z:e}", field(&snapshot.label)))
        })
    });
    table("t,line,x,y,z", &rows.collect::<Vec<_>>(), folder, name)
}
