//! Bodies and their joints.

use roxmltree::Node;

use super::classes::Element;
use super::compiler::{Compiler, FromGeoms, truth};
use super::geometry::{Piece, collides, piece, placed, raised, together};
use super::within::{Placed, Reading, attributes};
use crate::check::inertial;
use crate::dynamics::effective_inertias;
use crate::frame::{Frame, Rotation, direction, principal, rotated};
use crate::model::{Above, Inertial, Joint, Link, Motion, Robot};
use crate::xml::{Read, Skipping, child, function, identifier, line, list, mistake, number, numbers, text};

/// The links, and how the file calls them and their joints.
pub(super) struct Tree<'a> {
    pub links: Vec<Link>,
    pub bodies: Vec<Option<&'a str>>,
    /// The name in the file and that in Rust.
    pub joints: Vec<(&'a str, String)>,
    /// The sites: name, link, and where it is there.
    pub sites: Vec<(&'a str, usize, Frame)>,
    /// Whether a joint moves each link.
    pub moves: Vec<bool>,
    /// The joints with `springdamper`: a time constant and a damping ratio.
    pub springs: Vec<(String, f64, f64)>,
    /// The number of geoms that collide with others.
    pub colliding: usize,
}

const ORIENTED: [&str; 6] = ["pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"];
const BODY: [&str; 4] = ["name", "childclass", "mocap", "gravcomp"];
const BODY_IGNORED: [&str; 3] = ["user", "sleep", "simple"];
const JOINT: [&str; 16] = [
    "name",
    "class",
    "type",
    "pos",
    "axis",
    "springdamper",
    "stiffness",
    "springref",
    "damping",
    "armature",
    "frictionloss",
    "ref",
    "range",
    "limited",
    "actuatorfrcrange",
    "actuatorfrclimited",
];
/// `align` changes the frame that MuJoCo uses inside.
const JOINT_IGNORED: [&str; 9] = [
    "group",
    "user",
    "align",
    "margin",
    "solreflimit",
    "solimplimit",
    "solreffriction",
    "solimpfriction",
    "actuatorgravcomp",
];
const INERTIAL: [&str; 3] = ["mass", "diaginertia", "fullinertia"];
const SITE: [&str; 4] = ["name", "class", "type", "fromto"];
const SITE_IGNORED: [&str; 5] = ["group", "material", "rgba", "size", "user"];

/// A body that is not read yet, and its parent.
type Open<'a, 'i> = (Placed<'a, 'i>, usize);

/// The bodies of a file, in its order.
pub(super) fn read<'a>(worlds: &[Node<'a, 'a>], reading: Reading<'_, 'a>) -> Read<Tree<'a>> {
    let world = Link { name: "world".to_owned(), line: 0, inertial: None, above: None, start: None };
    let mut tree = Tree {
        links: vec![world],
        bodies: vec![Some("world")],
        joints: vec![],
        sites: vec![],
        moves: vec![false],
        springs: vec![],
        colliding: 0,
    };
    let mut open: Vec<Open> = vec![];
    for &node in worlds.iter().rev() {
        attributes(node, &["childclass"], &["name"], reading.skipping)?;
        let class = node.attribute("childclass");
        let all = reading.elements(node, class, &["body", "site", "geom"], &[], &["camera", "light"])?;
        sites(&all, 0, reading, &mut tree)?;
        for at in of("geom", &all) {
            tree.colliding += usize::from(collides(&classes(at, "geom", reading)?, reading)?);
        }
        open.extend(of("body", &all).rev().map(|below| (below, 0)));
    }
    while let Some((at, parent)) = open.pop() {
        let class = at.node.attribute("childclass").or(at.class);
        let elements = ["body", "joint", "freejoint", "geom", "site"];
        let all = reading.elements(at.node, class, &elements, &["inertial"], &["camera", "light"])?;
        let place = tree.links.len();
        let link = link(at, &all, parent, class, reading, &mut tree)?;
        tree.links.push(link);
        tree.bodies.push(at.node.attribute("name"));
        sites(&all, place, reading, &mut tree)?;
        open.extend(of("body", &all).rev().map(|below| (below, place)));
    }
    if let Some(total) = reading.compiler.total_mass {
        let scale =
            total / tree.links.iter().filter_map(|link| link.inertial.as_ref()).map(|body| body.mass).sum::<f64>();
        for body in tree.links.iter_mut().filter_map(|link| link.inertial.as_mut()) {
            body.mass *= scale;
            body.moments = body.moments.map(|moment| scale * moment);
        }
    }
    set_springs(&mut tree);
    Ok(tree)
}

/// Sets stiffness and damping of joints with `springdamper` from the inertia at the reference configuration, with all joints free:
/// stiffness I / (T ζ)² and damping 2 I / T.
fn set_springs(tree: &mut Tree) {
    if tree.springs.is_empty() {
        return;
    }
    let robot = Robot { links: tree.links.clone(), ..Robot::default() };
    let all = effective_inertias(&robot);
    for (name, time, ratio) in &tree.springs {
        // The mean of the inverses, for joints with several coordinates.
        let own: Vec<f64> = all.iter().filter(|(joint, _)| joint == name).map(|(_, inertia)| 1.0 / inertia).collect();
        let inertia = own.len() as f64 / own.iter().sum::<f64>();
        let joints = tree.links.iter_mut().filter_map(|link| link.above.as_mut()).flat_map(|above| &mut above.joints);
        for joint in joints.filter(|joint| joint.name == *name) {
            (joint.stiffness, joint.damping) = (inertia / (time * ratio).powi(2), 2.0 * inertia / time);
        }
    }
}

/// The elements of that name.
fn of<'s, 'a>(name: &'static str, all: &'s [Placed<'a, 'a>]) -> impl DoubleEndedIterator<Item = Placed<'a, 'a>> + 's {
    all.iter().copied().filter(move |at| at.node.has_tag_name(name))
}

