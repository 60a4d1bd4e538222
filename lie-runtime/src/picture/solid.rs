//! Solids that move, and the lines by which they are drawn where there are no faces.

use core::f64::consts::TAU;

use nalgebra::{Isometry3, Point3};

use super::MovingLine;

/// What a solid looks like, about the origin of its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A box with these lengths of its sides.
    Box([f64; 3]),
    /// A ball of this radius.
    Ball(f64),
    /// The axes of the frame, of this length: x vermillion, y green, z blue.
    Frame(f64),
}

/// A solid that moves.
#[derive(Clone, Debug)]
pub struct Solid {
    /// The name in the legend.
    pub label: String,
    /// Which of [`COLOURS`](super::COLOURS).
    pub style: usize,
    /// What it looks like.
    pub shape: Shape,
    /// Where it is at each of the times.
    pub poses: Vec<Isometry3<f64>>,
}

/// A walk along all edges of a box, whose corners are numbered by bits.
const EDGES: [usize; 16] = [0, 1, 3, 2, 0, 4, 5, 1, 5, 7, 3, 7, 6, 2, 6, 4];
/// The styles of the axes of a frame.
pub(super) const AXES: [usize; 3] = [1, 2, 0];
/// Corners of a circle.
const CORNERS: u32 = 32;

impl Shape {
    /// The farthest that a point of it is from its origin, and NaN of what is none.
    pub(super) fn extent(&self) -> f64 {
        match *self {
            Shape::Box(sides) => 0.5 * sides.iter().map(|side| side * side).sum::<f64>().sqrt(),
            Shape::Ball(size) | Shape::Frame(size) => size.abs(),
        }
    }

    /// Lines that show it, with their styles.
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
                // Along the last quarter to where the last circle begins.
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
    /// Lines that show it; the first one has its name.
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
