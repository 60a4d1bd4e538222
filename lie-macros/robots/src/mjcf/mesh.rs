//! Mass properties of triangle meshes, from the files of `asset/mesh`.
//!
//! A mesh is divided into tetrahedra from one point to its triangles. The integrals of 1, x and x xᵀ over a tetrahedron with the vertices 0, a,
//! b and c are V, V (a + b + c) / 4 and V (Σ v vᵀ + Σ v Σ vᵀ) / 20 (P. C. Hammer, O. J. Marlowe and A. H. Stroud, MTAC 10, 1956). Here the
//! point is the centroid of the surface for volume and centre, and the centre for the moments, as in MuJoCo: with the default,
//! `inertia="legacy"`, volumes are counted without their sign, so the point matters for a mesh that is not convex.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use roxmltree::Node;

use super::classes::{Classes, Element};
use super::compiler::Compiler;
use super::geometry::Solid;
use crate::frame::{Moments, Rotation, Vector, cross, dot, norm, plus, times};
use crate::xml::{Read, Skipping, mistake, numbers, text};

/// A triangle.
type Triangle = [Vector; 3];

/// The meshes of a file, by name; a mesh is read when a geom needs its inertia.
pub(super) struct Meshes<'a> {
    folder: PathBuf,
    all: HashMap<String, Element<'a, 'a>>,
    known: RefCell<HashMap<String, Solid>>,
    files: RefCell<Vec<PathBuf>>,
}

/// The last part of a path, without its extension.
fn stem(file: &str) -> String {
    Path::new(file).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

impl<'a> Meshes<'a> {
    pub fn of(folder: &Path, assets: &[Node<'a, 'a>], classes: &Classes<'a, 'a>) -> Read<Self> {
        let mut all = HashMap::new();
        for node in assets.iter().flat_map(Node::children).filter(|node| node.has_tag_name("mesh")) {
            let name =
                node.attribute("name").map_or_else(|| stem(node.attribute("file").unwrap_or_default()), str::to_owned);
            all.insert(name, classes.element(node, "mesh", None)?);
        }
        Ok(Self { folder: folder.to_owned(), all, known: RefCell::default(), files: RefCell::default() })
    }

    /// The files that were read.
    pub fn files(self) -> Vec<PathBuf> {
        self.files.into_inner()
    }

    /// The solid of the mesh that a geom names.
    pub fn solid(&self, geom: &Element, compiler: &Compiler, skipping: &Skipping) -> Read<Solid> {
        let name = text(geom.at("mesh"), "mesh")?;
        if let Some(known) = self.known.borrow().get(name) {
            return Ok(*known);
        }
        let Some(mesh) = self.all.get(name) else {
            return mistake(geom.node(), format!("unknown mesh `{name}`"), "a mesh is an `asset` of the file");
        };
        let known =
            ["name", "class", "file", "refpos", "refquat", "scale", "inertia", "vertex", "face", "builtin", "params"];
        let ignored = ["content_type", "normal", "texcoord", "smoothnormal", "maxhullvert", "material"];
        mesh.attributes(&known, &ignored, skipping)?;
        let solid = self.integrated(mesh, compiler)?;
        self.known.borrow_mut().insert(name.to_owned(), solid);
        Ok(solid)
    }

    fn integrated(&self, mesh: &Element, compiler: &Compiler) -> Read<Solid> {
        let node = mesh.node();
        let other = "give the bodies that use it an `inertial`, or their geoms mass=\"0\"";
        let kind = match mesh.get("inertia").unwrap_or("legacy") {
            "legacy" => Kind::Unsigned,
            "exact" => Kind::Signed,
            "shell" => Kind::Shell,
            kind => {
                return mistake(node, format!("the inertia of a mesh with inertia=\"{kind}\" is not computed"), other);
            }
        };
        let Some(file) = node.attribute("file") else {
            return mistake(node, "the inertia of a mesh without a `file` is not computed", other);
        };
        let file = if compiler.strip_paths {
            Path::new(file).file_name().map_or(Path::new(file), Path::new)
        } else {
            Path::new(file)
        };
        let path = self.folder.join(&compiler.mesh_folder).join(file);
        let bytes = std::fs::read(&path).or_else(|error| {
            let message = format!("the inertia of a geom needs `{}`, which cannot be read: {error}", path.display());
            mistake(node, message, other)
        })?;
        self.files.borrow_mut().push(path.clone());
        let extension = path.extension().map_or_else(String::new, |end| end.to_string_lossy().to_lowercase());
        let read = match extension.as_str() {
            "stl" => binary_stl(&bytes),
            "obj" => std::str::from_utf8(&bytes).ok().and_then(wavefront),
            "msh" => legacy_msh(&bytes),
            _ => None,
        };
        let Some(mut triangles) = read.filter(|all| !all.is_empty()) else {
            let message = format!("`{}` has no triangles in binary STL, OBJ or MSH", path.display());
            return mistake(node, message, other);
        };
        let at = |name: &str| mesh.at(name);
        let (shift, scale) = (numbers(at("refpos"), "refpos", [0.0; 3])?, numbers(at("scale"), "scale", [1.0; 3])?);
        let turn = Rotation::of_quaternion(numbers(at("refquat"), "refquat", [1.0, 0.0, 0.0, 0.0])?)
            .unwrap_or(Rotation::IDENTITY)
            .inverse();
        for vertex in triangles.iter_mut().flatten() {
            let rotated = turn.rotate(plus(*vertex, times(-1.0, shift)));
            *vertex = std::array::from_fn(|k| scale[k] * rotated[k]);
        }
        if scale.iter().product::<f64>() < 0.0 {
            for triangle in &mut triangles {
                triangle.swap(1, 2);
            }
        }
        solid(&triangles, kind)
            .map_or_else(|| mistake(node, format!("`{}` encloses no volume", path.display()), other), Ok)
    }
}

/// The measure of a triangle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The volume of the tetrahedron, without its sign.
    Unsigned,
    /// The volume of the tetrahedron: the mesh is closed, with outward normals.
    Signed,
    /// The area.
    Shell,
}