/// The sites of a link that have names.
fn sites<'a>(all: &[Placed<'a, 'a>], link: usize, reading: Reading<'_, 'a>, tree: &mut Tree<'a>) -> Read<()> {
    for at in of("site", all) {
        let site = reading.classes.element(at.node, "site", at.class)?;
        site.attributes(&[&SITE[..], &ORIENTED].concat(), &SITE_IGNORED, reading.skipping)?;
        let has_length = ["capsule", "cylinder", "ellipsoid", "box"].contains(&site.get("type").unwrap_or("sphere"));
        let (frame, _) = placed(&site, has_length, reading.compiler)?;
        if let Some(name) = at.node.attribute("name") {
            if tree.sites.iter().any(|(known, ..)| *known == name) {
                return mistake(at.node, format!("there are two sites `{name}`"), "rename the second one");
            }
            tree.sites.push((name, link, at.frame.then(frame)));
        }
    }
    Ok(())
}

/// One body.
fn link<'a>(
    at: Placed<'a, 'a>,
    all: &[Placed<'a, 'a>],
    parent: usize,
    class: Option<&'a str>,
    reading: Reading<'_, 'a>,
    tree: &mut Tree<'a>,
) -> Read<Link> {
    let Reading { compiler, classes, skipping, .. } = reading;
    let node = at.node;
    attributes(node, &[&BODY[..], &ORIENTED].concat(), &BODY_IGNORED, skipping)?;
    classes.ensure(node, class)?;
    if truth(node, "mocap", false)? {
        let name = node.attribute("name").unwrap_or_default();
        skipping.note(format!("`mocap` of body `{name}` (it stands where the file puts it)"));
    }
    let name = node.attribute("name").map_or_else(|| format!("body_{}", tree.links.len()), function);
    let place = at.frame.then(compiler.frame(node)?);
    let mut joints: Vec<Joint> = vec![];
    for at in all.iter().filter(|at| at.node.has_tag_name("joint") || at.node.has_tag_name("freejoint")) {
        let child = at.node;
        let free = child.has_tag_name("freejoint");
        let element = if free { Element { levels: vec![child] } } else { classes.element(child, "joint", at.class)? };
        let motion = if free { Motion::Floating } else { motion(&element, at.frame.rotation)? };
        let called = match child.attribute("name") {
            Some(name) => identifier(name),
            None => (1..=joints.len() + 1)
                .map(|number| format!("{name}_joint{}", if number == 1 { String::new() } else { format!("_{number}") }))
                .find(|free| joints.iter().all(|joint| joint.name != *free))
                .unwrap_or_default(),
        };
        if let Some(name) = child.attribute("name") {
            tree.joints.push((name, called.clone()));
        }
        let [time, ratio] = numbers(element.at("springdamper"), "springdamper", [0.0; 2])?;
        if time > 0.0 && ratio > 0.0 {
            tree.springs.push((called.clone(), time, ratio));
        }
        joints.push(joint(&element, called, motion, at.frame, reading)?);
    }
    let free = joints.iter().any(|joint| joint.motion == Motion::Floating);
    if free && (parent != 0 || joints.len() > 1) {
        let help = "a body with a free joint is a child of `worldbody` and has no other joint";
        return mistake(node, format!("`{name}` has a free joint among others"), help);
    }
    tree.moves.push(!joints.is_empty() || tree.moves[parent]);
    let above = Above { parent, place: if free { Frame::IDENTITY } else { place }, joints };
    let inertial = inertia(node, all, tree, reading)?;
    Ok(Link { name, line: line(node), inertial, above: Some(above), start: free.then_some(place) })
}

