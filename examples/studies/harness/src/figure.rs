//! Figures of the runtime, and plots of errors with their orders.

pub use lie_runtime::picture::*;

use crate::study::Curve;

/// Errors below this value are too close to round-off for a triangle of the order.
const SLOPES_ABOVE: f64 = 1e-10;

/// Interrupts a line over time between the two states at the time of an event.
pub fn interrupted(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut line = Vec::with_capacity(points.len());
    for (at, point) in points.iter().enumerate() {
        if at > 0 && points[at - 1].0 == point.0 && points[at - 1].1 != point.1 {
            line.push((f64::NAN, f64::NAN));
        }
        line.push(*point);
    }
    line
}

/// The integer closest to an observed order, if it is within 0.2.
pub fn nice_slope(order: f64) -> Option<f64> {
    let slope = order.round();
    ((order - slope).abs() < 0.2 && slope >= 1.0).then_some(slope)
}

/// Errors over step sizes: one line for each curve, with the order at the point where the order of `quantity` (of q, v, λ) is measured.
pub fn convergence(curves: &[&Curve], labels: &[&str], quantity: usize, title: &str) -> Panel {
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
        series.push(Series::marked(label, style, points));
    }
    Panel { triangles, ..Panel::new(title, Axis::log("step size h [s]"), Axis::log("relative error"), series) }
}