impl Kind {
    fn measure(self, triangle: &Triangle, from: Vector) -> f64 {
        let volume = || {
            let [a, b, c] = triangle.map(|vertex| plus(vertex, times(-1.0, from)));
            dot(a, cross(b, c)) / 6.0
        };
        match self {
            Self::Unsigned => volume().abs(),
            Self::Signed => volume(),
            Self::Shell => area(triangle),
        }
    }
}

fn area(&[a, b, c]: &Triangle) -> f64 {
    0.5 * norm(cross(plus(b, times(-1.0, a)), plus(c, times(-1.0, a))))
}

fn sum(vertices: Triangle) -> Vector {
    vertices.into_iter().fold([0.0; 3], plus)
}

/// Volume, centre and moments of inertia for a mass of one.
fn solid(triangles: &[Triangle], kind: Kind) -> Option<Solid> {
    let (mut surface, mut middle) = (0.0, [0.0; 3]);
    for triangle in triangles {
        let area = area(triangle);
        (surface, middle) = (surface + area, plus(middle, times(area / 3.0, sum(*triangle))));
    }
    let middle = times(1.0 / surface, middle);
    let (mut measure, mut center) = (0.0, [0.0; 3]);
    for triangle in triangles {
        let own = kind.measure(triangle, middle);
        let quarter = times(0.25, plus(sum(*triangle), middle));
        (measure, center) = (measure + own, plus(center, times(own, quarter)));
    }
    let center = times(1.0 / measure, center);
    let (mut volume, mut products) = (0.0, [[0.0; 3]; 3]);
    let divisor = if kind == Kind::Shell { 12.0 } else { 20.0 };
    for triangle in triangles {
        let own = kind.measure(triangle, center);
        volume += own;
        let vertices = triangle.map(|vertex| plus(vertex, times(-1.0, center)));
        let total = sum(vertices);
        for (i, k) in (0..3).flat_map(|i| (0..3).map(move |k| (i, k))) {
            let squares: f64 = vertices.iter().map(|vertex| vertex[i] * vertex[k]).sum();
            products[i][k] += own / divisor * (squares + total[i] * total[k]);
        }
    }
    let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = products.map(|row| row.map(|x| x / volume));
    let moments: Moments = [yy + zz, xx + zz, xx + yy, -xy, -xz, -yz];
    (volume > 1e-15 && moments.iter().all(|x| x.is_finite())).then_some(Solid { volume, center, moments })
}

