//! Drawing of panels.

use std::sync::Arc;

use kuva::plot::scatter::MarkerShape;
use kuva::plot::{BandPlot, LinePlot, ScatterPlot};
use kuva::render::annotations::TextAnnotation;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;

use super::axis::{power, range};
use crate::picture::{Axis, Band, COLOURS, FigureError, Panel, Series, Triangle};

/// The markers, in the order of the colours.
const MARKERS: [MarkerShape; 7] = [
    MarkerShape::Circle,
    MarkerShape::Square,
    MarkerShape::Triangle,
    MarkerShape::Diamond,
    MarkerShape::TriangleDown,
    MarkerShape::Pentagon,
    MarkerShape::Star,
];

/// The widths of the first and of the last line of a panel: coincident lines all stay visible.
const WIDTHS: [f64; 2] = [3.6, 1.5];

/// The distance of the triangle below the line, in decades.
const DISTANCE: f64 = 0.45;

impl Series {
    pub(super) fn colour(&self) -> &'static str {
        COLOURS[self.style % COLOURS.len()]
    }

    pub(super) fn marker(&self) -> MarkerShape {
        MARKERS[self.style % MARKERS.len()]
    }
}

impl Band {
    /// The opaque colour that equals the transparent one on white.
    pub(super) fn pale(&self) -> String {
        let colour = COLOURS[self.style % COLOURS.len()];
        let part = |at: usize| u8::from_str_radix(colour.get(at..at + 2).unwrap_or("00"), 16).unwrap_or(0);
        let mixed = [1, 3, 5].map(|at| {
            let mixed = 255.0 - self.opacity * (255.0 - f64::from(part(at)));
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Between 0 and 255.
            let byte = mixed.round() as u8;
            byte
        });
        format!("#{:02X}{:02X}{:02X}", mixed[0], mixed[1], mixed[2])
    }
}

impl Triangle {
    /// The drawn corners, closed.
    fn corners(&self) -> [(f64, f64); 4] {
        let (left, right) = (self.x.log10(), self.x_end.log10());
        let bottom = self.y.log10() - DISTANCE;
        let top = bottom + self.slope * (right - left);
        [(left, bottom), (right, bottom), (right, top), (left, bottom)]
    }

    pub(super) fn draw(&self) -> (Plot, TextAnnotation) {
        let corners = self.corners();
        let outline = LinePlot::new().with_data(corners).with_color("#555555").with_stroke_width(1.0);
        // Adjacent to the lower right corner, away from the line above.
        let (right, bottom) = corners[1];
        let note = TextAnnotation::new(format!("{}", self.slope), right + 0.07, bottom)
            .with_font_size(13)
            .with_color("#333333");
        (Plot::Line(outline), note)
    }
}

/// Names of powers are written with superscripts.
fn ticks(axis: &Axis, tick: f64) -> TickFormat {
    match axis {
        Axis::Linear(_) | Axis::Length(_) => TickFormat::Auto,
        Axis::Log(_) => TickFormat::Custom(Arc::new(move |exponent| power(exponent, tick))),
    }
}

impl Panel {
    /// The lines, markers and triangles with their layout.
    pub(super) fn draw(&self) -> Result<(Vec<Plot>, Layout), FigureError> {
        let mut plots = Vec::new();
        let mut all = Vec::new();
        for band in &self.bands {
            let place =
                |&(x, low, high): &(f64, f64, f64)| Some((self.x.place(x)?, self.y.place(low)?, self.y.place(high)?));
            let edges: Vec<(f64, f64, f64)> = band.edges.iter().filter_map(place).collect();
            all.extend(edges.iter().flat_map(|&(x, low, high)| [(x, low), (x, high)]));
            let [x, low, high] = [0, 1, 2].map(|at| edges.iter().map(move |edge| [edge.0, edge.1, edge.2][at]));
            plots.push(Plot::Band(BandPlot::new(x, low, high).with_color(band.pale()).with_opacity(1.0)));
        }
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
            if series.joined {
                plots.push(Plot::Line(
                    LinePlot::new().with_data(points.clone()).with_color(series.colour()).with_stroke_width(width),
                ));
            }
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
            .with_x_tick_format(ticks(&self.x, x.tick))
            .with_y_axis_min(y.low)
            .with_y_axis_max(y.high)
            .with_y_tick_step(y.tick)
            .with_y_tick_format(ticks(&self.y, y.tick))
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
