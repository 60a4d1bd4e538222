//! Figures as SVG and PNG: panels side by side with one legend below.
//!
//! Colours are those of Okabe and Ito, which colour-blind readers tell apart, and every series has a marker or a dash
//! of its own besides. Text is in a generic family, so that an SVG needs no font that is not there.

mod animation;
mod convergence;
mod motion;
mod snapshots;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use kuva::backend::png::PngBackend;
use kuva::backend::svg::SvgBackend;
use kuva::plot::scatter::MarkerShape;
use kuva::plot::{LegendEntry, LegendShape, LinePlot, ScatterPlot};
use kuva::render::annotations::TextAnnotation;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;

pub use animation::{Animation, MovingLine};
pub use convergence::{Triangle, nice_slope};
pub use motion::Motion;
pub use snapshots::{Snapshot, Snapshots};

/// Blue, vermillion, green, purple, orange, sky blue, black: in the order in which series take them.
pub const COLOURS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222"];

/// The markers that go with the colours.
const MARKERS: [MarkerShape; 7] = [
    MarkerShape::Circle,
    MarkerShape::Square,
    MarkerShape::Triangle,
    MarkerShape::Diamond,
    MarkerShape::TriangleDown,
    MarkerShape::Pentagon,
    MarkerShape::Star,
];

/// The size of a panel in pixels of the SVG.
const PANEL: (f64, f64) = (470.0, 440.0);
/// Pixels of the PNG for one of the SVG.
const RESOLUTION: f32 = 2.0;

/// What a logarithmic axis reaches beyond its values, in ticks.
const MARGIN: f64 = 0.25;

/// An axis and what is written at it.
#[derive(Clone, Debug, PartialEq)]
pub enum Axis {
    /// In proportion.
    Linear(String),
    /// In decades; values that are not positive are left out.
    Log(String),
}

impl Axis {
    /// Where a value is drawn; `None` where it cannot be.
    fn place(&self, value: f64) -> Option<f64> {
        let place = match self {
            Axis::Linear(_) => value,
            Axis::Log(_) => value.log10(),
        };
        place.is_finite().then_some(place)
    }

    fn label(&self) -> &str {
        match self {
            Axis::Linear(label) | Axis::Log(label) => label,
        }
    }
}

/// A line through points.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend.
    pub label: String,
    /// Which colour and which marker.
    pub style: usize,
    /// True if the points are marked.
    pub marked: bool,
    /// The points.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    fn colour(&self) -> &'static str {
        COLOURS[self.style % COLOURS.len()]
    }

    fn marker(&self) -> MarkerShape {
        MARKERS[self.style % MARKERS.len()]
    }
}

/// One diagram.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The title.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
    /// Slopes to compare with.
    pub triangles: Vec<Triangle>,
}

