//! Triangle meshes of users, in the formats STL and OBJ.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use super::FigureError;
use super::files::extension;

/// The header and the record of a triangle in the binary form of STL, in bytes.
const HEADER: usize = 84;
const RECORD: usize = 50;

/// A triangle mesh with corners in counter-clockwise order for a viewer outside.
#[derive(Clone, Debug, Default, PartialEq)]
#[doc(hidden)]
pub struct TriangleMesh {
    /// The vertices.
    pub vertices: Vec<[f64; 3]>,
    /// The indices of the vertices of each triangle.
    pub triangles: Vec<[usize; 3]>,
}

impl TriangleMesh {
    /// Reads a file in STL format (text or binary) or in OBJ format, with coordinates in the units of the file.
    ///
    /// # Errors
    /// [`FigureError::Mesh`] if the file cannot be read, [`FigureError::Extension`] for other extensions.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FigureError> {
        let path = path.as_ref();
        let wrong = |reason: String| FigureError::Mesh { path: path.to_owned(), reason };
        let format = extension(path, &["stl", "obj"])?;
        let bytes = fs::read(path).map_err(|error| wrong(error.to_string()))?;
        let mesh = if format == "obj" { Self::from_obj(&bytes) } else { Self::from_stl(&bytes) }.map_err(wrong)?;
        if mesh.triangles.is_empty() { Err(wrong("the file has no triangle".to_owned())) } else { Ok(mesh) }
    }

    /// Multiplies all coordinates, for example with 0.001 for a file in millimetres.
    pub fn scaled(mut self, factor: f64) -> Self {
        self.vertices.iter_mut().flatten().for_each(|x| *x *= factor);
        self
    }

    /// Adds a triangle; equal corners are one vertex.
    fn add(&mut self, corners: [[f64; 3]; 3], known: &mut HashMap<[u64; 3], usize>) {
        let triangle = corners.map(|corner| {
            *known.entry(corner.map(f64::to_bits)).or_insert_with(|| {
                self.vertices.push(corner);
                self.vertices.len() - 1
            })
        });
        self.triangles.push(triangle);
    }

    fn from_stl(bytes: &[u8]) -> Result<Self, String> {
        let mut mesh = TriangleMesh::default();
        let mut known = HashMap::new();
        let word = |at: usize| bytes.get(at..at + 4).and_then(|word| word.try_into().ok());
        let count = word(80).map_or(0, |word| u32::from_le_bytes(word) as usize);
        if bytes.len() == HEADER + RECORD * count {
            let number = |at: usize| word(at).map_or(f64::NAN, |word| f64::from(f32::from_le_bytes(word)));
            for triangle in 0..count {
                // The corners follow the normal.
                let first = HEADER + RECORD * triangle + 12;
                let corner = |k: usize| [0, 1, 2].map(|axis| number(first + 12 * k + 4 * axis));
                mesh.add([0, 1, 2].map(corner), &mut known);
            }
            return mesh.checked();
        }
        let text = core::str::from_utf8(bytes).map_err(|_| "the file is neither text nor binary STL".to_owned())?;
        let mut corners = Vec::new();
        for line in text.lines() {
            let Some(numbers) = line.trim().strip_prefix("vertex") else { continue };
            corners.push(point(numbers)?);
            if let [a, b, c] = corners[..] {
                mesh.add([a, b, c], &mut known);
                corners.clear();
            }
        }
        mesh.checked()
    }

    fn from_obj(bytes: &[u8]) -> Result<Self, String> {
        let text = core::str::from_utf8(bytes).map_err(|_| "the file is not text".to_owned())?;
        let mut mesh = TriangleMesh::default();
        for line in text.lines() {
            if let Some(numbers) = line.strip_prefix("v ") {
                mesh.vertices.push(point(numbers)?);
            } else if let Some(corners) = line.strip_prefix("f ") {
                let count = mesh.vertices.len();
                let corner = |text: &str| {
                    // vertex/texture/normal; counted from 1, or from the end if negative.
                    let number: i64 = text.split('/').next().and_then(|own| own.parse().ok()).unwrap_or(0);
                    let index = usize::try_from(number.unsigned_abs()).unwrap_or(0);
                    let index = if number > 0 { index.checked_sub(1) } else { count.checked_sub(index) };
                    index
                        .filter(|&index| index < count)
                        .ok_or_else(|| format!("`f {corners}` names a vertex that is missing"))
                };
                let corners: Vec<usize> = corners.split_whitespace().map(corner).collect::<Result<_, _>>()?;
                // A polygon is a fan of triangles.
                mesh.triangles.extend(corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]]));
            }
        }
        mesh.checked()
    }

    fn checked(self) -> Result<Self, String> {
        let is_finite = self.vertices.iter().flatten().all(|x| x.is_finite());
        if is_finite { Ok(self) } else { Err("a coordinate is not finite".to_owned()) }
    }
}

/// The first three numbers of a line.
fn point(text: &str) -> Result<[f64; 3], String> {
    let numbers: Vec<f64> = text.split_whitespace().map_while(|number| number.parse().ok()).take(3).collect();
    numbers.try_into().map_err(|_| format!("expected three coordinates, found `{}`", text.trim()))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    const CORNERS: [[f64; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

    /// The volume from the divergence theorem; positive if the normals of the faces point outside.
    fn volume(mesh: &TriangleMesh) -> f64 {
        let corner = |k: usize| nalgebra::Vector3::from(mesh.vertices[k]);
        mesh.triangles.iter().map(|&[a, b, c]| corner(a).cross(&corner(b)).dot(&corner(c)) / 6.0).sum()
    }

    #[test]
    fn a_tetrahedron_is_read_from_all_formats() {
        let mut binary = vec![0; 80];
        binary.extend(4u32.to_le_bytes());
        let mut text = "solid t\n".to_owned();
        for face in FACES {
            binary.extend([0u8; 12]);
            text += "facet normal 0 0 0\nouter loop\n";
            for corner in face.map(|corner| CORNERS[corner]) {
                #[allow(clippy::cast_possible_truncation)] // 0 and 1.
                binary.extend(corner.iter().flat_map(|&x| (x as f32).to_le_bytes()));
                writeln!(text, "  vertex {} {} {}", corner[0], corner[1], corner[2]).unwrap();
            }
            binary.extend([0u8; 2]);
            text += "endloop\nendfacet\n";
        }
        // A triangle by negative indices, and one with textures and normals.
        let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1/1/1 3/1/1 2/1/1\nf 1 2 4\nf -4 -1 -2\nf 2 3 4\n";
        for mesh in [
            TriangleMesh::from_stl(&binary),
            TriangleMesh::from_stl(text.as_bytes()),
            TriangleMesh::from_obj(obj.as_bytes()),
        ] {
            let mesh = mesh.unwrap();
            assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (4, 4));
            assert!((volume(&mesh) - 1.0 / 6.0).abs() < 1e-15);
            assert!((volume(&mesh.scaled(2.0)) - 8.0 / 6.0).abs() < 1e-14);
        }
        assert!(TriangleMesh::from_obj(b"v 0 0 0\nf 1 2 3\n").is_err());
        assert!(TriangleMesh::from_stl(b"solid\nvertex 1 nan\n").is_err());
        let missing = TriangleMesh::read("missing.stl").unwrap_err().to_string();
        assert!(missing.contains("missing.stl"), "{missing}");
    }
}
