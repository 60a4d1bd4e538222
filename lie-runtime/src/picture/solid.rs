//! Moving lines, and moving solids with their outlines for formats without faces.

use core::f64::consts::TAU;

use nalgebra::{Isometry3, Point3};

/// A moving line.
#[derive(Clone, Debug)]
pub struct MovingLine {
    /// The name in the legend.
    pub label: String,
    /// The index of its colour in [`COLOURS`](super::COLOURS).
    pub style: usize,
    /// The index of the point that leaves a trail.
    pub trail: Option<usize>,
    /// The points of the line at each time; their number is constant.
    pub points: Vec<Vec<[f64; 3]>>,
}

/// The shape of a solid, relative to the origin of its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A box with these side lengths.
    Box([f64; 3]),
    /// A sphere with this radius.
    Ball(f64),
    /// The axes of the frame, with this length: x vermillion, y green, z blue.
    Frame(f64),
}

/// A moving solid.
#[derive(Clone, Debug)]
pub struct Solid {
    /// The name in the legend.
    pub label: String,
    /// The index of its colour in [`COLOURS`](super::COLOURS).
    pub style: usize,
    /// Its shape.
    pub shape: Shape,
    /// Its pose at each time.
    pub poses: Vec<Isometry3<f64>>,
}

/// A path along all edges of a box, whose corners are numbered by bits.
const EDGES: [usize; 16] = [0, 1, 3, 2, 0, 4, 5, 1, 5, 7, 3, 7, 6, 2, 6, 4];
/// The styles of the axes of a frame.
pub(super) const AXES: [usize; 3] = [1, 2, 0];
/// The number of corners of a polygon that approximates a circle.
const CORNERS: u32 = 32;

impl Shape {
    /// The largest distance of a point of the shape from its origin; NaN if a size is NaN.
    pub(super) fn extent(&self) -> f64 {
        match *self {
            Shape::Box(sides) => 0.5 * sides.iter().map(|side| side * side).sum::<f64>().sqrt(),
            Shape::Ball(size) | Shape::Frame(size) => size.abs(),
        }
    }

    /// The lines of the outline, with their styles.
    fn outline(&self, style: usize) -> Vec<(usize, Vec<Point3<f64>>)> {
        match *self {
            Shape::Box(sides) => {
                let corner = |&number: &usize| {
                    Point3::from(
                        [0, 1, 2].map(|axis| sides[axis] * (f64::from(u8::from(number >> axis & 1 != 0)) - 0.5)),
                    )
                };
                vec![(style, EDGES.iter().map(corner).collect())]
            }
            Shape::Ball(radius) => {
                let circle = |first: usize, second: usize, part: u32| {
                    (0..=CORNERS / part).map(move |corner| {
                        let (sin, cos) = (TAU * f64::from(corner) / f64::from(CORNERS)).sin_cos();
                        let mut point = Point3::origin();
                        point[first] = radius * cos;
                        point[second] = radius * sin;
                        point
                    })
                };
                // Along the last quarter to the start of the last circle.
                vec![(
                    style,
                    circle(0, 1, 1).chain(circle(0, 2, 1)).chain(circle(0, 1, 4)).chain(circle(1, 2, 1)).collect(),
                )]
            }
            Shape::Frame(length) => {
                let axis = |at: usize| {
                    let mut end = Point3::origin();
                    end[at] = length;
                    (AXES[at], vec![Point3::origin(), end])
                };
                (0..3).map(axis).collect()
            }
        }
    }
}

impl Solid {
    /// The lines of the outline; only the first one has the name.
    pub(super) fn lines(&self) -> Vec<MovingLine> {
        let line = |(number, (style, points)): (usize, (usize, Vec<Point3<f64>>))| MovingLine {
            label: if number == 0 { self.label.clone() } else { String::new() },
            style,
            trail: None,
            points: self
                .poses
                .iter()
                .map(|pose| points.iter().map(|point| (pose * point).coords.into()).collect())
                .collect(),
        };
        self.shape.outline(self.style).into_iter().enumerate().map(line).collect()
    }
}