/// How a joint moves whose axis a frame turns.
fn motion(joint: &Element, turn: Rotation) -> Read<Motion> {
    let kind = joint.get("type").unwrap_or("hinge");
    let axis = || {
        let at = joint.at("axis");
        direction(numbers(at, "axis", [0.0, 0.0, 1.0])?)
            .map_or_else(|| mistake(at, "an axis of length zero", "write a direction, axis=\"0 0 1\""), Ok)
            .map(|axis| turn.rotate(axis))
    };
    match kind {
        "hinge" => Ok(Motion::Hinge(axis()?)),
        "slide" => Ok(Motion::Slide(axis()?)),
        "ball" => Ok(Motion::Ball),
        "free" => Ok(Motion::Floating),
        other => {
            let help = "joints are hinge, slide, ball or free";
            mistake(joint.at("type"), format!("a joint of the type `{other}` is not understood"), help)
        }
    }
}

fn joint(element: &Element, name: String, motion: Motion, frame: Frame, reading: Reading) -> Read<Joint> {
    let Reading { compiler, skipping, .. } = reading;
    element.attributes(&JOINT, &JOINT_IGNORED, skipping)?;
    let value = |name: &str| numbers(element.at(name), name, [0.0]).map(|[value]| value);
    // The file's unit of angles applies to rotations, not to lengths.
    let turns = matches!(motion, Motion::Hinge(_) | Motion::Ball);
    let coordinate = |value: f64| if turns { compiler.angle(value) } else { value };
    let mut joint = Joint::new(name, line(element.node()), motion);
    for (place, name, flags) in [
        (&mut joint.damping, "damping", &["damper", "passive"][..]),
        (&mut joint.stiffness, "stiffness", &["spring", "passive"]),
        (&mut joint.armature, "armature", &[]),
        (&mut joint.friction, "frictionloss", &["frictionloss", "constraint"]),
    ] {
        *place = coefficient(element, name, skipping)?;
        if *place != 0.0 && compiler.disables(flags) {
            skipping.note(format!("`{name}` of joints (disabled by a `flag`)"));
            *place = 0.0;
        }
    }
    if motion == Motion::Floating && joint.stiffness != 0.0 {
        if !skipping.is_skipped("stiffness") {
            let help = "write `skip = [stiffness]`, and declare the spring as a `#[potential]` in the module";
            return mistake(element.at("stiffness"), "the spring of a free joint is not supported", help);
        }
        joint.stiffness = 0.0;
        skipping.note(format!("`stiffness` of free joint `{}` (`skip = [stiffness]`)", joint.name));
    }
    if motion.is_number() {
        joint.reference = coordinate(value("ref")?);
        joint.ease = coordinate(value("springref")?);
    }
    if turns {
        joint.anchor = frame.point(numbers(element.at("pos"), "pos", [0.0; 3])?);
    }
    // A free joint ignores both ranges, also those of its defaults.
    let limited =
        |name: &str, flag: &str, applies: bool| if applies { range(element, name, flag, compiler) } else { Ok(None) };
    let limits = limited("range", "limited", motion != Motion::Floating)?;
    joint.limits = limits.map(|limits| limits.map(coordinate));
    let force = limited("actuatorfrcrange", "actuatorfrclimited", motion.is_number())?;
    joint.effort = force.filter(|[lower, upper]| *lower == -upper).map(|[_, upper]| upper);
    joint.actuation_limits = force;
    Ok(joint)
}

/// A coefficient of a joint, not negative. MuJoCo accepts up to two more coefficients, of higher powers.
fn coefficient(element: &Element, name: &str, skipping: &Skipping) -> Read<f64> {
    let (at, all) = (element.at(name), list(element.at(name), name)?);
    if let Some(value) = all.iter().find(|x| **x < 0.0) {
        return mistake(at, format!("`{name}` of {value}"), "write a positive number");
    }
    if all.iter().skip(1).any(|&x| x != 0.0) {
        if skipping.is_skipped(name) {
            skipping.note(format!("`{name}` of a joint with several coefficients (`skip = [{name}]`)"));
            return Ok(0.0);
        }
        let message = format!("`{name}` with several coefficients, a polynomial, is not supported");
        let help = format!("write `skip = [{name}]`, and declare the polynomial in the module");
        return mistake(at, message, help);
    }
    Ok(all.first().copied().unwrap_or(0.0))
}

