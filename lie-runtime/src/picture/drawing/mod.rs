//! Drawing of figures.

mod axis;
mod map;
mod motion;
mod panel;
#[cfg(feature = "png")]
mod png;
mod snapshots;

use std::path::{Path, PathBuf};

use kuva::backend::svg::SvgBackend;
use kuva::plot::{LegendEntry, LegendShape};
use kuva::render::figure::Figure;
use kuva::render::render::Scene;

use super::files::{self, extension, put};
use super::{FigureError, HeatMap, Panel, Snapshots, SpherePath, table};

/// The size of a panel in pixels of the SVG.
const PANEL: (f64, f64) = (470.0, 440.0);
/// The extensions of the supported formats.
const KINDS: &[&str] = if cfg!(feature = "png") { &["svg", "png", "csv"] } else { &["svg", "csv"] };

/// Draws panels under a title.
pub(super) fn panels(title: Option<&str>, panels: &[Panel], folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    write(&titled(title, panels)?, folder, name)
}

/// Draws panels into this file, in the format of its extension.
pub(super) fn save(title: Option<&str>, panels: &[Panel], path: &Path) -> Result<PathBuf, FigureError> {
    match extension(path, KINDS)? {
        "svg" => files::write(path, svg(&titled(title, panels)?).as_bytes()),
        #[cfg(feature = "png")]
        "png" => files::write(path, &png::of(&titled(title, panels)?)?),
        _ => table::panels(panels, path),
    }
}

fn titled(title: Option<&str>, panels: &[Panel]) -> Result<Scene, FigureError> {
    let figure = side_by_side(panels)?;
    let figure = match title {
        Some(title) => figure.with_title(title).with_title_size(19),
        None => figure,
    };
    Ok(figure.render())
}

/// Draws a path on a sphere.
pub(super) fn motion(motion: &SpherePath, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    motion.draw(folder, name)
}

/// Draws colours over a rectangle.
pub(super) fn map(map: &HeatMap, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    map.draw(folder, name)
}

/// Draws lines at several times.
pub(super) fn snapshots(snapshots: &Snapshots, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    snapshots.draw(folder, name)
}

/// The largest number of panels in a single row.
const LONGEST_ROW: usize = 4;
/// The number of panels in a row if there are several rows.
const ROW: usize = 3;

/// The figure of these panels, with one legend if a panel has several lines.
fn side_by_side(panels: &[Panel]) -> Result<Figure, FigureError> {
    let mut plots = Vec::new();
    let mut layouts = Vec::new();
    let mut legend: Vec<LegendEntry> = Vec::new();
    for panel in panels {
        let (drawn, layout) = panel.draw()?;
        plots.push(drawn);
        layouts.push(layout);
        for band in &panel.bands {
            if legend.iter().all(|entry| entry.label != band.label) {
                legend.push(LegendEntry {
                    label: band.label.clone(),
                    color: band.pale(),
                    shape: LegendShape::Rect,
                    dasharray: None,
                });
            }
        }
        // The title of a panel names its only line.
        for series in panel.series.iter().filter(|_| panel.series.len() > 1 || !panel.bands.is_empty()) {
            if legend.iter().all(|entry| entry.label != series.label) {
                legend.push(LegendEntry {
                    label: series.label.clone(),
                    color: series.colour().to_owned(),
                    shape: if series.marked { LegendShape::Marker(series.marker()) } else { LegendShape::Line },
                    dasharray: None,
                });
            }
        }
    }
    let columns = if panels.len() > LONGEST_ROW { ROW } else { panels.len() };
    let figure = Figure::new(panels.len().div_ceil(columns.max(1)).max(1), columns)
        .with_plots(plots)
        .with_layouts(layouts)
        .with_cell_size(PANEL.0, PANEL.1)
        .with_spacing(18.0);
    Ok(if legend.is_empty() {
        figure
    } else {
        figure.with_shared_legend_entries(legend).with_shared_legend_right_middle()
    })
}

/// Writes a figure as SVG, and as PNG with the feature `png`; returns the path of the SVG.
fn write(scene: &Scene, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    #[cfg(feature = "png")]
    put(folder, name, "png", &png::of(scene)?)?;
    put(folder, name, "svg", svg(scene).as_bytes())
}

fn svg(scene: &Scene) -> String {
    SvgBackend::new().render_scene(scene)
}
