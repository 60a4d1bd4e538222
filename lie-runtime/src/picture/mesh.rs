//! Triangle meshes of simple solids, with normals. The corners are in counter-clockwise order for a viewer outside the solid.

use core::f64::consts::{PI, TAU};

/// A triangle mesh.
pub(super) struct Mesh {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    /// Three corners for every triangle.
    pub corners: Vec<u16>,
}

/// The numbers of corners around a tube and around a sphere, and from pole to pole.
const AROUND: u16 = 12;
const UPWARDS: u16 = 8;

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
    fn grid(&mut self, rows: u16, columns: u16) {
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let [a, b] = [0, 1].map(|further| (row + further) * columns + column);
                self.corners.extend([a, a + 1, b, b, a + 1, b + 1]);
            }
        }
    }

    /// Returns a box with its centre in the origin.
    pub fn cuboid(sides: [f64; 3]) -> Mesh {
        let mut mesh = Mesh::new();
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                let first = u16::try_from(mesh.positions.len()).unwrap_or(0);
                let (right, up) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut normal = [0.0; 3];
                normal[axis] = sign;
                for [x, y] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
                    let mut corner = [0.0; 3];
                    (corner[axis], corner[right], corner[up]) = (sign, x, y);
                    mesh.add([0, 1, 2].map(|at| 0.5 * sides[at] * corner[at]), normal);
                }
                let order = if sign > 0.0 { [0, 1, 2, 0, 2, 3] } else { [0, 2, 1, 0, 3, 2] };
                mesh.corners.extend(order.map(|corner| first + corner));
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
    use nalgebra::Vector3;

    use super::*;

    /// Every triangle with an area faces the outside, as its normals do.
    #[test]
    fn faces_look_outwards() {
        for mesh in [Mesh::cuboid([1.0, 2.0, 3.0]), Mesh::tube(), Mesh::ball(2.0)] {
            let mut area = 0.0;
            for corners in mesh.corners.chunks_exact(3) {
                let at = |list: &[[f32; 3]], corner: u16| Vector3::from(list[usize::from(corner)].map(f64::from));
                let [a, b, c] = [0, 1, 2].map(|k| at(&mesh.positions, corners[k]));
                let face = (b - a).cross(&(c - a));
                area += 0.5 * face.norm();
                if face.norm() > 1e-6 {
                    assert!(face.dot(&at(&mesh.normals, corners[0])) > 0.0, "{a} {b} {c}");
                }
            }
            assert!(area > 5.0, "{area}");
        }
    }
}