/// A range of an axis with its ticks.
struct Range {
    low: f64,
    high: f64,
    tick: f64,
}

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
    let mut plots = Vec::new();
    let mut layouts = Vec::new();
    let mut legend: Vec<LegendEntry> = Vec::new();
    for panel in panels {
        let (drawn, layout) = panel.draw()?;
        plots.push(drawn);
        layouts.push(layout);
        for series in &panel.series {
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
    let figure = kuva::render::figure::Figure::new(1, panels.len())
        .with_plots(plots)
        .with_layouts(layouts)
        .with_cell_size(PANEL.0, PANEL.1)
        .with_spacing(18.0)
        .with_shared_legend_entries(legend)
        .with_shared_legend_right_middle();
    write(&figure.render(), folder, name)
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

impl Panel {
    /// The lines, markers and slopes with their layout.
    fn draw(&self) -> Result<(Vec<Plot>, Layout), FigureError> {
        let mut plots = Vec::new();
        let mut all = Vec::new();
        for series in &self.series {
            let points: Vec<(f64, f64)> =
                series.points.iter().filter_map(|&(x, y)| Some((self.x.place(x)?, self.y.place(y)?))).collect();
            all.extend_from_slice(&points);
            plots.push(Plot::Line(
                LinePlot::new().with_data(points.clone()).with_color(series.colour()).with_stroke_width(1.8),
            ));
            if series.marked {
                plots.push(Plot::Scatter(
                    ScatterPlot::new()
                        .with_data(points)
                        .with_color(series.colour())
                        .with_marker(series.marker())
                        .with_size(4.5),
                ));
            }
        }
        let mut notes: Vec<TextAnnotation> = Vec::new();
        for triangle in &self.triangles {
            all.extend(triangle.corners());
            let (outline, note) = triangle.draw();
            plots.push(outline);
            notes.push(note);
        }
        let x = range(&self.x, all.iter().map(|point| point.0)).ok_or(FigureError::Empty)?;
        let y = range(&self.y, all.iter().map(|point| point.1)).ok_or(FigureError::Empty)?;
        let mut layout = Layout::new((x.low, x.high), (y.low, y.high))
            .with_title(self.title.as_str())
            .with_x_label(self.x.label())
            .with_y_label(self.y.label())
            .with_x_axis_min(x.low)
            .with_x_axis_max(x.high)
            .with_x_tick_step(x.tick)
            .with_x_tick_format(ticks(&self.x))
            .with_y_axis_min(y.low)
            .with_y_axis_max(y.high)
            .with_y_tick_step(y.tick)
            .with_y_tick_format(ticks(&self.y))
            .with_box_axes()
            .with_font_family("DejaVu Sans, Helvetica, Arial, sans-serif")
            .with_title_size(17)
            .with_label_size(15)
            .with_tick_size(13);
        for note in notes {
            layout = layout.with_annotation(note);
        }
        Ok((plots, layout))
    }
}

/// A range that holds all values and ends at ticks.
fn range(axis: &Axis, values: impl Iterator<Item = f64>) -> Option<Range> {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return None;
    }
    let span = (high - low).max(1e-12 * high.abs()).max(f64::MIN_POSITIVE);
    let tick = match axis {
        // Decades, or every so many of them.
        Axis::Log(_) => (span / 7.0).ceil().max(1.0),
        Axis::Linear(_) => {
            let decade = 10f64.powf((span / 5.0).log10().floor());
            let units = span / 5.0 / decade;
            let nice = [1.0, 2.0, 5.0, 10.0];
            decade * nice.into_iter().find(|&unit| unit >= units * 0.8).unwrap_or(10.0)
        }
    };
    let (low, high) = match axis {
        // A decade that holds one point would be mostly empty.
        Axis::Log(_) => (low - MARGIN * tick, high + MARGIN * tick),
        Axis::Linear(_) => {
            let low = (low / tick + 1e-9).floor() * tick;
            (low, ((high / tick - 1e-9).ceil() * tick).max(low + tick))
        }
    };
    Some(Range { low, high, tick })
}

/// Powers of ten are written as such.
fn ticks(axis: &Axis) -> TickFormat {
    match axis {
        Axis::Linear(_) => TickFormat::Auto,
        Axis::Log(_) => TickFormat::Custom(Arc::new(|exponent| power_of_ten(exponent.round()))),
    }
}

/// 10⁻³ and the like.
fn power_of_ten(exponent: f64) -> String {
    let digits = format!("{exponent:.0}");
    let superscripts = digits.chars().map(|digit| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    });
    format!("10{}", superscripts.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_raised() {
        assert_eq!(power_of_ten(-13.0), "10⁻¹³");
        assert_eq!(power_of_ten(0.0), "10⁰");
    }

    #[test]
    fn ranges_hold_their_values() {
        let range = range(&Axis::Linear(String::new()), [0.0, 9.7].into_iter()).unwrap();
        assert!(range.low <= 0.0 && range.high >= 9.7 && range.tick == 2.0);
        assert!(super::range(&Axis::Linear(String::new()), core::iter::empty()).is_none());
    }

    #[test]
    fn values_that_have_no_logarithm_are_left_out() {
        let axis = Axis::Log(String::new());
        assert_eq!(axis.place(0.0), None);
        assert_eq!(axis.place(f64::NAN), None);
        assert_eq!(axis.place(0.01), Some(-2.0));
    }
}
