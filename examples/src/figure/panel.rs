//! Diagrams: lines in axes.

use kuva::plot::scatter::MarkerShape;
use kuva::plot::{LinePlot, ScatterPlot};
use kuva::render::annotations::TextAnnotation;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;

use super::axis::{Axis, range, ticks};
use super::{COLOURS, FigureError, Triangle};

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

/// The widths of the first line of a panel and of its last one: where lines lie on top of each other all are seen.
const WIDTHS: [f64; 2] = [3.6, 1.5];

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
    /// A line without markers.
    pub fn line(label: &str, style: usize, points: Vec<(f64, f64)>) -> Self {
        Series { label: label.to_owned(), style, marked: false, points }
    }

    /// A line with markers.
    pub fn marked(label: &str, style: usize, points: Vec<(f64, f64)>) -> Self {
        Series { marked: true, ..Series::line(label, style, points) }
    }

    pub(super) fn colour(&self) -> &'static str {
        COLOURS[self.style % COLOURS.len()]
    }

    pub(super) fn marker(&self) -> MarkerShape {
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
    /// The values between which the vertical axis runs at least, so that panels can share an axis.
    pub y_range: Option<[f64; 2]>,
}

impl Panel {
    /// Lines without slopes to compare with.
    pub fn new(title: &str, x: Axis, y: Axis, series: Vec<Series>) -> Self {
        Panel { title: title.to_owned(), x, y, series, triangles: Vec::new(), y_range: None }
    }

    /// Lines over time in seconds.
    pub fn over_time(title: &str, y: Axis, series: Vec<Series>) -> Self {
        Panel::new(title, Axis::linear("time t [s]"), y, series)
    }

    /// The same panel with a vertical axis from `low` to `high`.
    pub fn between(self, low: f64, high: f64) -> Self {
        Panel { y_range: Some([low, high]), ..self }
    }

    /// The lines, markers and slopes with their layout.
    pub(super) fn draw(&self) -> Result<(Vec<Plot>, Layout), FigureError> {
        let mut plots = Vec::new();
        let mut all = Vec::new();
        for (index, series) in self.series.iter().enumerate() {
            let points: Vec<(f64, f64)> =
                series.points.iter().filter_map(|&(x, y)| Some((self.x.place(x)?, self.y.place(y)?))).collect();
            all.extend_from_slice(&points);
            let share = index as f64 / self.series.len().saturating_sub(1).max(1) as f64;
            let width = match self.series.len() {
                1 => 1.8,
                _ if series.marked => 1.8,
                _ => WIDTHS[0] + share * (WIDTHS[1] - WIDTHS[0]),
            };
            plots.push(Plot::Line(
                LinePlot::new().with_data(points.clone()).with_color(series.colour()).with_stroke_width(width),
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
        let shown = self.y_range.iter().flatten().filter_map(|&value| self.y.place(value));
        let y = range(&self.y, all.iter().map(|point| point.1).chain(shown)).ok_or(FigureError::Empty)?;
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
        if let (Axis::Length(_), Axis::Length(_)) = (&self.x, &self.y) {
            layout = layout.with_equal_aspect();
        }
        for note in notes {
            layout = layout.with_annotation(note);
        }
        Ok((plots, layout))
    }
}
