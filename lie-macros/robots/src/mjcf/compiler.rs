//! How a file is meant: units of angles, orders of rotations, gravity.

use roxmltree::Node;

use crate::frame::{Frame, Rotation, Vector, cross, direction, dot, plus, times};
use crate::xml::{Read, ensure_known, list, mistake, numbers, tag};

/// How an orientation is given.
pub(super) const ORIENTATIONS: [&str; 5] = ["quat", "axisangle", "xyaxes", "zaxis", "euler"];

/// Where the inertia of a body comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FromGeoms {
    /// Where there is no `inertial`.
    Otherwise,
    Always,
    Never,
}

/// The settings of a file.
pub(super) struct Compiler {
    degrees: bool,
    /// Axes, and whether each is one that turns with those before it.
    sequence: [(usize, bool); 3],
    pub autolimits: bool,
    pub from_geoms: FromGeoms,
    /// Of the groups of geoms that make inertia, the first and the last one.
    pub groups: [f64; 2],
    pub gravity: Vector,
}

const COMPILER: [&str; 28] = [
    "angle",
    "eulerseq",
    "autolimits",
    "inertiafromgeom",
    "inertiagrouprange",
    "coordinate",
    "boundmass",
    "boundinertia",
    "settotalmass",
    "balanceinertia",
    "alignfree",
    "assetdir",
    "meshdir",
    "texturedir",
    "strippath",
    "discardvisual",
    "fusestatic",
    "usethread",
    "fitaabb",
    "convexhull",
    "exactmeshinertia",
    "saveinertial",
    "savecanonical",
    "savecompiled",
    "passthrough",
    "conflict",
    "dirlist",
    "texture",
];
/// What another value changes of masses and coordinates, and the one that changes nothing.
const PLAIN: [(&str, &str); 6] = [
    ("coordinate", "local"),
    ("alignfree", "false"),
    ("boundmass", "0"),
    ("boundinertia", "0"),
    ("settotalmass", "-1"),
    ("passthrough", "false"),
];
/// What of `flag` is about motion.
const FLAGS: [&str; 9] =
    ["constraint", "equality", "frictionloss", "limit", "passive", "spring", "damper", "gravity", "actuation"];

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

/// Refuses a medium, which acts on all that moves.
fn ensure_nothing_around(node: Node) -> Read<()> {
    for name in ["density", "viscosity", "wind"] {
        if list(node, name)?.iter().any(|&x| x != 0.0) {
            let help = format!("remove `{name}`, and declare the forces of the medium in the module");
            return mistake(node, format!("forces of a medium, `{name}`, are not read"), help);
        }
    }
    Ok(())
}

impl Compiler {
    /// Of the sections `compiler` and `option`.
    pub fn read(compilers: &[Node], options: &[Node]) -> Read<Self> {
        let mut read = Self {
            degrees: true,
            sequence: [(0, true), (1, true), (2, true)],
            autolimits: true,
            from_geoms: FromGeoms::Otherwise,
            groups: [0.0, 5.0],
            gravity: [0.0, 0.0, -9.81],
        };
        for &node in compilers {
            ensure_known(node, &COMPILER)?;
            read.degrees = match node.attribute("angle") {
                None => read.degrees,
                Some("degree") => true,
                Some("radian") => false,
                Some(other) => {
                    return mistake(node, format!("`angle=\"{other}\"` is no unit"), "write `degree` or `radian`");
                }
            };
            if let Some(text) = node.attribute("eulerseq") {
                read.sequence = sequence(text).map_or_else(
                    || {
                        mistake(
                            node,
                            format!("`eulerseq=\"{text}\"` is no order of axes"),
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
            for (name, plain) in PLAIN {
                let same =
                    |text: &str| text == plain || text.parse::<f64>().ok().is_some_and(|x| plain.parse() == Ok(x));
                if let Some(other) = node.attribute(name).filter(|text| !same(text)) {
                    let help = format!("remove it, and write in the file what `{name}` changes in it");
                    return mistake(node, format!("`{name}=\"{other}\"` is not understood"), help);
                }
            }
        }
        for &node in options {
            read.gravity = numbers(node, "gravity", read.gravity)?;
            ensure_nothing_around(node)?;
            for flag in node.children().filter(|child| child.has_tag_name("flag")) {
                if let Some(name) = FLAGS.into_iter().find(|name| flag.attribute(*name) == Some("disable")) {
                    let help = "remove it from the file, and what it disables";
                    return mistake(flag, format!("`{name}=\"disable\"` is not understood"), help);
                }
            }
        }
        Ok(read)
    }

    /// An angle of the file in radians.
    pub fn angle(&self, value: f64) -> f64 {
        if self.degrees { value.to_radians() } else { value }
    }

    /// The orientation that one of these nodes gives, the first that gives any.
    pub fn rotation(&self, levels: &[Node]) -> Read<Rotation> {
        let Some(&node) = levels.iter().find(|node| ORIENTATIONS.iter().any(|name| node.has_attribute(*name))) else {
            return Ok(Rotation::IDENTITY);
        };
        let given: Vec<&str> = ORIENTATIONS.into_iter().filter(|name| node.has_attribute(*name)).collect();
        let [one] = given[..] else {
            let message = format!("`{}` has {} orientations", tag(node), given.len());
            return mistake(node, message, format!("keep one of {}", given.join(", ")));
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
