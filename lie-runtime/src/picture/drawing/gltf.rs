//! Animations in glTF 2.0: meshes, a node for every moving object, and channels of translations, rotations and scales.
//!
//! A line becomes tubes, one for each segment, and each tube is a node with a rotation and a scale. The z axis points upwards in the
//! library, and the y axis in glTF; the root node has the corresponding rotation. Values have single precision and are little-endian;
//! every accessor has its own buffer view.

use nalgebra::{UnitQuaternion, Vector3};

use super::json::{Json, object};
use super::mesh::Mesh;
use crate::picture::solid::AXES;
use crate::picture::{Animation, COLOURS, FigureError, MovingLine, Shape};

/// The radius of a tube, relative to the size of the scene.
const THIN: f64 = 0.004;
/// The length of a segment of length zero, relative to the size of the scene: a scale of zero has no inverse.
const SHORTEST: f64 = 1e-6;

/// The component types FLOAT and UNSIGNED_INT.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
/// The targets ARRAY_BUFFER and ELEMENT_ARRAY_BUFFER.
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// A scene with its binary buffer.
struct Gltf {
    scene: Json,
    buffer: Vec<u8>,
}

impl Gltf {
    /// Returns one binary file: a header, a JSON chunk and a binary chunk, each padded to four bytes.
    fn binary(mut self) -> Vec<u8> {
        self.scene.set("buffers", [object([("byteLength", self.buffer.len().into())])]);
        let mut text = self.scene.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut bytes = b"glTF".to_vec();
        let word = |bytes: &mut Vec<u8>, number: usize| {
            bytes.extend_from_slice(&u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
        };
        let total = 12 + 8 + text.len() + 8 + self.buffer.len();
        for number in [2, total, text.len()] {
            word(&mut bytes, number);
        }
        bytes.extend_from_slice(b"JSON");
        bytes.append(&mut text);
        word(&mut bytes, self.buffer.len());
        bytes.extend_from_slice(b"BIN\0");
        bytes.append(&mut self.buffer);
        bytes
    }

    /// Returns the scene, which refers to a buffer file of this name, and the content of the buffer file.
    fn separate(mut self, name: &str) -> (String, Vec<u8>) {
        self.scene.set("buffers", [object([("byteLength", self.buffer.len().into()), ("uri", name.into())])]);
        (self.scene.to_string(), self.buffer)
    }
}

impl Animation {
    /// Returns one binary file.
    pub(in crate::picture) fn glb(&self) -> Result<Vec<u8>, FigureError> {
        Ok(self.scene()?.binary())
    }

    /// Returns the scene and its buffer, whose file has this name.
    pub(in crate::picture) fn gltf(&self, buffer: &str) -> Result<(String, Vec<u8>), FigureError> {
        Ok(self.scene()?.separate(buffer))
    }

    /// Returns the animation as a scene.
    ///
    /// # Errors
    /// [`FigureError`], as for [`check`](Animation::check), and if two times are equal in single precision.
    fn scene(&self) -> Result<Gltf, FigureError> {
        self.check()?;
        let start = self.times[0];
        #[allow(clippy::cast_possible_truncation)] // glTF has single precision.
        let times: Vec<f32> = self.times.iter().map(|time| (time - start) as f32).collect();
        if times.windows(2).any(|pair| pair[0] >= pair[1]) {
            let reason = "two times of frames are equal in single precision";
            return Err(FigureError::Frames { label: self.title.clone(), reason });
        }
        let mut writer = Writer::default();
        let input = writer.accessor(&[times], "SCALAR", None, true);
        let extent = self.extent();
        for solid in &self.solids {
            let poses = solid.poses.iter();
            let turns: Vec<UnitQuaternion<f64>> = poses.clone().map(|pose| pose.rotation).collect();
            let places: Vec<Vector3<f64>> = poses.map(|pose| pose.translation.vector).collect();
            let node = match solid.shape {
                Shape::Ball(radius) => object([("mesh", writer.mesh(&Mesh::ball(radius), solid.style).into())]),
                Shape::Frame(length) => {
                    let radius = 0.03 * length;
                    let directions = [Vector3::x(), Vector3::y(), Vector3::z()].into_iter().zip(AXES);
                    let axes = directions.map(|(axis, style)| {
                        let mesh = writer.mesh(&Mesh::tube(), style);
                        let turn = along(&UnitQuaternion::identity(), &axis);
                        let (turn, scale): ([f64; 4], _) = (turn.coords.into(), [length, radius, radius]);
                        writer.node(object([("mesh", mesh.into()), ("rotation", turn.into()), ("scale", scale.into())]))
                    });
                    object([("children", axes.collect::<Vec<usize>>().into())])
                }
                ref shape => {
                    object([("mesh", writer.mesh(&Mesh::flat(&shape.faces(), shape.is_open()), solid.style).into())])
                }
            };
            let node = writer.moving(node, &solid.label);
            writer.track(node, input, "translation", "VEC3", &places.iter().map(single).collect::<Vec<_>>());
            writer.track(node, input, "rotation", "VEC4", &rotations(&turns));
        }
        // The shaft of an arrow is a line of two points.
        let arrows = self.arrows.iter().map(|arrow| {
            let tip = |(tail, vector): (&[f64; 3], &[f64; 3])| vec![*tail, [0, 1, 2].map(|k| tail[k] + vector[k])];
            let points = arrow.tails.iter().zip(&arrow.vectors).map(tip).collect();
            (MovingLine { label: arrow.label.clone(), style: arrow.style, trail: None, points }, 2.0 * THIN)
        });
        let lines = self.lines.iter().cloned().map(|line| (line, THIN));
        for (line, thickness) in lines.chain(arrows) {
            let mesh = writer.mesh(&Mesh::tube(), line.style);
            let radius = thickness * extent;
            for segment in 1..line.points[0].len() {
                let ends = line.points.iter().map(|points| [segment - 1, segment].map(|at| Vector3::from(points[at])));
                let ends: Vec<[Vector3<f64>; 2]> = ends.collect();
                let mut last = UnitQuaternion::identity();
                let turns: Vec<UnitQuaternion<f64>> = ends
                    .iter()
                    .map(|[from, to]| {
                        last = along(&last, &(to - from));
                        last
                    })
                    .collect();
                let node = writer.moving(object([("mesh", mesh.into())]), &line.label);
                let places: Vec<Vec<f32>> = ends.iter().map(|[from, _]| single(from)).collect();
                let scale = |[from, to]: &[Vector3<f64>; 2]| {
                    single(&Vector3::new((to - from).norm().max(SHORTEST * extent), radius, radius))
                };
                writer.track(node, input, "translation", "VEC3", &places);
                writer.track(node, input, "rotation", "VEC4", &rotations(&turns));
                writer.track(node, input, "scale", "VEC3", &ends.iter().map(scale).collect::<Vec<_>>());
            }
        }
        Ok(writer.finish(&self.title))
    }

