//! Drawing of panels.

use super::axis::{Range, Ticks, range, ticks};
use super::canvas::{Anchor, Area, Canvas, Digest, Pen};
use super::legend::Legend;
use super::mark::{mark, pen};
use super::page::{LABEL, SMALL};
use super::text::{width, wrapped};
use crate::picture::{Axis, Band, COLOURS, FigureError, Marker, Panel, Series, Stroke, Triangle};

/// The size of the font of titles.
const TITLE: f64 = 13.5;
/// The height of a plot, relative to its width, for different widths of panels.
const SHAPE: f64 = 0.74;
/// The smallest height of a plot, and the largest height of a single one, in pixels.
const HEIGHT: [f64; 2] = [210.0, 360.0];
/// The height of the ticks and the label of the horizontal axis.
const FOOT: f64 = 40.0;
/// The largest height of a plot with equal scales.
const TALLEST: f64 = 560.0;
/// The distance of the triangle below the line, in decades.
const DISTANCE: f64 = 0.35;
const INK: &str = "#222222";

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
    /// The corners of the closed triangle.
    fn corners(&self) -> [(f64, f64); 4] {
        let (left, right) = (self.x.log10(), self.x_end.log10());
        let bottom = self.y.log10() - DISTANCE;
        let top = bottom + self.slope * (right - left);
        [(left, bottom), (right, bottom), (right, top), (left, bottom)]
    }
}

/// The ranges of a panel and the area of its plot.
struct Frame {
    x: Range,
    y: Range,
    plot: Area,
}

impl Frame {
    fn pixel(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (right, up) = (self.x.share(x), self.y.share(y));
        (self.plot.x + right * self.plot.width, self.plot.y + (1.0 - up) * self.plot.height)
    }
}

