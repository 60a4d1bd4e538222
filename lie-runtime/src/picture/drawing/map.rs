//! Drawing of maps.

use super::axis::{Range, ticks};
use super::canvas::{Anchor, Area, Canvas, Digest, Pen};
use super::motion::shade;
use super::page::{LABEL, SMALL, WIDTH, caption, title};
use crate::picture::{Axis, FigureError, HeatMap};

/// The colour of lines, in contrast to all colours of the map.
const LINE: &str = "#FFFFFF";
/// The number of colours of the bar.
const LEVELS: u32 = 64;
const INK: &str = "#222222";

impl HeatMap {
    /// Returns the map as SVG.
    pub(in crate::picture) fn draw(&self) -> Result<String, FigureError> {
        let rows = self.values.len();
        let columns = self.values.iter().map(Vec::len).max().unwrap_or(0);
        let finite = || self.values.iter().flatten().copied().filter(|value| value.is_finite());
        let (low, high) =
            finite().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if columns == 0 || low > high {
            return Err(FigureError::Empty);
        }
        let colours = Range { low, high: if high > low { high } else { low + 1.0 } };
        let mut canvas = Canvas::default();
        let mut digest = Digest::new();
        let top = title(&mut canvas, &self.title);
        let plot = Area { x: 70.0, y: top + 4.0, width: 560.0, height: 380.0 };
        let (right, bottom) = (plot.x + plot.width, plot.y + plot.height);
        let (wide, tall) = (plot.width / columns as f64, plot.height / rows as f64);
        for (row, values) in self.values.iter().enumerate() {
            let y = bottom - (row as f64 + 1.0) * tall;
            let levels: Vec<f64> = values
                .iter()
                .map(|&value| {
                    digest.coordinate(colours.share(value));
                    (colours.share(value) * f64::from(LEVELS)).round() / f64::from(LEVELS)
                })
                .collect();
            let mut column = 0;
            // Equal neighbours are one rectangle, a little larger than its cells: no seams.
            for run in levels.chunk_by(|a, b| a == b) {
                let area = Area {
                    x: plot.x + column as f64 * wide,
                    y,
                    width: run.len() as f64 * wide + 0.3,
                    height: tall + 0.3,
                };
                if run[0].is_finite() {
                    canvas.rectangle(area, &format!(r#"fill="{}""#, shade(run[0])));
                }
                column += run.len();
            }
        }
        let ranges = self.ranges.map(|[low, high]| Range { low, high });
        let pixel = |x: f64, y: f64| {
            (plot.x + ranges[0].share(x) * plot.width, plot.y + (1.0 - ranges[1].share(y)) * plot.height)
        };
        canvas.start_clip(plot);
        for line in &self.lines {
            let points: Vec<(f64, f64)> = line.iter().map(|&(x, y)| pixel(x, y)).collect();
            canvas.polyline(&points, Pen { colour: LINE, width: 2.0, dashes: "7 4" });
        }
        canvas.end_clip();
        let ink = Pen::solid("#555555", 1.0);
        let across = Axis::linear(&self.axes[0]);
        let marks = ticks(&across, ranges[0], 7.0);
        for tick in &marks.ticks {
            let (x, _) = pixel(tick.place, ranges[1].low);
            canvas.segment((x, bottom), (x, bottom + 4.0), ink);
            canvas.text(tick.label.as_deref().unwrap_or_default(), (x, bottom + 16.0), SMALL, Anchor::Middle, INK);
        }
        let label = format!("{}{}", self.axes[0], marks.suffix);
        canvas.text(&label, (plot.x + 0.5 * plot.width, bottom + 34.0), LABEL, Anchor::Middle, INK);
        let marks = ticks(&Axis::linear(&self.axes[1]), ranges[1], 7.0);
        for tick in &marks.ticks {
            let (_, y) = pixel(ranges[0].low, tick.place);
            canvas.segment((plot.x - 4.0, y), (plot.x, y), ink);
            canvas.text(tick.label.as_deref().unwrap_or_default(), (plot.x - 7.0, y + 4.0), SMALL, Anchor::End, INK);
        }
        canvas.upright(&format!("{}{}", self.axes[1], marks.suffix), (22.0, plot.y + 0.5 * plot.height), LABEL);
        canvas.rectangle(plot, r##"fill="none" stroke="#555555" stroke-width="1""##);
        // The bar of colours.
        let bar = Area { x: right + 24.0, width: 18.0, ..plot };
        for level in 0..LEVELS {
            let height = bar.height / f64::from(LEVELS);
            let area = Area { y: bottom - f64::from(level + 1) * height, height: height + 0.3, ..bar };
            canvas.rectangle(area, &format!(r#"fill="{}""#, shade(f64::from(level) / f64::from(LEVELS - 1))));
        }
        canvas.rectangle(bar, r##"fill="none" stroke="#555555" stroke-width="1""##);
        let marks = ticks(&Axis::linear(""), colours, 7.0);
        for tick in &marks.ticks {
            let y = bottom - colours.share(tick.place) * plot.height;
            let end = bar.x + bar.width;
            canvas.segment((end, y), (end + 4.0, y), ink);
            canvas.text(tick.label.as_deref().unwrap_or_default(), (end + 7.0, y + 4.0), SMALL, Anchor::Start, INK);
        }
        canvas.upright(
            &format!("{}{}", self.colours, marks.suffix),
            (bar.x + bar.width + 60.0, plot.y + 0.5 * plot.height),
            LABEL,
        );
        let end = caption(&mut canvas, &self.caption, bottom + 42.0);
        Ok(canvas.document(WIDTH, end, &self.title, Some(digest.value())))
    }
}
