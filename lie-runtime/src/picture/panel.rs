//! Panels: lines and points with axes.

use super::{Axis, Triangle};

/// Blue, vermillion, green, purple, orange, sky blue, black: the colours of series, in order.
#[doc(hidden)]
pub const COLOURS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222"];

/// The line through the points of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Stroke {
    /// A solid line.
    Solid,
    /// A dashed line, for references and unstable branches.
    Dashed,
    /// A dotted line, for limits and guesses.
    Dotted,
    /// No line.
    None,
}

/// The markers of the points of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Marker {
    /// No markers.
    None,
    /// Outlines, which do not hide other series.
    Open,
    /// Filled markers.
    Filled,
}

/// Points, with or without a line through them.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend; a series without a name is not in the legend.
    #[doc(hidden)]
    pub label: String,
    /// The index of the colour and of the shape of the markers.
    #[doc(hidden)]
    pub style: usize,
    /// The line through the points.
    #[doc(hidden)]
    pub stroke: Stroke,
    /// The markers at the points.
    #[doc(hidden)]
    pub marker: Marker,
    /// The points; a point that is not finite interrupts the line.
    #[doc(hidden)]
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// Returns a line without markers.
    pub fn line(label: &str, style: usize, points: Vec<(f64, f64)>) -> Self {
        Series { label: label.to_owned(), style, stroke: Stroke::Solid, marker: Marker::None, points }
    }

    /// Returns a line with open markers.
    pub fn marked(label: &str, style: usize, points: Vec<(f64, f64)>) -> Self {
        Series { marker: Marker::Open, ..Series::line(label, style, points) }
    }

    /// Returns filled markers without a line, for example for measured values.
    pub fn marks(label: &str, style: usize, points: Vec<(f64, f64)>) -> Self {
        Series { stroke: Stroke::None, marker: Marker::Filled, ..Series::line(label, style, points) }
    }

    /// Dashes the line, for a reference or an unstable branch.
    pub fn dashed(self) -> Self {
        Series { stroke: Stroke::Dashed, ..self }
    }

    /// Dots the line, for a limit or a guess.
    pub fn dotted(self) -> Self {
        Series { stroke: Stroke::Dotted, ..self }
    }

    /// Draws the outlines of the markers only, for points that coincide with a line.
    pub fn open(self) -> Self {
        Series { marker: Marker::Open, ..self }
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

/// A text at a point of a panel, for example the name of a line or of a state.
#[derive(Clone, Debug, PartialEq)]
#[doc(hidden)]
pub struct Note {
    /// The point.
    pub at: (f64, f64),
    /// The text, which starts at the right of the point.
    pub text: String,
}

/// A vertical line at an event.
#[derive(Clone, Debug, PartialEq)]
#[doc(hidden)]
pub struct EventMark {
    /// The horizontal coordinate.
    pub x: f64,
    /// The text at the upper end; it may be empty.
    pub text: String,
}

/// A panel: one diagram of a figure.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The title.
    #[doc(hidden)]
    pub title: String,
    /// The horizontal axis.
    #[doc(hidden)]
    pub x: Axis,
    /// The vertical axis.
    #[doc(hidden)]
    pub y: Axis,
    /// Bands, drawn below the lines.
    #[doc(hidden)]
    pub bands: Vec<Band>,
    /// The lines.
    #[doc(hidden)]
    pub series: Vec<Series>,
    /// Triangles that mark orders of convergence; one triangle is drawn for each order.
    pub triangles: Vec<Triangle>,
    /// Vertical lines at events.
    #[doc(hidden)]
    pub events: Vec<EventMark>,
    /// Texts at points.
    #[doc(hidden)]
    pub notes: Vec<Note>,
    /// The limits of the horizontal axis. The default is the range of the data.
    #[doc(hidden)]
    pub x_limits: Option<[f64; 2]>,
    /// The limits of the vertical axis. The default is the range of the data.
    #[doc(hidden)]
    pub y_limits: Option<[f64; 2]>,
    /// The minimal range of the vertical axis, for a common axis of several panels.
    #[doc(hidden)]
    pub y_range: Option<[f64; 2]>,
}

impl Panel {
    /// Returns a panel with lines.
    pub fn new(title: &str, x: Axis, y: Axis, series: Vec<Series>) -> Self {
        Panel {
            title: title.to_owned(),
            x,
            y,
            bands: Vec::new(),
            series,
            triangles: Vec::new(),
            events: Vec::new(),
            notes: Vec::new(),
            x_limits: None,
            y_limits: None,
            y_range: None,
        }
    }

    /// Returns a panel with lines over the time in seconds.
    pub fn over_time(title: &str, y: Axis, series: Vec<Series>) -> Self {
        Panel::new(title, Axis::linear("time t [s]"), y, series)
    }

    /// Sets a minimal range of the vertical axis, from `low` to `high`.
    pub fn between(self, low: f64, high: f64) -> Self {
        Panel { y_range: Some([low, high]), ..self }
    }

    /// Sets the limits of the horizontal axis; lines outside are not drawn.
    pub fn x_limits(self, low: f64, high: f64) -> Self {
        Panel { x_limits: Some([low, high]), ..self }
    }

    /// Sets the limits of the vertical axis; lines outside are not drawn.
    pub fn y_limits(self, low: f64, high: f64) -> Self {
        Panel { y_limits: Some([low, high]), ..self }
    }

    /// Sets the bands, which are drawn below the lines.
    pub fn with_bands(self, bands: Vec<Band>) -> Self {
        Panel { bands, ..self }
    }

    /// Adds a vertical line at an event, with a text that may be empty.
    pub fn event(mut self, x: f64, text: &str) -> Self {
        self.events.push(EventMark { x, text: text.to_owned() });
        self
    }

    /// Adds a text at the right of a point.
    pub fn note(mut self, at: (f64, f64), text: &str) -> Self {
        self.notes.push(Note { at, text: text.to_owned() });
        self
    }
}

/// Returns a panel with the absolute values of one quantity over time, with one line for each label.
#[doc(hidden)]
pub fn sizes_over_time(title: &str, axis: &str, labels: &[&str], of: impl Fn(usize) -> Vec<(f64, f64)>) -> Panel {
    let sizes = |index: usize| of(index).into_iter().map(|(t, value)| (t, value.abs())).collect();
    let series = labels.iter().enumerate().map(|(style, label)| Series::line(label, style, sizes(style)));
    Panel::over_time(title, Axis::log(axis), series.collect())
}
