//! Panels: lines and points with axes.

use super::{Axis, Triangle};

/// Blue, vermillion, green, purple, orange, sky blue, black: the colours of series, in order.
pub const COLOURS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222"];

/// Points, with or without a line through them.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend.
    pub label: String,
    /// The index of the colour and of the marker.
    pub style: usize,
    /// True if the points are marked.
    pub marked: bool,
    /// True if a line connects them.
    pub joined: bool,
    /// The points.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// Returns a line without markers.
    pub fn line(label: &str, style: usize, points: Vec<(f64, f64)>) -> Self {
        Series { label: label.to_owned(), style, marked: false, joined: true, points }
    }

    /// Returns a line with markers.
    pub fn marked(label: &str, style: usize, points: Vec<(f64, f64)>) -> Self {
        Series { marked: true, ..Series::line(label, style, points) }
    }

    /// Returns markers without a line, for example for measured values.
    pub fn marks(label: &str, style: usize, points: Vec<(f64, f64)>) -> Self {
        Series { joined: false, ..Series::marked(label, style, points) }
    }
}

/// The area between two lines.
#[derive(Clone, Debug)]
pub struct Band {
    /// The name in the legend.
    pub label: String,
    /// The index of the colour.
    pub style: usize,
    /// The opacity, from 0 to 1; later bands are drawn over earlier ones.
    pub opacity: f64,
    /// The horizontal coordinate, and the lower and the upper limit, of each point.
    pub edges: Vec<(f64, f64, f64)>,
}

/// A panel: one diagram of a figure.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The title.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Bands, drawn below the lines.
    pub bands: Vec<Band>,
    /// The lines.
    pub series: Vec<Series>,
    /// Triangles that mark orders of convergence.
    pub triangles: Vec<Triangle>,
    /// The minimal range of the vertical axis, for a common axis of several panels.
    pub y_range: Option<[f64; 2]>,
}

impl Panel {
    /// Returns a panel with lines.
    pub fn new(title: &str, x: Axis, y: Axis, series: Vec<Series>) -> Self {
        Panel { title: title.to_owned(), x, y, bands: Vec::new(), series, triangles: Vec::new(), y_range: None }
    }

    /// Returns a panel with lines over the time in seconds.
    pub fn over_time(title: &str, y: Axis, series: Vec<Series>) -> Self {
        Panel::new(title, Axis::linear("time t [s]"), y, series)
    }

    /// Sets a minimal range of the vertical axis, from `low` to `high`.
    pub fn between(self, low: f64, high: f64) -> Self {
        Panel { y_range: Some([low, high]), ..self }
    }

    /// Sets the bands, which are drawn below the lines.
    pub fn with_bands(self, bands: Vec<Band>) -> Self {
        Panel { bands, ..self }
    }
}

/// Returns a panel with the absolute values of one quantity over time, with one line for each label.
pub fn sizes_over_time(title: &str, axis: &str, labels: &[&str], of: impl Fn(usize) -> Vec<(f64, f64)>) -> Panel {
    let sizes = |index: usize| of(index).into_iter().map(|(t, value)| (t, value.abs())).collect();
    let series = labels.iter().enumerate().map(|(style, label)| Series::line(label, style, sizes(style)));
    Panel::over_time(title, Axis::log(axis), series.collect())
}
