//! Drawing of paths on a sphere.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kuva::plot::LinePlot;
use kuva::plot::scatter::{MarkerShape, ScatterPlot};
use kuva::render::annotations::TextAnnotation;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;
use kuva::render::theme::Theme;

use super::write;
use crate::picture::{FigureError, SpherePath};

/// The number of colours of the path.
const PARTS: usize = 240;

/// Half the side of the picture, in radii of the sphere.
const EXTENT: f64 = 1.08;

impl SpherePath {
    fn project(&self, point: [f64; 3]) -> [f64; 3] {
        project(self.eye, point)
    }

    /// Adds the parts of a curve on the front and on the back of the sphere.
    fn curve(&self, points: &[[f64; 3]], front: &str, back: &str, width: f64, plots: &mut Vec<Plot>) {
        for pair in points.windows(2) {
            let (from, to) = (self.project(pair[0]), self.project(pair[1]));
            let colour = if from[2] + to[2] >= 0.0 { front } else { back };
            plots.push(segment(&[from, to], colour, width));
        }
    }

    /// Writes `folder/name.svg`, and `folder/name.png` with the feature `png`.
    pub(super) fn draw(&self, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
        let (Some(&first), Some(&last)) = (self.path.first(), self.path.last()) else {
            return Err(FigureError::Empty);
        };
        let radius = first.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut plots = Vec::new();
        self.globe(radius, &mut plots);
        // The parts on the back are drawn first and in a lighter colour.
        let part = self.path.len().div_ceil(PARTS).max(1);
        let mut parts: Vec<(f64, Plot)> = Vec::new();
        let last_index = self.path.len().saturating_sub(1).max(1);
        for start in (0..last_index).step_by(part) {
            let end = (start + part).min(last_index);
            let points: Vec<[f64; 3]> = self.path[start..=end].iter().map(|&point| self.project(point)).collect();
            let depth = points.iter().map(|point| point[2]).sum::<f64>() / points.len() as f64;
            let colour = shade(start as f64 / last_index as f64, depth < 0.0);
            let width = if depth < 0.0 { 1.6 } else { 2.8 };
            parts.push((depth, segment(&points, &colour, width)));
        }
        parts.sort_by(|first, second| first.0.total_cmp(&second.0));
        plots.extend(parts.into_iter().map(|(_, plot)| plot));
        let white = "#FFFFFF".to_owned();
        let theme = Theme { axis_color: white.clone(), tick_color: white, show_grid: false, ..Theme::light() };
        let mut layout = Layout::new((-EXTENT * radius, EXTENT * radius), (-EXTENT * radius, EXTENT * radius))
            .with_title(self.title.as_str())
            .with_title_size(17)
            .with_width(640.0)
            .with_height(640.0)
            .with_x_axis_min(-EXTENT * radius)
            .with_x_axis_max(EXTENT * radius)
            .with_y_axis_min(-EXTENT * radius)
            .with_y_axis_max(EXTENT * radius)
            .with_equal_aspect()
            .with_theme(theme)
            .with_tick_format(TickFormat::Custom(Arc::new(|_| String::new())))
            .with_clamp_axis()
            .with_font_family("DejaVu Sans, Helvetica, Arial, sans-serif");
        for ((point, label), time) in [first, last].into_iter().zip(&self.ends).zip([0.0, 1.0]) {
            let [x, y, _] = self.project(point);
            plots.push(Plot::Scatter(
                ScatterPlot::new()
                    .with_data(vec![(x, y)])
                    .with_color(shade(time, false))
                    .with_marker(MarkerShape::Circle)
                    .with_size(7.0),
            ));
            let note =
                TextAnnotation::new(label.as_str(), x, y + 0.07 * radius).with_font_size(15).with_color("#222222");
            layout = layout.with_annotation(note);
        }
        write(&render_multiple(plots, layout), folder, name)
    }

    /// Circles of longitude and latitude and the outline.
    fn globe(&self, radius: f64, plots: &mut Vec<Plot>) {
        let circle = |point: &dyn Fn(f64) -> [f64; 3]| -> Vec<[f64; 3]> {
            (0..=72).map(|k| point(f64::from(k) * 5f64.to_radians())).collect()
        };
        for k in 0..6 {
            let (sin, cos) = (f64::from(k) * 30f64.to_radians()).sin_cos();
            let meridian = circle(&|angle: f64| {
                let (s, c) = angle.sin_cos();
                [radius * c * cos, radius * c * sin, radius * s]
            });
            self.curve(&meridian, "#D5D5D5", "#F0F0F0", 0.9, plots);
        }
        for k in -2..=2 {
            let (height, width) = (f64::from(k) * 30f64.to_radians()).sin_cos();
            let parallel = circle(&|angle: f64| {
                let (s, c) = angle.sin_cos();
                [radius * width * c, radius * width * s, radius * height]
            });
            self.curve(&parallel, "#D5D5D5", "#F0F0F0", 0.9, plots);
        }
        let outline: Vec<[f64; 3]> = circle(&|angle: f64| {
            let (s, c) = angle.sin_cos();
            [radius * c, radius * s, 0.0]
        });
        plots.push(segment(&outline, "#AAAAAA", 1.2));
    }
}

/// The horizontal, vertical and depth coordinates for this azimuth and elevation in degrees.
pub(super) fn project(eye: [f64; 2], [x, y, z]: [f64; 3]) -> [f64; 3] {
    let (sin_azimuth, cos_azimuth) = eye[0].to_radians().sin_cos();
    let (sin_elevation, cos_elevation) = eye[1].to_radians().sin_cos();
    let (right, away) = (-sin_azimuth * x + cos_azimuth * y, cos_azimuth * x + sin_azimuth * y);
    [right, cos_elevation * z - sin_elevation * away, cos_elevation * away + sin_elevation * z]
}

/// A line through projected points.
fn segment(points: &[[f64; 3]], colour: &str, width: f64) -> Plot {
    let data: Vec<(f64, f64)> = points.iter().map(|point| (point[0], point[1])).collect();
    Plot::Line(LinePlot::new().with_data(data).with_color(colour).with_stroke_width(width))
}

/// A colour from blue over green to yellow for times from 0 to 1 (viridis); lighter on the back.
pub(super) fn shade(time: f64, behind: bool) -> String {
    const STOPS: [[f64; 3]; 5] =
        [[68.0, 1.0, 84.0], [59.0, 82.0, 139.0], [33.0, 145.0, 140.0], [94.0, 201.0, 98.0], [235.0, 200.0, 30.0]];
    let place = time.clamp(0.0, 1.0) * 4.0;
    let index = [3.0, 2.0, 1.0].into_iter().position(|stop| place >= stop).map_or(0, |position| 3 - position);
    let (start, end, share) = (STOPS[index], STOPS[index + 1], place - index as f64);
    let mix = |k: usize| {
        let colour = start[k] + share * (end[k] - start[k]);
        if behind { 0.35 * colour + 0.65 * 255.0 } else { colour }
    };
    format!("rgb({:.0},{:.0},{:.0})", mix(0), mix(1), mix(2))
}