/// A range that is in force: the attribute `limited` or, by default, the presence of the range decides.
pub(super) fn range(element: &Element, name: &str, limited: &str, compiler: &Compiler) -> Read<Option<[f64; 2]>> {
    let at = element.at(name);
    let range = numbers(at, name, [0.0; 2])?;
    let is_limited = match element.get(limited).unwrap_or("auto") {
        "true" => true,
        "false" => false,
        "auto" if range == [0.0; 2] => false,
        "auto" if compiler.autolimits => true,
        "auto" => {
            let help = format!("write {limited}=\"true\" or \"false\"; autolimits=\"false\" leaves that open");
            return mistake(at, format!("`{name}` without `{limited}`"), help);
        }
        other => {
            let help = "write `true`, `false` or `auto`";
            return mistake(element.at(limited), format!("`{limited}=\"{other}\"` is not understood"), help);
        }
    };
    if is_limited && range[0] >= range[1] {
        let message = format!("limits from {} to {}", range[0], range[1]);
        return mistake(at, message, format!("write the lower one first, {name}=\"-1 1\""));
    }
    Ok(is_limited.then_some(range))
}

/// An element with its defaults.
fn classes<'a>(at: Placed<'a, 'a>, of: &str, reading: Reading<'_, 'a>) -> Read<Element<'a, 'a>> {
    reading.classes.element(at.node, of, at.class)
}

/// The inertia of a body: as it is given, or of its geoms; with the bounds of the file.
fn inertia<'a>(
    node: Node<'a, 'a>,
    all: &[Placed<'a, 'a>],
    tree: &mut Tree<'a>,
    reading: Reading<'_, 'a>,
) -> Read<Option<Inertial>> {
    let Reading { compiler, skipping, .. } = reading;
    let nodes: Vec<Node> = all.iter().map(|at| at.node).collect();
    let given = child(&nodes, "inertial")?;
    let mut geoms = vec![];
    for at in of("geom", all) {
        let geom = classes(at, "geom", reading)?;
        tree.colliding += usize::from(collides(&geom, reading)?);
        geoms.push((at, geom));
    }
    let found = match given.filter(|_| compiler.from_geoms != FromGeoms::Always || geoms.is_empty()) {
        Some(given) => Some(declared(given, reading)?),
        None if compiler.from_geoms == FromGeoms::Never => None,
        // A body that stands still needs no inertia, and its meshes need not be read.
        None if tree.moves.last() == Some(&false) && compiler.total_mass.is_none() => {
            if !geoms.is_empty() {
                skipping.note("the inertia of geoms that stand still");
            }
            None
        }
        None => {
            let mut pieces: Vec<Piece> = vec![];
            for (at, geom) in &geoms {
                pieces.extend(piece(geom, reading)?.map(|piece| piece.in_frame(at.frame)));
            }
            together(&pieces)
        }
    };
    let [least_mass, least_moment] = compiler.least;
    // MuJoCo gives a body without any inertia the bounds, at the place of the body in its parent's frame.
    let empty = || Piece {
        mass: 0.0,
        center: compiler.frame(node).map_or([0.0; 3], |frame| frame.position),
        moments: [0.0; 6],
    };
    let Some(found) = found.or_else(|| (least_mass > 0.0).then(empty)) else { return Ok(None) };
    let mut body = Inertial {
        // Without bounds a negative value is an error.
        mass: if least_mass > 0.0 { found.mass.max(least_mass) } else { found.mass },
        center: found.center,
        moments: if least_moment > 0.0 { raised(found.moments, least_moment) } else { found.moments },
        compensation: numbers(node, "gravcomp", [0.0])?[0],
        line: line(given.unwrap_or(node)),
    };
    let [a, b, c] = principal(body.moments);
    if compiler.balance && a + b < c {
        let mean = (a + b + c) / 3.0;
        body.moments = [mean, mean, mean, 0.0, 0.0, 0.0];
        skipping.note(format!(
            "the inertia of body `{}` as written (`balanceinertia`)",
            node.attribute("name").unwrap_or_default()
        ));
    }
    inertial(given.unwrap_or(node), body)
}

/// The inertia in an `inertial`.
fn declared(node: Node, reading: Reading) -> Read<Piece> {
    attributes(node, &[&INERTIAL[..], &ORIENTED].concat(), &[], reading.skipping)?;
    text(node, "pos")?;
    let frame = reading.compiler.frame(node)?;
    let moments = if node.has_attribute("fullinertia") {
        if let Some(other) = ORIENTED[1..].iter().chain(&["diaginertia"]).find(|name| node.has_attribute(**name)) {
            let help = "`fullinertia` is in the axes of the body and is all there is";
            return mistake(node, format!("`fullinertia` and `{other}`"), help);
        }
        numbers(node, "fullinertia", [0.0; 6])?
    } else {
        let [x, y, z] = numbers(node, "diaginertia", [0.0; 3])?;
        rotated([x, y, z, 0.0, 0.0, 0.0], frame.rotation)
    };
    Ok(Piece { mass: number(node, "mass")?, center: frame.position, moments })
}