    /// The largest side of a bounding box of the scene.
    fn extent(&self) -> f64 {
        let points = self.lines.iter().flat_map(|line| line.points.iter().flatten().copied());
        let places = self.solids.iter().flat_map(|solid| solid.poses.iter().map(|pose| pose.translation.vector.into()));
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for point in points.chain(places) {
            for at in 0..3 {
                low[at] = low[at].min(point[at]);
                high[at] = high[at].max(point[at]);
            }
        }
        let solids = self.solids.iter().map(|solid| solid.shape.extent());
        let extent = (0..3).map(|at| high[at] - low[at]).chain(solids).fold(0.0, f64::max);
        if extent > 0.0 { extent } else { 1.0 }
    }
}

/// Returns the rotation closest to `turn` that rotates x to a direction; `turn` for the zero vector.
fn along(turn: &UnitQuaternion<f64>, direction: &Vector3<f64>) -> UnitQuaternion<f64> {
    let from = turn * Vector3::x();
    match UnitQuaternion::rotation_between(&from, direction) {
        Some(further) => further * turn,
        // A rotation by π about an orthogonal axis, or no direction at all.
        None if direction.norm() > 0.0 => {
            UnitQuaternion::from_axis_angle(&(turn * Vector3::y_axis()), core::f64::consts::PI) * turn
        }
        None => *turn,
    }
}

/// A vector in single precision.
#[allow(clippy::cast_possible_truncation)] // glTF has single precision.
fn single(vector: &Vector3<f64>) -> Vec<f32> {
    vector.iter().map(|&x| x as f32).collect()
}

/// The quaternions of a channel in the order x, y, z, w; the sign is chosen for the smaller distance from the previous one.
fn rotations(turns: &[UnitQuaternion<f64>]) -> Vec<Vec<f32>> {
    let mut last = turns.first().map_or_else(Default::default, |turn| turn.coords);
    let next = |turn: &UnitQuaternion<f64>| {
        last = if last.dot(&turn.coords) < 0.0 { -turn.coords } else { turn.coords };
        #[allow(clippy::cast_possible_truncation)] // glTF has single precision.
        let numbers = last.iter().map(|&x| x as f32).collect();
        numbers
    };
    turns.iter().map(next).collect()
}

/// The writer of a scene.
#[derive(Default)]
struct Writer {
    buffer: Vec<u8>,
    views: Vec<Json>,
    accessors: Vec<Json>,
    meshes: Vec<Json>,
    materials: Vec<(usize, Json)>,
    nodes: Vec<Json>,
    moving: Vec<usize>,
    samplers: Vec<Json>,
    channels: Vec<Json>,
}

impl Writer {
    /// Appends an accessor for the values, element by element.
    fn accessor(&mut self, elements: &[Vec<f32>], kind: &str, target: Option<u32>, bounded: bool) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC3" => 3,
            _ => 4,
        };
        let numbers: Vec<f32> = elements.iter().flatten().copied().collect();
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let mut accessor = object([
            ("bufferView", self.view(&bytes, target).into()),
            ("componentType", FLOAT.into()),
            ("count", (numbers.len() / width).into()),
            ("type", kind.into()),
        ]);
        if bounded {
            let bound = |pick: fn(f32, f32) -> f32, from: f32| -> Vec<f32> {
                (0..width).map(|at| numbers.iter().skip(at).step_by(width).copied().fold(from, pick)).collect()
            };
            accessor.set("min", bound(f32::min, f32::INFINITY));
            accessor.set("max", bound(f32::max, f32::NEG_INFINITY));
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Appends a buffer view that starts at a multiple of four bytes.
    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        let (start, length) = (self.buffer.len(), bytes.len());
        let mut view =
            object([("buffer", 0_usize.into()), ("byteOffset", start.into()), ("byteLength", length.into())]);
        if let Some(target) = target {
            view.set("target", target);
        }
        self.buffer.extend_from_slice(bytes);
        self.buffer.resize(self.buffer.len().next_multiple_of(4), 0);
        self.views.push(view);
        self.views.len() - 1
    }

