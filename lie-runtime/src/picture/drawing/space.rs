//! Solids, lines and arrows in parallel projection; closer objects are drawn over farther ones.

use nalgebra::{Isometry3, Point3, Vector3};

use super::canvas::{Anchor, Canvas, Pen};
use super::motion::project;
use super::page::SMALL;
use crate::picture::solid::AXES;
use crate::picture::{COLOURS, Shape};

/// The direction of the light in the coordinates of the picture: right, up, towards the viewer.
const LIGHT: [f64; 3] = [-0.35, 0.6, 0.72];
/// The brightness of a face away from the light.
const AMBIENT: f64 = 0.55;
/// The length and the half width of the head of an arrow in pixels.
const HEAD: [f64; 2] = [10.0, 4.0];

/// A parallel projection.
#[derive(Clone, Copy, Debug)]
pub(in crate::picture) struct View {
    /// Azimuth and elevation of the viewpoint, in degrees.
    pub eye: [f64; 2],
    /// The point of the picture, in projected coordinates, at the pixel `middle`.
    pub centre: [f64; 2],
    pub middle: (f64, f64),
    /// Pixels of a unit of length.
    pub scale: f64,
}

impl View {
    /// Returns a view of all points in an area of this size, which starts at a pixel, and the height that the points need.
    pub fn of(points: impl Iterator<Item = [f64; 3]>, eye: [f64; 2], at: (f64, f64), size: [f64; 2]) -> (Self, f64) {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in points {
            let [x, y, _] = project(eye, point);
            (low, high) = ([low[0].min(x), low[1].min(y)], [high[0].max(x), high[1].max(y)]);
        }
        let span = [0, 1].map(|k| (high[k] - low[k]).max(1e-9));
        let scale = (size[0] / span[0]).min(size[1] / span[1]);
        let centre = [0, 1].map(|k| 0.5 * (low[k] + high[k]));
        let height = scale * span[1];
        (View { eye, centre, middle: (at.0 + 0.5 * size[0], at.1 + 0.5 * height), scale }, height)
    }

    /// The pixel of a point and its depth; larger depths are closer to the viewer.
    pub fn pixel(&self, point: [f64; 3]) -> ((f64, f64), f64) {
        let [x, y, depth] = project(self.eye, point);
        let right = self.middle.0 + self.scale * (x - self.centre[0]);
        ((right, self.middle.1 - self.scale * (y - self.centre[1])), depth)
    }
}

enum Item {
    Face { points: Vec<(f64, f64)>, fill: String, is_open: bool },
    Line { points: Vec<(f64, f64)>, colour: &'static str, width: f64, dashes: &'static str },
    Dot { at: (f64, f64), radius: f64, fill: &'static str, edge: Option<&'static str> },
    Head { corners: Vec<(f64, f64)>, colour: &'static str },
    Text { at: (f64, f64), text: String },
}

/// The objects of one picture.
pub(in crate::picture) struct Space {
    view: View,
    items: Vec<(f64, Item)>,
}

fn colour(style: usize) -> &'static str {
    COLOURS[style % COLOURS.len()]
}

/// A colour with this brightness.
fn lit(colour: &str, brightness: f64) -> String {
    let part = |at: usize| f64::from(u8::from_str_radix(colour.get(at..at + 2).unwrap_or("00"), 16).unwrap_or(0));
    // A pale colour: dark lines on it stay visible.
    let mixed = [1, 3, 5].map(|at| brightness * (0.62 * part(at) + 0.38 * 255.0));
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Between 0 and 255.
    let [red, green, blue] = mixed.map(|part| part.round().clamp(0.0, 255.0) as u8);
    format!("#{red:02X}{green:02X}{blue:02X}")
}

impl Space {
    pub fn new(view: View) -> Self {
        Space { view, items: Vec::new() }
    }

