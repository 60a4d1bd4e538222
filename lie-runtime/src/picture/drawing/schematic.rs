//! Drawing of schematics.

use nalgebra::{Isometry3, Vector3};

use super::canvas::{Anchor, Canvas, Digest};
use super::page::{WIDTH, caption, title};
use super::space::{Space, View};
use crate::picture::schematic::{Load, Schematic};
use crate::picture::{COLOURS, FigureError, Shape};

/// The lengths of the axes of a frame and of the largest load, relative to the size of the mechanism.
const AXES: f64 = 0.14;
const LOAD: f64 = 0.28;
/// The largest height of the drawing in pixels, and its margin.
const HEIGHT: f64 = 400.0;
const MARGIN: f64 = 60.0;

impl Schematic {
    fn all_points(&self) -> Vec<[f64; 3]> {
        let bodies = self.bodies.iter().map(|body| body.origin().into());
        let frames = self.frames.iter().map(|(_, pose)| pose.translation.vector.into());
        let joints = self.joints.iter().map(|joint| joint.point);
        let points = self.points.iter().map(|(_, point)| *point);
        bodies.chain(frames).chain(joints).chain(points).chain(self.lines.iter().flatten().copied()).collect()
    }

    /// Returns the schematic as SVG.
    pub(in crate::picture) fn draw(&self) -> Result<String, FigureError> {
        let mut points = self.all_points();
        if points.is_empty() || !points.iter().flatten().all(|x| x.is_finite()) {
            return Err(FigureError::Empty);
        }
        let mut digest = Digest::new();
        points.push([0.0; 3]);
        let distance = |a: &[f64; 3], b: &[f64; 3]| (Vector3::from(*a) - Vector3::from(*b)).norm();
        let size = points.iter().flat_map(|a| points.iter().map(|b| distance(a, b))).fold(0.0, f64::max);
        let size = if size > 0.0 { size } else { 1.0 };
        let largest = self.loads.iter().map(|load| load.force.norm()).fold(f64::MIN_POSITIVE, f64::max);
        let loads: Vec<(&Load, Vector3<f64>)> = self
            .loads
            .iter()
            .filter(|_| self.has_loads)
            .map(|load| (load, load.force * (LOAD * size / largest)))
            .collect();
        let poses = || self.bodies.iter().filter(|body| body.moment.is_some()).map(|body| body.pose);
        let frames = || poses().chain(self.frames.iter().map(|(_, pose)| *pose)).chain([Isometry3::identity()]);
        points.iter().flatten().for_each(|x| digest.coordinate(x / size));
        loads.iter().flat_map(|(_, vector)| vector.iter()).for_each(|x| digest.coordinate(x / size));
        let mut shown = points;
        for pose in frames() {
            let ends = [Vector3::x(), Vector3::y(), Vector3::z()]
                .map(|axis| pose.translation.vector + pose.rotation * axis * AXES * size);
            shown.extend(ends.map(<[f64; 3]>::from));
        }
        shown.extend(loads.iter().map(|(load, vector)| <[f64; 3]>::from(Vector3::from(load.point) + vector)));
        let mut canvas = Canvas::default();
        let top = title(&mut canvas, &self.title) + 0.5 * MARGIN;
        let (view, height) = View::of(shown.into_iter(), self.eye, (MARGIN, top), [WIDTH - 2.0 * MARGIN, HEIGHT]);
        let mut space = Space::new(view);
        let has_loads = !loads.is_empty();
        let axes = Shape::Frame(AXES * size);
        // The spatial frame.
        space.solid(&axes, 0, &Isometry3::identity(), "");
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let mut end = [0.0; 3];
            end[axis] = AXES * size;
            space.text(name, end);
        }
        for (style, body) in self.bodies.iter().enumerate() {
            let origin: [f64; 3] = body.origin().into();
            let joints = self.joints.iter().filter(|joint| joint.bodies.contains(&style));
            joints.for_each(|joint| space.line(&[origin, joint.point], style, 5.0, false));
            if body.moment.is_some() {
                space.solid(&axes, style, &body.pose, &body.name);
            } else {
                space.dot(origin, 6.0, COLOURS[style % COLOURS.len()], None);
                space.text(&body.name, origin);
            }
        }
        for (name, pose) in &self.frames {
            space.solid(&axes, 0, pose, name);
        }
        for line in &self.lines {
            space.line(line, 6, 3.0, false);
        }
        for (name, point) in &self.points {
            space.dot(*point, 4.0, "#222222", None);
            space.text(name, *point);
        }
        for joint in &self.joints {
            if let Some(axis) = joint.axis {
                let half: [f64; 3] = (axis * 0.6 * AXES * size).into();
                let ends = [-1.0, 1.0].map(|sign| [0, 1, 2].map(|k| joint.point[k] + sign * half[k]));
                space.segments(&ends, 6, 1.6, "5 3");
            }
            if joint.bodies.len() == 1 {
                space.support(joint.point);
            }
            space.dot(joint.point, 5.0, "#FFFFFF", Some("#222222"));
            space.text_below(&joint.name, joint.point);
        }
        for (load, vector) in loads {
            space.arrow(load.point, vector.into(), 6);
            space.text(&load.label, (Vector3::from(load.point) + vector).into());
        }
        space.draw(&mut canvas);
        let has_support = self.joints.iter().any(|joint| joint.bodies.len() == 1);
        let entries = [
            (true, "axes of frames: x vermillion, y green, z blue"),
            (!self.joints.is_empty(), "circle: joint"),
            (has_support, "hatching: support"),
            (has_loads, "black arrow: force at rest"),
        ];
        let key: Vec<&str> = entries.iter().filter(|(is_shown, _)| *is_shown).map(|(_, text)| *text).collect();
        let bottom = top + height + 0.9 * MARGIN;
        canvas.text(&key.join("; "), (0.5 * WIDTH, bottom), 11.0, Anchor::Middle, "#777777");
        let end = caption(&mut canvas, &self.caption, bottom + 8.0);
        Ok(canvas.document(WIDTH, end, &self.title, Some(digest.value())))
    }
}
