//! Triangle meshes of simple solids, with normals. The corners are in counter-clockwise order for a viewer outside the solid.

use core::f64::consts::{PI, TAU};

use nalgebra::Vector3;

/// A triangle mesh.
pub(super) struct Mesh {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    /// Three corners for every triangle.
    pub corners: Vec<u32>,
}

/// The numbers of corners around a tube and around a sphere, and from pole to pole.
const AROUND: u32 = 12;
const UPWARDS: u32 = 8;

impl Mesh {
    fn new() -> Self {
        Mesh { positions: Vec::new(), normals: Vec::new(), corners: Vec::new() }
    }

    #[allow(clippy::cast_possible_truncation)] // glTF has single precision.
    fn add(&mut self, position: [f64; 3], normal: [f64; 3]) {
        self.positions.push(position.map(|x| x as f32));
        self.normals.push(normal.map(|x| x as f32));
    }

    /// Adds two triangles for each cell of a grid of vertices, whose rows have `columns` each.
    fn grid(&mut self, rows: u32, columns: u32) {
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let [a, b] = [0, 1].map(|further| (row + further) * columns + column);
                self.corners.extend([a, a + 1, b, b, a + 1, b + 1]);
            }
        }
    }

    /// Returns a mesh with flat polygons, each with its own corners; open faces have two sides.
    pub fn flat(faces: &[Vec<[f64; 3]>], is_open: bool) -> Mesh {
        let mut mesh = Mesh::new();
        let mut add = |face: &mut dyn Iterator<Item = &[f64; 3]>| {
            let corners: Vec<Vector3<f64>> = face.map(|&corner| Vector3::from(corner)).collect();
            let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
            let normal = normal.try_normalize(0.0).unwrap_or_else(Vector3::z);
            let first = u32::try_from(mesh.positions.len()).unwrap_or(0);
            let count = u32::try_from(corners.len()).unwrap_or(0);
            for &corner in &corners {
                mesh.add(corner.into(), normal.into());
            }
            mesh.corners.extend((1..count - 1).flat_map(|at| [first, first + at, first + at + 1]));
        };
        for face in faces {
            add(&mut face.iter());
            if is_open {
                add(&mut face.iter().rev());
            }
        }
        mesh
    }

    /// Returns a tube with length and radius 1 along x, which starts at the origin.
    pub fn tube() -> Mesh {
        let mut mesh = Mesh::new();
        for end in [0.0, 1.0] {
            for corner in 0..=AROUND {
                let (sin, cos) = (TAU * f64::from(corner) / f64::from(AROUND)).sin_cos();
                mesh.add([end, cos, sin], [0.0, cos, sin]);
            }
        }
        mesh.grid(2, AROUND + 1);
        mesh
    }

    /// Returns a sphere about the origin.
    pub fn ball(radius: f64) -> Mesh {
        let mut mesh = Mesh::new();
        for row in 0..=UPWARDS {
            let (across, height) = (PI * f64::from(row) / f64::from(UPWARDS)).sin_cos();
            for corner in 0..=AROUND {
                let (sin, cos) = (TAU * f64::from(corner) / f64::from(AROUND)).sin_cos();
                let normal = [across * cos, across * sin, -height];
                mesh.add(normal.map(|x| radius * x), normal);
            }
        }
        mesh.grid(UPWARDS + 1, AROUND + 1);
        mesh
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Shape;

    /// Every triangle with an area faces the outside, as its normals do.
    #[test]
    fn faces_look_outwards() {
        let flat = |shape: Shape| Mesh::flat(&shape.faces(), false);
        let shapes = [Shape::Box([1.0, 2.0, 3.0]), Shape::Ball(2.0), Shape::Cylinder { radius: 1.0, length: 2.0 }];
        for mesh in shapes.map(flat).into_iter().chain([Mesh::tube(), Mesh::ball(2.0)]) {
            let mut area = 0.0;
            for corners in mesh.corners.chunks_exact(3) {
                let at = |list: &[[f32; 3]], corner: u32| Vector3::from(list[corner as usize].map(f64::from));
                let [a, b, c] = [0, 1, 2].map(|k| at(&mesh.positions, corners[k]));
                let face = (b - a).cross(&(c - a));
                area += 0.5 * face.norm();
                if face.norm() > 1e-6 {
                    assert!(face.dot(&at(&mesh.normals, corners[0])) > 0.0, "{a} {b} {c}");
                    // All shapes but the tube, which begins at the origin, are convex around it.
                    assert!(face.dot(&(a + b + c)) > -1e-9, "{a} {b} {c}");
                }
            }
            assert!(area > 5.0, "{area}");
        }
    }
}
