//! SVG elements, with coordinates of a tenth of a pixel.

use core::fmt::Write;

use super::text::{FONT, escaped};

/// A rectangle in pixels; y points downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::picture) struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Area {
    /// True if the point is inside.
    pub fn contains(&self, (x, y): (f64, f64)) -> bool {
        (self.x..=self.x + self.width).contains(&x) && (self.y..=self.y + self.height).contains(&y)
    }
}

/// The style of a line.
#[derive(Clone, Copy, Debug)]
pub(in crate::picture) struct Pen<'a> {
    pub colour: &'a str,
    pub width: f64,
    /// The lengths of dashes and gaps; empty for a solid line.
    pub dashes: &'a str,
}

impl<'a> Pen<'a> {
    /// A solid line.
    pub fn solid(colour: &'a str, width: f64) -> Self {
        Pen { colour, width, dashes: "" }
    }

    fn attributes(&self) -> String {
        let mut text = format!(r#" stroke="{}" stroke-width="{}""#, self.colour, short(self.width));
        if !self.dashes.is_empty() {
            let _ = write!(text, r#" stroke-dasharray="{}""#, self.dashes);
        }
        text
    }
}

/// The position of a text relative to its point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::picture) enum Anchor {
    Start,
    Middle,
    End,
}

/// An SVG document under construction.
#[derive(Default)]
pub(in crate::picture) struct Canvas {
    body: String,
}

/// The largest distance of an omitted point from the drawn line, in pixels.
const TOLERANCE: f64 = 0.1;
/// The largest number of consecutive omitted points.
const OMITTED: usize = 64;

/// Writes a coordinate with one decimal.
pub(in crate::picture) fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_owned(),
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// Omits points that are within the tolerance of the line through the others.
fn simplified(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    let mut first = 0;
    for (at, &point) in points.iter().enumerate() {
        let Some(&start) = kept.last() else {
            kept.push(point);
            continue;
        };
        let next = points.get(at + 1);
        let is_near = |&to: &(f64, f64)| {
            let (dx, dy) = (to.0 - start.0, to.1 - start.1);
            let length = dx.hypot(dy);
            at - first < OMITTED
                && points[first + 1..=at].iter().all(|&(x, y)| {
                    let (rx, ry) = (x - start.0, y - start.1);
                    let along = if length > 0.0 { (rx * dx + ry * dy) / length } else { -rx.hypot(ry) };
                    let across = if length > 0.0 { (rx * dy - ry * dx).abs() / length } else { 0.0 };
                    across <= TOLERANCE && (-TOLERANCE..=length + TOLERANCE).contains(&along)
                })
        };
        if !next.is_some_and(is_near) {
            kept.push(point);
            first = at;
        }
    }
    kept
}

impl Canvas {
    /// Writes a line of SVG.
    pub fn raw(&mut self, text: &str) {
        self.body.push_str(text);
        self.body.push('\n');
    }

