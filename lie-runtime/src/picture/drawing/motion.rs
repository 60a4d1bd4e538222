//! Drawing of paths on a sphere.

use super::canvas::{Anchor, Canvas, Digest, Pen};
use super::page::{SMALL, WIDTH, caption, title};
use crate::picture::{FigureError, SpherePath};

/// The number of colours of the path.
const PARTS: usize = 240;
/// The radius of the sphere in pixels.
const RADIUS: f64 = 230.0;

impl SpherePath {
    /// Returns the path as SVG.
    pub(in crate::picture) fn draw(&self) -> Result<String, FigureError> {
        let (Some(&first), Some(&last)) = (self.path.first(), self.path.last()) else {
            return Err(FigureError::Empty);
        };
        let radius = first.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut canvas = Canvas::default();
        let mut digest = Digest::new();
        let top = title(&mut canvas, &self.title);
        let centre = (0.5 * WIDTH, top + RADIUS + 14.0);
        let place = |point: [f64; 3]| {
            let [x, y, depth] = project(self.eye, point.map(|x| x / radius));
            ((centre.0 + RADIUS * x, centre.1 - RADIUS * y), depth)
        };
        canvas.circle(centre, RADIUS, "#FAFAFA", Some(Pen::solid("#AAAAAA", 1.2)));
        for circle in circles() {
            for is_front in [false, true] {
                let part: Vec<(f64, f64)> = circle
                    .iter()
                    .map(|&point| place(point.map(|x| radius * x)))
                    .map(|(point, depth)| if (depth >= 0.0) == is_front { point } else { (f64::NAN, f64::NAN) })
                    .collect();
                canvas.polyline(&part, Pen::solid(if is_front { "#CCCCCC" } else { "#EBEBEB" }, 0.9));
            }
        }
        let points: Vec<((f64, f64), f64)> = self.path.iter().map(|&point| place(point)).collect();
        for ((x, y), _) in &points {
            digest.coordinate((x - centre.0) / RADIUS);
            digest.coordinate((y - centre.1) / RADIUS);
        }
        // Parts of the path with their depths; the farthest part is drawn first, in a lighter colour.
        let length = points.len().div_ceil(PARTS).max(1);
        let mut parts = Vec::new();
        for start in (0..points.len().saturating_sub(1)).step_by(length) {
            let part = &points[start..=(start + length).min(points.len() - 1)];
            let depth = part.iter().map(|point| point.1).sum::<f64>() / part.len() as f64;
            let time = start as f64 / points.len() as f64;
            let colour = if depth < 0.0 { lighter(time) } else { shade(time) };
            parts.push((depth, colour, part.iter().map(|point| point.0).collect::<Vec<_>>()));
        }
        parts.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (depth, colour, part) in &parts {
            canvas.polyline(part, Pen::solid(colour, if *depth < 0.0 { 1.4 } else { 2.2 }));
        }
        for ((point, label), time) in [first, last].into_iter().zip(&self.ends).zip([0.0, 1.0]) {
            let ((x, y), _) = place(point);
            canvas.circle((x, y), 5.0, &shade(time), Some(Pen::solid("#FFFFFF", 1.2)));
            canvas.text(label, (x, y - 10.0), SMALL + 1.5, Anchor::Middle, "#222222");
        }
        let end = caption(&mut canvas, &self.caption, centre.1 + RADIUS + 10.0);
        Ok(canvas.document(WIDTH, end, &self.title, Some(digest.value())))
    }
}

/// Circles of longitude and latitude on the unit sphere.
fn circles() -> Vec<Vec<[f64; 3]>> {
    let around = |point: &dyn Fn(f64, f64) -> [f64; 3]| -> Vec<[f64; 3]> {
        (0..=72).map(|k| (f64::from(k) * 5.0).to_radians().sin_cos()).map(|(sin, cos)| point(sin, cos)).collect()
    };
    let meridians = (0..6).map(|k| {
        let (sin, cos) = (f64::from(k) * 30.0).to_radians().sin_cos();
        around(&|s, c| [c * cos, c * sin, s])
    });
    let parallels = (-2..=2).map(|k| {
        let (height, wide) = (f64::from(k) * 30.0).to_radians().sin_cos();
        around(&|s, c| [wide * c, wide * s, height])
    });
    meridians.chain(parallels).collect()
}

/// The horizontal, vertical and depth coordinates for this azimuth and elevation in degrees; larger depths are closer to the viewer.
pub(in crate::picture) fn project(eye: [f64; 2], [x, y, z]: [f64; 3]) -> [f64; 3] {
    let (sin_azimuth, cos_azimuth) = eye[0].to_radians().sin_cos();
    let (sin_elevation, cos_elevation) = eye[1].to_radians().sin_cos();
    let (right, away) = (-sin_azimuth * x + cos_azimuth * y, cos_azimuth * x + sin_azimuth * y);
    [right, cos_elevation * z - sin_elevation * away, cos_elevation * away + sin_elevation * z]
}

/// Blue over green to yellow (viridis, with a darker end).
const STOPS: [[f64; 3]; 5] =
    [[68.0, 1.0, 84.0], [59.0, 82.0, 139.0], [33.0, 145.0, 140.0], [94.0, 201.0, 98.0], [235.0, 200.0, 30.0]];

/// A colour for a time or a value from 0 to 1.
pub(super) fn shade(value: f64) -> String {
    blended(value, 1.0)
}

fn lighter(value: f64) -> String {
    blended(value, 0.35)
}

fn blended(value: f64, opacity: f64) -> String {
    let place = value.clamp(0.0, 1.0) * 4.0;
    let index = [3.0, 2.0, 1.0].into_iter().position(|stop| place >= stop).map_or(0, |position| 3 - position);
    let (start, end, share) = (STOPS[index], STOPS[index + 1], place - index as f64);
    let mix = |k: usize| opacity * (start[k] + share * (end[k] - start[k])) + (1.0 - opacity) * 255.0;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Between 0 and 255.
    let [red, green, blue] = [0, 1, 2].map(|k| mix(k).round() as u8);
    format!("#{red:02X}{green:02X}{blue:02X}")
}
