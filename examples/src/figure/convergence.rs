//! Plots of errors with their slopes.

use super::{Axis, Panel, Series};
use crate::study::Curve;

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

/// Errors under this are too close to round-off to hang a slope on.
const SLOPES_ABOVE: f64 = 1e-10;

/// The whole number next to an observed order, if it is one within 0.2.
pub fn nice_slope(order: f64) -> Option<f64> {
    let slope = order.round();
    ((order - slope).abs() < 0.2 && slope >= 1.0).then_some(slope)
}

impl Panel {
    /// Errors over step sizes: a line a curve, with the slope where the order of `quantity` (of q, v, λ) is measured.
    pub fn convergence(curves: &[&Curve], labels: &[&str], quantity: usize, title: &str) -> Self {
        let mut triangles = Vec::new();
        let mut series = Vec::new();
        for (style, (curve, label)) in curves.iter().zip(labels).enumerate() {
            let points = curve.errors(quantity);
            let finest = points.iter().rposition(|(_, error)| *error > SLOPES_ABOVE).unwrap_or(0);
            if let (Some(slope), Some(&(x, y)), Some(&(x_end, _))) = (
                nice_slope(curve.order(quantity)),
                points.get(finest),
                finest.checked_sub(1).and_then(|coarser| points.get(coarser)),
            ) {
                triangles.push(Triangle { x, x_end, y, slope });
            }
            series.push(Series { label: (*label).to_owned(), style, marked: true, points });
        }
        Panel {
            title: title.to_owned(),
            x: Axis::Log("step size h [s]".to_owned()),
            y: Axis::Log("relative error".to_owned()),
            bands: Vec::new(),
            series,
            triangles,
            y_range: None,
        }
    }
}
