//! Moving lines, solids and arrows.

use core::f64::consts::{PI, TAU};
use std::path::Path;
use std::sync::Arc;

use nalgebra::Isometry3;

use super::{FigureError, TriangleMesh};

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

/// A moving arrow, for example for a force.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// The name in the legend.
    pub label: String,
    /// The index of its colour in [`COLOURS`](super::COLOURS).
    pub style: usize,
    /// Its start at each time.
    pub tails: Vec<[f64; 3]>,
    /// The vector from its start to its tip at each time, as a length.
    pub vectors: Vec<[f64; 3]>,
}

/// The shape of a solid, relative to the origin of its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A box with these side lengths.
    Box([f64; 3]),
    /// A sphere with this radius.
    Ball(f64),
    /// A cylinder along z, with its centre at the origin.
    Cylinder {
        /// The radius.
        radius: f64,
        /// The length.
        length: f64,
    },
    /// A rectangle in the plane of x and y with these side lengths, for example a floor.
    Plane([f64; 2]),
    /// A triangle mesh, for example from [`Shape::read`].
    Mesh(Arc<TriangleMesh>),
    /// The axes of the frame, with this length: x vermillion, y green, z blue. The name of the solid is written at the origin.
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

/// The styles of the axes of a frame.
pub(super) const AXES: [usize; 3] = [1, 2, 0];
/// The number of faces around a cylinder.
const AROUND: u32 = 16;
/// The numbers of faces around a sphere, and from pole to pole.
const MERIDIANS: u32 = 12;
const UPWARDS: u32 = 6;
/// A ball is checkered; so many faces in a row have one colour.
const CHECKER: usize = 3;

impl Shape {
    /// Reads a triangle mesh from a file in STL format (text or binary) or in OBJ format, with coordinates in the units of the file.
    ///
    /// # Errors
    /// [`FigureError::Mesh`] if the file cannot be read.
    pub fn read(path: impl AsRef<Path>) -> Result<Shape, FigureError> {
        TriangleMesh::read(path).map(|mesh| Shape::Mesh(Arc::new(mesh)))
    }

    /// The largest distance of a point of the shape from its origin; NaN if a size is NaN.
    pub(super) fn extent(&self) -> f64 {
        let norm = |sides: &[f64]| sides.iter().map(|side| side * side).sum::<f64>().sqrt();
        match self {
            Shape::Box(sides) => 0.5 * norm(sides),
            Shape::Plane(sides) => 0.5 * norm(sides),
            Shape::Cylinder { radius, length } => norm(&[*radius, 0.5 * length]),
            Shape::Mesh(mesh) => mesh.vertices.iter().map(|vertex| norm(vertex)).fold(0.0, f64::max),
            Shape::Ball(size) | Shape::Frame(size) => size.abs(),
        }
    }

    /// True if both sides of the faces are visible.
    pub(super) fn is_open(&self) -> bool {
        matches!(self, Shape::Plane(_))
    }

    /// The faces: polygons with their corners in counter-clockwise order for a viewer outside. A frame has none.
    pub(super) fn faces(&self) -> Vec<Vec<[f64; 3]>> {
        match self {
            Shape::Box(sides) => {
                let face = |axis: usize, sign: f64| {
                    let (right, up) = ((axis + 1) % 3, (axis + 2) % 3);
                    let mut corners: Vec<[f64; 3]> = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
                        .into_iter()
                        .map(|[x, y]| {
                            let mut corner = [0.0; 3];
                            (corner[axis], corner[right], corner[up]) = (sign, x, y);
                            [0, 1, 2].map(|at| 0.5 * sides[at] * corner[at])
                        })
                        .collect();
                    if sign < 0.0 {
                        corners.reverse();
                    }
                    corners
                };
                (0..3).flat_map(|axis| [face(axis, -1.0), face(axis, 1.0)]).collect()
            }
            Shape::Plane([x, y]) => {
                let corner = |(right, up): (f64, f64)| [0.5 * right * x, 0.5 * up * y, 0.0];
                vec![[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].into_iter().map(corner).collect()]
            }
            Shape::Cylinder { radius, length } => {
                let corner = |k: u32, z: f64| {
                    let (sin, cos) = (TAU * f64::from(k % AROUND) / f64::from(AROUND)).sin_cos();
                    [radius * cos, radius * sin, 0.5 * z * length]
                };
                let side = |k: u32| vec![corner(k, -1.0), corner(k + 1, -1.0), corner(k + 1, 1.0), corner(k, 1.0)];
                let top = (0..AROUND).map(|k| corner(k, 1.0)).collect();
                let bottom = (0..AROUND).rev().map(|k| corner(k, -1.0)).collect();
                (0..AROUND).map(side).chain([top, bottom]).collect()
            }
            Shape::Ball(radius) => {
                let corner = |k: u32, row: u32| {
                    let (sin, cos) = (TAU * f64::from(k % MERIDIANS) / f64::from(MERIDIANS)).sin_cos();
                    let (across, height) = (PI * f64::from(row) / f64::from(UPWARDS)).sin_cos();
                    [across * cos, across * sin, -height].map(|x| radius * x)
                };
                let face = |k: u32, row: u32| match row {
                    0 => vec![corner(k, 0), corner(k + 1, 1), corner(k, 1)],
                    row if row + 1 == UPWARDS => vec![corner(k, row), corner(k + 1, row), corner(k, UPWARDS)],
                    row => vec![corner(k, row), corner(k + 1, row), corner(k + 1, row + 1), corner(k, row + 1)],
                };
                (0..UPWARDS).flat_map(|row| (0..MERIDIANS).map(move |k| face(k, row))).collect()
            }
            Shape::Mesh(mesh) => {
                let corners = |triangle: &[usize; 3]| triangle.map(|corner| mesh.vertices[corner]).to_vec();
                mesh.triangles.iter().map(corners).collect()
            }
            Shape::Frame(_) => Vec::new(),
        }
    }

    /// True if this face is darker than the others: a ball shows its rotation.
    pub(super) fn is_dark(&self, face: usize) -> bool {
        matches!(self, Shape::Ball(_)) && (face / CHECKER + face / MERIDIANS as usize).is_multiple_of(2)
    }
}