    fn mesh(&mut self, mesh: &Mesh, style: usize) -> usize {
        let vectors = |list: &[[f32; 3]]| list.iter().map(|vector| vector.to_vec()).collect::<Vec<_>>();
        let positions = self.accessor(&vectors(&mesh.positions), "VEC3", Some(VERTICES), true);
        let normals = self.accessor(&vectors(&mesh.normals), "VEC3", Some(VERTICES), false);
        let bytes: Vec<u8> = mesh.corners.iter().flat_map(|corner| corner.to_le_bytes()).collect();
        let view = self.view(&bytes, Some(INDICES));
        self.accessors.push(object([
            ("bufferView", view.into()),
            ("componentType", UNSIGNED_INT.into()),
            ("count", mesh.corners.len().into()),
            ("type", "SCALAR".into()),
        ]));
        let primitive = object([
            ("attributes", object([("POSITION", positions.into()), ("NORMAL", normals.into())])),
            ("indices", (self.accessors.len() - 1).into()),
            ("material", self.material(style % COLOURS.len()).into()),
        ]);
        self.meshes.push(object([("primitives", [primitive].into())]));
        self.meshes.len() - 1
    }

    /// Returns the material of a colour, in linear light.
    fn material(&mut self, style: usize) -> usize {
        if let Some(known) = self.materials.iter().position(|(own, _)| *own == style) {
            return known;
        }
        let part = |at: usize| {
            let part = u8::from_str_radix(COLOURS[style].get(at..at + 2).unwrap_or("00"), 16).unwrap_or(0);
            (f64::from(part) / 255.0).powf(2.2)
        };
        let colour = [part(1), part(3), part(5), 1.0];
        let (metallic, roughness) = (0.0.into(), 0.7.into());
        let factors =
            [("baseColorFactor", colour.into()), ("metallicFactor", metallic), ("roughnessFactor", roughness)];
        let material = object([("pbrMetallicRoughness", object(factors))]);
        self.materials.push((style, material));
        self.materials.len() - 1
    }

    fn node(&mut self, node: Json) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Appends a node of the scene.
    fn moving(&mut self, mut node: Json, name: &str) -> usize {
        node.set("name", name);
        let node = self.node(node);
        self.moving.push(node);
        node
    }

    /// Appends an animation channel of a node.
    fn track(&mut self, node: usize, input: usize, path: &str, kind: &str, values: &[Vec<f32>]) {
        let output = self.accessor(values, kind, None, false);
        self.samplers.push(object([
            ("input", input.into()),
            ("output", output.into()),
            ("interpolation", "LINEAR".into()),
        ]));
        let target = object([("node", node.into()), ("path", path.into())]);
        self.channels.push(object([("sampler", (self.samplers.len() - 1).into()), ("target", target)]));
    }

    fn finish(mut self, title: &str) -> Gltf {
        let half = core::f64::consts::FRAC_1_SQRT_2;
        let children = core::mem::take(&mut self.moving);
        let turn = [-half, 0.0, 0.0, half].into();
        let root = self.node(object([("name", "z upwards".into()), ("rotation", turn), ("children", children.into())]));
        let materials: Vec<Json> = self.materials.into_iter().map(|(_, material)| material).collect();
        let generator = concat!("lie-runtime ", env!("CARGO_PKG_VERSION"));
        let tracks = [("name", title.into()), ("samplers", self.samplers.into()), ("channels", self.channels.into())];
        let scene = object([
            ("asset", object([("version", "2.0".into()), ("generator", generator.into())])),
            ("scene", 0_usize.into()),
            ("scenes", [object([("name", title.into()), ("nodes", [root].into())])].into()),
            ("nodes", self.nodes.into()),
            ("meshes", self.meshes.into()),
            ("materials", materials.into()),
            ("animations", [object(tracks)].into()),
            ("accessors", self.accessors.into()),
            ("bufferViews", self.views.into()),
        ]);
        Gltf { scene, buffer: self.buffer }
    }
}
