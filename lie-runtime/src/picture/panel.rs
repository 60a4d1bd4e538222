//! Diagrams: lines and points in axes.

use super::{Axis, Triangle};

/// Points, and a line through them.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend.
    pub label: String,
    /// Which colour and which marker.
    pub style: usize,
    /// True if the points are marked.
    pub marked: bool,
    /// True if a line joins them.
    pub joined: bool,
    /// The points.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// A line without markers.
    pub fn line(label: &str, style: usize, points: Vec<(f64, f64)>) -> Self {
        Series { label: label.to_owned(), style, marked: false, joined: true, points }
    }

    /// A line with markers.
    pub fn marked(label: &str, style: usize, points: Vec<(f64, f64)>) -> Self {
        Series { marked: true, ..Series::line(label, style, points) }
    }

    /// Markers without a line: what was measured, beside a line of what was expected.
    pub fn marks(label: &str, style: usize, points: Vec<(f64, f64)>) -> Self {
        Series { joined: false, ..Series::marked(label, style, points) }
    }
}

/// What lies between two lines.
#[derive(Clone, Debug)]
pub struct Band {
    /// The name in the legend.
    pub label: String,
    /// Which colour.
    pub style: usize,
    /// From 0 to 1, how much of the colour; later bands lie over earlier ones.
    pub opacity: f64,
    /// To the right, and from where to where upwards.
    pub edges: Vec<(f64, f64, f64)>,
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
    /// Bands behind the lines.
    pub bands: Vec<Band>,
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
        Panel { title: title.to_owned(), x, y, bands: Vec::new(), series, triangles: Vec::new(), y_range: None }
    }

    /// Lines over time in seconds.
    pub fn over_time(title: &str, y: Axis, series: Vec<Series>) -> Self {
        Panel::new(title, Axis::linear("time t [s]"), y, series)
    }

    /// The same panel with a vertical axis from `low` to `high`.
    pub fn between(self, low: f64, high: f64) -> Self {
        Panel { y_range: Some([low, high]), ..self }
    }

    /// The same panel with bands behind the lines.
    pub fn with_bands(self, bands: Vec<Band>) -> Self {
        Panel { bands, ..self }
    }
}
