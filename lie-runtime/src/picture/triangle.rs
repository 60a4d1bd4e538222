//! Slopes of lines on double logarithmic paper.

/// A right triangle under a line of a log-log plot that shows its slope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// Where it starts.
    pub x: f64,
    /// Where it ends.
    pub x_end: f64,
    /// The value of the line at `x`.
    pub y: f64,
    /// The slope.
    pub slope: f64,
}