    /// Adds a solid; the text is written at the origin of a frame.
    pub fn solid(&mut self, shape: &Shape, style: usize, pose: &Isometry3<f64>, label: &str) {
        let world = |point: [f64; 3]| -> [f64; 3] { (pose * Point3::from(point)).coords.into() };
        if let Shape::Frame(length) = *shape {
            for (axis, style) in AXES.into_iter().enumerate() {
                let mut end = [0.0; 3];
                end[axis] = length;
                self.arrow(world([0.0; 3]), (pose.rotation * Vector3::from(end)).into(), style);
            }
            self.text(label, world([0.0; 3]));
        }
        for (at, face) in shape.faces().into_iter().enumerate() {
            let corners: Vec<[f64; 3]> = face.into_iter().map(world).collect();
            let projected: Vec<Vector3<f64>> =
                corners.iter().map(|&corner| Vector3::from(project(self.view.eye, corner))).collect();
            let normal = (projected[1] - projected[0]).cross(&(projected[2] - projected[0]));
            if normal.z <= 0.0 && !shape.is_open() {
                continue;
            }
            let length = normal.norm();
            let cosine = if length > 0.0 { normal.dot(&Vector3::from(LIGHT)) / length } else { 0.0 };
            let dark = if shape.is_dark(at) { 0.8 } else { 1.0 };
            let fill = lit(colour(style), dark * (AMBIENT + (1.0 - AMBIENT) * cosine.abs().min(1.0)));
            let depth = projected.iter().map(|corner| corner.z).sum::<f64>() / projected.len() as f64;
            let points = corners.iter().map(|&corner| self.view.pixel(corner).0).collect();
            self.items.push((depth, Item::Face { points, fill, is_open: shape.is_open() }));
        }
    }

    /// Adds a line, by segments, with dots at its points.
    pub fn line(&mut self, points: &[[f64; 3]], style: usize, width: f64, has_dots: bool) {
        self.segments(points, style, width, "");
        for &point in points.iter().filter(|_| has_dots) {
            let (at, depth) = self.view.pixel(point);
            self.items.push((depth + 1e-9, Item::Dot { at, radius: 2.6, fill: colour(style), edge: None }));
        }
    }

    /// Adds a line, by segments, with dashes.
    pub fn segments(&mut self, points: &[[f64; 3]], style: usize, width: f64, dashes: &'static str) {
        for pair in points.windows(2) {
            let (from, to) = (self.view.pixel(pair[0]), self.view.pixel(pair[1]));
            let line = Item::Line { points: vec![from.0, to.0], colour: colour(style), width, dashes };
            self.items.push((0.5 * (from.1 + to.1), line));
        }
    }

    /// Adds a circle, for example of a joint.
    pub fn dot(&mut self, point: [f64; 3], radius: f64, fill: &'static str, edge: Option<&'static str>) {
        let (at, depth) = self.view.pixel(point);
        self.items.push((depth + 1e-6, Item::Dot { at, radius, fill, edge }));
    }

    /// Adds an arrow.
    pub fn arrow(&mut self, tail: [f64; 3], vector: [f64; 3], style: usize) {
        let tip = [0, 1, 2].map(|axis| tail[axis] + vector[axis]);
        let ((from, from_depth), (to, to_depth)) = (self.view.pixel(tail), self.view.pixel(tip));
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy);
        if length < 0.5 {
            return;
        }
        let head = HEAD[0].min(0.6 * length);
        let (along, across) = ((dx / length, dy / length), head / HEAD[0] * HEAD[1]);
        let base = (to.0 - head * along.0, to.1 - head * along.1);
        let depth = 0.5 * (from_depth + to_depth) + 1e-6;
        self.items
            .push((depth, Item::Line { points: vec![from, base], colour: colour(style), width: 2.0, dashes: "" }));
        let corners = vec![
            to,
            (base.0 - across * along.1, base.1 + across * along.0),
            (base.0 + across * along.1, base.1 - across * along.0),
        ];
        self.items.push((depth, Item::Head { corners, colour: colour(style) }));
    }

    /// Adds a support: a triangle below a point, with hatching.
    pub fn support(&mut self, point: [f64; 3]) {
        let ((x, y), depth) = self.view.pixel(point);
        let line = |points: Vec<(f64, f64)>| Item::Line { points, colour: "#222222", width: 1.4, dashes: "" };
        self.items.push((depth, line(vec![(x, y), (x - 9.0, y + 15.0), (x + 9.0, y + 15.0), (x, y)])));
        for k in 0..5 {
            let right = x - 10.0 + 5.0 * f64::from(k);
            self.items.push((depth, line(vec![(right, y + 20.0), (right + 4.0, y + 15.0)])));
        }
    }

    /// Adds a text at the lower left of a point.
    pub fn text_below(&mut self, text: &str, point: [f64; 3]) {
        let ((x, y), depth) = self.view.pixel(point);
        self.items.push((depth + 1e6, Item::Text { at: (x + 12.0, y + 16.0), text: text.to_owned() }));
    }

    /// Adds a text at the upper right of a point.
    pub fn text(&mut self, text: &str, point: [f64; 3]) {
        if !text.is_empty() {
            let ((x, y), depth) = self.view.pixel(point);
            self.items.push((depth + 1e6, Item::Text { at: (x + 6.0, y - 6.0), text: text.to_owned() }));
        }
    }

    /// Draws the objects, the farthest one first.
    pub fn draw(mut self, canvas: &mut Canvas) {
        self.items.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut items = self.items.iter().map(|(_, item)| item).peekable();
        while let Some(item) = items.next() {
            match item {
                Item::Face { points, fill, is_open: true } => {
                    canvas.raw(r#"<g opacity="0.5">"#);
                    canvas.polygon(points, fill, Some(Pen::solid("#888888", 0.6)));
                    canvas.raw("</g>");
                }
                Item::Face { points, fill, .. } => {
                    // Consecutive faces of one colour are one element.
                    let mut outlines = vec![points.as_slice()];
                    while let Some(Item::Face { points, .. }) = items
                        .next_if(|next| matches!(next, Item::Face { fill: own, is_open: false, .. } if own == fill))
                    {
                        outlines.push(points);
                    }
                    canvas.faces(&outlines, fill);
                }
                Item::Line { points, colour, width, dashes } => {
                    canvas.polyline(points, Pen { colour, width: *width, dashes });
                }
                Item::Dot { at, radius, fill, edge } => {
                    canvas.circle(*at, *radius, fill, edge.map(|edge| Pen::solid(edge, 1.4)));
                }
                Item::Head { corners, colour } => canvas.polygon(corners, colour, None),
                Item::Text { at, text } => canvas.text(text, *at, SMALL, Anchor::Start, "#222222"),
            }
        }
    }
}

