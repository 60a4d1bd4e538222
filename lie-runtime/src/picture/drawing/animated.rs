//! Animations as SVG without a script: each frame is a group that is visible for its time (SMIL).

use core::fmt::Write;

use super::canvas::{Anchor, Canvas, Pen};
use super::legend::{FONT, ROW};
use super::page::{SMALL, WIDTH, title};
use super::space::{Ground, Space, View};
use super::text::width;
use crate::picture::{Animation, COLOURS, FigureError, Shape};

/// The largest size of a file in bytes: hosts of repositories do not show much larger pictures.
const LARGEST: usize = 480_000;
/// Frames in a second, and the smallest number of frames.
const RATE: f64 = 25.0;
const FEWEST: usize = 12;
/// The limits of the duration in seconds without a speed, and the time for which the last frame stays.
const DURATION: [f64; 2] = [3.0, 10.0];
const PAUSE: f64 = 0.6;
/// The limits of the height of the picture in pixels, and its margin.
const HEIGHT: f64 = 440.0;
const MARGIN: f64 = 36.0;

impl Animation {
    /// Returns the animation as SVG, with at most 480 kB; it has fewer frames if it would be larger.
    pub(in crate::picture) fn draw(&self) -> Result<String, FigureError> {
        self.check()?;
        let span = self.times[self.times.len() - 1] - self.times[0];
        let duration = match self.speed {
            Some(speed) if speed > 0.0 && span > 0.0 => span / speed,
            _ => span.clamp(DURATION[0], DURATION[1]),
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // At most the number of frames.
        let mut count = ((RATE * duration).ceil().min(1e4) as usize).clamp(1, self.times.len());
        loop {
            let text = self.frames(count, duration);
            if text.len() <= LARGEST || count <= FEWEST {
                return Ok(text);
            }
            // In proportion to the size, and a little less.
            count = (count * LARGEST / text.len() * 19 / 20).clamp(FEWEST, count - 1);
        }
    }

    /// The indices of `count` frames at equal distances of time.
    fn chosen(&self, count: usize) -> Vec<usize> {
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        let mut chosen: Vec<usize> = (0..count)
            .map(|k| first + (last - first) * k as f64 / (count - 1).max(1) as f64)
            .map(|time| {
                let next = self.times.partition_point(|&own| own < time).min(self.times.len() - 1);
                let before = next.saturating_sub(1);
                if time - self.times[before] < self.times[next] - time { before } else { next }
            })
            .collect();
        chosen.dedup();
        chosen
    }

    fn frames(&self, count: usize, duration: f64) -> String {
        let mut canvas = Canvas::default();
        let top = title(&mut canvas, &self.title);
        let legend = self.legend(&mut canvas, top);
        let (low, high) = self.limits();
        let ground = Ground::below(low, high);
        let size = [WIDTH - 2.0 * MARGIN, HEIGHT];
        let at = (MARGIN, top + legend + 0.6 * MARGIN);
        let (view, height) = View::of(self.points().chain(ground.corners()), self.eye, at, size);
        ground.draw(&mut canvas, &view);
        let bottom = at.1 + height + 0.8 * MARGIN;
        for line in &self.lines {
            if let Some(point) = line.trail {
                let trail: Vec<(f64, f64)> = line.points.iter().map(|points| view.pixel(points[point]).0).collect();
                canvas.raw(r#"<g opacity="0.3">"#);
                canvas.polyline(&trail, Pen::solid(COLOURS[line.style % COLOURS.len()], 1.2));
                canvas.raw("</g>");
            }
        }
        canvas.text(&format!("grid {} m", ground.step), (WIDTH - MARGIN, bottom), SMALL, Anchor::End, "#777777");
        let chosen = self.chosen(count);
        let (start, total) = (self.times[0], duration + PAUSE);
        let span = (self.times[self.times.len() - 1] - start).max(f64::MIN_POSITIVE);
        let share = |frame: usize| (self.times[frame] - start) / span * duration / total;
        for (number, &frame) in chosen.iter().enumerate() {
            let until = chosen.get(number + 1).map(|&next| share(next));
            canvas.raw(&visibility(share(frame), until, total, chosen.len() > 1));
            let mut space = Space::new(view);
            for solid in &self.solids {
                space.solid(&solid.shape, solid.style, &solid.poses[frame], &solid.label);
            }
            for line in &self.lines {
                space.line(&line.points[frame], line.style, 2.6, true);
            }
            for arrow in &self.arrows {
                space.arrow(arrow.tails[frame], arrow.vectors[frame], arrow.style);
            }
            space.draw(&mut canvas);
            let time = format!("t = {:.2} s", self.times[frame]);
            canvas.text(&time, (MARGIN, bottom), SMALL, Anchor::Start, "#222222");
            canvas.raw("</g>");
        }
        canvas.document(WIDTH, bottom + 10.0, &self.title, None)
    }

    /// Draws the names of the objects in rows and returns their height.
    fn legend(&self, canvas: &mut Canvas, top: f64) -> f64 {
        let lines = self.lines.iter().map(|line| (&line.label, line.style));
        // The name of a frame stands at its origin.
        let solids = self.solids.iter().filter(|solid| !matches!(solid.shape, Shape::Frame(_)));
        let solids = solids.map(|solid| (&solid.label, solid.style));
        let arrows = self.arrows.iter().map(|arrow| (&arrow.label, arrow.style));
        let (mut x, mut row) = (MARGIN, 0.0);
        for (label, style) in lines.chain(solids).chain(arrows).filter(|(label, _)| !label.is_empty()) {
            let own = 44.0 + width(label, FONT);
            if x + own > WIDTH - MARGIN && x > MARGIN {
                (x, row) = (MARGIN, row + 1.0);
            }
            let y = top + (row + 0.5) * ROW;
            canvas.segment((x, y), (x + 22.0, y), Pen::solid(COLOURS[style % COLOURS.len()], 4.0));
            canvas.text(label, (x + 28.0, y + 0.35 * FONT), FONT, Anchor::Start, "#222222");
            x += own;
        }
        if x > MARGIN { (row + 1.0) * ROW } else { 0.0 }
    }

    /// All points of lines and arrows, and the points of a box around each solid.
    fn points(&self) -> impl Iterator<Item = [f64; 3]> {
        let lines = self.lines.iter().flat_map(|line| line.points.iter().flatten().copied());
        let arrows = self.arrows.iter().flat_map(|arrow| {
            let tips =
                arrow.tails.iter().zip(&arrow.vectors).map(|(tail, vector)| [0, 1, 2].map(|k| tail[k] + vector[k]));
            arrow.tails.iter().copied().chain(tips)
        });
        let solids = self.solids.iter().flat_map(|solid| {
            let corners: Vec<[f64; 3]> = match solid.shape {
                Shape::Frame(length) => vec![[0.0; 3], [length, 0.0, 0.0], [0.0, length, 0.0], [0.0, 0.0, length]],
                ref shape => shape.faces().concat(),
            };
            let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
            for corner in &corners {
                (low, high) = ([0, 1, 2].map(|k| low[k].min(corner[k])), [0, 1, 2].map(|k| high[k].max(corner[k])));
            }
            solid.poses.iter().flat_map(move |pose| {
                (0..8).map(move |number: usize| {
                    let corner = [0, 1, 2].map(|axis| if number >> axis & 1 == 0 { low[axis] } else { high[axis] });
                    (pose * nalgebra::Point3::from(corner)).coords.into()
                })
            })
        });
        lines.chain(arrows).chain(solids)
    }

    fn limits(&self) -> ([f64; 3], [f64; 3]) {
        let start = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        self.points().fold(start, |(low, high), point| {
            ([0, 1, 2].map(|k| low[k].min(point[k])), [0, 1, 2].map(|k| high[k].max(point[k])))
        })
    }
}

/// The start of the group of a frame that is visible from and until a share of the total time.
fn visibility(from: f64, until: Option<f64>, total: f64, is_moving: bool) -> String {
    if !is_moving {
        return "<g>".to_owned();
    }
    let is_first = from <= 0.0;
    let (mut values, mut times) = (String::new(), String::new());
    let mut add = |value: &str, time: f64| {
        let separator = if values.is_empty() { "" } else { ";" };
        let _ = write!(values, "{separator}{value}");
        let _ = write!(times, "{separator}{time:.4}");
    };
    if !is_first {
        add("none", 0.0);
    }
    add("inline", from.max(0.0));
    if let Some(until) = until {
        add("none", until);
    }
    // A viewer without animations shows the first frame.
    let hidden = if is_first { "" } else { r#" display="none""# };
    format!(
        r#"<g{hidden}><animate attributeName="display" calcMode="discrete" values="{values}" keyTimes="{times}" dur="{total:.2}s" repeatCount="indefinite"/>"#
    )
}
