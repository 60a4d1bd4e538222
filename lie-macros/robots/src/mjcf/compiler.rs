//! The sections `compiler` and `option`: unit of angles, order of rotations, bounds of masses, gravity.

use roxmltree::Node;

use super::within::attributes;
use crate::frame::{Frame, Rotation, Vector, cross, direction, dot, plus, times};
use crate::xml::{Read, Skipping, list, mistake, numbers, tag};

/// How an orientation is given.
pub(super) const ORIENTATIONS: [&str; 5] = ["quat", "axisangle", "xyaxes", "zaxis", "euler"];

/// The source of the inertia of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FromGeoms {
    /// The geoms of a body without an `inertial`.
    Otherwise,
    Always,
    Never,
}

/// The settings of a file.
pub(super) struct Compiler {
    /// The unit of angles, in radians.
    unit: f64,
    /// Axes, and whether each is one that turns with those before it.
    sequence: [(usize, bool); 3],
    pub autolimits: bool,
    pub from_geoms: FromGeoms,
    /// The first and the last group of the geoms that have inertia.
    pub groups: [f64; 2],
    pub gravity: Vector,
    /// Lower bounds of the mass of a body and of its principal moments of inertia.
    pub least: [f64; 2],
    /// Whether inertias that violate the triangle inequality become spherical.
    pub balance: bool,
    /// The mass of all bodies together, if the file sets it.
    pub total_mass: Option<f64>,
    /// The folder of the meshes, from the folder of the file.
    pub mesh_folder: String,
    /// Whether folders in the names of files are ignored.
    pub strip_paths: bool,
    /// The groups of actuators that are disabled.
    pub disabled_groups: Vec<f64>,
    /// The flags of `option` that are disabled.
    disabled: Vec<&'static str>,
}

/// Attributes of `compiler` that are read.
const COMPILER: [&str; 13] = [
    "angle",
    "eulerseq",
    "autolimits",
    "inertiafromgeom",
    "inertiagrouprange",
    "boundmass",
    "boundinertia",
    "settotalmass",
    "balanceinertia",
    "coordinate",
    "assetdir",
    "meshdir",
    "strippath",
];
/// Attributes of `compiler` that do not change the motion. `alignfree` changes the frames that MuJoCo uses inside.
const COMPILER_IGNORED: [&str; 15] = [
    "alignfree",
    "conflict",
    "convexhull",
    "dirlist",
    "discardvisual",
    "exactmeshinertia",
    "fitaabb",
    "fusestatic",
    "passthrough",
    "savecanonical",
    "savecompiled",
    "saveinertial",
    "texture",
    "texturedir",
    "usethread",
];
/// Flags of `option` that change the motion of the declaration where they are disabled.
const FLAGS: [&str; 9] =
    ["constraint", "equality", "frictionloss", "passive", "spring", "damper", "gravity", "actuation", "clampctrl"];

/// An attribute that is `true` or `false`.
pub(super) fn truth(node: Node, name: &str, default: bool) -> Read<bool> {
    match node.attribute(name) {
        None => Ok(default),
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(other) => {
            mistake(node, format!("`{name}=\"{other}\"` is not true or false"), format!("write {name}=\"true\""))
        }
    }
}

/// The attributes of a medium that act on a moving body. Wind alone has no effect.
const MEDIUM: [&str; 2] = ["density", "viscosity"];

