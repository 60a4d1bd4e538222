//! Figures as tables of their points, without the feature `plot`.

use std::path::{Path, PathBuf};

use super::files::extension;
use super::table::{self, field, rows as rows_of};
use super::{FigureError, HeatMap, Panel, Snapshots, SpherePath};

/// Writes the points of panels, by panel and line.
pub(super) fn panels(title: Option<&str>, panels: &[Panel], folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    save(title, panels, &folder.join(format!("{name}.csv")))
}

/// Writes the points of panels into this file, in the format of its extension.
pub(super) fn save(_: Option<&str>, panels: &[Panel], path: &Path) -> Result<PathBuf, FigureError> {
    extension(path, &["csv"])?;
    table::panels(panels, path)
}

/// Writes the values of a map, by row and column.
pub(super) fn map(map: &HeatMap, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    let rows = map.values.iter().enumerate().flat_map(|(row, values)| {
        values.iter().enumerate().map(move |(column, value)| format!("{row},{column},{value:e}"))
    });
    rows_of("row,column,value", &rows.collect::<Vec<_>>(), &folder.join(format!("{name}.csv")))
}

/// Writes the points of a path.
pub(super) fn motion(motion: &SpherePath, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    let rows = motion.path.iter().map(|[x, y, z]| format!("{x:e},{y:e},{z:e}"));
    rows_of("x,y,z", &rows.collect::<Vec<_>>(), &folder.join(format!("{name}.csv")))
}

/// Writes the points of lines at several times.
pub(super) fn snapshots(snapshots: &Snapshots, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    let rows = snapshots.snapshots.iter().flat_map(|snapshot| {
        snapshot.lines.iter().enumerate().flat_map(move |(index, line)| {
            line.iter().map(move |[x, y, z]| format!("{},{index},{x:e},{y:e},{z:e}", field(&snapshot.label)))
        })
    });
    rows_of("t,line,x,y,z", &rows.collect::<Vec<_>>(), &folder.join(format!("{name}.csv")))
}
