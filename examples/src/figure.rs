//! Figures as SVG and PNG: panels side by side with one legend below.
//!
//! Colours are those of Okabe and Ito, which colour-blind readers tell apart, and every series has a marker or a width
//! of its own besides. Text is in a generic family, so that an SVG needs no font that is not there.

mod animation;
mod axis;
mod convergence;
mod motion;
mod panel;
mod snapshots;

use std::path::{Path, PathBuf};
use std::{fs, io};

use kuva::backend::png::PngBackend;
use kuva::backend::svg::SvgBackend;
use kuva::plot::{LegendEntry, LegendShape};

pub use animation::{Animation, MovingLine};
pub use axis::Axis;
pub use convergence::{Triangle, nice_slope};
pub use motion::Motion;
pub use panel::{Panel, Series};
pub use snapshots::{Snapshot, Snapshots};

/// Blue, vermillion, green, purple, orange, sky blue, black: in the order in which series take them.
pub const COLOURS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222"];

/// The size of a panel in pixels of the SVG.
const PANEL: (f64, f64) = (470.0, 440.0);
/// Pixels of the PNG for one of the SVG.
const RESOLUTION: f32 = 2.0;

/// The figure could not be drawn or written.
#[derive(Debug)]
pub enum FigureError {
    /// There is nothing to draw.
    Empty,
    /// The picture could not be made.
    Drawing(String),
    /// The file could not be written.
    Writing(PathBuf, io::Error),
}

impl core::fmt::Display for FigureError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            FigureError::Empty => f.write_str("a figure has no points to draw"),
            FigureError::Drawing(reason) => write!(f, "a figure could not be drawn: {reason}"),
            FigureError::Writing(path, error) => {
                write!(f, "`{}` could not be written: {error}", path.display())
            }
        }
    }
}

impl core::error::Error for FigureError {}

/// Draws `panels` side by side, with one legend, into `folder/name.svg` and `folder/name.png`.
///
/// # Errors
/// [`FigureError`].
pub fn save(panels: &[Panel], folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    let figure = side_by_side(panels)?;
    write(&figure.render(), folder, name)
}

/// The same under a title, which says what is shown and where it is from.
///
/// # Errors
/// [`FigureError`].
pub fn save_titled(title: &str, panels: &[Panel], folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    let figure = side_by_side(panels)?.with_title(title).with_title_size(19);
    write(&figure.render(), folder, name)
}

/// Up to so many panels are in one row.
const LONGEST_ROW: usize = 4;
/// Panels of a row where there are several.
const ROW: usize = 3;

/// The figure of these panels, with one legend where a panel has several lines.
fn side_by_side(panels: &[Panel]) -> Result<kuva::render::figure::Figure, FigureError> {
    let mut plots = Vec::new();
    let mut layouts = Vec::new();
    let mut legend: Vec<LegendEntry> = Vec::new();
    for panel in panels {
        let (drawn, layout) = panel.draw()?;
        plots.push(drawn);
        layouts.push(layout);
        // The title of a panel says what a line alone is.
        for series in panel.series.iter().filter(|_| panel.series.len() > 1) {
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
    let figure = kuva::render::figure::Figure::new(panels.len().div_ceil(columns.max(1)).max(1), columns)
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

/// The absolute values of one quantity over time, of as many runs as there are labels.
pub fn sizes_over_time(title: &str, axis: &str, labels: &[&str], of: impl Fn(usize) -> Vec<(f64, f64)>) -> Panel {
    let sizes = |index: usize| of(index).into_iter().map(|(t, value)| (t, value.abs())).collect();
    let series = labels.iter().enumerate().map(|(style, label)| Series::line(label, style, sizes(style)));
    Panel::over_time(title, Axis::log(axis), series.collect())
}

/// Writes a picture as SVG and PNG; returns the path of the SVG.
fn write(scene: &kuva::render::render::Scene, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
    let bitmap = PngBackend::new().with_scale(RESOLUTION).render_scene(scene).map_err(FigureError::Drawing)?;
    put(folder, name, "png", &bitmap)?;
    put(folder, name, "svg", SvgBackend::new().render_scene(scene).as_bytes())
}

/// Writes `folder/name.extension`.
fn put(folder: &Path, name: &str, extension: &str, bytes: &[u8]) -> Result<PathBuf, FigureError> {
    let path = folder.join(format!("{name}.{extension}"));
    match fs::create_dir_all(folder).and_then(|()| fs::write(&path, bytes)) {
        Ok(()) => Ok(path),
        Err(error) => Err(FigureError::Writing(path, error)),
    }
}
