//! Orders of convergence in log-log plots.

/// A right triangle below a line of a log-log plot that marks the order of convergence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// The x coordinate of its start.
    pub x: f64,
    /// The x coordinate of its end.
    pub x_end: f64,
    /// The value of the line at `x`.
    pub y: f64,
    /// The order: the exponent p of y ∝ xᵖ.
    pub slope: f64,
}