    /// A line through points; a point that is not finite interrupts it.
    pub fn polyline(&mut self, points: &[(f64, f64)], pen: Pen) {
        let mut data = String::new();
        for part in points.split(|point| !(point.0.is_finite() && point.1.is_finite())) {
            for (at, (x, y)) in simplified(part).into_iter().enumerate() {
                let _ = write!(data, "{}{} {}", if at == 0 { "M" } else { "L" }, short(x), short(y));
            }
            if part.len() == 1 {
                // The round caps of a line without length are a dot.
                data.push_str("h0");
            }
        }
        if !data.is_empty() {
            let pen = pen.attributes();
            self.raw(&format!(r#"<path d="{data}" fill="none"{pen} stroke-linejoin="round" stroke-linecap="round"/>"#));
        }
    }

    /// A straight line.
    pub fn segment(&mut self, from: (f64, f64), to: (f64, f64), pen: Pen) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(short);
        self.raw(&format!(r#"<path d="M{x1} {y1}L{x2} {y2}"{}/>"#, pen.attributes()));
    }

    /// Polygons of one colour; the outline of the same colour closes the seams between them.
    pub fn faces(&mut self, outlines: &[&[(f64, f64)]], fill: &str) {
        let mut data = String::new();
        for points in outlines {
            for (at, &(x, y)) in points.iter().enumerate() {
                let _ = write!(data, "{}{} {}", ["M", "L", ""][at.min(2)], short(x), short(y));
                if at > 0 && at + 1 < points.len() {
                    data.push(' ');
                }
            }
            data.push('Z');
        }
        self.raw(&format!(r#"<path d="{data}" fill="{fill}" stroke="{fill}" stroke-width=".6"/>"#));
    }

    /// A filled polygon, with an outline if there is a pen.
    pub fn polygon(&mut self, points: &[(f64, f64)], fill: &str, pen: Option<Pen>) {
        let mut data = String::new();
        for (at, &(x, y)) in points.iter().enumerate() {
            let _ = write!(data, "{}{} {}", if at == 0 { "M" } else { "L" }, short(x), short(y));
        }
        let pen = pen.map_or_else(String::new, |pen| pen.attributes());
        self.raw(&format!(r#"<path d="{data}Z" fill="{fill}"{pen} stroke-linejoin="round"/>"#));
    }

    /// A circle, with an outline if there is a pen.
    pub fn circle(&mut self, (x, y): (f64, f64), radius: f64, fill: &str, pen: Option<Pen>) {
        let [x, y, radius] = [x, y, radius].map(short);
        let pen = pen.map_or_else(String::new, |pen| pen.attributes());
        self.raw(&format!(r#"<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}"{pen}/>"#));
    }

    /// A rectangle with additional attributes.
    pub fn rectangle(&mut self, area: Area, attributes: &str) {
        let [x, y, width, height] = [area.x, area.y, area.width, area.height].map(short);
        self.raw(&format!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" {attributes}/>"#));
    }

    /// A text.
    pub fn text(&mut self, text: &str, at: (f64, f64), size: f64, anchor: Anchor, colour: &str) {
        self.styled(text, at, size, anchor, &format!(r#" fill="{colour}""#));
    }

    /// A bold text.
    pub fn bold(&mut self, text: &str, at: (f64, f64), size: f64, anchor: Anchor) {
        self.styled(text, at, size, anchor, r##" fill="#222222" font-weight="bold""##);
    }

    /// A text from the bottom to the top.
    pub fn upright(&mut self, text: &str, (x, y): (f64, f64), size: f64) {
        let turn = format!(r##" fill="#222222" transform="rotate(-90 {} {})""##, short(x), short(y));
        self.styled(text, (x, y), size, Anchor::Middle, &turn);
    }

    fn styled(&mut self, text: &str, (x, y): (f64, f64), size: f64, anchor: Anchor, attributes: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let (x, y, text) = (short(x), short(y), escaped(text));
        self.raw(&format!(r#"<text x="{x}" y="{y}" font-size="{size}"{anchor}{attributes}>{text}</text>"#));
    }

    /// Starts a group whose content is visible in an area only.
    ///
    /// A nested document needs no identifier, which would have to be unique in a page with several figures.
    pub fn start_clip(&mut self, area: Area) {
        let [x, y, width, height] = [area.x, area.y, area.width, area.height].map(short);
        self.raw(&format!(
            r#"<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="{x} {y} {width} {height}">"#
        ));
    }

    /// Ends a group of [`start_clip`](Self::start_clip).
    pub fn end_clip(&mut self) {
        self.raw("</svg>");
    }

    /// Returns the document, which fits the width of a page.
    ///
    /// `digest` identifies the drawn points.
    pub fn document(&self, width: f64, height: f64, title: &str, digest: Option<u64>) -> String {
        let [width, height] = [width, height].map(|side| short(side.ceil()));
        let title = if title.is_empty() { String::new() } else { format!("<title>{}</title>\n", escaped(title)) };
        let digest = digest.map_or_else(String::new, |digest| format!("<metadata>points {digest:016x}</metadata>\n"));
        let body = &self.body;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             style=\"max-width:100%;height:auto\" font-family=\"{FONT}\" role=\"img\">\n{title}{digest}\
             <rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n{body}</svg>\n"
        )
    }
}

/// The digest of the drawn points (FNV-1a, 64 bits): equal for figures of equal data.
pub(in crate::picture) struct Digest(u64);

impl Digest {
    pub fn new() -> Self {
        Digest(0xcbf2_9ce4_8422_2325)
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Adds a coordinate, relative to the range of its axis, with three decimals: less than a pixel.
    pub fn coordinate(&mut self, share: f64) {
        #[allow(clippy::cast_possible_truncation)] // Large and undefined values saturate.
        let rounded = (1000.0 * share).round() as i64;
        self.bytes(&rounded.to_le_bytes());
    }

    pub fn value(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_line_are_omitted() {
        let line: Vec<(f64, f64)> = (0..20).map(|k| (f64::from(k), 2.0 * f64::from(k))).collect();
        assert_eq!(simplified(&line), [(0.0, 0.0), (19.0, 38.0)]);
        let there_and_back = [(0.0, 0.0), (5.0, 0.0), (1.0, 0.0)];
        assert_eq!(simplified(&there_and_back), there_and_back);
        let circle: Vec<(f64, f64)> =
            (0..=3600).map(|k| f64::from(k) * 1e-3 * 1.745).map(|a| (100.0 * a.cos(), 100.0 * a.sin())).collect();
        let kept = simplified(&circle);
        assert!((60..400).contains(&kept.len()), "{}", kept.len());
        for pair in kept.windows(2) {
            let middle = (0.5 * (pair[0].0 + pair[1].0), 0.5 * (pair[0].1 + pair[1].1));
            assert!((middle.0.hypot(middle.1) - 100.0).abs() < 0.2);
        }
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!([12.0, -0.04, 3.25, 7.06].map(short), ["12", "0", "3.2", "7.1"]);
    }

    #[test]
    fn a_point_that_is_not_finite_interrupts_a_line() {
        let mut canvas = Canvas::default();
        canvas.polyline(&[(0.0, 0.0), (1.0, 5.0), (f64::NAN, 0.0), (1.0, 2.0), (4.0, 4.0)], Pen::solid("#000000", 1.0));
        assert!(canvas.body.contains(r#"d="M0 0L1 5M1 2L4 4""#), "{}", canvas.body);
    }
}