/// A grid below the objects: lines at multiples of a step of 1, 2 or 5 times a power of ten.
#[derive(Clone, Copy, Debug)]
pub(in crate::picture) struct Ground {
    /// The distance of the lines.
    pub step: f64,
    /// The first and the last line across x, and across y.
    ends: [[f64; 2]; 2],
    height: f64,
}

impl Ground {
    /// Returns the grid below a box.
    pub fn below(low: [f64; 3], high: [f64; 3]) -> Self {
        let size = (high[0] - low[0]).max(high[1] - low[1]).max(0.5 * (high[2] - low[2])).max(1e-9);
        let decade = 10f64.powf((size / 4.0).log10().floor());
        let step =
            decade * [1.0, 2.0, 5.0, 10.0].into_iter().find(|unit| size / (unit * decade) <= 6.0).unwrap_or(10.0);
        let ends = [0, 1].map(|k| {
            let (from, to) = ((low[k] / step).floor(), (high[k] / step).ceil());
            [from * step, to.max(from + 1.0) * step]
        });
        Ground { step, ends, height: low[2] }
    }

    /// Returns the corners of the grid.
    pub fn corners(&self) -> [[f64; 3]; 4] {
        let [[left, right], [front, back]] = self.ends;
        [[left, front], [right, front], [left, back], [right, back]].map(|[x, y]| [x, y, self.height])
    }

    /// Draws the grid, and the axes with the length of a step.
    pub fn draw(&self, canvas: &mut Canvas, view: &View) {
        let line = |canvas: &mut Canvas, from: [f64; 3], to: [f64; 3], colour: &str, width: f64| {
            canvas.segment(view.pixel(from).0, view.pixel(to).0, Pen::solid(colour, width));
        };
        let [across, along] = self.ends;
        let z = self.height;
        for x in self.lines(across) {
            line(canvas, [x, along[0], z], [x, along[1], z], "#E0E0E0", 0.8);
        }
        for y in self.lines(along) {
            line(canvas, [across[0], y, z], [across[1], y, z], "#E0E0E0", 0.8);
        }
        let origin = [across[0], along[0], z];
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let mut end = origin;
            end[axis] += self.step;
            line(canvas, origin, end, "#777777", 1.3);
            let (x, y) = view.pixel(end).0;
            canvas.text(name, (x + 3.0, y - 3.0), SMALL, Anchor::Start, "#777777");
        }
    }

    fn lines(&self, [first, last]: [f64; 2]) -> impl Iterator<Item = f64> {
        let step = self.step;
        (0..).map(move |k| first + f64::from(k) * step).take_while(move |place| *place < last + 0.5 * step)
    }
}