impl Panel {
    /// The drawn coordinates; both are NaN if one has no place.
    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        match (self.x.place(x), self.y.place(y)) {
            (Some(x), Some(y)) => (x, y),
            _ => (f64::NAN, f64::NAN),
        }
    }

    /// One triangle for each order: the first of them.
    fn slopes(&self) -> impl Iterator<Item = &Triangle> {
        self.triangles.iter().enumerate().filter_map(|(at, own)| {
            let is_new = self.triangles[..at].iter().all(|earlier| earlier.slope != own.slope);
            is_new.then_some(own)
        })
    }

    fn ranges(&self) -> Result<[Range; 2], FigureError> {
        let band = |&(x, low, high): &(f64, f64, f64)| [self.place((x, low)), self.place((x, high))];
        let edges = self.bands.iter().flat_map(|band| &band.edges).flat_map(band);
        let points = self.series.iter().flat_map(|own| &own.points).map(|&point| self.place(point));
        let triangles = self.slopes().flat_map(Triangle::corners);
        let all: Vec<(f64, f64)> = edges.chain(points).chain(triangles).filter(|point| point.0.is_finite()).collect();
        // Lines over the time start and end at the frame.
        let is_marked = self.series.iter().any(|own| own.marker != Marker::None);
        let is_wide = is_marked || !matches!(self.x, Axis::Linear(_)) || !self.notes.is_empty();
        let limits = |axis: &Axis, limits: &[f64; 2]| {
            let [low, high] = limits.map(|value| axis.place(value));
            Some(Range { low: low?, high: high? }).filter(|range| range.low < range.high)
        };
        let x = self.x_limits.as_ref().and_then(|own| limits(&self.x, own));
        let x = x.or_else(|| range(&self.x, all.iter().map(|point| point.0), is_wide)).ok_or(FigureError::Empty)?;
        let shown = self.y_range.iter().flatten().filter_map(|&value| self.y.place(value));
        let heights = all.iter().filter(|point| (x.low..=x.high).contains(&point.0)).map(|point| point.1);
        let y = self.y_limits.as_ref().and_then(|own| limits(&self.y, own));
        let y = y.or_else(|| range(&self.y, heights.chain(shown), true)).ok_or(FigureError::Empty)?;
        Ok([x, y])
    }

    fn is_to_scale(&self) -> bool {
        matches!((&self.x, &self.y), (Axis::Length(_), Axis::Length(_)))
    }

    fn title_lines(&self, wide: f64) -> Vec<String> {
        wrapped(&self.title, TITLE, wide)
    }

    /// The space on the left of the plot for the ticks and the label of the vertical axis.
    fn left(marks: &Ticks) -> f64 {
        let labels = marks.ticks.iter().filter_map(|tick| tick.label.as_deref());
        labels.map(|label| width(label, SMALL)).fold(0.0, f64::max) + LABEL + 18.0
    }

    /// Returns the smallest cell of this width for the panel.
    pub(super) fn cell(&self, wide: f64, is_single: bool) -> Result<Cell, FigureError> {
        let cell = Cell { at: (0.0, 0.0), wide, left: 0.0, height: None, is_single };
        let layout = self.layout(cell)?;
        Ok(Cell { left: Self::left(&layout.y_ticks), height: Some(layout.height), ..cell })
    }

    /// Returns the layout in a cell: the frame, the ticks, and the legend with its area if it is inside.
    fn layout(&self, cell: Cell) -> Result<PanelLayout, FigureError> {
        let ((x, y), wide) = (cell.at, cell.wide);
        let [across, up] = self.ranges()?;
        let title = self.title_lines(wide).len() as f64 * (TITLE + 4.0);
        let ratio = up.span() / across.span();
        let mut high = if self.is_to_scale() {
            (ratio * (wide - 70.0)).clamp(0.5 * HEIGHT[0], TALLEST)
        } else {
            (SHAPE * (wide - 70.0)).clamp(HEIGHT[0], if cell.is_single || wide < 600.0 { HEIGHT[1] } else { HEIGHT[0] })
        };
        let y_ticks = ticks(&self.y, up, (high / 48.0).max(2.0));
        let left = Self::left(&y_ticks).max(cell.left);
        let mut plot = Area { x: x + left, y: y + title + 6.0, width: wide - left - 14.0, height: high };
        if self.is_to_scale() {
            // Equal scales: the plot has the shape of the ranges.
            high = (ratio * plot.width).min(TALLEST);
            let narrow = (high / ratio).min(plot.width);
            plot = Area { x: plot.x + 0.5 * (plot.width - narrow), width: narrow, height: high, ..plot };
        }
        let x_ticks = ticks(&self.x, across, (plot.width / 75.0).max(2.0));
        let frame = Frame { x: across, y: up, plot };
        let legend = Legend::of(self);
        let inside = legend.as_ref().and_then(|legend| legend.free_area(plot, &self.occupied(&frame)));
        let above = match (&legend, inside) {
            (Some(legend), None) => legend.height_above(plot.width),
            _ => 0.0,
        };
        let mut plot = Area { y: plot.y + above, ..plot };
        let mut inside = inside.map(|area| Area { y: area.y + above, ..area });
        // Panels of a row have the same height.
        if let (Some(height), false) = (cell.height, self.is_to_scale()) {
            let factor = (y + height - FOOT - plot.y) / plot.height;
            plot.height *= factor;
            // The distance from the upper or the lower end of the plot stays.
            inside = legend.as_ref().filter(|_| inside.is_some()).and_then(|legend| {
                let frame = Frame { plot, ..frame };
                legend.free_area(plot, &self.occupied(&frame))
            });
        }
        let height = plot.y + plot.height + FOOT - y;
        Ok(PanelLayout { frame: Frame { plot, ..frame }, x_ticks, y_ticks, legend, inside, above, left, height })
    }

    /// The pixels of the plot that are not free for a legend.
    fn occupied(&self, frame: &Frame) -> Vec<(f64, f64)> {
        let mut occupied = Vec::new();
        let mut line = |points: &mut dyn Iterator<Item = (f64, f64)>| {
            let mut last: Option<(f64, f64)> = None;
            for point in points {
                let (x, y) = frame.pixel(point);
                if !(x.is_finite() && y.is_finite()) {
                    last = None;
                    continue;
                }
                let (from_x, from_y) = last.unwrap_or((x, y));
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A few hundred.
                let parts = (((x - from_x).hypot(y - from_y) / 4.0).ceil().clamp(1.0, 500.0)) as u32;
                for part in 1..=parts {
                    let share = f64::from(part) / f64::from(parts);
                    occupied.push((from_x + share * (x - from_x), from_y + share * (y - from_y)));
                }
                last = Some((x, y));
            }
        };
        for own in &self.series {
            let points = own.points.iter().map(|&point| self.place(point));
            if own.stroke == Stroke::None {
                points.for_each(|point| line(&mut std::iter::once(point)));
            } else {
                line(&mut points.into_iter());
            }
        }
        for band in &self.bands {
            for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
                line(&mut band.edges.iter().map(|&(x, low, high)| self.place((x, low + share * (high - low)))));
            }
        }
        for triangle in self.slopes() {
            line(&mut triangle.corners().into_iter());
        }
        for event in self.events.iter().filter(|event| !event.text.is_empty()) {
            if let Some(x) = self.x.place(event.x) {
                let (x, y) = (frame.pixel((x, frame.y.low)).0, frame.plot.y + 8.0);
                occupied.extend([0.0, 0.5, 1.0].map(|share| (x + share * width(&event.text, SMALL), y)));
            }
        }
        for note in &self.notes {
            let (x, y) = frame.pixel(self.place(note.at));
            let steps = (width(&note.text, SMALL) / 5.0).ceil().max(1.0);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A short text.
            occupied.extend((0..=steps as u32).map(|k| (x + 5.0 * f64::from(k), y)));
        }
        occupied
    }

    /// Draws the panel into a cell.
    pub(super) fn draw(&self, canvas: &mut Canvas, cell: Cell, digest: &mut Digest) -> Result<(), FigureError> {
        let layout = self.layout(cell)?;
        let frame = &layout.frame;
        let plot = frame.plot;
        for (row, line) in self.title_lines(cell.wide).iter().enumerate() {
            let y = cell.at.1 + (row as f64 + 1.0) * (TITLE + 4.0) - 5.0;
            canvas.bold(line, (plot.x, y), TITLE, Anchor::Start);
        }
        self.axes(canvas, &layout);
        canvas.start_clip(Area {
            x: plot.x - 1.0,
            y: plot.y - 1.0,
            width: plot.width + 2.0,
            height: plot.height + 2.0,
        });
        for band in &self.bands {
            let low = band.edges.iter().map(|&(x, low, _)| frame.pixel(self.place((x, low))));
            let high = band.edges.iter().rev().map(|&(x, _, high)| frame.pixel(self.place((x, high))));
            let outline: Vec<(f64, f64)> = low.chain(high).filter(|point| point.0.is_finite()).collect();
            canvas.polygon(&outline, &band.pale(), None);
            for &(x, low, high) in &band.edges {
                for point in [(x, low), (x, high)] {
                    digest_of(digest, frame, self.place(point));
                }
            }
        }
        for event in &self.events {
            if let Some(x) = self.x.place(event.x) {
                let (x, _) = frame.pixel((x, frame.y.low));
                canvas.segment(
                    (x, plot.y),
                    (x, plot.y + plot.height),
                    Pen { colour: "#888888", width: 1.0, dashes: "2 3" },
                );
            }
        }
        for own in &self.series {
            self.series(canvas, frame, own, digest);
        }
        for triangle in self.slopes() {
            let corners = triangle.corners().map(|corner| frame.pixel(corner));
            canvas.polyline(&corners, Pen::solid("#555555", 1.0));
            let (x, y) = (corners[1].0.max(corners[0].0), 0.5 * (corners[1].1 + corners[2].1));
            canvas.text(&format!("{}", triangle.slope), (x + 4.0, y + 4.0), SMALL, Anchor::Start, "#444444");
        }
        canvas.end_clip();
        for event in self.events.iter().filter(|event| !event.text.is_empty()) {
            if let Some(x) = self.x.place(event.x) {
                let (x, _) = frame.pixel((x, frame.y.low));
                canvas.text(&event.text, (x + 3.0, plot.y + 12.0), SMALL, Anchor::Start, "#555555");
            }
        }
        for note in &self.notes {
            let (x, y) = frame.pixel(self.place(note.at));
            if x.is_finite() {
                // A text that would leave the plot ends at the point.
                let is_right = x + 6.0 + width(&note.text, SMALL) > plot.x + plot.width;
                let (x, anchor) = if is_right { (x - 6.0, Anchor::End) } else { (x + 6.0, Anchor::Start) };
                canvas.text(&note.text, (x, y + 4.0), SMALL, anchor, INK);
            }
        }
        match (&layout.legend, layout.inside) {
            (Some(legend), Some(area)) => legend.draw(canvas, area),
            (Some(legend), None) => legend.draw_above(canvas, (plot.x, plot.y - layout.above), plot.width),
            (None, _) => {}
        }
        Ok(())
    }

    fn series(&self, canvas: &mut Canvas, frame: &Frame, own: &Series, digest: &mut Digest) {
        let places: Vec<(f64, f64)> = own.points.iter().map(|&point| self.place(point)).collect();
        digest.bytes(own.label.as_bytes());
        digest.bytes(&[u8::try_from(own.style % COLOURS.len()).unwrap_or(0), own.stroke as u8, own.marker as u8]);
        for &place in &places {
            digest_of(digest, frame, place);
        }
        let pixels: Vec<(f64, f64)> = places.into_iter().map(|place| frame.pixel(place)).collect();
        if let Some(pen) = pen(own.style, own.stroke) {
            canvas.polyline(&pixels, pen);
        }
        let is_visible = |point: &&(f64, f64)| {
            let frame = Area {
                x: frame.plot.x - 1.0,
                y: frame.plot.y - 1.0,
                width: frame.plot.width + 2.0,
                height: frame.plot.height + 2.0,
            };
            frame.contains(**point)
        };
        if own.marker != Marker::None {
            pixels.iter().filter(is_visible).for_each(|&point| mark(canvas, own.style, own.marker, point));
        }
    }

    /// The grid, the frame, the ticks and the labels.
    fn axes(&self, canvas: &mut Canvas, layout: &PanelLayout) {
        let frame = &layout.frame;
        let plot = frame.plot;
        let (right, bottom) = (plot.x + plot.width, plot.y + plot.height);
        let grid = Pen::solid("#E4E4E4", 0.8);
        let ink = Pen::solid("#555555", 1.0);
        for tick in &layout.x_ticks.ticks {
            let (x, _) = frame.pixel((tick.place, frame.y.low));
            let Some(label) = &tick.label else {
                canvas.segment((x, bottom), (x, bottom - 3.0), ink);
                continue;
            };
            canvas.segment((x, plot.y), (x, bottom), grid);
            canvas.segment((x, bottom), (x, bottom + 4.0), ink);
            canvas.text(label, (x, bottom + 16.0), SMALL, Anchor::Middle, INK);
        }
        for tick in &layout.y_ticks.ticks {
            let (_, y) = frame.pixel((frame.x.low, tick.place));
            let Some(label) = &tick.label else {
                canvas.segment((plot.x, y), (plot.x + 3.0, y), ink);
                continue;
            };
            canvas.segment((plot.x, y), (right, y), grid);
            canvas.segment((plot.x - 4.0, y), (plot.x, y), ink);
            canvas.text(label, (plot.x - 7.0, y + 4.0), SMALL, Anchor::End, INK);
        }
        canvas.rectangle(plot, r##"fill="none" stroke="#555555" stroke-width="1""##);
        let label = |axis: &Axis, ticks: &Ticks| format!("{}{}", axis.label(), ticks.suffix);
        let across = label(&self.x, &layout.x_ticks);
        canvas.text(&across, (plot.x + 0.5 * plot.width, bottom + 33.0), LABEL, Anchor::Middle, INK);
        let left = plot.x - layout.left + LABEL;
        canvas.upright(&label(&self.y, &layout.y_ticks), (left, plot.y + 0.5 * plot.height), LABEL);
    }
}

/// The parts of a panel in its cell.
struct PanelLayout {
    frame: Frame,
    x_ticks: Ticks,
    y_ticks: Ticks,
    legend: Option<Legend>,
    /// The area of a legend inside the plot, and the height of one above it.
    inside: Option<Area>,
    above: f64,
    /// The width of the ticks and the label of the vertical axis.
    left: f64,
    height: f64,
}

/// The place of a panel in its figure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub at: (f64, f64),
    pub wide: f64,
    /// The smallest width of the ticks and the label of the vertical axis.
    pub left: f64,
    /// The height of the row.
    pub height: Option<f64>,
    /// True for the only panel of a figure.
    pub is_single: bool,
}

fn digest_of(digest: &mut Digest, frame: &Frame, (x, y): (f64, f64)) {
    digest.coordinate(frame.x.share(x));
    digest.coordinate(frame.y.share(y));
}
