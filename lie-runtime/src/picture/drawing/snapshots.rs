//! Drawing of snapshots.

use super::axis::{Range, ticks};
use super::canvas::{Anchor, Area, Canvas, Digest, Pen};
use super::motion::{project, shade};
use super::page::{LABEL, SMALL, WIDTH, caption, title};
use super::text::width;
use crate::picture::{Axis, FigureError, Snapshots};

/// The margin around the lines, relative to the larger side of the picture.
const MARGIN: f64 = 0.05;
/// The limits of the height of the plot in pixels, and the number of points between two points of a smooth line.
const HEIGHT: [f64; 2] = [130.0, 520.0];
const BETWEEN: u32 = 8;
const INK: &str = "#222222";

impl Snapshots {
    /// Returns the snapshots as SVG.
    pub(in crate::picture) fn draw(&self) -> Result<String, FigureError> {
        let flat = |line: &[[f64; 3]]| -> Vec<(f64, f64)> {
            line.iter().map(|&point| project(self.eye, point)).map(|[x, y, _]| (x, y)).collect()
        };
        let all: Vec<(f64, f64)> =
            self.snapshots.iter().flat_map(|own| &own.lines).flat_map(|line| flat(line)).collect();
        let limits = |pick: fn(&(f64, f64)) -> f64| {
            let values = all.iter().map(pick);
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
        };
        let (across, up) = (limits(|point| point.0), limits(|point| point.1));
        let margin = MARGIN * (across.1 - across.0).max(up.1 - up.0);
        if !(margin.is_finite() && margin > 0.0) {
            return Err(FigureError::Empty);
        }
        let mut canvas = Canvas::default();
        let mut digest = Digest::new();
        let top = title(&mut canvas, &self.title);
        let [x, y] = [across, up].map(|(low, high)| Range { low: low - margin, high: high + margin });
        // Equal scales.
        let space = WIDTH - 70.0 - 110.0;
        let height = (space * y.span() / x.span()).clamp(HEIGHT[0], HEIGHT[1]);
        let scale = (space / x.span()).min(height / y.span());
        let plot = Area {
            x: 66.0 + 0.5 * (space - scale * x.span()),
            y: top + 4.0,
            width: scale * x.span(),
            height: scale * y.span(),
        };
        let bottom = plot.y + plot.height;
        let pixel = |(right, height): (f64, f64)| {
            (plot.x + x.share(right) * plot.width, plot.y + (1.0 - y.share(height)) * plot.height)
        };
        let ink = Pen::solid("#555555", 1.0);
        let marks = ticks(&Axis::linear(""), x, (plot.width / 75.0).max(2.0));
        for tick in &marks.ticks {
            let (at, _) = pixel((tick.place, y.low));
            canvas.segment((at, plot.y), (at, bottom), Pen::solid("#E4E4E4", 0.8));
            canvas.segment((at, bottom), (at, bottom + 4.0), ink);
            canvas.text(tick.label.as_deref().unwrap_or_default(), (at, bottom + 16.0), SMALL, Anchor::Middle, INK);
        }
        canvas.text(&self.axes[0], (plot.x + 0.5 * plot.width, bottom + 33.0), LABEL, Anchor::Middle, INK);
        let marks = ticks(&Axis::linear(""), y, (plot.height / 48.0).max(2.0));
        for tick in &marks.ticks {
            let (_, at) = pixel((x.low, tick.place));
            canvas.segment((plot.x, at), (plot.x + plot.width, at), Pen::solid("#E4E4E4", 0.8));
            canvas.segment((plot.x - 4.0, at), (plot.x, at), ink);
            canvas.text(tick.label.as_deref().unwrap_or_default(), (plot.x - 7.0, at + 4.0), SMALL, Anchor::End, INK);
        }
        canvas.upright(&self.axes[1], (plot.x - 48.0, plot.y + 0.5 * plot.height), LABEL);
        canvas.rectangle(plot, r##"fill="none" stroke="#555555" stroke-width="1""##);
        let last = self.snapshots.len().saturating_sub(1).max(1) as f64;
        let beside = plot.x + plot.width + 14.0;
        canvas.text("t [s]", (beside, plot.y + 10.0), SMALL, Anchor::Start, INK);
        for (index, snapshot) in self.snapshots.iter().enumerate() {
            let colour = shade(index as f64 / last);
            for line in &snapshot.lines {
                let points: Vec<(f64, f64)> = flat(line).into_iter().map(pixel).collect();
                for &(right, height) in &points {
                    digest.coordinate((right - plot.x) / plot.width);
                    digest.coordinate((height - plot.y) / plot.height);
                }
                let path = if self.smooth { smooth(&points) } else { points.clone() };
                canvas.polyline(&path, Pen::solid(&colour, 1.8));
                for &point in &points {
                    canvas.circle(point, 2.2, &colour, None);
                }
            }
            let at = plot.y + 18.0 + 15.0 * index as f64;
            canvas.segment((beside, at + 6.0), (beside + 20.0, at + 6.0), Pen::solid(&colour, 3.0));
            canvas.text(&snapshot.label, (beside + 26.0, at + 10.0), SMALL, Anchor::Start, INK);
        }
        for (name, point) in &self.marks {
            let [right, height, _] = project(self.eye, *point);
            let at = pixel((right, height));
            canvas.circle(at, 4.0, INK, None);
            let is_right = at.0 + 8.0 + width(name, SMALL) > plot.x + plot.width;
            let (x, anchor) = if is_right { (at.0 - 7.0, Anchor::End) } else { (at.0 + 7.0, Anchor::Start) };
            canvas.text(name, (x, at.1 - 6.0), SMALL, anchor, INK);
        }
        let legend = plot.y + 30.0 + 15.0 * self.snapshots.len() as f64;
        let end = caption(&mut canvas, &self.caption, (bottom + 40.0).max(legend));
        Ok(canvas.document(WIDTH, end, &self.title, Some(digest.value())))
    }
}

/// Adds points of a cubic through the points (Catmull and Rom); a closed line has no corner at its end.
fn smooth(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let count = points.len();
    if count < 3 {
        return points.to_vec();
    }
    let is_closed = (points[0].0 - points[count - 1].0).hypot(points[0].1 - points[count - 1].1) < 1e-6;
    let mirrored = |end: (f64, f64), next: (f64, f64)| (2.0 * end.0 - next.0, 2.0 * end.1 - next.1);
    let [before, after] = if is_closed {
        [points[count - 2], points[1]]
    } else {
        [mirrored(points[0], points[1]), mirrored(points[count - 1], points[count - 2])]
    };
    let mut smooth = vec![points[0]];
    for at in 1..count {
        let corners = [
            if at > 1 { points[at - 2] } else { before },
            points[at - 1],
            points[at],
            *points.get(at + 1).unwrap_or(&after),
        ];
        for part in 1..=BETWEEN {
            let s = f64::from(part) / f64::from(BETWEEN);
            let weights = [
                0.5 * s * (s * (2.0 - s) - 1.0),
                0.5 * (s * s * (3.0 * s - 5.0) + 2.0),
                0.5 * s * (s * (4.0 - 3.0 * s) + 1.0),
                0.5 * s * s * (s - 1.0),
            ];
            let sum = |pick: fn(&(f64, f64)) -> f64| corners.iter().map(pick).zip(weights).map(|(x, w)| x * w).sum();
            smooth.push((sum(|corner| corner.0), sum(|corner| corner.1)));
        }
    }
    smooth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_lines_pass_through_their_points() {
        let points = [(0.0, 0.0), (1.0, 2.0), (3.0, 1.0), (4.0, 4.0)];
        let line = smooth(&points);
        for (at, point) in points.iter().enumerate() {
            let (x, y) = line[at * BETWEEN as usize];
            assert!((x - point.0).hypot(y - point.1) < 1e-12);
        }
        // The points of a straight line stay on it.
        let straight: Vec<(f64, f64)> = (0..4).map(|k| (f64::from(k), 2.0 * f64::from(k))).collect();
        assert!(smooth(&straight).iter().all(|(x, y)| (y - 2.0 * x).abs() < 1e-12));
    }
}
