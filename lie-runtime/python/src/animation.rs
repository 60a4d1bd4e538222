//! Animations from arrays.

use std::path::PathBuf;

use lie_runtime::nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use lie_runtime::picture::{self, Arrow, FigureError, MovingLine, Shape, Solid};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::of_figure;

/// Coordinates of a point.
type Point = [f64; 3];
/// The label, and the points at each frame.
type Line = (String, Vec<Vec<Point>>);
/// The label, the shape, its sizes, and the positions and attitudes (w, x, y, z) at each frame.
type Body = (String, String, Vec<f64>, Vec<Point>, Vec<[f64; 4]>);
/// The label, and the starts and the vectors at each frame.
type Force = (String, Vec<Point>, Vec<Point>);

/// An animation for browsers.
#[pyclass(frozen, module = "liemech._native")]
pub struct Animation {
    animation: picture::Animation,
}

#[pymethods]
impl Animation {
    #[new]
    #[allow(clippy::too_many_arguments)] // Those of the class in Python.
    fn new(
        py: Python<'_>,
        title: String,
        camera: [f64; 2],
        speed: Option<f64>,
        times: Vec<f64>,
        lines: Vec<Line>,
        solids: Vec<Body>,
        arrows: Vec<Force>,
    ) -> PyResult<Self> {
        if speed.is_some_and(|speed| !(speed > 0.0 && speed.is_finite())) {
            return Err(PyValueError::new_err("the speed of an animation must be positive and finite"));
        }
        let mut animation = picture::Animation { title, eye: camera, times, speed, ..Default::default() };
        for (style, (label, points)) in lines.into_iter().enumerate() {
            let trail = points.first().and_then(|points| points.len().checked_sub(1));
            animation.lines.push(MovingLine { label, style, trail, points });
        }
        for (label, kind, sizes, positions, attitudes) in solids {
            let pose = |(position, [w, x, y, z]): (&Point, &[f64; 4])| {
                let attitude = UnitQuaternion::from_quaternion(Quaternion::new(*w, *x, *y, *z));
                Isometry3::from_parts(Translation3::from(*position), attitude)
            };
            let style = animation.lines.len() + animation.solids.len();
            let poses = positions.iter().zip(&attitudes).map(pose).collect();
            animation.solids.push(Solid { label, style, shape: shape(&kind, &sizes)?, poses });
        }
        for (label, tails, vectors) in arrows {
            let style = animation.lines.len() + animation.solids.len() + animation.arrows.len();
            animation.arrows.push(Arrow { label, style, tails, vectors });
        }
        animation.check().map_err(|error| failed(py, &error))?;
        Ok(Animation { animation })
    }

    /// Returns the page.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        self.animation.page().map_err(|error| failed(py, &error))
    }

    /// Writes a file whose extension is the format.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.animation.save_as(path).map(drop).map_err(|error| failed(py, &error))
    }
}

fn failed(py: Python<'_>, error: &FigureError) -> PyErr {
    of_figure(error).into_error(py)
}

fn shape(kind: &str, sizes: &[f64]) -> PyResult<Shape> {
    if !sizes.iter().all(|size| *size > 0.0 && size.is_finite()) {
        return Err(PyValueError::new_err(format!("the sizes of the shape `{kind}` must be positive and finite")));
    }
    match (kind, sizes) {
        ("box", &[x, y, z]) => Ok(Shape::Box([x, y, z])),
        ("ball", &[radius]) => Ok(Shape::Ball(radius)),
        ("cylinder", &[radius, length]) => Ok(Shape::Cylinder { radius, length }),
        ("plane", &[x, y]) => Ok(Shape::Plane([x, y])),
        ("frame", &[length]) => Ok(Shape::Frame(length)),
        _ => Err(PyValueError::new_err(format!("the shape `{kind}` with {} sizes is unknown", sizes.len()))),
    }
}