impl Compiler {
    /// Reads the sections `compiler` and `option`.
    pub fn read(compilers: &[Node], options: &[Node], skipping: &Skipping) -> Read<Self> {
        let mut read = Self {
            unit: 1.0_f64.to_radians(),
            sequence: [(0, true), (1, true), (2, true)],
            autolimits: true,
            from_geoms: FromGeoms::Otherwise,
            groups: [0.0, 5.0],
            gravity: [0.0, 0.0, -9.81],
            least: [0.0; 2],
            balance: false,
            total_mass: None,
            mesh_folder: String::new(),
            strip_paths: false,
            disabled_groups: vec![],
            disabled: vec![],
        };
        for &node in compilers {
            attributes(node, &COMPILER, &COMPILER_IGNORED, skipping)?;
            read.unit = match node.attribute("angle") {
                None => read.unit,
                Some("degree") => 1.0_f64.to_radians(),
                Some("radian") => 1.0,
                Some(other) => {
                    return mistake(node, format!("`angle=\"{other}\"` is not a unit"), "write `degree` or `radian`");
                }
            };
            if let Some(text) = node.attribute("eulerseq") {
                read.sequence = sequence(text).map_or_else(
                    || {
                        mistake(
                            node,
                            format!("`eulerseq=\"{text}\"` is not an order of axes"),
                            "write three of x, y, z, X, Y, Z",
                        )
                    },
                    Ok,
                )?;
            }
            read.autolimits = truth(node, "autolimits", read.autolimits)?;
            read.from_geoms = match node.attribute("inertiafromgeom") {
                None => read.from_geoms,
                Some("auto") => FromGeoms::Otherwise,
                Some("true") => FromGeoms::Always,
                Some("false") => FromGeoms::Never,
                Some(other) => {
                    let help = "write `auto`, `true` or `false`";
                    return mistake(node, format!("`inertiafromgeom=\"{other}\"` is not understood"), help);
                }
            };
            read.groups = numbers(node, "inertiagrouprange", read.groups)?;
            for (least, name) in read.least.iter_mut().zip(["boundmass", "boundinertia"]) {
                [*least] = numbers(node, name, [*least])?;
            }
            let folder = node.attribute("meshdir").or(node.attribute("assetdir"));
            read.mesh_folder = folder.map_or(read.mesh_folder, str::to_owned);
            read.strip_paths = truth(node, "strippath", read.strip_paths)?;
            read.balance = truth(node, "balanceinertia", read.balance)?;
            if let [total] = numbers(node, "settotalmass", [-1.0])?
                && total > 0.0
            {
                read.total_mass = Some(total);
            }
            if let Some(other) = node.attribute("coordinate").filter(|text| *text != "local") {
                let help = "write coordinate=\"local\"; MuJoCo 2.1.1 converts files with global coordinates";
                return mistake(node, format!("`coordinate=\"{other}\"` is not supported"), help);
            }
        }
        for &node in options {
            read.gravity = numbers(node, "gravity", read.gravity)?;
            read.disabled_groups.extend(list(node, "actuatorgroupdisable")?);
            for name in MEDIUM.into_iter().filter(|name| node.has_attribute(*name)) {
                let [value] = numbers(node, name, [0.0])?;
                if value != 0.0 && !skipping.is_skipped(name) {
                    let help = format!(
                        "write `skip = [{name}]` to ignore it, and declare drag as a `#[force]` in the module if needed"
                    );
                    return mistake(
                        node,
                        format!("the forces of the surrounding medium (`{name}`) are not computed"),
                        help,
                    );
                }
                if value != 0.0 {
                    skipping.note(format!("`{name}` {value} of the medium (`skip = [{name}]`)"));
                }
            }
            for flag in node.children().filter(|child| child.has_tag_name("flag")) {
                let disabled = FLAGS.into_iter().filter(|name| flag.attribute(*name) == Some("disable"));
                read.disabled.extend(disabled);
            }
            skipping.note("settings of the solver in `option`");
        }
        if read.disables(&["gravity"]) {
            read.gravity = [0.0; 3];
        }
        Ok(read)
    }

    /// Returns true if any of these flags is disabled.
    pub fn disables(&self, flags: &[&str]) -> bool {
        self.disabled.iter().any(|name| flags.contains(name))
    }

    /// An angle of the file in radians.
    pub fn angle(&self, value: f64) -> f64 {
        self.unit * value
    }

    /// The orientation in the first node that has an orientation.
    pub fn rotation(&self, levels: &[Node]) -> Read<Rotation> {
        let Some(&node) = levels.iter().find(|node| ORIENTATIONS.iter().any(|name| node.has_attribute(*name))) else {
            return Ok(Rotation::IDENTITY);
        };
        let given: Vec<&str> = ORIENTATIONS.into_iter().filter(|name| node.has_attribute(*name)).collect();
        let [one] = given[..] else {
            let message = format!("`{}` has {} orientations", tag(node), given.len());
            return mistake(node, message, format!("keep one: {}", given.join(", ")));
        };
        let found = match one {
            "quat" => Rotation::of_quaternion(numbers(node, one, [0.0; 4])?),
            "axisangle" => {
                let [x, y, z, angle] = numbers(node, one, [0.0; 4])?;
                direction([x, y, z]).map(|axis| Rotation::about(axis, self.angle(angle)))
            }
            "xyaxes" => {
                let [a, b, c, d, e, f] = numbers(node, one, [0.0; 6])?;
                direction([a, b, c]).and_then(|x| {
                    let y = direction(plus([d, e, f], times(-dot(x, [d, e, f]), x)))?;
                    Some(Rotation::of_axes([x, y, cross(x, y)]))
                })
            }
            "zaxis" => direction(numbers(node, one, [0.0; 3])?).map(Rotation::of_third_axis),
            _ => {
                let angles = numbers(node, one, [0.0; 3])?;
                Some(self.sequence.into_iter().zip(angles).fold(
                    Rotation::IDENTITY,
                    |before, ((axis, turns), angle)| {
                        let unit = std::array::from_fn(|k| f64::from(u8::from(k == axis)));
                        let turn = Rotation::about(unit, self.angle(angle));
                        if turns { before.after(turn) } else { turn.after(before) }
                    },
                ))
            }
        };
        found.map_or_else(
            || {
                let text = node.attribute(one).unwrap_or_default();
                mistake(node, format!("`{one}=\"{text}\"` gives no direction"), "write one that is not of length zero")
            },
            Ok,
        )
    }

    /// Position and orientation.
    pub fn frame(&self, node: Node) -> Read<Frame> {
        Ok(Frame { rotation: self.rotation(&[node])?, position: numbers(node, "pos", [0.0; 3])? })
    }
}

/// `xyz` and its kin: small letters are axes that turn with those before them.
fn sequence(text: &str) -> Option<[(usize, bool); 3]> {
    let axis = |letter: char| "xyz".find(letter.to_ascii_lowercase()).map(|axis| (axis, letter.is_ascii_lowercase()));
    text.chars().map(axis).collect::<Option<Vec<_>>>()?.try_into().ok()
}