/// Little-endian numbers of four bytes.
fn words(bytes: &[u8]) -> impl Iterator<Item = [u8; 4]> + '_ {
    bytes.chunks_exact(4).map(|word| [word[0], word[1], word[2], word[3]])
}

fn floats(bytes: &[u8]) -> Vec<f64> {
    words(bytes).map(|word| f64::from(f32::from_le_bytes(word))).collect()
}

fn vectors(numbers: &[f64]) -> Vec<Vector> {
    numbers.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect()
}

/// 80 bytes, the number of triangles, and 50 bytes for each: a normal, three vertices, two bytes.
fn binary_stl(bytes: &[u8]) -> Option<Vec<Triangle>> {
    let count = words(bytes.get(80..84)?).next().map(u32::from_le_bytes)? as usize;
    let all = bytes.get(84..)?;
    let triangle = |record: &[u8]| <Triangle>::try_from(vectors(&floats(&record[12..48]))).ok();
    if all.len() / 50 < count { None } else { all.chunks_exact(50).take(count).map(triangle).collect() }
}

/// Four counts (vertices, normals, texture coordinates, triangles), the vertices, two other lists, and the indices.
fn legacy_msh(bytes: &[u8]) -> Option<Vec<Triangle>> {
    let mut counts = words(bytes.get(..16)?).map(|word| usize::try_from(i32::from_le_bytes(word)).ok());
    let mut next = || counts.next().flatten();
    let (vertices, normals, coordinates, faces) = (next()?, next()?, next()?, next()?);
    let all = vectors(&floats(bytes.get(16..16 + 12 * vertices)?));
    let start = 16 + 12 * vertices + 12 * normals + 8 * coordinates;
    let indices: Vec<usize> =
        words(bytes.get(start..start + 12 * faces)?).map(|word| u32::from_le_bytes(word) as usize).collect();
    let vertex = |at: usize| all.get(at).copied();
    indices.chunks_exact(3).map(|face| Some([vertex(face[0])?, vertex(face[1])?, vertex(face[2])?])).collect()
}

/// The lines `v` and `f` of a Wavefront OBJ. Coordinates have single precision.
fn wavefront(text: &str) -> Option<Vec<Triangle>> {
    let (mut vertices, mut triangles): (Vec<Vector>, Vec<Triangle>) = (vec![], vec![]);
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let numbers: Vec<f64> =
                    words.take(3).map(|word| word.parse().ok().map(|x: f32| f64::from(x))).collect::<Option<_>>()?;
                vertices.push(<Vector>::try_from(numbers).ok()?);
            }
            Some("f") => {
                let vertex = |word: &str| {
                    let number: i64 = word.split('/').next()?.parse().ok()?;
                    // A negative index counts from the end.
                    let place = if number < 0 { number + i64::try_from(vertices.len()).ok()? } else { number - 1 };
                    vertices.get(usize::try_from(place).ok()?).copied()
                };
                let corners: Vec<Vector> = words.map(vertex).collect::<Option<_>>()?;
                triangles.extend(corners.windows(2).skip(1).map(|edge| [corners[0], edge[0], edge[1]]));
            }
            _ => {}
        }
    }
    Some(triangles)
}
