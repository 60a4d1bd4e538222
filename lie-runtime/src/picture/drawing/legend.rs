//! Legends: in a free place of the panel, or above it.

use super::canvas::{Anchor, Area, Canvas};
use super::mark::{mark, pen};
use super::text::width;
use crate::picture::{Marker, Panel, Stroke};

/// The sizes of the font, a row, the sample of a line, and the padding.
pub(super) const FONT: f64 = 11.5;
pub(super) const ROW: f64 = 16.0;
const SAMPLE: f64 = 26.0;
const PAD: f64 = 6.0;
/// The distance of a legend from the frame.
const GAP: f64 = 7.0;
/// The largest size of a legend inside, relative to the plot.
const LARGEST: [f64; 2] = [0.75, 0.6];

/// The sample of an entry.
#[derive(Clone, Debug)]
enum LegendSample {
    Band(String),
    Line(usize, Stroke, Marker),
}

/// The entries of a panel.
pub(super) struct Legend {
    entries: Vec<(String, LegendSample)>,
}

impl Legend {
    /// Returns the legend of a panel; a single line needs none.
    pub fn of(panel: &Panel) -> Option<Legend> {
        let mut entries: Vec<(String, LegendSample)> = Vec::new();
        let bands = panel.bands.iter().map(|band| (&band.label, LegendSample::Band(band.pale())));
        let lines = panel.series.iter().map(|own| (&own.label, LegendSample::Line(own.style, own.stroke, own.marker)));
        for (label, sample) in bands.chain(lines) {
            if !label.is_empty() && entries.iter().all(|(known, _)| known != label) {
                entries.push((label.clone(), sample));
            }
        }
        // The label of the axis names the only line of a panel.
        let is_needed = entries.len() > 1 || (entries.len() == 1 && !panel.bands.is_empty());
        is_needed.then_some(Legend { entries })
    }

    fn width(&self) -> f64 {
        let longest = self.entries.iter().map(|(label, _)| width(label, FONT)).fold(0.0, f64::max);
        longest + SAMPLE + 3.0 * PAD
    }

    /// Returns an area inside the plot without points; `None` if there is none.
    pub fn free_area(&self, plot: Area, occupied: &[(f64, f64)]) -> Option<Area> {
        let (wide, high) = (self.width(), self.entries.len() as f64 * ROW + PAD);
        if wide > LARGEST[0] * plot.width || high > LARGEST[1] * plot.height {
            return None;
        }
        let [left, right] = [plot.x + GAP, plot.x + plot.width - GAP - wide];
        let [top, bottom] = [plot.y + GAP, plot.y + plot.height - GAP - high];
        let between = |from: f64, to: f64| [0.0, 1.0, 0.5, 0.25, 0.75].map(|share| from + share * (to - from));
        let places = between(top, bottom).into_iter().flat_map(|y| between(right, left).map(|x| (x, y)));
        places.map(|(x, y)| Area { x, y, width: wide, height: high }).find(|area| {
            let wider = Area { x: area.x - 3.0, y: area.y - 3.0, width: wide + 6.0, height: high + 6.0 };
            !occupied.iter().any(|&point| wider.contains(point))
        })
    }

    /// Draws the legend with one entry in each row.
    pub fn draw(&self, canvas: &mut Canvas, area: Area) {
        canvas.rectangle(area, r##"fill="#FFFFFF" fill-opacity="0.85" stroke="#CCCCCC" stroke-width="0.7" rx="2""##);
        for (row, entry) in self.entries.iter().enumerate() {
            let y = area.y + 0.5 * PAD + (row as f64 + 0.5) * ROW;
            Self::entry(canvas, entry, (area.x + PAD, y));
        }
    }

    /// The rows of a legend above the plot: the number of entries of each.
    fn rows(&self, wide: f64) -> Vec<Vec<usize>> {
        let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
        let mut used = 0.0;
        for (at, (label, _)) in self.entries.iter().enumerate() {
            let own = SAMPLE + 4.0 * PAD + width(label, FONT);
            if used + own > wide && used > 0.0 {
                rows.push(Vec::new());
                used = 0.0;
            }
            used += own;
            if let Some(row) = rows.last_mut() {
                row.push(at);
            }
        }
        rows
    }

    /// Returns the height of a legend above a plot.
    pub fn height_above(&self, wide: f64) -> f64 {
        self.rows(wide).len() as f64 * ROW + 0.5 * PAD
    }

    /// Draws the legend in rows that start at the upper left corner of a plot.
    pub fn draw_above(&self, canvas: &mut Canvas, (x, y): (f64, f64), wide: f64) {
        for (row, entries) in self.rows(wide).into_iter().enumerate() {
            let mut x = x;
            for at in entries {
                Self::entry(canvas, &self.entries[at], (x, y + (row as f64 + 0.5) * ROW));
                x += SAMPLE + 4.0 * PAD + width(&self.entries[at].0, FONT);
            }
        }
    }

    fn entry(canvas: &mut Canvas, (label, sample): &(String, LegendSample), (x, y): (f64, f64)) {
        match sample {
            LegendSample::Band(colour) => {
                let area = Area { x, y: y - 5.0, width: SAMPLE - 2.0, height: 10.0 };
                canvas.rectangle(area, &format!(r#"fill="{colour}""#));
            }
            LegendSample::Line(style, stroke, marker) => {
                if let Some(line) = pen(*style, *stroke) {
                    canvas.segment((x, y), (x + SAMPLE - 2.0, y), line);
                }
                mark(canvas, *style, *marker, (x + 0.5 * SAMPLE - 1.0, y));
            }
        }
        canvas.text(label, (x + SAMPLE + 0.5 * PAD, y + 0.35 * FONT), FONT, Anchor::Start, "#222222");
    }
}
