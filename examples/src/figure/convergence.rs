//! Plots of errors with their slopes.

use kuva::plot::LinePlot;
use kuva::render::annotations::TextAnnotation;
use kuva::render::plots::Plot;

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

/// How far under the line the triangle stands, in decades.
const DISTANCE: f64 = 0.45;

impl Triangle {
    /// Its corners where they are drawn, closed.
    pub(super) fn corners(&self) -> [(f64, f64); 4] {
        let (left, right) = (self.x.log10(), self.x_end.log10());
        let bottom = self.y.log10() - DISTANCE;
        let top = bottom + self.slope * (right - left);
        [(left, bottom), (right, bottom), (right, top), (left, bottom)]
    }

    pub(super) fn draw(&self) -> (Plot, TextAnnotation) {
        let corners = self.corners();
        let outline = LinePlot::new().with_data(corners).with_color("#555555").with_stroke_width(1.0);
        // Next to the lower right corner, away from the line above.
        let (right, bottom) = corners[1];
        let note = TextAnnotation::new(format!("{}", self.slope), right + 0.07, bottom)
            .with_font_size(13)
            .with_color("#333333");
        (Plot::Line(outline), note)
    }
}

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
            series,
            triangles,
            y_range: None,
        }
    }
}
